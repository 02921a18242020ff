"""Tour: tells the story from the first chapter to what to type next."""

import shlex
from importlib import import_module
from pathlib import Path

import bayleaf
from bayleaf.cli.screen import paint
from bayleaf.demo import stage
from bayleaf.demo.samples import lay_out
from bayleaf.demo.story import CHAPTERS, DRAWS, NEXT, Export, Type
from bayleaf.store import Store

SECRET = b"the demo's store"  # no secret at all: so that every run shows the same figures


def tell(folder: Path) -> None:
    """Tells all chapters in order, and leaves what was made in a folder."""
    box = lay_out(folder)
    Store(box / "store.db", secret=SECRET).close()
    folders = {"out": folder.as_posix(), "box": box.as_posix()}
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
    if DRAWS:
        stage.title("A picture")
        import_module("bayleaf.demo.picture").picture(folder / "demo.png")
        stage.say(
            f"{folder / 'demo.png'}: the digits as they were learned and made up, and the reasons for two verdicts"
        )
    stage.title("What to type next")
    print(NEXT.rstrip())
