"""Whist tournaments: rounds of tables of four in which everybody has everybody as partner once, and as opponent twice.

Exact ones exist for 4n and 4n + 1 players (Baker 1975; Anderson, "Combinatorial designs and tournaments", 1997). Those here
are cyclic: one round is given, and the others follow by adding 1, 2, ... to each player, modulo the number of players,
or of all but one who stays, `FIXED`. For 9 players, where no such round exists, the sums are those of two digits modulo 3.
A table is (a, b, c, d), where a and c are partners against b and d. They were found by search, and a test counts them all.
"""

from typing import Final

__all__ = ["EXACT", "Table", "exact"]

Table = tuple[int, int, int, int]

FIXED: Final = -1

EXACT: Final[dict[int, tuple[Table, ...]]] = {
    4: ((-1, 1, 0, 2),),
    5: ((2, 4, 3, 1),),
    8: ((-1, 2, 0, 6), (1, 5, 3, 4)),
    9: ((3, 2, 6, 1), (4, 5, 8, 7)),
    12: ((-1, 9, 0, 5), (4, 10, 7, 8), (3, 6, 2, 1)),
    13: ((12, 6, 3, 8), (4, 2, 1, 7), (11, 9, 5, 10)),
    16: ((-1, 5, 0, 10), (3, 14, 11, 12), (6, 7, 9, 13), (4, 2, 8, 1)),
    17: ((10, 11, 15, 7), (5, 6, 8, 13), (16, 9, 14, 3), (12, 1, 4, 2)),
    20: ((-1, 11, 0, 8), (1, 2, 9, 15), (14, 10, 12, 5), (18, 3, 6, 4), (16, 17, 7, 13)),
    21: ((7, 8, 2, 5), (3, 19, 10, 11), (15, 12, 16, 1), (18, 20, 9, 14), (4, 13, 6, 17)),
    24: ((-1, 17, 0, 22), (15, 5, 11, 20), (4, 19, 3, 6), (9, 10, 2, 13), (7, 16, 21, 18), (14, 12, 8, 1)),
    25: ((19, 24, 23, 13), (8, 4, 2, 20), (1, 10, 9, 12), (22, 3, 7, 15), (5, 17, 6, 14), (18, 21, 11, 16)),
    28: (
        (-1, 23, 0, 2), (15, 12, 20, 5), (21, 7, 22, 16), (25, 18, 9, 8), (13, 14, 10, 26), (19, 3, 11, 17),
        (1, 6, 24, 4),
    ),
    29: (
        (26, 9, 27, 5), (11, 25, 6, 15), (23, 20, 8, 7), (3, 28, 21, 22), (24, 1, 4, 13), (14, 12, 17, 19),
        (2, 16, 10, 18),
    ),
    32: (
        (-1, 6, 0, 11), (8, 17, 5, 16), (23, 2, 4, 19), (27, 28, 14, 1), (3, 20, 13, 12), (22, 24, 29, 26),
        (25, 7, 10, 18), (30, 15, 21, 9),
    ),
    33: (
        (7, 1, 6, 16), (30, 15, 28, 21), (31, 14, 26, 18), (24, 23, 12, 10), (25, 22, 17, 11), (13, 2, 32, 9),
        (19, 27, 29, 3), (5, 4, 8, 20),
    ),
    36: (
        (-1, 13, 0, 11), (4, 21, 3, 8), (32, 25, 1, 5), (33, 17, 30, 7), (20, 22, 15, 34), (31, 2, 12, 10),
        (16, 19, 27, 26), (24, 18, 6, 9), (14, 23, 28, 29),
    ),
    37: (
        (5, 28, 33, 2), (4, 26, 8, 19), (1, 3, 32, 21), (14, 7, 36, 34), (10, 31, 18, 6), (15, 25, 16, 9),
        (23, 24, 20, 11), (29, 30, 27, 13), (22, 35, 17, 12),
    ),
}  # fmt: skip
"""The first round, by the number of players."""


def exact(count: int) -> list[list[Table]]:
    """All rounds for a number of players that is in `EXACT`; who is at no table sits out."""
    modulus = count - 1 if any(FIXED in table for table in EXACT[count]) else count

    def moved(player: int, by: int) -> int:
        if player == FIXED:
            return count - 1
        return _without_carry(player, by) if count == 9 else (player + by) % modulus

    return [
        [(moved(a, by), moved(b, by), moved(c, by), moved(d, by)) for a, b, c, d in EXACT[count]]
        for by in range(modulus)
    ]


def _without_carry(one: int, other: int) -> int:
    """The sum of two numbers of two digits to the base 3, digit by digit."""
    return 3 * ((one // 3 + other // 3) % 3) + (one + other) % 3
