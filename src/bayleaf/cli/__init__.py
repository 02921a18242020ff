"""The commands. One module per command, in one package per group; each calls one verb of the library.

``bayleaf mail judge`` runs :mod:`bayleaf.cli.mail.judge`. A command is imported when it is called, so that one that a
mail server starts for every mail loads nothing of the others.
"""
