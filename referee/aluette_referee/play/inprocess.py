"""Plays a match in this process: no network, no processes, no clock; the same table, the same records.

For quick local runs of Python bots that one trusts. A bot that hangs hangs the run.
"""

import functools
from collections import deque

from aluette.bot import BotFactory
from aluette.errors import Misuse
from aluette.loading import load_bot
from aluette.rules import Match
from aluette.seats import SEATS, Seat
from aluette.session import Session, Turn
from aluette_referee.clock import Limits
from aluette_referee.faults import FORFEIT, FaultType, Policy
from aluette_referee.play.launch import Launch
from aluette_referee.play.runner import MatchPlan, MatchPlayed
from aluette_referee.table import Asked, Effect, Ended, Outcome, Table, Told

__all__ = ["factory_of", "play_in_process"]

_NO_CLOCK = Limits().untimed


def play_in_process(plan: MatchPlan, policy: Policy = FORFEIT) -> MatchPlayed:
    """Play one match; raises `Misuse` for a bot that is not a Python class or function."""
    match = Match(plan.rules, plan.key, first_dealer=plan.first_dealer)
    chairs = {match.chairs[seat]: plan.chairs[seat] for seat in SEATS}
    sessions = {
        seat: Session(factory_of(chair.launch), chair.launch.options) for seat, chair in chairs.items()
    }
    names = [chairs[seat].name for seat in SEATS] if plan.names else []
    handles: dict[Seat, int] = {seat: int(seat) for seat in SEATS}
    table = Table(match, plan.key, handles, dict.fromkeys(SEATS, _NO_CLOCK), names, policy=policy)
    effects: deque[Effect] = deque(table.begin())
    outcome = Outcome(None)
    while effects:
        match effects.popleft():
            case Told(seat, event):
                sessions[seat].tell(handles[seat], event)
            case Asked(seat, turn):
                assert isinstance(turn, Turn), "nothing is written where nothing travels"
                try:
                    (answer,) = sessions[seat].answer([turn])
                except KeyboardInterrupt:
                    raise
                except BaseException as ended:  # noqa: BLE001 - such as sys.exit: alone, its process would be gone
                    effects.extend(table.fault(seat, FaultType.CRASHED, f"the bot raised {ended!r}"))
                else:
                    effects.extend(table.answer(seat, answer.number, answer.reply))
            case Ended(outcome):
                pass
    return MatchPlayed(plan, outcome)


def factory_of(launch: Launch) -> BotFactory:
    """The bot itself, loaded once; raises `Misuse` for what is not a Python class or function."""
    if launch.loadable is None or launch.untimed:
        # A file that runs its bot itself is none the worse, so the hint for one that does not is not for it.
        name_it = f"; name the class or function in it, {launch.label}:NAME" if launch.hint else ""
        raise Misuse(
            f"the bot {launch.label} cannot be played in this process: it is a program of its own{name_it}"
        )
    return _load(launch.loadable)


_load = functools.lru_cache(maxsize=None)(load_bot)
