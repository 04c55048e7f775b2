"""A referee for hostile clients to try: `python besieged.py FOLDER PORT`, over when its stdin closes.

It plays honest matches without end; once it is "warm", also one for each program `FOLDER/NAME.py`, at whose South
sits that program, and then it says "tried". At last it prints, as JSON, what it made of each program, and how many
honest matches were not what the same bots make in one process.
"""

import itertools
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from aluette.packs import block_key
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette_bench.honest import undisturbed
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play import service
from aluette_referee.play.endpoint import Endpoint
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed

RULES = RuleSet(deals=2)
LIMITS = Limits(connect=5.0, ready=5.0, move=5.0, goodbye=1.0, grace=1.0)
HASTE = {
    "grpc.keepalive_time_ms": 1000,
    "grpc.keepalive_timeout_ms": 1000,
    "grpc.http2.ping_timeout_ms": 1000,
    "grpc.server_handshake_timeout_ms": 1000,
}
"""Who is gone without a word is found sooner than with the referee's own settings."""
WARM = 20
"""Honest matches after which the referee has what memory it needs for them."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(folder: Path, port: int) -> None:
    lowest = resolve(BotSpec("lowest"), folder)
    programs = sorted(folder.glob("*.py"))
    over = threading.Event()
    made: dict[str, list[object]] = {}
    honest = changed = 0

    def plan(name: str, number: int, south: Chair | None = None) -> MatchPlan:
        chairs = {seat: Chair(Post("honest", int(seat), 1), lowest, "") for seat in SEATS}
        key = block_key(bytes(32), "besieged", number)
        return MatchPlan(name, RULES, key, Seat.N, chairs | ({Seat.S: south} if south else {}))

    def plans() -> Iterator[MatchPlan]:
        waiting = list(programs)
        for number in itertools.count():
            if over.is_set():
                return
            if waiting and honest >= WARM:
                program = waiting.pop()
                launch = resolve(BotSpec(f"python {program.name}"), folder)
                yield plan(program.stem, 0, Chair(Post(program.stem, 1, 1), launch, ""))
            else:
                yield plan("honest", number % 10)

    def save(ended: Sequence[MatchPlayed]) -> None:
        nonlocal honest, changed
        for played in ended:
            record, faults = played.outcome.record, played.outcome.faults
            if played.plan.id != "honest":
                made[played.plan.id] = [[fault.type, fault.seat.name] for fault in faults] or played.voids
                if len(made) == len(programs):
                    say("tried")
                continue
            honest += 1
            changed += record is None or to_bytes(record) != undisturbed(played.plan)
            if honest == WARM:
                say("warm")

    def listen() -> None:
        sys.stdin.read()
        over.set()

    service.OPTIONS.update(HASTE)
    threading.Thread(target=listen, daemon=True).start()
    endpoint = Endpoint(f"127.0.0.1:{port}")
    play_plans(plans(), Settings(LIMITS, Policy(), cores=2, tables=6, endpoint=endpoint), save)
    say(json.dumps({"made": made, "honest": honest, "changed": changed}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
