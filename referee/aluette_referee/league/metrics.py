"""What a monitor is told of the service, in the form of Prometheus: counted as matches end, or looked up when it asks."""

from collections.abc import Callable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from aluette_referee.league.ledger import Ended

__all__ = ["CONTENT_TYPE", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """Of one service. `looked_up` are gauges: a name, what it is, and how it is found."""

    def __init__(self, looked_up: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        """Nothing has been counted."""
        self._registry = CollectorRegistry(auto_describe=True)
        for name, (about, find) in looked_up.items():
            Gauge(f"aluette_{name}", about, registry=self._registry).set_function(find)
        self._matches = Counter(
            "aluette_matches",
            "Matches that are over: played, forfeited or void",
            ["end"],
            registry=self._registry,
        )
        self._faults = Counter(
            "aluette_faults", "Faults of bots, mended ones too", ["type"], registry=self._registry
        )
        self._decisions = Counter("aluette_decisions", "Answers of bots", registry=self._registry)
        self._thinking = Counter(
            "aluette_decision_seconds", "Seconds that answers took, all together", registry=self._registry
        )
        self._longest = Histogram(
            "aluette_longest_decision_seconds",
            "The longest answer of each seat in each match",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.requests = Histogram(
            "aluette_http_seconds",
            "Seconds that requests of pages took",
            ["page"],
            buckets=_SECONDS,
            registry=self._registry,
        )

    def count(self, ended: Ended) -> None:
        """A match is over."""
        outcome = ended.outcome
        end = "forfeited" if outcome.faults else "played"
        self._matches.labels(end if ended.counts else "void").inc()
        for fault in (*outcome.faults, *outcome.strikes):
            self._faults.labels(fault.type.value).inc()
        for seat in (ended.timing or {}).values():
            self._decisions.inc(seat["answers"])
            self._thinking.inc(seat["seconds"])
            if seat["answers"]:
                self._longest.observe(seat["longest"])

    def text(self) -> bytes:
        """As a monitor reads it."""
        return generate_latest(self._registry)
