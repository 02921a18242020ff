"""bayleaf doctor: whether this installation is well."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bayleaf import __version__
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import paint
from bayleaf.cli.settings import configure, counts, file, variable
from bayleaf.errors import BayleafError

ABOUT = (
    "Looks at the installation: interpreter, native core, extras, settings, mail store, space. Exit 1 if one is ill."
)
NEEDED = ("numpy", "scipy", "scikit-learn", "narwhals", "safetensors", "threadpoolctl", "tqdm")
EXTRAS = {
    "matplotlib": "plot",
    "psycopg": "postgres",
    "pyarrow": "arrow",
    **dict.fromkeys(("fastapi", "httptools", "jinja2", "prometheus-client", "python-multipart", "uvicorn"), "server"),
    "pyspark": "spark",
}
ROOM = 100 * 2**20  # less free space than this cannot take a store's next merge
MARKS = {"well": "green", "note": "yellow", "ill": "red"}

Finding = tuple[str, str]  # well, note or ill; and what was found


def main(argv: Sequence[str]) -> int:
    """Prints one line for everything that was looked at."""
    options = arguments().parse_args(argv)  # its settings may be what is ill: they are looked at below
    found = [(name, *look()) for name, look in CHECKS.items()]
    found += [(name, *finding) for name, finding in packages()]
    if options.json:
        print(json.dumps([{"check": name, "state": state, "found": text} for name, state, text in found]))
    else:
        print("\n".join(f"{paint(f'{state:4}', MARKS[state])}  {name:17} {text}" for name, state, text in found))
    return int(any(state == "ill" for _, state, _ in found))


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("doctor", ABOUT, "  bayleaf doctor\n")
    command.add_argument("--json", action="store_true", help="print JSON")
    return command


def interpreter() -> Finding:
    """Python and the machine."""
    return "well", f"Python {platform.python_version()} on {platform.machine()}, bayleaf {__version__}"


def core() -> Finding:
    """The compiled module: loads, and counts."""
    try:
        from bayleaf._core import threads  # noqa: PLC0415 - its absence is a finding

        return "well", f"{threads()} threads"
    except ImportError as error:
        return "ill", f"the native core does not load ({error}); install bayleaf again"


def settings() -> Finding:
    """The configuration file."""
    try:
        configure()
    except BayleafError as error:
        return "ill", str(error)
    threads = os.environ.get(variable("num_threads"))
    if threads and not counts(threads):
        words = "expected a whole number of at least 1; it is not used"
        return "note", f"{variable('num_threads')} is {threads!r}, {words}"
    return "well", file() if os.path.exists(file()) else f"no {file()}; defaults hold"  # noqa: PTH110


def store() -> Finding:
    """The mail store: opens, and its counts agree with its ledger."""
    try:
        from bayleaf.cli.mail.options import store_path  # noqa: PLC0415 - a broken store must not break the rest
        from bayleaf.mail import Filter  # noqa: PLC0415
        from bayleaf.store.occupied import exists  # noqa: PLC0415

        path = store_path(None)
        if not exists(path):
            return "note", f"no {path} yet; `bayleaf mail learn` makes it"
        with Filter.open(path) as judge:
            sound = judge.check()
    except (BayleafError, OSError) as error:
        return "ill", str(error)
    return "well", f"{path}: " + ", ".join(f"{n} {what}" for what, n in sound.items())


def space() -> Finding:
    """Room for the store to grow."""
    try:
        from bayleaf.cli.mail.options import store_path  # noqa: PLC0415

        path = store_path(None)
        if not isinstance(path, Path):
            return "well", "the database's own"
        folder = next(folder for folder in path.absolute().parents if folder.is_dir())
        free = shutil.disk_usage(folder).free
    except (BayleafError, OSError):
        return "note", "not known without a store"
    return "well" if free > ROOM else "ill", f"{free / 1e9:.1f} GB free in {folder}"


def terminal() -> Finding:
    """Whether everything can be printed."""
    encoding = (getattr(sys.stdout, "encoding", None) or "none").lower().replace("-", "")
    return ("well", "UTF-8") if encoding == "utf8" else ("note", f"{encoding}: some signs will not print; PYTHONUTF8=1")


def packages() -> Iterator[tuple[str, Finding]]:
    """What bayleaf needs, and what it can use."""
    for name in (*NEEDED, *EXTRAS):
        try:
            yield name, ("well", version(name))
        except PackageNotFoundError:
            extra = EXTRAS.get(name)
            yield name, ("note", f'not there; pip install "bayleaf[{extra}]"') if extra else ("ill", "not there")


CHECKS: dict[str, Callable[[], Finding]] = {
    "interpreter": interpreter,
    "native core": core,
    "settings": settings,
    "mail store": store,
    "space": space,
    "terminal": terminal,
}
