"""From teams to chairs: every team's bots are found, and each match is planned with a process for every chair."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.contest.contest import BotSpec, Entrant, Isolation, Team
from aluette_referee.contest.schedule import Fixture, Player
from aluette_referee.play.launch import Launch, resolve
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan

__all__ = ["Prepared", "plans_of", "prepare", "prepare_two"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Teams whose bots were found: the entrants, and how the bots of each are started."""

    entrants: tuple[Entrant, ...]
    by_entrant: Mapping[str, tuple[Launch, ...]]

    @property
    def launches(self) -> list[Launch]:
        """All bots."""
        return [launch for bots in self.by_entrant.values() for launch in bots]


def prepare(teams: Sequence[Team], base: Path, bounds: Bounds = UNBOUNDED) -> Prepared:
    """Find every team's bots; raises `Misuse` naming all that cannot be found, or may not be seen in a sandbox."""
    problems: list[str] = []
    entrants: list[Entrant] = []
    by_entrant: dict[str, tuple[Launch, ...]] = {}
    for team in teams:
        found: list[Launch] = []
        for slot, spec in enumerate(team.bots, start=1):
            try:
                launch = resolve(spec, base)
                if launch.command is None:
                    label = f"{team.name}, bot {slot}" if len(team.bots) > 1 else team.name
                    launch = replace(launch, label=label)
                found.append(launch)
            except Misuse as error:
                if str(error) not in "\n".join(problems):
                    problems.append(f"{'team' if len(team.bots) > 1 else 'bot'} {team.name!r}: {error}")
        if len(found) == len(team.bots):
            entrant = Entrant(team, tuple(launch.content for launch in found))
            entrants.append(entrant)
            by_entrant[entrant.id] = tuple(found)
    prepared = Prepared(tuple(entrants), by_entrant)
    if bounds.sandbox != "none":
        problems += dict.fromkeys(_looked_into(prepared))
    if problems:
        raise Misuse("\n".join(problems))
    return prepared


def prepare_two(bots: Sequence[str], base: Path) -> Prepared:
    """The same for two bots as they are written, each with a copy of itself as its partner; the names tell them apart."""
    names = [f"{bot} ({slot})" if bots[0] == bots[1] else bot for slot, bot in enumerate(bots, start=1)]
    return prepare(
        [Team(name, (BotSpec(bot), BotSpec(bot))) for name, bot in zip(names, bots, strict=True)], base
    )


def _looked_into(prepared: Prepared) -> Iterator[str]:
    """Which bots would be shown another team's bot because they import it; of bots in a folder each, none are."""
    for entrant in prepared.entrants:
        own = {file for launch in prepared.by_entrant[entrant.id] for file in launch.programs}
        folders = {folder for launch in prepared.by_entrant[entrant.id] for folder in launch.folders}
        theirs = {
            place: other.name
            for other in prepared.entrants
            for launch in prepared.by_entrant[other.id]
            for place in (launch.programs - own) | (launch.folders - folders)
        }
        for launch in {launch.content: launch for launch in prepared.by_entrant[entrant.id]}.values():
            for file in launch.neighbours:
                for place in {file, *file.parents} & theirs.keys():
                    yield (
                        f"team {entrant.name!r}: {launch.label} imports {file.name}, which is {theirs[place]}'s, "
                        f"and would see it in its sandbox: if it may, name it in files; else give each team a folder"
                    )


def plans_of(
    fixtures: Iterable[Fixture],
    prepared: Prepared,
    rules: RuleSet,
    contest_key: bytes,
    *,
    isolation: Isolation = "full",
    names: bool = False,
) -> Iterator[MatchPlan]:
    """How each fixture is played."""

    def chair(seat: Seat, player: Player, leg: int) -> Chair:
        launch = prepared.by_entrant[player.entrant.id][player.slot - 1]
        if isolation == "shared":
            return Chair(Post(launch.content, 0, 0), launch, player.entrant.name)
        # An external bot is one process that a person started: it plays both legs.
        leg = leg if launch.command is not None else 0
        # A bot that was entered alone has another chair, and other cards of the same pack, in another block.
        alone = len(player.entrant.team.bots) == 1 and launch.command is not None
        return Chair(
            Post(player.entrant.id, int(seat) if alone else player.slot, leg), launch, player.entrant.name
        )

    for fixture in fixtures:
        chairs = {seat: chair(seat, player, fixture.leg) for seat, player in fixture.seats.items()}
        block = fixture.block
        yield MatchPlan(fixture.id, rules, block.key(contest_key), block.first_dealer, chairs, names)
