"""Who meets whom and when, in each format; and that asking again later gives the same, and more."""

import itertools
import random
from collections import Counter

import pytest

from aluette_referee.contest import formats
from aluette_referee.contest.balance import balance_of
from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Format, Team
from aluette_referee.contest.formats.individual import movement
from aluette_referee.contest.formats.knockout import bracket, ties
from aluette_referee.contest.formats.round_robin import against, circle
from aluette_referee.contest.formats.scores import Score
from aluette_referee.contest.formats.swiss import usual_rounds
from aluette_referee.contest.formats.whist import EXACT


def field(count: int, bots: int = 2) -> list[Entrant]:
    return [
        Entrant(Team(f"T{place:03}", (BotSpec("lowest"),) * bots), ("x",) * bots) for place in range(count)
    ]


def contest(entrants: list[Entrant], blocks: int = 1, **format_: object) -> Contest:
    return Contest("c", tuple(entrant.team for entrant in entrants), blocks=blocks, format=Format(**format_))


def strongest_first(block) -> Score:
    """The team of the lower number wins both matches."""
    return Score(2.0, 0.0) if block.meeting.one.name < block.meeting.other.name else Score(0.0, 2.0)


def names(block) -> tuple[str, ...]:
    return tuple(entrant.name for side in block.meeting for entrant in side.entrants)


def nobody_twice(played, entrants) -> bool:
    """In each round everybody plays once, or sits out."""
    return all(
        sorted([*itertools.chain(*map(names, each.blocks)), *(out.name for out in each.sits_out)])
        == [entrant.name for entrant in entrants]
        for each in played
    )


# -- all against all, some against all ----------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 20))
def test_every_two_meet_once_and_nobody_plays_twice_in_a_round(count):
    drawn = circle(count)
    met = [tuple(sorted(pair)) for pairs in drawn for pair in pairs]
    assert sorted(met) == list(itertools.combinations(range(count), 2))
    assert len(drawn) == count - 1 + count % 2
    entrants = field(count)
    played = list(formats.rounds(contest(entrants, 3), entrants))
    assert nobody_twice(played, entrants)
    assert Counter(out.name for each in played for out in each.sits_out) == (
        dict.fromkeys([entrant.name for entrant in entrants], 3) if count % 2 else {}
    )


@pytest.mark.parametrize(("challengers", "others"), list(itertools.product(range(1, 6), repeat=2)))
def test_each_challenger_meets_each_of_the_others_once(challengers, others):
    drawn = against(challengers, others)
    met = [pair for pairs in drawn for pair in pairs]
    assert sorted(met) == list(itertools.product(range(challengers), range(others)))
    for pairs in drawn:
        assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    entrants = field(challengers + others)
    described = contest(entrants, 2, kind="gauntlet", challengers=challengers)
    played = list(formats.rounds(described, entrants))
    assert nobody_twice(played, entrants)
    assert sum(len(each.blocks) for each in played) == 2 * challengers * others


# -- swiss --------------------------------------------------------------------------------------------------


def lots(seed: int):
    chance = random.Random(seed)
    known: dict[str, Score] = {}

    def score_of(block) -> Score:
        won = chance.choice([0.0, 0.5, 1.0, 1.5, 2.0])
        return known.setdefault(block.id, Score(won, 2.0 - won))

    return score_of


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 16, 25])
def test_nobody_meets_twice_as_long_as_that_can_be(count, seed):
    """In a field of n there are n - 1 rounds without a second meeting (n of them with a bye), found or not."""
    entrants = field(count)
    rounds = min(usual_rounds(count), count - 1 + count % 2)
    played = list(formats.rounds(contest(entrants, 1, kind="swiss", rounds=rounds), entrants, lots(seed)))
    assert len(played) == rounds
    assert nobody_twice(played, entrants)
    met = Counter(names(block) for each in played for block in each.blocks)
    assert set(met.values()) == {1}
    byes = Counter(out.name for each in played for out in each.sits_out)
    assert set(byes.values()) <= {1}
    assert sum(byes.values()) == (rounds if count % 2 else 0)


