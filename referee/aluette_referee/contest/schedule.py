"""Who plays whom, where and in which order: a function of the contest.

A *block* is the same packs played twice, teams exchanged: leg 1 seats A1 B1 A2 B2 at N E S W, leg 2
B1 A1 B2 A2; the first dealer is seat (block index mod 4) in both. It is the unit of schedule and statistics.
All ids are derived from what they name, so an interrupted contest goes on by playing the ids that are
missing. Adding teams or blocks moves no id and no pack; the order of the two teams in the file does neither.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aluette.packs import BlockKey, block_key, pairing_id
from aluette.seats import SEATS, Seat
from aluette_referee.contest.contest import BotSpec, Entrant, digest_of

__all__ = ["Block", "Fixture", "Player", "round_robin", "rounds"]


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a chair: slot 1 or 2 of an entrant."""

    entrant: Entrant
    slot: int

    @property
    def bot(self) -> BotSpec:
        """Its bot, as written."""
        return self.entrant.team.bots[self.slot - 1]


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
    def seats(self) -> dict[Seat, Player]:
        """Who sits where."""
        one, other = (
            (self.block.one, self.block.other) if self.leg == 1 else (self.block.other, self.block.one)
        )
        players = (Player(one, 1), Player(other, 1), Player(one, 2), Player(other, 2))
        return dict(zip(SEATS, players, strict=True))

    @property
    def teams(self) -> tuple[str, str]:
        """The names of the teams that sit NS and EW."""
        seats = self.seats
        return seats[Seat.N].entrant.name, seats[Seat.E].entrant.name


@dataclass(frozen=True, slots=True)
class Block:
    """Block `index` (from 0) of the pairing of two entrants; `one` is first by name."""

    one: Entrant
    other: Entrant
    index: int

    @property
    def id(self) -> str:
        """What the block is filed under."""
        return digest_of("block", self.one.id, self.other.id, str(self.index))

    @property
    def pairing(self) -> str:
        """A digest of the two team names: what the packs follow from."""
        return pairing_id(self.one.name, self.other.name)

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


def rounds(count: int) -> list[list[tuple[int, int]]]:
    """The circle method: every two of `count` meet once, and nobody plays twice in a round.

    With an odd count one sits out each round (a bye).
    """
    circle = list(range(count + count % 2))
    half = len(circle) // 2
    found: list[list[tuple[int, int]]] = []
    for _ in range(len(circle) - 1):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        found.append([pair for pair in pairs if max(pair) < count])
        circle.insert(1, circle.pop())
    return found


def round_robin(entrants: Sequence[Entrant], blocks: int) -> Iterator[Block]:
    """All blocks in the order of play: every pairing has played block 0 before any plays block 1."""
    for index in range(blocks):
        for pairs in rounds(len(entrants)):
            for pair in pairs:
                one, other = sorted((entrants[place] for place in pair), key=lambda entrant: entrant.name)
                yield Block(one, other, index)
