"""Worlds: deals that fit all that a seat knows, every pack drawn with exactly equal chances.

`_Count` says in how many ways the hidden cards fit, kind by kind of card, in whole numbers; a world is drawn by going
through the kinds with chances in these proportions, and then shuffling each kind. Nothing is drawn and thrown away.
What a seat knows is read by `aluette.sim.knowledge`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, factorial, prod
from random import Random
from typing import Final, NamedTuple

from aluette.cards import STRENGTH
from aluette.errors import Misuse
from aluette.rules.actions import Ask
from aluette.rules.ruleset import STANDARD, RuleSet
from aluette.sim import state
from aluette.sim.agreement import verify_view
from aluette.sim.arguments import verify_random, whole
from aluette.sim.deals import Deals, played_row
from aluette.sim.generator import generator, shuffle
from aluette.sim.kernel import Ints, integers, kernel, run, zeros
from aluette.sim.knowledge import ACE, Knowledge
from aluette.view import View

__all__ = ["deal_consistent", "draw_worlds"]

_TWELFTHS: Final = 12
"""Of four equal cards some can be chosen in 1, 2, 3, 4 or 6 ways, and this divides by each of them."""


def deal_consistent(view: View, n: int, rng: Random, *, rules: RuleSet = STANDARD) -> Deals:
    """Draw `n` deals that `view` does not tell from the true one, each at the point where its seat is asked.

    The draw is exactly as if packs were shuffled, and discards taken at random from those that the rules allow, until
    all of it fits
    - the cards played, and the seat's own hand and discards;
    - the signals that it saw, under `rules.truthful`: a card that was named, or just so many aces, were held at that
      moment (by who later received of the stock: among the first nine, if it signalled before). USELESS_HAND and
      GOING_FOR_MORDIENNE say nothing, and neither does it that somebody did not signal;
    - `chant_discard = lowest`: what was put aside beats nothing that was kept.
    So every pack is as likely, and with each every choice of discards that was allowed. How well the others play, or
    vote, is not weighed.

    A view at the look gives deals as they are when all have looked. Raises `Misuse` for a view whose seat is not
    asked, or only to cut, that contradicts itself, or that no match under these rules has.
    """
    verify_view(view, rules)
    verify_random(rng)
    return draw_worlds(view, whole("n", n, 0), rng, rules)


def draw_worlds(view: View, n: int, rng: Random, rules: RuleSet) -> Deals:
    """Draw worlds as `deal_consistent` does, of what has been verified."""
    rows = zeros(n * state.ROW)  # first, lest worlds are counted out that no memory holds
    knowledge = Knowledge(view, rules)
    count = _Count(knowledge)
    kinds = [size for _, size in count.groups]
    spread = integers(count.draw(n, rng))
    places = integers([place.start for place in knowledge.places])
    cards = integers(_by_kind(knowledge.cards, [strength for strength, _ in count.groups]))
    row, filled = _row_of(view, knowledge, rules), zeros(len(places) + 1)
    run(_fill, rows, row, places, filled, integers(kinds), cards, spread, generator(rng))
    return Deals(rows, rules)


class _Step(NamedTuple):
    """The ways to spread one kind of card over the places, given the room that is left in them."""

    counts: list[tuple[int, ...]]
    sums: list[int]
    """For each of them and those before it, in how many ways everything fits then."""


class _Count:
    """In how many ways the hidden cards fit, by kind of card and room left in the places.

    Under `lowest` some fifteens leave more choices of what to put aside than others: each choice then weighs as much
    less, in twelfths, so that its pack weighs the same.

    A kind is spread over *units*: a place, or under `lowest` the discards of a seat with its hand. A unit takes its
    cards weakest first, so of a unit of two places only how full it is matters.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self.groups = knowledge.groups()
        self._steps: dict[tuple[int, tuple[int, ...]], _Step] = {}
        self._room = tuple(place.size for place in knowledge.places)
        self._units = self._make_units()
        if not self._ways(0, self._room):
            raise Misuse(
                "no deal fits what this seat has seen: are these the rules of the match, rules=self.match.rules?"
            )

    def _make_units(self) -> list[tuple[int, ...]]:
        units: list[tuple[int, ...]] = []
        places = self._knowledge.places
        for number, place in enumerate(places):
            joined = self._knowledge.chained and place.seat is not None and number
            if joined and places[number - 1].seat is place.seat:
                units[-1] = (number - 1, number)
            else:
                units.append((number,))
        return units

    def draw(self, n: int, rng: Random) -> list[int]:
        """How many cards of each kind lie in each place: kinds by places, once if it is so in all worlds, else n times."""
        path = [self._step(0, self._room)]
        while len(path[-1].sums) == 1 and len(path) < len(self.groups):
            path.append(self._step(len(path), _less(self._room, *(step.counts[0] for step in path))))
        if all(len(step.sums) == 1 for step in path):
            return [count for step in path for count in step.counts[0]]
        return [count for _ in range(n) for counts in self._draw_one(rng) for count in counts]

    def _draw_one(self, rng: Random) -> Iterator[tuple[int, ...]]:
        room = self._room
        for group in range(len(self.groups)):
            counts, sums = self._step(group, room)
            chosen = 0 if len(sums) == 1 else bisect_right(sums, rng.randrange(sums[-1]))
            yield counts[chosen]
            room = _less(room, counts[chosen])

    def _step(self, group: int, room: tuple[int, ...]) -> _Step:
        """The ways for one kind, each with the ways that are then left for the others; they are counted once."""
        if (known := self._steps.get((group, room))) is not None:
            return known
        strength, size = self.groups[group]
        counts: list[tuple[int, ...]] = []
        ways: list[int] = []
        for spread in self._spreads(size, room):
            here = self._weight(strength, size, spread, room)
            if here and (rest := self._ways(group + 1, _less(room, spread))):
                counts.append(spread)
                ways.append(here * rest)
        step = self._steps[group, room] = _Step(counts, list(accumulate(ways)))
        return step

    def _ways(self, group: int, room: tuple[int, ...]) -> int:
        if group == len(self.groups):
            return 1
        sums = self._step(group, room).sums
        return sums[-1] if sums else 0

    def _spreads(self, size: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every way to put so many like cards into the units: how many into each place."""
        if sum(room) == size:
            yield room
            return
        taken = [0] * len(room)

        def fill(unit: int, left: int) -> Iterator[tuple[int, ...]]:
            if unit == len(self._units):
                if not left:
                    yield tuple(taken)
                return
            places = self._units[unit]
            for number in range(min(left, sum(room[place] for place in places)) + 1):
                rest = number
                for place in places:
                    taken[place] = min(rest, room[place])
                    rest -= taken[place]
                yield from fill(unit + 1, left - number)

        yield from fill(0, size)

    def _weight(self, strength: int, size: int, spread: Sequence[int], room: Sequence[int]) -> int:
        """In how many ways cards of this kind can be chosen for such a spread; 0 if what is known forbids it."""
        knowledge = self._knowledge
        for place, count in zip(knowledge.places, spread, strict=True):
            if count and strength > place.most:
                return 0
        for demand in knowledge.demands:
            if demand.strength == strength and sum(spread[place] for place in demand.places) != demand.number:
                return 0
        ways = factorial(size) // prod(map(factorial, spread))
        for unit in self._units:
            aside = spread[unit[0]]
            if len(unit) == 2 and 0 < aside == room[unit[0]]:  # this kind is the strongest that was put aside
                place = knowledge.places[unit[0]]
                alike = aside + spread[unit[1]] + (place.equals if strength == place.most else 0)
                ways *= _TWELFTHS // comb(alike, aside)
        if strength == ACE:
            for shown in knowledge.shown:
                ways *= shown.ways(shown.played + sum(spread[place] for place in shown.places))
        return ways


def _less(room: tuple[int, ...], *taken: Sequence[int]) -> tuple[int, ...]:
    return tuple(size - sum(counts) for size, *counts in zip(room, *taken, strict=True))


def _by_kind(cards: Sequence[int], kinds: Sequence[int]) -> list[int]:
    """The hidden strengths in the order of their kinds; 0 is every other strength."""
    return sorted(cards, key=lambda card: kinds.index(card if card in kinds else 0))


def _row_of(view: View, knowledge: Knowledge, rules: RuleSet) -> Ints:
    """The row of a deal with all that the view shows, and room for what is hidden."""
    deal, me = view.deal, view.seat - 1
    agreed = sum(vote.yes for vote in deal.votes)
    row = played_row(rules, deal.dealer, agreed, [STRENGTH[card] for card in deal.cards])
    for start, cards in ((state.HANDS + 15 * me, view.hand), (state.DISCARDS + 6 * me, view.discards)):
        for slot, card in enumerate(cards):
            row[start + slot] = STRENGTH[card]
    row[state.SIZE + me] = len(view.hand)
    for place in knowledge.places:
        if place.seat is not None and place.start < state.DISCARDS:
            row[state.SIZE + place.seat - 1] = place.size
    if view.asked is Ask.LOOK:
        # 0: the stock is dealt at once, when it is there.
        row[state.PHASE] = {"ask": int(Ask.CHANT), "off": int(Ask.PLAY), "always": 0}[rules.chant]
    else:
        row[state.PHASE] = int(view.asked or 0)
        row[state.TURN] = me
    return row


@kernel
def _fill(  # noqa: PLR0917 - a kernel takes no keywords
    rows: Ints, row: Ints, places: Ints, filled: Ints, kinds: Ints, cards: Ints, spread: Ints, words: Ints
) -> None:
    """Make each row of `row` and the hidden cards: each kind shuffled, and put into the places as `spread` says."""
    one = len(kinds) * len(places)
    used = len(places)  # where `filled` counts the cards that have gone
    for index in range(len(rows) // state.ROW):
        at = index * state.ROW
        state.copy(row, len(row) - state.ROW, rows, at, state.ROW)
        counts = index * one if len(spread) > one else 0
        filled[used] = 0
        for place in range(len(places)):
            filled[place] = at + places[place]
        for kind in range(len(kinds)):
            shuffle(words, cards, filled[used], kinds[kind])
            for place in range(len(places)):
                for _ in range(spread[counts + kind * len(places) + place]):
                    rows[filled[place]] = cards[filled[used]]
                    filled[place] += 1
                    filled[used] += 1
        if row[state.PHASE] == 0:
            state.give_stock(rows, at)
