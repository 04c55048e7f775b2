"""Signals between partners: the table, and which of them are accepted.

A signal is never a fault. One that is past the bound, untrue where truth is asked for, or makes no
sense is *dropped*: it has no effect, and its sender is told. Who notices an accepted one is drawn
elsewhere (`aluette.rules.deal` asks the source of luck); this file only judges.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from aluette.cards import Card, Rank
from aluette.rules.ruleset import RuleSet

__all__ = ["GESTURES", "SHOWN_CARD", "Drop", "Sign", "Signal", "aces", "judge"]


class Signal(IntEnum):
    """What a seat may tell its partner, about the hand as it is before the action that it comes with.

    MONSIEUR, MADAME, BORGNE, VACHE: I hold that luette: 3D, 3C, 2D, 2C.
    GRAND_NEUF, PETIT_NEUF, DEUX_DE_CHENE, DEUX_DECRIT: I hold that double: 9C, 9D, 2B, 2S.
    ACES: I hold that many aces, no more and no fewer; made with `aluette.aces(n)`, n from 1 to 4.
    USELESS_HAND: my hand is worthless. GOING_FOR_MORDIENNE: I try for the mordienne.
    UNKNOWN: a number from the wire that is no signal; it is always dropped.

    Under `truthful`, the default, a signal about cards that are not held so is dropped. The two that state an
    intention, USELESS_HAND and GOING_FOR_MORDIENNE, are never checked.
    """

    UNKNOWN = 0
    MONSIEUR = 1
    MADAME = 2
    BORGNE = 3
    VACHE = 4
    GRAND_NEUF = 5
    PETIT_NEUF = 6
    DEUX_DE_CHENE = 7
    DEUX_DECRIT = 8
    ACES = 9
    USELESS_HAND = 10
    GOING_FOR_MORDIENNE = 11

    @property
    def card(self) -> Card | None:
        """The card that the signal says its sender holds, if it names one."""
        return SHOWN_CARD.get(self)

    @property
    def gesture(self) -> str:
        """What a player at the table does."""
        return GESTURES[self]

    def __str__(self) -> str:
        return self.name


SHOWN_CARD: Final[dict[Signal, Card]] = {
    Signal.MONSIEUR: Card.D3,
    Signal.MADAME: Card.C3,
    Signal.BORGNE: Card.D2,
    Signal.VACHE: Card.C2,
    Signal.GRAND_NEUF: Card.C9,
    Signal.PETIT_NEUF: Card.D9,
    Signal.DEUX_DE_CHENE: Card.B2,
    Signal.DEUX_DECRIT: Card.S2,
}

GESTURES: Final[dict[Signal, str]] = {
    Signal.UNKNOWN: "does something that means nothing",
    Signal.MONSIEUR: "looks up, head still",
    Signal.MADAME: "tilts the head",
    Signal.BORGNE: "winks",
    Signal.VACHE: "purses the lips",
    Signal.GRAND_NEUF: "sticks out the thumb",
    Signal.PETIT_NEUF: "sticks out the little finger",
    Signal.DEUX_DE_CHENE: "sticks out the index finger",
    Signal.DEUX_DECRIT: "sticks out the ring finger",
    Signal.ACES: "opens the mouth once for each",
    Signal.USELESS_HAND: "shrugs",
    Signal.GOING_FOR_MORDIENNE: "bites the lip",
}


@dataclass(frozen=True, slots=True)
class Sign:
    """A signal as made: which, and for `ACES` how many (1-4; 0 for every other signal)."""

    signal: Signal
    count: int = 0

    def __str__(self) -> str:
        return f"{self.signal.name}({self.count})" if self.count else self.signal.name


def aces(count: int) -> Sign:
    """The sign "I hold `count` aces"."""
    return Sign(Signal.ACES, count)


class Drop(IntEnum):
    """Why a signal had no effect."""

    OFF = 1
    """The rules have no signals, or not at that moment (with the cut)."""
    MALFORMED = 2
    """No signal at all, `ACES` without a count from 1 to 4, or a count with another signal."""
    UNTRUE = 3
    """The hand does not hold what the signal says, and the rules ask for the truth."""
    BOUND = 4
    """The seat has made all its signals of this deal."""


def judge(rules: RuleSet, hand: Collection[Card], accepted: int, sign: Sign) -> Drop | None:
    """Why `sign` is dropped, or None when it is accepted.

    `hand` is the hand before the action that the signal comes with, `accepted` how many signals of
    that seat were accepted before in this deal.
    """
    if not rules.signals:
        return Drop.OFF
    if not _is_well_formed(sign):
        return Drop.MALFORMED
    if rules.truthful and not _holds(hand, sign):
        return Drop.UNTRUE
    if accepted >= rules.signals_per_deal:
        return Drop.BOUND
    return None


def _is_well_formed(sign: Sign) -> bool:
    if sign.signal is Signal.ACES:
        return 1 <= sign.count <= 4
    return sign.signal is not Signal.UNKNOWN and sign.count == 0


def _holds(hand: Collection[Card], sign: Sign) -> bool:
    if sign.signal is Signal.ACES:
        return sum(card.rank is Rank.ACE for card in hand) == sign.count
    card = SHOWN_CARD.get(sign.signal)
    return card is None or card in hand
