"""A fault, told to the bot's author: what, where, how long it took, what would have been right, what was printed.

Or on one line. A `Misuse` among the evidence is a person's doing - the one who plays has left -, and its
sentence says it all: its traceback would help nobody.
"""

from collections.abc import Iterable
from typing import Final

from aluette.errors import Misuse
from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.written import WITHHELD
from aluette_referee.faults import Fault
from aluette_referee.report.transcript import when
from aluette_referee.report.visible import visible

__all__ = ["blame", "last_lines", "secrets_of", "why"]

_LINES: Final = 40
"""So many of the last lines that the process printed are shown."""
_FRAME: Final = '  File "'
_MISUSE: Final = f"{Misuse.__module__}.{Misuse.__qualname__}: "


def blame(fault: Fault, who: str, *, again: str = "") -> str:
    """Some lines about a fault. `again` is the command that puts the bot back into the position."""
    lines = [f"{fault.seat} ({who}): {fault.type} {when(fault.deal, fault.trick)}"]
    if fault.elapsed is not None and fault.limit is not None:
        lines.append(f"  after {fault.elapsed:.3f} s of {fault.limit:g} s")
    if fault.legal:
        lines.append(f"  legal: {fault.legal}")
    evidence = fault.evidence.strip()
    _, left, sentence = evidence.rpartition(_MISUSE)
    shown = sentence if left and sentence.startswith(why(fault)) else evidence
    lines += [f"  {line}" for line in shown.splitlines()]
    if printed := last_lines(fault.output, evidence):
        lines += ["  it printed:", *(f"    {line}" for line in printed)]
    if again:
        lines.append(f"  to that position: {again}")
    return visible("\n".join(lines))


def last_lines(output: str, said: str = "") -> list[str]:
    """The last lines of what a process printed, without what it said to the referee as well, such as a traceback."""
    said = said.strip()
    lines = (output.replace(said, "") if said else output).strip().splitlines()[-_LINES:]
    return [] if "\n".join(lines) in said else lines


def secrets_of(entrants: Iterable[Entrant]) -> list[str]:
    """What a page shows nowhere: the values that bots have in their environment, the longest first."""
    values = {
        value for entrant in entrants for bot in entrant.team.bots for value in bot.env.values() if value
    }
    return sorted(values, key=lambda value: (-len(value), value))


def why(fault: Fault, secrets: Iterable[str] = ()) -> str:
    """The evidence on one line: its first, of a traceback the exception; "" where there is none. `secrets` are left out."""
    lines = [line for line in fault.evidence.splitlines() if line.strip()]
    frames = [number for number, line in enumerate(lines) if line.startswith(_FRAME)]
    # The exception is the first line after the last frame that is not indented as its code is.
    after = lines[frames[-1] :] if frames else lines
    found = next((line for line in after if not line[0].isspace()), lines[0] if lines else "")
    for secret in secrets:
        found = found.replace(secret, WITHHELD)
    return "".join(char if char.isprintable() else " " for char in found).strip().removeprefix(_MISUSE)
