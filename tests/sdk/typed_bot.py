"""A bot author's code that uses all of the public API: checked by `mypy --strict`, and played.

A `type: ignore` here is a mistake that the types catch: were one not caught, mypy would call the comment
unused.
"""

from collections.abc import Iterable, Sequence
from typing import assert_type

import aluette
from aluette import Bot, Card, MatchState, Rank, Sign, Signal, View
from aluette.packs import BlockKey
from aluette.record import Record, digest, replay
from aluette.rules import Deal, Match
from aluette.testing import Score, play_blocks, play_match

__all__ = ["Author", "Batches", "BatchesWithSignals", "by_function", "signalling", "use_everything"]


class Author(Bot):
    """Every method, each with one of the types that it may return."""

    def __init__(self, *, level: int = 1) -> None:
        """Take an option, with the match and the rng already there."""
        self.level = level
        assert_type(self.match, MatchState)
        self.start = self.rng.random()

    def play(self, view: View) -> tuple[Card, Sign | None]:
        """A card with a signal."""
        assert_type(view.hand, tuple[Card, ...])
        assert_type(view.trick.plays, tuple[tuple[aluette.Seat, Card], ...])
        assert_type(view.points, tuple[int, int])
        assert_type(view.time_left, float | None)
        for seen in view.seen:
            assert_type(seen.signal, Signal)
        held = sum(card.rank is Rank.ACE for card in view.hand)
        best = max(view.hand, key=lambda card: card.strength)
        return best, aluette.aces(held) if held else None

    def look(self, view: View) -> Signal | None:
        """A signal by its name."""
        return Signal.MADAME if Card.C3 in view.hand else None

    def chant(self, view: View) -> bool:
        """A vote alone."""
        return view.receives_stock

    def discard(self, view: View) -> Iterable[Card]:
        """Any iterable of cards."""
        return iter(aluette.weakest(view.hand))

    def cut(self, view: View) -> int:
        """A number."""
        return 20 + view.seat

    def on_match_start(self, match: MatchState) -> None:
        """What is there at the beginning."""
        assert_type(match.rules, aluette.RuleSet)
        match.memo = {"anything": 1}

    def on_deal_end(self, ended: aluette.DealEnded) -> None:
        """What a deal's end says."""
        assert_type(ended.totals.of(self.match.seat.side), int)
        assert_type(ended.score.side, aluette.Side | None)

    def on_match_end(self, ended: aluette.MatchEnded) -> None:
        """What a match's end says."""
        assert_type(ended.reason, aluette.Reason)


class Batches(aluette.BatchBot):
    """Many tables at once."""

    def play(self, turns: Sequence[tuple[MatchState, View]]) -> list[Card]:
        """One card for each turn."""
        return [view.hand[0] for _, view in turns]


class BatchesWithSignals(aluette.BatchBot):
    """The same with signals."""

    def play(self, turns: Sequence[tuple[MatchState, View]]) -> list[tuple[Card, Signal]]:
        """One card and signal for each turn."""
        return [(view.hand[0], Signal.USELESS_HAND) for _, view in turns]

    def chant(self, turns: Sequence[tuple[MatchState, View]]) -> list[bool]:
        """One vote for each turn."""
        return [match.seat is view.deal.dealer for match, view in turns]


def by_function(view: View) -> Card:
    """A function is a bot too."""
    ahead = aluette.strongest(view.trick.cards) if view.trick.cards else None
    assert_type(ahead, int | None)
    return view.hand[-1]


def signalling(view: View) -> tuple[Card, Signal]:
    """Also one that signals."""
    return view.hand[0], Signal.GOING_FOR_MORDIENNE


class Mistaken(Bot):
    """What the types catch."""

    def play(self, view: View) -> str:  # type: ignore[override]
        """A text is no card."""
        return str(view.hand[0])

    def chant(self, view: View) -> int:  # type: ignore[override]
        """A number is no vote."""
        return len(view.hand)

    def look(self, view: View) -> bool:  # type: ignore[override]
        """A vote is no signal."""
        return bool(view.hand)


def use_everything() -> tuple[Record, Score]:
    """Play them all."""
    record = play_match(
        [Author, by_function, Batches, signalling],
        seed=1,
        rules=aluette.RuleSet(deals=2, notice=0.25),
        options=[{"level": 2}, {}, {}, {}],
    )
    play_match(["lowest", BatchesWithSignals, "random", Author], key=BlockKey(bytes(32)))
    match = replay(record)
    assert_type(match, Match)
    assert_type(match.deals, list[Deal])
    assert_type(match.winner, aluette.Side | None)
    assert_type(digest(record), str)
    return record, play_blocks([Author, Author], [by_function, Batches], blocks=1)


def never() -> None:
    """What the last line of a program may be, and may not."""
    aluette.run(Author, name="Author", version="1")
    aluette.run(by_function)
    aluette.run(Batches, capacity=64)
    aluette.run(Author())  # type: ignore[arg-type]
    aluette.RuleSet(chant="sometimes")  # type: ignore[arg-type]
    aluette.RuleSet(deal=5)  # type: ignore[call-arg]
    play_match([5])  # type: ignore[list-item]
