"""Blocks of a round-robin: ids and packs that depend on what they name and on nothing else, and who sits where."""

import itertools
import random
from collections import Counter

import pytest

from aluette.seats import Seat, Side
from aluette_referee.contest.contest import BotSpec, Entrant, Team
from aluette_referee.contest.formats.round_robin import round_robin as rounds_of
from aluette_referee.contest.schedule import Player

NAMES = ("Delta", "Alpha", "Écho", "Bravo", "alpha 2", "Charlie", "Golf")


def entrant(name, contents=("x", "y")):
    return Entrant(Team(name, (BotSpec("careful"), BotSpec("lowest"))), contents)


def field(count):
    return [entrant(name) for name in NAMES[:count]]


def round_robin(entrants, blocks):
    return [block for each in rounds_of(entrants, blocks) for block in each.blocks]


def ids(entrants, blocks):
    return [fixture.id for block in round_robin(entrants, blocks) for fixture in block.legs]


@pytest.mark.parametrize("count", [0, 1])
def test_who_is_alone_plays_nobody(count):
    assert round_robin(field(count), 3) == []


@pytest.mark.parametrize("count", [2, 3, 6, 7])
@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_every_pairing_plays_each_block_once(count, blocks):
    played = Counter(
        (block.meeting.one.name, block.meeting.other.name, block.index)
        for block in round_robin(field(count), blocks)
    )
    pairings = [sorted(pair) for pair in itertools.combinations(NAMES[:count], 2)]
    assert played == Counter((*pair, index) for pair in pairings for index in range(blocks))


def test_every_pairing_has_played_a_block_before_any_plays_the_next():
    assert [block.index for block in round_robin(field(4), 3)] == [0] * 6 + [1] * 6 + [2] * 6


def test_no_two_matches_share_an_id():
    found = ids(field(7), 9)
    assert len(found) == len(set(found)) == 21 * 9 * 2


def test_more_teams_and_more_blocks_move_no_id():
    few = ids(field(4), 2)
    assert set(few) < set(ids(field(7), 2))
    assert few == ids(field(4), 5)[: len(few)]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_teams_in_the_file_moves_no_id_and_no_chair(seed):
    entrants = field(7)
    shuffled = random.Random(seed).sample(entrants, len(entrants))

    def chairs(order):
        return {match.id: match.seats for block in round_robin(order, 2) for match in block.legs}

    assert chairs(shuffled) == chairs(entrants)


def test_a_changed_bot_changes_ids_and_no_pack():
    (before,) = round_robin([entrant("Alpha"), entrant("Bravo")], 1)
    (after,) = round_robin([entrant("Alpha", ("x", "changed")), entrant("Bravo")], 1)
    assert before.id != after.id
    assert before.pairing == after.pairing
    assert before.key(bytes(32)).pack(1) == after.key(bytes(32)).pack(1)


def test_packs_differ_between_blocks_and_pairings():
    packs = {block.key(bytes(32)).pack(1) for block in round_robin(field(4), 3)}
    assert len(packs) == 18


def test_teams_change_chairs_between_the_legs():
    a, b = entrant("Alpha"), entrant("Bravo")
    (block,) = round_robin([b, a], 1)
    one, two = block.legs
    assert one.seats == {
        Seat.N: Player(a, 1),
        Seat.E: Player(b, 1),
        Seat.S: Player(a, 2),
        Seat.W: Player(b, 2),
    }
    assert two.seats == {
        Seat.N: Player(b, 1),
        Seat.E: Player(a, 1),
        Seat.S: Player(b, 2),
        Seat.W: Player(a, 2),
    }
    assert (one.teams, two.teams) == (("Alpha", "Bravo"), ("Bravo", "Alpha"))
    assert [match.id for match in block.legs] == [f"{block.id}-1", f"{block.id}-2"]
    assert {seat.side for seat, player in one.seats.items() if player.entrant == a} == {Side.NS}


def test_the_first_deal_goes_round_with_the_blocks():
    dealers = [block.first_dealer for block in round_robin(field(2), 6)]
    assert dealers == [Seat.N, Seat.E, Seat.S, Seat.W, Seat.N, Seat.E]
