"""Parts of tournament files, and what is said of the mistakes in one."""

import pytest

from aluette_referee.contest.file import read_contest
from aluette_referee.contest.toml_text import FileMistakes

__all__ = ["BUILT_IN", "HEAD", "TEAMS", "mistakes_in"]

BUILT_IN = ("careful", "lowest", "random")
HEAD = '[tournament]\nname = "Club"\n'
TEAMS = '[[team]]\nname = "Alpha"\nbot = "careful"\n[[team]]\nname = "Beta"\nbot = "careful"\n'


def mistakes_in(text):
    with pytest.raises(FileMistakes) as caught:
        read_contest(text, built_in=BUILT_IN)
    return list(caught.value.mistakes)
