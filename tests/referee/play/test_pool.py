"""Posts and their processes: started once, started anew when lost, and each end told apart."""

import pytest
import trio
from referee.play.memory import (
    Crash,
    MemoryLine,
    Notes,
    Starter,
    hello,
    launch_of,
    memory_pool,
    play_honestly,
    settle,
)

from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.rules import STANDARD
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.launch import Launch
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Pool, Post

pytestmark = pytest.mark.trio

ONE, OTHER = Post("team", 1, 1), Post("team", 2, 1)
LIMITS = Limits(connect=5.0, goodbye=2.0)
EXTERNAL = Launch("external", None, "external")


def seated(player: Player, *tables: int) -> Notes:
    notes = Notes(player, *tables)
    for table, seat in zip(tables, Seat, strict=False):
        player.tell(table, MatchBegun(seat, STANDARD, 0))
        player.ask(Turn(table, 0, None), 10.0)
    player.flush()
    return notes


# -- bots ------------------------------------------------------------------------------------------


async def ends_at_once(line: MemoryLine) -> None:
    raise Crash("the process ended with exit code 7")


async def never_says_hello(line: MemoryLine) -> None:
    await trio.sleep_forever()


async def speaks_another_protocol(line: MemoryLine) -> None:
    line.send(hello(protocol=2))
    await line.receive()


async def crashes_after_hello(line: MemoryLine) -> None:
    line.send(hello())
    await line.receive()
    raise Crash("the process ended with exit code 9")


async def leaves_after_hello(line: MemoryLine) -> None:
    line.send(hello())
    line.send(wire.PlayRequest(leave=wire.Leave()))
    async for response in line:
        if response.WhichOneof("body") == "goodbye":
            return


