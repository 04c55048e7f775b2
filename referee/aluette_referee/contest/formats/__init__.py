"""In which order a contest is played, by its format: rounds of blocks, as a function of the field and of results.

Round-robin, gauntlet and individual are known from the beginning; of swiss and knockout, each round when the one before
is over. Whoever asks again later is told the same rounds, and perhaps more.
"""

from collections.abc import Iterator, Sequence

from aluette_referee.contest.contest import Contest, Entrant
from aluette_referee.contest.formats.individual import individual, movement
from aluette_referee.contest.formats.knockout import knockout
from aluette_referee.contest.formats.round_robin import gauntlet, round_robin
from aluette_referee.contest.formats.scores import Lookup
from aluette_referee.contest.formats.swiss import swiss, usual_rounds
from aluette_referee.contest.schedule import Round

__all__ = ["fewest_matches", "rounds"]


def rounds(
    contest: Contest, entrants: Sequence[Entrant], score_of: Lookup = lambda _: None
) -> Iterator[Round]:
    """The rounds of a contest that are known, in order."""
    format_, blocks = contest.format, contest.blocks
    match format_.kind:
        case "round-robin":
            return round_robin(entrants, blocks)
        case "gauntlet":
            return gauntlet(entrants, blocks, format_.challengers)
        case "swiss":
            return swiss(entrants, blocks, format_.rounds or usual_rounds(len(entrants)), score_of)
        case "knockout":
            return knockout(entrants, blocks, format_.extra_blocks, score_of)
        case "individual":
            return individual(entrants, blocks)


def fewest_matches(contest: Contest, count: int) -> int:
    """How many matches a contest of so many teams, or bots, has at least; of a knockout, without tied ties."""
    format_ = contest.format
    blocks = 0
    match format_.kind:
        case "round-robin":
            blocks = count * (count - 1) // 2
        case "gauntlet":
            blocks = format_.challengers * (count - format_.challengers)
        case "swiss":
            blocks = (format_.rounds or usual_rounds(count)) * (count // 2)
        case "knockout":
            blocks = count - 1
        case "individual":
            blocks = sum(len(tables) for tables in movement(count))
    return 2 * blocks * contest.blocks
