"""Metrics: the daemon in numbers, as Prometheus collects them."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bayleaf.errors import StoreError
from bayleaf.service.history import History
from bayleaf.service.live import LiveFilter

LEARNING = ("learned", "corrected", "known", "forgotten")
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0)


class Metrics(Collector):
    """Counts of requests kept here; counts of mails read from the live filter when they are asked for."""

    def __init__(self, live: LiveFilter, history: History | None) -> None:
        self.live, self.history = live, history
        self.registry = CollectorRegistry()
        names = ["method", "route", "status"]
        self._requests = Counter("bayleaf_http_requests", "Answered requests.", names, registry=self.registry)
        self._seconds = Histogram(
            "bayleaf_http_seconds", "Time to answer.", ["route"], registry=self.registry, buckets=SECONDS
        )
        self.registry.register(self)

    def request(self, method: str, route: str, status: int, took: float) -> None:
        """Keeps count of an answer."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(took)

    def text(self) -> bytes:
        """Everything, in Prometheus' text format."""
        return generate_latest(self.registry)

    def describe(self) -> Iterator[Metric]:
        """Nothing before it is asked for."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """What the filter has counted since the start, and what its store holds."""
        counts = self.live.counts.copy()
        learning = CounterMetricFamily("bayleaf_learning", "Mails taught, by outcome.", labels=["outcome"])
        for outcome in LEARNING:
            learning.add_metric([outcome], counts[outcome])
        judged = CounterMetricFamily("bayleaf_judged", "Mails judged, by verdict.", labels=["label"])
        for label, count in self.live.verdicts.copy().items():
            judged.add_metric([label], count)
        yield judged
        yield learning
        yield CounterMetricFamily(
            "bayleaf_refused", "What mail servers and spamc were refused.", value=counts["refused"]
        )
        if self.history is not None:
            dropped = self.history.dropped
            yield CounterMetricFamily("bayleaf_history_dropped", "Lines of the history that were lost.", value=dropped)
        yield from self._store()

    def _store(self) -> Iterator[Metric]:
        try:
            mails = self.live.ask(lambda own: own.evidence().mails)
        except StoreError:
            mails = None
        yield GaugeMetricFamily("bayleaf_store_up", "Whether the store answers.", value=mails is not None)
        held = GaugeMetricFamily("bayleaf_store_mails", "Mails learned, by label.", labels=["label"])
        for label, count in (mails or {}).items():
            held.add_metric([label], count)
        yield held
