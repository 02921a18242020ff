"""bayleaf mail evaluate: the TREC way, repeatable, and clear about a wrong index."""

from __future__ import annotations

import json
from pathlib import Path

from desk import bayleaf
from letters import letters

from bayleaf.cli.mail.evaluate import show
from bayleaf.evaluate.rates import Judged, rates


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
    assert len((tmp_path / "scores").read_text().splitlines()) == 120
    assert not (tmp_path / "none.db").exists()
    for extra in (["--delay", "10"], ["--feedback", "0.5"], ["--noise", "0.1"]):
        assert bayleaf("mail", "evaluate", "--index", str(tmp_path / "index"), *extra).returncode == 0


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


def test_counts_are_shown_in_full() -> None:
    lines = show({"all": rates([Judged(True, 1.0, "spam", 0.9)] * 75_419, 0)})
    assert lines[1].split() == ["mails", "75419"]
