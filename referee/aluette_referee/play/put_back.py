"""Puts a bot's process back into a position of a recorded match, where it plays alone.

As `aluette.rehearsal` does in one process: all its earlier turns are asked again first, one after the other, and
whatever it answers, the match goes as it was recorded. No clock runs, but nothing goes on for ever.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import trio

from aluette.codec import Malformed, read_move
from aluette.events import DealEnded, Event
from aluette.rehearsal import Asked, Rehearsed, Story
from aluette.seats import Seat
from aluette.session import Failed, Turn
from aluette.v1 import referee_pb2 as wire
from aluette_referee.bounds import Bounds, Sandbox
from aluette_referee.clock import Limits
from aluette_referee.faults import FORFEIT, FaultType
from aluette_referee.play.launch import Launch
from aluette_referee.play.live import Interrupted, Settings, with_pool
from aluette_referee.play.output import REFEREE, Log
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Pool
from aluette_referee.report.transcript import when
from aluette_referee.table import FLOODING

__all__ = ["NoAnswer", "put_back", "put_back_with"]

_TABLE: Final = 1
_LOGGED: Final = re.compile(r" *(\d+\.\d+)(.) (.*)")

Printed = Callable[[Sequence[str]], object]
"""Takes the lines that the process printed, in the order of their times, however it ended."""


class NoAnswer(NamedTuple):
    """The process came to no answer that can be read: which fault that is, where, and what is known of it.

    `place` is the deal and trick, None before its first turn.
    """

    kind: FaultType
    place: tuple[int, int] | None
    evidence: str

    def __str__(self) -> str:
        where = f" {when(*self.place)}" if self.place else ""
        return f"It is at fault{where}: {self.kind}: {self.evidence}"


def put_back(
    launch: Launch,
    story: Story,
    *,
    seed: int = 0,
    sandbox: Sandbox = "none",
    printed: Printed = lambda _: None,
) -> Rehearsed | NoAnswer:
    """Start the bot and see what it does at the end of the story; its process has ended when this returns.

    `seed` is the one that the referee gave the bot. A signal ends it all, with `Interrupted`, which says where.
    """
    limits = Limits().untimed
    limits = replace(limits, connect=limits.ceiling)  # somebody watches
    settings = Settings(limits, FORFEIT, 1, bounds=Bounds(sandbox=sandbox))

    async def use(pool: Pool) -> Rehearsed | NoAnswer:
        return await put_back_with(pool, launch, story, limits, seed=seed, printed=printed)

    return with_pool(settings, use)


async def put_back_with(
    pool: Pool,
    launch: Launch,
    story: Story,
    limits: Limits,
    *,
    seed: int = 0,
    printed: Printed = lambda _: None,
) -> Rehearsed | NoAnswer:
    """The same with a pool, which is left as it was."""
    try:
        player = await pool.start_once(launch)
    except NotPlaying as error:
        printed(error.output.splitlines())
        return NoAnswer(error.kind, None, error.evidence)
    if not await player.reserve(1):
        await pool.dismiss(player)
        printed(player.output.splitlines())
        return NoAnswer(*_lost(player, None))
    game = _Alone(player, story, seed)
    try:
        with trio.move_on_after(limits.ceiling) as patience:
            await game.over.wait()
        if patience.cancelled_caught:
            game.fault(story.seat, FaultType.LATE, f"it was not there after {limits.ceiling:g} s")
        await pool.dismiss(player)
    except trio.Cancelled:
        if game.found is None and game.place is not None:
            raise Interrupted(f"interrupted, with its answer {when(*game.place)} still to come") from None
        raise
    finally:
        # What it printed last may still be on its way; all of it is there when the process has ended.
        if player.process is not None:
            player.process.kill()
            with trio.CancelScope(shield=True):
                await player.process.ended.wait()
        printed(_in_order(player.take_log(_TABLE)))
    assert game.found is not None
    return game.found


def _lost(player: Player, place: tuple[int, int] | None) -> tuple[FaultType, tuple[int, int] | None, str]:
    kind, evidence = player.lost or (FaultType.DISCONNECTED, "it left before its first match")
    return kind, place, evidence


def _in_order(log: Log) -> list[str]:
    """What the process printed, without the times, the lines of the match among its others."""
    lines: list[tuple[float, str]] = []
    for part in log:
        at, sign = 0.0, ""
        for line in part.removesuffix("\n").split("\n") if part else ():
            text = line
            if logged := _LOGGED.fullmatch(line):
                at, sign, text = float(logged[1]), logged[2], logged[3]
            if sign != REFEREE:
                lines.append((at, text))
    return [text for _, text in sorted(lines, key=lambda timed: timed[0])]


class _Alone:
    """A match of one seat (a `player.Game`), which goes as its story does. `over` is set when `found` is there."""

    def __init__(self, player: Player, story: Story, seed: int) -> None:
        """Begin."""
        self._player = player
        self._story = story
        self._steps = iter((*story.way, story.position))
        self._open: Asked | None = None
        self._number = 0
        self._told: list[Event] = []
        self._others: list[tuple[int, int]] = []
        self._dropped = 0
        self.over = trio.Event()
        self.found: Rehearsed | NoAnswer | None = None
        player.sit(_TABLE, self, story.seat)
        self._tell(story.begun(seed))
        player.ask(Turn(_TABLE, 0, None), None)
        player.flush()

    # -- player.Game -----------------------------------------------------------------------------------

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        """It answered; None is charged for an answer that nobody asked for."""
        if charged is None:
            return self._drop(seat, move)
        turn = self._open
        try:
            reply = read_move(move, turn.view.asked if turn else None)
        except Malformed as error:
            if turn is None or turn is self._story.position:
                return self.fault(seat, FaultType.MALFORMED, str(error))
            self._others.append(turn.place)
            return self._go_on()
        if turn is None:
            if isinstance(reply, Failed):
                return self._end(self._story.rehearsed(reply, ()))
        elif turn is self._story.position:
            return self._end(self._story.rehearsed(reply, self._others))
        elif reply != turn.action:
            self._others.append(turn.place)
        return self._go_on()

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        """A process that is lost is lost."""
        del seat, kind
        return False

    def fault(self, seat: Seat, kind: FaultType, evidence: str, elapsed: float | None = None) -> set[Player]:
        """It is at fault at its open turn."""
        del seat, elapsed
        return self._end(NoAnswer(kind, self.place, evidence))

    def void(self, why: str) -> set[Player]:
        """The process was lost, and it is not sure at which turn: there is but this match."""
        del why
        return self._end(NoAnswer(*_lost(self._player, self.place)))

    def events(self, seat: Seat) -> list[Event]:
        """All that it was told so far."""
        del seat
        return self._told

    # -- how it goes on --------------------------------------------------------------------------------

    @property
    def place(self) -> tuple[int, int] | None:
        """Deal and trick of the turn that is open."""
        return self._open.place if self._open else None

    def _tell(self, event: Event) -> None:
        self._told.append(event)
        self._player.tell(_TABLE, event)

    def _go_on(self) -> set[Player]:
        for step in self._steps:
            if isinstance(step, DealEnded):
                self._tell(step)
                continue
            self._open = step
            self._number += 1
            self._player.ask(Turn(_TABLE, self._number, step.view), None)
            break
        return {self._player}

    def _drop(self, seat: Seat, move: wire.Move) -> set[Player]:
        self._player.note(_TABLE, f"dropped: an answer to turn {move.number}, which is not open")
        self._dropped += 1
        if self._dropped < FLOODING:
            return set()
        return self.fault(seat, FaultType.FLOODING, f"{FLOODING} answers came to turns that were not open")

    def _end(self, found: Rehearsed | NoAnswer) -> set[Player]:
        if not self.over.is_set():
            self.found = found
            self._player.leave(_TABLE)
            self.over.set()
        return set()
