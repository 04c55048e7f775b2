"""One deal, from the cut to the ninth trick, as a small state machine.

    CUT       the dealer's right, only with `cut = player`
    LOOK      all four at once, only with signals on; the answers take effect together
    CHANT     each in turn from the dealer's left, until one refuses, only with `chant = ask`
    DISCARD   the dealer's left, then the dealer, only if the stock was dealt
    PLAY      nine tricks; the dealer's left leads the first
    over      `phase` is None

Every action is a triple: `verify` raises `IllegalAction` and explains, `can` says yes or no, `do`
verifies and then changes the state. Nothing else changes it. Luck - the pack, the referee's cut, who
notices a signal - is asked of a `Luck`; this file makes none, and knows nothing of matches or views.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from aluette.cards import CARDS, PACK_SIZE, STRENGTH, Card
from aluette.errors import IllegalAction, Misuse
from aluette.rules import chant
from aluette.rules.actions import Action, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.ruleset import RuleSet
from aluette.rules.scoring import NOT_FINISHED, TRICKS, DealScore, score_deal
from aluette.rules.signals import Drop, Sign, judge
from aluette.rules.trick import Trick, strongest
from aluette.seats import SEATS, Seat

__all__ = ["Deal", "Luck", "MadeSignal", "cut_pack", "deal_hands"]

_HAND = 9
_PACKET = 3
_DEALT = 4 * _HAND
_ANSWERS = {Ask.CUT: Cut, Ask.LOOK: Look, Ask.CHANT: Chant, Ask.DISCARD: Discard, Ask.PLAY: Play}
_PLAY = Ask.PLAY  # before Python 3.12 a member of an enum takes ten times as long to look up as a name
_ORDER = {card: place for place, card in enumerate(sorted(CARDS, key=lambda card: (-STRENGTH[card], card)))}
_PACK = list(CARDS)
_ALONE = {seat: (seat,) for seat in SEATS}
_TO_THE_LEFT = {seat: (seat.left,) for seat in SEATS}


class Luck(Protocol):
    """Where everything that is left to chance comes from. Deals count from 1."""

    def draw_pack(self) -> tuple[Card, ...]:
        """The pack for the partner draw, top first."""
        ...

    def pack(self, deal: int) -> tuple[Card, ...]:
        """The shuffled pack of a deal, 48 cards, top first, before the cut."""
        ...

    def cut(self, deal: int) -> int:
        """The referee's cut, 1 to 47."""
        ...

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        """A number from 0 to 9999: the observer notices when it is below `RuleSet.notice_threshold`.

        `accepted` is how many signals of the sender were accepted before in that deal.
        """
        ...


class MadeSignal(NamedTuple):
    """A signal that was made, accepted or not.

    `ask` and `played` say with which action it came: what was asked, and how many cards had been
    played in the deal before. `noticed` lists the opponents who saw it, clockwise from the sender.
    """

    ask: Ask
    played: int
    seat: Seat
    sign: Sign
    dropped: Drop | None
    noticed: tuple[Seat, ...]


def cut_pack(pack: Sequence[Card], n: int) -> tuple[Card, ...]:
    """The pack with `n` cards from the top put under the others."""
    return (*pack[n:], *pack[:n])


def deal_hands(pack: Sequence[Card], dealer: Seat) -> tuple[dict[Seat, list[Card]], tuple[Card, ...]]:
    """Deal nine cards each in packets of three from the dealer's left; the rest is the stock."""
    hands: dict[Seat, list[Card]] = {}
    for place in range(4):
        starts = range(_PACKET * place, _DEALT, 4 * _PACKET)
        hands[dealer.after(place + 1)] = [card for start in starts for card in pack[start : start + _PACKET]]
    return hands, tuple(pack[_DEALT:])


