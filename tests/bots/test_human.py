"""A person at the terminal, typed for: what is shown, what may be typed, what a slip gets."""

import io
import re

import pytest
from bots.positions import seat_at, view

from aluette import Ask, Card, MatchEnded, Misuse, Points, Reason, RuleSet, Seat, Side, Sign, Signal, aces
from aluette.testing import play_match
from aluette_bots.human import Human
from aluette_bots.wording import show_sign


def sit(*typed: str, rules: RuleSet | None = None) -> tuple[Human, io.StringIO]:
    shown = io.StringIO()

    class AtTheTable(Human):
        def __init__(self) -> None:
            super().__init__(io.StringIO("".join(f"{line}\n" for line in typed)), shown)

    return seat_at(AtTheTable, rules), shown


HAND = "3D KC AC AB 9S 8D 6B 5C 4B"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("1", ("3D", None)),
        ("kc", ("KC", None)),
        ("3D monsieur", ("3D", Sign(Signal.MONSIEUR))),
        ("9 aces 2", ("4B", aces(2))),
        ("MONSIEUR", ("3D", None)),
        ("mons", ("3D", None)),
        ("Monsieur monsieur", ("3D", Sign(Signal.MONSIEUR))),
    ],
)
def test_a_card_by_number_or_name_with_or_without_a_signal(typed: str, answer: tuple[str, Sign | None]):
    person, _ = sit(typed)
    card, sign = person.play(view(HAND, table="5D 6C"))
    assert (str(card), sign) == answer


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("la vache", "2C"),
        ("Vache", "2C"),
        ("la", "2C"),
        ("le borgne", "2D"),
        ("Grand-neuf", "9C"),
        ("grand neuf", "9C"),
        ("petit", "9D"),
        ("deux de chêne", "2B"),
        ("DEUX DE CHENE", "2B"),
        ("deux d'écrit", "2S"),
        ("deux_decrit", "2S"),
        ("mad", "3C"),
    ],
)
def test_a_card_by_its_own_name(typed: str, card: str):
    hand = "3D 3C 2D 2C 9C 9D 2B 2S AC"
    person, _ = sit(typed)
    assert person.play(view(hand)) == (Card(card), None)
    person, _ = sit(f"{typed} useless hand")
    assert person.play(view(hand)) == (Card(card), Sign(Signal.USELESS_HAND))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("3D 3D", "'3D' means nothing after 3D Monsieur: only a signal may follow; ? lists them."),
        ("1 please", "'please' means nothing after 3D Monsieur: only a signal may follow; ? lists them."),
        ("m", "'m' could be Monsieur or Madame."),
        ("madame", "You do not hold 3C Madame."),
        ("vache 3", "You do not hold 2C la Vache."),
        ("deux d", "'deux d' could be Deux de chêne or Deux d'écrit."),
        ("hello", "'hello' is no card: type its number or its name, such as 1, 3D or Monsieur."),
        ("1 monsieur 0", "'0' means nothing here: only aces are signalled with a number."),
        ("1 aces 0", "Say how many aces: aces 1 to aces 4."),
        ("?!", "'?!' is no card: type its number or its name, such as 1, 3D or Monsieur."),
    ],
)
def test_words_that_mean_nothing_are_named(typed: str, told: str):
    person, shown = sit(typed, "1")
    assert person.play(view(HAND)) == (Card.D3, None)
    assert shown.getvalue().splitlines()[-2] == f"Your card: {told}"


def test_a_signal_that_is_made_is_confirmed():
    person, shown = sit("1 monsieur")
    person.play(view(HAND))
    assert shown.getvalue().endswith("Your card: You look up, head still: MONSIEUR.\n")
    person, shown = sit("aces 2")
    person.look(view(HAND, asked=Ask.LOOK))
    assert shown.getvalue().endswith("You open the mouth once for each: ACES(2).\n")


@pytest.mark.parametrize("signal", [signal for signal in Signal if signal is not Signal.UNKNOWN])
def test_every_gesture_can_be_said_to_who_makes_it(signal: Signal):
    verb, *rest = signal.gesture.split()
    assert verb.endswith("s")
    assert show_sign(Sign(signal)).split(": ")[0] == " ".join(("You", verb[:-1], *rest))


def test_enter_where_it_is_no_answer_gets_one_line():
    person, shown = sit("", "1")
    person.play(view(HAND))
    assert shown.getvalue().splitlines()[-2] == (
        "Your card: A card by its number or its name, such as 1, 3D or Monsieur; ? says more."
    )


