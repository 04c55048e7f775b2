"""The kernels of the solver: alpha-beta over the rest of a deal, with a table of positions already searched.

A position is looked up when a trick begins. It is known by an exact key, never a hash alone: whose the remaining cards
are, strongest first, and which of them tie - not how strong they are - and of the tally what the score can still depend
on. So positions of different cards, scores and deals fold together wherever play and outcome must be the same.
What `aluette.sim.solver` makes of it is not known here.
"""

from typing import Final

from aluette.sim.kernel import Ints, kernel
from aluette.sim.state import (
    AHEAD,
    BEST,
    COUNT,
    HOLDER,
    LEADER,
    MORDIENNE,
    NOBODY,
    PLACE,
    RUN,
    RUNNER,
    TABLE,
    TRICKS,
    TURN,
    copy,
    points,
    put,
)  # fmt: skip

__all__ = ["ALIVE", "CARDS", "ENTRY", "HELD", "LIMIT", "MEMORY", "NODES", "alpha_beta", "lift"]

# What a search works on, in one flat array: the table of each depth, one after the other, then these.
_DEPTHS: Final = 37
NODES: Final = _DEPTHS * TABLE
"""How many positions were searched."""
LIMIT: Final = NODES + 1
"""How many may be; 0 when there were more, and then no result counts."""
ALIVE: Final = NODES + 2
"""Four: which of the nine places below hold a card that is still in hand, a bit each."""
CARDS: Final = ALIVE + 4
"""Four times nine: the hands when the search began, strongest first."""
HELD: Final = CARDS + 36
"""Twenty times four: how many cards of each strength each seat holds."""
_KEY: Final = HELD + 80
_MOVES: Final = _KEY + 3
"""Nine for each depth: the places of the cards to try, best guess first."""
_FRAMES: Final = _MOVES + 9 * _DEPTHS
"""What is known at each depth, as below."""
_ALPHA, _BETA, _FROM, _TO, _LOW, _HIGH, _BEST, _ENTRY, _TRIED, _COUNT, _FRAME = range(11)
MEMORY: Final = _FRAMES + _FRAME * _DEPTHS

ENTRY: Final = 4
"""A position takes four integers: three of its key, and a lower and an upper bound of its outcome in one."""


@kernel
def alpha_beta(memory: Ints, table: Ints, root: int, alpha: int, beta: int) -> int:
    """The outcome, NS minus EW, if it lies between the bounds; else a bound of it, beyond one of them.

    N and S want it high, E and W low. `root` says which table of the memory is searched; deeper ones are overwritten.
    The stack is a loop over depths: numba cannot keep functions that call themselves in its cache.
    """
    depth = root
    memory[_FRAMES + _FRAME * root + _ALPHA] = alpha
    memory[_FRAMES + _FRAME * root + _BETA] = beta
    settled, value = _open(memory, table, depth)
    while not settled or depth > root:
        if memory[LIMIT] == 0:
            return 0
        if settled:
            depth -= 1
            _take_back(memory, depth, value)
        frame = _FRAMES + _FRAME * depth
        if memory[frame + _TRIED] < memory[frame + _COUNT] and memory[frame + _ALPHA] < memory[frame + _BETA]:
            _try_next(memory, depth)
            depth += 1
            settled, value = _open(memory, table, depth)
        else:
            settled, value = True, _close(memory, table, depth)
    return value


