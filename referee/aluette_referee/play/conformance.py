"""Tries whether a bot does all that the protocol asks of it, step by step; for `aluette check`.

Each step plays with one process that sits on all four seats. The first step that fails ends it: what comes after would
only fail for the same reason.
"""

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from aluette.codec import TurnWriter
from aluette.packs import BlockKey, block_key, open_contest_key, pairing_id
from aluette.record import to_bytes
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault
from aluette_referee.play.game import LiveGame
from aluette_referee.play.launch import Launch
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Pool
from aluette_referee.report.transcript import when
from aluette_referee.table import Table

__all__ = ["STEPS", "Failure", "try_bot"]

ALL_ASKS: Final = RuleSet(cut="player", chant="always", deals=2)
_TOGETHER: Final = 4
"""Matches at once, with four seats each in the one process."""
_UNKNOWN: Final = bytes([0xFA, 0x3E, 3]) + b"new"
"""A field that no version knows yet."""


@dataclass
class Failure(Exception):  # noqa: N818 - what came out of a step
    """A step failed: what happened, what to do, and what the bot printed."""

    what: str
    todo: str
    output: str = ""


class Step(NamedTuple):
    """A step: what the bot does if it passes, and how that is tried."""

    name: str
    run: Callable[["_Trial"], Awaitable[str]]
    """Returns a remark, or nothing; raises `Failure`."""


async def try_bot(
    pool: Pool, launch: Launch, limits: Limits, told: Callable[[str, str, Failure | None], None]
) -> bool:
    """Try all steps; `told` hears of each with its remark, or its failure. Returns whether all passed."""
    trial = _Trial(pool, launch, limits)
    for name, run in STEPS:
        try:
            remark = await run(trial)
        except Failure as failure:
            told(name, "", failure)
            return False
        told(name, remark, None)
    return True


class _Trial:
    def __init__(self, pool: Pool, launch: Launch, limits: Limits) -> None:
        self.pool = pool
        self.launch = launch
        self.limits = limits
        self.longest = 0.0

    @asynccontextmanager
    async def player(self) -> AsyncGenerator[Player]:
        """A process of its own, which is said goodbye at the end."""
        try:
            player = await self.pool.start_once(self.launch)
        except NotPlaying as error:
            todo = "see what it printed; a bot ends with aluette.run(MyBot), or is named file.py:MyBot"
            raise Failure(f"{error.kind}: {error.evidence}", todo, error.output) from None
        try:
            yield player
        finally:
            await self.pool.dismiss(player)

    def game(self, player: Player, number: int = 0, rules: RuleSet | None = None) -> "_Watched":
        """A match of four seats of that process, with the luck of that number."""
        key = _key(number)
        match = Match(rules or RuleSet(), key)
        handles = {seat: secrets.randbits(63) + 1 for seat in SEATS}
        table = Table(match, key, handles, dict.fromkeys(SEATS, self.limits), show=TurnWriter(match).write)
        return _Watched(table, dict.fromkeys(SEATS, player), handles)

    async def played(self, player: Player, game: "_Watched") -> bytes:
        """The record of a match once it is over; a fault in it is a failure."""
        await game.over.wait()
        for fault in game.outcome.faults:
            raise Failure(_told(fault), _TODO.get(fault.type.value, "see docs/protocol.md"), player.output)
        if game.outcome.record is None:
            lost = player.lost
            raise Failure(
                f"{lost[0]}: {lost[1]}" if lost else game.why_void, "see what it printed", player.output
            )
        self.longest = max([self.longest, *(seat["longest"] for seat in game.timing().values())])
        return to_bytes(game.outcome.record)


_TODO: Final = {
    "illegal": "play a card of your hand, and answer what was asked",
    "failed": "mend the exception; of a match that is stored, `aluette replay` names the command that goes back there",
    "malformed": "answer each turn with the kind of answer that its `asked` wants",
    "late": "answer within the limit: look for loops and for slow loading outside __init__",
    "crashed": "the process must live until the goodbye: see what it printed",
    "disconnected": "keep the stream open, and come back with the `resume` secret of Welcome when it breaks",
    "flooding": "answer each turn once, with its table and number",
}


class _Watched(LiveGame):
    """Does something after so many answers."""

    answers = 0
    after_answers: tuple[int, Callable[[], None]] | None = None

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        self.answers += 1
        touched = super().answer(seat, move, charged)
        if self.after_answers and self.answers == self.after_answers[0]:
            self.after_answers[1]()
        return touched


