"""A bot's process put back into a position, alone: the same as in one process, and each end of it told apart."""

import pytest
import trio
from referee.play.memory import Crash, MemoryLine, converse, hello, launch_of, memory_pool, play_honestly

from aluette.bot import Bot
from aluette.loading import load_bot
from aluette.rehearsal import Rehearsed, rehearse, story_until
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.session import Failed
from aluette.testing import match_key, play_match
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.output import Log
from aluette_referee.play.put_back import NoAnswer, _in_order, put_back_with

pytestmark = pytest.mark.trio

KEY = match_key(5)
LIMITS = Limits().untimed


@pytest.fixture(scope="module")
def record():
    return play_match(["random"] * 4, key=KEY, rules=RuleSet(deals=3))


async def rehearsed(bot, record, seat=Seat.N, until=(2, 4), seed=0):
    """What comes of a bot in memory, and what it printed."""
    printed: list[str] = []
    async with memory_pool({"bot": bot}, LIMITS) as (pool, _):
        story = story_until(record, seat, until)
        found = await put_back_with(pool, launch_of("bot"), story, LIMITS, seed=seed, printed=printed.extend)
    return found, printed


def runs(factory):
    async def bot(line: MemoryLine) -> None:
        await play_honestly(line, factory)

    return bot


def does(number, what):
    """Plays, but first `what` is done with its line and turn when that of the number comes."""

    async def bot(line: MemoryLine) -> None:
        line.send(hello())
        await converse(_Meddled(line, number, what))

    return bot


class _Meddled:
    """A line at which something else is done when a turn of that number comes."""

    def __init__(self, line, number, what):
        self._line = line
        self._number = number
        self._what = what

    def __aiter__(self):
        return self

    async def __anext__(self):
        response = await self._line.__aiter__().__anext__()
        if any(turn.number == self._number for turn in response.batch.turns):
            await self._what(self._line, response.batch.turns[0])
        return response

    def __getattr__(self, name):
        return getattr(self._line, name)


def noting(turns):
    """A bot that writes down what it is told and asked."""

    class Noting(Bot):
        def on_deal_end(self, ended):
            turns.append(ended)

        def play(self, view):
            turns.append(view)
            return view.hand[-1]

    return Noting


# -- as in one process -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("until", [(1, 1), (2, 4), (3, 9)])
async def test_it_comes_to_the_same_as_in_one_process(record, seat, until):
    for bot in ("random", "lowest"):
        seed = KEY.bot_seed(seat)
        found, _ = await rehearsed(runs(bot), record, seat, until, seed)
        assert found == rehearse(record, seat, until, load_bot(bot), seed=seed)
        assert bot == "lowest" or (found.reply == found.recorded and not found.others)


async def test_it_is_told_and_asked_the_same(record):
    here, there = [], []
    rehearse(record, Seat.E, (3, 2), noting(here))
    await rehearsed(runs(noting(there)), record, Seat.E, (3, 2))
    assert here == there
    assert len(here) == 9 + 1 + 9 + 1 + 2


async def test_an_exception_and_an_illegal_card_are_its_answer(record):
    def fails(view):
        raise ValueError("no card is good enough")

    def anothers(view):
        return next(card for trick in view.deal.tricks for _, card in trick.plays)

    for bot in (fails, anothers):
        found, _ = await rehearsed(runs(bot), record)
        assert found.illegal or isinstance(found.reply, Failed)
        assert found == rehearse(record, Seat.N, (2, 4), bot)


async def test_who_does_not_get_ready_has_failed_everywhere(record):
    class Unready(Bot):
        def __init__(self):
            raise ValueError("no model")

    found, _ = await rehearsed(runs(Unready), record)
    assert isinstance(found.reply, Failed)
    assert found.others == ()
    assert found == rehearse(record, Seat.N, (2, 4), Unready)


# -- what a process can do besides -------------------------------------------------------------------------


async def test_an_answer_that_cannot_be_read_is_another_than_recorded_on_the_way_and_a_fault_there(record):
    async def malformed(line, turn):
        line.answer(wire.Move(table=turn.table, number=turn.number, cut=7))

    at = _number_of(record, (2, 4))
    found, _ = await rehearsed(does(at, malformed), record)
    assert found == NoAnswer(FaultType.MALFORMED, (2, 4), "the answer is a cut, but a play was asked for")
    assert str(found) == (
        "It is at fault in deal 2, trick 4: malformed: the answer is a cut, but a play was asked for"
    )
    found, _ = await rehearsed(does(at - 1, malformed), record)
    assert isinstance(found, Rehearsed)
    assert found.others[-1] == (2, 3)


