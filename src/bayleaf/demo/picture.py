"""Picture: what a model of the digits learned, what it makes up, and the reasons behind two verdicts."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bayleaf.demo.digits import digits
from bayleaf.demo.lecture import NEW_MAIL, six_mails
from bayleaf.estimators import GaussianNB


def picture(path: Path) -> None:
    """Draws all of it into one file."""
    X, X_new, y, _ = digits()
    model = GaussianNB(var_smoothing=1e-2).fit(X, y)
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=[2, 2.4])
    draw_classes(parts[0], model)
    left, middle, right = parts[1].subplots(1, 3, width_ratios=[1, 1.2, 1.6])
    draw_reasons(left, middle, model, X_new[:1])
    mail = six_mails()
    mail.plot(right)
    right.set_title(f'"{NEW_MAIL}" is {mail.predicted} at {mail.posterior.max():.0%}', loc="left", fontsize=10)
    figure.savefig(path, dpi=120)


def draw_classes(part: Any, model: GaussianNB) -> None:
    """Draws the mean of each class, and below it a row drawn from the model."""
    part.suptitle("learned: the mean of each class; made up: drawn from the model", fontsize=10)
    drawn, labels = model.sample(400, random_state=0)
    for label, mean, (top, bottom) in zip(model.classes_, model.theta_, part.subplots(2, 10).T, strict=True):
        for ax, image in ((top, mean), (bottom, drawn[labels == label][0])):
            ax.imshow(image.reshape(8, 8), cmap="Greens", vmin=0, vmax=16)
            ax.set_axis_off()


def draw_reasons(left: Any, right: Any, model: GaussianNB, image: Any) -> None:
    """Draws one image, and what each of its pixels adds to the log-odds of the best class against the second."""
    why = model.explain(image)[0]
    second, best = np.argsort(why.joint)[-2:]
    evidence = np.array([clue.summands[best] - clue.summands[second] for clue in why.clues]).reshape(8, 8)
    limit = float(np.abs(evidence).max())
    left.imshow(image.reshape(8, 8), cmap="Greens")
    left.set_title("a new image", fontsize=10)
    shown = right.imshow(evidence, cmap="PiYG", vmin=-limit, vmax=limit)
    right.set_title(f"why {why.labels[best]} and not {why.labels[second]}", fontsize=10)
    right.figure.colorbar(shown, ax=right, label=f"log-odds for {why.labels[best]}", shrink=0.8)
    for ax in (left, right):
        ax.set_axis_off()
