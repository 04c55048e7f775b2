"""What a contest was played by, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from aluette_referee.clock import Limits
from aluette_referee.contest.contest import Contest, Entrant

__all__ = ["clock", "extent", "luck", "settings"]

CONTENT_SHOWN = 12


def extent(contest: Contest) -> str:
    """How much is played."""
    alone = contest.format.kind == "individual"
    what = f"{'cycle' if alone else 'block'}{'' if contest.blocks == 1 else 's'}"
    return f"{contest.blocks} {what}{'' if alone else ' a pairing'}"


def clock(limits: Limits) -> str:
    """How long a move may take."""
    move = "no clock for moves" if limits.move is None else f"{limits.move:g} s a move"
    bank = f" and a bank of {limits.bank:g} s a match" if limits.move is not None and limits.bank else ""
    pace = f", turns every {limits.pace * 1000:g} ms" if limits.pace else ""
    return f"{move}{bank}{pace}"


def luck(contest: Contest) -> str:
    """Who can know the packs."""
    return "secret and committed" if contest.seed is None else f"open (seed {contest.seed})"


def settings(contest: Contest, entrants: Sequence[Entrant]) -> Iterator[tuple[str, str]]:
    """All settings that belong to a contest, each with its name; then its bots, with the beginning of their content's digest."""
    yield "Format", f"{contest.format}, {extent(contest)}"
    yield "Rules", contest.rules.identity
    for name, value in asdict(contest.rules).items():
        yield f"rules.{name}", _shown(value)
    for name, value in asdict(contest.limits).items():
        yield f"clock.{name}", "none" if value is None else f"{value:g} s"
    yield "Faults", str(contest.policy)
    yield "Packs", luck(contest)
    yield "Isolation", contest.isolation
    yield "Names", "told to bots" if contest.names else "not told to bots"
    for entrant in entrants:
        for number, (bot, content) in enumerate(
            zip(entrant.team.bots, entrant.contents, strict=True), start=1
        ):
            who = entrant.name if len(entrant.contents) == 1 else f"{entrant.name}, bot {number}"
            yield who, f"{bot.run} (content {content[:CONTENT_SHOWN]})"


def _shown(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
