"""Settings: flags, then BAYLEAF_ variables, then the configuration file, then defaults.

The file is read into variables that are not set, so everything below reads the environment and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from bayleaf.errors import BayleafError

SETTINGS = {
    "store": "the store of the mail filter",
    "shared": "a store whose counts are added to it",
    "spam_cutoff": "the probability from which a mail is spam",
    "ham_cutoff": "the probability of spam up to which it is ham",
    "num_threads": "threads of the native core",
    "data": "the folder of data sets",
}
TAKEN: dict[str, str] = {}  # what this process took from the file


def variable(name: str) -> str:
    """The variable of a setting."""
    return f"BAYLEAF_{name.upper()}"


def default(name: str) -> str:
    """The value of a setting that nobody set."""
    if name == "store":
        return path("XDG_DATA_HOME", ".local/share", "mail.db")
    if name.endswith("cutoff"):
        return edges(name)[2]
    return {"shared": "none", "num_threads": "all cores"}.get(name) or path("XDG_CACHE_HOME", ".cache", "")


def edges(name: str) -> tuple[float, float, str]:
    """The least and the largest that a cutoff may be, and what it usually is."""
    from bayleaf.mail.policy import CUTOFFS  # noqa: PLC0415 - only where one is asked for

    return CUTOFFS[variable(name)]


def path(variable: str, fallback: str, name: str) -> str:
    """A file of ours in one of the XDG folders; by hand, because pathlib costs 5 ms per mail."""
    home = os.environ.get(variable, "")
    if not home.startswith("/"):  # the specification of these folders has a relative one passed over
        home = f"{os.path.expanduser('~')}/{fallback}"  # noqa: PTH111
    return f"{home}/bayleaf/{name}".rstrip("/")


def file() -> str:
    """Where the configuration file is looked for."""
    return os.environ.get("BAYLEAF_CONFIG") or path("XDG_CONFIG_HOME", ".config", "config.toml")


def configure() -> None:
    """Take the configuration file into the environment."""
    try:
        with open(file(), "rb") as toml:  # noqa: PTH123
            import tomllib  # noqa: PLC0415 - only where there is a file

            found = tomllib.load(toml)
    except FileNotFoundError:
        if os.environ.get("BAYLEAF_CONFIG"):
            raise BayleafError(f"{file()} is not there; BAYLEAF_CONFIG names it") from None
        return
    except PermissionError:
        if os.environ.get("BAYLEAF_CONFIG") or os.path.exists(file()):  # noqa: PTH110 - pathlib costs a mail 5 ms
            raise BayleafError(f"{file()} cannot be read: permission denied; let its reader be who runs this") from None
        return  # in the home of somebody else, as after `sudo -u`: whether it is there is not ours to know
    except OSError as error:
        raise BayleafError(f"{file()} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BayleafError(f"{file()} cannot be read: {error}") from None
    strange = sorted(set(found) - set(SETTINGS))
    if strange:
        raise BayleafError(f"{file()}: unknown setting {strange[0]!r}; expected {', '.join(SETTINGS)}")
    for name, value in found.items():
        if wanted := lacks(name, value):
            raise BayleafError(f"{file()}: {name} is {shown(repr(value))}; expected {wanted}")
        if variable(name) not in os.environ:
            os.environ[variable(name)] = TAKEN[name] = str(value)


def lacks(name: str, value: object) -> str:
    """What a setting of the configuration file should be instead of this value; empty where it is that."""
    if name.endswith("cutoff"):
        least, most, _ = edges(name)
        fits = type(value) in (int, float) and least <= value <= most  # type: ignore[operator]
        return "" if fits else f"a number from {least:g} to {most:g}"
    if name == "num_threads":
        return "" if type(value) is int and value >= 1 else "a whole number of at least 1"
    return "" if isinstance(value, str) and value else "text"


@contextmanager
def renewed() -> Iterator[None]:
    """Read the configuration file anew; when that fails, or what is done with it, all is as before."""
    before = dict(TAKEN)
    forget()
    try:
        configure()
        yield
    except BaseException:
        forget()
        for name, value in before.items():
            os.environ[variable(name)] = TAKEN[name] = value
        raise


def forget() -> None:
    """Take back what came from the configuration file, so that it can be read anew."""
    while TAKEN:
        os.environ.pop(variable(TAKEN.popitem()[0]), None)


def whence() -> Iterator[tuple[str, str, str]]:
    """Name, value and origin of each setting."""
    for name in SETTINGS:
        given = os.environ.get(variable(name))
        if name in TAKEN:
            yield name, shown(TAKEN[name]), file()
        elif given and (name != "num_threads" or counts(given)):
            yield name, shown(given), f"${variable(name)}"
        elif name == "num_threads" and counts(others := os.environ.get("OMP_NUM_THREADS", "")):
            yield name, others, "$OMP_NUM_THREADS"
        else:
            yield name, default(name), "default"


def counts(given: str) -> bool:
    """Whether this is a number of threads; the native core passes over what is none."""
    return given.strip().isdecimal() and int(given) > 0


def shown(value: str) -> str:
    """A value as it may be printed: the address of a database without its password."""
    if "://" not in value:
        return value
    from bayleaf.store.address import masked  # noqa: PLC0415 - not for every mail

    return masked(value)