class Deal:
    """The state of one deal. Read its attributes freely; change it only through `do`.

    `asked` are the seats whose answer is awaited: one, or at the look those who have not answered; and
    `phase` is what they are asked. Attributes hold: `pack` after the cut in dealing order (empty before it), `hands` as they are now,
    `votes` in asking order, `received` and `discards` by seat (empty without a chant), `signals` in
    the order they took effect, `played` all cards in playing order, `leaders` and `winners` trick by
    trick (`leaders` has the trick under way too; a winner is None for a spoiled trick).
    """

    __slots__ = (
        "_looks", "_luck", "_made", "asked", "cut", "dealer", "discards", "hands", "leaders", "number", "pack",
        "phase", "played", "received", "rules", "score", "signals", "stock", "votes", "winners",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, number: int, dealer: Seat, luck: Luck) -> None:
        """Shuffle, and cut unless a player is asked to. `number` counts from 1."""
        self.rules = rules
        self.number = number
        self.dealer = dealer
        self.cut = 0
        self.pack: tuple[Card, ...] = ()
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
        self.stock: tuple[Card, ...] = ()
        self.votes: tuple[chant.Vote, ...] = ()
        self.received: dict[Seat, tuple[Card, ...]] = {}
        self.discards: dict[Seat, tuple[Card, ...]] = {}
        self.signals: list[MadeSignal] = []
        self.played: list[Card] = []
        self.leaders: list[Seat] = []
        self.winners: list[Seat | None] = []
        self.score: DealScore = NOT_FINISHED
        self._luck = luck
        self._looks: dict[Seat, Look] = {}
        self._made = dict.fromkeys(SEATS, 0)
        self.phase: Ask | None = Ask.CUT
        self.asked: tuple[Seat, ...] = (dealer.right,)
        if rules.cut == "referee":
            self._deal_out(luck.cut(number))

    def options(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that may be named at a play or a discard, strongest first; else empty."""
        if seat not in self.asked or self.phase not in (Ask.PLAY, Ask.DISCARD):
            return ()
        return tuple(self.hands[seat])

    # -- verify, can, do -------------------------------------------------------------------------

    def verify(self, seat: Seat, action: Action) -> None:
        """Raise `IllegalAction` with a sentence unless `seat` may do `action` now."""
        if seat not in self.asked:
            raise IllegalAction(f"it is not {seat}'s turn")
        assert self.phase is not None
        if type(action) is not _ANSWERS[self.phase]:
            raise IllegalAction(f"a {self.phase} is asked for, not a {type(action).__name__.lower()}")
        if isinstance(action, Play):
            if action.card not in self.hands[seat]:
                raise _not_in_hand(action.card)
        elif isinstance(action, Discard):
            chant.verify_discards(self.rules, self.hands[seat], action.cards)
        elif isinstance(action, Cut) and not 1 <= action.n < PACK_SIZE:
            raise IllegalAction(f"a cut is from 1 to 47, not {action.n}")

    def can(self, seat: Seat, action: Action) -> bool:
        """Whether `seat` may do `action` now."""
        try:
            self.verify(seat, action)
        except IllegalAction:
            return False
        return True

    def do(self, seat: Seat, action: Action) -> None:
        """Do `action` for `seat`; raises `IllegalAction` and changes nothing when it is not legal."""
        if type(action) is Play and action.sign is None and self.phase is _PLAY and seat in self.asked:
            self._play(seat, action.card)  # nearly all that is ever done
            return
        self.verify(seat, action)
        if isinstance(action, Look):
            self._look(seat, action)
            return
        if action.sign is not None:
            self._signal(seat, action.sign)
        if isinstance(action, Play):
            self._play(seat, action.card)
        elif isinstance(action, Chant):
            self._vote(seat, action.yes)
        elif isinstance(action, Discard):
            self._discard(seat, action.cards)
        else:
            self._deal_out(action.n)

    # -- tricks ----------------------------------------------------------------------------------

    def tricks(self) -> Iterator[Trick]:
        """The tricks so far, the last perhaps incomplete."""
        for number, leader in enumerate(self.leaders):
            winner = self.winners[number] if number < len(self.winners) else None
            if cards := self.played[4 * number : 4 * number + 4]:
                yield Trick(leader, tuple(cards), winner)

    # -- how the state changes -------------------------------------------------------------------

    def _ask(self, phase: Ask, *seats: Seat) -> None:
        self.phase, self.asked = phase, seats

    def _from_left(self) -> tuple[Seat, ...]:
        return tuple(self.dealer.after(steps) for steps in range(1, 5))

    def _deal_out(self, n: int) -> None:
        pack = self._luck.pack(self.number)
        if sorted(pack) != _PACK:
            raise Misuse(f"the pack of deal {self.number} does not hold each of the 48 cards once")
        self.cut = n
        self.pack = cut_pack(pack, n)
        self.hands, self.stock = deal_hands(self.pack, self.dealer)
        for hand in self.hands.values():
            _arrange(hand)
        if self.rules.signals:
            self._ask(Ask.LOOK, *self._from_left())
        else:
            self._begin_chant()

    def _look(self, seat: Seat, look: Look) -> None:
        self._looks[seat] = look
        self.asked = tuple(other for other in self.asked if other is not seat)
        if not self.asked:
            for signer in self._from_left():
                if (sign := self._looks[signer].sign) is not None:
                    self._signal(signer, sign)
            self._begin_chant()

    def _begin_chant(self) -> None:
        if self.rules.chant == "ask":
            self._ask(Ask.CHANT, self.dealer.left)
        elif self.rules.chant == "always":
            self._give_stock()
        else:
            self._lead(self.dealer.left)

    def _vote(self, seat: Seat, yes: bool) -> None:
        self.votes += (chant.Vote(seat, yes),)
        if not chant.is_settled(self.votes):
            self._ask(Ask.CHANT, seat.left)
        elif chant.is_agreed(self.votes):
            self._give_stock()
        else:
            self._lead(self.dealer.left)

    def _give_stock(self) -> None:
        receivers = (self.dealer.left, self.dealer)
        for seat, cards in zip(receivers, chant.deal_stock(self.stock), strict=True):
            self.received[seat] = cards
            self.hands[seat].extend(cards)
            _arrange(self.hands[seat])
        self._ask(Ask.DISCARD, self.dealer.left)

    def _discard(self, seat: Seat, cards: tuple[Card, ...]) -> None:
        self.discards[seat] = cards
        for card in cards:
            self.hands[seat].remove(card)
        if seat is self.dealer:
            self._lead(self.dealer.left)
        else:
            self._ask(Ask.DISCARD, self.dealer)

    def _lead(self, leader: Seat) -> None:
        self.leaders.append(leader)
        self.phase, self.asked = _PLAY, _ALONE[leader]

    def _play(self, seat: Seat, card: Card) -> None:
        try:
            self.hands[seat].remove(card)
        except ValueError:
            raise _not_in_hand(card) from None
        played = self.played
        played.append(card)
        if len(played) % 4:
            self.asked = _TO_THE_LEFT[seat]
            return
        place = strongest(played[-4:])
        leader = self.leaders[-1]
        winner = None if place is None else leader.after(place)
        self.winners.append(winner)
        if len(self.winners) == TRICKS:
            self.phase, self.asked = None, ()
            self.score = score_deal(self.winners, mordienne=self.rules.mordienne)
        else:
            self._lead(leader if winner is None else winner)

    def _signal(self, seat: Seat, sign: Sign) -> None:
        assert self.phase is not None
        accepted = self._made[seat]
        # With the cut no hand has been seen: signals begin when the cards are looked at.
        dropped = Drop.OFF if self.phase is Ask.CUT else judge(self.rules, self.hands[seat], accepted, sign)
        noticed: tuple[Seat, ...] = ()
        if dropped is None:
            self._made[seat] += 1
            noticed = tuple(
                observer
                for observer in (seat.left, seat.right)
                if self._luck.notice(self.number, seat, accepted, observer) < self.rules.notice_threshold
            )
        self.signals.append(MadeSignal(self.phase, len(self.played), seat, sign, dropped, noticed))


def _not_in_hand(card: Card) -> IllegalAction:
    return IllegalAction(f"{card} cannot be played: it is not in the hand")


def _arrange(hand: list[Card]) -> None:
    """Strongest first, so that the order of a hand says nothing about how it was dealt."""
    hand.sort(key=_ORDER.__getitem__)
