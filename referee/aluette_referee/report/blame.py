"""A fault, told to the bot's author: what, where, how long it took, what would have been right, what was printed."""

from typing import Final

from aluette_referee.faults import Fault
from aluette_referee.report.transcript import when

__all__ = ["blame"]

LINES: Final = 40
"""So many of the last lines that the process printed are shown."""


def blame(fault: Fault, who: str, *, again: str = "") -> str:
    """Some lines about a fault. `again` is the command that puts the bot back into the position."""
    lines = [f"{fault.seat} ({who}): {fault.type} {when(fault.deal, fault.trick)}"]
    if fault.elapsed is not None and fault.limit is not None:
        lines.append(f"  after {fault.elapsed:.3f} s of {fault.limit:g} s")
    if fault.legal:
        lines.append(f"  legal: {fault.legal}")
    evidence = fault.evidence.strip()
    lines += [f"  {line}" for line in evidence.splitlines()]
    printed = fault.output.strip().splitlines()[-LINES:]
    # A traceback goes to the referee and to stderr: once is enough.
    if printed and "\n".join(printed) not in evidence:
        lines += ["  it printed:", *(f"    {line}" for line in printed)]
    if again:
        lines.append(f"  to that position: {again}")
    return "\n".join(lines)
