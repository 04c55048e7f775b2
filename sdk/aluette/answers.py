"""What a bot's method returned, read into the action that it means.

It judges only what kind of thing it is; whether the action is legal is for the rulebook.
"""

import operator
from collections.abc import Iterable
from typing import Final, cast

from aluette.cards import Card
from aluette.rules.actions import PLAYS, Action, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.signals import Sign, Signal

__all__ = ["read_answer"]


_PLAY: Final = Ask.PLAY  # before Python 3.12 an enum's member is slow to look up


def read_answer(asked: Ask, value: object) -> Action:
    """The action that a bot's method returned; raises `TypeError` with a sentence when it is none."""
    if asked is _PLAY and isinstance(value, Card):
        return PLAYS[value]
    if asked is Ask.LOOK:
        return Look(_read_sign(value))
    chosen, sign = value, None
    if isinstance(value, tuple) and not isinstance(value, Sign):
        pair = cast("tuple[object, ...]", value)
        if len(pair) == 2 and (pair[1] is None or isinstance(pair[1], Signal | Sign)):
            chosen, sign = pair[0], _read_sign(pair[1])
    match asked:
        case Ask.PLAY if isinstance(chosen, Card):
            return Play(chosen, sign)
        case Ask.CHANT if isinstance(chosen, bool):
            return Chant(chosen, sign)
        case Ask.DISCARD if isinstance(chosen, Iterable):
            cards = tuple(cast("Iterable[object]", chosen))
            if all(isinstance(card, Card) for card in cards):
                return Discard(cast("tuple[Card, ...]", cards), sign)
        case Ask.CUT if isinstance(chosen, int):
            return Cut(operator.index(chosen), sign)
        case _:
            pass
    wanted = {
        Ask.PLAY: "a card, alone or with a signal: `card` or `card, Signal.MADAME`",
        Ask.CHANT: "True or False, alone or with a signal",
        Ask.DISCARD: "a list of six cards, alone or with a signal",
        Ask.CUT: "a number from 1 to 47",
    }[asked]
    raise TypeError(f"{asked} returned {value!r}; it must return {wanted}")


def _read_sign(value: object) -> Sign | None:
    match value:
        case None:
            return None
        case Signal():
            return Sign(value)
        case Sign(Signal() as signal, int(count)):
            # A count that the wire cannot carry makes no sense either way: it is dropped as malformed.
            return Sign(signal, int(count)) if 0 <= count < 2**32 else Sign(Signal.UNKNOWN)
        case _:
            raise TypeError(f"{value!r} is no signal; return a Signal, aces(n) or None")
