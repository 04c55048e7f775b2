"""What a monitor is told, and what the journal writes."""

import json

from prometheus_client.parser import text_string_to_metric_families
from referee.store.club import forfeit, outcome

from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Ended
from aluette_referee.league.metrics import Metrics
from aluette_referee.table import Outcome


def samples(metrics: Metrics) -> dict[tuple[str, ...], float]:
    """By name and labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_matches_are_counted_by_how_they_ended_and_gauges_are_looked_up():
    tables = [3.0]
    metrics = Metrics({"tables": ("Matches that are being played", lambda: tables[0])})
    timing = {
        "N": {"answers": 10, "seconds": 0.5, "longest": 0.3},
        "E": {"answers": 0, "seconds": 0.0, "longest": 0.0},
    }
    strike = Fault(FaultType.LATE, Seat.N, 2, 3)
    metrics.count(Ended("a", outcome("NS")._replace(strikes=(strike,)), timing=timing))
    metrics.count(Ended("b", forfeit(Seat.E)))
    metrics.count(Ended("c", Outcome(None), "it was lost"))
    found = samples(metrics)
    assert found["aluette_tables",] == 3.0
    tables[0] = 4.0
    assert samples(metrics)["aluette_tables",] == 4.0
    assert {key[1]: value for key, value in found.items() if key[0] == "aluette_matches_total"} == {
        "played": 1.0,
        "forfeited": 1.0,
        "void": 1.0,
    }
    assert found["aluette_faults_total", "late"] == found["aluette_faults_total", "failed"] == 1.0
    assert found["aluette_decisions_total",] == 10.0
    assert found["aluette_decision_seconds_total",] == 0.5
    assert found["aluette_longest_decision_seconds_bucket", "0.2"] == 0.0
    assert found["aluette_longest_decision_seconds_bucket", "0.5"] == 1.0


def test_the_journal_tells_people_what_matters_and_programs_everything():
    lines: list[str] = []
    for form in ("text", "json"):
        journal = Journal(form, lambda: "now", lines.append)
        journal.tell("the database is away: \x1b[31m", "database away", seconds=3)
        journal.note("match over", match="abc", faults=[["late", "N"]])
    assert "\x1b" not in lines[0]
    assert lines[0].startswith("the database is away: ")
    assert [json.loads(line) for line in lines[1:]] == [
        {"at": "now", "event": "database away", "text": "the database is away: \x1b[31m", "seconds": 3},
        {"at": "now", "event": "match over", "match": "abc", "faults": [["late", "N"]]},
    ]
