"""How the rest of a deal ends if all four hands are open and both sides play their best.

Exact, or not at all: a search that needs more positions than it may look at raises `SearchLimit`. The search itself is
`aluette.sim.search`; this says what is asked of it and what its answer means.
"""

from typing import Final, NamedTuple

from aluette.errors import AluetteError, Misuse
from aluette.rules.actions import Ask
from aluette.sim import search, state
from aluette.sim.arguments import LARGEST, require, whole
from aluette.sim.deals import Deals
from aluette.sim.kernel import Ints, kernel, run, zeros

__all__ = ["NODE_LIMIT", "SearchLimit", "Solution", "solve"]

NODE_LIMIT: Final = 5_000_000
"""So many positions take a second or two where numba is installed."""

_SMALLEST: Final = 4_096
_LARGEST: Final = 1 << 18
"""Positions that the table holds: with four integers each, 8 MB."""


class SearchLimit(AluetteError):  # noqa: N818
    """The search was given up: nothing is known of the outcome. `nodes` is how many positions were allowed."""

    def __init__(self, nodes: int) -> None:
        """Take the limit."""
        super().__init__(nodes)  # what it is made of again in another process
        self.nodes = nodes

    def __str__(self) -> str:
        return f"the deal cannot be solved within {self.nodes} positions"


class Solution(NamedTuple):
    """The rest of a deal with open hands."""

    points: int
    """What the deal scores for NS minus EW, -2 to 2, if both sides play their best."""
    best: tuple[int, ...]
    """Every strength in the hand to play that brings that about, strongest first; none when the deal is over."""
    nodes: int
    """How many positions were searched."""


def solve(deals: Deals, index: int = 0, *, node_limit: int = NODE_LIMIT) -> Solution:
    """Solve one of these deals, whose play must have begun.

    A side knows all cards and wants the most points of this deal: the match score is not weighed. Raises `SearchLimit`
    when that takes more than `node_limit` positions, and `Misuse` before the play.
    """
    require("deals", deals, Deals, "the Deals that one is solved of")
    at = deals.place(index)
    phase = deals.rows[at + state.PHASE]
    if phase in (Ask.CHANT, Ask.DISCARD):
        raise Misuse("a deal is solved when its play has begun, not at the chant or the discards")
    node_limit = whole("node_limit", node_limit, 1, LARGEST)
    memory, best = zeros(search.MEMORY), zeros(20)
    memory[search.LIMIT] = node_limit
    left = 9 - int(deals.rows[at + state.TRICKS])
    table = zeros(search.ENTRY * min(_LARGEST, _SMALLEST << 4 * max(0, left - 3)))
    points = int(run(_solve, deals.rows, at, memory, table, best, 0, 2))
    if memory[search.LIMIT] == 0:
        raise SearchLimit(node_limit)
    strengths = tuple(strength for strength in range(19, 0, -1) if best[strength])
    return Solution(points, strengths, int(memory[search.NODES]))


@kernel
def _solve(  # noqa: PLR0917 - a kernel takes no keywords
    rows: Ints, at: int, memory: Ints, table: Ints, best: Ints, root: int, most: int
) -> int:
    """The outcome; marks in `best` what leads to it, each tested against it with a search that asks no more.

    `root` is 0, and `most` 2, the most points.
    """
    state.copy(rows, at, memory, root, state.TABLE)
    if rows[at + state.PHASE] == 0:
        return state.points(rows, at)
    for seat in range(4):
        for slot in range(rows[at + state.SIZE + seat]):
            _hold(memory, seat, slot, rows[at + state.HANDS + 15 * seat + slot])
    points = search.alpha_beta(memory, table, root, -most, most)
    turn = memory[state.TURN]
    hand = search.CARDS + 9 * turn
    for slot in range(rows[at + state.SIZE + turn]):
        strength = memory[hand + slot]
        if slot > 0 and memory[hand + slot - 1] == strength:
            continue
        state.copy(memory, root, memory, state.TABLE + root, state.TABLE)
        state.put(memory, state.TABLE + root, strength)
        search.lift(memory, root, slot)
        if turn % 2 == 0:
            reached = search.alpha_beta(memory, table, root + 1, points - 1, points) >= points
        else:
            reached = search.alpha_beta(memory, table, root + 1, points, points + 1) <= points
        search.lift(memory, root, slot)
        if memory[search.LIMIT] == 0:
            return 0
        best[strength] = 1 if reached else 0
    return points


@kernel
def _hold(memory: Ints, seat: int, size: int, strength: int) -> None:
    """Put a card into a hand of so many, which stays strongest first."""
    place = search.CARDS + 9 * seat + size
    while place > search.CARDS + 9 * seat and memory[place - 1] < strength:
        memory[place] = memory[place - 1]
        place -= 1
    memory[place] = strength
    memory[search.ALIVE + seat] |= 1 << size
    memory[search.HELD + 4 * strength + seat] += 1
