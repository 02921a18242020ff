"""Data: learning from files, taking copies away, forgetting."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pages_site import Site, fresh

from bayleaf.demo.samples import HERE, sample_mails
from bayleaf.mail import Filter
from bayleaf.service.pages import jobs
from bayleaf.service.pages.lesson import NAMED, TAKE_BACK

pytestmark = pytest.mark.slow
MBOX = HERE / "mails" / "spam.mbox"


@pytest.fixture
def empty(tmp_path: Path) -> Any:
    site = Site(tmp_path / "empty.db")
    yield site
    site.close()


def upload(page: Any, site: Site, file: Path, label: str) -> str:
    """Uploads a file and waits for its job; what the job says."""
    page.goto(f"{site.url}/data")
    page.set_input_files("#file", file)
    page.select_option("#label", label)
    page.click("text=Upload")
    page.wait_for_selector(".job:first-child:is(.finished, .failed, .cancelled)")
    return str(page.locator(".job").first.inner_text())


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_mailbox_is_learned_once_and_can_be_taken_back(page: Any, empty: Site, tmp_path: Path) -> None:
    mails = len(sample_mails("spam"))
    assert f"{mails} of {mails}, {mails} learned" in upload(page, empty, MBOX, "spam")
    assert empty.live.status()["mails"] == {"spam": mails, "ham": 0}
    assert f"{mails} known" in upload(page, empty, MBOX, "spam")
    assert empty.live.counts == {"learned": mails, "corrected": 0, "known": mails}
    assert empty.live.status()["mails"] == {"spam": mails, "ham": 0}
    assert f"{mails} taken back" in upload(page, empty, MBOX, TAKE_BACK)
    assert empty.live.status()["mails"] == {"spam": 0, "ham": 0}
    page.reload()
    assert page.locator(".job").count() == 3, "jobs outlive a reload"
    with Filter.open(tmp_path / "empty.db") as own:
        own.check()


def test_a_zip_says_by_its_folders_what_its_mails_are(page: Any, empty: Site, tmp_path: Path) -> None:
    files = {f"spam/{n}.eml": raw for n, raw in enumerate(sample_mails("spam")[:5])}
    files |= {f"Mail/HAM/{n}.eml": raw for n, raw in enumerate(sample_mails("ham")[:4])}
    files |= {"junk.mbox": MBOX.read_bytes(), "elsewhere/1.eml": b"Subject: lost\n\n", ".DS_Store": b"x"}
    told = upload(page, empty, zipped(tmp_path / "mails.zip", files), NAMED)
    assert empty.live.status()["mails"] == {"spam": len(sample_mails("spam")), "ham": 4}
    assert "5 known" in told, "the same mails again in the mailbox"
    page.click("summary")
    assert "elsewhere/1.eml: left out" in page.locator(".job").inner_text()


def test_a_table_says_in_a_column_what_its_texts_are(page: Any, empty: Site, tmp_path: Path) -> None:
    table = tmp_path / "texts.csv"
    table.write_text('label,text\nspam,"cheap, cheap pills"\nham,lunch at noon\nmaybe,what\n', encoding="utf-8")
    assert "2 of 2, 2 learned" in upload(page, empty, table, NAMED)
    assert empty.live.status()["mails"] == {"spam": 1, "ham": 1}


@pytest.mark.parametrize(
    ("name", "content", "label", "words"),
    [
        ("box.mbox", b"Subject: a\n\nb", NAMED, "choose a label"),
        ("t.csv", b"a,b\n1,2\n", NAMED, "expected one called"),
        ("broken.zip", b"PK\x03\x04 not really", "spam", "damaged"),
    ],
)
def test_files_of_no_use_are_told(
    page: Any, empty: Site, tmp_path: Path, name: str, content: bytes, label: str, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    upload(page, empty, tmp_path / name, label)
    assert page.locator(".job .state").inner_text() == "failed"
    page.click("summary")
    assert words in page.locator(".job").inner_text()
    assert empty.live.status()["mails"] == {"spam": 0, "ham": 0}


def test_a_job_is_cancelled_between_batches(
    page: Any, empty: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The learning thread is kept busy by the test, so that the job is surely under way when it is cancelled."""
    import threading

    monkeypatch.setattr(jobs, "BATCH", 10)
    hold = threading.Event()
    held = empty.live.order(lambda own: hold.wait())
    page.goto(f"{empty.url}/data")
    page.set_input_files("#file", MBOX)
    page.select_option("#label", "spam")
    page.click("text=Upload")
    page.wait_for_selector(".job.running")
    page.click("text=Cancel")
    hold.set()
    assert held.result()
    page.wait_for_selector(".job.cancelled")
    assert empty.live.status()["mails"] in ({"spam": 10, "ham": 0}, {"spam": 0, "ham": 0}), "a batch or nothing"
    with Filter.open(tmp_path / "empty.db") as own:
        own.check()


def test_the_backup_is_a_store_and_the_counts_are_a_table(page: Any, site: Site, tmp_path: Path) -> None:
    page.goto(f"{site.url}/data")
    with page.expect_download() as held:
        page.click("text=Download a backup")
    held.value.save_as(tmp_path / "backup.db")
    with Filter.restore(tmp_path / "backup.db", tmp_path / "restored.db") as copy:
        assert copy.status()["mails"] == site.live.status()["mails"]
    with page.expect_download() as held:
        page.click("text=Counts as CSV")
    rows = list(csv.DictReader(io.StringIO(Path(held.value.path()).read_text(encoding="utf-8"))))
    found = {row["token"]: {label: int(row[label]) for label in ("spam", "ham")} for row in rows}
    (known,) = site.live.ask(lambda own: own.words("spam", 1))
    assert tuple(found[known.name].values()) == known.counts
    assert len(found) > 100


def test_a_sender_is_forgotten_after_a_second_look(page: Any, site: Site) -> None:
    for raw in (*fresh("spam"), *fresh("ham")):
        site.live.judge(raw)
        site.live.train(raw, "spam").result()
    learned = site.live.status()["mails"]
    mails = len(site.history.find())
    sender = site.history.find("pills")[0].sender
    page.goto(f"{site.url}/data")
    page.fill("#sender", sender.upper())
    page.click("text=Show what would go")
    assert "1 mail of the history would go" in page.locator("main").inner_text()
    assert site.live.status()["mails"] == learned, "nothing has happened yet"
    page.click("text=Forget them")
    page.wait_for_selector(".job.finished")
    assert "1 unlearned, 1 deleted" in page.locator(".job").inner_text()
    assert site.live.status()["mails"] == {"spam": learned["spam"] - 1, "ham": learned["ham"]}  # type: ignore[index]
    assert len(site.history.find()) == mails - 1
    assert site.history.find("pills") == []


def test_a_period_is_forgotten_and_nothing_is_never_everything(page: Any, site: Site) -> None:
    site.live.judge(fresh("ham")[0])
    page.goto(f"{site.url}/data")
    page.fill("#until", "2001-01-01")
    page.click("text=Show what would go")
    assert "No mail of the history is like that" in page.locator("main").inner_text()
    page.goto(f"{site.url}/data")
    page.fill("#since", "2001-01-01")
    page.click("text=Show what would go")
    page.click("text=Keep them")
    assert len(site.history.find()) == 1
