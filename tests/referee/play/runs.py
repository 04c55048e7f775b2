"""Matches of bots in memory: plans of them, their runs, and the records that come of honest play."""

from collections.abc import Mapping, Sequence

from referee.play.memory import Bot, MemoryLine, Starter, converse, hello, launch_of, memory_pool

from aluette.packs import BlockKey, block_key
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS
from aluette.testing import play_match
from aluette_referee.clock import Limits
from aluette_referee.play.gate import Gate
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed, Runner

__all__ = ["RULES", "key", "plan_of", "play", "play_slowly", "record"]

RULES = RuleSet(deals=1)


def key(number: int) -> BlockKey:
    return block_key(bytes(32), "runner", number)


def plan_of(
    number: int,
    bots: Sequence[str],
    *,
    rules: RuleSet = RULES,
    posts: Sequence[Post] | None = None,
    **more: object,
) -> MatchPlan:
    """Match `number`, with bots of a `Starter` at N E S W, each a process of its own unless `posts` says."""
    posts = posts or [Post(f"match {number}", int(seat), 1) for seat in SEATS]
    chairs = {
        seat: Chair(post, launch_of(bot), bot) for seat, bot, post in zip(SEATS, bots, posts, strict=True)
    }
    return MatchPlan(f"m{number}", rules, key(number), SEATS[number % 4], chairs, **more)


def record(number: int, bot: str = "lowest", rules: RuleSet = RULES) -> bytes:
    """What an undisturbed match `number` gives."""
    return to_bytes(play_match([bot] * 4, key=key(number), rules=rules, first_dealer=SEATS[number % 4]))


async def play(
    bots: Mapping[str, Bot], plans: Sequence[MatchPlan], tables: int = 100, limits: Limits | None = None
) -> tuple[dict[str, MatchPlayed], Starter]:
    """Play all; the matches by id in the order in which they ended."""
    ended: dict[str, MatchPlayed] = {}

    async def deliver(played: MatchPlayed) -> None:
        assert played.plan.id not in ended
        ended[played.plan.id] = played

    async with memory_pool(bots, limits) as (pool, start):
        await Runner(pool, limits or Limits()).play_all(plans, deliver, Gate(2, tables))
    return ended, start


async def play_slowly(line: MemoryLine, seconds, bot: str = "lowest") -> None:
    line.send(hello())
    await converse(line, bot, seconds)
