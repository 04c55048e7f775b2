"""Puts a bot back into a position of a recorded match: all its earlier turns are asked again first.

    >>> from aluette.rehearsal import rehearse
    >>> rehearse(record, Seat.E, (2, 4), MyBot).reply

In one process, so a debugger's breakpoints work. What the bot answers on the way changes nothing: the match goes
as it was recorded.
"""

from collections.abc import Callable, Mapping
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

__all__ = ["Rehearsed", "rehearse"]

_TABLE = 1


class Rehearsed(NamedTuple):
    """A position, and what the bot made of it.

    `illegal` says why its answer is not legal, "" when it is. `recorded` is what was done there, None where the record ends. `others` are the earlier positions, by deal and
    trick, where the bot answered otherwise than was recorded.
    """

    view: View
    reply: Reply
    illegal: str
    recorded: Action | None
    others: tuple[tuple[int, int], ...]


class _Asked(NamedTuple):
    place: tuple[int, int]
    view: View
    action: Action | None


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
    story = _story(record, seat)
    asked = [item for item in story if isinstance(item, _Asked)]
    places = [item.place for item in asked]
    if until not in places:
        raise Misuse(f"{seat} had no turn in deal {until[0]}, trick {until[1]} of this match")
    last = len(places) - places[::-1].index(until)
    show(asked[last - 1].view)
    session = Session(bot, options)
    session.tell(_TABLE, MatchBegun(seat, RuleSet.parse(record["rules"]), seed))
    (ready,) = session.answer([Turn(_TABLE, 0, None)])
    number = 0
    others: list[tuple[int, int]] = []
    for item in story:
        if isinstance(item, DealEnded):
            session.tell(_TABLE, item)
            continue
        number += 1
        (answer,) = session.answer([Turn(_TABLE, number, item.view)])
        if number == last:
            reply = ready.reply if isinstance(ready.reply, Failed) else answer.reply
            return Rehearsed(item.view, reply, _judged(record, seat, last, reply), item.action, tuple(others))
        if answer.reply != item.action:
            others.append(item.place)
    raise AssertionError("unreachable")


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


def _story(record: Mapping[str, Any], seat: Seat) -> list[_Asked | DealEnded]:
    """What the seat was asked and told, in order."""
    story: list[_Asked | DealEnded] = []
    told = 0

    def watch(match: Match, asked: Seat, action: Action | None) -> None:
        nonlocal told
        for deal in match.finished()[told:]:
            story.append(deal_ended(match, deal))
            told += 1
        if asked is seat:
            place = (match.deal.number, len(match.deal.leaders))
            story.append(_Asked(place, view_of(match, seat), action))

    replay(record, watch=watch)
    return story
