"""A table set by hand: luck that deals what a test wants, and packs from which a wanted deal comes out.

Nothing here asks the rulebook how a deal is dealt or who wins a trick: tests compare it with these.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy

from aluette.cards import CARDS, Card
from aluette.rules import Chant, Cut, Deal, Discard, Look, Match, Play, RuleSet
from aluette.seats import Seat

PLAY_ONLY = RuleSet(signals=False, chant="off")
CUT = 20

# Nine trick winners that give each result of a deal.
RESULTS = {
    "NS1": "SENWSEXNW", "EW1": "WWWWWWWWW", "NS2": "EEENNNNNN", "EW2": "NEESWWWWW", "void": "XXXXXXXXX",
}  # fmt: skip

# Strength, and the cards that have it, as the printed rules list them.
STRENGTHS = {
    19: "3D", 18: "3C", 17: "2D", 16: "2C", 15: "9C", 14: "9D", 13: "2B", 12: "2S",
    11: "AD AC AS AB", 10: "KD KC KS KB", 9: "QD QC QS QB", 8: "JD JC JS JB", 7: "9S 9B",
    6: "8D 8C 8S 8B", 5: "7D 7C 7S 7B", 4: "6D 6C 6S 6B", 3: "5D 5C 5S 5B", 2: "4D 4C 4S 4B", 1: "3S 3B",
}  # fmt: skip


def cards(text: str) -> tuple[Card, ...]:
    """Cards written one after the other; slashes between tricks are for the eye."""
    return tuple(Card.parse(word) for word in text.replace("/", " ").split())


class SetLuck:
    """Luck with nothing left to chance. `packs` are as dealt, that is after the cut; the rest are unshuffled."""

    def __init__(
        self,
        packs: Mapping[int, Sequence[Card]] | None = None,
        notice: Callable[[int, Seat, int, Seat], int] = lambda *_: 5000,
        cut: int = CUT,
        draw: Sequence[Card] = CARDS,
    ) -> None:
        self._draw = tuple(draw)
        self.packs = dict(packs or {})
        self._notice = notice
        self._cut = cut

    def pack(self, deal: int) -> tuple[Card, ...]:
        dealt = self.packs.get(deal, CARDS)
        return (*dealt[-self._cut :], *dealt[: -self._cut])

    def cut(self, deal: int) -> int:
        return self._cut

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        return self._notice(deal, sender, accepted, observer)

    def draw_pack(self) -> tuple[Card, ...]:
        return self._draw


def clockwise(first: Seat) -> tuple[Seat, ...]:
    """The four seats in turn order."""
    order = "NESW" * 2
    start = order.index(first.name)
    return tuple(Seat[name] for name in order[start : start + 4])


def pack_of(
    hands: Mapping[Seat, Sequence[Card]], dealer: Seat, stock: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """A pack that deals these hands; cards that are not named are handed out in their order."""
    named = {*stock, *(card for hand in hands.values() for card in hand)}
    others = iter([card for card in CARDS if card not in named])
    full = {
        seat: [*(had := hands.get(seat, ())), *(next(others) for _ in range(9 - len(had)))] for seat in Seat
    }
    left, across, right, own = (full[seat] for seat in (*clockwise(dealer)[1:], dealer))
    dealt: list[Card] = []
    for three in (slice(0, 3), slice(3, 6), slice(6, 9)):
        dealt += left[three] + across[three] + right[three] + own[three]
    return (*dealt, *stock, *others)


def leaders_of(letters: str, dealer: Seat) -> list[Seat]:
    """Who leads each of nine tricks won by these players (X: spoiled)."""
    leaders = [clockwise(dealer)[1]]
    for letter in letters[:-1]:
        leaders.append(leaders[-1] if letter == "X" else Seat[letter])
    return leaders


def pack_playing(played: Sequence[Card], letters: str, dealer: Seat) -> tuple[Card, ...]:
    """A pack whose hands can play these 36 cards in this order."""
    hands: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    for number, leader in enumerate(leaders_of(letters, dealer)):
        for seat, card in zip(clockwise(leader), played[4 * number :][:4], strict=True):
            hands[seat].append(card)
    return pack_of(hands, dealer)


def cards_won_by(letters: str, dealer: Seat) -> tuple[Card, ...]:
    """Thirty-six cards in an order in which these players win (X: spoiled); any nine letters can be."""
    tops = list(cards("3D 3C 2D 2C 9C 9D 2B 2S"))
    pairs = list(cards("AD AC AS AB KD KC KS KB QD QC QS QB JD JC JS JB 9S 9B"))
    low = list(cards("8D 8C 8S 8B 7D 7C 7S 7B 6D 6C 6S 6B 5D 5C 5S 5B 4D 4C 4S 4B 3S 3B"))
    if "X" not in letters:
        tops.insert(0, pairs.pop(0))
    chosen: list[list[Card]] = []
    for letter in letters:
        best = [pairs.pop(0), pairs.pop(0)] if letter == "X" else [tops.pop(0)]
        chosen.append([*best, *(low.pop() for _ in range(2 if letter == "X" else 0))])
    played: list[Card] = []
    for letter, leader, trick in zip(letters, leaders_of(letters, dealer), chosen, strict=True):
        while len(trick) < 4:
            trick.append(low.pop() if low else pairs.pop())
        order = list(clockwise(leader))
        if letter != "X":
            place = order.index(Seat[letter])
            trick[0], trick[place] = trick[place], trick[0]
        played += trick
    return tuple(played)


def play_cards(match: Match | Deal, played: Iterable[Card]) -> None:
    """Play these cards, whoever's turn it is."""
    for card in played:
        (seat,) = match.asked
        match.do(seat, Play(card))


def play_match(rules: RuleSet, results: Sequence[str], first_dealer: Seat = Seat.N) -> Match:
    """A match whose deals are won as these nine letters each say; `rules` must ask for plays alone."""
    dealers = [clockwise(first_dealer)[number % 4] for number in range(len(results))]
    played = [cards_won_by(letters, dealer) for letters, dealer in zip(results, dealers, strict=True)]
    packs = [pack_playing(*deal) for deal in zip(played, results, dealers, strict=True)]
    match = Match(rules, SetLuck(dict(enumerate(packs, start=1))), first_dealer=first_dealer)
    for deal in played:
        play_cards(match, deal)
    return match


def match_at(phase: str, luck: SetLuck | None = None, dealer: Seat = Seat.N, **options: object) -> Match:
    """A match in its first deal, brought to `cut`, `look`, `chant`, `discard`, `play` or `over`."""
    rules = RuleSet(**{"cut": "player", "deals": 1, **options})
    match = Match(rules, luck or SetLuck(), first_dealer=dealer)
    while str(match.ask or "over") != phase:
        seat = match.asked[0]
        hand = match.deal.hands[seat]
        answers = (
            Cut(CUT),
            Look(),
            Chant(True),
            Discard(tuple(hand[-6:])),
            Play(hand[0] if hand else Card.D3),
        )
        match.do(seat, next(answer for answer in answers if type(answer).__name__.lower() == str(match.ask)))
    return match


def snapshot(match: Match) -> object:
    """Everything that a match holds, copied deeply; the luck is the same object and never changes."""
    deals = [
        {name: getattr(deal, name) for name in Deal.__slots__ if name != "_luck"} for deal in match.deals
    ]
    return deepcopy((deals, match.totals, match.first_dealer, match.draw, match.rules))
