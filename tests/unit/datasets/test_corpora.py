"""Each corpus as its archive lays it out, in small."""

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback

from bayleaf import DataError, datasets
from bayleaf.datasets import enron_spam, newsgroups, sms_spam, spamassassin
from bayleaf.datasets.archive import members
from bayleaf.datasets.remote import Remote

MAIL = b"From x@example.net Thu Aug 22 12:36:23 2002\nFrom: x@example.net\nSubject: %s\n\nthe body\n"


def tarred(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def serve(web: Loopback, name: str, content: bytes) -> Remote:
    web.files[name] = content
    return Remote(name, (web.url(name),), None)


def test_sms_spam(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = 'ham\tGo "now", ok?\nspam\tFree £1\x85 prize\n'.encode()
    monkeypatch.setattr(sms_spam, "REMOTE", serve(web, "s.zip", zipped({"readme": b"x", "SMSSpamCollection": lines})))
    data = datasets.load_sms_spam()
    assert (data.texts, data.labels) == (['Go "now", ok?', "Free £1\x85 prize"], ["ham", "spam"])
    assert data.licence == "CC BY 4.0"


def test_spamassassin(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    ham = tarred({"easy_ham/cmds": b"mv 1 2", "easy_ham/0001.ea7e": MAIL % b"lunch"}, "w:bz2")
    spam = tarred({"spam/0001.bfc8": MAIL % b"pills", "spam/0002.24b4": MAIL % b"win"}, "w:bz2")
    parts = {"easy_ham": serve(web, "h.tar.bz2", ham), "spam": serve(web, "s.tar.bz2", spam)}
    monkeypatch.setattr(spamassassin, "PARTS", parts)
    data = datasets.load_spamassassin()
    assert data.labels == ["ham", "spam", "spam"]
    assert data.parts == ["easy_ham", "spam", "spam"]
    assert data.texts[0] == "lunch\nthe body"
    assert data.mails[0].startswith(b"From: x@example.net\n")
    assert data.part("spam").mails == data.mails[1:]


def test_enron_spam_is_in_the_order_of_time(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "enron1/Summary.txt": b"about",
        "enron1/ham/0001.1999-12-10.farmer.ham.txt": b"Subject: gas\n\xe9",
        "enron1/ham/0002.2001-01-01.farmer.ham.txt": b"Subject: late",
        "enron1/spam/0006.2000-12-18.GP.spam.txt": b"Subject: free",
    }
    monkeypatch.setattr(enron_spam, "PARTS", {"enron1": serve(web, "enron1.tar.gz", tarred(files))})
    data = datasets.load_enron_spam()
    assert data.texts == ["Subject: gas\né", "Subject: free", "Subject: late"]
    assert data.labels == ["ham", "spam", "ham"]
    assert set(data.parts) == {"enron1"}


def test_20newsgroups(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"20news-bydate-test/sci.med/2": b"b", "20news-bydate-train/alt.atheism/1": b"a\xff"}
    monkeypatch.setattr(newsgroups, "REMOTE", serve(web, "n.tar.gz", tarred(files)))
    data = datasets.load_20newsgroups()
    assert data.part("train").texts == ["aÿ"]
    assert data.part("test").labels == ["sci.med"]
    with pytest.raises(DataError, match="found no part 'dev', expected some of test, train"):
        data.part("dev")


@pytest.mark.parametrize(
    ("module", "name", "load"),
    [
        (sms_spam, "REMOTE", datasets.load_sms_spam),
        (newsgroups, "REMOTE", datasets.load_20newsgroups),
        (spamassassin, "PARTS", datasets.load_spamassassin),
        (enron_spam, "PARTS", datasets.load_enron_spam),
    ],
)
@pytest.mark.parametrize(
    "content",
    [b"<html>moved</html>", tarred({}), tarred({"x": b"y" * 9000})[:40], zipped({})],
    ids=["page", "empty tar", "cut tar", "empty zip"],
)
def test_another_file_in_its_place_is_refused(
    web: Loopback, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, load: Any, content: bytes
) -> None:
    remote = serve(web, "x", content)
    monkeypatch.setattr(module, name, remote if name == "REMOTE" else {"spam": remote})
    with pytest.raises(DataError, match="delete"):
        load()


def test_the_addresses_are_those_of_the_authors_or_the_archives() -> None:
    remotes = [sms_spam.REMOTE, newsgroups.REMOTE, *spamassassin.PARTS.values(), *enron_spam.PARTS.values()]
    hosts = {url.split("/")[2] for remote in remotes for url in remote.urls}
    assert hosts == {
        "archive.ics.uci.edu", "ndownloader.figshare.com", "qwone.com", "spamassassin.apache.org",
        "www.aueb.gr", "www2.aueb.gr",
    }  # fmt: skip
    assert len({remote.file for remote in remotes}) == len(remotes)


def test_nothing_leaves_an_archive(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, kind in [
            ("../up", tarfile.REGTYPE),
            ("link", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("dev", tarfile.CHRTYPE),
        ]:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    path = tmp_path / "a.tar.gz"
    path.write_bytes(out.getvalue())
    assert list(members(path)) == [("../up", b"")]
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.tar.gz"]


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.datasets.archive.LARGEST", 1000)
    monkeypatch.setattr("bayleaf.datasets.archive.MEMBERS", 3)
    for files in ({"x": b"0" * 1001}, {str(i): b"" for i in range(4)}):
        for pack in (tarred, zipped):
            path = tmp_path / "bomb"
            path.write_bytes(pack(files))
            with pytest.raises(DataError, match="not the published archive"):
                list(members(path))
