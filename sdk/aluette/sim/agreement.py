"""Whether a view can be: free of contradictions, and of a match under the rules that are given with it.

Worlds that fit a view under other rules than its match's would look like any others, so this is asked first. What is
hidden is not weighed here; `aluette.sim.worlds` finds out whether any deal fits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from aluette.cards import Card
from aluette.errors import IllegalAction, Misuse
from aluette.rules.actions import Ask
from aluette.rules.chant import DISCARDS, is_agreed, is_settled, verify_discards
from aluette.rules.ruleset import RuleSet
from aluette.rules.trick import strongest
from aluette.seats import Seat
from aluette.sim.arguments import require, verify_rules
from aluette.view import PublicDeal, SeenSignal, View

__all__ = ["plays_of", "verify_view"]


def verify_view(view: View, rules: RuleSet) -> None:
    """Raise `Misuse` unless a seat may have such a view, in a match under these rules, when it is to answer after the cut."""
    require("view", view, View, "the View of a seat, as its bot is asked with it")
    verify_rules(rules)
    if view.asked is None or view.asked is Ask.CUT:
        raise Misuse("worlds are drawn for a seat that is asked something, after the cut")
    if wrong := _contradiction(view):
        raise Misuse(f"this view contradicts itself: {wrong}; pass it as the bot was asked with it")
    if wrong := _foreign(view, rules):
        raise Misuse(
            f"this view is not of a match under {rules}: {wrong}; pass the rules of its match, rules=self.match.rules"
        )


def plays_of(deal: PublicDeal) -> list[tuple[Seat, Card]]:
    """Who played which card, in playing order."""
    return [play for trick in (*deal.tricks, deal.trick) for play in trick.plays]


def _contradiction(view: View) -> str | None:
    """What in a view cannot be under any rules."""
    if not _has_its_parts(view):
        return "a part of it is of another kind than in a View"
    deal, asked = view.deal, view.asked
    cards = (*view.hand, *view.discards, *deal.cards)
    if not set(map(type, cards)) <= {Card}:
        return "there is something among its cards that is no Card"
    if len(set(cards)) < len(cards):
        return "a card is twice in it"
    if list(deal.winners) != list(_winners(deal)):
        return "its winners are not those of its cards"
    if not _is_turn(view):
        return f"{view.seat} is not the one to be asked for a {asked} then"
    if not _is_chanted(view):
        return f"so it does not stand with votes and stock at a {asked}"
    plays = plays_of(deal)
    hand = 9 + DISCARDS if asked is Ask.DISCARD else 9 - sum(seat is view.seat for seat, _ in plays)
    aside = DISCARDS if asked is Ask.PLAY and deal.stock_dealt and view.receives_stock else 0
    if (len(view.hand), len(view.discards)) != (hand, aside):
        return f"at this {asked} a seat holds {hand} cards and has put {aside} aside, not {len(view.hand)} and {len(view.discards)}"
    if not all(_was_made(view, seen, plays) for seen in view.seen):
        return "a signal was made when its seat was not asked that"
    return None


def _has_its_parts(view: View) -> bool:
    """Whether its parts are of the kinds that they are in a view."""
    deal, rows = view.deal, (tuple, list)
    kinds: list[tuple[object, type | tuple[type, ...]]]
    kinds = [(view.seat, Seat), (view.asked, Ask), (deal, PublicDeal)]
    kinds += [(part, rows) for part in (view.hand, view.discards, view.seen)]
    if all(isinstance(part, kind) for part, kind in kinds):
        kinds = [(deal.dealer, Seat), *((part, rows) for part in (deal.votes, deal.cards, deal.winners))]
        return all(isinstance(part, kind) for part, kind in kinds)
    return False


def _winners(deal: PublicDeal) -> Iterator[Seat | None]:
    """Who wins the complete tricks of its cards."""
    leader = deal.dealer.left
    for start in range(0, len(deal.cards) - 3, 4):
        place = strongest(deal.cards[start : start + 4])
        winner = None if place is None else leader.after(place)
        leader = winner or leader
        yield winner


def _is_turn(view: View) -> bool:
    """Whether the seat is one that is asked this after such votes and cards."""
    deal = view.deal
    if view.asked is Ask.PLAY:
        return len(deal.cards) < 36 and view.seat is deal.leader.after(len(deal.cards) % 4)
    if view.asked is Ask.CHANT:
        return not deal.cards and view.seat is deal.dealer.after(len(deal.votes) + 1)
    return not deal.cards and (view.asked is Ask.LOOK or view.receives_stock)


def _is_chanted(view: View) -> bool:
    """Whether the votes go round until one refuses, and the stock is where they and what is asked say."""
    deal, votes = view.deal, view.deal.votes
    if any(vote.seat is not deal.dealer.after(number) for number, vote in enumerate(votes, 1)):
        return False
    if any(is_settled(votes[:number]) for number in range(1, len(votes))):
        return False
    if view.asked is Ask.LOOK:
        return not votes and not deal.stock_dealt
    if view.asked is Ask.CHANT:
        return not deal.stock_dealt and not (votes and is_settled(votes))
    dealt = is_agreed(votes) if votes else deal.stock_dealt
    return (
        deal.stock_dealt == dealt and (dealt or view.asked is Ask.PLAY) and (not votes or is_settled(votes))
    )


def _was_made(view: View, seen: SeenSignal, plays: Sequence[tuple[Seat, Card]]) -> bool:
    """Whether another seat was asked that when it is said to have signalled, and has answered."""
    deal, sender = view.deal, seen.seat
    if seen.ask is Ask.PLAY:
        return sender is not view.seat and seen.played < len(plays) and plays[seen.played][0] is sender
    answered = {
        Ask.LOOK: view.asked is not Ask.LOOK,
        Ask.CHANT: sender in [vote.seat for vote in deal.votes],
        Ask.DISCARD: deal.stock_dealt
        and sender in (deal.dealer.left, deal.dealer)
        and (view.asked is Ask.PLAY or (view.seat is deal.dealer)),
    }
    return sender is not view.seat and seen.played == 0 and answered.get(seen.ask, False)


def _foreign(view: View, rules: RuleSet) -> str | None:
    """What in a view cannot be under these rules, though it can under others."""
    deal, asked = view.deal, view.asked
    if asked is Ask.LOOK:
        fits = rules.signals
    elif rules.chant == "ask":
        fits = bool(deal.votes) or asked is Ask.CHANT
    else:
        fits = asked is not Ask.CHANT and not deal.votes and deal.stock_dealt == (rules.chant == "always")
    if not fits:
        return f"it is of a {asked} {'with' if deal.stock_dealt else 'without'} the stock dealt after {len(deal.votes)} votes"
    if any(
        count > rules.signals_per_deal * rules.signals
        for count in Counter(seen.seat for seen in view.seen).values()
    ):
        return "more signals of a seat were seen"
    if rules.notice == 0 and any(seen.seat.side is not view.side for seen in view.seen):
        return "a signal of an opponent was seen"
    if view.discards:
        fifteen = [*view.hand, *view.discards, *(card for seat, card in plays_of(deal) if seat is view.seat)]
        try:
            verify_discards(rules, fifteen, view.discards)
        except IllegalAction as error:
            return str(error)
    return None
