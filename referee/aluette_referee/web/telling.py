"""Rows of matches and faults as pages tell them: where the next ones are, and what a visitor may know."""

from collections.abc import Sequence
from typing import NamedTuple

from aluette_referee.league.queries import FaultShown, MatchShown
from aluette_referee.league.sheets import match_remark
from aluette_referee.report.blame import why
from aluette_referee.report.transcript import when
from aluette_referee.web.site import Visitor, address

__all__ = ["FaultTold", "fault_told", "matches_told", "older"]


def matches_told(rows: Sequence[MatchShown]) -> list[tuple[MatchShown, str]]:
    """Matches, each with what else there is to say of it."""
    return [(row, match_remark(row)) for row in rows]


def older(path: str, rows: Sequence[MatchShown], most: int, **more: object) -> str:
    """Where the page after this one is, if one more was found than it shows."""
    if len(rows) <= most:
        return ""
    last = rows[most - 1]
    return address(path, **more, before=last.begun, then=last.id)


class FaultTold(NamedTuple):
    """A fault: when it was, and what of the evidence this visitor may know, on one line and in full."""

    shown: FaultShown
    when: str
    reason: str
    evidence: str


def fault_told(shown: FaultShown, visitor: Visitor) -> FaultTold:
    """A fault as this visitor may know it."""
    fault = shown.fault if visitor.may_know(shown.owner) else shown.fault.public
    told = [fault.evidence.strip(), f"legal: {fault.legal}" if fault.legal else "", fault.output.strip()]
    evidence = "\n\n".join(filter(None, told))
    return FaultTold(shown._replace(fault=fault), when(fault.deal, fault.trick), why(fault), evidence)
