"""Many deals side by side, stepped together: what learning bots train on, and what searching bots draw their worlds into.

`Deals` verifies what it is given and hands it to the kernels of `aluette.sim.state`, which know the rules. All that it
returns is flat arrays of integers, one piece after the other for each deal, in the order of the deals.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from aluette.cards import STRENGTH
from aluette.errors import IllegalAction, Misuse
from aluette.rules.ruleset import STANDARD, RuleSet
from aluette.seats import SEATS, Seat
from aluette.sim import observation, state
from aluette.sim.arguments import (
    actions_of,
    items,
    pack_of,
    seat_of,
    seats_of,
    verify_random,
    verify_rows,
    verify_rules,
    whole,
)
from aluette.sim.generator import generator, shuffle
from aluette.sim.kernel import Ints, integers, kernel, run, zeros

__all__ = ["ACTIONS", "AGREE", "REFUSE", "Deals", "blank", "played_row"]

ACTIONS: Final = 21
"""How many actions there are: 0 refuses the chant, 20 agrees, 1 to 19 is a card of that strength."""
REFUSE: Final = 0
AGREE: Final = 20

_PACK: Final = 48
_ASKING: Final = {"off": 0, "ask": 1, "always": 2}


class Deals:
    """So many deals, each at its own point, under one rule set; change them only through `step` and `play_out`.

    Each deal is at the chant, the discards or the play, or over. A seat that received of the stock puts its six cards
    aside one at a time. There are no signals and no cut. `rows` is the whole state (`aluette.sim.state` says what is
    where); it holds every hand, so what a player may know is in `observations` alone.
    """

    __slots__ = ("rows", "rules", "size")

    def __init__(self, rows: Ints, rules: RuleSet) -> None:
        """Take rows as they are, whatever is in them; deals begin with `Deals.random` or `Deals.of_packs`."""
        verify_rows(rows, state.ROW)
        verify_rules(rules)
        self.rows = rows
        self.rules = rules
        self.size = len(rows) // state.ROW

    @classmethod
    def random(
        cls, size: int, rng: Random, *, rules: RuleSet = STANDARD, dealers: Sequence[Seat] = SEATS
    ) -> "Deals":
        """Deal so many shuffled packs, every order as likely; the dealers go round through `dealers`."""
        verify_random(rng)
        deals = cls._blank(whole("size", size, 0), rules, dealers)
        run(_begin_shuffled, deals.rows, integers(STRENGTH[1:]), generator(rng))
        return deals

    @classmethod
    def of_packs(
        cls, packs: Sequence[Sequence[int]], dealers: Sequence[Seat], *, rules: RuleSet = STANDARD
    ) -> "Deals":
        """Deal these packs: 48 cards each (or their numbers), top first, after the cut; the dealers go round."""
        read = [pack_of(pack) for pack in items("packs", packs, "packs, 48 cards each")]
        deals = cls._blank(len(read), rules, dealers)
        run(_begin, deals.rows, integers([strength for pack in read for strength in pack]))
        return deals

    @classmethod
    def _blank(cls, size: int, rules: RuleSet, dealers: Sequence[Seat]) -> "Deals":
        verify_rules(rules)
        numbers = integers([dealer - 1 for dealer in seats_of("dealers", dealers)])
        rows = zeros(size * state.ROW)
        run(_repeat, rows, blank(rules), numbers)
        return cls(rows, rules)

    def copy(self) -> "Deals":
        """The same deals once more, to be played on differently."""
        return Deals(integers(self.rows), self.rules)

    # -- whose turn it is ------------------------------------------------------------------------

    def to_play(self) -> Ints:
        """Whose turn it is in each deal, by the numbers of `Seat`; 0 when it is over. Shape (size,)."""
        return self._asked(0)

    def asked(self) -> Ints:
        """What is asked, by the numbers of `Ask`: 3 chant, 4 discard, 5 play; 0 when it is over. Shape (size,)."""
        return self._asked(1)

    def _asked(self, what: int) -> Ints:
        found = zeros(self.size)
        run(_find_asked, self.rows, found, what)
        return found

    def legal_actions(self) -> Ints:
        """1 for each action that is legal, else 0; none when a deal is over. Shape (size, 21)."""
        mask = zeros(self.size * ACTIONS)
        run(_mark_legal, self.rows, mask)
        return mask

    def observations(self) -> Ints:
        """What the seat to play may know, as `aluette.sim.observation` says. Shape (size, OBSERVATION)."""
        seen = zeros(self.size * observation.OBSERVATION)
        run(observation.observe_all, self.rows, seen)
        return seen

    # -- playing on ------------------------------------------------------------------------------

    def step(self, actions: Sequence[int] | Ints) -> None:
        """Do one action in each deal; deals that are over take any and stay as they are. Shape (size,).

        A card is its strength, at a play and at the discards: a `Card` or its number is none. Raises `IllegalAction`, naming the first deal, and changes nothing when one is not legal.
        """
        chosen = actions_of(actions)
        if len(chosen) != self.size:
            raise Misuse(f"{self.size} deals take {self.size} actions, not {len(chosen)}")
        wrong = run(_find_illegal, self.rows, chosen)
        if wrong >= 0:
            raise IllegalAction(f"deal {wrong} of these does not allow action {chosen[wrong]}")
        run(_act_all, self.rows, chosen)

    def play_out(self, rng: Random) -> None:
        """Play all to the end at random: votes at evens, the weakest six put aside, each card in hand as likely."""
        verify_random(rng)
        run(_finish_all, self.rows, generator(rng))

    # -- what came of it -------------------------------------------------------------------------

    def done(self) -> Ints:
        """1 for each deal that is over, else 0. Shape (size,)."""
        found = zeros(self.size)
        run(_find_done, self.rows, found)
        return found

    def points(self) -> Ints:
        """The points of NS minus those of EW, -2 to 2; 0 while a deal is under way. Shape (size,)."""
        found = zeros(self.size)
        run(_find_points, self.rows, found)
        return found

    def hand(self, index: int, seat: Seat) -> tuple[int, ...]:
        """The strengths that a seat of one deal holds now, strongest first."""
        at = self.place(index)
        place = seat_of("seat", seat) - 1
        start = at + state.HANDS + 15 * place
        held = (int(self.rows[start + slot]) for slot in range(self.rows[at + state.SIZE + place]))
        return tuple(sorted(held, reverse=True))

    def place(self, index: int) -> int:
        """Where the row of one deal begins; raises `Misuse` for a deal that is not there."""
        if not self.size:
            raise Misuse("there is no deal among these: they are none at all")
        return whole("index", index, 0, self.size - 1) * state.ROW


def blank(rules: RuleSet) -> Ints:
    """A row without cards that has the options of these rules."""
    row = zeros(state.ROW)
    row[state.MORDIENNE] = int(rules.mordienne)
    row[state.LOWEST] = int(rules.chant_discard == "lowest")
    row[state.ASKING] = _ASKING[rules.chant]
    return row


def played_row(rules: RuleSet, dealer: Seat, agreed: int, cards: Sequence[int]) -> Ints:
    """A row in which so many have agreed to the chant and these strengths were played; no hand is in it yet."""
    row = blank(rules)
    row[state.DEALER] = dealer - 1
    row[state.VOTES] = agreed
    row[state.AHEAD] = row[state.RUNNER] = row[state.HOLDER] = state.NOBODY
    row[state.LEADER] = row[state.TURN] = dealer.left - 1
    run(_lay_all, row, integers(cards))
    return row


@kernel
def _lay_all(row: Ints, cards: Ints) -> None:
    for index in range(len(cards)):
        state.lay(row, len(row) - state.ROW, cards[index])


@kernel
def _repeat(rows: Ints, row: Ints, dealers: Ints) -> None:
    for index in range(len(rows) // state.ROW):
        state.copy(row, len(row) - state.ROW, rows, index * state.ROW, state.ROW)
        rows[index * state.ROW + state.DEALER] = dealers[index % len(dealers)]


@kernel
def _begin_shuffled(rows: Ints, pack: Ints, words: Ints) -> None:
    start = len(pack) - _PACK
    for at in range(0, len(rows), state.ROW):
        shuffle(words, pack, start, _PACK)
        state.begin(rows, at, pack, start)


@kernel
def _begin(rows: Ints, packs: Ints) -> None:
    for index in range(len(rows) // state.ROW):
        state.begin(rows, index * state.ROW, packs, index * _PACK)


@kernel
def _find_asked(rows: Ints, found: Ints, what: int) -> None:
    for index in range(len(found)):
        at = index * state.ROW
        phase = rows[at + state.PHASE]
        found[index] = phase if what == 1 or phase == 0 else rows[at + state.TURN] + 1


@kernel
def _mark_legal(rows: Ints, mask: Ints) -> None:
    for index in range(len(rows) // state.ROW):
        for action in range(ACTIONS):
            mask[index * ACTIONS + action] = 1 if state.is_legal(rows, index * state.ROW, action) else 0


@kernel
def _find_illegal(rows: Ints, actions: Ints) -> int:
    for index in range(len(actions)):
        at = index * state.ROW
        if rows[at + state.PHASE] != 0 and not state.is_legal(rows, at, actions[index]):
            return index
    return -1


@kernel
def _act_all(rows: Ints, actions: Ints) -> None:
    for index in range(len(actions)):
        if rows[index * state.ROW + state.PHASE] != 0:
            state.act(rows, index * state.ROW, actions[index])


@kernel
def _finish_all(rows: Ints, words: Ints) -> None:
    for at in range(0, len(rows), state.ROW):
        state.finish(rows, at, words)


@kernel
def _find_done(rows: Ints, found: Ints) -> None:
    for index in range(len(found)):
        found[index] = 1 if rows[index * state.ROW + state.PHASE] == 0 else 0


@kernel
def _find_points(rows: Ints, found: Ints) -> None:
    for index in range(len(found)):
        at = index * state.ROW
        found[index] = state.points(rows, at) if rows[at + state.PHASE] == 0 else 0