async def crashes_when_asked(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            raise Crash("the process was ended by signal 11 (SIGSEGV)")


async def hangs_up_when_asked(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            line.hang_up()
            await trio.sleep_forever()


async def never_answers(line: MemoryLine) -> None:
    line.send(hello())
    await trio.sleep_forever()


def takes_its_time_to_end(seconds: float):
    async def bot(line: MemoryLine) -> None:
        await play_honestly(line)
        await trio.sleep(seconds)

    return bot


# -- starting --------------------------------------------------------------------------------------


async def test_a_post_has_one_process_however_many_ask_at_once(autojump_clock):
    players: list[Player] = []

    async def ask() -> None:
        players.append(await pool.player(ONE, launch_of("good")))

    async with memory_pool({"good": play_honestly}) as (pool, start):
        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(ask)
        assert len(set(players)) == 1
        assert players[0] is await pool.player(ONE, launch_of("good"))
        assert players[0] is not await pool.player(OTHER, launch_of("good"))
        assert start.names() == ["good", "good"]


NOT_PLAYING = {
    ends_at_once: (FaultType.NOT_STARTED, "the process ended with exit code 7"),
    never_says_hello: (FaultType.NOT_CONNECTED, "no hello came within 5 s"),
    speaks_another_protocol: (FaultType.REFUSED, "this referee speaks protocol 1 and the bot speaks 2"),
}


@pytest.mark.parametrize("bot", NOT_PLAYING)
async def test_a_bot_that_never_plays_is_tried_three_times(autojump_clock, bot):
    kind, evidence = NOT_PLAYING[bot]
    async with memory_pool({"bad": bot}, LIMITS) as (pool, start):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.player(ONE, launch_of("bad"))
        assert not_playing.value.kind is kind
        assert not_playing.value.evidence.startswith(evidence)
        assert not_playing.value.output == "what it printed"
        assert start.names() == ["bad"] * 3
        assert trio.current_time() == pytest.approx(15.0 if bot is never_says_hello else 0.0)
        await settle()
        assert all(process.ended.is_set() for _, process in start.started)


async def test_for_a_check_a_bot_is_tried_once(autojump_clock):
    async with memory_pool({"bad": ends_at_once}) as (pool, start):
        with pytest.raises(NotPlaying):
            await pool.start_once(launch_of("bad"))
        assert start.names() == ["bad"]


async def test_a_bot_that_starts_at_the_third_try_plays(autojump_clock):
    tries: list[int] = []

    async def flaky(line: MemoryLine) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise Crash("the process ended with exit code 1")
        await play_honestly(line)

    async with memory_pool({"flaky": flaky}) as (pool, _):
        player = await pool.player(ONE, launch_of("flaky"))
        assert player.takes_tables
        assert len(tries) == 3


UNUSED = {
    crashes_after_hello: (FaultType.CRASHED, "the process ended with exit code 9"),
    leaves_after_hello: (FaultType.DISCONNECTED, "it left before its first match"),
}


@pytest.mark.parametrize("bot", UNUSED)
async def test_a_bot_that_goes_before_its_first_match_is_not_started_for_ever(autojump_clock, bot):
    async with memory_pool({"bad": bot}) as (pool, start):
        for round_of_tries in (1, 2):
            for _ in range(3):
                player = await pool.player(ONE, launch_of("bad"))
                await player.gone.wait()
            with pytest.raises(NotPlaying) as not_playing:
                await pool.player(ONE, launch_of("bad"))
            assert (not_playing.value.kind, not_playing.value.evidence) == UNUSED[bot]
            assert len(start.started) == 3 * round_of_tries


async def test_a_process_that_is_lost_in_a_match_is_started_anew_each_time(autojump_clock):
    async with memory_pool({"bad": crashes_when_asked}) as (pool, start):
        for _ in range(10):
            player = await pool.player(ONE, launch_of("bad"))
            seated(player, 1)
            await player.gone.wait()
        assert len(start.started) == 10


# -- ends ------------------------------------------------------------------------------------------

LOST = {
    crashes_when_asked: (
        FaultType.CRASHED, "the process was ended by signal 11 (SIGSEGV)", 0.0,
    ),
    hangs_up_when_asked: (
        FaultType.DISCONNECTED, "the stream ended and was not taken up again, but the process lives", 5.0,
    ),
    never_answers: (FaultType.LATE, "it did not get ready in time", 10.05),
}  # fmt: skip


@pytest.mark.parametrize("bot", LOST)
async def test_how_a_process_was_lost_is_told_apart_and_it_is_gone(autojump_clock, bot):
    kind, evidence, when = LOST[bot]
    async with memory_pool({"bad": bot}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [(Seat.N, kind, evidence)]
        assert notes.at == [pytest.approx(when)]
        assert player.output == "what it printed"
        await start.of("bad")[0].ended.wait()


async def test_a_process_whose_stream_has_ended_gets_no_new_table_while_its_end_is_awaited(autojump_clock):
    async with memory_pool({"bad": hangs_up_when_asked}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        seated(player, 1)
        await away(player)
        assert await pool.player(ONE, launch_of("bad")) is player
        assert not await player.reserve(1)
        assert trio.current_time() == pytest.approx(5.0)
        assert await pool.player(ONE, launch_of("bad")) is not player
        assert len(start.started) == 2


@pytest.mark.parametrize(("seconds", "killed"), [(0.0, False), (1.9, False), (2.1, True), (1e4, True)])
async def test_after_the_goodbye_a_process_has_its_time_to_end(autojump_clock, seconds, killed):
    async with memory_pool({"good": takes_its_time_to_end(seconds)}, LIMITS) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        await pool.dismiss(player)
        (process,) = start.of("good")
        assert process.ended.is_set()
        assert trio.current_time() == pytest.approx(2.0 if killed else seconds)
        assert process.story == ("the process is gone" if killed else "the process ended with exit code 0")


async def test_at_the_end_everybody_is_said_goodbye_at_once(autojump_clock):
    bots = {"quick": play_honestly, "slow": takes_its_time_to_end(1.5), "hangs": takes_its_time_to_end(1e4)}
    async with memory_pool(bots, LIMITS) as (pool, start):
        for number, name in enumerate(("quick", "slow", "hangs", "slow", "hangs")):
            await pool.player(Post("team", number, 1), launch_of(name))
    assert trio.current_time() == pytest.approx(2.0)
    assert all(process.ended.is_set() for _, process in start.started)


async def test_a_post_that_is_dismissed_is_started_anew_when_it_is_needed(autojump_clock):
    async with memory_pool({"good": play_honestly}) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        await pool.dismiss_post(ONE)
        await pool.dismiss_post(OTHER)
        assert start.of("good")[0].ended.is_set()
        assert await pool.player(ONE, launch_of("good")) is not player


async def test_who_leaves_plays_on_beside_its_successor(autojump_clock):
    async def leaves_when_asked(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            if response.batch.turns:
                line.send(wire.PlayRequest(leave=wire.Leave()))
            if response.WhichOneof("body") == "goodbye":
                return

    async with memory_pool({"bot": leaves_when_asked}) as (pool, start):
        old = await pool.player(ONE, launch_of("bot"))
        seated(old, 1)
        await settle()
        new = await pool.player(ONE, launch_of("bot"))
        assert new is not old
        assert not old.gone.is_set()
        old.tell(1, MatchEnded(Reason.VOID, None, Points(0, 0)))
        old.leave(1)
    assert [process.story for _, process in start.started] == ["the process ended with exit code 0"] * 2


async def away(player: Player) -> None:
    """Wait until its stream has ended."""
    while not player.is_away:
        await player.moved.wait()


# -- streams that are taken up again ---------------------------------------------------------------


def cut_short(lines: list[MemoryLine], *, lives: bool = True):
    """A bot whose stream breaks at its first turn; the process lives on, or ends three seconds later."""

    async def bot(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello())
        async for response in line:
            line.secret = response.welcome.resume or line.secret
            if response.batch.turns:
                line.hang_up()
                await trio.sleep(1e9 if lives else 3.0)
                raise Crash("the process ended with exit code 1")

    return bot


async def come_back(start: Starter, token: str, secret: str) -> tuple[MemoryLine, wire.PlayResponse]:
    """A new stream with a secret, and what is said to it first."""
    line = start.dial(token)
    line.send(hello(resume=secret))
    return line, await line.receive()


async def test_a_stream_that_broke_is_taken_up_again_with_the_secret_of_its_welcome(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        notes = seated(player, 1)
        notes.told = [MatchBegun(Seat.N, STANDARD, 0)]
        await away(player)
        token = lines[0].referee.token
        for wrong in ("guess", ""):
            _, response = await come_back(start, token, wrong)
            assert response.refused.reason == wire.Refused.REASON_TAKEN
        await trio.sleep(4.9)
        line, welcome = await come_back(start, token, lines[0].secret)
        assert (welcome.welcome.resume, welcome.welcome.grace_ms) == ("", 5000), "the secret holds on"
        events, [turn] = line.read(await line.batch())
        assert [table for table, _ in events] == [1]
        line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))
        await settle()
        assert [number for _, number, _ in notes.answers] == [0]
        assert await pool.player(ONE, launch_of("bot")) is player
        line.hang_up()
        await player.gone.wait()
        assert trio.current_time() == pytest.approx(9.9)


async def test_a_process_that_ends_while_it_is_away_has_crashed(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines, lives=False)}) as (pool, _):
        player = await pool.player(ONE, launch_of("bot"))
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [(Seat.N, FaultType.CRASHED, "the process ended with exit code 1")]
        assert notes.at == [pytest.approx(3.0)]


async def test_who_comes_back_too_late_is_refused(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1)
        token = lines[0].referee.token
        await player.gone.wait()
        _, response = await come_back(start, token, lines[0].secret)
        assert response.refused.message.startswith("there is nothing to take up again: ")


async def test_each_break_begins_a_new_grace(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1).told = [MatchBegun(Seat.N, STANDARD, 0)]
        token = lines[0].referee.token
        for _ in range(20):
            line, _ = await come_back(start, token, lines[0].secret)
            line.hang_up()
        await trio.sleep(4.9)
        assert not player.gone.is_set()
        line, welcome = await come_back(start, token, lines[0].secret)
        assert welcome.HasField("welcome")


async def test_who_took_its_own_stream_over_is_still_seen_to_end(autojump_clock):
    lines: list[MemoryLine] = []

    async def notes_its_welcome(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello())
        line.secret = (await line.receive()).welcome.resume
        await trio.sleep_forever()

    async with memory_pool({"bot": notes_its_welcome}, Limits(ready=None)) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1)
        await settle()
        line, _ = await come_back(start, lines[0].referee.token, lines[0].secret)
        await settle()
        line.hang_up()
        await player.gone.wait()
        assert player.lost is not None
        assert trio.current_time() == pytest.approx(5.0)


@pytest.mark.parametrize("grace", [0.0, 0.5, 8.0])
async def test_the_grace_is_a_setting(autojump_clock, grace):
    announced: list[str] = []
    async with memory_pool({}, Limits(grace=grace), announced.append) as (pool, start):
        player = await external(pool, start, announced, cut_short([]))
        seated(player, 1)
        await player.gone.wait()
        assert player.lost == (FaultType.DISCONNECTED, "the stream ended and was not taken up again")
        assert trio.current_time() == pytest.approx(grace)


# -- streams that nobody started -------------------------------------------------------------------


async def refusal(line: MemoryLine) -> wire.Refused:
    response = await line.receive()
    assert response.WhichOneof("body") == "refused", response
    with pytest.raises(trio.EndOfChannel):
        await line.receive()
    return response.refused


async def test_a_stranger_is_refused(autojump_clock):
    async with memory_pool({}) as (_, start):
        line = start.dial("guessed")
        line.send(hello())
        assert (await refusal(line)).reason == wire.Refused.REASON_TOKEN


async def test_a_stream_without_a_hello_is_ended(autojump_clock):
    async with memory_pool({}, LIMITS) as (_, start):
        line = start.dial("")
        refused = await refusal(line)
        assert (refused.reason, refused.message) == (wire.Refused.REASON_HELLO, "no Hello came within 5 s")
        assert trio.current_time() == pytest.approx(5.0)


async def test_a_stream_that_ends_before_its_hello_is_ended_here_too(autojump_clock):
    async with memory_pool({}) as (_, start):
        line = start.dial("")
        line._requests.close()  # the bot sends no more, but would still listen
        with pytest.raises(trio.EndOfChannel):
            await line.receive()


def remembering(lines: list[MemoryLine], behave=play_honestly):
    async def bot(line: MemoryLine) -> None:
        lines.append(line)
        await behave(line)

    return bot


async def test_a_second_stream_with_a_token_is_refused_and_disturbs_not_the_first(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"good": remembering(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        second = start.dial(lines[0].referee.token)
        second.send(hello())
        assert (await refusal(second)).reason == wire.Refused.REASON_TAKEN
        notes = seated(player, 1)
        await settle()
        assert len(notes.answers) == 1
        assert player.takes_tables


async def test_the_token_of_a_stream_that_has_ended_is_worth_nothing(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bad": remembering(lines, hangs_up_when_asked)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        seated(player, 1)
        await player.gone.wait()
        again = start.dial(lines[0].referee.token)
        again.send(hello())
        assert (await refusal(again)).reason == wire.Refused.REASON_TOKEN


async def test_a_bot_that_was_refused_once_may_not_try_again_with_the_same_token(autojump_clock):
    lines: list[MemoryLine] = []

    async def tries_twice(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello(capacity=10_001))
        await trio.sleep_forever()

    async with memory_pool({"bad": tries_twice}) as (pool, start):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.start_once(launch_of("bad"))
        assert not_playing.value.kind is FaultType.REFUSED
        again = start.dial(lines[0].referee.token)
        again.send(hello())
        assert (await refusal(again)).reason == wire.Refused.REASON_TOKEN


# -- external bots ---------------------------------------------------------------------------------


async def external(pool: Pool, start, announced: list[str], bot=play_honestly) -> Player:
    """The player of an external bot that a person starts as announced."""
    players: list[Player] = []
    before = len(announced)

    async def wait() -> None:
        players.append(await pool.player(ONE, EXTERNAL))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await settle()
        (sentence,) = announced[before:]
        assert "Waiting for an external bot (external)" in sentence
        assert "ALUETTE_SERVER=external " in sentence
        token = sentence.partition("ALUETTE_TOKEN=")[2].split()[0]
        pool._nursery.start_soon(bot, start.dial(token))
    return players[0]


async def test_an_external_bot_is_announced_and_awaited(autojump_clock):
    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        player = await external(pool, start, announced)
        notes = seated(player, 1)
        await settle()
        assert len(notes.answers) == 1
        assert start.started == []
        assert await pool.player(ONE, EXTERNAL) is player
        assert len(announced) == 1


async def test_an_external_bot_that_hangs_up_is_disconnected_and_awaited_anew(autojump_clock):
    async def hangs_up(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            if response.batch.turns:
                line.hang_up()
                return

    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        player = await external(pool, start, announced, hangs_up)
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [
            (Seat.N, FaultType.DISCONNECTED, "the stream ended and was not taken up again")
        ]
        assert await external(pool, start, announced) is not player


async def test_an_external_bot_that_does_not_come_is_not_connected(autojump_clock):
    async with memory_pool({}) as (pool, _):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.start_once(EXTERNAL)
        assert not_playing.value.kind is FaultType.NOT_CONNECTED
        assert not_playing.value.evidence == "no external bot came within 600 s"
        assert trio.current_time() == pytest.approx(600.0)


async def test_an_external_bot_that_is_refused_is_told_and_awaited_anew(autojump_clock):
    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        players: list[Player] = []

        async def wait() -> None:
            players.append(await pool.player(ONE, EXTERNAL))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            for bot in (speaks_another_protocol, play_honestly):
                await settle()
                token = announced[-1].partition("ALUETTE_TOKEN=")[2].split()[0]
                pool._nursery.start_soon(bot, start.dial(token))
        assert [sentence.partition(" ")[0] for sentence in announced] == ["Waiting", "A", "Waiting"]
        assert "was refused: this referee speaks protocol 1 and the bot speaks 2" in announced[1]
        assert players[0].takes_tables
