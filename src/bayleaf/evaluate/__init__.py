"""Measures of classifiers and filters, and the protocols that produce what is measured.

Nothing is imported here: `rates` and `stream` serve the mail commands, which live on the standard library alone.
"""
