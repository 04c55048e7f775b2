"""Matches as steps: worked records, and what the steps of a seat's view must not depend on."""

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee.report.html.shown import at_random
from referee.report.scenes import SCENES
from referee.report.twins import records_of_twins
from rules.play import QUICK, keys, rule_sets, seeds, steps

from aluette.cards import CARDS
from aluette.errors import RecordError
from aluette.record import record_of
from aluette.rules import Match
from aluette.seats import SEATS
from aluette_referee.report.html.scenes import scenes

unequal_rules = rule_sets(max_deals=2).map(
    lambda rules: type(rules)(**{**rules.changes(), "truthful": False, "chant_discard": "free"})
)


def told(deal, kind):
    return [step for step in deal["steps"] if step["kind"] == kind]


def hand(deal, seat, at):
    return [card for card, since, until in deal["hands"][seat] if since <= at < until]


def seen(story, seat):
    """What the viewer's script may show of a story to one seat."""
    for deal in story["deals"]:
        for at, step in enumerate(deal["steps"]):
            known = seat.name in step.get("knows", "NESW")
            words = step.get("own", step["all"]) if known else step.get("others")
            if words is None:
                continue
            plain = {
                key: step.get(key)
                for key in ("kind", "trick", "seat", "turn", "winner", "yes", "totals", "card")
            }
            signs = [step.get(key) for key in ("gesture", "says", "dropped")]
            hands = [hand(deal, chair.name, at) for chair in SEATS] if deal["hands"] else [[]] * 4
            yield (
                deal["dealer"],
                deal["before"],
                words,
                plain,
                signs,
                step.get("cards") if known else len(step.get("cards", ())),
                [cards if chair is seat else len(cards) for chair, cards in zip(SEATS, hands, strict=True)],
                sum(at < until for _, until in deal["stock"]),
            )


# -- worked records ------------------------------------------------------------------------------------------


def test_a_chant_that_all_agree_to():
    (deal,) = scenes(SCENES["chant"])["deals"]
    kinds = [step["kind"] for step in deal["steps"]]
    assert kinds[:8] == ["deal", "signal", "signal", "signal", "signal", "signal", "vote", "vote"]
    assert [step["seat"] for step in told(deal, "vote")] == ["E", "S", "W", "N"]
    assert all(step["yes"] for step in told(deal, "vote"))
    east, north = told(deal, "receive")
    assert (east["seat"], east["knows"], north["seat"], north["knows"]) == ("E", "E", "N", "N")
    assert east["all"] == "E receives 2B 2S AD 9S 6D 6S from the stock."
    assert east["others"] == "E receives six cards from the stock."
    at = deal["steps"].index(east)
    assert len(hand(deal, "E", at - 1)) == 9
    assert len(hand(deal, "E", at)) == 15
    assert sum(at < until for _, until in deal["stock"]) == 6
    discard = told(deal, "discard")[0]
    assert discard["cards"] == ["4D", "5D", "7D", "8D", "JC", "QD"]
    assert (discard["knows"], discard["others"]) == ("E", "E discards six cards, face down.")
    assert hand(deal, "E", deal["steps"].index(discard)) == [
        "3D",
        "2D",
        "2B",
        "2S",
        "AD",
        "KC",
        "9S",
        "6D",
        "6S",
    ]


def test_who_knows_of_a_signal():
    (deal,) = scenes(SCENES["chant"])["deals"]
    monsieur, aces, ecrit, nothing, borgne, madame, *_ = told(deal, "signal")
    assert (monsieur["knows"], monsieur["noticed"]) == ("ESW", "S")
    assert monsieur["all"] == "E looks up, head still: “I hold 3D (Monsieur)”, seen by W, noticed by S."
    assert monsieur["own"] == "E looks up, head still: “I hold 3D (Monsieur)”."
    assert (aces["knows"], aces["says"], aces["noticed"]) == ("NS", "I hold 2 aces", "nobody")
    assert (ecrit["knows"], ecrit["dropped"]) == ("W", "not true")
    assert ecrit["all"] == "W sticks out the ring finger: “I hold 2S (Deux d'écrit)”, dropped: not true."
    assert (nothing["says"], nothing["dropped"]) == ("", "it is no signal")
    assert (borgne["says"], madame["noticed"]) == ("I hold 2D (le Borgne)", "N and S")
    mordienne, three = (step for step in told(deal, "signal")[6:] if step["trick"] == 0)
    assert (mordienne["dropped"], three["dropped"]) == ("more than 2 in this deal", "not true")
    # Made with an action, a signal is seen before it.
    useless = next(step for step in told(deal, "signal") if step["trick"] == 1)
    assert deal["steps"][deal["steps"].index(useless) + 1]["all"] == "S plays AS."


