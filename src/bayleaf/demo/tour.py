"""Tour: tells the story from the first chapter to what to type next."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import bayleaf
from bayleaf.cli.screen import paint
from bayleaf.demo import stage
from bayleaf.demo.samples import lay_out
from bayleaf.demo.story import CHAPTERS, NEXT, Export, Type
from bayleaf.errors import BayleafError


def main(argv: Sequence[str] | None = None) -> int:
    """Tells everything, and leaves what was made in a folder."""
    command = argparse.ArgumentParser(prog="bayleaf demo", description=main.__doc__)
    command.add_argument("folder", nargs="?", type=Path, default=Path("out"), help="where files are put (out)")
    folder = command.parse_args(argv).folder
    try:
        tell(folder)
    except (BayleafError, OSError) as error:
        print(f"bayleaf: {error}", file=sys.stderr)
        return 70
    return 0


def tell(folder: Path) -> None:
    """All chapters in order."""
    folders = {"out": folder.as_posix(), "box": lay_out(folder).as_posix()}
    print(f"{paint('bayleaf', 'green')} {bayleaf.__version__}: everything it does, on data that ships with it")
    with stage.own_environment():
        for chapter in CHAPTERS:
            stage.title(chapter.title)
            for step in chapter.steps:
                if isinstance(step, str):
                    stage.say(step)
                elif isinstance(step, Export):
                    stage.export(step.name, step.value.format(**folders))
                elif isinstance(step, Type):  # split before the folders are put in: their names may have spaces
                    stage.command([word.format(**folders) for word in shlex.split(step.words)])
                else:
                    print()
                    stage.show(step)
    pictures(folder)
    stage.title("What to type next")
    print(NEXT.rstrip())


def pictures(folder: Path) -> None:
    """Draws what the chapters told, where matplotlib is installed."""
    stage.title("Pictures")
    if find_spec("matplotlib") is None:
        stage.say("There would be some with matplotlib: pip install 'bayleaf[plot]'")
        return
    from bayleaf.demo.picture import picture

    picture(folder / "demo.png")
    stage.say(
        f"{folder / 'demo.png'}: what a model of the digits learned, what it makes up, and two verdicts with reasons"
    )
