"""The page of one match, and what any page needs that shows matches.

A page that includes `viewer.html.j2` passes `viewer=viewer(matches)` to `render`, and `viewer_script()` in its script.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup

from aluette.packs import BlockKey
from aluette.record import Record
from aluette.seats import SEATS, Seat
from aluette_referee.contest.schedule import Fixture
from aluette_referee.faults import Fault
from aluette_referee.report.blame import secrets_of, why
from aluette_referee.report.html.deck import sprite
from aluette_referee.report.html.environment import render, source
from aluette_referee.report.html.scenes import scenes
from aluette_referee.report.transcript import transcript, when
from aluette_referee.report.visible import visible

__all__ = ["Chair", "Shown", "match_page", "shown_match", "viewer", "viewer_script"]


class Chair(NamedTuple):
    """Who sits somewhere: the name, and how its bot is written in the tournament's file."""

    name: str
    bot: str = ""


class Shown(NamedTuple):
    """A match as a page shows it."""

    id: str
    record: Record
    teams: tuple[str, str]
    """Who sit NS and EW."""
    seats: Mapping[Seat, Chair]
    key: BlockKey | None = None
    faults: Sequence[Fault] = ()
    """Those that decided it."""
    mended: Sequence[Fault] = ()
    secrets: Sequence[str] = ()
    """What a bot may have said, and nobody is to read."""

    @property
    def title(self) -> str:
        """Who met."""
        return " – ".join(map(visible, self.teams))


def shown_match(
    fixture: Fixture,
    record: Record,
    key: BlockKey,
    faults: Sequence[Fault] = (),
    mended: Sequence[Fault] = (),
) -> Shown:
    """A match of a contest, whose block is complete: all of it may be seen."""
    seats = {seat: Chair(player.name, player.bot.run) for seat, player in fixture.seats.items()}
    secrets = secrets_of(player.entrant for player in fixture.seats.values())
    return Shown(fixture.id, record, fixture.teams, seats, key, faults, mended, secrets)


def match_page(shown: Shown) -> str:
    """The page of one match; it stands alone, and the same match gives the same bytes."""
    seated = {seat: chair.name for seat, chair in shown.seats.items()}
    return render(
        "match.html.j2",
        script=viewer_script(),
        viewer=viewer([shown]),
        keys="page",
        title=shown.title,
        match=shown,
        seats=[(seat.name, *map(visible, shown.seats[seat])) for seat in SEATS],
        faults=[
            visible(_told(fault, shown))
            for fault in sorted((*shown.mended, *shown.faults), key=attrgetter("place"))
        ],
        transcript=visible("\n".join(transcript(shown.record, seated))),
    )


def viewer(matches: Iterable[Shown]) -> dict[str, Any]:
    """What `viewer.html.j2` needs to show these matches, one of them at a time."""
    return {"sprite": Markup(sprite()), "matches": [_match(shown) for shown in matches]}  # noqa: S704 - drawn by us


def viewer_script() -> str:
    """The viewer's script, to be passed to `render`, alone or with another one after it."""
    return str(source("viewer.js"))


def _told(fault: Fault, shown: Shown) -> str:
    """A fault on one line: what a bot printed, and where on its machine, is not for a page."""
    reason = why(fault, shown.secrets)
    who = f"{fault.seat} ({shown.seats[fault.seat].name})"
    return f"{who}: {fault.type} {when(fault.deal, fault.trick)}{': ' if reason else ''}{reason}"


def _match(shown: Shown) -> dict[str, Any]:
    return {
        "id": shown.id,
        "title": shown.title,
        "names": {seat.name: visible(shown.seats[seat].name) for seat in SEATS},
        "sides": [visible(team) for team in shown.teams],
        **scenes(shown.record, shown.mended),
    }
