"""A position as one seat sees it, and an answer to it, in words."""

from collections.abc import Iterator

from aluette.notation import write_cards
from aluette.rules.actions import Chant, Cut, Discard, Look, Play
from aluette.session import Failed, Ready, Reply
from aluette.view import View

__all__ = ["answer", "position"]


def position(view: View) -> Iterator[str]:
    """The lines of a position: what is asked, the hand, the table, what was seen."""
    yield f"  Asked        {view.asked}"
    yield f"  Hand         {write_cards(view.hand)}"
    if view.discards:
        yield f"  Discarded    {write_cards(view.discards)}"
    for vote in view.deal.votes:
        yield f"  Chant        {vote.seat} {'yes' if vote.yes else 'no'}"
    for number, trick in enumerate(view.deal.tricks, start=1):
        taken = "spoiled" if trick.winner is None else f"{trick.winner} wins"
        yield f"  Trick {number}      {'   '.join(f'{seat} {card}' for seat, card in trick.plays)}   {taken}"
    if view.trick.cards:
        yield f"  On the table {'   '.join(f'{seat} {card}' for seat, card in view.trick.plays)}"
    for seen in view.seen:
        yield f"  Seen         {seen.seat}: {seen.sign}"


def answer(reply: Reply) -> str:
    """What a bot answered, or a record has, in a few words."""
    sign = "" if isinstance(reply, Ready | Failed) or reply.sign is None else f" with {reply.sign}"
    match reply:
        case Play(card):
            return f"{card}{sign}"
        case Chant(yes):
            return ("yes" if yes else "no") + sign
        case Discard(cards):
            return f"to put {write_cards(cards)} aside{sign}"
        case Cut(n):
            return f"to cut at {n}{sign}"
        case Look():
            return f"nothing{sign}" if not sign else str(reply.sign)
        case Failed(message):
            return f"with an exception:\n{message.rstrip()}"
        case Ready():
            return "that it is ready"
