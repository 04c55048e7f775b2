"""Before the first match: every distinct bot is started once, as far as being ready, in a short process.

What fails here ends the run before it begins, with the bot's own output.
"""

import secrets
from collections.abc import Iterable

import trio

from aluette.errors import Misuse
from aluette.events import Event, MatchBegun, MatchEnded, Reason
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.launch import Launch
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Pool
from aluette_referee.report.blame import last_lines

__all__ = ["check_bots"]

_SHOWN = 4000


async def check_bots(
    pool: Pool, launches: Iterable[Launch], rules: RuleSet, limits: Limits, hint: str = ""
) -> None:
    """Raise `Misuse` naming each bot that cannot be started or does not get ready, and why, and with the hint."""
    problems: dict[str, str] = {}

    async def check(launch: Launch) -> None:
        problem = await _check(pool, launch, rules, limits)
        if problem:
            problems[launch.label] = problem

    # An external bot comes when it is needed, and a person at the terminal is not to be asked twice.
    distinct = {
        launch.content: launch for launch in launches if launch.command is not None and not launch.untimed
    }
    async with trio.open_nursery() as nursery:
        for launch in distinct.values():
            nursery.start_soon(check, launch)
    if problems:
        told = [f"the bot {label} cannot play: {problem}" for label, problem in sorted(problems.items())]
        raise Misuse("\n".join([*told, hint] if hint else told))


async def _check(pool: Pool, launch: Launch, rules: RuleSet, limits: Limits) -> str:
    """What is wrong with a bot; "" if it gets ready."""
    try:
        player = await pool.start_once(launch)
    except NotPlaying as error:
        silent = error.kind is FaultType.NOT_STARTED and error.evidence.endswith("exit code 0")
        hint = f": {launch.hint}" if silent and launch.hint else ""
        return _told(f"{error.kind}: {error.evidence}{hint}", error.output)
    begun = MatchBegun(Seat.N, rules, 0, (), limits.move, limits.ready, limits.bank)
    trial = _Trial(begun)
    table = secrets.randbits(63) + 1
    player.sit(table, trial, Seat.N)
    player.tell(table, begun)
    player.ask(Turn(table, 0, None), limits.until_ready)
    player.flush()
    await trial.over.wait()
    if not player.gone.is_set():
        player.tell(table, MatchEnded(Reason.VOID, None, Points(0, 0)))
        player.leave(table)
        player.flush()
        await pool.dismiss(player)
    return _told(trial.problem, player.output) if trial.problem else ""


def _told(problem: str, output: str) -> str:
    """The problem, and what the bot printed."""
    problem = problem.strip()
    return "\n".join((problem[-_SHOWN:].strip(), *last_lines(output, problem)))


class _Trial:
    """A match of one seat and one turn: getting ready."""

    def __init__(self, begun: MatchBegun) -> None:
        self._begun = begun
        self.over = trio.Event()
        self.problem = ""

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        del seat
        if charged is None:
            return set()
        match move.WhichOneof("answer"):
            case "ready":
                pass
            case "failed":
                self.problem = f"{FaultType.FAILED}: {move.failed.message}"
            case other:
                self.problem = f"{FaultType.MALFORMED}: it was asked whether it is ready and answered {other}"
        self.over.set()
        return set()

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        del seat, kind
        return False

    def fault(self, seat: Seat, kind: FaultType, evidence: str, elapsed: float | None = None) -> set[Player]:
        del seat, elapsed
        self.problem = f"{kind}: {evidence}"
        self.over.set()
        return set()

    def events(self, seat: Seat) -> list[Event]:
        del seat
        return [self._begun]

    def void(self, why: str) -> set[Player]:
        self.problem = why
        self.over.set()
        return set()
