"""Who sits against whom: the values of a schedule. In which order they are played is `contest.formats`' to say.

A *block* is the same packs played twice, sides exchanged: leg 1 seats A1 B1 A2 B2 at N E S W, leg 2
B1 A1 B2 A2; the first dealer is seat (block index mod 4) in both. It is the unit of schedule and statistics.
All ids are derived from what they name, so an interrupted contest goes on by playing the ids that are
missing. Adding teams or blocks moves no id and no pack; the order of the two sides does neither.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from aluette.packs import BlockKey, block_key, pairing_id
from aluette.seats import SEATS, Seat
from aluette_referee.contest.contest import BotSpec, Entrant, digest_of

__all__ = ["LEGS", "Block", "Fixture", "Meeting", "Partnership", "Player", "Round", "fixtures_of"]

LEGS: Final = 2
"""Matches of a block."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a chair: slot 1 or 2 of a team, or a bot that was entered alone, as its slot 1."""

    entrant: Entrant
    slot: int

    @property
    def name(self) -> str:
        """For people: the team's name and which bot of it, or the name of a bot that was entered alone."""
        alone = len(self.entrant.team.bots) == 1
        return self.entrant.name if alone else f"{self.entrant.name}, bot {self.slot}"

    @property
    def bot(self) -> BotSpec:
        """Its bot, as written."""
        return self.entrant.team.bots[self.slot - 1]


@dataclass(frozen=True, slots=True)
class Partnership:
    """Two players who sit opposite each other: the bots of a team, or two that were drawn together."""

    first: Player
    second: Player

    @classmethod
    def of(cls, first: Entrant, second: Entrant | None = None) -> "Partnership":
        """A team; or two bots that were entered alone, and in which order they sit."""
        return cls(Player(first, 1), Player(first, 2) if second is None else Player(second, 1))

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The team, or the two."""
        one, other = self.first.entrant, self.second.entrant
        return (one,) if one is other or one == other else (one, other)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the team, or of the two, in the order of their letters."""
        return tuple(sorted(entrant.name for entrant in self.entrants))

    @property
    def name(self) -> str:
        """For people, and what the packs follow from."""
        return " + ".join(self.names)

    @property
    def ids(self) -> tuple[str, ...]:
        """Of the entrants, in the order in which they sit."""
        return tuple(entrant.id for entrant in self.entrants)


class Meeting(NamedTuple):
    """Two sides that meet; `one` is first by name."""

    one: Partnership
    other: Partnership

    @classmethod
    def of(cls, side: Partnership, other: Partnership) -> "Meeting":
        """The meeting of two sides, in whatever order."""
        return cls(*sorted((side, other), key=lambda each: each.name))

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all entrants, as they sit."""
        return (*self.one.ids, *self.other.ids)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to be played: leg 1 or 2 of a block."""

    block: "Block"
    leg: int

    @property
    def id(self) -> str:
        """The match's id: the block's, and the leg."""
        return f"{self.block.id}-{self.leg}"

    @property
    def sides(self) -> tuple[Partnership, Partnership]:
        """Who sit NS and EW."""
        one, other = self.block.meeting
        return (one, other) if self.leg == 1 else (other, one)

    @property
    def seats(self) -> dict[Seat, Player]:
        """Who sits where."""
        ns, ew = self.sides
        return dict(zip(SEATS, (ns.first, ew.first, ns.second, ew.second), strict=True))

    def sum_up(self, of_seats: Mapping[Seat, int], side: Partnership) -> tuple[int, ...]:
        """Counts of seats, for each of a side's entrants."""
        counts = [
            (player.entrant.id, of_seats.get(seat, 0))
            for seat, player in self.seats.items()
            if player in (side.first, side.second)
        ]
        return tuple(sum(count for name, count in counts if name == entrant.id) for entrant in side.entrants)

    @property
    def teams(self) -> tuple[str, str]:
        """The names of the sides that sit NS and EW."""
        ns, ew = self.sides
        return ns.name, ew.name


@dataclass(frozen=True, slots=True)
class Block:
    """Block `index` (from 0) of a meeting."""

    meeting: Meeting
    index: int

    @property
    def id(self) -> str:
        """What the block is filed under."""
        return digest_of("block", *self.meeting.ids, str(self.index))

    @property
    def pairing(self) -> str:
        """A digest of the two names: what the packs follow from."""
        return pairing_id(self.meeting.one.name, self.meeting.other.name)

    @property
    def first_dealer(self) -> Seat:
        """Who deals first, in both legs."""
        return SEATS[self.index % 4]

    @property
    def legs(self) -> tuple[Fixture, Fixture]:
        """The two matches."""
        return Fixture(self, 1), Fixture(self, 2)

    def key(self, contest_key: bytes) -> BlockKey:
        """All luck of the block."""
        return block_key(contest_key, self.pairing, self.index)


class Round(NamedTuple):
    """Blocks that may be played side by side: nobody is in two of them. Who is in none of them sits out."""

    blocks: tuple[Block, ...]
    sits_out: tuple[Entrant, ...] = ()

    @classmethod
    def of(cls, blocks: Iterable[Block], field: Iterable[Entrant]) -> "Round":
        """These blocks; the others of the field sit out."""
        blocks = tuple(blocks)
        playing = {entrant.id for block in blocks for side in block.meeting for entrant in side.entrants}
        return cls(blocks, tuple(entrant for entrant in field if entrant.id not in playing))


def fixtures_of(rounds: Iterable[Round]) -> Iterator[Fixture]:
    """The matches of rounds, in order, of each no sooner than it is asked for."""
    return (leg for each in rounds for block in each.blocks for leg in block.legs)
