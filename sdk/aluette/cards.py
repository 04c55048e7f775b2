"""The forty-eight cards: their suits, ranks, strengths and names.

A card *is* its number on the wire (1-48, suit by suit, ace to king), so that codecs, packs and
records need no tables of their own. Suits never matter in play except to name eight cards: compare
cards by `strength`. What happens when strengths tie is `aluette.rules.trick`'s business.
"""

from enum import IntEnum
from typing import Final

__all__ = ["CARDS", "NAMED", "PACK_SIZE", "STRENGTH", "TEXT", "Card", "Rank", "Suit"]

PACK_SIZE: Final = 48


class Suit(IntEnum):
    """The four suits of the Spanish pack, in the order of the card numbers."""

    COINS = 0
    CUPS = 1
    SWORDS = 2
    BATONS = 3

    @property
    def letter(self) -> str:
        """`D` (coins, "deniers"), `C` (cups), `S` (swords) or `B` (batons)."""
        return "DCSB"[self]


class Rank(IntEnum):
    """Ranks as printed on the cards; J is the valet, Q the mounted cavaliere, K the king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    VALET = 10
    CAVALIERE = 11
    KING = 12

    @property
    def letter(self) -> str:
        """`A`, `2` ... `9`, `J`, `Q` or `K`."""
        return "A23456789JQK"[self - 1]


class Card(IntEnum):
    """One card. Its integer value is its number on the wire; ordering by it means nothing in play.

    suit: COINS, CUPS, SWORDS or BATONS, a `Suit`; it only matters for which eight cards have a name.
    rank: ACE, TWO ... NINE, VALET, CAVALIERE or KING, a `Rank`.
    strength: how it ranks in a trick, 19 (Monsieur) down to 1; equal strengths, 11 (the aces) and below, tie.
    title: its own name, such as "Madame"; "" for the forty cards without one.

    In text a card is rank then suit initial, `3D` or `QC`: `str(card)` writes that, `Card.parse` and
    `Card("3D")` read it. `Card["D3"]`, `Card.D3` are the members' Python names (a name
    cannot begin with a digit, so the suit comes first there).
    """

    DA, D2, D3, D4, D5, D6, D7, D8, D9, DJ, DQ, DK = range(1, 13)
    CA, C2, C3, C4, C5, C6, C7, C8, C9, CJ, CQ, CK = range(13, 25)
    SA, S2, S3, S4, S5, S6, S7, S8, S9, SJ, SQ, SK = range(25, 37)
    BA, B2, B3, B4, B5, B6, B7, B8, B9, BJ, BQ, BK = range(37, 49)

    @property
    def suit(self) -> Suit:
        """Coins, cups, swords or batons."""
        return Suit((self - 1) // 12)

    @property
    def rank(self) -> Rank:
        """Ace to king."""
        return Rank((self - 1) % 12 + 1)

    @property
    def strength(self) -> int:
        """How the card ranks in a trick: 19 (Monsieur) down to 1 (the plain threes).

        Cards of equal strength tie; only strengths of 11 (the aces) and below are shared.
        """
        return STRENGTH[self]

    @property
    def title(self) -> str:
        """The card's own name, such as "Madame", or "" for the forty cards without one."""
        return NAMED.get(self, "")

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read `3D`, `qc`, `AB`; raises `ValueError` with a sentence when it is no card."""
        card = _BY_TEXT.get(text.strip().upper())
        if card is None:
            raise ValueError(f"{text!r} is no card: write a rank (A 2-9 J Q K), then a suit (D C S B)")
        return card

    @classmethod
    def _missing_(cls, value: object) -> "Card | None":
        return cls.parse(value) if isinstance(value, str) else None

    def __str__(self) -> str:
        return TEXT[self]

    def __repr__(self) -> str:
        return TEXT[self]

    def __format__(self, spec: str) -> str:
        return format(TEXT[self], spec)


NAMED: Final[dict[Card, str]] = {
    Card.D3: "Monsieur",
    Card.C3: "Madame",
    Card.D2: "le Borgne",
    Card.C2: "la Vache",
    Card.C9: "Grand-neuf",
    Card.D9: "Petit-neuf",
    Card.B2: "Deux de chêne",
    Card.S2: "Deux d'écrit",
}
"""The eight cards that stand alone, strongest first: four luettes, then four doubles."""


def _strength(card: Card) -> int:
    if card in NAMED:
        return 19 - list(NAMED).index(card)
    court = {Rank.ACE: 11, Rank.KING: 10, Rank.CAVALIERE: 9, Rank.VALET: 8}
    return court.get(card.rank, card.rank - 2)


CARDS: Final[tuple[Card, ...]] = tuple(Card)
"""All cards by number; `CARDS[n - 1]` is card number n."""

STRENGTH: Final[tuple[int, ...]] = (0, *map(_strength, CARDS))
"""Strength by card number (index 0 is no card), for code that cannot afford a property."""

TEXT: Final = {card: card.rank.letter + card.suit.letter for card in CARDS}
"""How each card is written, for code that cannot afford a call."""

_BY_TEXT: Final = {text: card for card, text in TEXT.items()}