def test_four_teams_that_play_four_rounds_meet_again_as_seldom_as_can_be():
    entrants = field(4)
    played = list(formats.rounds(contest(entrants, 2, kind="swiss", rounds=4), entrants, lots(1)))
    blocks = Counter((*names(block), block.index) for each in played for block in each.blocks)
    assert set(blocks.values()) == {1}
    met = Counter(names(block) for each in played for block in each.blocks)
    assert sorted(met.values()) == [2, 2, 2, 2, 4, 4]
    assert len({block.id for each in played for block in each.blocks}) == 16


def test_those_meet_who_have_done_equally_well():
    entrants = field(8)
    played = list(formats.rounds(contest(entrants, 1, kind="swiss", rounds=3), entrants, strongest_first))
    drawn = [sorted(names(block) for block in each.blocks) for each in played]
    # The upper half against the lower, then winners against winners.
    assert drawn[0] == [("T000", "T004"), ("T001", "T005"), ("T002", "T006"), ("T003", "T007")]
    assert drawn[1] == [("T000", "T002"), ("T001", "T003"), ("T004", "T006"), ("T005", "T007")]
    assert ("T000", "T001") in drawn[2]
    assert ("T006", "T007") in drawn[2]


def test_the_last_without_a_bye_has_it():
    entrants = field(5)
    played = list(formats.rounds(contest(entrants, 1, kind="swiss", rounds=3), entrants, strongest_first))
    assert played[0].sits_out[0].name == "T004"
    assert len({each.sits_out[0].name for each in played}) == 3


@pytest.mark.parametrize(("kind", "rounds"), [("swiss", 4), ("knockout", None)])
def test_a_round_is_known_when_the_one_before_is_over(kind, rounds):
    entrants = field(11)
    described = contest(entrants, 2, kind=kind, rounds=rounds)
    score_of = lots(5)

    def known(upto: set[str] | None) -> list[str]:
        def score(block) -> Score | None:
            return score_of(block) if upto is None or block.id in upto else None

        return [block.id for each in formats.rounds(described, entrants, score) for block in each.blocks]

    whole = known(None)
    assert known(set(whole)) == whole
    for done in range(0, len(whole), 5):
        over = set(whole[:done])
        assert over < set(known(over)) <= set(whole)


# -- knockout -----------------------------------------------------------------------------------------------


def test_seeds_meet_as_late_as_can_be():
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    for size in (2, 4, 16, 64):
        order = bracket(size)
        assert sorted(order) == list(range(size))
        # With no surprise each round leaves the better half.
        while len(order) > 1:
            order = [min(pair) for pair in zip(order[::2], order[1::2], strict=True)]
            assert sorted(order) == list(range(len(order)))


@pytest.mark.parametrize("count", range(2, 18))
def test_the_best_wins_and_only_first_rounds_have_byes(count):
    entrants = field(count)
    drawn = ties(entrants, 1, 4, strongest_first)
    assert [tie.winner for tie in drawn[-1]] == [entrants[0]]
    assert sum(tie.other is not None for each in drawn for tie in each) == count - 1
    assert all(tie.by != "bye" for each in drawn[1:] for tie in each)
    with_bye = {tie.one.name for tie in drawn[0] if tie.by == "bye"}
    assert with_bye == {entrant.name for entrant in entrants[: 2 ** len(drawn) - count]}


def test_a_tied_tie_goes_on_by_blocks_until_it_is_decided():
    entrants = field(2)
    scores = {
        0: Score(1.0, 1.0),
        1: Score(2.0, 0.0),
        2: Score(0.5, 1.5),
        3: Score(0.5, 1.5),
        4: Score(0.5, 1.5),
    }

    def known(upto):
        return lambda block: scores[block.index] if block.index < upto else None

    def blocks(upto):
        return [
            block.index
            for each in formats.rounds(contest(entrants, 4, kind="knockout"), entrants, known(upto))
            for block in each.blocks
        ]

    assert [blocks(upto) for upto in (0, 3, 4, 5)] == [
        [0, 1, 2, 3],
        [0, 1, 2, 3],
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
    ]
    ((tie,),) = ties(entrants, 4, 4, known(5))
    assert (tie.winner, tie.by, tie.score) == (entrants[1], "points", Score(4.5, 5.5))


