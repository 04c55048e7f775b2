"""Puts a bot back into a position of a recorded match: all its earlier turns are asked again first.

    >>> from aluette.rehearsal import rehearse
    >>> rehearse(record, Seat.E, (2, 4), MyBot).reply

In one process, so a debugger's breakpoints work. What the bot answers on the way changes nothing: the match goes
as it was recorded.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from aluette.bot import BotFactory
from aluette.errors import IllegalAction, Misuse
from aluette.events import DealEnded, MatchBegun
from aluette.record import replay
from aluette.rules.actions import Action
from aluette.rules.match import Match
from aluette.rules.ruleset import RuleSet
from aluette.seats import Seat
from aluette.session import Failed, Ready, Reply, Session, Turn
from aluette.view import View, deal_ended, view_of

__all__ = ["Asked", "Rehearsed", "Story", "rehearse", "story_until"]

_TABLE = 1


class Rehearsed(NamedTuple):
    """A position, and what the bot made of it.

    `illegal` says why its answer is not legal, "" when it is. `recorded` is what was done there, None where the
    record ends. `others` are the earlier positions, by deal and trick, where the bot answered otherwise than was
    recorded.
    """

    view: View
    reply: Reply
    illegal: str
    recorded: Action | None
    others: tuple[tuple[int, int], ...]


class Asked(NamedTuple):
    """A turn: its deal and trick, what the seat saw, and what was done, None where the record ends."""

    place: tuple[int, int]
    view: View
    action: Action | None


class Story(NamedTuple):
    """What a seat was told and asked in a recorded match up to a position, in order; that comes last."""

    record: Mapping[str, Any]
    seat: Seat
    way: tuple[Asked | DealEnded, ...]
    position: Asked

    def begun(self, seed: int) -> MatchBegun:
        """How it begins, for a bot with that seed."""
        return MatchBegun(self.seat, RuleSet.parse(self.record["rules"]), seed)

    def rehearsed(self, reply: Reply, others: Sequence[tuple[int, int]]) -> Rehearsed:
        """How it ends, with the bot's answer to the position, and where it answered otherwise on the way."""
        number = 1 + sum(isinstance(step, Asked) for step in self.way)
        illegal = _judged(self.record, self.seat, number, reply)
        return Rehearsed(self.position.view, reply, illegal, self.position.action, tuple(others))


def rehearse(
    record: Mapping[str, Any],
    seat: Seat,
    until: tuple[int, int],
    bot: BotFactory,
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    show: Callable[[View], object] = lambda _: None,
) -> Rehearsed:
    """Ask the bot at `seat` for its turn in a deal and trick, both from 1 (trick 0: before the first card).

    `seed` is the one that the referee gave the bot. `show` sees the position before the bot is asked anything:
    who debugs it may not see it come back. Raises `Misuse` when the seat had no turn there, and
    `RecordError` for a record that does not hold.
    """
    story = story_until(record, seat, until)
    show(story.position.view)
    session = Session(bot, options)
    session.tell(_TABLE, story.begun(seed))
    (ready,) = session.answer([Turn(_TABLE, 0, None)])
    if isinstance(ready.reply, Failed):
        return story.rehearsed(ready.reply, ())
    number = 1
    others: list[tuple[int, int]] = []
    for step in story.way:
        if isinstance(step, DealEnded):
            session.tell(_TABLE, step)
            continue
        (answer,) = session.answer([Turn(_TABLE, number, step.view)])
        number += 1
        if answer.reply != step.action:
            others.append(step.place)
    (answer,) = session.answer([Turn(_TABLE, number, story.position.view)])
    return story.rehearsed(answer.reply, others)


def story_until(record: Mapping[str, Any], seat: Seat, until: tuple[int, int]) -> Story:
    """What the seat was told and asked up to its last turn in that deal and trick; raises as `rehearse` does."""
    steps = _steps(record, seat)
    for last in reversed(range(len(steps))):
        step = steps[last]
        if isinstance(step, Asked) and step.place == until:
            return Story(record, seat, tuple(steps[:last]), step)
    raise Misuse(f"{seat} had no turn in deal {until[0]}, trick {until[1]} of this match")


def _judged(record: Mapping[str, Any], seat: Seat, number: int, reply: Reply) -> str:
    """Why that answer to so many-th turn of the seat is not legal; "" when it is, or when there is none."""
    said = ""
    count = 0

    def watch(match: Match, asked: Seat, _action: Action | None) -> None:
        nonlocal said, count
        count += asked is seat
        if asked is seat and count == number and not isinstance(reply, Ready | Failed):
            try:
                match.verify(seat, reply)
            except IllegalAction as error:
                said = str(error)

    replay(record, watch=watch)
    return said


def _steps(record: Mapping[str, Any], seat: Seat) -> list[Asked | DealEnded]:
    """What the seat was asked and told, in order."""
    steps: list[Asked | DealEnded] = []
    told = 0

    def watch(match: Match, asked: Seat, action: Action | None) -> None:
        nonlocal told
        for deal in match.finished()[told:]:
            steps.append(deal_ended(match, deal))
            told += 1
        if asked is seat:
            place = (match.deal.number, len(match.deal.leaders))
            steps.append(Asked(place, view_of(match, seat), action))

    replay(record, watch=watch)
    return steps
