"""Who is here: the streams of bots that came by themselves, and the hosted ones, who always are.

It knows for each version how many tables it can take, gives a match its chairs, and sees to it that whoever may not play any more is
seen off when its matches are over. Whom to pair is not decided here.
"""

import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import trio

from aluette.seats import SEATS, Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Lost
from aluette_referee.league.roster import Entrant, Holder
from aluette_referee.lobby import Refusal
from aluette_referee.play.door import TakeIn
from aluette_referee.play.launch import Launch
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Pool, Post
from aluette_referee.play.runner import Chair

__all__ = ["Hall", "LookUp"]

LookUp = Callable[[str], Awaitable[tuple[Holder, Entrant | None] | None]]
"""Who holds a token, and the version that it lets play; None of a token that is none."""


@dataclass(eq=False)
class _Stream:
    """A stream of a version, the token with which it came, and how many seats it has."""

    number: int
    token: int
    player: Player
    seats: int = 0

    @property
    def free(self) -> int:
        """Seats that it could have."""
        player = self.player
        return player.capacity - self.seats if player.takes_tables and not player.is_away else 0


_Streams = dict[int, _Stream]


class Hall:
    """A `play.runner.Roster`. `changed` is called when somebody came, went, or has a table free again."""

    def __init__(
        self,
        nursery: trio.Nursery,
        look_up: LookUp,
        *,
        streams_each: int,
        tables_each: int,
        lost: Callable[[Lost], None],
        changed: Callable[[], None],
        journal: Journal,
    ) -> None:
        """Nobody is here. The pool of hosted bots comes with `open`."""
        self._nursery = nursery
        self._look_up = look_up
        self._streams_each = streams_each
        self._tables_each = tables_each
        self._lost = lost
        self._changed = changed
        self._journal = journal
        self._numbers = itertools.count(1)
        self._places: dict[int, _Streams] = {}
        self._roster: Mapping[int, Entrant] = {}
        self._hosted: dict[int, Launch] = {}
        self._pool: Pool | None = None
        self._playing: Counter[int] = Counter()

    def open(self, pool: Pool) -> None:
        """Hosted bots are played by this pool."""
        self._pool = pool

    # -- who comes and goes ----------------------------------------------------------------------------

    async def find(self, token: str) -> TakeIn | None:
        """Who takes in a stream with this token: `play.door.FindGuest`."""
        found = await self._look_up(token)
        if found is None:
            return None
        holder, entrant = found
        if holder.version is None or entrant is None:
            raise Refusal(
                wire.Refused.REASON_TOKEN,
                f"this token lets {holder.owner_name} own bots: a bot plays with the token of its version",
            )
        if holder.banned or entrant.barred:
            raise _barred(entrant.barred or f"{holder.owner_name} is banned: {holder.banned}")

        def take_in(player: Player) -> None:
            streams = self._places.setdefault(entrant.id, {})
            if len(streams) >= self._streams_each:
                raise _barred(
                    f"{entrant.name} has {self._streams_each} streams already, which is all it may have"
                )
            stream = _Stream(next(self._numbers), holder.token, player)
            streams[stream.number] = stream
            self._journal.note("came", bot=entrant.name, stream=stream.number, capacity=player.capacity)
            self._nursery.start_soon(self._attend, entrant, stream)
            self._changed()

        return take_in

    async def _attend(self, entrant: Entrant, stream: _Stream) -> None:
        """See a stream to its end."""
        version, player = entrant.id, stream.player
        await player.gone.wait()
        how = ": ".join(player.lost) if player.lost else "goodbye"
        self._journal.note("went", bot=entrant.name, stream=stream.number, how=how)
        streams = self._places[version]
        del streams[stream.number]
        if not streams:
            del self._places[version]
        if player.lost is not None and player.lost_unsure:
            self._lost(Lost(version, *player.lost))  # where a match paid for it, its result says so
        self._changed()

    def update(
        self, roster: Mapping[int, Entrant], hosted: Mapping[int, Launch], void_tokens: Collection[int]
    ) -> None:
        """Who may play now, who of these is hosted, and whose tokens are good for nothing any more."""
        self._roster = roster
        self._hosted = dict(hosted)
        for version, streams in list(self._places.items()):
            barred = roster[version].barred if version in roster else "there is no such bot any more"
            for stream in list(streams.values()):
                if barred or stream.token in void_tokens:
                    stream.player.see_off(barred or "the token was revoked")
        self._changed()

    @property
    def tokens(self) -> set[int]:
        """With which the streams that are here came."""
        return {stream.token for streams in self._places.values() for stream in streams.values()}

    @property
    def streams(self) -> int:
        """How many are here."""
        return sum(map(len, self._places.values()))

    @property
    def here(self) -> list[int]:
        """Versions that could play, whether they have a table free or not."""
        return sorted({*self._places, *self._hosted})

    def goodbye(self, message: str) -> None:
        """Send everybody home, to come again."""
        for streams in list(self._places.values()):
            for stream in list(streams.values()):
                stream.player.goodbye(message, come_again=True)

    # -- tables ----------------------------------------------------------------------------------------

    def has_room(self, version: int, seats: int) -> bool:
        """Whether a version can take one more table, at which it has so many seats."""
        entrant = self._roster.get(version)
        if entrant is None or entrant.barred or self._playing[version] >= self._tables_each:
            return False
        if version in self._hosted:
            return True
        return _chosen(self._places.get(version, {}), seats) is not None

    def is_hosted(self, version: int) -> bool:
        """Whether it runs here, in a sandbox."""
        return version in self._hosted

    def sit(self, fixture: LeagueFixture) -> dict[Seat, Chair]:
        """Give a match its chairs, until `rise`; each version has room."""
        chairs: dict[Seat, Chair] = {}
        for version in set(fixture.seats.values()):
            self._playing[version] += 1
            seats = [seat for seat in SEATS if fixture.seats[seat] == version]
            chairs |= dict(zip(seats, self._chairs_of(version, seats, fixture.leg), strict=True))
        return chairs

    def _chairs_of(self, version: int, seats: list[Seat], leg: int) -> Iterator[Chair]:
        name = self._roster[version].name
        if version in self._hosted:
            for slot, seat in enumerate(seats, start=1):
                # Of drawn partners each seat has a process of its own.
                post = Post(f"hosted {version}", slot if len(seats) > 1 else int(seat), leg)
                yield Chair(post, self._hosted[version], name)
            return
        streams = _chosen(self._places[version], len(seats))
        assert streams is not None, "whoever has no room is not paired"
        for stream in streams:
            stream.seats += 1
            yield Chair(Post(str(version), stream.number, 0), Launch(name, None, name), name)

    def rise(self, chairs: Mapping[Seat, Chair], fixture: LeagueFixture) -> None:
        """The match is over."""
        for seat, version in fixture.seats.items():
            stream = self._places.get(version, {}).get(chairs[seat].post.slot)
            if stream is not None and version not in self._hosted:
                stream.seats -= 1
        self._playing.subtract(set(fixture.seats.values()))
        self._playing += Counter()  # those of nobody are dropped
        self._changed()

    # -- play.runner.Roster ----------------------------------------------------------------------------

    def hold(self, posts: Collection[Post]) -> AbstractAsyncContextManager[None]:
        """Have room for the processes of hosted bots."""
        return self._the_pool.hold(posts)

    async def player(self, post: Post, launch: Launch) -> Player:
        """The stream that was chosen for a chair, or the process of a hosted bot; raises `NotPlaying`."""
        if launch.command is not None:
            return await self._the_pool.player(post, launch)
        await trio.lowlevel.checkpoint()
        stream = self._places.get(int(post.entrant), {}).get(post.slot)
        if stream is None or not stream.player.takes_tables:
            raise NotPlaying(FaultType.NOT_CONNECTED, "it had gone before the match began")
        return stream.player

    async def dismiss_post(self, post: Post) -> None:
        """A process of a hosted bot is not needed any more."""
        await self._the_pool.dismiss_post(post)

    @property
    def _the_pool(self) -> Pool:
        assert self._pool is not None
        return self._pool


def _chosen(streams: _Streams, seats: int) -> list[_Stream] | None:
    """Streams for so many seats, each on one of its own if that can be; None if there is no room."""
    by_room = sorted(streams.values(), key=lambda stream: (-stream.free, stream.number))
    apart = [stream for stream in by_room if stream.free > 0][:seats]
    if len(apart) == seats:
        return apart
    return [apart[0]] * seats if apart and apart[0].free >= seats else None


def _barred(why: str) -> Refusal:
    return Refusal(wire.Refused.REASON_BARRED, why)