def test_a_tie_that_stays_tied_goes_to_the_better_seed():
    entrants = field(3)
    drawn = ties(entrants, 2, 3, lambda _: Score(1.0, 1.0))
    assert [(tie.winner.name, tie.by, len(tie.blocks)) for each in drawn for tie in each] == [
        ("T000", "bye", 0),
        ("T001", "seed", 5),
        ("T000", "seed", 5),
    ]


# -- individual ---------------------------------------------------------------------------------------------


def meetings(rounds) -> tuple[Counter, Counter, Counter]:
    """How often each two are partners, and opponents; and how often each plays."""
    partners, opponents, playing = Counter(), Counter(), Counter()
    for tables in rounds:
        seated = [place for table in tables for place in table]
        assert len(seated) == len(set(seated))
        playing.update(seated)
        for a, b, c, d in tables:
            partners.update(frozenset(pair) for pair in ((a, c), (b, d)))
            opponents.update(frozenset(pair) for pair in ((a, b), (b, c), (c, d), (d, a)))
    return partners, opponents, playing


@pytest.mark.parametrize("count", EXACT)
def test_each_has_each_as_partner_once_and_as_opponent_twice(count):
    rounds = movement(count)
    partners, opponents, playing = meetings(rounds)
    pairs = [frozenset(pair) for pair in itertools.combinations(range(count), 2)]
    assert partners == dict.fromkeys(pairs, 1)
    assert opponents == dict.fromkeys(pairs, 2)
    assert playing == dict.fromkeys(range(count), count - 1)
    assert len(rounds) == (count if count % 4 else count - 1)


def test_exact_movements_are_known_for_all_of_4n_and_4n_plus_1_up_to_37():
    assert list(EXACT) == [count for count in range(4, 38) if count % 4 < 2]


@pytest.mark.parametrize("count", [6, 7, 10, 11, 14, 15, 18, 23, 40])
def test_other_fields_have_a_movement_that_is_almost_even(count):
    rounds = movement(count)
    partners, opponents, playing = meetings(rounds)
    pairs = [frozenset(pair) for pair in itertools.combinations(range(count), 2)]
    assert {partners[pair] for pair in pairs} <= {0, 1, 2}
    assert max(opponents[pair] for pair in pairs) <= 3
    assert min(opponents[pair] for pair in pairs) >= 1
    assert set(playing.values()) == {len(rounds) * (count - count % 4) // count}


def test_partners_take_turns_on_the_first_chair_and_nobody_sees_packs_twice():
    entrants = field(6, bots=1)
    played = list(formats.rounds(contest(entrants, 3, kind="individual"), entrants))
    blocks = [block for each in played for block in each.blocks]
    first = Counter(side.first.entrant.name for block in blocks for side in block.meeting)
    assert max(first.values()) - min(first.values()) <= 2
    keys = [(frozenset(names(block)), block.key(bytes(32)).secret) for block in blocks]
    assert len(set(keys)) == len({block.id for block in blocks}) == len(blocks)
    assert nobody_twice(played, entrants)


@pytest.mark.parametrize(("count", "cycles"), [(6, 2), (6, 5), (7, 4), (10, 3), (14, 2)])
def test_further_cycles_even_out_whom_a_field_that_is_not_exact_has_as_partner(count, cycles):
    entrants = field(count, 1)
    names = [entrant.name for entrant in entrants]
    one, many = (
        balance_of(formats.rounds(contest(entrants, played, kind="individual"), entrants))
        for played in (1, cycles)
    )
    low, high = many.spread(many.partners, names)
    assert low > 0
    # One cycle after the other, always the same, would be so many times as uneven as one.
    few, often = one.spread(one.partners, names)
    assert high - low < cycles * (often - few)
    assert len(set(many.matches.values())) == 1
