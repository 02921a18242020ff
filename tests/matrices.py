"""Sparse matrices of vectorisers, compared."""

import numpy as np


def same(ours, theirs):
    """Are two matrices equal bit for bit, the order of the cells included?"""
    if isinstance(ours, tuple) or isinstance(theirs, tuple):
        assert ours == theirs
        return
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    assert type(ours) is type(theirs)
    for name in ("indptr", "indices", "data"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