async def test_an_answer_that_cannot_be_read_instead_of_readiness_ends_it(record):
    async def malformed(line, turn):
        line.answer(wire.Move(table=turn.table, number=turn.number, cut=7))

    found, _ = await rehearsed(does(0, malformed), record)
    assert found == NoAnswer(FaultType.MALFORMED, None, "the answer is a cut, but readiness was asked for")


async def test_answers_twice_and_stale_change_nothing(record):
    async def stale(line, turn):
        line.answer(*[wire.Move(table=turn.table, number=0, ready=wire.Ready())] * 3)

    found, _ = await rehearsed(does(5, stale), record)
    assert found == rehearse(record, Seat.N, (2, 4), load_bot("lowest"))


async def test_a_flood_is_a_fault(record):
    async def flood(line, turn):
        line.answer(*[wire.Move(table=turn.table, number=99)] * 1000)
        await trio.sleep_forever()

    found, _ = await rehearsed(does(_number_of(record, (1, 3)), flood), record)
    assert (found.kind, found.place) == (FaultType.FLOODING, (1, 3))


@pytest.mark.parametrize("place", [(1, 2), (2, 4)])
async def test_a_process_that_ends_is_said_with_what_it_printed(record, place, autojump_clock):
    async def crash(line, turn):
        raise Crash("the process ended with exit code 3")

    found, printed = await rehearsed(does(_number_of(record, place), crash), record)
    assert found == NoAnswer(FaultType.CRASHED, place, "the process ended with exit code 3")
    assert printed == ["of 1", "since 0"]


async def test_a_process_that_disconnects_is_said(record, autojump_clock):
    async def hang_up(line, turn):
        line.hang_up()
        await trio.sleep_forever()

    found, _ = await rehearsed(does(4, hang_up), record)
    assert found.kind is FaultType.DISCONNECTED
    assert "was not taken up again, but the process lives" in found.evidence


async def test_one_that_ends_before_its_hello(record, autojump_clock):
    async def ends(line: MemoryLine) -> None:
        raise Crash("the process ended with exit code 7")

    async def silent(line: MemoryLine) -> None:
        await trio.sleep_forever()

    found, printed = await rehearsed(ends, record)
    assert str(found) == "It is at fault: not started: the process ended with exit code 7"
    assert printed == ["what it printed"]
    found, _ = await rehearsed(silent, record)
    assert str(found) == "It is at fault: not connected: no hello came within 10 s"


async def test_one_that_leaves_at_once(record, autojump_clock):
    async def leaves(line: MemoryLine) -> None:
        line.send(hello())
        line.send(wire.PlayRequest(leave=wire.Leave()))
        async for _ in line:
            pass

    found, _ = await rehearsed(leaves, record)
    assert isinstance(found, NoAnswer)


async def test_no_clock_runs_but_nothing_goes_on_for_ever(record, autojump_clock):
    async def thinks(line, turn):
        await trio.sleep(3000)

    found, _ = await rehearsed(does(4, thinks), record)
    assert isinstance(found, Rehearsed)

    async def hangs(line, turn):
        await trio.sleep_forever()

    found, _ = await rehearsed(does(4, hangs), record)
    assert found.kind is FaultType.LATE
    assert found.evidence == "it was not there after 3600 s"


def _number_of(record, place):
    """Of the turn of N at that place, from 1."""
    story = story_until(record, Seat.N, place)
    return 1 + sum(hasattr(step, "place") for step in story.way)


# -- what it printed ---------------------------------------------------------------------------------------


async def test_what_was_printed_is_in_the_order_of_its_times():
    log = Log(
        "    0.100  first\n    0.300! third\n",
        "    0.010* dropped\n    0.050  early\n[2 lines were cut here]\n    0.200  \n",
    )
    assert _in_order(log) == ["early", "[2 lines were cut here]", "first", "", "third"]
    assert _in_order(Log("", "")) == []
