"""Playing bots in one process: as the referee plays them, and with an error that says whose it is."""

import pytest

from aluette.bot import BatchBot, Bot
from aluette.cards import Card
from aluette.errors import AluetteError, Misuse
from aluette.packs import BlockKey, block_key, open_contest_key, pairing_id
from aluette.record import record_of, replay, result_of, to_bytes
from aluette.rules import RuleSet, Signal
from aluette.seats import SEATS, Seat
from aluette.testing import BotFailed, IllegalAnswer, Score, match_key, play_blocks, play_match

TWO = RuleSet(deals=2)


class Chance(Bot):
    """Anything, from its own rng."""

    def play(self, view):
        return self.rng.choice(view.hand)

    def look(self, view):
        return self.rng.choice([None, *Signal])

    def chant(self, view):
        return self.rng.random() < 0.9, Signal.USELESS_HAND

    def discard(self, view):
        return self.rng.sample(view.hand, 6)

    def cut(self, view):
        return self.rng.randint(1, 47)


class ManyChances(BatchBot):
    """The same, in batches."""

    def _each(self, turns, method):
        for match, view in turns:
            bot = Chance()
            bot.rng = match.rng
            yield getattr(bot, method)(view)

    def play(self, turns):
        return list(self._each(turns, "play"))

    def look(self, turns):
        return list(self._each(turns, "look"))

    def chant(self, turns):
        return list(self._each(turns, "chant"))

    def discard(self, turns):
        return list(self._each(turns, "discard"))

    def cut(self, turns):
        return list(self._each(turns, "cut"))


def strongest(view):
    return view.hand[0]


def weakest(view):
    return view.hand[-1]


EVERYTHING = RuleSet(deals=2, cut="player", seating="draw", tie="extra_deals")


@pytest.mark.parametrize("rules", [TWO, EVERYTHING])
def test_the_same_seed_gives_the_same_bytes_and_another_one_others(rules):
    records = [to_bytes(play_match([Chance] * 4, seed=seed, rules=rules)) for seed in (1, 1, 2, "1")]
    assert records[0] == records[1] == records[3] != records[2]


def test_without_a_seed_it_is_0():
    assert play_match([Chance] * 4, rules=TWO) == play_match([Chance] * 4, seed=0, rules=TWO)
    teams = [Chance] * 2, [strongest] * 2
    assert play_blocks(*teams, blocks=2, rules=TWO) == play_blocks(*teams, blocks=2, seed=0, rules=TWO)


def test_a_record_holds_and_is_that_of_the_key():
    key = BlockKey(bytes(range(32)))
    record = play_match([Chance] * 4, key=key, rules=TWO, first_dealer=Seat.W)
    assert record["first_dealer"] == "W"
    assert to_bytes(record_of(replay(record, key))) == to_bytes(record)
    assert play_match([Chance] * 4, seed=3, rules=TWO) == play_match(
        [Chance] * 4, key=match_key(3), rules=TWO
    )


def test_a_batch_bot_plays_as_the_bot_of_which_it_is_made():
    for rules in (TWO, EVERYTHING):
        assert play_match([ManyChances] * 4, seed=5, rules=rules) == play_match(
            [Chance] * 4, seed=5, rules=rules
        )


def test_bots_may_be_classes_functions_and_names():
    record = play_match(["lowest", strongest, "aluette_bots.lowest:Lowest", Chance], seed=1, rules=TWO)
    assert record["result"]["fault"] is None


def test_bots_sit_where_they_are_named():
    def at_seats(record):
        return {
            seat: [card for deal in record["deals"] for card in self_played(deal, seat)] for seat in "NESW"
        }

    def self_played(deal, seat):
        for leader, trick in zip(deal["leaders"], deal["tricks"], strict=True):
            yield trick["NESW".index(seat) - "NESW".index(leader)]

    rules = RuleSet(deals=1, signals=False, chant="off")
    played_by = at_seats(play_match([strongest, weakest, strongest, weakest], rules=rules))
    for seat, cards in played_by.items():
        strengths = [Card.parse(card).strength for card in cards]
        assert strengths == sorted(strengths, reverse=seat in "NS")


