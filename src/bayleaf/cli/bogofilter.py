"""bayleaf-bogofilter: the options, headers and exit codes of bogofilter, so that its recipes work unchanged.

    -p  pass the mail through with an X-Bogosity header     -e  exit 0 unless something failed
    -s -n  learn as spam, as ham                            -S -N  take that back (-Sn, -Ns: correct)
    -u  learn the verdict                                   -v  print it; -vvv with its reasons
    -t -T  print it tersely                                 -M  the input is an mbox
    -I FILE  read from there                                -O FILE  write there
    -b -B  names of mails on standard input, as arguments   -d DIR  the store is DIR/bayleaf.db
    -o SPAM,HAM  probabilities of spam: spam from the one on, ham up to the other

Exit: 0 spam, 1 ham, 2 unsure, 3 error. Options for bogofilter's own files (-c, -C, -l, -y ...) are ignored.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from bayleaf import __version__
from bayleaf.cli.bogowords import BogoWords
from bayleaf.cli.ending import conduct
from bayleaf.cli.mail.judge import reasons
from bayleaf.cli.mail.options import judging_filter, learning_filter, standing_filter
from bayleaf.cli.screen import named
from bayleaf.cli.settings import configure
from bayleaf.cli.streams import complain, give
from bayleaf.errors import BayleafError
from bayleaf.mail import Filter, Verdict, mailbox
from bayleaf.mail.marked import stripped
from bayleaf.mail.pieces import pieces
from bayleaf.standard_input import standard_input

SPAM, HAM, UNSURE, ERROR = 0, 1, 2, 3
WORDS = {"spam": "Spam", "unsure": "Unsure"}  # whatever else a mail is, it is good mail


def main(argv: Sequence[str] | None = None) -> int:
    """Does what bogofilter would; the exit code is its as well."""
    return conduct(called, argv)


def called(words: list[str]) -> int:
    """The same; a failure is complained about, and the mail passed on."""
    raw, given, session = None, None, None
    try:
        given = BogoWords.read(words)
        if set(given.flags) & set("hV"):
            print(f"bayleaf-bogofilter {__version__}" if "V" in given.flags else __doc__.rstrip())
            return 0
        raw = given.mail()
        configure()
        with opened(given) as judge:
            if given.cutoffs is not None:
                judge.policy = judge.policy.cut(given.cutoffs)
            session = Session(judge, given)
            return session.run(raw)
    except (Exception, KeyboardInterrupt) as error:
        tell(error)
        if session is None or not session.written:
            with suppress(Exception):  # nobody takes it, or there is none: the exit code says that already
                pass_on(words, given, raw)
        return ERROR


def pass_on(words: list[str], given: BogoWords | None, raw: bytes | None) -> None:
    """The mail as it came, where -p was given, or may have been in words that are not understood."""
    if given is None:
        if any("p" in word for word in words if word.startswith("-")):
            give(standard_input().read())
    elif "p" in given.flags and raw is not None:
        Path(given.out).write_bytes(raw) if given.out else give(raw)


def opened(given: BogoWords) -> Filter:
    """The filter of a call. Only learning makes a store; nothing is taken back from a shared one."""
    options = Namespace(store=f"{given.folder}/bayleaf.db" if given.folder else None, shared=None)
    if set(given.flags) & set("snu"):
        return learning_filter(options)
    return standing_filter(options) if set(given.flags) & set("SN") else judging_filter(options)


def tell(error: BaseException) -> None:
    """What went wrong, on standard error."""
    complain(f"bayleaf-bogofilter: {str(error) or type(error).__name__}")


class Session:
    """One call: a filter and the words it was called with."""

    def __init__(self, judge: Filter, given: BogoWords) -> None:
        self.judge, self.given, self.flags = judge, given, set(given.flags)
        self.written = self.failed = False

    def run(self, raw: bytes) -> int:
        """Learns or judges every mail of the input; the exit code of the last verdict, 0 after learning."""
        code = 0
        for name, whole, mail in self._mails(raw):
            text = whole if "p" in self.flags else b""
            try:
                if self.flags & set("snSN"):
                    self._teach(mail)
                if "p" in self.flags or not self.flags & set("snSN"):
                    code, text = self._judge(name, whole, mail)
            except Exception as error:
                self.failed = True
                tell(error)
            if text:  # or a closed output, of which nothing is asked, would be a failure
                self._put(text)
        return ERROR if self.failed else code

    def _mails(self, raw: bytes) -> Iterator[tuple[str, bytes, bytes]]:
        """Every mail with the file it is in, and as it stands there: with the lines of an mbox around it."""
        if self.flags & set("bB"):
            yield from ((file, mail, mail) for name in self._names() for file, mail in self._named(name))
        elif "p" not in self.flags and self.flags & set("snSN"):
            yield from (("", mail, mail) for mail in self._learned(raw))
        elif "M" in self.flags:
            yield from (("", raw[place], mail) for place, mail in pieces(raw))
        else:
            yield "", raw, raw

    def _learned(self, raw: bytes) -> Iterator[bytes]:
        """bogofilter learns an mbox mail by mail. What is packed would be learned as one."""
        number = 0
        try:
            for _, number, mail in mailbox.box(iter([raw])):  # noqa: B007 - how far it came
                yield mail
        except OSError as error:
            raise BayleafError(mailbox.refusal(Path(self.given.source or "-"), number, error)) from error

    def _names(self) -> Iterator[str]:
        """Names of mails; claws-mail writes the next one only when it has read the answer to the last."""
        if "b" not in self.flags:
            yield from self.given.names
            return
        for line in standard_input():
            yield os.fsdecode(line.rstrip(b"\r\n"))

    def _named(self, name: str) -> Sequence[tuple[str, bytes]]:
        """The mails of that name; those in a folder each with its own."""
        try:
            return [(name if file == str(Path(name)) else file, mail) for file, _, mail in mailbox.named(name)]
        except Exception as error:
            self.failed = True
            tell(error)  # as bogofilter: the others are read
            return []

    def _teach(self, mail: bytes) -> None:
        if self.flags & set("sn"):
            self.judge.train(mail, "spam" if "s" in self.flags else "ham")  # and takes back what it was, at once
            return
        label = "spam" if "S" in self.flags else "ham"
        known = self.judge.knows(self.judge.taught(mail))
        if known == label:
            self.judge.untrain(mail)
        else:  # bogofilter takes back whatever it is given, and is content
            complain(f"bayleaf-bogofilter: this mail is not known as {label}: nothing was taken back")

    def _judge(self, name: str, whole: bytes, mail: bytes) -> tuple[int, bytes]:
        verdict = self.judge.judge(mail)
        code = {"spam": SPAM, "unsure": UNSURE}.get(verdict.label, HAM)
        if "u" in self.flags and code != UNSURE:
            self.judge.train(mail, verdict.label)
        text = self._text(name, whole, verdict)
        return 0 if self.flags & set("esnSN") else code, text

    def _text(self, name: str, whole: bytes, verdict: Verdict) -> bytes:
        name, share = name if self.given.out else named(name), verdict.probabilities.get("spam", 0.0)
        word = WORDS.get(verdict.label, "Ham")
        header = f"X-Bogosity: {word}, tests=bogofilter, spamicity={share:.6f}, version=bayleaf"
        lines = []
        if self.given.flags.count("v") >= 3:
            shown_here = "p" not in self.flags and not self.given.out
            lines = reasons(verdict, 50, shown_here)
        if "p" in self.flags:
            return passed(whole, [header, *(f"  {line}" for line in lines)])
        said = b""
        if self.flags & set("tT"):
            said = os.fsencode(f"{name + ' ' if name and 'T' in self.flags else ''}{word[0]} {share:.6f}\n")
        elif "v" in self.flags:
            said = os.fsencode(f"{name + ' ' if name else ''}{header}\n")
        return said + "".join(f"{line}\n" for line in lines).encode(errors="replace")

    def _put(self, text: bytes) -> None:
        begun, self.written = self.written, True  # before it is: of what fails, a part may be there
        if not self.given.out:
            give(text)
            return
        with Path(self.given.out).open("ab" if begun else "wb") as file:
            file.write(text)


def passed(raw: bytes, header: Sequence[str]) -> bytes:
    """The mail with the lines of the header behind its own and without one that came with it."""
    envelope, theirs, rest, end = stripped(raw, rb"X-Bogosity[ \t]*:")  # Sieve and formail mind no blank before a colon
    cut = end if theirs and not theirs.endswith(b"\n") else b""  # a last field without an end would go on in ours
    ours = b"".join(line.encode("ascii", "backslashreplace") + end for line in header)
    return envelope + theirs + cut + ours + rest
