"""Fault: why this is no release."""


class Fault(Exception):  # noqa: N818 - it is no error of the program
    """What was found, what was expected, what to do."""
