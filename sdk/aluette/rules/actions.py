"""What a seat may be asked, and what it may answer.

These are plain values: whether an action is legal at some moment is decided by `aluette.rules.deal`.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from aluette.cards import CARDS, Card
from aluette.rules.signals import Sign

__all__ = ["PLAYS", "Action", "Ask", "Chant", "Cut", "Discard", "Look", "Play"]


class Ask(IntEnum):
    """What is asked of a seat. The numbers are those on the wire."""

    CUT = 1
    LOOK = 2
    CHANT = 3
    DISCARD = 4
    PLAY = 5

    def __str__(self) -> str:
        return self.name.lower()


class Cut(NamedTuple):
    """Cut the pack: `n` cards from the top, 1 to 47, go under the others."""

    n: int
    sign: Sign | None = None


class Look(NamedTuple):
    """Look at the nine cards, with a signal or none."""

    sign: Sign | None = None


class Chant(NamedTuple):
    """Agree to the stock being dealt, or refuse."""

    yes: bool
    sign: Sign | None = None


class Discard(NamedTuple):
    """Put six cards of fifteen aside, face down."""

    cards: tuple[Card, ...]
    sign: Sign | None = None


class Play(NamedTuple):
    """Lead or play a card."""

    card: Card
    sign: Sign | None = None


PLAYS: Final = {card: Play(card) for card in CARDS}
"""Each card played without a signal: most answers are one of these, and need not be made anew."""

Action = Cut | Look | Chant | Discard | Play
