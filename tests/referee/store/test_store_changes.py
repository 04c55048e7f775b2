"""What may and may not change between two runs of a contest, and what becomes of its matches then."""

from dataclasses import replace
from typing import Any

import pytest
from referee.store.club import club, count, entrant, play, played

from aluette import Misuse
from aluette.rules import RuleSet
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import Contest, Entrant
from aluette_referee.contest.formats.round_robin import round_robin
from aluette_referee.store import Changes, create_or_open, open_existing


def test_more_teams_and_blocks_extend_a_contest(place: str) -> None:
    play(place, *club("AC"))
    with open_existing(place) as archive:
        root, (old, _), key = archive.root(), archive.matches(), archive.key
    with create_or_open(place, *club("ABC", blocks=2))[0] as store:
        assert (store.matches_played(), len(list(store.missing()))) == (2, 10)
        assert (store.root(), store.key) == (root, key)
        assert store.match(old.fixture.id) == old
        assert list(store.contest.teams) == [each.team for each in store.entrants]
        store.save(played(store.missing()))
    assert _reopen(place, *club("ABCD", blocks=2)) == ((12, 12), Changes(created=False, added=("D",)))


def test_fewer_blocks_leave_the_table_and_come_back(place: str) -> None:
    play(place, *club(blocks=3))
    for blocks, matches in ((1, 2), (3, 6)):
        assert _reopen(place, *club(blocks=blocks)) == ((matches, 0), Changes(created=False))
    assert count(place, "match") == 6


def test_a_changed_team_plays_anew(place: str) -> None:
    contest, entrants = club("ABC")
    play(place, contest, entrants)
    changed = [entrants[0], entrant("B", "2"), entrants[2]]
    assert _reopen(place, contest, changed) == ((2, 4), Changes(created=False, changed=("B",)))
    with open_existing(place) as archive:
        assert {(result.one, result.other) for result in archive.results()} == {(("A",), ("C",))}
        assert archive.entrants == tuple(changed)
    assert count(place, "match") == 6
    # The bot as it was before has its matches again.
    assert _reopen(place, contest, entrants) == ((6, 0), Changes(created=False, changed=("B",)))
    # A match that is not of the table can still be shown.
    with create_or_open(place, contest, changed)[0] as store:
        blocks = [block for each in round_robin(entrants, 1) for block in each.blocks]
        old = next(block.legs[0] for block in blocks if entrants[1].id in block.meeting.ids)
        assert store.match(old.id).fixture == old


def test_a_removed_team_leaves_the_table(place: str) -> None:
    play(place, *club("ABC"))
    assert _reopen(place, *club("AC")) == ((2, 0), Changes(created=False, removed=("B",)))
    assert _reopen(place, *club("CBA")) == ((6, 0), Changes(created=False, added=("B",)))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"rules": RuleSet(tie="extra_deals")},
            "rules were standard/1 and are now standard/1+tie=extra_deals",
        ),
        (
            {"limits": Limits(move=None, ready=1)},
            "clock.ready was 10 s and is now 1 s; clock.move was 2 s and is now off",
        ),
        ({"seed": 7}, "seed was secret and is now 7"),
        ({"isolation": "shared"}, "isolation was full and is now shared"),
        ({"names": True}, "names were off and are now on"),
    ],
)
def test_what_may_not_change(file: str, settings: dict[str, Any], sentence: str) -> None:
    play(file, *club())
    contest, entrants = club("ABC", blocks=9, **settings)
    with pytest.raises(Misuse) as caught:
        create_or_open(file, contest, entrants)
    assert str(caught.value) == (
        f"{file} holds a contest that is played otherwise: {sentence}"
        " (change that back, or give this contest a database of its own)"
    )
    with open_existing(file) as archive:
        assert archive.contest == club()[0]


def test_a_difference_is_refused_and_undone(place: str) -> None:
    play(place, *club(seed=7))
    for now, sentence in (
        (replace(club()[0], name="league", seed="7"), "name was club and is now league"),
        (club()[0], "seed was 7 and is now secret"),
    ):
        with pytest.raises(Misuse, match=f": {sentence} "):
            create_or_open(place, now, [entrant("C")])
    assert _reopen(place, *club(seed="7")) == ((2, 0), Changes(created=False))


def _reopen(place: str, contest: Contest, entrants: list[Entrant]) -> tuple[tuple[int, int], Changes]:
    """Matches played and missing when the contest is run again, and what has changed."""
    store, changes = create_or_open(place, contest, entrants)
    with store:
        return (store.matches_played(), len(list(store.missing()))), changes
