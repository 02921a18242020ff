"""What a client of the HTTP API sees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from daemon import Daemon, request, taught
from letters import letter, letters
from web import Client, serving

import bayleaf
from bayleaf.mail import Filter
from bayleaf.service.http.models import Models
from bayleaf.service.http.settings import Settings
from bayleaf.service.live import LiveFilter

SPAM, HAM = letter(1000, "spam"), letter(1000, "ham")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Client, LiveFilter]]:
    with serving(taught(tmp_path / "m.db", 20), Settings(models=tmp_path / "models"), users=tmp_path / "users") as both:
        yield both


def test_a_mail_is_judged_as_the_filter_judges_it(served: tuple[Client, LiveFilter]) -> None:
    client, live = served
    for body, kind in ((SPAM, "message/rfc822"), (SPAM, "application/octet-stream"), (HAM, "message/rfc822; x=y")):
        answer = client.post("/v1/judge", body, Content_Type=kind)
        own = live.judge(body)
        assert answer.status == 200
        assert answer.json["label"] == own.label == ("spam" if body is SPAM else "ham")
        assert answer.json["probabilities"] == own.probabilities
    text = client.post("/v1/judge", {"text": "cheap pills casino viagra"}).json
    assert text["probabilities"] == live.judge("cheap pills casino viagra").probabilities
    large = HAM + b"\nlunch meeting" * 10_000
    assert client.post("/v1/judge", large).json["probabilities"] == live.judge(large).probabilities


def test_the_clues_add_up_to_the_score(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    for limit in (0, 5, 10_000):
        found = client.post(f"/v1/explain?limit={limit}", SPAM).json
        assert len(found["clues"]) <= limit
        assert found["others"] + sum(clue["summand"] for clue in found["clues"]) == pytest.approx(found["score"])
    assert client.get("/v1/history").json["mails"] == [], "a look is not remembered"


def test_what_is_taught_is_counted_once_and_taken_back_exactly(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    before = client.get("/v1/status").json
    done = [client.post(f"/v1/train?label={label}", SPAM).json["done"] for label in ("ham", "ham", "spam")]
    assert done == ["learned", "known", "corrected"]
    assert client.get("/v1/status").json["mails"] == {"spam": 21, "ham": 20}
    changed = client.post("/v1/correct?label=ham", SPAM).json
    assert changed["before"]["probabilities"]["ham"] < changed["after"]["probabilities"]["ham"]
    assert client.post("/v1/untrain", SPAM).json == {"done": "unlearned", "label": "ham"}
    assert client.post("/v1/untrain", SPAM).status == 404
    assert client.get("/v1/status").json["mails"] == before["mails"]
    strange = client.post("/v1/train?label=spma", SPAM)
    assert (strange.status, strange.headers["content-type"]) == (422, "application/problem+json")
    assert "expected one of spam, ham" in strange.json["detail"]


def test_a_mail_that_has_changed_since_it_was_learned_cannot_be_taken_back(
    served: tuple[Client, LiveFilter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayleaf.store.ledger.RECALL", 0)
    monkeypatch.setattr("bayleaf.store.ledger.TRIM", 1)
    client, _ = served
    assert client.post("/v1/train?label=spam", SPAM).status == 200
    changed = b"X-Loop: me\n" + SPAM
    for answer in (client.post("/v1/untrain", changed), client.post("/v1/train?label=ham", changed)):
        assert (answer.status, "have changed since" in answer.json["detail"]) == (409, True)
    assert client.post("/v1/untrain", SPAM).status == 200


def test_a_mail_of_the_history_is_corrected_by_its_id(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    id = client.post("/v1/judge", SPAM).json["id"]
    text = client.post("/v1/judge", {"text": "who knows"}).json["id"]
    assert [each["id"] for each in client.get("/v1/history?order=newest").json["mails"]] == [text, id]
    page = client.get("/v1/history?order=newest&limit=1").json
    assert [each["id"] for each in client.get(f"/v1/history?before={page['next']}").json["mails"]] == [id]
    for each, label in ((id, "ham"), (text, "spam")):
        assert client.post(f"/v1/history/{each}/tell", {"label": label}).json == {"done": "learned", "label": label}
        assert client.get(f"/v1/history/{each}").json["told"] == label
    assert client.post(f"/v1/history/{id}/tell", {"label": None}).json == {"done": "unlearned", "label": "ham"}
    assert client.get(f"/v1/history/{id}").json["told"] is None
    assert client.post("/v1/history/1/tell", {"label": "ham"}).status == client.get("/v1/history/1").status == 404


def test_each_user_has_a_store(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    assert client.post("/v1/train?label=ham&user=ann", SPAM).status == 200
    assert client.post("/v1/untrain?user=bob", SPAM).status == 404
    assert client.post("/v1/untrain", SPAM, X_Bayleaf_User="ann").json["label"] == "ham"
    assert client.post("/v1/judge?user=%00", SPAM).status == 422
    assert client.post("/v1/judge?user=" + "x" * 201, SPAM).status == 422


def test_a_user_is_judged_told_and_shown_by_their_own_store(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    assert client.get("/v1/tokens?query=casino&user=ann").json["tokens"][0]["counts"]["ham"] == 0
    for n in range(2000, 2020):  # she wants what others call spam
        client.post("/v1/train?label=ham&user=ann", letter(n, "spam"))
    assert client.get("/v1/tokens?query=casino&user=ann").json["tokens"][0]["counts"]["ham"] > 0
    own = client.post("/v1/judge?user=ann", SPAM).json
    assert own["probabilities"]["spam"] < client.post("/v1/judge", SPAM).json["probabilities"]["spam"]
    tell = f"/v1/history/{own['id']}/tell"
    assert client.post(tell, {"label": "ham"}).json["done"] == "learned"
    assert client.post("/v1/untrain", SPAM).status == 404, "the others have not learned it"
    assert client.post(tell, {"label": None}).json == {"done": "unlearned", "label": "ham"}


def test_the_history_is_searched_by_words_and_by_verdict(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    spam, ham, other = (client.post("/v1/judge", raw).json["id"] for raw in (SPAM, HAM, letter(1001, "ham")))

    def found(query: str) -> set[int]:
        return {each["id"] for each in client.get(f"/v1/history?{query}").json["mails"]}

    subject = client.get(f"/v1/history/{ham}").json["subject"]
    assert found(f"query={quote(subject)}") == {ham}
    assert found("label=ham") == {ham, other}
    assert found("label=spam") == {spam}
    assert found(f"label=spam&query={quote(subject)}") == set()


def test_tokens_are_looked_up_and_ranked(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    found = client.get("/v1/tokens?query=casino").json["tokens"][0]
    assert found["name"] == "word:casino"
    assert found["counts"]["spam"] > 0 == found["counts"]["ham"]
    assert found["label"] == "spam"
    strongest = client.get("/v1/tokens?limit=3").json["tokens"]
    assert [each["label"] for each in strongest] == ["spam"] * 3 + ["ham"] * 3


def test_any_model_file_answers(served: tuple[Client, LiveFilter], tmp_path: Path) -> None:
    client, _ = served
    assert client.get("/v1/models").status == 422, "a folder that is not there is said"
    (tmp_path / "models").mkdir()
    texts, labels = ["cheap pills", "lunch at noon"], ["spam", "ham"]
    bayleaf.TextClassifier().fit(texts, labels).save(tmp_path / "models" / "text")
    rows = {"size": [1.0, 1.1, 9.0, 9.2], "colour": ["red", "red", "blue", "blue"]}
    bayleaf.RecordClassifier().fit(rows, ["a", "a", "b", "b"]).save(tmp_path / "models" / "rows")
    bayleaf.GaussianNB().fit([[0.0], [0.1], [5.0], [5.1]], [0, 0, 1, 1]).save(tmp_path / "models" / "table")
    assert [each["name"] for each in client.get("/v1/models").json["models"]] == ["rows", "table", "text"]
    facts = client.get("/v1/models/rows").json
    assert (facts["labels"], facts["columns"]) == (["a", "b"], {"size": "number", "colour": "category"})
    assert client.post("/v1/models/text/predict", {"texts": texts}).json["labels"] == labels
    assert client.post("/v1/models/text/predict", {"texts": []}).json["labels"] == []
    records = [{"size": 9.1, "colour": "blue"}, {"size": 1.0, "colour": None}]
    assert client.post("/v1/models/rows/predict", {"records": records}).json["labels"] == ["b", "a"]
    shares = client.post("/v1/models/table/predict", {"records": [{"x": 5.0}]}).json["probabilities"]
    assert shares[0]["1"] > 0.9
    refused = client.post("/v1/models/table/predict", {"texts": ["a"]})
    assert (refused.status, "needs a model of texts" in refused.json["detail"]) == (422, True)
    bayleaf.TextClassifier().fit(texts, ["x", "y"]).save(tmp_path / "models" / "text")
    assert client.get("/v1/models/text").json["labels"] == ["x", "y"], "a file that changes is read again"
    for name in ("..%2Fm.db", "%2e%2e", "nothing", "..%2F..%2Fetc%2Fpasswd"):
        assert client.get(f"/v1/models/{name}").status == 404
    assert "expected one that /v1/models lists" in client.get("/v1/models/nothing").json["detail"]


def test_hidden_files_and_folders_are_no_models(served: tuple[Client, LiveFilter], tmp_path: Path) -> None:
    client, _ = served
    (tmp_path / "models" / "folder").mkdir(parents=True)
    (tmp_path / "models" / ".half").write_bytes(b"written at the moment")
    assert client.get("/v1/models").json == {"models": []}
    assert {client.get(f"/v1/models/{name}").status for name in ("folder", ".half")} == {404}


def test_of_many_models_those_asked_last_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.service.http.models.OPEN", 2)
    for name in "abc":
        bayleaf.GaussianNB().fit([[0.0], [1.0]], [0, 1]).save(tmp_path / name)
    with closing(Models(tmp_path)) as models:
        first, second = models.face("a"), models.face("b")
        assert models.face("a") is first
        models.face("c")
        assert models.face("a") is first
        assert models.face("b") is not second


def test_a_model_of_the_same_moment_and_another_size_is_read_again(tmp_path: Path) -> None:
    with closing(Models(tmp_path)) as models:
        for labels in (["x", "y"], ["longer", "other"]):
            bayleaf.GaussianNB().fit([[0.0], [1.0]], labels).save(tmp_path / "model")
            os.utime(tmp_path / "model", (10**9, 10**9))
            assert models.face("model").labels == labels


def test_a_text_alone_is_asked_of_a_model_with_other_columns(served: tuple[Client, LiveFilter], tmp_path: Path) -> None:
    """They count as not known, as for `bayleaf predict --lines`."""
    client, _ = served
    (tmp_path / "models").mkdir()
    rows = {
        "size": [1.5, 1.1, 9.5, 9.2],
        "note": ["a red apple", "one red apple tart", "the blue sea", "blue sea wave"],
    }
    bayleaf.RecordClassifier(columns={"size": "number"}).fit(rows, [*"aabb"]).save(tmp_path / "models" / "mixed")
    answer = client.post("/v1/models/mixed/predict", {"texts": ["red apple", "blue sea"]})
    assert (answer.status, answer.json["labels"]) == (200, ["a", "b"])


def test_prometheus_gets_its_numbers(served: tuple[Client, LiveFilter]) -> None:
    client, _ = served
    client.post("/v1/judge", SPAM)
    client.post("/v1/train?label=spam", SPAM)
    client.post("/v1/untrain", SPAM)
    client.get("/try/anything")
    client.get("/anything")
    client.ask("PROPFIND", "/anything")
    found = client.get("/metrics").body.decode()
    for line in (
        'bayleaf_judged_total{label="spam"} 1.0',
        'bayleaf_learning_total{outcome="learned"} 1.0',
        'bayleaf_learning_total{outcome="forgotten"} 1.0',
        'bayleaf_store_mails{label="spam"} 20.0',
        'bayleaf_http_requests_total{method="POST",route="/v1/judge",status="200"} 1.0',
        'bayleaf_http_requests_total{method="GET",route="/try/{name}",status="303"} 1.0',
        'bayleaf_http_requests_total{method="GET",route="none",status="404"} 1.0',
        'bayleaf_http_requests_total{method="other",route="none",status="404"} 1.0',
        'bayleaf_http_seconds_count{route="/try/{name}"} 1.0',
        "bayleaf_store_up 1.0",
    ):
        assert line in found


def test_lost_lines_of_the_history_are_counted(
    served: tuple[Client, LiveFilter], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = served
    monkeypatch.setattr("bayleaf.service.history.WAITING", 0)
    client.post("/v1/judge", SPAM)
    assert client.get("/v1/status").json["history_dropped"] == 1
    assert b"bayleaf_history_dropped_total 1.0" in client.get("/metrics").body


def test_a_label_is_not_taken_for_an_outcome_of_learning(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db", labels=("learned", "known")) as own:
        own.train_many([(raw, {"spam": "learned", "ham": "known"}[label]) for raw, label in letters(20)])
    with serving(tmp_path / "m.db") as (client, _):
        assert client.post("/v1/judge", SPAM).json["label"] == "learned"
        status, found = client.get("/v1/status").json, client.get("/metrics").body.decode()
    assert (status["judged"], status["counts"]) == ({"learned": 1}, {})
    assert 'bayleaf_judged_total{label="learned"} 1.0' in found
    assert 'bayleaf_learning_total{outcome="learned"} 0.0' in found


def test_serve_without_a_face_prints_an_address_that_answers(tmp_path: Path) -> None:
    with Daemon(tmp_path, spamd=False) as daemon:
        client = Client(daemon.port)
        assert client.get("/healthz").json == {"status": "ok"}
        assert client.get("/readyz").json == {"status": "ready"}
        assert daemon.stop() == 0


def test_both_faces_share_a_filter_and_a_history(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--allow-tell", "--http", "127.0.0.1:0", store=taught(tmp_path / "m.db", 20)) as daemon:
        client = Client(daemon.web)
        daemon.ask(request("CHECK", SPAM))
        daemon.ask(request("TELL", SPAM, "Message-class: ham", "Set: local"))
        found = client.get("/v1/history").json["mails"]
        assert [(each["face"], each["label"], each["told"]) for each in found] == [("spamd", "spam", "ham")]
        daemon.ask(b"nonsense\r\n\r\n")
        assert b"bayleaf_refused_total 1.0" in client.get("/metrics").body
        assert daemon.stop() == 0
