"""A view that contradicts itself, or the rules that come with it, is refused; every view that there can be is not."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from sdk.sim.positions import OPTIONS, signalled_match

from aluette.cards import CARDS
from aluette.errors import Misuse
from aluette.rules import Ask, RuleSet, Sign, Signal, weakest
from aluette.seats import SEATS, Seat
from aluette.sim import deal_consistent, playouts
from aluette.view import SeenSignal, View, Vote, view_of

SIGNALLING = [
    RuleSet(deals=1, notice=1, signals_per_deal=9, chant=chant, chant_discard=discard)
    for chant, discard in product(("ask", "off", "always"), ("free", "lowest"))
]
ASK, OFF, ALWAYS = (replace(SIGNALLING[0], chant=chant) for chant in ("ask", "off", "always"))


def views(rules: RuleSet, seed: object = 1) -> Iterator[View]:
    """Every view of a random match whose seat is asked something after the cut; the chant is mostly agreed."""
    for match in signalled_match(replace(rules, deals=1), random.Random(f"{seed} {rules}")):
        if match.ask is not Ask.CUT:
            yield from (view_of(match, seat) for seat in match.asked)


def view_at(rules: RuleSet, asked: Ask, cards: int = 0) -> View:
    """The first view of a kind after so many cards, of a match whose chant was agreed if the rules have one."""
    for seed in range(50):
        found = [view for view in views(rules, seed) if view.asked is asked and len(view.deal.cards) == cards]
        if found and (rules.chant == "off" or asked is Ask.CHANT or found[0].deal.stock_dealt):
            return found[-1]
    raise AssertionError


def refused(view: View, rules: RuleSet) -> str:
    """What worlds of such a view are refused with, and playouts."""
    said = []
    for call in (deal_consistent, playouts):
        with pytest.raises(Misuse) as caught:
            call(view, 1, random.Random(1), rules=rules)
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == 1
    return said[0]


# -- rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*OPTIONS, *SIGNALLING], ids=str)
def test_every_view_of_a_match_agrees_with_its_rules_and_no_other_chant(rules):
    for view in views(rules):
        assert deal_consistent(view, 1, random.Random(1), rules=rules).size == 1
        for chant in {"ask", "off", "always"} - {rules.chant} if view.asked is not Ask.LOOK else ():
            others = replace(rules, chant=chant)
            said = refused(view, others)
            assert said.startswith(f"this view is not of a match under {others}: ")
            assert said.endswith("pass the rules of its match, rules=self.match.rules")


def test_a_chant_that_was_refused_is_none_of_always():
    for seed in range(200):
        for view in views(ASK, seed):
            if view.asked is Ask.PLAY and not view.deal.stock_dealt:
                assert "a play without the stock dealt after" in refused(view, ALWAYS)
                return
    raise AssertionError


def test_rules_that_are_forgotten_are_missed():
    view = view_at(OFF, Ask.PLAY, 8)
    with pytest.raises(Misuse, match="not of a match under standard/1: "):
        deal_consistent(view, 1, random.Random(1))


def test_signals_that_the_rules_do_not_have():
    plain = view_at(OFF, Ask.PLAY, 8)._replace(seen=())
    partner = [SeenSignal(Ask.LOOK, 0, plain.partner, Sign(Signal.USELESS_HAND))] * 2
    opponent = [SeenSignal(Ask.LOOK, 0, plain.seat.left, Sign(Signal.USELESS_HAND))]
    for seen, rules in (
        (partner, replace(OFF, signals=False)),
        (partner, replace(OFF, signals_per_deal=1)),
        (opponent, replace(OFF, notice=0)),
    ):
        view = plain._replace(seen=tuple(seen))
        deal_consistent(view, 1, random.Random(1), rules=OFF)
        assert "was seen" in refused(view, rules) or "were seen" in refused(view, rules)
    look = view_at(OFF, Ask.LOOK)
    with pytest.raises(Misuse, match="it is of a look"):
        deal_consistent(look, 1, random.Random(1), rules=replace(OFF, signals=False))


def test_discards_that_the_rules_do_not_allow():
    rules = replace(ALWAYS, chant_discard="lowest")
    view = next(
        view
        for view in views(ALWAYS)
        if view.discards and weakest((*view.hand, *view.discards)) != view.discards
    )
    assert "only the six weakest cards may be discarded" in refused(view, rules)


# -- contradictions -----------------------------------------------------------------------------------------


def forged() -> Iterator[tuple[str, View, RuleSet]]:
    """Views that no seat has, each with what is wrong."""
    play, first = view_at(OFF, Ask.PLAY, 9), view_at(ALWAYS, Ask.PLAY, 0)
    chant, discard, look = view_at(ASK, Ask.CHANT), view_at(ALWAYS, Ask.DISCARD), view_at(OFF, Ask.LOOK)
    agreed, opening = view_at(ASK, Ask.PLAY, 9), view_at(OFF, Ask.PLAY)
    others = [card for card in CARDS if card not in {*play.hand, *play.deal.cards}]
    yield "is not the one", play._replace(seat=play.seat.left), OFF
    yield "is not the one", chant._replace(seat=chant.seat.partner), ASK
    yield "is not the one", discard._replace(seat=discard.deal.dealer.partner), ALWAYS
    yield "is not the one", play._replace(asked=Ask.DISCARD), OFF
    yield "is not the one", play._replace(asked=Ask.CHANT), OFF
    yield "is not the one", play._replace(asked=Ask.LOOK), OFF
    yield "votes and stock", first._replace(asked=Ask.LOOK), ALWAYS
    yield "votes and stock", look._replace(asked=Ask.DISCARD, seat=look.deal.dealer), OFF
    yield "votes and stock", public(agreed, stock_dealt=False), ASK
    yield "votes and stock", public(agreed, votes=agreed.deal.votes[:2]), ASK
    yield "votes and stock", public(agreed, votes=agreed.deal.votes[::-1]), ASK
    yield (
        "votes and stock",
        public(agreed, votes=tuple(Vote(seat, False) for seat, _ in agreed.deal.votes)),
        ASK,
    )
    yield "9 cards and has put 0 aside, not 8 and 0", opening._replace(hand=opening.hand[1:]), OFF
    yield "15 cards and has put 0 aside, not 8 and 0", discard._replace(hand=discard.hand[:8]), ALWAYS
    yield (
        "has put",
        first._replace(discards=() if first.discards else first.hand[:6], hand=first.hand[6:]),
        ALWAYS,
    )
    yield "has put", look._replace(hand=()), OFF
    for part in (
        {"seat": 1},
        {"asked": 5},
        {"hand": None},
        {"discards": "3D"},
        {"seen": None},
        {"deal": None},
    ):
        yield "of another kind", play._replace(**part), OFF
    for part in ({"dealer": 1}, {"votes": None}, {"cards": None}, {"winners": None}):
        yield "of another kind", public(play, **part), OFF
    yield "twice", play._replace(hand=(play.deal.cards[0], *play.hand[1:])), OFF
    yield "twice", play._replace(hand=(play.hand[0], play.hand[0], *play.hand[2:])), OFF
    yield "no Card", play._replace(hand=tuple(map(int, play.hand))), OFF
    yield "no Card", play._replace(hand=tuple(map(str, play.hand))), OFF
    yield "winners", public(play, winners=play.deal.winners[:1]), OFF
    yield "winners", public(play, winners=(*play.deal.winners, Seat.N)), OFF
    turned = tuple(None if winner else Seat.N for winner in play.deal.winners)
    yield "winners", public(play, winners=turned), OFF
    yield "winners", public(play, cards=(*play.deal.cards, *others[:3])), OFF
    for ask, played, seat in (
        (Ask.PLAY, 99, play.partner),
        (Ask.PLAY, 0, play.deal.dealer),
        (Ask.LOOK, 0, play.seat),
        (Ask.LOOK, 4, play.partner),
        (Ask.CHANT, 0, play.partner),
        (Ask.DISCARD, 0, play.deal.dealer),
        (Ask.CUT, 0, play.partner),
    ):
        yield "signal", play._replace(seen=(SeenSignal(ask, played, seat, Sign(Signal.USELESS_HAND)),)), OFF
    yield (
        "signal",
        look._replace(seen=(SeenSignal(Ask.LOOK, 0, look.partner, Sign(Signal.USELESS_HAND)),)),
        OFF,
    )


def public(view: View, **changes: object) -> View:
    return view._replace(deal=view.deal._replace(**changes))


def test_a_view_that_contradicts_itself_is_refused():
    for wrong, view, rules in forged():
        said = refused(view, rules)
        assert said.startswith("this view contradicts itself: "), (wrong, view)
        assert wrong in said, view


@pytest.mark.parametrize("asked", [None, Ask.CUT])
def test_worlds_are_for_a_seat_that_is_asked_after_the_cut(asked):
    assert "after the cut" in refused(view_at(OFF, Ask.PLAY)._replace(asked=asked), OFF)


# -- what is no view ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [None, next(signalled_match(OFF, random.Random(1))), SEATS], ids=["None", "Match", "tuple"]
)
def test_what_is_no_view(wrong):
    assert "must be the View of a seat" in refused(wrong, OFF)


@pytest.mark.parametrize("wrong", [None, "standard/1", RuleSet], ids=repr)
def test_what_is_no_rule_set(wrong):
    assert "must be the RuleSet of the match" in refused(view_at(OFF, Ask.PLAY), wrong)


@pytest.mark.parametrize("call", [deal_consistent, playouts])
def test_numbers_and_chance(call):
    view = view_at(OFF, Ask.PLAY)
    for n in (None, 2.5, "3", True, -1, 2**70):
        with pytest.raises(Misuse, match=r"^n = .*: must be a whole number from [01] to "):
            call(view, n, random.Random(1), rules=OFF)
    for rng in (None, 7, random.Random):
        with pytest.raises(Misuse, match=r"^rng = .*: must be the random\.Random"):
            call(view, 1, rng, rules=OFF)
