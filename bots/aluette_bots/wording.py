"""What a person at the table reads and types: a view in words, and words as an answer.

Pure text in and out, for `aluette_bots.human`; it knows neither the terminal nor who is sitting there.
Each `read_...` raises `Mistyped` with the one sentence that tells the person what was wrong.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from aluette.cards import NAMED, Card
from aluette.rules.chant import DISCARDS
from aluette.rules.signals import Sign, Signal, aces
from aluette.rules.trick import Trick
from aluette.seats import Seat
from aluette.view import DealEnded, Points, SeenSignal, View

__all__ = [
    "SIGNALS", "Mistyped", "call", "read_card", "read_cards", "read_cut", "read_sign", "read_vote", "show_card",
    "show_chant", "show_ended", "show_game", "show_hand", "show_place", "show_score", "show_seen", "show_sign",
    "show_table", "show_trick", "show_votes",
]  # fmt: skip


class Mistyped(Exception):  # noqa: N818 - it is a slip of the finger, to be told and asked again
    """The person typed something that is no answer; the message says what would be one."""


# -- in words --------------------------------------------------------------------------------------


def call(seat: Seat, me: Seat) -> str:
    """`you`, `S (partner)` or `E`."""
    return "you" if seat is me else f"{seat} (partner)" if seat is me.partner else str(seat)


def show_card(card: Card) -> str:
    """`3D Monsieur`, `KC`."""
    return f"{card} {card.title}" if card.title else str(card)


def show_hand(hand: Sequence[Card]) -> str:
    """`1 3D Monsieur   2 AC   3 KS`: strongest first, with the numbers to type."""
    return "   ".join(f"{number} {show_card(card)}" for number, card in enumerate(hand, start=1))


def show_score(points: Points, me: Seat) -> str:
    """`you 2, they 1`."""
    return f"you {points.of(me.side)}, they {points.of(me.side.other)}"


def show_game(*, mordienne: bool) -> str:
    """The aim and the order of the cards, in a few lines."""
    named = [show_card(card) for card in NAMED]
    run = ["A mordienne scores 2: that player's tricks are one run up to the last."] if mordienne else []
    return "\n".join(
        (
            "The aim: of the four players, the one with most tricks scores 1 for the side;",
            "    at equal most it is the one who had so many first.",
            *run,
            "Any card may be played; the strongest takes the trick, a tie of them nobody.",
            f"Strongest first: {', '.join(named[:4])},",
            f"    {', '.join(named[4:])},",
            "    then A K Q J 9 8 7 6 5 4 3, where suits do not matter.",
        )
    )


def show_place(view: View, deals: int) -> str:
    """The head of a deal: its number, who deals, where you sit, how the match stands."""
    deal = view.deal
    dealer = "you deal" if deal.dealer is view.seat else f"{deal.dealer} deals"
    number = f"Deal {deal.number} of {deals}" if deal.number <= deals else f"Extra deal {deal.number - deals}"
    score = show_score(deal.points, view.seat)
    return f"{number}: {dealer}. You are {view.seat}, {view.partner} is your partner. Match: {score}."


def show_chant(view: View) -> str:
    """Who would receive the stock."""
    receivers = " and ".join(call(seat, view.seat) for seat in (view.deal.dealer.left, view.deal.dealer))
    return f"If all four agree, {receivers} get six cards each of the stock, and put six aside."


def show_votes(view: View) -> str:
    """How the chant ended."""
    seat, yes = view.deal.votes[-1]
    if yes:
        return "All four agreed: the stock was dealt."
    return "You refused the chant." if seat is view.seat else f"{call(seat, view.seat)} refused the chant."


def show_table(view: View) -> str:
    """The trick under way, and how many tricks each player has."""
    trick = view.trick
    place = f"Trick {10 - view.deal.tricks_left}: " + (
        "you lead." if not trick.cards else f"{call(trick.leader, view.seat)} led."
    )
    width = max((len(call(seat, view.seat)) for seat, _ in trick.plays), default=0)
    lines = [f"    {call(seat, view.seat):{width}}  {show_card(card)}" for seat, card in trick.plays]
    won = ", ".join(f"{call(seat, view.seat)} {count}" for seat, count in view.counts.items())
    return "\n".join((place, *lines, f"Tricks won: {won}."))


def show_trick(number: int, trick: Trick, me: Seat) -> str:
    """A complete trick on one line."""
    cards = ", ".join(f"{call(seat, me)} {card}" for seat, card in trick.plays)
    if trick.winner is None:
        return f"Trick {number}: {cards} - spoiled, {_leads(trick.leader, me)} again."
    return f"Trick {number}: {cards} - {_takes(trick.winner, me)} it."


def show_seen(seen: Sequence[SeenSignal], me: Seat) -> str:
    """`S (partner) shows Madame; E shows 2 aces`."""
    return "; ".join(f"{call(made.seat, me)} {_meaning(made.sign)}" for made in seen)


def show_sign(sign: Sign) -> str:
    """What one is seen to do oneself: `You tilt the head: MADAME.`."""
    does, blank, rest = sign.signal.gesture.partition(" ")
    return f"You {does.removesuffix('s')}{blank}{rest}: {sign}."


def show_ended(ended: DealEnded, me: Seat) -> str:
    """How a deal was scored, and the totals."""
    score = ended.score
    totals = show_score(ended.totals, me)
    if score.player is None:
        return f"The deal is void: all nine tricks were spoiled. Match: {totals}."
    points = "1 point" if score.points == 1 else f"{score.points} points"
    how = " with a mordienne" if score.points == 2 else ""
    whose = "your side" if score.side is me.side else "their side"
    player = call(score.player, me).capitalize() if score.player is me else call(score.player, me)
    return f"{player} won the deal{how}: {points} for {whose}. Match: {totals}."


def _leads(seat: Seat, me: Seat) -> str:
    return "you lead" if seat is me else f"{call(seat, me)} leads"


def _takes(seat: Seat, me: Seat) -> str:
    return "you take" if seat is me else f"{call(seat, me)} takes"


def _meaning(sign: Sign) -> str:
    card = sign.signal.card
    if card is not None:
        return f"shows {card.title}"
    if sign.signal is Signal.ACES:
        return "shows one ace" if sign.count == 1 else f"shows {sign.count} aces"
    if sign.signal is Signal.USELESS_HAND:
        return "shows a useless hand"
    return "tries for the mordienne"


# -- from words ------------------------------------------------------------------------------------


def read_card(words: Sequence[str], hand: Sequence[Card]) -> tuple[Card, Sequence[str]]:
    """A card of the hand, by its number there, its text or its own name; and the words after it."""
    word = words[0]
    if word.isdecimal():
        if not 1 <= int(word) <= len(hand):
            raise Mistyped(f"Your cards are numbered 1 to {len(hand)}.")
        return hand[int(word) - 1], words[1:]
    try:
        card, rest = Card.parse(word), words[1:]
    except ValueError:
        card, rest = _named_card(words)
    if card not in hand:
        raise Mistyped(f"You do not hold {show_card(card)}.")
    return card, rest


def read_cards(words: Sequence[str], hand: Sequence[Card]) -> tuple[tuple[Card, ...], Sequence[str]]:
    """Six different cards of the hand, and the words after them."""
    cards: list[Card] = []
    while len(cards) < DISCARDS:
        if not words:
            raise Mistyped(f"Name six cards to put aside, not {len(cards)}.")
        card, words = read_card(words, hand)
        if card in cards:
            raise Mistyped(f"You named {show_card(card)} twice.")
        cards.append(card)
    return tuple(cards), words


def read_vote(word: str) -> bool:
    """Yes or no."""
    answer = word.lower()
    if answer not in ("y", "yes", "n", "no"):
        raise Mistyped("Type yes or no.")
    return answer.startswith("y")


def read_cut(words: Sequence[str]) -> int:
    """How many cards to lift, 1 to 47."""
    if not (words[0].isdecimal() and 1 <= int(words[0]) <= 47):
        raise Mistyped("Cut from 1 to 47 cards.")
    if len(words) > 1:
        raise Mistyped(f"{' '.join(words[1:])!r} means nothing here: a number alone cuts the pack.")
    return int(words[0])


def read_sign(words: Sequence[str], after: str = "") -> Sign | None:
    """A signal by name or the beginning of it, `aces` with how many; None for no words.

    `after` is what the words were typed behind: there nothing but a signal may stand.
    """
    if not words:
        return None
    typed = " ".join(words)
    name, *rest = words
    count = rest.pop() if rest and rest[-1].isdecimal() else ""
    wanted = "_".join((name, *rest)).upper().replace("-", "_")
    found = [signal for signal in _OFFERED if signal.name.startswith(wanted)]
    found = found or [signal for signal in _OFFERED if wanted in signal.name]
    if not found and after:
        raise Mistyped(f"{typed!r} means nothing after {after}: only a signal may follow; ? lists them.")
    if len(found) != 1:
        hint = "could be " + " or ".join(map(_typed, found)) if found else "is no signal; ? lists them"
        raise Mistyped(f"{typed!r} {hint}.")
    if found[0] is Signal.ACES:
        if not count or not 1 <= int(count) <= 4:
            raise Mistyped("Say how many aces: aces 1 to aces 4.")
        return aces(int(count))
    if count:
        raise Mistyped(f"{count!r} means nothing here: only aces are signalled with a number.")
    return Sign(found[0])


def _named_card(words: Sequence[str]) -> tuple[Card, Sequence[str]]:
    """A card by its own name or the beginning of it, as many words as belong to it; and the words after them."""
    for size in range(min(3, len(words)), 0, -1):
        typed = " ".join(words[:size])
        found = _cards_called(_letters(typed))
        if len(found) == 1:
            return found[0], words[size:]
        if found:
            raise Mistyped(f"{typed!r} could be {' or '.join(card.title for card in found)}.")
    raise Mistyped(f"{words[0]!r} is no card: type its number or its name, such as 1, 3D or Monsieur.")


def _cards_called(letters: str) -> list[Card]:
    """The named cards whose name begins with these letters, with or without its article."""
    names = {card: (title, title.removeprefix("le ").removeprefix("la ")) for card, title in NAMED.items()}
    return [
        card
        for card, calls in names.items()
        if letters and any(_letters(call).startswith(letters) for call in calls)
    ]


def _letters(text: str) -> str:
    """For comparing names: small letters and digits alone, without accents, hyphens and blanks."""
    return "".join(char for char in unicodedata.normalize("NFKD", text.lower()) if char.isalnum())


def _typed(signal: Signal) -> str:
    return signal.name.lower()


_OFFERED: Final = [signal for signal in Signal if signal is not Signal.UNKNOWN]
_WITHOUT_CARD: Final = {
    Signal.ACES: "how many aces you hold: aces 2",
    Signal.USELESS_HAND: "your hand is worthless",
    Signal.GOING_FOR_MORDIENNE: "you try for the mordienne",
}

SIGNALS: Final = "\n".join(
    f"    {_typed(signal):20} {signal.card.title if signal.card else _WITHOUT_CARD[signal]}"
    for signal in _OFFERED
)
"""The signals and what they mean, as the help shows them."""
