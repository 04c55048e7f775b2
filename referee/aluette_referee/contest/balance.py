"""How even a schedule is: who sits where, deals first, has whom as partner and as opponent, and sits out."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, product

from aluette.seats import Seat
from aluette_referee.contest.schedule import Round

__all__ = ["Balance", "balance_of"]

Pair = frozenset[str]


@dataclass(slots=True)
class Balance:
    """Counts over matches, by names; `met` and `partners` by two names, `sits_out` over rounds."""

    matches: Counter[str] = field(default_factory=Counter[str])
    seats: dict[str, Counter[Seat]] = field(default_factory=lambda: defaultdict(Counter[Seat]))
    first_dealer: Counter[str] = field(default_factory=Counter[str])
    partners: Counter[Pair] = field(default_factory=Counter[Pair])
    met: Counter[Pair] = field(default_factory=Counter[Pair])
    sits_out: Counter[str] = field(default_factory=Counter[str])

    def spread(self, of: "Counter[Pair]", names: Iterable[str]) -> tuple[int, int]:
        """The fewest and the most of all pairs of these names."""
        counts = [of[frozenset(pair)] for pair in combinations(names, 2)]
        return min(counts, default=0), max(counts, default=0)


def balance_of(rounds: Iterable[Round]) -> Balance:
    """The counts of these rounds, both legs of each block."""
    found = Balance()
    for each in rounds:
        found.sits_out.update(entrant.name for entrant in each.sits_out)
        for block in each.blocks:
            sides = [[entrant.name for entrant in side.entrants] for side in block.meeting]
            for leg in block.legs:
                found.matches.update(name for side in sides for name in side)
                found.met.update(frozenset(pair) for pair in product(*sides))
                found.partners.update(frozenset(side) for side in sides if len(side) > 1)
                for seat, player in leg.seats.items():
                    found.seats[player.entrant.name][seat] += 1
                    found.first_dealer[player.entrant.name] += seat is block.first_dealer
    return found
