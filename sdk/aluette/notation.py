"""Cards, tricks and deals as one line of text each, and back.

    card     3D
    cards    3D QC AB                      one space between
    tricks   QB 2D KC KS / 6D 2B QS 7D     four cards each in playing order, the last perhaps fewer
    results  NEXNWWWWW                     the winner of each trick, X for a spoiled one
    deal     S | QB 2D KC KS / ... | NEX   dealer, tricks, results

Reading raises `NotationError` with what is wrong and where. Writing then reading gives the same value.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aluette.cards import Card
from aluette.errors import NotationError
from aluette.rules.deal import Deal
from aluette.seats import Seat
from aluette.view import PublicDeal

__all__ = [
    "DealLine", "read_cards", "read_deal", "read_results", "read_seat", "read_tricks", "write_cards",
    "write_deal", "write_results", "write_tricks",
]  # fmt: skip


class DealLine(NamedTuple):
    """What the text of a deal says: the dealer, all cards in playing order, the winner of each trick."""

    dealer: Seat
    cards: tuple[Card, ...]
    winners: tuple[Seat | None, ...]


def write_cards(cards: Iterable[Card]) -> str:
    """`3D QC AB`."""
    return " ".join(str(card) for card in cards)


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards with white space between them; no card twice."""
    cards: list[Card] = []
    for place, word in enumerate(text.split(), start=1):
        try:
            card = Card.parse(word)
        except ValueError as error:
            raise NotationError(f"card {place}: {error}") from None
        if card in cards:
            raise NotationError(f"card {place}: {card} is there twice")
        cards.append(card)
    return tuple(cards)


def write_tricks(cards: Sequence[Card]) -> str:
    """Cards in playing order, four a trick: `QB 2D KC KS / 6D 2B`."""
    return " / ".join(write_cards(cards[start : start + 4]) for start in range(0, len(cards), 4))


def read_tricks(text: str) -> tuple[Card, ...]:
    """Read tricks; every one but the last has four cards."""
    parts = text.split("/")
    for number, part in enumerate(parts, start=1):
        count = len(part.split())
        if count > 4 or (count < 4 and number < len(parts)):
            raise NotationError(f"trick {number} has {count} cards, not 4")
    cards = read_cards(text.replace("/", " "))
    if len(cards) > 36:
        raise NotationError(f"a deal has nine tricks, not {len(parts)}")
    return cards


def write_results(winners: Iterable[Seat | None]) -> str:
    """`NEXNWWWWW`: the winner of each trick, X for a spoiled one."""
    return "".join("X" if winner is None else winner.name for winner in winners)


def read_results(text: str) -> tuple[Seat | None, ...]:
    """Read up to nine letters N E S W X."""
    letters = text.strip().upper()
    if len(letters) > 9:
        raise NotationError(f"{text!r} has {len(letters)} letters; a deal has nine tricks")
    return tuple(None if letter == "X" else read_seat(letter) for letter in letters)


def read_seat(text: str) -> Seat:
    """Read N, E, S or W."""
    try:
        return Seat[text.strip().upper()]
    except KeyError:
        raise NotationError(f"{text!r} is no seat: write N, E, S or W") from None


def write_deal(deal: Deal | PublicDeal | DealLine) -> str:
    """One line for a deal, complete or not."""
    cards = deal.played if isinstance(deal, Deal) else deal.cards
    return " | ".join((deal.dealer.name, write_tricks(cards), write_results(deal.winners)))


def read_deal(text: str) -> DealLine:
    """Read a line that `write_deal` wrote."""
    parts = text.split("|")
    if len(parts) != 3:
        raise NotationError(f"{text!r} is no deal: write dealer | tricks | results")
    return DealLine(read_seat(parts[0]), read_tricks(parts[1]), read_results(parts[2]))