@pytest.mark.parametrize("slip", ["12", "3C", "hello", "3D madame", "3D aces 3", "3D wave"])
def test_a_slip_gets_a_sentence_and_another_try(slip: str):
    person, shown = sit(slip, "1")
    assert str(person.play(view(HAND))[0]) == "3D"
    assert shown.getvalue().count("Your card:") == 2


def test_help_lists_the_signals():
    person, shown = sit("?", "1")
    person.play(view(HAND))
    assert "going_for_mordienne" in shown.getvalue()


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(signals=False, mordienne=False)], ids=str)
def test_help_says_the_aim_and_the_order_of_the_cards(rules: RuleSet):
    person, shown = sit("?", "1", rules=rules)
    person.play(view(HAND))
    told = shown.getvalue()
    assert "The aim: " in told
    assert ("A mordienne scores 2" in told) == rules.mordienne
    assert ("going_for_mordienne" in told) == rules.signals
    order = " ".join(told.partition("Strongest first: ")[2].split())
    named = "3D Monsieur, 3C Madame, 2D le Borgne, 2C la Vache, 9C Grand-neuf, 9D Petit-neuf, "
    assert order.startswith(
        f"{named}2B Deux de chêne, 2S Deux d'écrit, then A K Q J 9 8 7 6 5 4 3, where suits do not matter."
    )
    assert all(len(line) <= 80 for line in told.splitlines() if not line.startswith("Your hand"))


def test_the_table_and_the_hand_are_shown():
    person, shown = sit("1")
    person.play(view(HAND, table="5D 6C"))
    for word in ("5D", "6C", "1 3D Monsieur", "9 4B"):
        assert word in shown.getvalue()


def test_a_vote_a_cut_a_look_and_six_discards():
    person, _ = sit("maybe", "yes", rules=RuleSet())
    assert person.chant(view(HAND, asked=Ask.CHANT)) == (True, None)
    person, shown = sit("48", "12 13", "?", "12")
    assert person.cut(view("", asked=Ask.CUT)) == 12
    assert "Cut from 1 to 47 cards." in shown.getvalue()
    assert "'13' means nothing here: a number alone cuts the pack." in shown.getvalue()
    person, shown = sit("yes sure", "yes", rules=RuleSet())
    assert person.chant(view(HAND, asked=Ask.CHANT)) == (True, None)
    assert "'sure' means nothing after yes: only a signal may follow" in shown.getvalue()
    person, _ = sit("")
    assert person.look(view(HAND, asked=Ask.LOOK)) is None
    fifteen = "3D KC AC AB 9S 8D 6B 5C 4B 8C 7C 6C 4C 3S 3B"
    person, _ = sit("10 11 12 13 14", "10 11 12 13 14 15")
    cards, sign = person.discard(view(fifteen, asked=Ask.DISCARD))
    assert (len(cards), sign) == (6, None)


def test_six_discards_by_name_with_a_signal():
    fifteen = "3D KC AC AB 9S 8D 6B 5C 4B 8C 7C 6C 4C 3S 3B"
    person, shown = sit("3B 15 14 13 12 11", "10 11 12 13 14 15 3D", "monsieur 11 12 13 14 15 mons")
    cards, sign = person.discard(view(fifteen, asked=Ask.DISCARD))
    assert (cards[0], sign) == (Card.D3, Sign(Signal.MONSIEUR))
    assert "You named 3B twice." in shown.getvalue()
    assert "'3D' means nothing after six cards" in shown.getvalue()


def test_a_closed_terminal_is_said():
    person, _ = sit()
    with pytest.raises(Misuse, match=r"^the person at the terminal has left the match$"):
        person.play(view(HAND))


def test_no_clock_runs_for_a_person():
    assert Human.untimed is True


@pytest.mark.parametrize(
    ("typed", "sign"),
    [
        ("monsieur", Sign(Signal.MONSIEUR)),
        ("mons", Sign(Signal.MONSIEUR)),
        ("ACES 2", aces(2)),
        ("useless hand", Sign(Signal.USELESS_HAND)),
        ("mordienne", Sign(Signal.GOING_FOR_MORDIENNE)),
    ],
)
def test_a_signal_by_name_or_part_of_it(typed: str, sign: Sign):
    person, _ = sit(typed)
    assert person.look(view(HAND, asked=Ask.LOOK)) == sign


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("deux", "could be deux_de_chene or deux_decrit"),
        ("wave", "is no signal; ? lists them"),
        ("aces", "Say how many aces: aces 1 to aces 4."),
        ("monsieur 2", "'2' means nothing here: only aces are signalled with a number."),
        ("madame", "A signal must be true, and your hand says otherwise."),
    ],
)
def test_a_signal_that_is_none_is_told(typed: str, told: str):
    person, shown = sit(typed, "")
    assert person.look(view(HAND, asked=Ask.LOOK)) is None
    assert told in shown.getvalue()


