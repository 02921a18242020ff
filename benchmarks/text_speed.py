"""Speed of text classifiers, from a list of str: ``python -m benchmarks classifier``.

The text is 20 Newsgroups and the SpamAssassin bodies, repeated to at least 100 MB, with 22 labels: the groups, ham and
spam. Both sides are given the same features, scikit-learn's words.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from bayleaf import EvidenceTable, TextClassifier
from bayleaf.encoders import TextEncoder
from benchmarks.alone import alone
from benchmarks.corpora import Labelled, Split, mail, news, news_full, sms
from benchmarks.report import Report, slug
from benchmarks.rivals import RIVALS, bayleaf_text, fasttext_model, line
from benchmarks.vectorizers import CYRILLIC, size

RUNS = 3  # of ours, the least counts; the peers' are long enough to be measured once
NOTE = """Ratios are of CPU seconds of one thread on both sides in the same run; ours the least of three, the peers'
once. "Two threads" is how much sooner two are done than one, by the clock. "Learn" is `partial_fit`, which only counts;
weighing is what the first answer after it costs, while scikit-learn's `fit` does both."""


@dataclass
class Texts:
    """Texts with labels, and how large they are."""

    name: str
    texts: list[str]
    labels: list[str]

    @classmethod
    def of(cls, name: str, rows: Labelled, times: int) -> Texts:
        labels, texts = (list(column) * times for column in zip(*rows, strict=True))
        return cls(f"{name}{len(texts):,} texts, {size(texts) / 1e6:.0f} MB", texts, labels)


