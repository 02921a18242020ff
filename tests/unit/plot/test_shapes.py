"""The three shapes of the lecture: a line, an ellipse, a parabola; and a hyperbola."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bayleaf import ComplementNB, GaussianNB, MultinomialNB, PoissonNB
from bayleaf.plot import decision_boundary

CLOUD = np.array([[a, b] for a in (-1.0, -0.3, 0.3, 1.0) for b in (-1.0, -0.4, 0.4, 1.0)])
SHIFT = np.array([3, 1])
Y = np.repeat(["a", "b"], len(CLOUD))


def boundary(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The points of the line that is drawn between two clouds, in units of the picture."""
    X = np.concatenate([first, second])
    ax = decision_boundary(GaussianNB(var_smoothing=0).fit(X, Y), X, Y)
    (line,) = [part for part in ax.collections if part.get_gid() == "boundary"]
    points = np.concatenate([path.vertices for path in line.get_paths()])
    plt.close(ax.figure)
    return points / np.abs(X).max()


def conic(points: np.ndarray) -> np.ndarray:
    """Coefficients of x², xy, y², x, y, 1 that vanish on the points, of length 1."""
    x, y = points.T
    terms = np.column_stack([x * x, x * y, y * y, x, y, np.ones_like(x)])
    *_, right = np.linalg.svd(terms, full_matrices=False)
    assert np.abs(terms @ right[-1]).max() < 2e-3, "no conic goes through these points"
    return right[-1]


def test_equal_variances_give_a_straight_line() -> None:
    points = boundary(CLOUD, CLOUD + SHIFT)
    centred = points - points.mean(axis=0)
    along, across = np.linalg.svd(centred, compute_uv=False)
    assert across < 1e-6 * along
    middle = np.array([1.5, 0.5]) / np.abs(CLOUD + SHIFT).max()
    slope = np.polynomial.Polynomial.fit(points[:, 0], points[:, 1], 1)
    assert slope(middle[0]) == pytest.approx(middle[1], abs=1e-3)


def test_equal_means_give_an_ellipse() -> None:
    points = boundary(CLOUD, CLOUD * [3, 2])
    a, b, c, d, e, _ = conic(points)
    assert b * b - 4 * a * c < -1e-3
    assert abs(d) + abs(e) < 1e-2, "its centre is the common mean"
    np.testing.assert_allclose(points[0], points[-1], err_msg="it is closed")


def test_one_equal_variance_gives_a_parabola() -> None:
    a, b, c, d, e, _ = conic(boundary(CLOUD, CLOUD * [3, 1] + [0, 2]))
    assert abs(b * b - 4 * a * c) < 1e-3
    assert abs(a) > 0.05, "it bends along the column whose variances differ"
    assert abs(e) > 0.05
    assert abs(c) + abs(d) < 1e-2


def test_opposite_variances_give_a_hyperbola() -> None:
    a, b, c, *_ = conic(boundary(CLOUD * [1, 3], CLOUD * [3, 1] + [1, 0.5]))
    assert b * b - 4 * a * c > 1e-2


@pytest.mark.parametrize("family", [ComplementNB, MultinomialNB, PoissonNB])
def test_counts_end_at_zero(family: type) -> None:
    """Counts below zero would be refused, so none is asked about; of two classes the line is that of the weights."""
    X = np.array([[4, 0], [3, 1], [5, 1], [0, 4], [1, 3], [1, 6]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    model = family().fit(X, y)
    ax = decision_boundary(model, X, y)
    assert (ax.get_xlim()[0], ax.get_ylim()[0]) == (0, 0)
    (line,) = [part for part in ax.collections if part.get_gid() == "boundary"]
    points = np.concatenate([path.vertices for path in line.get_paths()])
    plt.close(ax.figure)
    assert len(points) > 50
    np.testing.assert_allclose(np.diff(model.predict_log_proba(points)), 0, atol=1e-6)