def test_with_a_drawn_seating_each_bot_moves_to_the_chair_that_it_drew():
    seats = {}

    def named(name):
        class Named(Bot):
            def __init__(self):
                seats[name] = self.match.seat

            play = staticmethod(strongest)

        return Named

    record = play_match([named(seat) for seat in SEATS], seed=4, rules=RuleSet(deals=1, seating="draw"))
    assert {seat.name: chair.name for seat, chair in seats.items()} == record["draw"]["chairs"]
    assert set(record["draw"]["chairs"].items()) != {(name, name) for name in "NESW"}


def test_options_go_to_the_bots_of_their_seats():
    seen = {}

    class Mine(Bot):
        def __init__(self, level=0):
            seen[self.match.seat] = level

        play = staticmethod(strongest)

    play_match([Mine] * 4, rules=TWO, options=[{}, {"level": 1}, {}, {"level": 3}])
    assert seen == {Seat.N: 0, Seat.E: 1, Seat.S: 0, Seat.W: 3}


def test_bots_are_told_of_each_deal_and_of_the_end():
    told = []

    class Mine(Bot):
        play = staticmethod(strongest)

        def on_deal_end(self, ended):
            told.append((self.match.seat, ended.deal.number, ended.totals))

        def on_match_end(self, ended):
            told.append((self.match.seat, str(ended.reason), ended.points))

    record = play_match([Mine] * 4, rules=TWO)
    for seat in SEATS:
        mine = [what[1:] for what in told if what[0] is seat]
        assert [what[0] for what in mine] == [1, 2, "played"]
        assert mine[-1][1] == mine[-2][1] == (record["result"]["NS"], record["result"]["EW"])


# -- what goes wrong -------------------------------------------------------------------------------


def test_a_bot_that_raises_comes_out_with_its_seat_and_its_traceback(capsys):
    def fails(view):
        raise ZeroDivisionError("here")

    with pytest.raises(BotFailed, match=r"^the bot at S failed:\nTraceback ") as caught:
        play_match([strongest, strongest, fails, strongest])
    assert caught.value.seat is Seat.S
    assert str(caught.value).endswith("ZeroDivisionError: here\n")
    assert isinstance(caught.value, AluetteError)


def test_so_does_one_that_fails_to_get_ready(capsys):
    with pytest.raises(BotFailed, match=r"^the bot at E failed:") as caught:
        play_match([strongest, Chance, strongest, strongest], options=[{}, {"x": 1}, {}, {}])
    assert caught.value.seat is Seat.E


def test_an_illegal_answer_is_said_with_deal_and_seat():
    def cheats(view):
        return next(card for card in Card if card not in view.hand)

    with pytest.raises(IllegalAnswer, match=r"^deal 1, E: .. cannot be played: it is not in the hand$"):
        play_match([strongest, cheats, strongest, cheats])


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_a_match_takes_four_bots(count):
    with pytest.raises(Misuse) as caught:
        play_match([strongest] * count)
    assert str(caught.value) == f"a match takes four bots, one for each seat N E S W, not {count}"
    with pytest.raises(Misuse, match=f"a match takes four options, .*, not {count}$"):
        play_match([strongest] * 4, options=[{}] * count)


def test_what_is_no_bot_is_refused():
    with pytest.raises(Misuse, match=r"^a bot is named by its class, Chance, not by an instance of it$"):
        play_match([strongest, Chance(), strongest, strongest])
    with pytest.raises(Misuse, match=r"^'lowst' is no built-in bot: did you mean 'lowest'"):
        play_match([strongest, "lowst", strongest, strongest])