def _key(number: int) -> BlockKey:
    return block_key(open_contest_key("check"), pairing_id("", ""), number)


def _told(fault: Fault) -> str:
    where = when(fault.deal, fault.trick) if fault.deal else "while getting ready"
    legal = f" (legal: {fault.legal})" if fault.legal else ""
    return f"{fault.type} {where}{legal}: {fault.evidence.strip()}"


# -- the steps -----------------------------------------------------------------------------------------


async def _starts(trial: _Trial) -> str:
    async with trial.player() as player:
        return f"as {player.name!r}, up to {player.capacity} tables"


async def _plays(trial: _Trial) -> str:
    async with trial.player() as player:
        game = trial.game(player)
        game.begin()
        await trial.played(player, game)
    return ""


async def _answers_all(trial: _Trial) -> str:
    async with trial.player() as player:
        for number, rules in enumerate((ALL_ASKS, RuleSet(signals=False, chant="off", deals=1))):
            game = trial.game(player, number, rules)
            game.begin()
            await trial.played(player, game)
    return ""


async def _keeps_order(trial: _Trial) -> str:
    async with trial.player() as player:
        games = [
            trial.game(player, number)
            for number in range(max(1, min(_TOGETHER, player.capacity // len(SEATS))))
        ]
        for game in games:
            game.begin()
        for game in games:
            await trial.played(player, game)
        if player.stream.out_of_order:
            todo = "answer the turns of a batch in the order in which they came"
            raise Failure("answers came in another order than their turns", todo, player.output)
    return f"{len(games)} matches at once"


async def _same_again(trial: _Trial) -> str:
    records: list[bytes] = []
    for _ in range(2):
        async with trial.player() as player:
            game = trial.game(player, 7)
            game.begin()
            records.append(await trial.played(player, game))
    if records[0] != records[1]:
        todo = "take chance from self.rng (or the seed of match_begun) alone, and do not look at clocks or addresses"
        raise Failure("the same match was played differently the second time", todo)
    return ""


async def _passes_over(trial: _Trial) -> str:
    async with trial.player() as player:
        game = trial.game(player, 1, RuleSet(deals=1))
        strange = [
            wire.PlayResponse.FromString(_UNKNOWN),
            wire.PlayResponse(batch=wire.Batch(events=[wire.Event(table=1)])),
            wire.PlayResponse.FromString(
                wire.PlayResponse(batch=wire.Batch()).SerializeToString() + _UNKNOWN
            ),
        ]

        def say() -> None:
            for response in strange:
                player.say(response)

        say()
        game.after_answers = (9, say)
        game.begin()
        await trial.played(player, game)
    return ""


async def _comes_back(trial: _Trial) -> str:
    if not trial.limits.grace:
        return "not tried: no grace"
    async with trial.player() as player:
        game = trial.game(player, 2, RuleSet(deals=2))
        game.after_answers = (30, player.hang_up)
        game.begin()
        await trial.played(player, game)
    return ""


async def _keeps_time(trial: _Trial) -> str:
    took, limit = f"its longest answer took {trial.longest * 1000:.1f} ms", trial.limits.move
    if limit is not None and trial.longest > limit:
        todo = "answer sooner; what it prints takes time, too, about half a millisecond a line"
        raise Failure(f"{took} of {limit:g} s", todo)
    return took + (f" of {limit:g} s" if limit else "")


async def _ends(trial: _Trial) -> str:
    async with trial.player() as player:
        pass
    await trio.lowlevel.checkpoint()
    if (how := player.process.how if player.process else "") != "exit 0":
        todo = "end the process when the referee says Goodbye or the stream ends"
        raise Failure(
            f"after the goodbye it did not end by itself ({how or 'it was killed'})", todo, player.output
        )
    return ""


STEPS: Final = (
    Step("starts, and says hello", _starts),
    Step("gets ready, and plays a match by the rules", _plays),
    Step("answers every kind of turn", _answers_all),
    Step("answers a batch in its order", _keeps_order),
    Step("keeps its time", _keeps_time),
    Step("plays the same again with the same seed", _same_again),
    Step("passes over what it does not know", _passes_over),
    Step("comes back when its stream breaks", _comes_back),
    Step("ends when told", _ends),
)
"""All steps, in order."""
