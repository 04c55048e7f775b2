"""One deal as a row of integers, and the rules as kernels that change it.

A row is `ROW` integers, those of many deals lie one after the other in a flat array, and a kernel gets that array with
the place where a row begins. A card is its strength, 1 to 19, and 0 is no card; seats are 0 to 3 for N E S W, and 4 is
nobody. The names below say what stands where. Kernels trust their callers: `aluette.sim.deals` verifies actions.

These are the rules of `aluette.rules.trick`, `scoring` and `chant`, once more and for speed alone: a test plays a million
deals in both. There are no signals here, so no look, and the cut has been made.
"""

from typing import Final

from aluette.sim.generator import WORD, below, draw
from aluette.sim.kernel import Ints, kernel

__all__ = [
    "AHEAD", "BEST", "COUNT", "DEALER", "DISCARDS", "HANDS", "HOLDER", "LEADER", "LOWEST", "MORDIENNE", "NOBODY", "PHASE",
    "PLACE", "PLAYED", "ROW", "RUN", "RUNNER", "SIZE", "STOCK", "TABLE", "TRICKS", "TURN", "VOTES", "WINNERS",
    "act", "begin", "copy", "finish", "give_stock", "is_legal", "lay", "points", "put",
]  # fmt: skip

# The table: what a trick changes, and all that the score depends on.
PHASE: Final = 0
"""What is asked, by the numbers of `Ask`: 3 chant, 4 discard, 5 play; 0 when the deal is over."""
TURN: Final = 1
"""Who is asked."""
LEADER: Final = 2
PLACE: Final = 3
"""How many cards lie in the trick under way, 0 to 3."""
BEST: Final = 4
"""The strongest of them, 0 when none lies there."""
HOLDER: Final = 5
"""Who played it; nobody when none lies there, or two or more tie."""
TRICKS: Final = 6
"""Complete tricks, 0 to 9."""
AHEAD: Final = 7
"""The player with most tricks, at equal most the first to reach that number."""
RUNNER: Final = 8
"""Who won the last trick; nobody if it was spoiled."""
RUN: Final = 9
"""How many tricks in a row the runner has won just now; of no meaning when there is none."""
MORDIENNE: Final = 10
"""1 if the rules know the mordienne."""
COUNT: Final = 11
"""Four: the tricks of each player."""
TABLE: Final = 15
"""The length of this part."""

# The rest: where the cards are, and what has happened.
DEALER: Final = 15
VOTES: Final = 16
"""How many have agreed to the chant."""
LOWEST: Final = 17
"""1 under `chant_discard = lowest`."""
ASKING: Final = 18
"""1 under `chant = ask`, 2 under `always`, 0 under `off`."""
SIZE: Final = 19
"""Four: the number of cards in each hand."""
HANDS: Final = 23
"""Four times fifteen: each hand in its first places, in no order."""
DISCARDS: Final = 83
"""Four times six."""
STOCK: Final = 107
"""Twelve; none once it was dealt."""
PLAYED: Final = 119
"""Thirty-six: all cards in playing order."""
WINNERS: Final = 155
"""Nine: who won each trick, of those that are complete."""
ROW: Final = 164

NOBODY: Final = 4
OVER: Final = 0
CHANT: Final = 3
DISCARD: Final = 4
PLAY: Final = 5
REFUSE: Final = 0
AGREE: Final = 20


