"""What holds in every match: random rule sets, random packs, random legal play."""

import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK, choose, keys, play_out, rule_sets, seeds, steps
from rules.table import STRENGTHS, SetLuck, cards, snapshot

from aluette.cards import CARDS, Card
from aluette.errors import IllegalAction
from aluette.rules import Ask, Chant, Cut, Deal, Discard, Kind, Look, Match, Play, RuleSet, Sign, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.view import View, deal_ended, view_of

seats = st.sampled_from(SEATS)


def whereabouts(deal: Deal) -> Counter[Card]:
    """How often each card is in a hand, on the table, put aside or still in the stock."""
    places = [*deal.hands.values(), *deal.discards.values(), deal.played]
    if not deal.received:
        places.append(deal.stock)
    return Counter(card for place in places for card in place)


@QUICK
@given(rule_sets(max_deals=2), keys, seeds, seats)
def test_each_card_is_always_in_exactly_one_place(rules, key, seed, first):
    match = Match(rules, key, first_dealer=first)
    for _ in steps(match, random.Random(seed)):
        assert whereabouts(match.deal) == (Counter(CARDS) if match.deal.pack else Counter())


@QUICK
@given(rule_sets(), keys, seeds, seats)
def test_a_finished_deal_adds_up(rules, key, seed, first):
    match = Match(rules, key, first_dealer=first)
    play_out(match, random.Random(seed))
    for deal in match.deals:
        assert len(set(deal.played)) == 36
        assert sum(map(len, deal.discards.values())) == (12 if deal.received else 0)
        assert not any(deal.hands.values())
        won = [deal.winners.count(seat) for seat in Seat]
        assert sum(won) + deal.winners.count(None) == len(deal.winners) == 9
        scored = deal.score
        assert (scored.side is None) == (scored.points == 0) == (scored.kind is Kind.VOID)
        assert scored.points in {Kind.VOID: {0}, Kind.PLAIN: {1}, Kind.MORDIENNE: {2}}[scored.kind]
        assert rules.mordienne or scored.kind is not Kind.MORDIENNE
        if scored.player is not None:
            assert scored.side is scored.player.side
            assert won[scored.player - 1] == max(won)


@QUICK
@given(rule_sets(), keys, seeds, seats)
def test_a_finished_match_adds_up(rules, key, seed, first):
    match = Match(rules, key, first_dealer=first)
    play_out(match, random.Random(seed))
    ns, ew = (sum(deal.score.points for deal in match.deals if deal.score.side is side) for side in Side)
    assert match.totals == {Side.NS: ns, Side.EW: ew}
    assert match.winner is (Side.NS if ns > ew else Side.EW if ew > ns else None)
    extra = len(match.deals) - rules.deals
    assert 0 <= extra <= (20 if rules.tie == "extra_deals" else 0)
    assert all(one.dealer.left is other.dealer for one, other in pairwise(match.deals))


@QUICK
@given(rule_sets(), keys, seeds)
def test_accepted_signals_are_bounded_true_and_seen_only_across_the_table(rules, key, seed):
    match = Match(rules, key)
    play_out(match, random.Random(seed))
    for deal in match.deals:
        accepted = [made for made in deal.signals if made.dropped is None]
        assert rules.signals or not accepted
        assert all(made.noticed == () for made in deal.signals if made.dropped is not None)
        assert all(n <= rules.signals_per_deal for n in Counter(made.seat for made in accepted).values())
        for made in accepted:
            opponents = (made.seat.left, made.seat.right)
            assert set(made.noticed) <= set(opponents)
            if rules.notice in (0, 1):
                assert made.noticed == (opponents if rules.notice else ())


