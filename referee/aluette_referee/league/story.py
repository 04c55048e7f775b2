"""What spectators may know of a match that is being played: cards as they are played, tricks, scores. Pure.

Never a hand, a signal, a vote or a discard: those of a side's partner may look on. What a story tells is JSON's.
"""

from collections.abc import Iterator
from typing import Any

from aluette.rules import Deal, Match
from aluette.seats import SEATS
from aluette.view import PublicDeal, deal_ended, public_deal

__all__ = ["Story"]


class Story:
    """Tells a match from its beginning; `more` gives what has happened since it was last asked."""

    def __init__(self, match: Match) -> None:
        """Nothing is told yet."""
        self._match = match
        self._deal = 0
        self._begun = False
        self._cards = 0

    def more(self) -> Iterator[dict[str, Any]]:
        """What has happened: deals, cards, tricks and scores, in order."""
        while self._deal < len(self._match.deals):
            deal = self._match.deals[self._deal]
            finished = deal.phase is None
            public = deal_ended(self._match, deal).deal if finished else public_deal(self._match)
            if not self._begun:
                self._begun = True
                yield {"event": "deal", "deal": deal.number, "dealer": deal.dealer.name}
            yield from self._played(public)
            if not finished:
                return
            yield self._score(deal)
            self._deal, self._begun, self._cards = self._deal + 1, False, 0

    def _played(self, public: PublicDeal) -> Iterator[dict[str, Any]]:
        leaders = [public.dealer.left]
        for winner in public.winners:
            leaders.append(winner or leaders[-1])
        while self._cards < len(public.cards):
            trick, place = divmod(self._cards, 4)
            card, seat = public.cards[self._cards], SEATS[(leaders[trick] - 1 + place) % 4]
            self._cards += 1
            yield {"event": "card", "trick": trick + 1, "seat": seat.name, "card": str(card)}
            if place == 3:
                taken = public.winners[trick]
                yield {"event": "trick", "trick": trick + 1, "winner": None if taken is None else taken.name}

    def _score(self, deal: Deal) -> dict[str, Any]:
        score, points = deal.score, self._match.running[deal.number]
        side = None if score.side is None else score.side.name
        return {
            "event": "score",
            "deal": deal.number,
            "side": side,
            "points": score.points,
            "kind": score.kind.value,
            "NS": points.ns,
            "EW": points.ew,
        }