@kernel
def begin(rows: Ints, at: int, pack: Ints, start: int) -> None:
    """Deal 48 strengths from `start` of `pack`, top first, into a row that has its dealer and options."""
    for place in range(4):
        seat = (rows[at + DEALER] + 1 + place) & 3
        rows[at + SIZE + seat] = 9
        for card in range(9):
            rows[at + HANDS + 15 * seat + card] = pack[start + 12 * (card // 3) + 3 * place + card % 3]
    for card in range(12):
        rows[at + STOCK + card] = pack[start + 36 + card]
    rows[at + AHEAD] = NOBODY
    rows[at + RUNNER] = NOBODY
    rows[at + HOLDER] = NOBODY
    rows[at + LEADER] = (rows[at + DEALER] + 1) & 3
    rows[at + TURN] = rows[at + LEADER]
    rows[at + PHASE] = CHANT if rows[at + ASKING] == 1 else PLAY
    if rows[at + ASKING] == 2:
        give_stock(rows, at)


@kernel
def give_stock(rows: Ints, at: int) -> None:
    """One card at a time to the dealer's left and the dealer, the left first; then the left discards."""
    for receiver in range(2):
        seat = (rows[at + DEALER] + 1 - receiver) & 3
        for card in range(6):
            rows[at + HANDS + 15 * seat + 9 + card] = rows[at + STOCK + 2 * card + receiver]
            rows[at + STOCK + 2 * card + receiver] = 0
        rows[at + SIZE + seat] = 15
    rows[at + PHASE] = DISCARD
    rows[at + TURN] = rows[at + LEADER]


@kernel
def is_legal(rows: Ints, at: int, action: int) -> bool:
    """Whether the seat whose turn it is may do that: refuse or agree, or play or put aside a strength."""
    phase = rows[at + PHASE]
    if phase == CHANT:
        return action in (REFUSE, AGREE)
    if phase == OVER:
        return False
    hand = at + HANDS + 15 * rows[at + TURN]
    held = False
    lowest = action
    for slot in range(rows[at + SIZE + rows[at + TURN]]):
        held = held or rows[hand + slot] == action
        lowest = min(lowest, rows[hand + slot])
    # Six times the lowest of what is left are the six lowest of fifteen.
    return held and (phase == PLAY or rows[at + LOWEST] == 0 or lowest == action)


@kernel
def act(rows: Ints, at: int, action: int) -> None:
    """Do what is legal: 0 refuses and 20 agrees, 1 to 19 plays that strength or puts one of it aside."""
    if rows[at + PHASE] == CHANT:
        _vote(rows, at, action == AGREE)
        return
    hand = at + HANDS + 15 * rows[at + TURN]
    slot = rows[at + SIZE + rows[at + TURN]] - 1
    while rows[hand + slot] != action:
        slot -= 1
    if rows[at + PHASE] == PLAY:
        _play(rows, at, slot)
    else:
        _put_aside(rows, at, slot)


@kernel
def _vote(rows: Ints, at: int, yes: bool) -> None:
    """The first refusal ends the asking; if all four agree the stock is dealt."""
    rows[at + TURN] = (rows[at + TURN] + 1) & 3
    if yes:
        rows[at + VOTES] += 1
        if rows[at + VOTES] == 4:
            give_stock(rows, at)
    else:
        rows[at + PHASE] = PLAY
        rows[at + TURN] = rows[at + LEADER]


@kernel
def _take(rows: Ints, at: int, slot: int) -> int:
    """Take the card out of the hand whose turn it is; the last one fills its place."""
    seat = rows[at + TURN]
    hand = at + HANDS + 15 * seat
    last = rows[at + SIZE + seat] - 1
    card = rows[hand + slot]
    rows[hand + slot] = rows[hand + last]
    rows[hand + last] = 0
    rows[at + SIZE + seat] = last
    return card


@kernel
def _put_aside(rows: Ints, at: int, slot: int) -> None:
    """One of six discards; after the last it is the dealer's turn, or the play begins."""
    seat = rows[at + TURN]
    card = _take(rows, at, slot)
    left = rows[at + SIZE + seat] - 9
    rows[at + DISCARDS + 6 * seat + 5 - left] = card
    if left == 0:
        if seat == rows[at + DEALER]:
            rows[at + PHASE] = PLAY
            rows[at + TURN] = rows[at + LEADER]
        else:
            rows[at + TURN] = rows[at + DEALER]


@kernel
def _play(rows: Ints, at: int, slot: int) -> None:
    """Play one card of the hand whose turn it is."""
    lay(rows, at, _take(rows, at, slot))


@kernel
def lay(rows: Ints, at: int, strength: int) -> None:
    """Lay a card that is in no hand any more: note it, and the winner if it was the fourth."""
    tricks = rows[at + TRICKS]
    rows[at + PLAYED + 4 * tricks + rows[at + PLACE]] = strength
    put(rows, at, strength)
    if rows[at + TRICKS] > tricks:
        rows[at + WINNERS + tricks] = rows[at + RUNNER]
        if tricks == 8:
            rows[at + PHASE] = OVER


@kernel
def put(rows: Ints, at: int, strength: int) -> None:
    """Put a card on the table, and count the trick if it was the fourth.

    Changes nothing but the first `TABLE` integers of the row.
    """
    turn = rows[at + TURN]
    place = rows[at + PLACE]
    best, holder = _lead_of(rows[at + BEST], rows[at + HOLDER], strength, turn)
    if place == 3:
        _count(rows, at, holder)
    else:
        rows[at + BEST] = best
        rows[at + HOLDER] = holder
        rows[at + PLACE] = place + 1
        rows[at + TURN] = (turn + 1) & 3


@kernel
def _lead_of(best: int, holder: int, strength: int, seat: int) -> tuple[int, int]:
    """The strongest card of a trick and its holder, when one more is laid: nobody holds what is tied."""
    if strength > best:
        return strength, seat
    return best, NOBODY if strength == best else holder


@kernel
def _count(rows: Ints, at: int, winner: int) -> None:
    """Count a complete trick; the winner leads next, after a spoiled one whoever led it."""
    if winner != NOBODY:
        rows[at + RUN] = rows[at + RUN] + 1 if rows[at + RUNNER] == winner else 1
        count = rows[at + COUNT + winner] + 1
        rows[at + COUNT + winner] = count
        ahead = rows[at + AHEAD]
        # Strictly more: who draws level later has not passed the first to get there.
        if ahead == NOBODY or count > rows[at + COUNT + ahead]:
            rows[at + AHEAD] = winner
        rows[at + LEADER] = winner
    rows[at + RUNNER] = winner
    rows[at + TRICKS] += 1
    rows[at + PLACE] = 0
    rows[at + BEST] = 0
    rows[at + HOLDER] = NOBODY
    rows[at + TURN] = rows[at + LEADER]


@kernel
def points(rows: Ints, at: int) -> int:
    """The points of NS minus those of EW, -2 to 2, of a deal whose nine tricks are played."""
    ahead = rows[at + AHEAD]
    if ahead == NOBODY:
        return 0
    run = rows[at + RUN]
    closing = rows[at + RUNNER] == ahead and run == rows[at + COUNT + ahead]
    worth = 2 if rows[at + MORDIENNE] == 1 and closing and 2 <= run < 9 else 1
    return worth if ahead % 2 == 0 else -worth


@kernel
def finish(rows: Ints, at: int, words: Ints) -> None:
    """Play at random to the end: votes at evens, the weakest six put aside, each card of a hand as likely."""
    while rows[at + PHASE] == CHANT:
        _vote(rows, at, below(words, 2) == 1)
    while rows[at + PHASE] == DISCARD:
        hand = at + HANDS + 15 * rows[at + TURN]
        weakest = rows[at + SIZE + rows[at + TURN]] - 1
        for slot in range(weakest):
            if rows[hand + slot] < rows[hand + weakest]:
                weakest = slot
        _put_aside(rows, at, weakest)
    while rows[at + PLACE] != 0:
        _play(rows, at, below(words, rows[at + SIZE + rows[at + TURN]]))
    while rows[at + TRICKS] < 9:
        _play_trick(rows, at, words)
    rows[at + PHASE] = OVER


@kernel
def _play_trick(rows: Ints, at: int, words: Ints) -> None:
    """Four cards at random, as `_play` would lay them, from four hands of one size: the loop that must be quick.

    One drawn number is cut into the four choices, exactly uniform: Brackett-Rozinsky and Lemire, "Batched ranged random
    integer generation" (2024).
    """
    trick = rows[at + TRICKS]
    leader = rows[at + LEADER]
    size = 9 - trick
    choices = size * size * size * size
    chance = draw(words)
    while chance * choices & WORD < choices and chance * choices & WORD < (WORD + 1) % choices:
        chance = draw(words)
    best, holder = rows[at + BEST], rows[at + HOLDER]
    for place in range(4):
        seat = (leader + place) & 3
        hand = at + HANDS + 15 * seat
        slot = hand + (chance * size >> 32)
        chance = chance * size & WORD
        card = rows[slot]
        rows[slot] = rows[hand + size - 1]
        rows[hand + size - 1] = 0
        rows[at + SIZE + seat] = size - 1
        rows[at + PLAYED + 4 * trick + place] = card
        best, holder = _lead_of(best, holder, card, seat)
    rows[at + WINNERS + trick] = holder
    _count(rows, at, holder)


@kernel
def copy(source: Ints, start: int, target: Ints, at: int, size: int) -> None:
    """Copy so many integers from one array to another."""
    for place in range(size):
        target[at + place] = source[start + place]
