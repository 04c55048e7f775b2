"""A unit of work as bytes, and what came of it: the legs of a block, how to play them, and by which bots.

Bytes are a function of the work alone, so a unit that comes twice can be told. What differs from one machine to another
is not in them but for a bot's folder: where it lies, if the worker sees the same files, else in a bundle.
"""

import base64
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from aluette.errors import Misuse
from aluette.packs import BlockKey
from aluette.record import Record, to_bytes
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.version import __version__
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Fault, FaultType, Policy
from aluette_referee.play.launch import Launch
from aluette_referee.play.output import Log
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed
from aluette_referee.table import Outcome

__all__ = ["Answer", "How", "SentBot", "Unit", "read_answer", "read_unit", "write_answer", "write_unit"]


@dataclass(frozen=True, slots=True)
class How:
    """How matches are played; equal ones can share a referee."""

    limits: Limits
    policy: Policy
    bounds: Bounds
    in_process: bool = False


class SentBot(NamedTuple):
    """A bot as it is sent: as written, with the digest of its content.

    `folder` is where its files lie, for a worker that sees them; None for another, which has them in `bundle` or,
    where that is None, from an earlier unit.
    """

    spec: BotSpec
    label: str
    content: str
    folder: str | None
    bundle: bytes | None


class Unit(NamedTuple):
    """What a worker is to do: `matches` as they were sent, of the `bots`."""

    how: How
    bots: tuple[SentBot, ...]
    matches: Sequence[Mapping[str, Any]]

    def plans(self, launches: Sequence[Launch]) -> list[MatchPlan]:
        """How each match is played, by bots that were found in the order of `bots`."""
        return [_plan_of(match, launches) for match in self.matches]


class Answer(NamedTuple):
    """What came of a unit: its matches; or the contents of the bots that the worker lacks; or why it refuses."""

    matches: tuple[MatchPlayed, ...] = ()
    lacks: tuple[str, ...] = ()
    refused: str = ""


def write_unit(
    plans: Sequence[MatchPlan],
    how: How,
    bundles: Mapping[str, bytes] | None = None,
    attempt: int = 0,
) -> bytes:
    """The bytes of a unit. `bundles` None: the worker sees our files; else those, by content, that travel with it.

    `attempt` tells one that is sent again from the one before.
    """
    launches = {
        (chair.launch.content, chair.launch.label): chair.launch
        for plan in plans
        for chair in plan.chairs.values()
    }
    numbers = {name: number for number, name in enumerate(launches)}
    value = {
        "version": __version__,
        "attempt": attempt,
        "how": _how_value(how),
        "bots": [_bot_value(launch, bundles) for launch in launches.values()],
        "matches": [_plan_value(plan, numbers) for plan in plans],
    }
    return json.dumps(value).encode()


def read_unit(data: bytes) -> Unit:
    """The unit of its bytes; raises `Misuse` when another version of the project wrote them."""
    value = json.loads(data)
    if value["version"] != __version__:
        raise Misuse(
            f"it has aluette {__version__}, and the work came from aluette {value['version']}: install the same everywhere"
        )
    how = value["how"]
    return Unit(
        How(Limits(**how["limits"]), Policy(**how["policy"]), Bounds(**how["bounds"]), how["in_process"]),
        tuple(_bot_of(bot) for bot in value["bots"]),
        value["matches"],
    )


def write_answer(answer: Answer) -> bytes:
    """The bytes of an answer."""
    value = {
        "matches": [_played_value(played) for played in answer.matches],
        "lacks": answer.lacks,
        "refused": answer.refused,
    }
    return json.dumps(value).encode()


def read_answer(data: bytes, plans: Sequence[MatchPlan]) -> Answer:
    """The answer to a unit of these matches."""
    value = json.loads(data)
    matches = zip(plans, value["matches"], strict=True) if value["matches"] else ()
    return Answer(
        tuple(_played_of(plan, played) for plan, played in matches), tuple(value["lacks"]), value["refused"]
    )


@functools.cache  # it is the same for a whole run
def _how_value(how: How) -> dict[str, Any]:
    return {
        "limits": asdict(how.limits),
        "policy": asdict(how.policy),
        "bounds": asdict(how.bounds),
        "in_process": how.in_process,
    }


# -- bots -----------------------------------------------------------------------------------------------


def _bot_value(launch: Launch, bundles: Mapping[str, bytes] | None) -> dict[str, Any]:
    assert launch.command is not None, "an external bot plays where the run was begun"
    bundle = None if bundles is None else bundles.get(launch.content)
    spec = launch.spec
    return {
        "spec": {"run": spec.run, "options": dict(spec.options), "env": dict(spec.env), "files": spec.files},
        "label": launch.label,
        "content": launch.content,
        "folder": str(launch.command.cwd.absolute()) if bundles is None else None,
        "bundle": None if bundle is None else base64.b64encode(bundle).decode(),
    }


def _bot_of(value: Mapping[str, Any]) -> SentBot:
    spec, bundle = value["spec"], value["bundle"]
    return SentBot(
        BotSpec(spec["run"], spec["options"], spec["env"], tuple(spec["files"])),
        value["label"],
        value["content"],
        value["folder"],
        None if bundle is None else base64.b64decode(bundle),
    )


# -- matches --------------------------------------------------------------------------------------------


def _plan_value(plan: MatchPlan, numbers: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    return {
        "id": plan.id,
        "rules": plan.rules.identity,
        "key": plan.key.secret.hex(),
        "first_dealer": plan.first_dealer.name,
        "names": plan.names,
        "chairs": {
            seat.name: [chair.post, numbers[chair.launch.content, chair.launch.label], chair.name]
            for seat, chair in plan.chairs.items()
        },
    }


def _plan_of(value: Mapping[str, Any], launches: Sequence[Launch]) -> MatchPlan:
    return MatchPlan(
        value["id"],
        RuleSet.parse(value["rules"]),
        BlockKey(bytes.fromhex(value["key"])),
        Seat[value["first_dealer"]],
        {
            Seat[seat]: Chair(Post(*post), launches[number], name)
            for seat, (post, number, name) in value["chairs"].items()
        },
        value["names"],
    )


def _played_value(played: MatchPlayed) -> dict[str, Any]:
    record, faults, strikes = played.outcome
    return {
        "record": None if record is None else to_bytes(record).decode(),
        "faults": faults,
        "strikes": strikes,
        "timing": played.timing,
        "voids": played.voids,
        "logs": {seat.name: log for seat, log in played.logs.items()},
    }


def _played_of(plan: MatchPlan, value: Mapping[str, Any]) -> MatchPlayed:
    written: str | None = value["record"]
    record: Record | None = None if written is None else json.loads(written)
    outcome = Outcome(record, tuple(_faults_of(value["faults"])), tuple(_faults_of(value["strikes"])))
    logs = {Seat[seat]: Log(*log) for seat, log in value["logs"].items()}
    return MatchPlayed(plan, outcome, value["timing"], value["voids"], logs=logs, written=written or "")


def _faults_of(values: Sequence[Sequence[Any]]) -> Iterator[Fault]:
    for kind, seat, *rest in values:
        yield Fault(FaultType(kind), Seat(seat), *rest)
