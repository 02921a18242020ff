"""Run the lectures and write them as pages with what they print and draw: `python docs/lectures.py [01 ...]`.

A figure is drawn once and coloured twice: the dark one is the light one with ink and paper exchanged.
"""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from unittest.mock import patch

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from bayleaf.plot.canvas import COLOURS, FAINT, INK, MUTED, PAPER

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "lectures").glob("[0-9]*.py"))
PAGES = ROOT / "docs" / "lectures"
PICTURES = ROOT / "docs" / "img" / "lectures"
CELL = re.compile(r"^# %%(.*)\n", re.MULTILINE)
NUMBER = re.compile(r"[−\d.,%]+|\$.*\$")
COLOUR = re.compile(r"#[0-9a-f]{6}\b")

# The house's four greys on the site's dark page, and the one colour of the palette that is too dark there.
DARK = {INK: "#e2e6ea", MUTED: "#a3abb4", FAINT: "#444b55", PAPER: "#0b0c0f", COLOURS[0]: "#3d9bdc"}
STYLE = {
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "font.size": 9.5,
    "grid.color": FAINT,
    "legend.frameon": False,
    "patch.edgecolor": PAPER,
    "svg.fonttype": "none",  # letters stay letters: searchable, and a tenth of the size
    "svg.hashsalt": "bayleaf",
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}
HEAD = """# The lectures

The theory of Naive Bayes, step by step, on the package itself. Each page is a script in the folder `lectures` of the
repository that runs alone, draws its own figures and checks what it claims. Read them in order, or look for a picture.

Run one with `python lectures/01_bayes_rule.py`; that needs `pip install '.[plot]' pandas` in a clone of the repository.
Its figures open in windows, one after the other. Without a screen none opens; the figures are on these pages. As a
notebook: `pip install jupytext notebook`, then `jupytext --to ipynb lectures/01_bayes_rule.py` and
`jupyter notebook lectures`.
"""


@dataclass
class Lecture:
    """A page as it is written: its Markdown, and the figures as SVG by name of file."""

    name: str
    title: str
    about: str
    page: str = ""
    figures: dict[str, str] = field(default_factory=dict)

    def draw(self, figure: Figure) -> str:
        """Keeps a figure in both styles; what shows it on the page comes back."""
        stem = f"{self.name}-{len(self.figures) // 2 + 1}"
        said = figure.get_label()
        assert said, f"{stem} has no label: give it what a reader who cannot see it should know, plt.subplots(num=...)"
        assert not (bare := list(unnamed(figure))), f"{stem}: axes without a name: {bare}"
        with io.StringIO() as file:
            figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
            light = re.sub(r"[ \t]+$", "", file.getvalue(), flags=re.MULTILINE)
        self.figures[f"{stem}-light.svg"] = light
        self.figures[f"{stem}-dark.svg"] = COLOUR.sub(lambda found: DARK.get(found[0], found[0]), light)
        return shown(stem, said, "../img/lectures")


def unnamed(figure: Figure) -> Iterator[str]:
    """The axes that show numbers and do not say of what."""
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            texts = [tick.label1.get_text() for tick in axis.get_major_ticks() if tick.label1.get_visible()]
            if not axis.get_label_text() and any(map(NUMBER.fullmatch, texts)):
                yield f"{axis.axis_name} of {ax.get_title(loc='left') or ax.get_title()!r}: {texts}"


def shown(stem: str, said: str, folder: str) -> str:
    """A picture in Markdown: the site shows the one that suits its colours."""
    return "\n".join(f"![{said}]({folder}/{stem}-{style}.svg#only-{style})" for style in ("light", "dark"))


def cells(script: Path) -> Iterator[tuple[bool, str, int]]:
    """Whether a cell is prose, its text, and the lines of the script before it."""
    source = script.read_text(encoding="utf-8")
    heads = list(CELL.finditer(source))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        text = source[head.end() : following.start() if following else len(source)]
        prose = "[markdown]" in head[1]
        text = re.sub(r"^# ?", "", text, flags=re.MULTILINE) if prose else text
        yield prose, text.strip(), source[: head.end()].count("\n")


def lecture(script: Path) -> Lecture:
    """A script, run as a notebook from its first cell to its last. An assertion that fails ends it."""
    head, about, *_ = next(cells(script))[1].split("\n\n")
    made = Lecture(script.stem, head.removeprefix("# "), about.replace("\n", " "))
    parts: list[str] = []
    names: dict[str, object] = {"__name__": "__main__"}  # and no __file__: the gallery offers notebooks
    with mpl.rc_context(), patch.object(plt, "show"), chdir(script.parent):
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        plt.switch_backend("svg")
        plt.close("all")  # what others left open is not of this page
        for prose, text, above in cells(script):
            if prose:
                parts.append(text)
                continue
            with redirect_stdout(io.StringIO()) as out:
                exec(compile("\n" * above + text, script, "exec"), names)
            parts.append(f"```python\n{text}\n```")
            if printed := out.getvalue().rstrip():
                parts.append(f"```text\n{printed}\n```")
            parts += [made.draw(plt.figure(number)) for number in plt.get_fignums()]
            plt.close("all")
    parts.append(f"---\n\nThis page is `lectures/{script.name}`, run by `docs/lectures.py`.")
    made.page = "\n\n".join(parts) + "\n"
    return made


def index(pages: list[str]) -> str:
    """The gallery, from the pages in their order: title, first paragraph and first picture of each."""
    cards = [HEAD, '<div class="grid cards" markdown>\n']
    for name in pages:
        head, about, *_ = (PAGES / f"{name}.md").read_text(encoding="utf-8").split("\n\n")
        title = head.removeprefix("# ")
        pictures = [f"[{each}]({name}.md)" for each in shown(f"{name}-1", title, "../img/lectures").split("\n")]
        lines = [f"**[{title}]({name}.md)**", "\n".join(pictures), about]
        cards.append(indent("\n\n".join(lines), " " * 4).replace("    ", "-   ", 1) + "\n")
    return "\n".join([*cards, "</div>\n"])


def main(wanted: list[str]) -> None:
    """Writes the pages whose names begin with one of these words, or all of them, and the gallery."""
    for folder in (PAGES, PICTURES):
        folder.mkdir(parents=True, exist_ok=True)
    for script in SCRIPTS:
        if not wanted or script.name.startswith(tuple(wanted)):
            print(script.name, flush=True)
            made = lecture(script)
            for old in PICTURES.glob(f"{made.name}-*.svg"):
                old.unlink()
            (PAGES / f"{made.name}.md").write_text(made.page, encoding="utf-8")
            for name, picture in made.figures.items():
                (PICTURES / name).write_text(picture, encoding="utf-8")
    pages = [script.stem for script in SCRIPTS if (PAGES / f"{script.stem}.md").exists()]
    (PAGES / "index.md").write_text(index(pages), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
