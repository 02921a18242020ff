"""bayleaf-bogofilter: recipes written for bogofilter work unchanged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.mail import Filter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "bayleaf.db") as f:
        f.train_many(letters(20))
    return tmp_path


def run(folder: Path, *words: str, raw: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    code = "import sys; from bayleaf.cli.bogofilter import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, "-d", str(folder), *words], input=raw, capture_output=True, check=False
    )


@pytest.mark.parametrize(("label", "code"), [("spam", 0), ("ham", 1)])
def test_exit_codes_are_bogofilters(folder: Path, label: str, code: int) -> None:
    assert run(folder, raw=letter(90, label)).returncode == code
    assert run(folder, "-p", "-e", raw=letter(90, label)).returncode == 0


def test_nothing_known_is_unsure_and_a_broken_store_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    Filter.open(tmp_path / "empty" / "bayleaf.db").close()
    assert run(tmp_path / "empty", raw=letter(1, "ham")).returncode == 2
    (tmp_path / "bayleaf.db").write_bytes(b"no database" * 999)
    done = run(tmp_path, "-p", raw=letter(1, "ham"))
    assert done.returncode == 3
    assert done.stdout == letter(1, "ham"), "the mail goes on"


def test_a_store_is_made_to_learn_and_never_to_judge(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "-p", raw=letter(1, "ham"))
    assert (done.returncode, done.stdout) == (3, letter(1, "ham")), "as bogofilter, but the mail goes on"
    assert b"there is no store at" in done.stderr
    assert not (tmp_path / "new").exists()
    assert run(tmp_path / "new", "-u", raw=letter(1, "ham")).returncode == 2, "-u may learn"
    assert run(tmp_path / "other", "-s", raw=letter(1, "spam")).returncode == 0


def test_passthrough_adds_the_header_behind_the_others(folder: Path) -> None:
    raw = letter(90, "spam")
    done = run(folder, "-p", "-u", raw=raw.replace(b"To:", b"X-Bogosity: Ham, tests=forged\nTo:", 1))
    head, _, body = done.stdout.partition(b"\n\n")
    assert head.splitlines()[-1].startswith(b"X-Bogosity: Spam, tests=bogofilter, spamicity=0.")
    assert head.count(b"X-Bogosity") == 1
    assert body == raw.partition(b"\n\n")[2]
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (21, 20), "-u learns"


def test_learn_correct_and_take_back(folder: Path) -> None:
    assert run(folder, "-s", raw=letter(90, "spam")).returncode == 0
    assert run(folder, "-Sn", raw=letter(90, "spam")).returncode == 0
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 21)
    assert run(folder, "-N", raw=letter(90, "spam")).returncode == 0
    assert run(folder, "-N", raw=letter(90, "spam")).returncode == 3
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 20)
        f.check()


def test_verbose_terse_and_lists(folder: Path, tmp_path: Path) -> None:
    assert run(folder, "-v", raw=letter(90, "ham")).stdout.startswith(b"X-Bogosity: Ham, tests=bogofilter")
    assert b"for spam" in run(folder, "-vvv", raw=letter(90, "spam")).stdout
    assert run(folder, "-T", raw=letter(90, "spam")).stdout[:2] == b"S "
    (tmp_path / "one").write_bytes(letter(91, "spam"))
    done = run(folder, "-T", "-b", raw=str(tmp_path / "one").encode())
    assert done.stdout.startswith(str(tmp_path / "one").encode() + b" S ")
    assert run(folder, "-T", "-I", str(tmp_path / "one")).returncode == 0
