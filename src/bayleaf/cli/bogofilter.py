"""bayleaf-bogofilter: the options, headers and exit codes of bogofilter, so that its recipes work unchanged.

    -p  pass the mail through with an X-Bogosity header     -e  with -p: exit 0 for spam and ham
    -s -n  learn as spam, as ham                            -S -N  take that back (-Sn, -Ns: correct)
    -u  learn the verdict                                   -v  print it; -vvv with its reasons
    -t -T  print it tersely                                 -M  the input is an mbox
    -I FILE  read from there                                -O FILE  write there
    -b -B  names of mails on standard input, as arguments   -d DIR  the store is DIR/bayleaf.db

Exit: 0 spam, 1 ham, 2 unsure, 3 error. Options for bogofilter's own files (-c, -C, -l, -o, -y ...) are ignored.
"""

from __future__ import annotations

import getopt
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bayleaf.cli.mail.judge import reasons
from bayleaf.cli.mail.options import make_home, required, store_path
from bayleaf.cli.settings import configure
from bayleaf.errors import StoreError
from bayleaf.mail import Filter, Verdict
from bayleaf.mail.mailbox import mails, split
from bayleaf.mail.parts import parted

SPAM, HAM, UNSURE, ERROR = 0, 1, 2, 3
WORDS = {"spam": "Spam", "ham": "Ham"}
THEIRS = re.compile(rb"^X-Bogosity:[^\n]*\n(?:[ \t][^\n]*\n)*", re.IGNORECASE | re.MULTILINE)


def main(argv: Sequence[str] | None = None) -> int:
    """Does what bogofilter would; the exit code is its as well."""
    raw = b""
    try:
        words = list(sys.argv[1:] if argv is None else argv)
        pairs, rest = getopt.gnu_getopt(words, "pesnSNuvtTMI:O:bBd:hVc:Cl:o:y:k:x:qQDFHPLER", ["help", "version"])
        flags = "".join(name[1:] for name, value in pairs if not value)
        given = {name: value for name, value in pairs if value}
        if "h" in flags or "V" in flags or "-" in flags:
            print(f"bayleaf-bogofilter\n{__doc__}")
            return 0
        if not ("b" in flags or "B" in flags or rest):
            raw = Path(given["-I"]).read_bytes() if "-I" in given else sys.stdin.buffer.read()
        configure()
        path = Path(given["-d"]) / "bayleaf.db" if "-d" in given else store_path(None)
        if set(flags) & set("snu"):
            make_home(path)
        else:
            required(path)  # as bogofilter, which only makes one to learn
        with Filter.open(path) as judge:
            return Session(judge, flags, given.get("-O")).run(raw, rest)
    except Exception as error:
        print(f"bayleaf-bogofilter: {error}", file=sys.stderr)
        if raw and any("p" in word for word in words if word.startswith("-")):
            sys.stdout.buffer.write(raw)  # whatever happened, the mail goes on
        return ERROR


class Session:
    """One call: a filter and the flags it was called with."""

    def __init__(self, judge: Filter, flags: str, out: str | None) -> None:
        self.judge, self.flags, self.out = judge, flags, out

    def run(self, raw: bytes, names: Sequence[str]) -> int:
        """Learns or judges every mail of the input; the exit code of the last verdict, 0 after learning."""
        code = 0
        for name, mail in self._mails(raw, names):
            if set(self.flags) & set("snSN"):
                self._teach(mail)
            else:
                code = self._judge(name, mail)
        return code

    def _mails(self, raw: bytes, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        if "b" in self.flags:
            names = sys.stdin.read().splitlines()
        if names or "b" in self.flags:
            yield from ((name, mail) for name in names for mail in mails(name))
        elif "M" in self.flags:
            yield from (("", mail) for mail in split(raw))
        else:
            yield "", raw

    def _teach(self, mail: bytes) -> None:
        for undo, label in (("S", "spam"), ("N", "ham")):
            if undo in self.flags:
                known = self.judge.knows(self.judge.read(mail))
                if known == label:
                    self.judge.untrain(mail)
                elif not set(self.flags) & set("sn"):
                    raise StoreError(f"this mail is not known as {label} (but as {known}): nothing was taken back")
        for flag, label in (("s", "spam"), ("n", "ham")):
            if flag in self.flags:
                self.judge.train(mail, label)

    def _judge(self, name: str, mail: bytes) -> int:
        verdict = self.judge.judge(mail)
        code = {"spam": SPAM, "ham": HAM}.get(verdict.label, UNSURE)
        if "u" in self.flags and code != UNSURE:
            self.judge.train(mail, verdict.label)
        self._write(name, mail, verdict)
        return 0 if "p" in self.flags and "e" in self.flags and code != UNSURE else code

    def _write(self, name: str, mail: bytes, verdict: Verdict) -> None:
        share = verdict.probabilities.get("spam", 0.0)
        word = WORDS.get(verdict.label, "Unsure")
        header = f"X-Bogosity: {word}, tests=bogofilter, spamicity={share:.6f}, version=bayleaf"
        if "p" in self.flags:
            self._put(passed(mail, header))
        elif "T" in self.flags or "t" in self.flags:
            self._put(f"{name + ' ' if name else ''}{word[0]} {share:.6f}\n".encode())
        elif "v" in self.flags or name:
            self._put(f"{name + ': ' if name else ''}{header}\n".encode())
        if self.flags.count("v") >= 3:
            lines = reasons(verdict, tuple(verdict.probabilities), 50)
            self._put(("\n".join(lines) + "\n").encode(errors="replace"))

    def _put(self, text: bytes) -> None:
        if self.out is None:
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        else:
            with Path(self.out).open("ab") as file:
                file.write(text)


def passed(raw: bytes, header: str) -> bytes:
    """The mail with the header behind its own and without one that came with it."""
    envelope, fields, rest, end = parted(raw)
    return envelope + THEIRS.sub(b"", fields) + header.encode() + end + rest
