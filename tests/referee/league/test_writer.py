"""The writer: in one transaction what waits together, again what failed, and nothing lost or out of order."""

import pytest
import trio

from aluette.errors import Misuse
from aluette_referee.league import writer as module
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Ended
from aluette_referee.league.writer import Writer
from aluette_referee.table import Outcome

pytestmark = pytest.mark.trio


class Ledger:
    """Its calls; the database is away for the next `away` of them, and reconnecting may fail as well."""

    def __init__(self) -> None:
        self.calls: list[object] = []
        self.away = 0

    def _answers(self) -> None:
        if self.away:
            self.away -= 1
            raise Misuse("it is away")

    def begin(self, fixtures) -> None:
        self._answers()
        self.calls.append(("begin", *fixtures))

    def save(self, ended, losses) -> None:
        self._answers()
        self.calls.append(("save", *(each.match for each in ended), *losses))

    def reconnect(self) -> None:
        self._answers()
        self.calls.append("reconnect")


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
async def writer(ledger, said, monkeypatch, nursery):
    monkeypatch.setattr(module, "_TOGETHER", 0.01)
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.001)
    monkeypatch.setattr(module, "_LONGEST_PAUSE", 0.002)
    made = Writer(ledger, Journal("text", str, said.append), lambda: ledger.calls.append("stored"))
    nursery.start_soon(made.run)
    return made


def ended(name: str) -> Ended:
    return Ended(name, Outcome(None), "void")


async def test_what_waits_together_is_stored_together(writer, ledger):
    for name in "abc":
        writer.ended(ended(name))
    writer.lost(["loss"])
    assert writer.behind == 3
    await writer.drained()
    assert ledger.calls == [("save", "a", "b", "c", "loss"), "stored"]
    assert (writer.behind, writer.lag) == (0, 0.0)


async def test_a_match_is_begun_before_it_ends(writer, ledger, nursery):
    nursery.start_soon(writer.begin, ["a"])
    await trio.testing.wait_all_tasks_blocked()
    writer.ended(ended("a"))
    await writer.drained()
    assert [call[0] for call in ledger.calls if call != "stored"] == ["begin", "save"]


@pytest.mark.parametrize("away", [1, 2, 5])
async def test_while_the_database_is_away_everything_waits_and_is_stored_once(writer, ledger, said, away):
    ledger.away = away
    writer.ended(ended("a"))
    with trio.fail_after(30):
        await writer.begin(["b"])
        await writer.drained()
    saved = [call for call in ledger.calls if call not in ("stored", "reconnect")]
    assert ("save", "a") in saved
    assert ("begin", "b") in saved
    assert saved.count(("save", "a")) == 1
    assert "reconnect" in ledger.calls
    assert said == [
        "the database is away: it is away; results wait, and no match begins\n",
        "the database is back\n",
    ]
    assert not writer.is_away


async def test_a_database_that_does_not_answer_is_given_up_and_tried_again(writer, ledger, said, monkeypatch):
    monkeypatch.setattr(module, "_SAVE_SECONDS", 0.05)
    hangs = [True]
    save = ledger.save

    def save_or_hang(some, losses):
        if hangs:
            hangs.clear()
            trio.from_thread.run(trio.sleep_forever)
        save(some, losses)

    ledger.save = save_or_hang
    writer.ended(ended("a"))
    with trio.fail_after(30):
        await writer.drained()
    assert "it has not answered for 0.05 s" in said[0]
    assert ledger.calls == ["reconnect", ("save", "a"), "stored"]


async def test_a_bug_of_ours_is_no_database_that_is_away(ledger, said):
    def broken(some, losses):
        raise ZeroDivisionError

    ledger.save = broken
    made = Writer(ledger, Journal("text", str, said.append), lambda: None)
    with pytest.RaisesGroup(ZeroDivisionError):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.run)
            made.ended(ended("a"))
    assert said == []
