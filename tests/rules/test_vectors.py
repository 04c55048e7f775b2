"""Worked cases from text files: one case a line, `#` begins a comment, each checked through the rulebook."""

from pathlib import Path

import pytest
from rules.table import (
    PLAY_ONLY,
    RESULTS,
    SetLuck,
    cards,
    cards_won_by,
    clockwise,
    leaders_of,
    pack_playing,
    play_cards,
    play_match,
)

from aluette.cards import Card
from aluette.rules import (
    Chant,
    Deal,
    DealScore,
    Discard,
    RuleSet,
    Trick,
    draw_partners,
    score_deal,
    strongest,
    weakest,
)
from aluette.seats import Seat, Side

FOLDER = Path(__file__).parent / "vectors"
NAMES = {"Monsieur": Card.D3, "Madame": Card.C3, "Borgne": Card.D2, "Vache": Card.C2}


def lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [stripped for line in text.splitlines() if (stripped := line.partition("#")[0].strip())]


def fields(line: str) -> list[str]:
    return [field.strip() for field in line.split("|")]


def score(text: str) -> DealScore:
    side, points, player, kind = text.split()
    nobody = side == "-"
    # The kind is text, and equals its enum member.
    return DealScore(None if nobody else Side[side], int(points), None if nobody else Seat[player], kind)


def seat_or_none(letter: str) -> Seat | None:
    return None if letter == "X" else Seat[letter]


@pytest.mark.parametrize("line", lines("tricks.txt"))
def test_trick(line):
    leader, played, outcome = fields(line)
    winner, next_leader = outcome.split()
    place = strongest(cards(played))
    found = None if place is None else clockwise(Seat[leader])[place]
    assert found == seat_or_none(winner)
    assert Trick(Seat[leader], cards(played), found).next_leader is Seat[next_leader]


@pytest.mark.parametrize("line", lines("deals.txt"))
def test_deal_is_scored(line):
    letters, expected = fields(line)
    assert score_deal([seat_or_none(letter) for letter in letters]) == score(expected)


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("line", lines("deals.txt"))
def test_deal_comes_out_so_when_played(line, dealer):
    letters, expected = fields(line)
    played = cards_won_by(letters, dealer)
    deal = Deal(PLAY_ONLY, 1, dealer, SetLuck({1: pack_playing(played, letters, dealer)}))
    play_cards(deal, played)
    assert deal.score == score(expected)


@pytest.mark.parametrize("line", lines("full_deals.txt"))
def test_full_deal(line):
    dealer, played, letters, expected = fields(line)
    deal = Deal(PLAY_ONLY, 1, Seat[dealer], SetLuck({1: pack_playing(cards(played), letters, Seat[dealer])}))
    play_cards(deal, cards(played))
    assert deal.winners == [seat_or_none(letter) for letter in letters]
    assert deal.leaders == leaders_of(letters, Seat[dealer])
    assert [trick.cards for trick in deal.tricks()] == [cards(trick) for trick in played.split("/")]
    assert deal.score == score(expected)
    assert deal.phase is None


@pytest.mark.parametrize("line", lines("draws.txt"))
def test_draw(line):
    first, drawn, who, count = fields(line)
    pack = [*cards(drawn), *(card for card in Card if card not in cards(drawn))]
    draw = draw_partners(pack, Seat[first])
    assert draw.cards == cards(drawn)
    assert f"cards {len(draw.cards)}" == count
    holders = dict(pair.split("=") for pair in who.split())
    assert draw.holders == {NAMES[name]: Seat[seat] for seat, name in holders.items()}


CHANT = lines("chant.txt")


def chanted_deal(chant_discard: str) -> Deal:
    """The deal of chant.txt, agreed to by all, before the first discard."""
    dealer, deck = (line.partition(" ")[2] for line in CHANT[:2])
    rules = RuleSet(signals=False, chant_discard=chant_discard)
    deal = Deal(rules, 1, Seat[dealer], SetLuck({1: cards(deck)}))
    for _ in Seat:
        deal.do(deal.asked[0], Chant(True))
    return deal


@pytest.mark.parametrize("chant_discard", ["free", "lowest"])
@pytest.mark.parametrize("line", CHANT)
def test_chanted_deal(line, chant_discard):
    deal = chanted_deal(chant_discard)
    match line.split():
        case "dealer", seat:
            assert deal.dealer is Seat[seat]
            assert deal.asked == (clockwise(Seat[seat])[1],)
        case "deck", *deck:
            assert deal.pack == cards(" ".join(deck))
        case seat, "receives", *stock:
            assert deal.received[Seat[seat]] == cards(" ".join(stock))
        case seat, "discards", *rest:
            away, kept = (cards(part) for part in " ".join(rest).split("and keeps"))
            while Seat[seat] not in deal.discards:
                (asked,) = deal.asked
                deal.do(asked, Discard(weakest(deal.hands[asked])))
            assert set(deal.discards[Seat[seat]]) == set(away)
            assert set(deal.hands[Seat[seat]]) == set(kept)
        case _:
            pytest.fail(f"a line that nothing checks: {line}")


@pytest.mark.parametrize("line", [line for line in lines("matches.txt") if line.startswith("first_dealer")])
def test_dealers_go_round(line):
    first, dealers, leaders = (field.split()[1:] for field in fields(line))
    match = play_match(PLAY_ONLY, [RESULTS["NS1"]] * 5, Seat[first[0]])
    assert [deal.dealer.name for deal in match.deals] == dealers
    assert [deal.leaders[0].name for deal in match.deals] == leaders


@pytest.mark.parametrize("line", [line for line in lines("matches.txt") if line.startswith("points")])
def test_match_total(line):
    points, outcome = fields(line)
    ns, ew, winner = outcome.split()
    match = play_match(PLAY_ONLY, [RESULTS[result] for result in points.split()[1:]])
    assert match.over
    assert match.totals == {Side.NS: int(ns), Side.EW: int(ew)}
    assert match.winner == (None if winner == "draw" else Side[winner])


def test_every_line_of_matches_is_of_a_kind_that_is_checked():
    assert {line.split()[0] for line in lines("matches.txt")} == {"first_dealer", "points"}
