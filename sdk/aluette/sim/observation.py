"""What the seat to play may know of a deal, as a row of integers for a learning bot.

Seats are counted from the one that looks, clockwise: 0 itself, 1 its left, 2 its partner, 3 its right; 4 is nobody. Two
deals which that seat cannot tell apart give equal rows, and nothing here says which suits were held: in play they do not
matter. Of a deal that is over the row is all zeros.
"""

from typing import Final

from aluette.sim import state
from aluette.sim.kernel import Ints, kernel

__all__ = ["OBSERVATION", "SEEN", "observe_all"]

SEEN: Final[dict[str, tuple[int, int]]] = {
    "asked": (0, 1),
    "dealer": (1, 1),
    "votes": (2, 1),
    "stock_dealt": (3, 1),
    "leader": (4, 1),
    "tricks": (5, 1),
    "ahead": (6, 1),
    "counts": (7, 4),
    "hand": (11, 20),
    "discards": (31, 20),
    "players": (51, 36),
    "played": (87, 36),
    "winners": (123, 9),
}
"""Where each part begins, and how many integers it is.

asked: what is asked, by the numbers of `Ask`: 3 chant, 4 discard, 5 play.
dealer, leader: the dealer, and who leads or led the trick under way.
votes: how many have agreed to the chant; stock_dealt: 1 if it was dealt.
tricks: complete tricks; ahead: the player with most, who reached that number first; counts: the tricks of each.
hand, discards: how many cards of each strength (0 to 19, none of 0) the seat holds, and has put aside.
players, played: who played which strength, in playing order; nobody and 0 for what is to come.
winners: who won each trick; nobody if it was spoiled, -1 for what is to come.
"""

OBSERVATION: Final = 132
_ASKED, _DEALER, _VOTES, _STOCK_DEALT, _LEADER, _TRICKS, _AHEAD = range(7)
_COUNTS, _HAND, _DISCARDS, _PLAYERS, _PLAYED, _WINNERS = 7, 11, 31, 51, 87, 123


@kernel
def _from(seat: int, me: int) -> int:
    """A seat as counted from another."""
    return seat if seat == state.NOBODY else (seat - me) & 3


@kernel
def _observe(rows: Ints, at: int, seen: Ints, to: int) -> None:
    me = rows[at + state.TURN]
    stock_dealt = 1 if rows[at + state.ASKING] == 2 or rows[at + state.VOTES] == 4 else 0
    seen[to + _ASKED] = rows[at + state.PHASE]
    seen[to + _DEALER] = _from(rows[at + state.DEALER], me)
    seen[to + _VOTES] = rows[at + state.VOTES]
    seen[to + _STOCK_DEALT] = stock_dealt
    seen[to + _LEADER] = _from(rows[at + state.LEADER], me)
    seen[to + _TRICKS] = rows[at + state.TRICKS]
    seen[to + _AHEAD] = _from(rows[at + state.AHEAD], me)
    for seat in range(4):
        seen[to + _COUNTS + _from(seat, me)] = rows[at + state.COUNT + seat]
    for slot in range(rows[at + state.SIZE + me]):
        seen[to + _HAND + rows[at + state.HANDS + 15 * me + slot]] += 1
    for slot in range(6):
        card = rows[at + state.DISCARDS + 6 * me + slot]
        if card != 0:
            seen[to + _DISCARDS + card] += 1
    leader = (rows[at + state.DEALER] + 1) & 3
    for trick in range(9):
        for place in range(4):
            card = rows[at + state.PLAYED + 4 * trick + place]
            seen[to + _PLAYED + 4 * trick + place] = card
            seen[to + _PLAYERS + 4 * trick + place] = (
                state.NOBODY if card == 0 else _from((leader + place) & 3, me)
            )
        seen[to + _WINNERS + trick] = -1
        if trick < rows[at + state.TRICKS]:
            winner = rows[at + state.WINNERS + trick]
            seen[to + _WINNERS + trick] = _from(winner, me)
            if winner != state.NOBODY:
                leader = winner


@kernel
def observe_all(rows: Ints, seen: Ints) -> None:
    """Fill in what the seat to play sees of each deal; `seen` comes as zeros, `OBSERVATION` for each."""
    for index in range(len(rows) // state.ROW):
        if rows[index * state.ROW + state.PHASE] != 0:
            _observe(rows, index * state.ROW, seen, index * OBSERVATION)
