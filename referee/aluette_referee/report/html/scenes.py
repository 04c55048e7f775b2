"""A match as steps for the viewer: what happened, in words, who may know of it, and which cards are where when.

`scenes(record)` gives plain JSON values. The rules of the game end here; the viewer's script only shows and hides:

    {"rules": ..., "deals": [{"number", "dealer", "before": [NS, EW], "score", "hands", "stock", "steps"}, ...]}

    hands   by seat [card, from, to], strongest first: in the hand at the steps from <= step < to of the deal
    stock   [card, to]: on the table before step `to`
    steps   kind, trick (from 1; 0 before the first), turn (who is asked next), all (words), and what the kind needs

`all` is for whoever may know everything. Where there is a `knows`, only its seats see the step: they are told `own`,
or `all` where there is none, and the others are told `others`, or there is no such step for them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from aluette.cards import Card
from aluette.notation import write_cards
from aluette.record import replay
from aluette.rules import Ask, Deal, Draw, Trick
from aluette.rules.deal import deal_hands
from aluette.seats import Seat, Side
from aluette_referee.faults import Fault
from aluette_referee.report.html.signs import named, signal_told
from aluette_referee.report.transcript import result_line, score_line, strongest_first

__all__ = ["scenes"]

Scenes = dict[str, Any]
_ALWAYS: Final = 999
"""More steps than a deal can have."""
_MOVES: Final = {"cut", "vote", "discard", "play"}


def scenes(record: Mapping[str, Any], mended: Sequence[Fault] = ()) -> Scenes:
    """All steps of a match, with the faults that were mended; raises `RecordError` when the record does not hold."""
    match = replay(record)
    totals = dict.fromkeys(Side, 0)
    deals: list[Scenes] = []
    for deal in match.deals:
        builder = _DealScenes(deal, totals, [fault for fault in mended if fault.deal == deal.number])
        if match.draw is not None and deal.number == 1:
            builder.draw(match.draw)
        deals.append(builder.told())
    result = record["result"]
    end: Scenes = {"kind": "end", "all": f"{result_line(result)}.", "totals": [result["NS"], result["EW"]]}
    last: list[Scenes] = deals[-1]["steps"]
    if (fault := result["fault"]) is not None:
        end |= {"kind": "fault", "seat": fault["seat"]}
    last.append({"trick": last[-1]["trick"] if last else 0, "turn": "", **end})
    return {"rules": record["rules"], "deals": deals}


class _DealScenes:
    """The steps of one deal, gathered in the order they happened."""

    def __init__(self, deal: Deal, totals: dict[Side, int], mended: Sequence[Fault]) -> None:
        self._deal = deal
        self._mended = mended
        self._totals = totals
        self._before = _points(totals)
        self._steps: list[Scenes] = []
        self._trick = 0
        self._held: dict[Seat, dict[Card, list[int]]] = {}
        self._stock: dict[Card, int] = {}

    def told(self) -> Scenes:
        deal = self._deal
        if deal.rules.cut == "player":
            self._signals(Ask.CUT, deal.dealer.right)
        if deal.pack:
            self._dealt()
        self._chant()
        for trick in deal.tricks():
            self._plays(trick)
        if deal.phase is None:
            self._score()
        asked = "".join(seat.name for seat in deal.asked)
        for step in reversed(self._steps):
            step["turn"] = asked
            asked = step["seat"] if step["kind"] in _MOVES else asked
        score = deal.score
        return {
            "number": deal.number,
            "dealer": deal.dealer.name,
            "before": self._before,
            "score": {
                "side": score.side.name if score.side else None,
                "points": score.points,
                "kind": score.kind.value,
            },
            "hands": {
                seat.name: [
                    [str(card), *self._held[seat][card]] for card in sorted(held, key=strongest_first)
                ]
                for seat, held in sorted(self._held.items())
            },
            "stock": [[str(card), until] for card, until in self._stock.items()],
            "steps": self._steps,
        }

    def draw(self, draw: Draw) -> None:
        holders = ", ".join(
            f"{holder} drew {named(card)}, and sits {draw.chairs[holder]}"
            for card, holder in draw.holders.items()
        )
        self._add("draw", all=f"Partners are drawn from {draw.first}. {holders}.", cards=_texts(draw.cards))

    def _dealt(self) -> None:
        deal = self._deal
        if deal.rules.cut == "player":
            cutter = deal.dealer.right
            whole = f"{cutter} cuts at {deal.cut}."
            self._add("cut", cutter, all=whole, knows=cutter.name, others=f"{cutter} cuts.")
        words = f"Deal {deal.number}: {deal.dealer} deals nine cards each; twelve are left, the stock."
        cut = f" The pack was cut at {deal.cut}."
        self._add("deal", all=words + cut * (deal.rules.cut == "referee"), knows="", others=words)
        hands, stock = deal_hands(deal.pack, deal.dealer)
        for seat, hand in hands.items():
            self._held[seat] = {card: [self._now, _ALWAYS] for card in hand}
        self._stock = dict.fromkeys(stock, _ALWAYS)

    def _chant(self) -> None:
        deal = self._deal
        for seat in deal.hands:
            self._faults(seat)
        for steps in range(1, 5):
            self._signals(Ask.LOOK, deal.dealer.after(steps))
        for seat, yes in deal.votes:
            self._signals(Ask.CHANT, seat)
            self._add("vote", seat, all=f"{seat} {'agrees to' if yes else 'refuses'} the chant.", yes=yes)
        for seat, cards in deal.received.items():
            self._add(
                "receive",
                seat,
                all=f"{seat} receives {write_cards(cards)} from the stock.",
                knows=seat.name,
                others=f"{seat} receives six cards from the stock.",
            )
            for card in cards:
                self._held[seat][card] = [self._now, _ALWAYS]
                self._stock[card] = self._now
        for seat, cards in deal.discards.items():
            self._signals(Ask.DISCARD, seat)
            self._add(
                "discard",
                seat,
                all=f"{seat} discards {write_cards(cards)}.",
                cards=_texts(cards),
                knows=seat.name,
                others=f"{seat} discards six cards, face down.",
            )
            self._leave(seat, cards)

    def _plays(self, trick: Trick) -> None:
        self._trick += 1
        for place, (seat, card) in enumerate(trick.plays):
            self._faults(seat)
            self._signals(Ask.PLAY, seat, 4 * (self._trick - 1) + place)
            words = f"{seat} {'plays' if place else 'leads'} {named(card)}."
            self._add("play", seat, all=words, card=str(card))
            self._leave(seat, [card])
            if self._trick == 1 and not place:
                self._stock = {card: min(until, self._now) for card, until in self._stock.items()}
        if trick.complete:
            won = "X" if trick.winner is None else trick.winner.name
            self._steps[-1] |= {"winner": won, "all": f"{self._steps[-1]['all']} {self._outcome(trick)}"}

    def _outcome(self, trick: Trick) -> str:
        best = max(card.strength for card in trick.cards)
        top = [card for card in trick.cards if card.strength == best]
        if trick.winner is None:
            again = f"{trick.leader} leads again" if self._trick < 9 else "it is lost to all"
            return f"Spoiled: {' and '.join(map(str, top))} tie; {again}."
        count = self._deal.winners[: self._trick].count(trick.winner)
        return f"{trick.winner} wins with {named(top[0])}: {count} trick{'s' * (count > 1)}."

    def _score(self) -> None:
        deal = self._deal
        if deal.score.side is not None:
            self._totals[deal.score.side] += deal.score.points
        ns, ew = totals = _points(self._totals)
        player = deal.score.player
        self._add("score", player, all=f"{score_line(deal)}. NS {ns}, EW {ew}.", totals=totals)

    def _faults(self, seat: Seat) -> None:
        """Those of a seat that were mended in this trick: nobody else was told."""
        for fault in self._mended:
            if fault.seat is seat and fault.trick == self._trick:
                words = f"{seat} {fault.type}: the referee acts in its place."
                self._add("mended", seat, all=words, knows=seat.name)

    def _signals(self, asked: Ask, seat: Seat, played: int = 0) -> None:
        for made in self._deal.signals:
            if made.ask is asked and made.seat is seat and made.played == played:
                self._add("signal", seat=seat, **signal_told(made, self._deal.rules))

    # -- what is gathered --------------------------------------------------------------------------------

    @property
    def _now(self) -> int:
        return len(self._steps) - 1

    def _add(self, kind: str, seat: Seat | None = None, **told: Any) -> None:
        where = {} if seat is None else {"seat": seat.name}
        self._steps.append({"kind": kind, "trick": self._trick, **where, **told})

    def _leave(self, seat: Seat, cards: Iterable[Card]) -> None:
        for card in cards:
            self._held[seat][card][1] = self._now


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _points(totals: Mapping[Side, int]) -> list[int]:
    return [totals[side] for side in Side]
