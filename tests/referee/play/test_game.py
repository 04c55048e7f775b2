"""A match at which four live players sit: what goes to whom, and what is counted."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from referee.play.memory import Bot, MemoryLine, connected, converse, settle

from aluette.cards import CARDS
from aluette.codec import TurnWriter
from aluette.events import MatchEnded, Reason
from aluette.packs import BlockKey
from aluette.record import to_bytes
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.game import LiveGame
from aluette_referee.play.player import LATE_GRACE, Player
from aluette_referee.table import FLOODING, Table

pytestmark = pytest.mark.trio

KEY = BlockKey(bytes(range(32)))
RULES = RuleSet(deals=1)
HANDLES = {Seat.N: 11, Seat.E: 12, Seat.S: 13, Seat.W: 14}


def game_of(players: Mapping[Seat, Player], rules: RuleSet = RULES, offset: int = 0) -> LiveGame:
    handles = {seat: handle + offset for seat, handle in HANDLES.items()}
    match = Match(rules, KEY)
    show = TurnWriter(match).write
    table = Table(match, KEY, handles, dict.fromkeys(SEATS, Limits()), show=show)
    return LiveGame(table, players, handles)


@asynccontextmanager
async def seated(
    bots: Mapping[Seat, Bot] | None = None, rules: RuleSet = RULES, usual: Bot = converse
) -> AsyncIterator[tuple[LiveGame, dict[Seat, Player]]]:
    """A game with a process for each seat, honest but for those named."""
    async with connected(map(str, SEATS)) as found, trio.open_nursery() as nursery:
        for seat, (_, line) in zip(SEATS, found, strict=True):
            nursery.start_soon((bots or {}).get(seat, usual), line)
        players = {seat: player for seat, (player, _) in zip(SEATS, found, strict=True)}
        yield game_of(players, rules), players
        nursery.cancel_scope.cancel()


def meddling(meddle: Callable[[wire.Turn, MemoryLine], bool]) -> Bot:
    """A bot that answers honestly where `meddle` says no, and by `meddle` itself where it says yes."""

    async def bot(line: MemoryLine) -> None:
        honest = MemoryLine()

        async def forward() -> None:
            while True:
                request = await honest.referee.receive()
                line.send(request)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(forward)
            nursery.start_soon(converse, honest)
            async for response in line:
                batch = response.batch
                turns = [turn for turn in batch.turns if not meddle(turn, line)]
                rest = wire.PlayResponse(batch=wire.Batch(events=batch.events, turns=turns))
                honest.referee.send(rest.SerializeToString())

    return bot


@pytest.mark.parametrize("bot", ["lowest", "random"])
@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(chant="always", cut="player", deals=2)], ids=str)
async def test_a_match_has_the_record_of_the_testing_module(autojump_clock, rules, bot):
    async with seated(rules=rules, usual=partial(converse, bot=bot)) as (game, _):
        game.begin()
        await game.over.wait()
    assert game.outcome.record is not None
    expected = play_match([bot] * 4, key=KEY, rules=rules)
    assert to_bytes(game.outcome.record) == to_bytes(expected)


async def test_one_process_may_sit_on_all_four_chairs_of_many_matches(autojump_clock):
    async with connected() as [(player, line)], trio.open_nursery() as nursery:
        nursery.start_soon(converse, line, "random")
        games = [game_of(dict.fromkeys(SEATS, player), offset=100 * number) for number in range(20)]
        for game in games:
            game.begin()
        for game in games:
            await game.over.wait()
        nursery.cancel_scope.cancel()
    expected = to_bytes(play_match(["random"] * 4, key=KEY, rules=RULES))
    assert {to_bytes(game.outcome.record) for game in games} == {expected}
    # Of twenty matches in step all that is due goes together: one batch for each of 42 decisions or so.
    assert player.stream.batches < 100 < player.stream.turns


async def test_timing_counts_answers_and_seconds_of_each_seat(autojump_clock):
    thinking = {Seat.N: 0.5, Seat.E: 0.0, Seat.S: 0.25, Seat.W: 0.0}
    bots = {seat: partial(converse, seconds=seconds) for seat, seconds in thinking.items()}
    async with seated(bots) as (game, players):
        game.begin()
        await game.over.wait()
    timing = game.timing()
    assert list(timing) == ["N", "E", "S", "W"]
    for seat, seconds in thinking.items():
        told = timing[seat.name]
        assert told["answers"] == players[seat].stream.turns
        assert told["longest"] == pytest.approx(seconds)
        assert told["seconds"] == pytest.approx(seconds * told["answers"])


async def test_answers_that_nobody_asked_for_are_not_in_the_timing(autojump_clock):
    def chatter(turn: wire.Turn, line: MemoryLine) -> bool:
        line.answer(wire.Move(table=turn.table, number=turn.number + 7, look=wire.Looked()))
        return False

    async with seated({Seat.W: meddling(chatter)}) as (game, players):
        game.begin()
        await game.over.wait()
    assert game.outcome.faults == ()
    assert game.timing()["W"]["answers"] == players[Seat.W].stream.turns


async def test_an_answer_before_its_turn_was_sent_is_none(autojump_clock):
    """One process at two seats can guess the number of a turn that waits behind another: that is no answer."""

    def hasty(turn: wire.Turn, line: MemoryLine) -> bool:
        line.answer(wire.Move(table=turn.table, number=turn.number + 1, failed=wire.Failed(message="hasty")))
        return False

    async with connected() as [(player, line)], trio.open_nursery() as nursery:
        nursery.start_soon(meddling(hasty), line)
        game = game_of(dict.fromkeys(SEATS, player))
        game.begin()
        await game.over.wait()
        nursery.cancel_scope.cancel()
    assert game.outcome.faults == ()
    assert to_bytes(game.outcome.record) == to_bytes(play_match(["lowest"] * 4, key=KEY, rules=RULES))


def is_play(turn: wire.Turn) -> bool:
    return len(turn.deal.cards) >= 4


def answering(**answer: object) -> Bot:
    """A bot that answers so from its second trick on."""

    def meddle(turn: wire.Turn, line: MemoryLine) -> bool:
        if is_play(turn):
            line.answer(wire.Move(table=turn.table, number=turn.number, **answer))
        return is_play(turn)

    return meddling(meddle)


def not_held(turn: wire.Turn, line: MemoryLine) -> bool:
    if is_play(turn):
        card = next(card for card in CARDS if card not in turn.hand)
        line.answer(wire.Move(table=turn.table, number=turn.number, play=card))
    return is_play(turn)


FAULTS: dict[str, tuple[Bot, FaultType, str]] = {
    "a card not held": (meddling(not_held), FaultType.ILLEGAL, "cannot be played: it is not in the hand"),
    "no card": (answering(play=49), FaultType.MALFORMED, "49 is no card: cards are numbered 1 to 48"),
    "card zero": (answering(play=0), FaultType.MALFORMED, "0 is no card"),
    "nothing": (answering(), FaultType.MALFORMED, "the answer is empty, but a play was asked for"),
    "a chant": (
        answering(chant=True), FaultType.MALFORMED, "the answer is a chant, but a play was asked for",
    ),
    "ready": (
        answering(ready=wire.Ready()), FaultType.MALFORMED, "the answer is a ready, but a play was asked for",
    ),
    "an exception": (answering(failed=wire.Failed(message="ValueError: no")), FaultType.FAILED, "ValueError"),
}  # fmt: skip


@pytest.mark.parametrize("seat", [Seat.N, Seat.W])
@pytest.mark.parametrize("what", FAULTS)
async def test_a_bad_answer_costs_its_side_the_match(autojump_clock, what, seat):
    bot, kind, evidence = FAULTS[what]
    async with seated({seat: bot}) as (game, players):
        game.begin()
        await game.over.wait()
        await settle()
        assert not any(player.gone.is_set() for player in players.values())
        assert [player.tables for player in players.values()] == [0] * 4
    (fault,) = game.outcome.faults
    assert fault[:4] == (kind, seat, 1, 2)
    assert evidence in fault.evidence
    assert game.outcome.record["result"]["winner"] == seat.side.other.name


async def test_a_flood_in_a_match_loses_it_and_the_process_plays_on(autojump_clock):
    def flood(turn: wire.Turn, line: MemoryLine) -> bool:
        line.answer(*[wire.Move(table=turn.table, number=99, look=wire.Looked())] * FLOODING)
        return False

    async with seated({Seat.S: meddling(flood)}) as (game, players):
        game.begin()
        await game.over.wait()
        await settle()
        assert not players[Seat.S].gone.is_set()
    assert [(fault.type, fault.seat) for fault in game.outcome.faults] == [(FaultType.FLOODING, Seat.S)]


async def silence(line: MemoryLine) -> None:
    await trio.sleep_forever()


async def test_a_bot_that_never_gets_ready_is_late_once_the_others_are_ready(autojump_clock):
    async with seated({Seat.E: silence}) as (game, players):
        game.begin()
        await game.over.wait()
        assert trio.current_time() == pytest.approx(Limits().ready + LATE_GRACE)
        assert [seat for seat, player in players.items() if player.gone.is_set()] == [Seat.E]
    (fault,) = game.outcome.faults
    assert fault[:4] == (FaultType.LATE, Seat.E, 0, 0)


async def test_all_four_are_told_how_it_ended_but_who_is_gone(autojump_clock):
    ends: dict[Seat, list[MatchEnded]] = {seat: [] for seat in SEATS}

    def listening(seat: Seat) -> Bot:
        async def bot(line: MemoryLine) -> None:
            async for response in line:
                events, turns = line.read(response.batch)
                ends[seat] += [event for _, event in events if isinstance(event, MatchEnded)]
                if seat is not Seat.W:
                    for turn in turns:
                        line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))

        return bot

    async with seated({seat: listening(seat) for seat in SEATS}) as (game, _):
        game.begin()
        await game.over.wait()
        await settle()
    for seat in (Seat.N, Seat.E, Seat.S):
        (ended,) = ends[seat]
        assert (ended.reason, ended.fault_seat, ended.fault) == (Reason.FAULT, Seat.W, "late")
    assert ends[Seat.W] == []


async def test_a_void_match_says_why_and_leaves_the_chairs(autojump_clock):
    async with seated() as (game, players):
        game.begin()
        game.void("a reason")
        assert (game.outcome.record, game.why_void) == (None, "a reason")
        assert game.over.is_set()
        assert [player.tables for player in players.values()] == [0] * 4


async def test_both_partners_lost_at_once_lose_once_and_both_sides_lose_both(autojump_clock):
    for silent, winner in [((Seat.N, Seat.S), "EW"), ((Seat.N, Seat.W), None)]:
        async with seated(dict.fromkeys(silent, silence)) as (game, _):
            game.begin()
            await game.over.wait()
        assert [fault.seat for fault in game.outcome.faults] == list(silent)
        assert game.outcome.record["result"]["winner"] == winner


async def test_a_bug_of_ours_voids_the_match_and_is_told_to_us_alone(autojump_clock, monkeypatch, capsys):
    async with seated() as (game, players):

        def broken(*_: object) -> None:
            raise ZeroDivisionError("our own")

        monkeypatch.setattr(Table, "answer", broken)
        game.begin()
        await game.over.wait()
        assert game.outcome.record is None
        assert game.outcome.faults == ()
        assert game.why_void == "an error of the referee's own: ZeroDivisionError('our own')"
        assert "Traceback (most recent call last)" in capsys.readouterr().err
        assert not any(player.gone.is_set() for player in players.values())
