"""Posts of a pool in tests: who sits at them, waiting for what becomes of them, and bots that do one thing."""

import trio
from referee.play.memory import MemoryLine, hello, play_honestly, settle
from referee.play.notes import Notes

from aluette.events import MatchBegun
from aluette.rules import STANDARD
from aluette.seats import Seat
from aluette.session import Turn
from aluette_referee.clock import Limits
from aluette_referee.play.launch import Launch
from aluette_referee.play.player import Player
from aluette_referee.play.pool import Pool, Post

__all__ = [
    "EXTERNAL",
    "LIMITS",
    "ONE",
    "OTHER",
    "away",
    "external",
    "hangs_up_when_asked",
    "seated",
    "speaks_another_protocol",
]

ONE, OTHER = Post("team", 1, 1), Post("team", 2, 1)
LIMITS = Limits(connect=5.0, goodbye=2.0)
EXTERNAL = Launch("external", None, "external")


def seated(player: Player, *tables: int) -> Notes:
    notes = Notes(player, *tables)
    for table, seat in zip(tables, Seat, strict=False):
        player.tell(table, MatchBegun(seat, STANDARD, 0))
        player.ask(Turn(table, 0, None), 10.0)
    player.flush()
    return notes


async def away(player: Player) -> None:
    """Wait until its stream has ended."""
    while not player.is_away:
        await player.moved.wait()


async def external(pool: Pool, start, announced: list[str], bot=play_honestly) -> Player:
    """The player of an external bot that a person starts as announced."""
    players: list[Player] = []
    before = len(announced)

    async def wait() -> None:
        players.append(await pool.player(ONE, EXTERNAL))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await settle()
        (sentence,) = announced[before:]
        assert "Waiting for an external bot (external)" in sentence
        assert "ALUETTE_SERVER=external " in sentence
        token = sentence.partition("ALUETTE_TOKEN=")[2].split()[0]
        pool._nursery.start_soon(bot, start.dial(token))
    return players[0]


async def speaks_another_protocol(line: MemoryLine) -> None:
    line.send(hello(protocol=2))
    await line.receive()


async def hangs_up_when_asked(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            line.hang_up()
            await trio.sleep_forever()