def test_the_words_of_tricks():
    deal = scenes(SCENES["void"])["deals"][0]
    plays = told(deal, "play")
    ends = [play for play in plays if "winner" in play]
    assert plays[0]["all"] == f"E leads {plays[0]['card']}."
    assert [end["winner"] for end in ends] == ["X"] * 9
    assert ends[0]["all"].endswith(" tie; E leads again.")
    assert ends[8]["all"].endswith(" tie; it is lost to all.")
    assert deal["score"] == {"side": None, "points": 0, "kind": "void"}
    assert deal["steps"][-2]["all"] == "Nobody scores (N 0, E 0, S 0, W 0, 9 spoiled). NS 0, EW 0."
    won = [
        play for play in told(scenes(SCENES["mordienne"])["deals"][0], "play") if play.get("winner") == "N"
    ]
    assert won[0]["all"].endswith(": 1 trick.")
    assert won[1]["all"].endswith(": 2 tricks.")


def test_the_partner_draw_and_the_cut():
    (deal,) = scenes(SCENES["draw"])["deals"]
    draw, signal, cut, dealt, *_ = deal["steps"]
    assert draw["cards"] == ["AD", "4S", "3C", "2D", "KB", "9C", "3D", "5D", "8B", "2C"]
    assert draw["all"].startswith("Partners are drawn from E. W drew 3C (Madame), and sits W, ")
    assert (signal["knows"], signal["dropped"]) == ("S", "no signal goes with the cut")
    assert (cut["all"], cut["knows"], cut["others"]) == ("S cuts at 7.", "S", "S cuts.")
    assert dealt["kind"] == "deal"
    assert hand(deal, "W", deal["steps"].index(cut)) == []
    assert len(hand(deal, "W", deal["steps"].index(dealt))) == 9
    by_referee = scenes(SCENES["void"])["deals"][0]["steps"][0]
    assert by_referee["all"] == f"{by_referee['others']} The pack was cut at 20."
    assert by_referee["knows"] == ""


@pytest.mark.parametrize(
    ("name", "seat", "words", "totals"),
    [
        ("fault", "N", "Fault: N late in deal 2, trick 3; EW wins NS 0, EW 5.", [0, 5]),
        ("both_late", "N", "Fault: N late before the first deal; both sides lose.", [0, 0]),
        ("no_cut", "W", "Fault: W late in deal 1, before its first trick; NS wins NS 5, EW 0.", [5, 0]),
    ],
)
def test_a_fault_comes_last(name, seat, words, totals):
    deal = scenes(SCENES[name])["deals"][-1]
    last = deal["steps"][-1]
    assert (last["kind"], last["seat"], last["all"], last["totals"]) == ("fault", seat, words, totals)
    assert deal["score"]["kind"] == "unfinished"


def test_the_end_says_who_won():
    *_, last = scenes(SCENES["mordienne"])["deals"]
    assert last["before"] == [2, 0]
    assert last["steps"][-1] == {
        "trick": 9, "turn": "", "kind": "end", "all": "NS wins, NS 2, EW 1.", "totals": [2, 1],
    }  # fmt: skip


def test_whose_turn_it_is():
    deal, *_ = scenes(at_random(1, signals=False, chant="off", deals=1))["deals"]
    plays = told(deal, "play")
    assert deal["steps"][0]["turn"] == "E"
    for one, after in pairwise(plays):
        assert one["turn"] == after["seat"]
    assert [play["turn"] for play in plays][-1] == ""
    assert scenes(SCENES["both_late"])["deals"][0]["steps"][0]["turn"] == "ESWN"


def test_a_record_that_does_not_hold_has_no_scenes():
    with pytest.raises(RecordError, match="by the rules it is 0"):
        scenes({**SCENES["void"], "result": {**SCENES["void"]["result"], "NS": 1}})


# -- any record ----------------------------------------------------------------------------------------------


@QUICK
@given(rule_sets(max_deals=2), keys, seeds)
def test_a_match_as_steps_is_what_the_record_says(rules, key, seed):
    match = Match(rules, key)
    for _ in steps(match, random.Random(seed)):
        pass
    story = json.loads(json.dumps(scenes(record_of(match))))
    for deal, said in zip(match.deals, story["deals"], strict=True):
        assert [play["card"] for play in told(said, "play")] == [str(card) for card in deal.played]
        assert len(told(said, "signal")) == len(deal.signals)
        for at in range(len(said["steps"])):
            held = [card for seat in said["hands"] for card in hand(said, seat, at)]
            assert len(held) == len(set(held)) <= len(CARDS)
        ended = len(said["steps"]) - 1
        assert not any(hand(said, seat, ended) for seat in "NESW")
    totals = [step["totals"] for deal in story["deals"] for step in told(deal, "score")]
    assert totals[-1] == [match.totals[side] for side in sorted(match.totals)]


@QUICK
@given(unequal_rules, keys, seeds, st.sampled_from(SEATS), st.none() | st.integers(0, 80))
def test_a_seats_view_is_the_same_in_all_worlds_that_it_cannot_tell_apart(rules, key, seed, seat, stop):
    _, one, other = records_of_twins(rules, key, seed, seat, stop)
    assert list(seen(scenes(one), seat)) == list(seen(scenes(other), seat))