@kernel
def _open(memory: Ints, table: Ints, depth: int) -> tuple[bool, int]:
    """Begin a position: whether its value follows at once, and which; else its frame is made ready."""
    at = depth * TABLE
    frame = _FRAMES + _FRAME * depth
    if memory[at + TRICKS] == 9:
        return True, points(memory, at)
    memory[NODES] += 1
    if memory[NODES] > memory[LIMIT]:
        memory[LIMIT] = 0
        return True, 0
    entry = -1
    low, high = -2, 2
    if memory[at + PLACE] == 0:
        low, high = _possible(memory, at)
        if low < high:
            entry = _find(memory, at, table)
            known = table[entry + 3]
            for word in range(3):
                if table[entry + word] != memory[_KEY + word]:
                    known = 0
            if known != 0:
                low, high = max(low, known // 8 - 3), min(high, known % 8 - 3)
    if low >= memory[frame + _BETA] or low == high:
        return True, low
    if high <= memory[frame + _ALPHA]:
        return True, high
    memory[frame + _ALPHA] = max(memory[frame + _ALPHA], low)
    memory[frame + _BETA] = min(memory[frame + _BETA], high)
    memory[frame + _FROM] = memory[frame + _ALPHA]
    memory[frame + _TO] = memory[frame + _BETA]
    memory[frame + _LOW] = low
    memory[frame + _HIGH] = high
    memory[frame + _BEST] = -3 if memory[at + TURN] % 2 == 0 else 3
    memory[frame + _ENTRY] = entry
    memory[frame + _TRIED] = 0
    memory[frame + _COUNT] = _moves(memory, depth)
    return False, 0


@kernel
def _try_next(memory: Ints, depth: int) -> None:
    """Lay the next card of a position, one depth on, within the bounds that are left."""
    at = depth * TABLE
    frame = _FRAMES + _FRAME * depth
    slot = memory[_MOVES + 9 * depth + memory[frame + _TRIED]]
    memory[frame + _TRIED] += 1
    lift(memory, depth, slot)
    copy(memory, at, memory, at + TABLE, TABLE)
    put(memory, at + TABLE, memory[CARDS + 9 * memory[at + TURN] + slot])
    memory[frame + _FRAME + _ALPHA] = memory[frame + _ALPHA]
    memory[frame + _FRAME + _BETA] = memory[frame + _BETA]


@kernel
def lift(memory: Ints, depth: int, slot: int) -> None:
    """Take a card out of the hand to play, or put it back if it is out."""
    turn = memory[depth * TABLE + TURN]
    held = HELD + 4 * memory[CARDS + 9 * turn + slot] + turn
    memory[ALIVE + turn] ^= 1 << slot
    memory[held] += 1 if memory[ALIVE + turn] >> slot & 1 else -1


@kernel
def _take_back(memory: Ints, depth: int, value: int) -> None:
    """The card tried last comes back into the hand, and its value counts."""
    frame = _FRAMES + _FRAME * depth
    lift(memory, depth, memory[_MOVES + 9 * depth + memory[frame + _TRIED] - 1])
    if memory[depth * TABLE + TURN] % 2 == 0:
        memory[frame + _BEST] = max(memory[frame + _BEST], value)
        memory[frame + _ALPHA] = max(memory[frame + _ALPHA], value)
    else:
        memory[frame + _BEST] = min(memory[frame + _BEST], value)
        memory[frame + _BETA] = min(memory[frame + _BETA], value)


@kernel
def _close(memory: Ints, table: Ints, depth: int) -> int:
    """The value of a position whose cards are tried; what it proves goes into the table, over whatever stood there."""
    frame = _FRAMES + _FRAME * depth
    best = memory[frame + _BEST]
    entry = memory[frame + _ENTRY]
    if entry >= 0:
        low, high = memory[frame + _LOW], memory[frame + _HIGH]
        if best > memory[frame + _FROM]:
            low = max(low, best)
        if best < memory[frame + _TO]:
            high = min(high, best)
        _find(memory, depth * TABLE, table)
        for word in range(3):
            table[entry + word] = memory[_KEY + word]
        table[entry + 3] = (low + 3) * 8 + high + 3
    return best


@kernel
def _possible(memory: Ints, at: int) -> tuple[int, int]:
    """Bounds of the outcome, whatever cards are left: who can still win the deal, and who with a mordienne."""
    left = 9 - memory[at + TRICKS]
    ahead = memory[at + AHEAD]
    if ahead == NOBODY:
        return -2, 2
    most = memory[at + COUNT + ahead]
    low, high = 0, 0
    for seat in range(4):
        worth = 0
        if seat == ahead or memory[at + COUNT + seat] + left > most:
            worth = 2 if _may_close(memory, at, seat) > 0 else 1
        if seat % 2 == 0:
            high = max(high, worth)
        else:
            low = min(low, -worth)
    # Somebody is ahead, so one side will score.
    if high == 0:
        high = -1
    if low == 0:
        low = 1
    return low, high


@kernel
def _may_close(memory: Ints, at: int, seat: int) -> int:
    """Whether a seat, if it comes to be ahead, may have won all its tricks in one run to the end, but not all nine.

    0 no, 1 yes and it has not begun, 2 yes if it wins all that is left. Its run
    will be of two at least, once anybody is ahead: it must pass whoever that is, or win another.
    """
    count = memory[at + COUNT + seat]
    if memory[at + MORDIENNE] == 0:
        return 0
    if count == 0:
        return 1
    live = memory[at + RUNNER] == seat and memory[at + RUN] == count
    return 2 if live and count < memory[at + TRICKS] else 0


@kernel
def _find(memory: Ints, at: int, table: Ints) -> int:
    """Work out the key of the position in which a trick begins, and where in the table it belongs."""
    first, second, third = 0, 0, 0
    number, sole_before = 0, -1
    for strength in range(19, 0, -1):
        held = HELD + 4 * strength
        total = memory[held] + memory[held + 1] + memory[held + 2] + memory[held + 3]
        if total == 0:
            continue
        sole = -1
        for seat in range(4):
            if memory[held + seat] == total:
                sole = seat
        # A card ties with the one before it; neighbours of one hand are as good as tied, for they never meet.
        ties = 1 if sole >= 0 and sole == sole_before else 0
        for seat in range(4):
            for _ in range(memory[held + seat]):
                code = 2 * seat + ties
                if number < 20:
                    first = first * 8 + code
                else:
                    second = second * 8 + code
                number += 1
                ties = 1
        sole_before = sole
    left = 9 - memory[at + TRICKS]
    ahead = memory[at + AHEAD]
    most = 0 if ahead == NOBODY else memory[at + COUNT + ahead]
    third = memory[at + LEADER] * 5 + ahead
    for seat in range(4):
        count = memory[at + COUNT + seat]
        short = min(most - count, left)
        # At equal most the first stays ahead: short by all that is left, a seat cannot win the deal.
        closes = _may_close(memory, at, seat) if seat == ahead or short < left else 0
        third = third * 30 + 3 * short + closes
    third = third * 10 + left
    memory[_KEY] = first
    memory[_KEY + 1] = second
    memory[_KEY + 2] = third * 2 + memory[at + MORDIENNE]
    mixed = (first % 1000003) * 7919 + (second % 999983) * 104729 + (third % 1000033) * 611953
    return ENTRY * (mixed % (len(table) // ENTRY))


@kernel
def _moves(memory: Ints, depth: int) -> int:
    """List the cards worth trying, the likeliest first; of cards that no other separates only one. Returns how many.

    To lead: the strongest first. To follow: what takes the trick from an opponent, as cheaply as can be, then the rest
    from the weakest; over a partner who holds it the rest comes first.
    """
    at = depth * TABLE
    turn = memory[at + TURN]
    best = memory[at + BEST]
    first = _MOVES + 9 * depth
    found, before, taking = 0, 0, 0
    for slot in range(9):
        if memory[ALIVE + turn] >> slot & 1 == 0:
            continue
        strength = memory[CARDS + 9 * turn + slot]
        if before == 0 or _differ(memory, turn, strength, before, best):
            memory[first + found] = slot
            found += 1
            if strength > best:
                taking = found
        before = strength
    if best > 0:
        holder = memory[at + HOLDER]
        ours = holder != NOBODY and holder % 2 == turn % 2
        _reverse(memory, first, 0, found)
        if not ours:
            # Now the takers stand last, the cheapest first: bring them to the front.
            _reverse(memory, first, 0, found - taking)
            _reverse(memory, first, 0, found)
            _reverse(memory, first, 0, taking)
    return found


@kernel
def _differ(memory: Ints, turn: int, weaker: int, stronger: int, best: int) -> bool:
    """Whether another hand or the table has a card from the one strength to the other, both included."""
    if weaker == stronger:
        return False
    if weaker <= best <= stronger:
        return True
    for strength in range(weaker, stronger + 1):
        held = HELD + 4 * strength
        total = memory[held] + memory[held + 1] + memory[held + 2] + memory[held + 3]
        if total > memory[held + turn]:
            return True
    return False


@kernel
def _reverse(memory: Ints, first: int, start: int, end: int) -> None:
    for step in range((end - start) // 2):
        here = memory[first + start + step]
        memory[first + start + step] = memory[first + end - 1 - step]
        memory[first + end - 1 - step] = here
