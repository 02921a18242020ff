"""Places: the mails that are evaluated are those that are learned."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bayleaf.evaluate.place import places
from bayleaf.mail.mailbox import mails

ONE = b"From - Thu Aug 22 12:36:23 2002\nX-Mozilla-Status: %s\nSubject: one\n\nhello\n\n"
NOTE = b"From - Thu Aug 22 12:36:23 2002\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n\nkeep\n\n"


@pytest.mark.parametrize("lead", [b"", b"\xef\xbb\xbf", b"\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_mails_are_those_of_a_mailbox(lead: bytes, packed: bool, tmp_path: Path) -> None:
    box = lead + NOTE + ONE % b"0009" + ONE % b"0001" + NOTE + ONE % b"0000"
    (tmp_path / "box").write_bytes(gzip.compress(box) if packed else box)
    (tmp_path / "one.eml").write_bytes(b"Subject: alone\n\nhello\n")
    assert len(list(mails(tmp_path))) == 4
    assert [place.read_bytes() for place in places(tmp_path)] == list(mails(tmp_path))
