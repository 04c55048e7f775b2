"""Turns leave on ticks, so that how long somebody thought says little."""

from functools import partial

import pytest
import trio
from referee.play.memory import connected, converse
from referee.play.notes import Notes

from aluette.packs import BlockKey
from aluette.record import to_bytes
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.session import Turn
from aluette.testing import play_match
from aluette_referee.clock import Limits
from aluette_referee.play.game import LiveGame
from aluette_referee.play.pacer import Pacer
from aluette_referee.table import Table

pytestmark = pytest.mark.trio


@pytest.mark.parametrize(("after", "sent"), [(0.0, 0.05), (0.049, 0.05), (0.05, 0.1), (0.51, 0.55)])
async def test_a_turn_waits_for_the_next_tick(autojump_clock, after, sent):
    async with connected() as [(player, line)], trio.open_nursery() as nursery:
        Notes(player, 1)
        pacer = Pacer(0.05)
        nursery.start_soon(pacer.run)
        await trio.sleep(after)
        pacer.hold(trio.Event(), player, Turn(1, 0, None), 10.0)
        await line.batch()
        assert trio.current_time() == pytest.approx(sent)
        nursery.cancel_scope.cancel()


async def test_the_turn_of_a_match_that_is_over_by_then_is_not_sent(autojump_clock):
    async with connected() as [(player, line)], trio.open_nursery() as nursery:
        pacer, over = Pacer(0.05), trio.Event()
        nursery.start_soon(pacer.run)
        pacer.hold(over, player, Turn(1, 0, None), 10.0)
        over.set()
        await trio.sleep(1.0)
        assert line.waiting() == 0
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("seconds", [0.0, 0.012])
async def test_a_match_takes_the_same_time_whether_bots_think_little_or_not_at_all(autojump_clock, seconds):
    key, rules = BlockKey(bytes(32)), RuleSet(deals=1)
    async with connected(map(str, SEATS)) as found, trio.open_nursery() as nursery:
        pacer = Pacer(0.05)
        nursery.start_soon(pacer.run)
        for _, line in found:
            nursery.start_soon(partial(converse, line, "lowest", seconds))
        players = {seat: player for seat, (player, _) in zip(SEATS, found, strict=True)}
        handles: dict[Seat, int] = {seat: int(seat) for seat in SEATS}
        game = LiveGame(
            Table(Match(rules, key), key, handles, dict.fromkeys(SEATS, Limits())), players, handles, pacer
        )
        game.begin()
        await game.over.wait()
        assert to_bytes(game.outcome.record) == to_bytes(play_match(["lowest"] * 4, key=key, rules=rules))
        turns = 2 + sum(len(deal["votes"]) + 36 for deal in game.outcome.record["deals"])
        assert trio.current_time() == pytest.approx(0.05 * turns + seconds)
        nursery.cancel_scope.cancel()
