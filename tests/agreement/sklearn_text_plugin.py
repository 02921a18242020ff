"""A pytest plugin that runs scikit-learn's own text tests on our four classes.

    python -m pytest -p tests.agreement.sklearn_text_plugin --pyargs sklearn.feature_extraction.tests.test_text

The tests import the classes from the module by name, so the names are replaced before they are collected.
"""

import sklearn.feature_extraction.text as theirs

import bayleaf.text as ours

for name in ours.__all__:
    setattr(theirs, name, getattr(ours, name))
