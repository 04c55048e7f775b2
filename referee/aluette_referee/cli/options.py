"""Options that several commands share, and how they are read."""

import functools
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import click

from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.faults import Policy
from aluette_referee.play.endpoint import read_endpoint
from aluette_referee.play.live import Settings, Spread
from aluette_referee.play.spread.cluster import NO_LIMIT, find_cluster, open_cluster
from aluette_referee.play.spread.processes import CALLS, Processes

__all__ = ["PlayOptions", "cores", "read_rules", "with_play_options"]

_FILE: Final = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """`--tables`, `--no-clock`, `--in-process`, `--workers`, `--engine`, `--listen` and what goes with them."""

    tables: int | None = None
    no_clock: bool = False
    in_process: bool = False
    workers: int | None = None
    engine: str | None = None
    scheduler: str | None = None
    listen: str | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    insecure: bool = False

    def settings(self, limits: Limits, policy: Policy, bounds: Bounds | None = None) -> Settings:
        """How to play, under the limits and policy of a contest, with processes kept in bounds."""
        endpoint = read_endpoint(self.listen, self.tls_cert, self.tls_key, insecure=self.insecure)
        if self.no_clock:
            limits = limits.untimed
        return Settings(
            limits,
            policy,
            cores(),
            self.tables,
            self.in_process,
            bounds or Bounds(),
            endpoint,
            lambda text: click.echo(text, err=True),
            self._spread(),
        )

    @property
    def words(self) -> list[str]:
        """What was given, as one would write it again."""
        given = {f"--{field.name.replace('_', '-')}": getattr(self, field.name) for field in fields(self)}
        return [
            word
            for name, value in given.items()
            if value is not None and value is not False
            for word in ([name] if value is True else [name, str(value)])
        ]

    def _spread(self) -> Spread | None:
        """Where else to play; raises `Misuse` for what does not go together."""
        if (self.engine is None) != (self.scheduler is None):
            raise Misuse(
                "--engine dask and --scheduler ADDRESS go together: where the cluster's scheduler listens"
            )
        if self.workers is None and self.scheduler is None:
            return None
        if self.workers is not None and self.scheduler is not None:
            raise Misuse(
                "--workers are of this machine, and a cluster has its own: leave out --workers or --engine"
            )
        if self.listen is not None:
            raise Misuse(
                "--listen is for bots that a person starts: they play where the run was begun, without --workers or --engine"
            )
        if self.workers is not None:
            engine = functools.partial(Processes, self.workers)
            return Spread(lambda: None, engine, self.workers * 2, self.workers * CALLS)
        if self.in_process:
            raise Misuse(
                "--in-process has no clock, and nothing to stop a bot that hangs: not on a cluster's machines"
            )
        assert self.scheduler is not None
        where = self.scheduler
        return Spread(lambda: find_cluster(where), lambda: open_cluster(where), NO_LIMIT, NO_LIMIT)


def with_play_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options, and pass them to it as `play`."""

    @click.option("--tables", type=click.IntRange(1, 10_000), help="Matches played at once, at most.")
    @click.option("--no-clock", is_flag=True, help="No limits for answers: for debugging.")
    @click.option(
        "--in-process",
        is_flag=True,
        help="Play Python bots in this process: no network, no clock, nothing to stop a bot that hangs.",
    )
    @click.option("--workers", type=click.IntRange(1, 256), help="Play in so many processes of this machine.")
    @click.option("--engine", type=click.Choice(["dask"]), help="Play on a cluster.")
    @click.option("--scheduler", metavar="ADDRESS", help="Where the cluster's scheduler listens.")
    @click.option("--listen", metavar="HOST:PORT", help="For external bots. [a port of this machine alone]")
    @click.option("--tls-cert", type=_FILE, help="PEM certificate chain: external bots come with TLS.")
    @click.option("--tls-key", type=_FILE, help="Its key, PEM.")
    @click.option("--insecure", is_flag=True, help="Let other machines come without TLS.")
    @functools.wraps(command)
    def with_play(**given: Any) -> Any:
        own = {field.name: given.pop(field.name) for field in fields(PlayOptions)}
        return command(play=PlayOptions(**own), **given)

    return with_play


def read_rules(pairs: Iterable[str]) -> RuleSet:
    """The rule set of `--set name=value` options."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Misuse(f"--set {pair}: write name=value, such as --set tie=extra_deals")
        options[name.strip()] = value.strip()
    return RuleSet.of(options)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