@QUICK
@given(rule_sets(), keys, seeds, seats)
def test_the_same_packs_and_choices_one_seat_on_swap_the_sides_and_change_nothing_else(
    rules, key, seed, first
):
    rules = RuleSet(**{**rules.changes(), "signals": False})
    one, other = Match(rules, key, first_dealer=first), Match(rules, key, first_dealer=first.left)
    for seat, action in play_out(one, random.Random(seed)):
        other.do(seat.left, action)
    assert other.over
    for deal, turned in zip(one.deals, other.deals, strict=True):
        assert turned.dealer is deal.dealer.left
        assert turned.played == deal.played
        assert turned.votes == tuple((seat.left, yes) for seat, yes in deal.votes)
        assert turned.winners == [winner and winner.left for winner in deal.winners]
        assert turned.leaders == [leader.left for leader in deal.leaders]
        assert turned.score.player is (deal.score.player and deal.score.player.left)
        assert turned.score[1::2] == deal.score[1::2]
    assert other.totals == {Side.NS: one.totals[Side.EW], Side.EW: one.totals[Side.NS]}


@QUICK
@given(rule_sets(), keys, seeds, seeds, seats)
def test_suits_within_a_strength_change_nothing(rules, key, seed, suits, first):
    rules = RuleSet(**{**rules.changes(), "signals": False, "cut": "referee", "seating": "fixed"})
    one = Match(rules, key, first_dealer=first)
    done = play_out(one, random.Random(seed))
    swap = dict(zip(CARDS, CARDS, strict=True))
    for text in STRENGTHS.values():
        swap |= zip(cards(text), random.Random(suits).sample(cards(text), len(cards(text))), strict=True)
    packs = {deal.number: [swap[card] for card in deal.pack] for deal in one.deals}
    other = Match(rules, SetLuck(packs), first_dealer=first)
    for seat, action in done:
        other.do(seat, exchanged(action, swap))
    assert [deal.winners for deal in other.deals] == [deal.winners for deal in one.deals]
    assert [deal.score for deal in other.deals] == [deal.score for deal in one.deals]
    assert other.totals == one.totals


def exchanged(action, swap: dict[Card, Card]):
    """The same action with other cards."""
    match action:
        case Play(card, sign):
            return Play(swap[card], sign)
        case Discard(six, sign):
            return Discard(tuple(swap[card] for card in six), sign)
        case _:
            return action


def any_action(rng: random.Random):
    """Something that may or may not be legal just now."""
    some = tuple(rng.choices(CARDS, k=rng.choice([5, 6, 6, 6, 7])))
    sign = rng.choice([None, Sign(Signal.USELESS_HAND)])
    kinds = (Cut(rng.randint(-1, 49), sign), Look(sign), Chant(rng.random() < 0.5, sign))
    return rng.choice([*kinds, Discard(some, sign), *(Play(card, sign) for card in some)])


@settings(QUICK, max_examples=30)
@given(rule_sets(max_deals=1), keys, seeds, seats)
def test_can_verify_and_do_agree_and_what_is_refused_changes_nothing(rules, key, seed, first):
    rng = random.Random(seed)
    match = Match(rules, key, first_dealer=first)
    while not match.over:
        seat, action = rng.choice(SEATS), any_action(rng)
        possible = match.can(seat, action)
        before = None if possible else snapshot(match)
        for act in (match.verify, match.do):
            try:
                act(seat, action)
            except IllegalAction:
                assert not possible
            else:
                assert possible
        if not possible:
            assert snapshot(match) == before
            match.do(asked := rng.choice(match.asked), choose(match, asked, rng))


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=1), keys, seeds)
def test_options_are_what_may_be_played(rules, key, seed):
    match = Match(rules, key)
    for _ in steps(match, random.Random(seed)):
        if match.ask is Ask.PLAY:
            for seat in SEATS:
                assert {card for card in CARDS if match.can(seat, Play(card))} == set(
                    match.deal.options(seat)
                )


# -- what a seat may know ------------------------------------------------------------------------


