"""A match: deals with the dealer going round, until there is a winner or a draw.

The rulebook's front door. A `Match` says who is asked what, takes actions, and knows the totals; it
never knows what a seat may see (`aluette.view`), nor time, faults or the network.
"""

from typing import Final

from aluette.rules.actions import Action, Ask
from aluette.rules.deal import Deal, Luck
from aluette.rules.draw import Draw, draw_partners
from aluette.rules.ruleset import RuleSet
from aluette.rules.scoring import Points
from aluette.seats import SEATS, Seat, Side

__all__ = ["MAX_EXTRA_DEALS", "Match"]

MAX_EXTRA_DEALS: Final = 20


class Match:
    """The state of a match. Read its attributes freely; change it only through `do`.

    `deals` holds all deals begun, and `deal` is the last of them, under way unless the match is `over`. `running` are
    the points after none of the deals, after the first, and so on: before deal n they are `running[n - 1]`.
    The first dealer deals the first and every fourth deal after it.
    """

    __slots__ = ("_luck", "deal", "deals", "draw", "first_dealer", "rules", "running")

    def __init__(self, rules: RuleSet, luck: Luck, *, first_dealer: Seat = Seat.N) -> None:
        """Begin the first deal.

        With `seating = draw` the partners are drawn first, from seat `first_dealer`, and Madame's chair
        deals: whoever brought four players to the table seats them by `chairs`.
        """
        self.rules = rules
        drawn = rules.seating == "draw"
        self.draw: Draw | None = draw_partners(luck.draw_pack(), first_dealer) if drawn else None
        self.first_dealer = self.draw.first_dealer if self.draw else first_dealer
        self.running = [Points(0, 0)]
        self._luck = luck
        self.deals: list[Deal] = []
        self._next_deal()

    @property
    def chairs(self) -> dict[Seat, Seat]:
        """Where the player who was brought for each seat sits: there, unless the partners were drawn."""
        return self.draw.chairs if self.draw else {seat: seat for seat in SEATS}

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats whose answer is awaited; empty when the match is over."""
        return self.deal.asked

    @property
    def ask(self) -> Ask | None:
        """What they are asked; None when the match is over."""
        return self.deal.phase

    @property
    def over(self) -> bool:
        """Whether the match is decided, or drawn."""
        return self.deal.phase is None

    @property
    def totals(self) -> dict[Side, int]:
        """The points of both sides in the deals that are over."""
        return dict(zip(Side, self.running[-1], strict=True))

    @property
    def winner(self) -> Side | None:
        """The side ahead; None at equal totals (a draw, when the match is over)."""
        ns, ew = self.running[-1]
        return None if ns == ew else Side.NS if ns > ew else Side.EW

    def verify(self, seat: Seat, action: Action) -> None:
        """Raise `IllegalAction` with a sentence unless `seat` may do `action` now."""
        self.deal.verify(seat, action)

    def can(self, seat: Seat, action: Action) -> bool:
        """Whether `seat` may do `action` now."""
        return self.deal.can(seat, action)

    def do(self, seat: Seat, action: Action) -> None:
        """Do `action` for `seat`; raises `IllegalAction` and changes nothing when it is not legal."""
        deal = self.deal
        deal.do(seat, action)
        if deal.phase is None:
            self.running.append(self.running[-1].plus(deal.score))
            if not self._decided():
                self._next_deal()

    def finished(self) -> list[Deal]:
        """The deals played to the end."""
        return [deal for deal in self.deals if deal.phase is None]

    def _decided(self) -> bool:
        played = len(self.deals)
        if played < self.rules.deals:
            return False
        if self.rules.tie == "draw" or self.winner is not None:
            return True
        return played >= self.rules.deals + MAX_EXTRA_DEALS

    def _next_deal(self) -> None:
        number = len(self.deals) + 1
        self.deal = Deal(self.rules, number, self.first_dealer.after(number - 1), self._luck)
        self.deals.append(self.deal)
