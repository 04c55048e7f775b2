"""What spectators are told of a match: everything that was played, in order, and nothing else."""

import json

import pytest
import trio

import aluette
from aluette.packs import block_key
from aluette.record import replay
from aluette.rules import Match, RuleSet
from aluette.testing import play_match
from aluette_referee.league.story import Story
from aluette_referee.league.watching import Live, follow

RULES = RuleSet(deals=3)


def match(seed: int) -> Match:
    record = play_match(["careful", "random", "careful", "lowest"], rules=RULES, seed=seed)
    return replay(record)


@pytest.mark.parametrize("seed", range(4))
def test_a_match_is_told_whole_and_in_order(seed):
    played = match(seed)
    told = list(Story(played).more())
    for deal in played.deals:
        cards = [event for event in told if event["event"] == "card"][: len(deal.played)]
        assert [event["card"] for event in cards] == [str(card) for card in deal.played]
        tricks = list(deal.tricks())
        leaders = [trick.leader for trick in tricks]
        assert [event["seat"] for event in cards[::4]] == [leader.name for leader in leaders]
        assert [event["seat"] for event in cards[1::4]] == [leader.left.name for leader in leaders]
        told = told[next(place for place, event in enumerate(told) if event["event"] == "score") + 1 :]
    assert told == []
    scores = [event for event in Story(played).more() if event["event"] == "score"]
    assert (scores[-1]["NS"], scores[-1]["EW"]) == tuple(played.running[-1])


def test_it_is_told_bit_by_bit_as_it_happens_and_shows_nothing_that_is_not_on_the_table():
    whole = match(1)
    live = Match(RULES, block_key(bytes(32), "story", 0))
    story, bits = Story(live), []
    seen: set[str] = set()
    while not live.over:
        seat = live.asked[0]
        view = aluette.view.view_of(live, seat)
        live.do(seat, _dull(view))
        bit = list(story.more())
        bits += bit
        on_table = {str(card) for deal in live.deals for card in deal.played}
        seen |= {event["card"] for event in bit if "card" in event}
        assert seen <= on_table
    assert bits == list(Story(live).more())
    keys = {key for event in bits + list(Story(whole).more()) for key in event}
    assert keys == {
        "event",
        "deal",
        "dealer",
        "trick",
        "seat",
        "card",
        "winner",
        "side",
        "points",
        "kind",
        "NS",
        "EW",
    }
    assert json.loads(json.dumps(bits)) == bits


def _dull(view):
    from aluette.rules import Ask, Chant, Cut, Discard, Look, Play

    match view.asked:
        case Ask.PLAY:
            return Play(view.hand[-1])
        case Ask.LOOK:
            return Look()
        case Ask.CUT:
            return Cut(20)
        case Ask.CHANT:
            return Chant(True)
        case _:
            assert view.asked is Ask.DISCARD
            return Discard(view.hand[:6])


@pytest.mark.trio
async def test_it_is_told_later_by_the_delay(autojump_clock):
    live = Live(match(2))
    live.over.set()
    first = None
    async for told in follow(live, 30.0):
        if told is not None and first is None:
            first = trio.current_time()
    assert first == pytest.approx(30.0, abs=0.3)