class OtherLuck:
    """Another key that a seat cannot tell from the first: it notices just what it noticed before."""

    def __init__(self, pack: tuple[Card, ...], first: Deal, seat: Seat, rng: random.Random) -> None:
        self._pack, self._seat, self._rng = pack, seat, rng
        accepted = [made for made in first.signals if made.dropped is None]
        self._noticed = {
            (sender, number): seat in made.noticed
            for sender in SEATS
            for number, made in enumerate(made for made in accepted if made.seat is sender)
        }

    def pack(self, deal: int) -> tuple[Card, ...]:
        return (*self._pack[-30:], *self._pack[:-30])

    def cut(self, deal: int) -> int:
        return 30

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        if observer is self._seat:
            return 0 if self._noticed[sender, accepted] else 9999
        return self._rng.choice([0, 9999])


def hidden_from(seat: Seat, deal: Deal) -> list[Card]:
    """The cards that the seat has neither seen played nor held."""
    return [c for c in deal.pack if c not in {*deal.played, *deal.hands[seat], *deal.discards.get(seat, ())}]


def unnoticed(deal: Deal, seat: Seat, rng: random.Random) -> dict[tuple[Seat, Ask, int], Sign | None]:
    """Other signals in place of those that the seat did not see, by who made them when."""
    others = [Sign(Signal.USELESS_HAND), Sign(Signal.MADAME), Sign(Signal.ACES, 2)]
    return {
        (made.seat, made.ask, made.played): rng.choice(others) if made.dropped is None else None
        for made in deal.signals
        if seat not in (made.seat, made.seat.partner, *made.noticed)
        or (made.seat is seat.partner and made.dropped is not None)
    }


def views(match: Match, seat: Seat, actions) -> list[View]:
    """What the seat sees at first and after each action."""
    seen = [view_of(match, seat)]
    for actor, action in actions:
        match.do(actor, action)
        seen.append(view_of(match, seat))
    return seen


@QUICK
@given(rule_sets(), keys, seeds, seats, st.integers(0, 46))
def test_worlds_that_a_seat_cannot_tell_apart_give_it_equal_views(rules, key, seed, seat, stop):
    """Replay a deal with all that the seat has not seen by then changed: cards, signals, key, who noticed."""
    changes = {"truthful": False, "notice": 0.5, "chant_discard": "free", "cut": "referee", "deals": 1}
    rules = RuleSet(**{**rules.changes(), **changes, "seating": "fixed", "tie": "draw"})
    rng = random.Random(seed)
    first = rng.choice(SEATS)
    actions = play_out(Match(rules, key, first_dealer=first), rng)[:stop]
    one = Match(rules, key, first_dealer=first)
    seen = views(one, seat, actions)

    hidden = hidden_from(seat, one.deal)
    swap = {card: card for card in CARDS} | dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    pack = tuple(swap[card] for card in one.deal.pack)
    other = Match(rules, OtherLuck(pack, one.deal, seat, rng), first_dealer=first)
    signs = unnoticed(one.deal, seat, rng)
    assert views(other, seat, changed(actions, seat, swap, signs)) == seen
    if one.over:
        assert deal_ended(other, other.deal) == deal_ended(one, one.deal)


def changed(actions, seat: Seat, swap: dict[Card, Card], signs):
    """The same actions, with other unseen discards and other unseen signals."""
    played, asks = 0, {Cut: Ask.CUT, Look: Ask.LOOK, Chant: Ask.CHANT, Discard: Ask.DISCARD, Play: Ask.PLAY}
    for actor, action in actions:
        sign = signs.get((actor, asks[type(action)], played), action.sign)
        mapped = exchanged(action, swap) if actor is not seat else action
        yield actor, mapped._replace(sign=sign)
        played += isinstance(action, Play)


@QUICK
@given(rule_sets(), keys, seeds, seats)
def test_looks_that_others_have_given_are_not_seen_before_all_have_looked(rules, key, seed, seat):
    rules = RuleSet(**{**rules.changes(), "signals": True, "cut": "referee"})
    one, other = Match(rules, key), Match(rules, key)
    for looking in random.Random(seed).sample([other for other in SEATS if other is not seat], 3):
        other.do(looking, Look(Sign(Signal.USELESS_HAND)))
        assert view_of(other, seat) == view_of(one, seat)
