"""A session: one bot for each match, and what one bot does wrong is no other match's fault."""

import random

import pytest
from sdk.asking import PHASES, ask, begin, deal_end, ready, reply, view_at

from aluette.bot import Bot
from aluette.errors import Misuse
from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.rules import STANDARD, Chant, Cut, Discard, Look, Play, RuleSet, Sign, Signal
from aluette.seats import Seat
from aluette.session import Answer, Ready, Session, Turn
from aluette.view import Points

OVER = MatchEnded(Reason.PLAYED, None, Points(0, 0))


class Strongest(Bot):
    """Plays the strongest card, and keeps a list of all that happened."""

    log: list[str]

    def __init__(self, log=None):
        self.log = [] if log is None else log

    def play(self, view):
        self.log.append("play")
        return view.hand[0]

    def on_match_start(self, match):
        self.log.append("start")

    def on_deal_end(self, ended):
        self.log.append(f"deal {ended.deal.number}")

    def on_match_end(self, ended):
        self.log.append(f"end {ended.reason}")


@pytest.fixture
def strongest_card():
    return view_at("play").hand[0]


# -- matches and bots ------------------------------------------------------------------------------


def test_each_match_has_a_bot_of_its_own():
    made = []

    class Mine(Strongest):
        def __init__(self):
            super().__init__()
            made.append(self)

    session = Session(Mine)
    assert ready(session, 1, 2) == [Ready(), Ready()]
    assert len(made) == 2
    reply(session, 1, 1)
    assert [bot.log for bot in made] == [["start", "play"], ["start"]]
    assert made[0].match is not made[1].match


def test_a_bot_is_made_when_it_is_to_get_ready_and_not_before():
    log = []
    session = Session(Strongest, {"log": log})
    begin(session, 1)
    assert log == []
    ask(session, (1, 0, None))
    assert log == ["start"]


def test_match_and_rng_are_there_before_init_which_gets_the_options():
    class Mine(Bot):
        def __init__(self, *, level, name="?"):
            self.seen = (self.match.seat, self.match.rules, level, name, self.rng.random())

        def play(self, view):
            raise AssertionError(self.seen)

    session = Session(Mine, {"level": 3})
    session.tell(1, MatchBegun(Seat.W, RuleSet(deals=2), 77))
    assert ask(session, (1, 0, None)) == [Answer(1, 0, Ready())]
    seen = (Seat.W, RuleSet(deals=2), 3, "?", random.Random(77).random())
    assert f"AssertionError: {seen}" in reply(session, 1, 1).message


def test_the_rng_of_a_match_follows_from_its_seed_alone():
    class Chance(Bot):
        def play(self, view):
            return self.rng.choice(view.hand)

    def cards(seed):
        session = Session(Chance)
        ready(session, 1, 2, seed=seed)
        return [reply(session, table, number).card for number in range(1, 6) for table in (1, 2)]

    assert cards(5) == cards(5) != cards(6)
    assert cards(5)[0::2] == cards(5)[1::2]


def test_the_match_state_says_who_and_what_and_gathers_the_deals():
    states = []

    class Mine(Strongest):
        def on_match_start(self, match):
            states.append(match)

    session = Session(Mine)
    session.tell(1, MatchBegun(Seat.S, STANDARD, 1, ("a", "b", "c", "d"), 2.0))
    ask(session, (1, 0, None))
    (state,) = states
    assert (state.seat, state.rules, state.names) == (Seat.S, STANDARD, ("a", "b", "c", "d"))
    assert state.begun.move_limit == 2.0
    assert (state.deals, state.memo) == ([], None)
    session.tell(1, deal_end(1))
    assert state.deals == [deal_end(1)]


