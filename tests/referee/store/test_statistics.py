"""The database adds up counts and faults as Python does, for teams and for bots that were entered alone."""

import random
from collections import Counter

import pytest
from referee.store.club import club, forfeit, outcome
from referee.store.test_tallies import alone

from aluette.seats import SEATS, Seat
from aluette_referee.contest.counts import Counts, PerDeal, play_of, total_of
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.summary import summary_of
from aluette_referee.store import Played, create_or_open

ENDS = [outcome("NS"), outcome("EW"), outcome(None), forfeit(Seat.W), forfeit(Seat.N, Seat.E)]


def names(side) -> tuple[str, ...]:
    return tuple(each.name for each in side.entrants)


def counted(saved) -> tuple[list[Counts], list[PerDeal]]:
    """What was saved, match by match and block by block."""
    counts, blocks = [], {}
    for fixture, ended in saved:
        meeting = fixture.block.meeting
        summary = summary_of(ended.record)
        counts.append(Counts(names(meeting.one), names(meeting.other), fixture.leg, 1, summary))
        if not ended.faults:
            result = ended.record["result"]
            apart = (result["NS"] - result["EW"]) * (1 if fixture.leg == 1 else -1)
            legs = blocks.setdefault((names(meeting.one), names(meeting.other), fixture.block.id), [])
            legs.append((apart, summary.deals, summary.dealers))
    per_deal = []
    for (one, other, _), legs in blocks.items():
        apart, deals, dealers = map(sum, zip(*legs, strict=True))
        ratios = [Ratio(1, y, deals, y * y, deals * deals, y * deals) for y in (apart, dealers)]
        per_deal.append(PerDeal(one, other, *ratios))
    return counts, per_deal


@pytest.mark.parametrize("contest", [club("ABCD", blocks=3), alone()], ids=["teams", "individual"])
def test_counts_of_play_and_faults_by_type(place, contest):
    chance = random.Random(5)
    with create_or_open(place, *contest)[0] as store:
        players = [each.name for each in store.entrants]
        assert play_of(players, store.counts(), store.per_deal()) == play_of(players, [], [])
        saved = [(fixture, chance.choice(ENDS)) for fixture in store.missing() if chance.random() < 0.8]
        store.save(Played(*each) for each in saved)
        theirs = counted(saved)
        ours = play_of(players, store.counts(), store.per_deal())
        assert ours == play_of(players, *theirs)
        assert total_of(store.counts(), store.per_deal()) == total_of(*theirs)
        made = Counter(
            (fixture.seats[fault.seat].entrant.name, fault.type)
            for fixture, ended in saved
            for fault in ended.faults
        )
        kinds = store.fault_kinds()
        assert {(kind.name, kind.type): count for kind, count in kinds.items()} == made
        assert not any(kind.mended for kind in kinds)
        by_name = Counter(dict.fromkeys(players, 0))
        for kind, count in kinds.items():
            by_name[kind.name] += count
        assert {row.name: row.faults for row in store.ranking().rows} == by_name
    # Everybody's deals won by a chair are those of all players on it.
    total = total_of(*theirs)
    assert {seat: sum(each.won[seat] for each in ours.values()) for seat in SEATS} == total.won
    assert sum(each.sat[Seat.N] for each in ours.values()) == total.deals > 0