def spent(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, CPU and wall seconds."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    result = call()
    return result, time.process_time() - cpu, time.perf_counter() - wall


def words(pairs: bool, jobs: int, **options: Any) -> TextClassifier:
    encoder = TextEncoder.preset("words", ngrams=(1, 2 if pairs else 1))
    return TextClassifier(encoder, **{"family": "multinomial", "temperature": 1.0, "n_jobs": jobs, **options})


def best(call: Callable[[int], Any], runs: int = RUNS) -> tuple[list[float], float]:
    """CPU seconds of each run on one thread, and how much sooner two threads are done."""
    one, two = [], []
    for _ in range(runs):
        _, cpu, wall = spent(lambda: call(1))
        one.append((cpu, wall))
        two.append(spent(lambda: call(2))[2])
    return [cpu for cpu, _ in one], min(wall for _, wall in one) / min(two)


def against_scikit_learn(report: Report, data: Texts, pairs: bool, goals: tuple[float | None, float | None]) -> None:
    """Learning, weighing and predicting of the multinomial model, and predicting with an evidence table."""
    peer = make_pipeline(CountVectorizer(ngram_range=(1, 2 if pairs else 1)), MultinomialNB())
    fitting = spent(lambda: peer.fit(data.texts, data.labels))[1]
    predicting = spent(lambda: peer.predict(data.texts))[1]

    def add(work: str, runs: list[float], theirs: float, goal: float | None = None, two: float | None = None) -> None:
        name = f"{work}, {'uni+bigrams' if pairs else 'unigrams'}, {data.name}"
        against = "CountVectorizer + MultinomialNB"
        key = slug(f"{work} {'pairs' if pairs else 'words'} {'cyrillic' * data.name.startswith('Cyrillic')}")
        seconds = f"{min(runs):.2f} s", f"{theirs:.2f} s"
        report.add(name, against, *seconds, theirs / min(runs), goal, two, key=key, runs=(runs, [theirs]))

    learning, two = best(lambda jobs: words(pairs, jobs).partial_fit(data.texts, data.labels))
    add("learn", learning, fitting, goals[0], two)
    table = EvidenceTable.start((1, 2) if pairs else (1,), len(set(data.labels)))
    for work, options in (
        ("predict", {}),
        ("predict by evidence", {"family": "evidence", "table": table, "temperature": "auto"}),
    ):
        models = {jobs: words(pairs, jobs, **options).partial_fit(data.texts, data.labels) for jobs in (1, 2)}
        weighing = [spent(lambda model=model: model.predict(data.texts[:1]))[1] for model in models.values()]
        if not options:
            add("learn and weigh", [run + min(weighing) for run in learning], fitting)
        took, two = best(lambda jobs, models=models: models[jobs].predict(data.texts))
        add(work, took, predicting, goals[1], two)


def typical(judge: Callable[[Any], Any], texts: list[Any]) -> float:
    """Median microseconds of one call, the least of three rounds: a shared host gives 23 to 41 within a minute."""

    def took(text: Any) -> float:
        start = time.perf_counter()
        judge(text)
        return time.perf_counter() - start

    return 1e6 * min(median(took(text) for text in texts) for _ in range(RUNS))


def fasttext_calls(split: Split) -> dict[str, float]:
    inner = fasttext_model(split.learn, split.known).f
    ready = [line(text) + "\n" for text in split.learn]
    return {
        "fastText": typical(lambda text: inner.predict(line(text) + "\n", 2, 0.0, "strict"), split.learn),
        "fastText, text made ready": typical(lambda text: inner.predict(text, 2, 0.0, "strict"), ready),
    }


def one_message(report: Report) -> None:
    """The median time of one answer, over some thousand messages, in the best of three rounds."""
    name = "predict_proba of one SMS, by the clock"
    split = sms().splits[0]
    ours = bayleaf_text(split.learn, split.known)
    mine = typical(lambda text: ours([text]), split.learn)
    model = make_pipeline(CountVectorizer(), MultinomialNB()).fit(split.learn, split.known)
    peers = {"scikit-learn": typical(lambda text: model.predict_proba([text]), split.learn[:1000])}
    try:
        peers |= alone(fasttext_calls, split, zeroed=True)
    except ImportError as error:
        report.skip(name, "fastText", error)
    for peer, took in peers.items():
        report.add(name, peer, f"{mine:.1f} µs", f"{took:.1f} µs", took / mine, None)
    report.add(name, "the goal", f"{mine:.1f} µs", "30 µs", 30 / mine, 1)


def self_tuning(report: Report) -> None:
    """Everything chosen by leave-one-out, against the classifiers of like accuracy."""
    split = news_full().splits[0]

    def fit(jobs: int) -> Any:
        with threadpool_limits(jobs):
            return TextClassifier(n_jobs=jobs).fit(split.learn, split.known)

    runs, two = best(fit)
    took = min(runs)
    for rival in RIVALS:
        if "LinearSVC" in rival.name or "Vowpal" in rival.name:
            name = "self-tuning fit, 20 Newsgroups train"
            try:
                import_module(rival.needs)
            except ImportError as error:
                report.skip(name, rival.name, error)
                continue
            theirs = spent(lambda rival=rival: rival.learn(split.learn, split.known))[1]
            both = runs, [theirs]
            report.add(name, rival.name, f"{took:.2f} s", f"{theirs:.2f} s", theirs / took, 1, two, runs=both)


def works(report: Report, megabytes: float) -> Iterator[tuple[str, Callable[[], None]]]:
    def long() -> Texts:
        rows = [*news(""), *mail()]
        return Texts.of("", rows, max(1, -(-int(megabytes * 1e6) // size([text for _, text in rows]))))

    def cyrillic() -> Texts:
        return Texts.of("Cyrillic, ", [(label, text.translate(CYRILLIC)) for label, text in news("")], 1)

    yield "message", lambda: one_message(report)
    yield "tuning", lambda: self_tuning(report)
    yield "unigrams", lambda: against_scikit_learn(report, long(), False, (25, 25))
    yield "pairs", lambda: against_scikit_learn(report, long(), True, (45, 30))
    yield "cyrillic", lambda: against_scikit_learn(report, cyrillic(), False, (None, None))


def speed(megabytes: float, only: str) -> Report:
    """All rows, or those of the works whose name contains `only`."""
    report = Report("Text classifiers, speed")
    for name, work in works(report, megabytes):
        if only in name:
            work()
    return report