@pytest.mark.parametrize("phase", PHASES)
def test_a_bot_that_only_plays_answers_everything_else_by_itself(phase):
    session = Session(Strongest)
    ready(session, 1)
    hand = view_at("discard").hand
    assert (
        reply(session, 1, 1, phase)
        == {
            "cut": Cut(24),
            "look": Look(),
            "chant": Chant(False),
            "discard": Discard(tuple(sorted(hand, key=lambda card: (card.strength, card))[:6])),
            "play": Play(view_at("play").hand[0]),
        }[phase]
    )


def test_a_function_is_a_bot(strongest_card):
    session = Session(lambda view: (view.hand[0], Signal.VACHE))
    assert ready(session, 1) == [Ready()]
    assert reply(session, 1, 1) == Play(strongest_card, Sign(Signal.VACHE))
    assert reply(session, 1, 2, "chant") == Chant(False)


def test_a_bot_without_play_is_told_what_to_write():
    session = Session(type("Lazy", (Bot,), {}))
    ready(session, 1)
    assert "Lazy does not say which card to play: write play(self, view)" in reply(session, 1, 1).message


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (Strongest(), "a bot is named by its class, Strongest, not by an instance of it"),
        (dict, "dict is a class, but not an aluette.Bot or aluette.BatchBot"),
        (5, "5 is neither a bot class nor a function"),
        (None, "None is neither a bot class nor a function"),
        (random, "the module random is neither a bot class nor a function"),
    ],
)
def test_what_is_no_bot_is_refused_at_once(value, sentence):
    with pytest.raises(Misuse) as caught:
        Session(value)
    assert str(caught.value) == sentence


# -- the same thing twice --------------------------------------------------------------------------


def test_being_told_twice_changes_nothing():
    log = []
    session = Session(Strongest, {"log": log})
    ready(session, 1)
    begin(session, 1, seed=99)
    session.tell(1, deal_end(1))
    session.tell(1, deal_end(1))
    session.tell(1, deal_end(2))
    session.tell(1, deal_end(1))
    session.tell(1, OVER)
    session.tell(1, OVER)
    session.tell(1, deal_end(3))
    assert log == ["start", "deal 1", "deal 2", "end played"]


def test_being_asked_twice_gives_the_same_answer_and_asks_the_bot_once():
    class Chance(Strongest):
        def play(self, view):
            self.log.append("play")
            return self.rng.choice(view.hand)

    log = []
    session = Session(Chance, {"log": log})
    ready(session, 1)
    first = reply(session, 1, 1)
    assert reply(session, 1, 1) == first
    assert log.count("play") == 1


def test_being_asked_twice_in_one_batch_shifts_no_answer():
    session = Session(lambda view: view.hand[0])
    ready(session, 1, 2)
    answers = ask(session, (1, 1, "play"), (1, 1, "play"), (2, 1, "discard"), (1, 1, "play"))
    play = Play(view_at("play").hand[0])
    assert [answer.reply for answer in answers[:2]] == [play, play]
    assert isinstance(answers[2].reply, Discard)
    assert answers[3].reply == play


def test_a_table_number_may_be_used_again_when_its_match_is_over():
    """The protocol promises that it is not; a session does not depend on it."""
    made = []
    session = Session(Strongest, {"log": made})
    ready(session, 1)
    session.tell(1, OVER)
    assert ready(session, 1) == [Ready()]
    assert made == ["start", "end played", "start"]


# -- streaming -------------------------------------------------------------------------------------


def test_answers_come_one_at_a_time_in_the_order_of_the_turns_each_as_soon_as_it_is_ready():
    asked = []

    def play(view):
        asked.append(view)
        return view.hand[0]

    session = Session(play)
    ready(session, 1, 2, 3)
    answers = session.answer([Turn(table, 1, view_at("play")) for table in (2, 3, 1)])
    assert asked == []
    for number, table in enumerate((2, 3, 1), start=1):
        assert next(answers).table == table
        assert len(asked) == number
    assert next(answers, None) is None


def test_no_turns_no_answers():
    assert list(Session(Strongest).answer([])) == []
