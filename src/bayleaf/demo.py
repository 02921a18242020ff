"""A tour in one screen: six mails, the handwritten digits, and one picture. Run it: `python -m bayleaf.demo`."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import bayleaf
from bayleaf.estimators import BernoulliNB, GaussianNB, MultinomialNB
from bayleaf.explanation import Explanation

MAILS = {
    "send us your password": "spam",
    "send us your review": "ham",
    "review password": "ham",
    "review us": "spam",
    "send your password": "spam",
    "send us your account": "spam",
}
NEW_MAIL = "review us now"
WORDS = sorted({word for mail in MAILS for word in mail.split()})
INK = 8  # a pixel of the digits goes from 0 to 16; above this it counts as ink


def paint(text: str, code: str) -> str:
    """Return the text in a colour, if someone is looking at it on a terminal."""
    plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    return text if plain else f"\033[{code}m{text}\033[0m"


def heading(text: str) -> None:
    """Print the title of a section."""
    print(f"\n{paint(text, '1;32')}\n")


def present(mail: str) -> list[float]:
    """Return a row that says which of the known words a mail has."""
    return [float(word in mail.split()) for word in WORDS]


def six_mails() -> Explanation:
    """Learn the lecture's six mails and show the arithmetic behind one verdict."""
    model = BernoulliNB(alpha=0.0).fit(np.array([present(mail) for mail in MAILS]), list(MAILS.values()))
    why = model.explain(np.array([present(NEW_MAIL)]))[0]
    return replace(why, clues=[replace(clue, name=word) for word, clue in zip(WORDS, why.clues, strict=True)])


def show_mails(why: Explanation) -> None:
    """Print the mails and the arithmetic."""
    heading("Six mails, a seventh, and all of the arithmetic")
    for mail, label in [*MAILS.items(), (NEW_MAIL, "?")]:
        print(f"  {label:6}{mail}")
    print()
    for line in str(why).splitlines():
        print(f"  {line}")


def digits() -> tuple[Any, ...]:
    """Return the scikit-learn digits: images and labels to learn, images and labels to test."""
    X, y = load_digits(return_X_y=True)
    return tuple(train_test_split(X, y, test_size=0.5, random_state=0, stratify=y))


def accuracies(X: Any, X_new: Any, y: Any, y_new: Any) -> None:
    """Compare three families on new images, and on each learned image as if it had not been learned."""
    heading(f"{len(X) + len(X_new)} handwritten digits, half to learn and half to test")
    print(f"  {'family':34}{'new images':>12}{'leave-one-out':>16}")
    for name, model in {
        "GaussianNB(var_smoothing=1e-2)": GaussianNB(var_smoothing=1e-2),
        "MultinomialNB(alpha='auto')": MultinomialNB(alpha="auto"),
        f"BernoulliNB(binarize={INK})": BernoulliNB(binarize=INK),
    }.items():
        model.fit(X, y)
        alone = model.classes_[model.loo_predict_log_proba(X, y).argmax(axis=1)]
        print(f"  {name:34}{model.score(X_new, y_new):12.1%}{np.mean(alone == y):16.1%}")


def sums(X: Any, y: Any) -> None:
    """Show that learning, unlearning and merging are plus and minus, to the last bit."""
    heading("Learning is a sum, so it can be split, merged and taken back")
    half = len(X) // 2
    whole = MultinomialNB().fit(X, y)
    first, second = MultinomialNB().fit(X[:half], y[:half]), MultinomialNB().fit(X[half:], y[half:])
    for claim, left, right in [
        ("one half + the other half == the whole", first + second, whole),
        ("the whole - one half      == the other half", whole - first, second),
    ]:
        same = np.array_equal(left.feature_count_, right.feature_count_)
        print(f"  {claim:48}{paint('the same bits', '32') if same else paint('NO', '31')}")


def picture(path: Path, mail: Explanation, X: Any, y: Any, X_new: Any) -> None:
    """Draw what a model of the digits learned, what it makes up, and the reasons behind two verdicts."""
    from matplotlib.figure import Figure

    model = GaussianNB(var_smoothing=1e-2).fit(X, y)
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=[2, 2.4])
    draw_classes(parts[0], model)
    left, middle, right = parts[1].subplots(1, 3, width_ratios=[1, 1.2, 1.6])
    draw_reasons(left, middle, model, X_new[:1])
    mail.plot(right)
    right.set_title(f'"{NEW_MAIL}" is {mail.predicted} at {mail.posterior.max():.0%}', loc="left", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def draw_classes(part: Any, model: GaussianNB) -> None:
    """Draw the mean of each class, and below it a row drawn from the model."""
    part.suptitle("learned: the mean of each class; made up: drawn from the model", fontsize=10)
    drawn, labels = model.sample(400, random_state=0)
    for label, mean, (top, bottom) in zip(model.classes_, model.theta_, part.subplots(2, 10).T, strict=True):
        for ax, image in ((top, mean), (bottom, drawn[labels == label][0])):
            ax.imshow(image.reshape(8, 8), cmap="Greens", vmin=0, vmax=16)
            ax.set_axis_off()


def draw_reasons(left: Any, right: Any, model: GaussianNB, image: Any) -> None:
    """Draw one image, and what each of its pixels adds to the log-odds of the best class against the second."""
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


def main(folder: str = "out") -> None:
    """Show everything, and write the picture into a folder."""
    print(f"{paint('bayleaf', '1;32')} {bayleaf.__version__}")
    mail = six_mails()
    show_mails(mail)
    X, X_new, y, y_new = digits()
    accuracies(X, X_new, y, y_new)
    sums(X, y)
    path = Path(folder) / "demo.png"
    picture(path, mail, X, y, X_new)
    heading("A picture")
    print(f"  {path}\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
