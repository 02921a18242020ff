"""The desk: what a person does with a labelled file, through the real entry point."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from desk import ROWS, bayleaf, write_rows


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    done = bayleaf(
        "train", str(write_rows(folder / "rows.csv")), "--label", "team", "-o", str(folder / "m.bayleaf"),
        "--columns", "waited=number", "channel=category",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def loads(text: str) -> Any:
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_train_says_what_it_took_each_column_for_and_how_good_it_is(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "rows.csv")
    done = bayleaf("train", str(data), "--label", "team", "-o", str(tmp_path / "m.bayleaf"))
    assert done.returncode == 0, done.stderr
    for told in ("message", "text", "channel", "category", "leave-one-out", "20 of billing", "strongest", "parcel"):
        assert told in done.stdout
    assert (tmp_path / "m.bayleaf").exists()


def test_train_in_json_and_with_kinds_given(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "rows.csv")
    words = ["--label", "team", "--columns", "waited=category", "channel=ignore", "-o", str(tmp_path / "m.bayleaf")]
    facts = loads(bayleaf("train", str(data), *words, "--json").stdout)
    assert facts["columns"] == {"message": "text", "channel": "ignore", "waited": "category"}
    assert facts["rows"] == 40
    assert facts["labels"] == {"billing": 20, "delivery": 20}
    assert facts["chosen"]["loo_accuracy"] == 1.0


def test_train_on_top_equals_training_on_both(tmp_path: Path) -> None:
    first, second = write_rows(tmp_path / "a.csv", 4), write_rows(tmp_path / "b.csv", 3)
    kinds = ["--label", "team", "--columns", "waited=number", "channel=category", "message=text"]
    for words in (
        [str(first), "-o", "a.bayleaf"],
        [str(second), "-o", "ab.bayleaf", "--onto", "a.bayleaf"],
        [str(first), str(second), "-o", "both.bayleaf"],
    ):
        names = [str(tmp_path / word) if word.endswith(".bayleaf") else word for word in words]
        done = bayleaf("train", *names, *kinds)
        assert done.returncode == 0, done.stderr
    names = ("ab.bayleaf", "both.bayleaf")
    found = [loads(bayleaf("inspect", str(tmp_path / name), "--json").stdout) for name in names]
    assert found[0]["tensors"] == found[1]["tensors"]
    assert found[0]["provenance"]["rows"] == found[1]["provenance"]["rows"]
    assert found[0]["provenance"]["sources"] == f"{tmp_path / 'a.bayleaf'} {second}"


def test_predict_adds_two_columns(trained: Path) -> None:
    done = bayleaf("predict", str(trained / "m.bayleaf"), str(trained / "rows.csv"))
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 40
    assert all(row["predicted"] == row["team"] for row in rows)
    assert all(0.5 < float(row["probability"]) <= 1 for row in rows)


def test_predict_as_a_filter(trained: Path) -> None:
    text = "message,channel,waited\nwrong invoice,web,3\n"
    done = bayleaf("predict", str(trained / "m.bayleaf"), "-", "--json", "-q", stdin=text)
    answer = loads(done.stdout)
    assert answer["predicted"] == "billing"
    assert sum(answer["probabilities"].values()) == pytest.approx(1)
    lines = "the invoice is wrong\nwhere is my parcel\n"
    done = bayleaf("predict", str(trained / "m.bayleaf"), "--lines", "-", stdin=lines)
    assert [line.split(",")[-2] for line in done.stdout.splitlines()] == ["billing", "delivery"]


@pytest.mark.parametrize("how", [[], ["--folds", "4"]])
def test_evaluate_without_a_model(trained: Path, how: list[str]) -> None:
    done = bayleaf("evaluate", str(trained / "rows.csv"), "--label", "team", "--json", *how)
    assert done.returncode == 0, done.stderr
    facts = loads(done.stdout)
    assert facts["accuracy"]["value"] == 1.0
    assert facts["rows"] == 40
    text = bayleaf("evaluate", str(trained / "rows.csv"), "--label", "team", *how).stdout
    for told in ("precision", "recall", "billing", "log loss"):
        assert told in text
    assert ("a little too good: weights were fitted to these rows" in text) == (not how)


def test_evaluate_a_model_on_other_rows_and_a_class_it_never_saw(trained: Path, tmp_path: Path) -> None:
    held = tmp_path / "held.csv"
    held.write_text(write_rows(tmp_path / "r.csv", 2).read_text() + "my name changed,web,9,accounts\n")
    done = bayleaf("evaluate", str(held), "--label", "team", "--model", str(trained / "m.bayleaf"))
    assert done.returncode == 0, done.stderr
    assert "accounts" in done.stdout + done.stderr
    facts = loads(
        bayleaf("evaluate", str(held), "--label", "team", "--model", str(trained / "m.bayleaf"), "--json").stdout
    )
    assert facts["accuracy"]["value"] == pytest.approx(16 / 17)


def test_evaluate_warns_where_accuracy_misleads(tmp_path: Path) -> None:
    data = tmp_path / "rare.csv"
    rows = [f"plain words number {n},ham" for n in range(95)] + [f"odd money {n},spam" for n in range(5)]
    data.write_text("text,label\n" + "\n".join(rows) + "\n")
    done = bayleaf("evaluate", str(data))
    assert done.returncode == 0, done.stderr
    assert "always" in done.stdout + done.stderr


def test_evaluate_writes_a_report_and_pictures(trained: Path, tmp_path: Path) -> None:
    words = ["--report", str(tmp_path / "report.html"), "--plot", str(tmp_path / "pictures")]
    done = bayleaf("evaluate", str(trained / "rows.csv"), "--label", "team", *words)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text()
    assert "<svg" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert any((tmp_path / "pictures").glob("*.png"))


def test_explain_a_text_and_a_row(trained: Path) -> None:
    done = bayleaf("explain", str(trained / "m.bayleaf"), "message=where is my parcel", "channel=phone")
    assert done.returncode == 0, done.stderr
    assert "parcel" in done.stdout
    assert "=> delivery" in done.stdout
    done = bayleaf(
        "explain", str(trained / "m.bayleaf"), "--data", str(trained / "rows.csv"), "--row", "5", "--json", "-q"
    )
    why = loads(done.stdout)
    assert why["predicted"] == "billing"
    for label in ("billing", "delivery"):
        parts = [why["prior"][label], why["rest"][label], *(clue["summands"][label] for clue in why["clues"])]
        assert sum(parts) == pytest.approx(why["joint"][label], abs=1e-9)
    assert bayleaf("explain", str(trained / "m.bayleaf"), "channel=phone", "colour=red").returncode == 1
    assert bayleaf("explain", str(trained / "m.bayleaf")).returncode == 1


def test_inspect_runs_nothing_and_tells_everything(trained: Path) -> None:
    facts = loads(bayleaf("inspect", str(trained / "m.bayleaf"), "--json").stdout)
    assert facts["kind"] == "records"
    assert facts["provenance"]["sources"].endswith("rows.csv")
    assert "hash" in facts
    text = bayleaf("inspect", str(trained / "m.bayleaf")).stdout
    assert facts["hash"] in text


def test_inspect_counts_long_lists_of_numbers(tmp_path: Path) -> None:
    """They pushed what stands behind them out of sight; --json has them."""
    rows = "".join(f"{i * 0.37 + 9 * (i % 3)},{'abc'[i % 3]}\n" for i in range(60))
    (tmp_path / "rows.csv").write_text("size,kind\n" + rows)
    model = str(tmp_path / "m.bayleaf")
    assert bayleaf("train", str(tmp_path / "rows.csv"), "--label", "kind", "-o", model).returncode == 0
    text = bayleaf("inspect", model).stdout
    assert '"mix": "9 numbers"' in text
    assert '"worth": {' in text
    assert len(loads(bayleaf("inspect", model, "--json").stdout)["about"]["derived"]["mix"]) == 9


def test_inspect_counts_what_words_lean_to(tmp_path: Path) -> None:
    """Their keys are whole numbers; in a table of texts they stand one floor deeper."""
    import numpy as np

    from bayleaf import TextClassifier

    rng = np.random.default_rng(0)
    words = [[f"w{i}" for i in rng.integers(0, 30, 8)] + ["win" if (n + n // 9) % 2 else "noon"] for n in range(200)]
    rows = "".join(f"{' '.join(text)},{'ab'[n % 2]}\n" for n, text in enumerate(words))
    (tmp_path / "rows.csv").write_text("message,kind\n" + rows)
    bayleaf("train", str(tmp_path / "rows.csv"), "--label", "kind", "-o", str(tmp_path / "table"))
    TextClassifier().fit([" ".join(text) for text in words], ["ab"[n % 2] for n in range(200)]).save(tmp_path / "text")
    for model, told in (("table", ["text", "derived"]), ("text", ["derived"])):
        text = bayleaf("inspect", str(tmp_path / model)).stdout
        facts = loads(bayleaf("inspect", str(tmp_path / model), "--json").stdout)["about"]
        for name in told:
            facts = facts[name]
        m = len(facts["common"])
        assert m > 16
        assert f'"common": "{m} numbers", "documents": 200, "floor"' in text
        assert f'"leanings": "{2 * m} numbers"' in text


def test_merge_and_forget_lead_back(trained: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("message,channel,waited,team\nthe app crashes at login,web,7,technical\n")
    kinds = ["--label", "team", "--columns", "waited=number", "channel=category", "message=text"]
    assert bayleaf("train", str(more), *kinds, "-o", str(tmp_path / "more.bayleaf")).returncode == 0
    done = bayleaf(
        "merge", str(trained / "m.bayleaf"), str(tmp_path / "more.bayleaf"), "-o", str(tmp_path / "all.bayleaf")
    )
    assert done.returncode == 0, done.stderr
    whole = loads(bayleaf("inspect", str(tmp_path / "all.bayleaf"), "--json").stdout)
    before, rows = whole["hash"], int(whole["provenance"]["rows"])
    assert rows == 41
    done = bayleaf("forget", str(tmp_path / "all.bayleaf"), str(more), "--label", "team", "--json")
    assert done.returncode == 0, done.stderr
    receipt = loads(done.stdout)
    assert receipt["rows"] == 1
    assert receipt["labels"] == {"technical": 1}
    assert receipt["hash_before"] == before
    left = loads(bayleaf("inspect", str(tmp_path / "all.bayleaf"), "--json").stdout)
    assert (left["hash"], left["provenance"]["rows"]) == (receipt["hash_after"], str(rows - 1))
    again = bayleaf("forget", str(tmp_path / "all.bayleaf"), str(more), "--label", "team")
    assert again.returncode == 1, "what is not there cannot be forgotten"


def test_sample_makes_rows_up(trained: Path) -> None:
    done = bayleaf("sample", str(trained / "m.bayleaf"), "-n", "7", "--seed", "1")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 7
    assert {row["channel"] for row in rows} <= {channel for _, channel, _, _ in ROWS}
    assert done.stdout == bayleaf("sample", str(trained / "m.bayleaf"), "-n", "7", "--seed", "1").stdout
    lines = bayleaf("sample", str(trained / "m.bayleaf"), "-n", "2", "--json").stdout.splitlines()
    assert [set(loads(line)) for line in lines] == [{"message", "channel", "waited", "label"}] * 2


def test_sample_leaves_what_was_always_missing_empty(tmp_path: Path) -> None:
    from bayleaf import GaussianNB

    GaussianNB().fit([[1, float("nan")], [2, float("nan")]], ["a", "b"]).save(tmp_path / "m.bayleaf")
    done = [bayleaf("sample", str(tmp_path / "m.bayleaf"), "-n", "1", *more).stdout for more in ([], ["--json"])]
    assert done[0].splitlines()[1].split(",")[1] == ""
    assert loads(done[1])["x1"] is None


def test_files_written_in_python_are_read_by_every_command(tmp_path: Path) -> None:
    from bayleaf import GaussianNB, TextClassifier

    TextClassifier().fit([text for text, *_ in ROWS], [team for *_, team in ROWS]).save(tmp_path / "t.bayleaf")
    done = bayleaf("predict", str(tmp_path / "t.bayleaf"), "--lines", "-", stdin="the parcel\n")
    assert done.stdout.split(",")[1] == "delivery", done.stderr
    assert "parcel" in bayleaf("explain", str(tmp_path / "t.bayleaf"), "where is my parcel").stdout
    GaussianNB().fit([[waited] for _, _, waited, _ in ROWS], [team for *_, team in ROWS]).save(tmp_path / "g.bayleaf")
    done = bayleaf("predict", str(tmp_path / "g.bayleaf"), "-", "-q", stdin="waited\n3\n30\n")
    answers = [line.split(",")[1] for line in done.stdout.splitlines()]
    assert answers == ["predicted", "billing", "delivery"], done.stderr
    assert bayleaf("sample", str(tmp_path / "g.bayleaf"), "-n", "3").returncode == 0


def test_categories_that_look_like_numbers_are_asked_as_they_were_learned(tmp_path: Path) -> None:
    import numpy as np

    from bayleaf import CategoricalNB, MixedNB

    zips, teams = ["01", "01", "1", "1"] * 5, ["a", "a", "b", "b"] * 5
    sizes = [1.0, 2.0, 1.5, 1.8] * 5
    mixed = MixedNB().fit(np.array([*zip(zips, sizes, strict=True)], dtype=object), teams)
    mixed.save(tmp_path / "m.bayleaf")
    CategoricalNB().fit(np.array([[text] for text in zips], dtype=object), teams).save(tmp_path / "c.bayleaf")
    for model, rows in (("m", "zip,size\n01,1.5\n1,1.5\n"), ("c", "zip\n01\n1\n")):
        done = bayleaf("predict", str(tmp_path / f"{model}.bayleaf"), "-", "-q", "--json", stdin=rows)
        found = [loads(line) for line in done.stdout.splitlines()]
        assert [row["predicted"] for row in found] == ["a", "b"], done.stderr
        assert min(row["probability"] for row in found) > 0.8


def test_categories_that_were_numbers_are_found_by_their_text() -> None:
    from bayleaf.face.table import categories

    assert categories(["1", "1.0", "TRUE", "x", "1_0"], (1, 10, "x")) == [1, 1, "TRUE", "x", "1_0"]
    assert categories(["true", "False", True, None], (False, True))[:3] == [True, False, True]
    assert str(categories(["NA", "?"], ("NA",))) == "['NA', nan]"


def test_completion_is_there_for_each_shell() -> None:
    for shell in ("bash", "zsh", "fish", "tcsh"):
        assert "bayleaf" in bayleaf("completion", shell).stdout
    assert bayleaf("completion", "cobol").returncode == 2


def test_version_and_help() -> None:
    assert bayleaf("--version").stdout.startswith("bayleaf ")
    assert "train" in bayleaf().stdout
    done = bayleaf("trian")
    assert done.returncode == 2
    assert "trian" in done.stderr


def test_verbose_tells_time_and_place(trained: Path, tmp_path: Path) -> None:
    assert " s\n" in bayleaf("inspect", str(trained / "m.bayleaf"), "-v").stderr
    (tmp_path / "none").write_bytes(b"")
    done = bayleaf("inspect", str(tmp_path / "none"), "-v")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
