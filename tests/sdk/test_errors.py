"""Errors go from one process to another as they are."""

import copy
import pickle
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

import aluette
from aluette.errors import AluetteError
from aluette.seats import Seat
from aluette.sim import SearchLimit
from aluette.testing import BotFailed

ARGUMENTS = {SearchLimit: (5,), BotFailed: (Seat.E, "Traceback: ...")}
"""What the errors take that are not made of their sentence."""


def all_errors(kind: type[AluetteError] = AluetteError) -> Iterator[type[AluetteError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from all_errors(narrower)


for module in pkgutil.walk_packages(aluette.__path__, "aluette."):
    if not module.name.endswith("__main__"):
        import_module(module.name)


@pytest.mark.parametrize(
    "kind", sorted({kind for kind in all_errors() if kind.__module__.startswith("aluette.")}, key=str)
)
def test_an_error_is_the_same_after_a_journey(kind):
    error = kind(*ARGUMENTS.get(kind, ("Something is wrong.",)))
    error.come_again = True
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is kind
        assert str(other) == str(error)
        assert vars(other) == vars(error)
