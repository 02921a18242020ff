"""Draw the pictures of the README and the docs again: `python docs/pictures.py`."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from bayleaf import GaussianNB
from bayleaf.demo.picture import picture
from bayleaf.plot import decision_boundary

IMG = Path(__file__).parent / "img"


def three_shapes(path: Path) -> None:
    """The boundaries of the lecture; the second cloud is the first one moved or stretched, so that they are exact."""
    cloud = np.random.default_rng(3).normal(size=(120, 2))
    cloud = (cloud - cloud.mean(axis=0)) / cloud.std(axis=0)
    shapes = {
        "equal variances: a line": cloud * [1.0, 1.0] + [3.0, 1.5],
        "equal means: an ellipse": cloud * [2.6, 1.8],
        "one variance differs: a parabola": cloud * [2.6, 1.0] + [0.0, 3.0],
    }
    figure = Figure(figsize=(11, 3.9), layout="constrained")
    for ax, (title, other) in zip(figure.subplots(1, 3), shapes.items(), strict=True):
        X, y = np.concatenate([cloud, other]), np.repeat(["first", "second"], len(cloud))
        decision_boundary(GaussianNB().fit(X, y), X, y, ax)
        ax.set_title(title, fontsize=11, loc="left", pad=24)
    figure.savefig(path, dpi=120, metadata={"Software": None})


picture(IMG / "digits.png")
three_shapes(IMG / "boundaries.png")
