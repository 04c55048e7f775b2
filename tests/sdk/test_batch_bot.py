"""A `BatchBot` in a session: one call for all turns of a kind, and one instance for the whole process."""

import pytest
from sdk.asking import PHASES, ask, begin, deal_end, ready, reply, view_at

from aluette.bot import BatchBot
from aluette.events import MatchEnded, Reason
from aluette.rules import Chant, Cut, Discard, Look, Play, Sign, Signal
from aluette.session import Failed, Ready, Session, Turn
from aluette.view import Points

HAND = view_at("play").hand
OVER = MatchEnded(Reason.PLAYED, None, Points(0, 0))


class Logged(BatchBot):
    """Plays the strongest card everywhere, and keeps a list of its calls: what, and which tables' seeds."""

    def __init__(self, log):
        self.log = log
        log.append(("init",))

    def note(self, what, turns):
        self.log.append((what, *(match.begun.seed for match, _ in turns)))

    def play(self, turns):
        self.note("play", turns)
        return [view.hand[0] for _, view in turns]

    def chant(self, turns):
        self.note("chant", turns)
        return [match.begun.seed % 2 == 1 for match, _ in turns]

    def on_match_start(self, match):
        self.log.append(("start", match.begun.seed))

    def on_deal_end(self, match, ended):
        self.log.append(("deal end", match.begun.seed, ended.deal.number))

    def on_match_end(self, match, ended):
        self.log.append(("match end", match.begun.seed))


def tables(session, *numbers):
    """Begin matches whose seeds are their table numbers, and get them ready."""
    for table in numbers:
        begin(session, table, seed=table)
    return [answer.reply for answer in ask(session, *((table, 0, None) for table in numbers))]


@pytest.fixture
def log():
    return []


@pytest.fixture
def session(log):
    session = Session(Logged, {"log": log})
    assert tables(session, 1, 2, 3) == [Ready()] * 3
    assert log == [("init",), ("start", 1), ("start", 2), ("start", 3)]
    log.clear()
    return session


def test_all_turns_of_a_kind_come_in_one_call_and_their_answers_in_the_order_of_the_turns(session, log):
    turns = [(3, 1, "play"), (2, 1, "chant"), (1, 1, "play")]
    answers = ask(session, *turns)
    assert [(answer.table, answer.reply) for answer in answers] == [
        (3, Play(HAND[0])),
        (2, Chant(False)),
        (1, Play(HAND[0])),
    ]
    assert sorted(log) == [("chant", 2), ("play", 3, 1)]


def test_each_answer_goes_to_its_own_turn():
    class Mine(BatchBot):
        def play(self, turns):
            return [view.hand[match.begun.seed] for match, view in turns]

    session = Session(Mine)
    tables(session, 5, 3, 8)
    answers = ask(session, (8, 1, "play"), (5, 1, "play"), (3, 1, "play"))
    assert [answer.reply.card for answer in answers] == [HAND[8], HAND[5], HAND[3]]


def test_one_instance_serves_all_matches_and_hears_of_each(session, log):
    begin(session, 4, seed=4)
    ask(session, (4, 0, None))
    session.tell(2, deal_end(1))
    session.tell(3, OVER)
    assert log == [("start", 4), ("deal end", 2, 1), ("match end", 3)]


def test_what_belongs_to_a_match_is_kept_in_its_memo():
    class Mine(BatchBot):
        def on_match_start(self, match):
            match.memo = 0

        def play(self, turns):
            for match, _ in turns:
                match.memo += 1
            return [view.hand[match.memo] for match, view in turns]

    session = Session(Mine)
    tables(session, 1, 2)
    assert reply(session, 1, 1) == Play(HAND[1])
    assert reply(session, 1, 2) == Play(HAND[2])
    assert reply(session, 2, 1) == Play(HAND[1])


@pytest.mark.parametrize("phase", PHASES)
def test_it_answers_everything_but_the_plays_by_itself(phase, capsys):
    session = Session(type("Lazy", (BatchBot,), {}))
    tables(session, 1)
    hand = view_at("discard").hand
    answer = reply(session, 1, 1, phase)
    if phase == "play":
        assert "Lazy does not say which cards to play: write play(self, turns)" in answer.message
        return
    assert (
        answer
        == {
            "cut": Cut(24),
            "look": Look(),
            "chant": Chant(False),
            "discard": Discard(tuple(sorted(hand, key=lambda card: (card.strength, card))[:6])),
        }[phase]
    )


def test_answers_may_carry_signals_and_come_from_a_generator():
    class Mine(BatchBot):
        def play(self, turns):
            for _, view in turns:
                yield view.hand[0], Signal.MADAME

    session = Session(Mine)
    tables(session, 1, 2)
    assert {answer.reply for answer in ask(session, (1, 1, "play"), (2, 1, "play"))} == {
        Play(HAND[0], Sign(Signal.MADAME))
    }


