"""The demo runs as a program, fits a terminal of 80 columns and leaves its files in one folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bayleaf.archive import Archive
from bayleaf.cli.main import main
from bayleaf.demo.samples import CUSTOMER, LABELS, NEW, lay_out, sample_mails
from bayleaf.demo.stage import fold
from bayleaf.demo.tour import SECRET
from bayleaf.store import Store


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "bayleaf", "demo"],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "BAYLEAF_STORE": str(folder / "my-own.db")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout, folder


def answer(text: str, command: str) -> str:
    """What follows a command, up to the next one."""
    return text.partition(f"$ bayleaf {command}")[2].partition("\n  $ ")[0]


def test_fits_a_terminal_without_colour(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert max(map(len, text.splitlines())) <= 80
    assert "\033" not in text


def test_what_fits_is_not_folded(demo: tuple[str, Path]) -> None:
    """Commands wrap their lines themselves."""
    text, _ = demo
    assert re.search(r"^ *class +rows .* recall +F1$", text, re.MULTILINE)
    strongest = text.partition("    strongest\n")[2].partition("\n\n")[0].splitlines()
    assert {len(line) - len(line.lstrip()) for line in strongest} == {6, 8}


def test_shows_the_arithmetic_of_the_lecture(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert "0.02083" in text
    assert "0.00293" in text


def test_says_that_sums_are_exact(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert text.count("the same bits") == 2


def test_learns_what_was_not_left_out(demo: tuple[str, Path]) -> None:
    text, _ = demo
    mails = sum(len(sample_mails(label)) for label in LABELS)
    assert f"{mails - len(NEW)} learned" in answer(text, "mail learn")
    assert f"{mails - len(NEW)} old mails" in text
    assert f"sound: {mails - len(NEW)} mails" in answer(text, "mail check")  # one corrected, one forgotten


def test_a_correction_turns_the_verdict(demo: tuple[str, Path]) -> None:
    text, _ = demo
    before, after = (part.split()[1] for part in text.split("$ bayleaf mail judge out/demo-mail/new/reply.eml")[1:])
    assert float(before.removeprefix("spam=")) < 0.5 < float(after.removeprefix("spam="))


def test_shows_the_same_figures_every_time(
    demo: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, _ = demo
    monkeypatch.setenv("BAYLEAF_STORE", str(tmp_path / "again.db"))
    Store(tmp_path / "again.db", secret=SECRET).close()
    box = lay_out(tmp_path)
    assert main(["mail", "learn", "--ham", str(box / "ham"), "--spam", str(box / "spam")]) == 0
    capsys.readouterr()
    main(["mail", "judge", str(box / "new" / "boss.eml")])
    shown = re.search(r"new/boss.eml: (\w+ spam=\S+ ham=\S+)", text)
    assert shown is not None
    assert capsys.readouterr().out.startswith(shown[1])


def test_trains_a_table_and_estimates_itself(demo: tuple[str, Path]) -> None:
    text, _ = demo
    told = answer(text, "train out/letters.csv")
    kinds = {"message": "text", "channel": "category", "minutes_waited": "number", "orders": "number"}
    for column, kind in kinds.items():
        assert re.search(rf"^ +{column} +{kind} ", told, re.MULTILINE), told
    accuracy = re.search(r"leave-one-out +accuracy ([\d.]+)%", told)
    assert accuracy is not None
    assert 80 < float(accuracy[1]) < 97  # 90; much more would be a leak


def test_forgets_a_customer_with_a_receipt(demo: tuple[str, Path]) -> None:
    text, folder = demo
    told = answer(text, "forget out/letters.bayleaf")
    rows = (folder / "out" / "letters.csv").read_text(encoding="utf-8").count(f"\n{CUSTOMER},")
    assert f"{rows} rows" in told
    before, after = re.findall(r"^ +(?:before|after) +([0-9a-f]{16,})", told, re.MULTILINE)
    assert before != after


def test_the_counts_are_those_of_a_model_that_never_saw_the_customer(demo: tuple[str, Path], tmp_path: Path) -> None:
    _, folder = demo
    lines = (folder / "out" / "letters.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    others = tmp_path / "others.csv"
    others.write_text("".join(line for line in lines if not line.startswith(f"{CUSTOMER},")), encoding="utf-8")
    words = ["train", str(others), "--label", "team", "--columns", "customer=ignore", "-o", str(tmp_path / "m.bayleaf")]
    assert main([*words, "-q"]) == 0
    forgot, never = (Archive.read(path).arrays for path in (folder / "out" / "letters.bayleaf", tmp_path / "m.bayleaf"))
    assert set(forgot) == set(never)
    for name, tensor in never.items():
        assert np.array_equal(forgot[name], tensor), name


def test_writes_a_page_that_loads_nothing(demo: tuple[str, Path]) -> None:
    _, folder = demo
    page = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "<html" in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    pictures = {path.suffix for path in (folder / "out" / "pictures").iterdir()}
    assert pictures == {".png", ".svg"}


def test_leaves_everything_in_one_folder(demo: tuple[str, Path]) -> None:
    _, folder = demo
    assert [path.name for path in folder.iterdir()] == ["out"]
    assert (folder / "out" / "demo.png").read_bytes().startswith(b"\x89PNG")
    assert {path.stem for path in (folder / "out" / "demo-mail" / "new").iterdir()} == set(NEW)


def test_every_command_it_shows_can_be_typed_again(demo: tuple[str, Path]) -> None:
    text, folder = demo
    shown = [line for line in text.replace("\\\n", "").splitlines() if line.startswith("  $ bayleaf mail judge")]
    assert len(shown) >= 4
    for words in map(str.split, shown):
        again = subprocess.run(
            [sys.executable, "-m", "bayleaf", *words[2:]],
            cwd=folder,
            env=os.environ | {"BAYLEAF_STORE": "out/demo-mail/store.db"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert again.returncode in (0, 1, 2), again.stderr


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-m", "bayleaf.demo", str(tmp_path / "file")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "file" in done.stderr


def test_long_commands_are_folded_as_a_shell_reads_them() -> None:
    folded = fold(["bayleaf", *[f"word-number-{n}" for n in range(20)]])
    assert max(map(len, folded.splitlines())) <= 96
    assert folded.replace("\\\n", "").split() == ["bayleaf", *[f"word-number-{n}" for n in range(20)]]


def test_without_matplotlib_nothing_is_drawn() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from bayleaf.demo.story import TABLE; print(TABLE)"
    story = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "evaluate" in story
    assert "--report" not in story
    assert "pip install" in story
