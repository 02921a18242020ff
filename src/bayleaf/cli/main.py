"""bayleaf: the command line."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOSPC
from importlib import import_module

from bayleaf import __version__
from bayleaf.cli.ending import conduct, ended
from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError

DESK = {
    "train": "learn a labelled file and write a model",
    "predict": "label the rows of a file, or lines of text",
    "evaluate": "how good a model is, with a report and pictures",
    "explain": "the arithmetic behind one answer",
    "inspect": "what a model file holds",
    "merge": "add models: as if one had learned everything",
    "forget": "take rows out of a model, exactly, with a receipt",
    "sample": "rows made up by a model",
    "serve": "the daemon that mail servers ask; HTTP API and pages",
    "demo": "all of this on data that ships with the package",
    "doctor": "whether this installation is well",
    "completion": "completion for bash, zsh, tcsh or fish",
    "config": "every setting and where it comes from",
}
BOTH = ("serve", "demo", "doctor", "completion", "config")  # those of DESK that are not about a labelled file
MAIL = {
    "learn": "learn mails from mboxes, Maildirs and folders",
    "judge": "say what a mail is; exit 0 ham, 1 spam, 2 unsure",
    "filter": "pass a mail through and add X-Bayleaf headers",
    "correct": "say what mails really are: learn them as that",
    "forget": "take back what was learned from mails",
    "evaluate": "measure the filter on your own mail, the TREC way",
    "status": "what has been learned",
    "words": "the words and headers that tell labels apart",
    "backup": "the whole store as one file",
    "restore": "a store from a backup",
    "check": "recount the store from its ledger",
    "expire": "drop tokens that have not been seen for long",
}
USAGE = """usage: bayleaf COMMAND [...]; -h after a command explains it; bayleaf --version

with a labelled file
{desk}

with mail
{mail}

with either
{both}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code.

    0 done, 1 refused, 2 wrong usage, 130 interrupted; mail commands say 70 and 64 instead, as mail systems expect.
    """
    return conduct(called, argv)


def called(words: list[str]) -> int:
    """The same; a failure is complained about."""
    if words[:1] == ["--version"]:
        with suppress(OSError):  # without a buffer it is told here that nobody takes it, else when all is settled
            print(f"bayleaf {__version__}")
        return 0
    if words[:1] == ["mail"]:
        return run("mail", MAIL, words[1:], refused=70, wrong=64)
    return run("desk", DESK, words, refused=1, wrong=2)


def run(group: str, commands: dict[str, str], words: list[str], refused: int, wrong: int) -> int:
    """Runs one command of a group."""
    name = words[0] if words else ""
    if name not in commands:
        return lost(group, name, wrong)
    started = time.perf_counter()
    verbose = group == "desk" and not {"-v", "--verbose"}.isdisjoint(words)
    try:
        code = int(import_module(f"bayleaf.cli.{group}.{name}").main(words[1:]))
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk is told here, not by an exit code of Python's own
        if verbose:
            complain(f"bayleaf: {time.perf_counter() - started:.2f} s")
        return code
    except BrokenPipeError:
        sys.stdout = None  # whoever read has gone: nothing to flush, nothing to say
        return 74
    except KeyboardInterrupt as error:
        complain("bayleaf: interrupted")
        return ended(error)
    except Exception as error:
        if verbose:
            import traceback  # noqa: PLC0415 - for those who want to know where

            traceback.print_exc()
        complain(f"bayleaf: {reason(error)}")
        if isinstance(error, OSError):
            sys.stdout = None  # it may be what failed, and Python would try again at the end
        return refused


def reason(error: Exception) -> str:
    """What went wrong, in one line; a fault of ours with the place, since exit code 1 would call a mail spam."""
    if isinstance(error, BayleafError):
        return str(error)
    if isinstance(error, OSError) and not error.filename and error.errno == ENOSPC:
        return f"the answer cannot be written: {error.strerror}. Make room, or send it elsewhere"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" ({at.tb_frame.f_code.co_filename}:{at.tb_lineno})" if at else ""
    return f"a fault of ours, please report it: {type(error).__name__}: {error}{place}"


def lost(group: str, name: str, wrong: int) -> int:
    """The list of commands, for those who asked and those who mistyped; these find what is wrong in the last line."""
    asked = name in ("", "-h", "--help")
    if asked:
        with suppress(OSError):
            print(usage(group))
        return 0
    from bayleaf.cli.parser import nearest  # noqa: PLC0415 - only those who mistype pay for it
    from bayleaf.cli.settings import shown  # noqa: PLC0415 - the same

    known = {command: f"mail {command}" for command in MAIL}
    if group == "desk":
        known |= {command: command for command in (*DESK, "mail")}
    near = nearest(name, known)
    meant = f"; did you mean {known[near]}?" if near else ""
    typed = f"mail {shown(name)}" if group == "mail" else shown(name)
    for line in (*usage(group).split("\n"), "", f"bayleaf: there is no command {typed!r}{meant}"):
        complain(line)
    return wrong


def usage(group: str) -> str:
    """The list of commands, of all groups or of mail."""
    mail = "\n".join(f"  mail {command:9} {text}" for command, text in MAIL.items())
    if group == "mail":
        return f"usage: bayleaf mail COMMAND [...]; -h after a command explains it\n\n{mail}"
    lines = {command: f"  {command:14} {text}" for command, text in DESK.items()}
    both = "\n".join(lines.pop(command) for command in BOTH)
    return USAGE.format(desk="\n".join(lines.values()), mail=mail, both=both)
