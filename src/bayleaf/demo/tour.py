"""Tour: tells the story from the first chapter to what to type next."""

import shlex
from importlib.util import find_spec
from pathlib import Path

import bayleaf
from bayleaf.cli.screen import paint
from bayleaf.demo import stage
from bayleaf.demo.samples import lay_out
from bayleaf.demo.story import CHAPTERS, NEXT, Export, Type


def tell(folder: Path) -> None:
    """Tells all chapters in order, and leaves what was made in a folder."""
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
