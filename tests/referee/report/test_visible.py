"""What a bot printed is shown by a terminal, not obeyed."""

import pytest

from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.report.blame import blame
from aluette_referee.report.visible import visible


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("Dame d'écrit, 9♠", "Dame d'écrit, 9♠"),
        ("one\n\ttwo\n", "one\n\ttwo\n"),
        ("\x1b]0;OWNED\x07\x1b[2J", "\\x1b]0;OWNED\\x07\\x1b[2J"),
        ("ours\rtheirs", "ours\\rtheirs"),
        ("\x9b31m\u202eback\u2028next", "\\x9b31m\\u202eback\\u2028next"),
        ("\x1ealuette 7\x1f", "\\x1ealuette 7\\x1f"),
    ],
)
def test_only_lines_and_tabs_are_obeyed(printed, shown):
    assert visible(printed) == shown


def test_a_faults_evidence_and_output_are_only_shown():
    fault = Fault(FaultType.FAILED, Seat.N, 1, 1, "ValueError: \x1b[2J", output="\x1b]0;x\x07 and\rmore")
    told = blame(fault, "A 1")
    assert "\x1b" not in told
    assert "\r" not in told
    assert "\\x1b[2J" in told
