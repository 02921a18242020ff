"""Measures of a filter, and the protocols that produce what is measured."""
