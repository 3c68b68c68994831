"""What Prometheus reads at `/metrics`: requests, jobs, and whether the database answers."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from veridical.errors import StoreError
from veridical.store.jobs import JobKind, JobState
from veridical.store.store import Store

CONTENT_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The numbers of one service, in a registry of its own."""

    def __init__(self, store: Store) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "veridical_requests",
            "Requests that were replied to.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "veridical_request_seconds",
            "Time until a reply was sent.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.in_flight = Gauge(
            "veridical_requests_in_flight",
            "Requests that are being worked on.",
            registry=self._registry,
        )
        self._registry.register(_Stored(store))

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that is over; `route` is the template of its route."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(known, route, f"{status // 100}xx").inc()
        self._seconds.labels(known, route).observe(seconds)

    def exposition(self) -> bytes:
        """All of it as Prometheus reads it. Asks the database."""
        return generate_latest(self._registry)


class _Stored(Collector):
    """What only the database knows."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """What `collect` gives, without asking the database."""
        return iter((self._jobs(), self._up()))

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The jobs that are not over by kind and state, and whether the database answers."""
        jobs, up = self._jobs(), self._up()
        try:
            board = self._store.job_board
            tally = Tally((one.job.kind, one.job.state) for one in board.open_jobs())
        except StoreError:
            up.add_metric((), 0)
        else:
            up.add_metric((), 1)
            for kind in JobKind:
                for state in (JobState.WAITING, JobState.RUNNING):
                    jobs.add_metric((kind, state), tally[kind, state])
        yield jobs
        yield up

    @staticmethod
    def _jobs() -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "veridical_jobs", "Jobs that are not over.", labels=("kind", "state")
        )

    @staticmethod
    def _up() -> GaugeMetricFamily:
        return GaugeMetricFamily("veridical_database_up", "Whether the database answers.")
