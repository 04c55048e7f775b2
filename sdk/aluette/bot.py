"""What a bot author writes: a `Bot`, a `BatchBot`, or a plain function from view to card.

A bot only chooses. It is asked with a `View`, which holds all that its seat may know, and it answers with an
action and, if it likes, a signal to its partner; the referee checks everything. `Bot` teaches the game.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from aluette.cards import Card
from aluette.events import DealEnded, MatchBegun, MatchEnded, SeatFaulted
from aluette.rules.chant import weakest
from aluette.rules.ruleset import RuleSet
from aluette.rules.signals import Sign, Signal
from aluette.seats import Seat
from aluette.view import View

__all__ = [
    "BatchBot", "Bot", "BotFactory", "CardAnswer", "ChantAnswer", "CutAnswer", "DiscardAnswer",
    "MatchState", "PlayFunction", "Signalled",
]  # fmt: skip

Signalled = Signal | Sign | None
"""A signal that comes with an action: `Signal.MADAME`, `aces(2)`, or none."""

CardAnswer = Card | tuple[Card, Signalled]
ChantAnswer = bool | tuple[bool, Signalled]
DiscardAnswer = Iterable[Card] | tuple[Iterable[Card], Signalled]
CutAnswer = int

_HALF_THE_PACK = 24


@dataclass(slots=True, eq=False)
class MatchState:
    """One match from one seat: what stays the same in it, and what has happened.

    `rng` is seeded by the referee: the same match gives the same numbers, so a bot that takes its chance
    from here alone plays the same match twice. `deals` are those that have ended, `faults` what seats did
    wrong without losing the match. `memo` is yours.
    """

    begun: MatchBegun
    rng: random.Random
    deals: list[DealEnded] = field(default_factory=list[DealEnded])
    faults: list[SeatFaulted] = field(default_factory=list[SeatFaulted])
    memo: Any = None

    @property
    def seat(self) -> Seat:
        """Your seat, for the whole match."""
        return self.begun.seat

    @property
    def rules(self) -> RuleSet:
        """The rule set of the match."""
        return self.begun.rules

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits N, E, S, W; empty unless the contest tells names."""
        return self.begun.names


class Bot:
    """One player in one match: write `play`, and whatever else you want to decide yourself.

    The game. You and the player opposite are partners against the other two. A match is five deals; the side
    with more points wins it, equal points are a draw. A deal is nine cards each and nine tricks, and the dealer's
    left leads first. Any card may be led or played: there is no following suit and no trump. The strongest card
    wins the trick, and its player leads the next:

        19 3D Monsieur     15 9C Grand-neuf       11 the aces          7 9S and 9B
        18 3C Madame       14 9D Petit-neuf       10 the kings         6 the eights ... 2 the fours
        17 2D le Borgne    13 2B Deux de chêne     9 the cavalieres    1 3S and 3B
        16 2C la Vache     12 2S Deux d'écrit      8 the valets        (D coins, C cups, S swords, B batons)

    When two or more tie for strongest, partners or not, the trick is *spoiled*: nobody wins it, and the same
    player leads again. Tricks count for each *player* and are never added between partners. The side of the
    player with most scores 1; at equal most, of the one who reached that number first. It scores 2, a
    *mordienne*, when that player's tricks are one unbroken run to the end of the deal, at least two, not all nine.

    The chant: before the first trick each seat from the dealer's left on agrees or refuses, and the first to
    refuse ends it. If all agree, the dealer's left and the dealer get six more cards each, then put six aside.

    Signals: any answer but the cut may come with one. Your partner always sees it, each opponent notices it
    with probability 0.5. At most three of a seat are accepted in a deal, and of those about cards only true
    ones; any other is dropped, which is no fault. This is the standard game: `self.match.rules` says what is
    played, `help(aluette.RuleSet)` what else may be.

    The bot. An instance lives for one match. `self.match` and `self.rng` are there before `__init__` runs,
    which gets the options of the tournament file as keywords. Time spent in `__init__` and `on_match_start`
    counts against the limit for getting ready, not against your first move. An illegal answer, an exception
    or an answer that comes too late loses the match, unless the tournament says otherwise.
    """

    match: MatchState
    rng: random.Random

    def play(self, view: View) -> CardAnswer:
        """Choose any card of `view.hand`, alone or with a signal: `return card, Signal.MADAME`."""
        raise NotImplementedError(
            f"{type(self).__name__} does not say which card to play: write play(self, view)"
        )

    def look(self, view: View) -> Signalled:
        """You first see your nine cards: make a signal, or return None."""
        del view
        return None

    def chant(self, view: View) -> ChantAnswer:
        """Do you agree that the dealer and the dealer's left get six more cards each? All four must.

        See `view.receives_stock`: is it you or your partner who profits, or only the others?
        """
        del view
        return False

    def discard(self, view: View) -> DiscardAnswer:
        """You received six cards of the stock: name six of your fifteen to put aside."""
        return weakest(view.hand)

    def cut(self, view: View) -> CutAnswer:
        """How many cards of the pack, 1 to 47, go under the others (only under `cut = player`)."""
        del view
        return _HALF_THE_PACK

    def on_match_start(self, match: MatchState) -> None:
        """A match begins; `match` is `self.match`."""

    def on_deal_end(self, ended: DealEnded) -> None:
        """A deal was played to its ninth trick."""

    def on_match_end(self, ended: MatchEnded) -> None:
        """The match is over."""


Turns = Sequence[tuple[MatchState, View]]


class BatchBot:
    """A player at many tables at once, for bots that think best in batches, such as neural nets.

    One instance serves the whole process; what belongs to one match goes into its `MatchState.memo`.
    Each method gets all the turns of its kind that are due, as pairs of match state and view, and returns
    as many answers in the same order, each as the method of that name of `Bot` would. An exception fails
    every turn of the call; a whole call must fit into the limit for one move.
    """

    def play(self, turns: Turns) -> Sequence[CardAnswer]:
        """Choose a card for each turn."""
        raise NotImplementedError(
            f"{type(self).__name__} does not say which cards to play: write play(self, turns)"
        )

    def look(self, turns: Turns) -> Sequence[Signalled]:
        """Make a signal, or None, for each first look."""
        return [None] * len(turns)

    def chant(self, turns: Turns) -> Sequence[ChantAnswer]:
        """Agree to the chant or refuse, for each turn."""
        return [False] * len(turns)

    def discard(self, turns: Turns) -> Sequence[DiscardAnswer]:
        """Name the six cards to put aside, for each turn."""
        return [weakest(view.hand) for _, view in turns]

    def cut(self, turns: Turns) -> Sequence[CutAnswer]:
        """Cut each pack, 1 to 47."""
        return [_HALF_THE_PACK] * len(turns)

    def on_match_start(self, match: MatchState) -> None:
        """A match begins."""

    def on_deal_end(self, match: MatchState, ended: DealEnded) -> None:
        """A deal of a match was played to its ninth trick."""

    def on_match_end(self, match: MatchState, ended: MatchEnded) -> None:
        """A match is over."""


PlayFunction = Callable[[View], CardAnswer]
BotFactory = type[Bot] | type[BatchBot] | PlayFunction
"""What `aluette.run` and `aluette.testing` take."""
