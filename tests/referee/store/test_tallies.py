"""The database adds up what was played as Python does; formats that go by results; bots that are entered alone."""

import itertools
import random

import pytest
from referee.store.club import club, entrant, forfeit, outcome

from aluette.seats import SEATS
from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Format, Team
from aluette_referee.contest.ranking import ranking
from aluette_referee.contest.tally import Tally, faults_of, tallies
from aluette_referee.store import Played, create_or_open

INDIVIDUAL = [Entrant(Team(name, (BotSpec("lowest"),)), (name,)) for name in "ABCDE"]


def alone(blocks: int = 2) -> tuple[Contest, list[Entrant]]:
    teams = tuple(each.team for each in INDIVIDUAL)
    return Contest("alone", teams, blocks=blocks, format=Format("individual")), INDIVIDUAL


def save_some(store, seed: int, share: float = 0.8) -> None:
    """Of what is missing some, in any order, with all kinds of ends."""
    chance = random.Random(seed)
    ends = [
        outcome("NS"),
        outcome("EW"),
        outcome(None),
        forfeit(*chance.sample(SEATS, 1)),
        forfeit(*SEATS[:2]),
    ]
    missing = list(store.missing())
    some = chance.sample(missing, max(1, int(len(missing) * share)))
    store.save(Played(fixture, chance.choice(ends)) for fixture in some)


def merged(some: list[Tally]) -> dict[object, tuple[object, ...]]:
    """Those of one meeting that ended alike, as one."""
    sums = Tally._fields[4:]
    keyed = sorted(some, key=lambda each: repr((each.one, each.other, each.scores, each.scores_other)))
    groups = itertools.groupby(keyed, key=lambda each: (each.one, each.other, each.scores, each.scores_other))
    return {
        key: tuple(sum(getattr(each, name) for each in group) for name in sums)
        for key, members in groups
        for group in [list(members)]
    }


@pytest.mark.parametrize("contest", [club("ABCD", blocks=3), alone()], ids=["teams", "individual"])
def test_the_database_adds_up_as_python_does(place, contest):
    with create_or_open(place, *contest)[0] as store:
        assert store.tallies() == []
        for seed in range(3):
            save_some(store, seed, 0.5)
            results = list(store.results())
            assert merged(store.tallies()) == merged(list(tallies(results)))
            names = [each.name for each in store.entrants]
            ours, theirs = store.ranking(), ranking(names, tallies(results), faults=faults_of(results))
            assert ours.rows == theirs.rows
            assert ours.results.strengths.tobytes() == theirs.results.strengths.tobytes()
            assert ours.points.covariance.tobytes() == theirs.points.covariance.tobytes()


def test_who_left_and_blocks_that_are_not_scheduled_are_not_counted(place):
    contest, entrants = club("ABC", blocks=2)
    with create_or_open(place, contest, entrants)[0] as store:
        save_some(store, 1, 1.0)
        assert (store.matches_played(), len(list(store.results()))) == (12, 12)
    for teams, blocks, left in (("AB", 2, 4), ("ABC", 1, 6), ("ABC", 2, 12), ("AC", 1, 2)):
        with create_or_open(place, *club(teams, blocks=blocks))[0] as store:
            assert store.matches_played() == len(list(store.results())) == left
            assert sum(each.blocks * each.legs for each in store.tallies()) == left


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_rounds_come_one_after_the_other_and_are_committed_to_before_their_first_card(place, kind):
    entrants = [entrant(name) for name in "ABCDEF"]
    contest = Contest("club", tuple(each.team for each in entrants), format=Format(kind))
    opened = create_or_open(place, contest, entrants)[0]
    opened.close()
    drawn: list[int] = []
    while True:
        with create_or_open(place, contest, entrants)[0] as store:
            missing = list(store.missing())
            if not missing:
                break
            drawn.append(len(missing))
            store.save(Played(fixture, outcome("NS" if fixture.leg == 1 else "EW")) for fixture in missing)
            store.extend()
            committed = {row.id for row in store.schedule()}
            assert {fixture.block.id for fixture in missing} <= committed
            found = store.ranking()
    assert drawn == ([6, 6, 6] if kind == "swiss" else [4, 4, 2])
    assert sum(row.match_points for row in found.rows) == sum(drawn)
    if kind == "knockout":
        # The first of two by name wins; A and B had byes and meet in the final.
        assert [(row.name, row.played) for row in found.rows][:2] == [("A", 4), ("B", 4)]


def test_a_bot_that_is_entered_alone_comes_back_as_it_was(place):
    contest, entrants = alone(1)
    with create_or_open(place, contest, entrants)[0] as store:
        assert list(store.entrants) == entrants
        save_some(store, 1, 1.0)
        store.check_ids()
        (first, *_) = store.matches()
        assert store.match(first.fixture.id).fixture == first.fixture
        assert len({player.entrant.name for player in first.fixture.seats.values()}) == 4
