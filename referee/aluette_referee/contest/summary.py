"""What statistics need of a match besides its result: a few counts, made once from its record when it is stored."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from aluette.seats import SEATS, Seat

__all__ = ["Counted", "Summary", "summary_of"]


class Summary(NamedTuple):
    """Counts over the deals of a match that were played to their end; of a match that a fault ended, up to there."""

    deals: int = 0
    tricks: int = 0
    spoiled: int = 0
    """Tricks that nobody won."""
    chants: int = 0
    """Deals with a chant that all four agreed to."""
    mordiennes_ns: int = 0
    mordiennes_ew: int = 0
    dealers: int = 0
    """Deals that the dealer's side won."""
    won_n: int = 0
    won_e: int = 0
    won_s: int = 0
    won_w: int = 0
    """Deals that the player at this seat won for its side."""


class Counted(NamedTuple):
    """What is stored of a match for statistics alone, and follows from its record."""

    summary: Summary
    forfeit: bool
    """Whether a fault decided it."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Counted":
        """By a record that holds."""
        return cls(summary_of(record), record["result"]["fault"] is not None)


def summary_of(record: Mapping[str, Any]) -> Summary:
    """The counts of a record that holds."""
    deals = [deal for deal in record["deals"] if len(deal["winners"]) == len(deal["tricks"]) == 9]
    scores = [deal["score"] for deal in deals if deal["score"]]
    mordiennes = Counter(score["side"] for score in scores if score["kind"] == "mordienne")
    won = Counter(score["player"] for score in scores)
    return Summary(
        deals=len(deals),
        tricks=sum(len(deal["winners"]) for deal in deals),
        spoiled=sum(deal["winners"].count("X") for deal in deals),
        chants=sum(
            len(deal["votes"]) == len(SEATS) and all(yes for _, yes in deal["votes"]) for deal in deals
        ),
        mordiennes_ns=mordiennes["NS"],
        mordiennes_ew=mordiennes["EW"],
        dealers=sum(
            bool(deal["score"]) and Seat[deal["dealer"]].side.name == deal["score"]["side"] for deal in deals
        ),
        won_n=won["N"],
        won_e=won["E"],
        won_s=won["S"],
        won_w=won["W"],
    )
