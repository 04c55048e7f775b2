"""A signal as the viewer tells it: the gesture, what it says, who knows of it, and who noticed."""

from aluette.cards import Card
from aluette.rules import MadeSignal, RuleSet, Sign
from aluette.rules.signals import Signal
from aluette.seats import SEATS
from aluette_referee.report.transcript import knows, why_dropped

__all__ = ["named", "signal_told"]


def named(card: Card) -> str:
    """A card with its own name, if it has one: `3D (Monsieur)`."""
    return f"{card} ({card.title})" if card.title else str(card)


def signal_told(made: MadeSignal, rules: RuleSet) -> dict[str, str]:
    """What a step of `scenes` says of a signal; who noticed it is for whoever may know everything."""
    gesture, says = made.sign.signal.gesture, _says(made.sign)
    words = f"{made.seat} {gesture}" + f": \u201c{says}\u201d" * bool(says)
    told = {
        "gesture": gesture,
        "says": says,
        "knows": "".join(seat.name for seat in SEATS if knows(seat, made)),
    }
    if made.dropped is not None:
        why = why_dropped(made.ask, made.dropped, rules)
        return {**told, "all": f"{words}, dropped: {why}.", "dropped": why}
    noticed = " and ".join(map(str, made.noticed)) or "nobody"
    whole = f"{words}, seen by {made.seat.partner}, noticed by {noticed}."
    return {**told, "all": whole, "own": f"{words}.", "noticed": noticed}


def _says(sign: Sign) -> str:
    """What its sender would put into words."""
    if sign.signal is Signal.ACES:
        return f"I hold {sign.count} ace{'s' * (sign.count != 1)}"
    if sign.signal is Signal.USELESS_HAND:
        return "my hand is worthless"
    if sign.signal is Signal.GOING_FOR_MORDIENNE:
        return "I try for the mordienne"
    card = sign.signal.card
    return "" if card is None else f"I hold {named(card)}"