def test_where_there_are_no_signals_none_is_asked_for():
    person, shown = sit("1 monsieur", "1", rules=RuleSet(signals=False))
    assert person.play(view(HAND)) == (Card.D3, None)
    assert "This game has no signals." in shown.getvalue()
    person, shown = sit(rules=RuleSet(signals_per_deal=0))
    assert person.look(view(HAND, asked=Ask.LOOK)) is None


def test_signals_seen_are_shown_once():
    person, shown = sit("1", "1")
    position = view(HAND, seen=[(Seat.S, Signal.MADAME), (Seat.E, Signal.USELESS_HAND)])
    person.play(position)
    person.play(position)
    assert shown.getvalue().count("You see: S (partner) shows Madame; E shows a useless hand.") == 1


def test_only_the_lowest_may_be_put_aside_where_the_rules_say_so():
    fifteen = "3D KC AC AB 9S 8D 6B 5C 4B 8C 7C 6C 4C 3S 3B"
    person, shown = sit("1 2 3 4 5 6", "10 11 12 13 14 15", rules=RuleSet(chant_discard="lowest"))
    cards, _ = person.discard(view(fifteen, asked=Ask.DISCARD))
    assert Card.D3 not in cards
    assert "Only the six weakest cards may be discarded" in shown.getvalue()


class Sitting(Human):
    """Plays a whole match: no signals, yes to the chant, the strongest card, the weakest aside."""

    shown = io.StringIO()

    def __init__(self) -> None:
        super().__init__(self, self.shown)

    def readline(self) -> str:
        prompt = self.shown.getvalue().rsplit("\n", 1)[-1]
        if prompt.startswith("Six cards"):
            return "10 11 12 13 14 15\n"
        return {"A signal": "\n", "Do you a": "yes\n", "Cut the ": "24\n"}.get(prompt[:8], "1\n")


def test_a_whole_match_reads_well(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Sitting, "shown", io.StringIO())
    rules = RuleSet(cut="player", chant="always", deals=4)
    record = play_match([Sitting, "lowest", "careful", "lowest"], seed=3, rules=rules)
    text = Sitting.shown.getvalue()
    assert "Deal 1 of 4: you deal. You are N, S is your partner. Match: you 0, they 0." in text
    assert all(f"Deal {number} of 4: " in text for number in (2, 3, 4))
    # Each trick is told once, and each deal and the match end with a score.
    assert len(re.findall(r"Trick \d: [^.]* - ", text)) == 4 * 9
    assert text.count(" for your side. ") + text.count(" for their side. ") == 4
    assert f"you {record['result']['NS']}, they {record['result']['EW']}." in text.splitlines()[-1]


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        (MatchEnded(Reason.PLAYED, None, Points(2, 2)), "The match is drawn: you 2, they 2."),
        (MatchEnded(Reason.PLAYED, Side.EW, Points(2, 3)), "You lost the match: you 2, they 3."),
        (MatchEnded(Reason.VOID, None, Points(0, 0)), "The match is void: it counts for nobody."),
        (
            MatchEnded(Reason.FAULT, Side.NS, Points(5, 0), Seat.E, "timeout"),
            "The match ended by a fault of E: timeout.",
        ),
    ],
)
def test_the_end_is_told(ended: MatchEnded, told: str):
    person, shown = sit()
    person.on_match_end(ended)
    assert shown.getvalue().strip() == told


def test_without_a_terminal_it_talks_over_standard_streams(monkeypatch: pytest.MonkeyPatch):
    def no_terminal(*_: object, **__: object) -> None:
        raise OSError("no such device")

    shown = io.StringIO()
    monkeypatch.setattr("pathlib.Path.open", no_terminal)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    monkeypatch.setattr("sys.stdout", shown)
    assert seat_at(Human).play(view(HAND))[0] is Card.D3
    assert "Your card:" in shown.getvalue()