WRONG_KINDS = {
    "rules": [
        ({"deals": 1}, "rules = {'deals': 1}: it must be a RuleSet, such as RuleSet(deals=1)"),
        ("deals=1", "rules = 'deals=1': it must be a RuleSet, such as RuleSet(deals=1)"),
        (None, "rules = None: it must be a RuleSet, such as RuleSet(deals=1)"),
    ],
    "seed": [(1.5, "seed = 1.5: it must be a whole number or text")],
    "key": [(b"k", "key = b'k': it must be a BlockKey")],
    "first_dealer": [("N", "first_dealer = 'N': it must be a Seat, such as Seat.N")],
    "options": [
        (None, "options = None: it must be a list of four"),
        (({}, {}, {}, 3), "options = 3: it must be a dict for each seat"),
    ],
    "blocks": [("5", "blocks = '5': it must be a whole number")],
}


@pytest.mark.parametrize(
    ("name", "value", "sentence"), [(name, *case) for name in WRONG_KINDS for case in WRONG_KINDS[name]]
)
def test_an_argument_of_a_wrong_kind_is_said(name, value, sentence):
    calls = []
    if name != "blocks":
        calls.append(lambda: play_match([strongest] * 4, **{name: value}))
    if name in {"rules", "seed", "blocks"}:
        calls.append(lambda: play_blocks([strongest] * 2, [weakest] * 2, **{"blocks": 1, name: value}))
    for call in calls:
        with pytest.raises(Misuse) as caught:
            call()
        assert str(caught.value) == sentence


def test_bots_that_are_no_list_are_said():
    with pytest.raises(Misuse, match=r"^bots = <.*>: it must be a list of four$"):
        play_match(strongest)
    with pytest.raises(Misuse, match=r"^a team = <.*>: it must be a list of two bots$"):
        play_blocks([strongest] * 2, weakest, blocks=1)


# -- blocks ----------------------------------------------------------------------------------------


def test_blocks_count_each_leg_from_the_first_teams_point_of_view():
    one, other = (strongest, Chance), (ManyChances, weakest)
    score = play_blocks(one, other, blocks=5, seed=8, rules=TWO)
    won = drawn = lost = points = against = 0
    for index in range(5):
        key = block_key(open_contest_key(8), pairing_id("one", "other"), index)
        for leg, bots in enumerate(
            ((one[0], other[0], one[1], other[1]), (other[0], one[0], other[1], one[1]))
        ):
            result = play_match(bots, key=key, rules=TWO, first_dealer=SEATS[index % 4])["result"]
            mine, theirs = (result["NS"], result["EW"])[:: 1 if leg == 0 else -1]
            won, drawn, lost = won + (mine > theirs), drawn + (mine == theirs), lost + (mine < theirs)
            points, against = points + mine, against + theirs
    assert score == Score(won, drawn, lost, points, against)
    assert sum(score[:3]) == 10
    assert play_blocks(other, one, blocks=5, seed=8, rules=TWO) != score


def test_a_team_against_itself_is_even():
    """The same packs with the teams exchanged: what the one wins the other wins."""
    score = play_blocks([strongest] * 2, [strongest] * 2, blocks=4, rules=TWO)
    assert score.won == score.lost
    assert score.points == score.points_against


@pytest.mark.parametrize("teams", [([strongest], [strongest] * 2), ([strongest] * 2, [strongest] * 3)])
def test_a_team_has_two_bots(teams):
    with pytest.raises(Misuse, match=r"^a team has two bots, not [13]$"):
        play_blocks(*teams, blocks=1)


@pytest.mark.parametrize("rules", [RuleSet(seating="draw"), RuleSet(cut="player")])
def test_what_cannot_be_mirrored_is_refused(rules):
    with pytest.raises(Misuse) as caught:
        play_blocks([strongest] * 2, [weakest] * 2, blocks=1, rules=rules)
    assert str(caught.value) == "blocks are mirrored, which seating = draw and cut = player do not allow"


def test_the_result_is_that_of_the_match():
    record = play_match([Chance] * 4, seed=6)
    assert record["result"] == result_of(replay(record))
