"""Short matches, each there to show something, and the records of them that transcripts are made from."""

from collections.abc import Sequence

from rules.table import PLAY_ONLY, RESULTS, SetLuck, cards, pack_of, play_match

from aluette.packs import BlockKey
from aluette.record import Record, record_of
from aluette.rules import Chant, Cut, Discard, Look, Match, Play, RuleSet, Sign, Signal, aces
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.table import forfeit

__all__ = ["SCENES", "fault_record"]


def fault_record(match: Match, *seats: Seat, before: bool = False) -> Record:
    """The record when these seats were late where the match stands, or `before` the first turn."""
    deal, trick = (0, 0) if before else (match.deal.number, len(match.deal.leaders))
    return record_of(match, forfeit(match, [Fault(FaultType.LATE, seat, deal, trick) for seat in seats]))


def draw() -> Record:
    """Partners are drawn, the player on the dealer's right cuts, and signals with it what cannot be seen."""
    luck = SetLuck(draw=cards("AD 4S 3C 2D KB 9C 3D 5D 8B 2C") + cards("3S 3B"))
    match = Match(RuleSet(seating="draw", cut="player", chant="off", deals=1), luck, first_dealer=Seat.E)
    while not match.over:
        seat = match.asked[0]
        hand = match.deal.hands[seat]
        match.do(seat, Cut(7, Sign(Signal.MADAME)) if not hand else _first(match, hand))
    return record_of(match)


def chant() -> Record:
    """Everybody agrees, two receive and discard; signals of every kind, seen by both opponents, one or none."""
    hands = {
        Seat.E: cards("3D 2D KC QD JC 8D 7D 5D 4D"),
        Seat.S: cards("AS AB KB QB JB 8B 7B 5B 4B"),
        Seat.W: cards("3C 9C KD QC JD 8C 7C 5C 4C"),
        Seat.N: cards("2C 9D KS QS JS 8S 7S 5S 4S"),
    }
    pack = pack_of(hands, Seat.N, cards("2B 3B 2S 3S AD AC 9S 9B 6D 6C 6S 6B"))
    # East's signals are noticed by South alone, West's by both opponents, all others by nobody.
    noticed = {(Seat.E, Seat.S), (Seat.W, Seat.N), (Seat.W, Seat.S)}
    luck = SetLuck({1: pack}, lambda deal, sender, accepted, seat: 9999 * ((sender, seat) not in noticed))
    match = Match(RuleSet(deals=1, signals_per_deal=2), luck)
    for seat, sign in {
        Seat.E: Sign(Signal.MONSIEUR),
        Seat.S: aces(2),
        Seat.W: Sign(Signal.DEUX_DECRIT),
        Seat.N: Sign(Signal.UNKNOWN),
    }.items():
        match.do(seat, Look(sign))
    match.do(Seat.E, Chant(True, Sign(Signal.BORGNE)))
    match.do(Seat.S, Chant(True))
    match.do(Seat.W, Chant(True, Sign(Signal.MADAME)))
    match.do(Seat.N, Chant(True))
    match.do(Seat.E, Discard(cards("4D 5D 7D 8D JC QD"), Sign(Signal.GOING_FOR_MORDIENNE)))
    match.do(Seat.N, Discard(cards("4S 5S 7S 8S JS QS"), aces(3)))
    match.do(Seat.E, Play(cards("AD")[0]))
    match.do(Seat.S, Play(cards("AS")[0], Sign(Signal.USELESS_HAND)))
    return record_of(_play_on(match))


def results(*deals: str, first_dealer: Seat = Seat.N) -> Record:
    """Deals with these results, by plays alone."""
    return record_of(play_match(RuleSet(signals=False, chant="off", deals=len(deals)), deals, first_dealer))


def fault() -> Record:
    """A seat is late within the third trick of the second deal."""
    match = Match(PLAY_ONLY, SetLuck())
    while (match.deal.number, len(match.deal.played)) != (2, 10):
        match.do(match.asked[0], _first(match, match.deal.hands[match.asked[0]]))
    return fault_record(match, match.asked[0])


def _first(match: Match, hand: Sequence[object]) -> Look | Play:
    return Look() if str(match.ask) == "look" else Play(hand[0])  # type: ignore[arg-type]


def _play_on(match: Match) -> Match:
    while not match.over:
        match.do(match.asked[0], _first(match, match.deal.hands[match.asked[0]]))
    return match


SCENES: dict[str, Record] = {
    "draw": draw(),
    "chant": chant(),
    "mordienne": results(RESULTS["NS2"], RESULTS["EW1"], first_dealer=Seat.W),
    "void": results(RESULTS["void"]),
    "fault": fault(),
    "both_late": fault_record(Match(RuleSet(), BlockKey(bytes(32))), Seat.N, Seat.W, before=True),
    "no_cut": fault_record(Match(RuleSet(cut="player"), SetLuck()), Seat.W),
}
"""By name; the golden transcripts have these names."""
