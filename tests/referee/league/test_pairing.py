"""Who plays whom next: fair shares, near opponents, and the two laws."""

import random
from collections import Counter
from collections.abc import Iterable

import pytest

from aluette_referee.league.pairing import EAGER, Candidate, Drawn, Pairing


def field(count: int, *, margin: float | None = 40.0, apart: float = 0.0) -> list[Candidate]:
    """So many entrants, each of an owner of its own, `apart` points one from the next."""
    return [Candidate(number, 100 + number, apart * number, margin) for number in range(count)]


def run(
    pairing: Pairing, candidates: list[Candidate], matches: int, rng: random.Random, begin: float = 0.0
) -> list[Drawn]:
    """So many matches, one after another, each a second after the last."""
    pairing.present(one.id for one in candidates)
    drawn = []
    for number in range(matches):
        match = pairing.draw(candidates, begin + number, rng)
        assert match is not None
        drawn.append(match)
    return drawn


def games(drawn: Iterable[Drawn]) -> Counter[int]:
    return Counter(entrant for match in drawn for entrant in match.entrants)


@pytest.mark.parametrize(("mode", "seats"), [("teams", 2), ("individual", 4)])
def test_all_play_equally_often(mode, seats):
    drawn = run(Pairing(mode, 0.5), field(13), 650, random.Random(1))
    assert {len(match.entrants) for match in drawn} == {seats}
    assert all(len(match.one) == len(match.other) == len(set(match.entrants)) / 2 for match in drawn)
    played = games(drawn)
    assert max(played.values()) - min(played.values()) <= 3


def test_the_same_chance_gives_the_same_matches():
    one, other = (run(Pairing("teams", 0.5), field(9), 200, random.Random(7)) for _ in range(2))
    assert one == other
    assert one != run(Pairing("teams", 0.5), field(9), 200, random.Random(8))


def test_who_is_uncertain_plays_more_and_nobody_starves():
    known, new = field(12), [Candidate(99, 999)]
    played = games(run(Pairing("teams", 0.0), [*known, *new], 1300, random.Random(2)))
    mean = sum(played[one.id] for one in known) / len(known)
    assert played[99] / mean == pytest.approx(EAGER * 12 / (12 + EAGER) / (12 / (12 + EAGER)), rel=0.25)
    assert min(played[one.id] for one in known) > 0.8 * mean


def test_who_comes_later_begins_where_the_others_are():
    pairing, rng = Pairing("teams", 0.0), random.Random(3)
    first = field(6)
    run(pairing, first, 300, rng)
    all_of_them = field(8)
    pairing.present(one.id for one in all_of_them)
    drawn = [pairing.draw(all_of_them, 300 + number, rng) for number in range(80)]
    played = games(match for match in drawn if match)
    assert max(played.values()) - min(played.values()) <= 4


def test_who_comes_back_makes_up_for_nothing_and_gains_nothing():
    pairing, rng = Pairing("teams", 0.0), random.Random(4)
    everybody = field(6)
    run(pairing, everybody, 60, rng)
    stayed = everybody[:5]
    run(pairing, stayed, 300, rng, 100.0)
    pairing.present(one.id for one in everybody)
    drawn = [pairing.draw(everybody, 1000.0 + number, rng) for number in range(60)]
    played = games(match for match in drawn if match)
    assert max(played.values()) - min(played.values()) <= 4


def test_opponents_are_near_in_strength():
    candidates = field(20, apart=100.0)
    drawn = run(Pairing("teams", 0.0), candidates, 1000, random.Random(5))
    gaps = [abs(match.one[0] - match.other[0]) * 100.0 for match in drawn]
    assert sum(gaps) / len(gaps) < 350  # of any two the mean is 700
    assert max(gaps) >= 300  # and no circle is closed


def test_repeats_are_spaced():
    candidates = field(8)
    drawn = run(Pairing("teams", 3.0), candidates, 400, random.Random(6))
    last: dict[frozenset[int], int] = {}
    for number, match in enumerate(drawn):
        pair = frozenset(match.entrants)
        assert number - last.get(pair, -99) >= 3
        last[pair] = number
    # More than the law says: of eight the last few opponents are avoided.
    again = sum(
        set(match.entrants) == set(later.entrants)
        for number, match in enumerate(drawn)
        for later in drawn[number + 1 : number + 5]
    )
    assert again < 40


def test_a_pair_alone_rests_and_then_plays_again():
    pairing, rng = Pairing("teams", 10.0), random.Random(0)
    two = field(2)
    pairing.present([0, 1])
    assert pairing.draw(two, 100.0, rng) is not None
    assert pairing.draw(two, 109.0, rng) is None
    assert pairing.wakes_at(109.0) == 110.0
    assert pairing.draw(two, 110.0, rng) is not None
    assert pairing.wakes_at(125.0) == float("inf")


def test_who_has_just_met_waits_for_somebody_else_for_a_minute_at_most():
    pairing, rng = Pairing("teams", 0.0), random.Random(0)
    four = field(4)
    pairing.present(range(4))
    first = pairing.draw(four, 0.0, rng)
    assert first is not None
    others = [one for one in four if one.id not in first.entrants]
    assert pairing.draw(others, 0.0, rng) is not None
    # Both tables are over one after the other: nobody meets the same again.
    free = [four[number] for number in first.entrants]
    assert pairing.draw(free, 20.0, rng) is None
    assert pairing.wakes_at(20.0) == 80.0
    mixed = pairing.draw([*free, others[0]], 25.0, rng)
    assert mixed is not None
    assert others[0].id in mixed.entrants
    left = next(one for one in free if one.id not in mixed.entrants)
    assert pairing.draw([left, others[1]], 26.0, rng) is not None


def test_who_waits_in_vain_plays_the_same_again():
    pairing, rng = Pairing("teams", 0.0), random.Random(0)
    four = field(4)
    pairing.present(range(4))
    pairing.draw(four, 0.0, rng)
    free = four[:2]
    pairing.draw(free, 1.0, rng) or pairing.draw(free, 61.0, rng)
    assert pairing.draw(free, 100.0, rng) is None
    assert pairing.draw(free, 160.0, rng) is not None


@pytest.mark.parametrize("mode", ["teams", "individual"])
def test_two_bots_of_one_owner_never_meet(mode):
    candidates = [Candidate(number, number % 5) for number in range(20)]
    for match in run(Pairing(mode, 0.0), candidates, 400, random.Random(9)):
        owners = [number % 5 for number in match.entrants]
        assert len(set(owners)) == len(owners)


@pytest.mark.parametrize(("mode", "owners"), [("teams", 1), ("individual", 3)])
def test_nobody_plays_where_there_are_too_few_owners(mode, owners):
    candidates = [Candidate(number, number % owners) for number in range(12)]
    pairing = Pairing(mode, 0.0)
    pairing.present(one.id for one in candidates)
    assert pairing.draw(candidates, 0.0, random.Random(0)) is None


def test_partners_are_drawn_each_with_each():
    drawn = run(Pairing("individual", 0.0), field(4), 300, random.Random(10))
    partners = Counter(frozenset(side) for match in drawn for side in (match.one, match.other))
    assert len(partners) == 6
    assert min(partners.values()) > 70
