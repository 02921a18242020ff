"""bayleaf mail evaluate: the TREC way, repeatable, and clear about a wrong index."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path

import pytest
from desk import bayleaf
from letters import letter, letters

from bayleaf import BayleafError
from bayleaf.cli.mail.evaluate import arguments, collect, show
from bayleaf.cli.main import main
from bayleaf.evaluate.index import Index
from bayleaf.evaluate.place import Held
from bayleaf.evaluate.rates import Judged, rates
from bayleaf.mail.mailbox import mails


def test_scores_that_cannot_be_written_are_refused_before_anything_is_judged(tmp_path: Path) -> None:
    done = bayleaf("mail", "evaluate", "--spam", "nothing here", "--scores", str(tmp_path))
    assert (done.returncode, done.stderr) == (
        70,
        f"bayleaf: {tmp_path}: found a folder, expected a file to write; name one in it\n",
    )
    none = tmp_path / "none"
    done = bayleaf("mail", "evaluate", "--spam", "nothing here", "--scores", str(none / "scores"))
    assert done.stderr == f"bayleaf: {none / 'scores'}: found no folder {none}, expected one; make it first\n"


def test_evaluate_runs_the_trec_protocol(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    lines = []
    for n, (raw, label) in enumerate(letters(60)):
        (tmp_path / "data" / str(n)).write_bytes(raw)
        lines.append(f"{label} data/{n}\n")
    (tmp_path / "index").write_text("".join(lines))
    words = ["mail", "evaluate", "--index", str(tmp_path / "index"), "--json", "--attack", "--bootstrap", "20"]
    done = bayleaf(*words, "--scores", str(tmp_path / "scores"), BAYLEAF_STORE=str(tmp_path / "none.db"))
    found = json.loads(done.stdout)
    assert found["all"]["mails"] == 120
    assert found["51-120"]["1-ROCA%"] < 5
    assert {"attack: clean", "attack: append 500", "attack: interleave"} <= set(found)
    assert found["all"]["low%"] is not None
    assert found["attack: clean"]["sm%"] < found["attack: append 50"]["sm%"]
    assert len((tmp_path / "scores").read_text().splitlines()) == 120
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("how", "verdicts"),
    [
        ([], {"spam": "spam", "ham": "ham"}),
        (["--delay", "40"], {"spam": "unsure", "ham": "unsure"}),  # nothing is taught in time
        (["--feedback", "0"], {"spam": "unsure", "ham": "unsure"}),
        (["--noise", "1"], {"spam": "ham", "ham": "spam"}),
    ],
    ids=" ".join,
)
def test_mails_are_taught_as_asked(tmp_path: Path, how: list[str], verdicts: dict[str, str]) -> None:
    for n, (raw, label) in enumerate(letters(20)):
        (tmp_path / f"{label} {n}").write_bytes(raw)
    (tmp_path / "index").write_text("".join(f"{label} {label} {n}\n" for n, (_, label) in enumerate(letters(20))))
    words = ["--index", str(tmp_path / "index"), "--bootstrap", "0", "--scores", str(tmp_path / "scores")]
    assert main(["mail", "evaluate", *words, *how]) == 0
    lines = [line.split() for line in (tmp_path / "scores").read_text().splitlines()]
    assert {label: verdict for label, _, verdict in lines[-6:]} == verdicts


def test_evaluate_asks_for_the_other_label(tmp_path: Path) -> None:
    (tmp_path / "mail").write_bytes(letter(1, "spam"))
    done = bayleaf("mail", "evaluate", "--spam", str(tmp_path / "mail"))
    assert done.stderr == "bayleaf: note: found only spam, expected spam and ham: give --spam PATH and --ham PATH\n"


def test_evaluate_says_what_is_wrong_with_an_index(tmp_path: Path) -> None:
    index = tmp_path / "index"
    for content, said in (
        (None, f"{index}: found nothing there, expected a TREC index (lines of label and path)"),
        ("spam data/1\n", f"{index}, line 1: found nothing at {tmp_path / 'data' / '1'}, expected a mail"),
        ("junk index\n", f"{index}, line 1: found the label 'junk', expected spam or ham"),
    ):
        if content is not None:
            index.write_text(content)
        done = bayleaf("mail", "evaluate", "--index", str(index))
        assert done.returncode == 70
        assert done.stderr.startswith(f"bayleaf: {said}")


def test_evaluate_repeats_with_its_seed(tmp_path: Path) -> None:
    for raw, label in letters(20):
        (tmp_path / label).mkdir(exist_ok=True)
        (tmp_path / label / str(len(list((tmp_path / label).iterdir())))).write_bytes(raw)
    words = ["mail", "evaluate", "--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "ham"), "--bootstrap", "0"]
    scores = []
    for seed in ("1", "1", "2"):
        assert bayleaf(*words, "--seed", seed, "--scores", str(tmp_path / "scores")).returncode == 0
        scores.append((tmp_path / "scores").read_text())
    assert scores[0] == scores[1] != scores[2]


def test_evaluate_reads_mails_when_their_turn_comes(tmp_path: Path) -> None:
    line = b"From me@example.org Mon Jan  1 10:00:00 2024\n"
    (tmp_path / "spam").mkdir()
    for n in range(6):
        (tmp_path / "spam" / str(n)).write_bytes(letter(n, "spam"))
    (tmp_path / "spam" / "empty").touch()
    box = b"".join(line + letter(n, "ham") + b"\n>From me\n\n" for n in range(5))
    (tmp_path / "ham").write_bytes(box)
    (tmp_path / "old").write_bytes(gzip.compress(box))
    options = arguments().options(
        ["--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "ham"), str(tmp_path / "old")]
    )
    expected = [(raw, "spam") for raw in mails(tmp_path / "spam")]
    expected += [(raw, "ham") for name in ("ham", "old") for raw in mails(tmp_path / name)]
    random.Random(1).shuffle(expected)  # the order that the figures of a seed have always had
    stream = collect(options)
    assert isinstance(stream, Index)
    assert list(stream) == expected
    assert len([place for place, _ in stream.lines if isinstance(place, Held)]) == 5  # of what is packed
    with (tmp_path / "ham").open("ab") as file:
        file.write(line + letter(9, "ham"))  # mail that is delivered meanwhile does no harm
    assert [raw.strip() for raw, _ in stream] == [raw.strip() for raw, _ in expected]
    (tmp_path / "ham").write_bytes(b"Subject: x\n\n" + box)
    with pytest.raises(BayleafError, match="expected a file that nobody changes meanwhile"):
        list(stream)
    shutil.rmtree(tmp_path / "spam")
    with pytest.raises(BayleafError, match="found nothing there any more"):
        [stream[at] for at, (_, label) in enumerate(stream.lines) if label == "spam"]


def test_counts_are_shown_in_full() -> None:
    lines = show({"all": rates([Judged(True, 1.0, "spam", 0.9)] * 75_419, 0)})
    assert lines[1].split() == ["mails", "75419"]
    assert all(len(line.split()) == 2 for line in lines[1:]), "what was not measured has no row"


def test_an_index_is_not_mixed_with_folders_and_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("\n")
    (tmp_path / "one").write_bytes(letter(1, "spam"))
    words = ["mail", "evaluate", "--index", str(tmp_path / "index")]
    done = bayleaf(*words)
    assert (done.returncode, "index: found no mail in it, expected lines of label and path" in done.stderr) == (
        70,
        True,
    )
    done = bayleaf(*words, "--spam", str(tmp_path / "one"))
    assert (done.returncode, "found --index with --spam or --ham" in done.stderr) == (70, True)


def test_scores_are_not_written_over_the_mails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "spam").mkdir()
    for name, label in (("spam/1", "spam"), ("ham", "ham")):
        (tmp_path / name).write_bytes(letter(1, label))
    (tmp_path / "index").write_text("spam spam/1\nham ham\n")
    folders = ["--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "ham")]
    index = ["--index", str(tmp_path / "index")]
    for words, name in ((folders, "spam/1"), (folders, "ham"), (index, "ham"), (index, "index")):
        before = (tmp_path / name).read_bytes()
        assert main(["mail", "evaluate", *words, "--scores", str(tmp_path / name)]) == 70
        assert f"{name}: found a file that is read here, expected another one" in capsys.readouterr().err
        assert (tmp_path / name).read_bytes() == before


def test_an_empty_mailbox_is_no_mail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ham").write_bytes(letter(1, "ham"))
    (tmp_path / "none.mbox").touch()
    assert main(["mail", "evaluate", "--spam", str(tmp_path / "none.mbox"), "--ham", str(tmp_path / "ham")]) == 70
    assert capsys.readouterr().err.endswith("none.mbox: found nothing in it, expected a mail\n")


@pytest.mark.parametrize(
    ("labels", "found"), [("spam ham", "no spam in the last tenth of 2 mails"), ("spam", "no ham before the last")]
)
def test_an_attack_on_nothing_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], labels: str, found: str
) -> None:
    (tmp_path / "one").write_bytes(letter(1, "spam"))
    (tmp_path / "index").write_text("".join(f"{label} one\n" for label in labels.split()))
    assert main(["mail", "evaluate", "--attack", "--index", str(tmp_path / "index")]) == 70
    told = capsys.readouterr()
    assert (told.out, f"--attack: found {found}" in told.err) == ("", True)
