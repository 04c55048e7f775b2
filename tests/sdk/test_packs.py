"""Where chance comes from: pinned values, the documented algorithm told again, and that it is fair."""

import hashlib
import hmac
import struct
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from aluette.cards import CARDS
from aluette.packs import KEY_SIZE, BlockKey, block_key, open_contest_key, pairing_id
from aluette.seats import Seat

SECRET = bytes(range(32))
GOLDEN = [
    [field.strip() for field in line.split("|")]
    for line in (Path(__file__).parent / "packs.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


# -- frozen --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("secret", "what", "value"), GOLDEN, ids=[f"{line[0][:6]} {line[1]}" for line in GOLDEN]
)
def test_a_key_gives_the_pinned_value(secret, what, value):
    key = BlockKey(bytes.fromhex(secret))
    match what.split():
        case ["commitment"]:
            found = key.commitment
        case "pack", deal:
            found = " ".join(map(str, key.pack(int(deal))))
        case ["draw"]:
            found = " ".join(map(str, key.draw_pack()))
        case "cut", deal:
            found = str(key.cut(int(deal)))
        case "notice", deal, sender, accepted, observer:
            found = str(key.notice(int(deal), Seat[sender], int(accepted), Seat[observer]))
        case "seed", seat:
            found = str(key.bot_seed(Seat[seat]))
        case _:
            pytest.fail(f"a line that nothing checks: {what}")
    assert found == value


def test_the_key_of_a_block_is_the_pinned_one():
    pairing = pairing_id("Random", "Lowest")
    assert pairing == "b97715839aa768586d2e0ed99f201b2b"
    assert block_key(open_contest_key(7), pairing, 3).secret.hex() == GOLDEN[-1][0]


def stream(label: str) -> list[int]:
    """The numbers of a label, as the module's docstring tells it: first all bytes, then two at a time."""
    blocks = [hmac.new(SECRET, f"{label}/{block}".encode(), hashlib.sha256).digest() for block in range(4)]
    return [number for (number,) in struct.iter_unpack(">H", b"".join(blocks))]


def below(n: int, values: list[int]) -> int:
    """Take the next number below n from the values, passing over those that would favour small numbers."""
    while (value := values.pop(0)) >= 65536 // n * n:
        pass
    return value % n


@pytest.mark.parametrize("deal", range(1, 31))
def test_a_pack_is_shuffled_as_documented(deal):
    values, pack = stream(f"pack/{deal}"), list(CARDS)
    for i in range(47, 0, -1):
        j = below(i + 1, values)
        pack[i], pack[j] = pack[j], pack[i]
    assert BlockKey(SECRET).pack(deal) == tuple(pack)


@pytest.mark.parametrize("sender", Seat)
def test_who_notices_is_drawn_as_documented(sender):
    for deal in range(1, 41):
        for accepted in range(9):
            for observer, side in ((sender.left, "left"), (sender.right, "right")):
                drawn = BlockKey(SECRET).notice(deal, sender, accepted, observer)
                assert drawn == below(10_000, stream(f"notice/{deal}/{sender.name}/{accepted}/{side}"))


# -- fair ----------------------------------------------------------------------------------------


def chi_square(counts: Counter, cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in counts) / expected + expected * (
        cells - len(counts)
    )


def test_every_card_is_equally_likely_at_every_place():
    # 47 * 47 degrees of freedom: mean 2209, standard deviation 66.
    key = BlockKey(SECRET)
    counts = Counter(place for deal in range(2400) for place in enumerate(key.pack(deal)))
    assert 2209 - 4 * 66 < chi_square(counts, 48 * 48) < 2209 + 4 * 66


def test_every_cut_from_1_to_47_is_equally_likely():
    counts = Counter(BlockKey(SECRET).cut(deal) for deal in range(9400))
    assert set(counts) == set(range(1, 48))
    assert chi_square(counts, 47) < 46 + 4 * 9.6


def test_every_notice_draw_is_equally_likely():
    key = BlockKey(SECRET)
    draws = [key.notice(deal, Seat.N, n, Seat.E) for deal in range(2000) for n in range(5)]
    assert min(draws) >= 0
    assert max(draws) < 10_000
    assert chi_square(Counter(draw // 100 for draw in draws), 100) < 99 + 4 * 14.1


# -- distinct ------------------------------------------------------------------------------------


def test_every_pack_holds_the_48_cards():
    key = BlockKey(SECRET)
    packs = [key.draw_pack(), *(key.pack(deal) for deal in range(1, 121))]
    assert all(sorted(pack) == list(CARDS) for pack in packs)
    assert len(set(packs)) == 121


def test_draws_depend_on_deal_sender_number_and_observer():
    key = BlockKey(SECRET)
    draws = [
        tuple(key.notice(deal, sender, n, observer) for n in range(3))
        for deal in (1, 2)
        for sender in Seat
        for observer in (sender.left, sender.right)
    ]
    assert len(set(draws)) == 16


def test_no_two_seats_share_a_bot_seed():
    seeds = [BlockKey(SECRET).bot_seed(seat) for seat in Seat]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_the_commitment_is_the_digest_of_the_secret():
    assert BlockKey(SECRET).commitment == hashlib.sha256(SECRET).hexdigest()


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_of_another_size_is_refused(size):
    assert KEY_SIZE == 32
    with pytest.raises(ValueError, match=f"^a block key has 32 bytes, not {size}$"):
        BlockKey(bytes(size))


TEAMS = ["", "a", "b", "ab", "a/b", "b/a", "/", "a/", "/a", "1/a", "A", "é", "e\u0301", "équipe 2"]


@pytest.mark.parametrize(("one", "other"), [*combinations(TEAMS, 2), ("a", "a")])
def test_a_pairing_is_the_same_in_either_order(one, other):
    assert pairing_id(one, other) == pairing_id(other, one)
    assert len(bytes.fromhex(pairing_id(one, other))) == 16


def test_no_two_pairings_share_an_id():
    pairs = [*combinations(TEAMS, 2), *((team, team) for team in TEAMS)]
    assert len({pairing_id(*pair) for pair in pairs}) == len(pairs)


def test_no_two_blocks_share_a_key():
    keys = [
        block_key(open_contest_key(seed), pairing_id(*pair), index).secret
        for seed in (1, 2, "club")
        for pair in (("a", "b"), ("a", "c"), ("b", "c"))
        for index in (0, 1, 2, 10, 11)
    ]
    assert len(set(keys)) == len(keys) == 45


def test_another_team_moves_no_pack():
    # A block's key is made of its own pairing and number alone.
    key = block_key(open_contest_key(1), pairing_id("a", "b"), 0)
    assert key.pack(1) == block_key(open_contest_key("1"), pairing_id("b", "a"), 0).pack(1)