# -- failures --------------------------------------------------------------------------------------


def bot_that_plays(play) -> type[BatchBot]:
    return type("Mine", (Logged,), {"play": play})


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        ([HAND[0]], "play returned 1 answers to 2 turns"),
        ([HAND[0]] * 3, "play returned 3 answers to 2 turns"),
        (None, "play returned None; it must return a list, one answer for each turn"),
        (HAND[0], f"play returned {HAND[0]}; it must return a list, one answer for each turn"),
    ],
)
def test_a_wrong_number_of_answers_fails_the_turns_of_that_call_alone(returned, sentence, log, capsys):
    session = Session(bot_that_plays(lambda self, turns: returned), {"log": log})
    tables(session, 1, 2, 3)
    one, two, three = ask(session, (1, 1, "play"), (2, 1, "chant"), (3, 1, "play"))
    assert two.reply == Chant(False)
    for answer in (one, three):
        assert answer.reply.message.splitlines()[-1] == f"TypeError: {sentence}"


def test_an_exception_fails_the_turns_of_that_call_alone_and_is_told_once(log, capsys):
    def play(self, turns):
        raise ZeroDivisionError("batch")

    session = Session(bot_that_plays(play), {"log": log})
    tables(session, 1, 2, 3)
    one, two, three = ask(session, (1, 1, "play"), (2, 1, "chant"), (3, 1, "play"))
    assert isinstance(one.reply, Failed)
    assert one.reply == three.reply
    assert two.reply == Chant(False)
    assert capsys.readouterr().err == one.reply.message
    assert reply(session, 1, 2, "chant") == Chant(True)


def test_one_wrong_answer_among_many_fails_its_own_match_alone(log, capsys):
    session = Session(bot_that_plays(lambda self, turns: [HAND[0], "3D", HAND[1]]), {"log": log})
    tables(session, 1, 2, 3)
    one, two, three = (a.reply for a in ask(session, *((table, 1, "play") for table in (1, 2, 3))))
    assert (one, three) == (Play(HAND[0]), Play(HAND[1]))
    assert two.message.splitlines()[-1].startswith("TypeError: play returned '3D'; it must return a card")


def test_an_answer_that_cannot_even_be_looked_at_fails_its_own_match_alone(log, capsys):
    class Odd:
        def __repr__(self):
            raise RuntimeError("no repr")

    session = Session(bot_that_plays(lambda self, turns: [Odd(), HAND[1]]), {"log": log})
    tables(session, 1, 2)
    one, two = ask(session, (1, 1, "play"), (2, 1, "play"))
    assert isinstance(one.reply, Failed)
    assert two.reply == Play(HAND[1])


@pytest.mark.parametrize("event", ["on_match_start", "on_deal_end"])
def test_a_failure_at_an_event_fails_that_match_alone_at_its_next_turn(event, log, capsys):
    def fails(self, match, *ended):
        if match.begun.seed == 2:
            raise ZeroDivisionError(event)

    session = Session(type("Mine", (Logged,), {event: fails}), {"log": log})
    replies = tables(session, 1, 2, 3)
    if event == "on_match_start":
        assert [isinstance(reply, Failed) for reply in replies] == [False, True, False]
    for table in (1, 2, 3):
        session.tell(table, deal_end(1))
    one, two, three = (a.reply for a in ask(session, *((table, 1, "play") for table in (1, 2, 3))))
    assert one == three == Play(HAND[0])
    assert two.message.endswith(f"ZeroDivisionError: {event}\n")


def test_a_bot_that_cannot_be_made_fails_every_match(capsys):
    session = Session(Logged, {"wrong": 1})
    replies = ready(session, 1, 2)
    assert all("unexpected keyword argument 'wrong'" in reply.message for reply in replies)


def test_being_asked_twice_asks_the_bot_once(session, log):
    first = ask(session, (1, 1, "play"), (1, 1, "play"))
    assert ask(session, (1, 1, "play")) == first[:1]
    assert log == [("play", 1)]


def test_the_bot_is_called_when_the_first_answer_is_fetched(session, log):
    answers = session.answer([Turn(1, 1, view_at("play"))])
    assert log == []
    next(answers)
    assert log == [("play", 1)]


def test_answers_that_were_not_fetched_are_kept_for_when_they_are_asked_for_again(session, log):
    """A stream may break between the first answer and the others."""
    answers = session.answer([Turn(table, 1, view_at("play")) for table in (1, 2)])
    first = next(answers)
    del answers
    assert [first, *ask(session, (2, 1, "play"))][1].reply == first.reply
    assert log == [("play", 1, 2)], "the bot was called once"
