"""What a view says about the cards that its seat does not see: where they may lie, and what the signals say of them.

The hidden cards go into *places* of known size: hands, the others' discards, the stock. `Knowledge` holds them with
all that the seat was truthfully shown. Which of the fitting worlds is drawn is `aluette.sim.worlds`' business.
"""

from collections import Counter
from math import comb
from typing import Final, NamedTuple

from aluette.cards import CARDS, STRENGTH
from aluette.rules.actions import Ask
from aluette.rules.ruleset import RuleSet
from aluette.rules.signals import Signal
from aluette.seats import SEATS, Seat
from aluette.sim import state
from aluette.sim.agreement import plays_of
from aluette.view import SeenSignal, View

__all__ = ["ACE", "Demand", "Knowledge", "Place", "Shown"]

ACE: Final = 11
_NINE: Final = 9
_SIX: Final = 6


class Place(NamedTuple):
    """Somewhere that hidden cards lie: where it begins in a row, how many they are, and whose."""

    start: int
    size: int
    seat: Seat | None
    """None for the stock."""
    most: int = 19
    """The strongest card that may lie here: what was put aside under `lowest` beats nothing that was kept."""
    equals: int = 0
    """How many cards of just that strength its seat has played."""


class Demand(NamedTuple):
    """`number` of the hidden cards of one strength lie in these places, which are indices into `Knowledge.places`."""

    strength: int
    places: tuple[int, ...]
    number: int


class Shown(NamedTuple):
    """A receiver showed its aces before it received six more cards: `number` were among its first nine."""

    places: tuple[int, ...]
    number: int
    played: int
    """How many aces it has played since."""
    named: int
    """How many other cards of those nine are known from signals."""

    def ways(self, aces: int) -> int:
        """In how many ways fifteen cards with so many aces divide into such nine and the six received."""
        others = _NINE + _SIX - self.named - aces
        kept = _NINE - self.named - self.number
        return comb(aces, self.number) * comb(others, kept) if kept >= 0 and others >= 0 else 0


class Knowledge:
    """The hidden cards as one seat knows them.

    `cards` are the hidden strengths, each as often as it is hidden; `places` where they lie, of as many cards
    together. Where `chained` says so, a hand and the discards of the same seat, two places one after the
    other, hold its strongest cards and its weakest. `demands` and `shown` are what signals say.
    """

    def __init__(self, view: View, rules: RuleSet) -> None:
        """Read a view that `aluette.sim.agreement` has verified."""
        self._view = view
        known = {*view.hand, *view.discards, *view.deal.cards}
        self.cards = sorted(STRENGTH[card] for card in CARDS if card not in known)
        self.chained = rules.chant_discard == "lowest"
        self._played = _played_by(view)
        self.places: list[Place] = []
        self._of: dict[Seat, tuple[int, ...]] = {}
        for seat in SEATS:
            if seat is not view.seat:
                self._add_places(seat)
        if not view.deal.stock_dealt:
            self.places.append(Place(state.STOCK, 2 * _SIX, None))
        self.demands: list[Demand] = []
        self.shown: list[Shown] = []
        if rules.truthful:
            for seen in view.seen:
                self._believe(seen)

    def _add_places(self, seat: Seat) -> None:
        """The discards of a seat, if it has made any, then its hand: weakest first."""
        view = self._view
        first = len(self.places)
        hand = _NINE - len(self._played[seat])
        if view.deal.stock_dealt and seat in _receivers(view):
            if view.asked is Ask.DISCARD and seat is view.deal.dealer:
                hand += _SIX  # it discards after us
            else:
                played = [STRENGTH[card] for _, card in self._played[seat]] if self.chained else []
                most = min(played, default=19)
                start = state.DISCARDS + 6 * (seat - 1)
                self.places.append(Place(start, _SIX, seat, most, played.count(most)))
        self.places.append(Place(state.HANDS + 15 * (seat - 1), hand, seat))
        self._of[seat] = tuple(range(first, len(self.places)))

    def _believe(self, seen: SeenSignal) -> None:
        """What the sender held at that moment it holds still, has played since, or has put aside after it."""
        seat = seen.seat
        since = [STRENGTH[card] for index, card in self._played[seat] if index >= seen.played]
        places = self._of[seat][-1:] if seen.ask is Ask.PLAY else self._of[seat]
        if seen.signal is Signal.ACES:
            if self._was_before_stock(seen):
                shown = Shown(places, seen.sign.count, since.count(ACE), len(self._named_before_stock(seat)))
                if any(other.places == places and other.number != shown.number for other in self.shown):
                    self.demands.append(Demand(ACE, places, -1))  # that cannot be
                elif shown not in self.shown:
                    self.shown.append(shown)
            else:
                self.demands.append(Demand(ACE, places, seen.sign.count - since.count(ACE)))
        elif seen.signal.card is not None:
            strength = STRENGTH[seen.signal.card]
            self.demands.append(Demand(strength, places, 1 - since.count(strength)))

    def _was_before_stock(self, seen: SeenSignal) -> bool:
        view = self._view
        return view.deal.stock_dealt and seen.seat in _receivers(view) and seen.ask in (Ask.LOOK, Ask.CHANT)

    def _named_before_stock(self, seat: Seat) -> set[Signal]:
        return {
            seen.signal
            for seen in self._view.seen
            if seen.seat is seat and seen.signal.card is not None and self._was_before_stock(seen)
        }

    def groups(self) -> list[tuple[int, int]]:
        """The hidden cards by kind, as (strength, how many), weakest first; 0 is all that nothing tells apart.

        What a demand or `shown` speaks of is a kind even if none of it is hidden.
        """
        hidden = Counter(self.cards)
        apart = {demand.strength for demand in self.demands} | ({ACE} if self.shown else set[int]())
        if self.chained and any(place.seat and len(self._of[place.seat]) == 2 for place in self.places):
            apart |= set(hidden)
        groups = [(strength, hidden[strength]) for strength in sorted(apart)]
        rest = sum(count for strength, count in hidden.items() if strength not in apart)
        return [*groups, (0, rest)] if rest else groups


def _receivers(view: View) -> tuple[Seat, Seat]:
    return view.deal.dealer.left, view.deal.dealer


def _played_by(view: View) -> dict[Seat, list[tuple[int, int]]]:
    """What each seat has played, as (how many cards had been played before it, the card)."""
    played: dict[Seat, list[tuple[int, int]]] = {seat: [] for seat in SEATS}
    for index, (seat, card) in enumerate(plays_of(view.deal)):
        played[seat].append((index, card))
    return played
