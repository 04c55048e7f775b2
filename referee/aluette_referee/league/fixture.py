"""A league match that is to be played: who sits where, and with which packs. Pure.

Every match has packs of its own, since a process of somebody else's may remember what it has seen. Only hosted bots, which
cannot, play mirrored pairs: the same packs twice, sides exchanged. The first dealer is seat (pack mod 4).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from aluette.packs import BlockKey, block_key
from aluette.seats import SEATS, Seat
from aluette_referee.contest.contest import digest_of
from aluette_referee.league.pairing import Drawn

__all__ = ["LeagueFixture", "fixtures_of", "key_of"]

_PAIRING: Final = "league"
"""In the place of two teams' names: packs follow from the league's key and a number alone."""


@dataclass(frozen=True, slots=True)
class LeagueFixture:
    """One match. `seats` are versions of bots, by their numbers in the league."""

    season: int
    rated: bool
    pack: int
    leg: int
    legs: int
    seats: Mapping[Seat, int]
    key: BlockKey

    @property
    def id(self) -> str:
        """Derived from the commitment to its packs, and the leg."""
        return f"{digest_of('league match', self.key.commitment)}-{self.leg}"

    @property
    def first_dealer(self) -> Seat:
        """Who deals first."""
        return SEATS[self.pack % 4]


def key_of(league_key: bytes, pack: int) -> BlockKey:
    """All luck of a match, or of a mirrored pair."""
    return block_key(league_key, _PAIRING, pack)


def fixtures_of(
    drawn: Drawn, league_key: bytes, season: int, pack: int, *, rated: bool, mirrored: bool
) -> Iterator[LeagueFixture]:
    """The match, or the two of a mirrored pair, of sides that were drawn."""
    legs = 2 if mirrored else 1
    for leg in range(1, legs + 1):
        ns, ew = (drawn.one, drawn.other) if leg == 1 else (drawn.other, drawn.one)
        # An entrant alone is its own partner.
        seated = (ns[0], ew[0], ns[-1], ew[-1])
        seats = dict(zip(SEATS, seated, strict=True))
        yield LeagueFixture(season, rated, pack, leg, legs, seats, key_of(league_key, pack))
