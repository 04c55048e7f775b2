"""A person at the terminal, as a bot.

It talks over `/dev/tty`, because the standard input and output of a bot belong to whoever launched it;
without a terminal it falls back to them. What is shown and how typing is read is `aluette_bots.wording`'s
business; this file asks, checks a signal before it is wasted, and asks again after a slip.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TextIO, TypeVar, cast

from aluette.bot import Bot
from aluette.cards import Card
from aluette.errors import IllegalAction, Misuse
from aluette.events import DealEnded, MatchEnded, Reason
from aluette.rules.actions import Ask
from aluette.rules.chant import verify_discards
from aluette.rules.signals import Drop, Sign, judge
from aluette.view import PublicDeal, View
from aluette_bots import wording
from aluette_bots.wording import Mistyped

__all__ = ["Human"]

T = TypeVar("T")

_DROPPED = {
    Drop.OFF: "This game has no signals.",
    Drop.MALFORMED: "That is no signal; ? lists them.",
    Drop.UNTRUE: "A signal must be true, and your hand says otherwise.",
    Drop.BOUND: "You have made all your signals of this deal.",
}


@dataclass(slots=True)
class _Shown:
    """What the person has been shown of the deal under way."""

    deal: int = 0
    hand: bool = False
    votes: bool = False
    tricks: int = 0
    signals: int = 0


class Human(Bot):
    """A person at the terminal: shows the table, asks for each card, takes signals; ? helps."""

    untimed: ClassVar[bool] = True
    """No move clock runs for this seat."""

    def __init__(self, reads: TextIO | None = None, writes: TextIO | None = None) -> None:
        """Talk over two text streams; by default over the terminal, opened here and closed at the end."""
        self._opened: list[TextIO] = []
        self._reads = reads or self._terminal("r", sys.stdin)
        self._writes = writes or self._terminal("w", sys.stdout)
        self._shown = _Shown()

    # -- what is asked ---------------------------------------------------------------------------

    def cut(self, view: View) -> int:
        """Ask where to cut."""
        self._news(view)
        return self._ask(
            "Cut the pack, 1 to 47:",
            "A number from 1 to 47: so many cards from the top go under the others",
            self._game(),
            wording.read_cut,
        )

    def look(self, view: View) -> Sign | None:
        """Show the nine cards and offer a signal, if one may be made."""
        self._news(view)
        if not self._signals_left(view):
            return None
        self._hand(view)
        return self._ask(
            "A signal to your partner, or Enter:",
            "Enter alone makes none",
            self._help(view),
            lambda words: self._sign(view, words),
            enter=True,
        )

    def chant(self, view: View) -> tuple[bool, Sign | None]:
        """Ask for a vote."""
        self._news(view)
        if not self._shown.hand:
            self._hand(view)
        self._say(wording.show_chant(view))
        return self._ask(
            "Do you agree, yes or no?",
            "Yes or no",
            self._help(view),
            lambda words: (wording.read_vote(words[0]), self._sign(view, words[1:], words[0])),
        )

    def discard(self, view: View) -> tuple[tuple[Card, ...], Sign | None]:
        """Ask for the six cards to put aside."""
        self._news(view)
        self._hand(view)
        return self._ask(
            "Six cards to put aside:",
            "Six cards by number or name, such as 10 11 12 13 14 15",
            self._help(view),
            lambda words: self._discards(view, words),
        )

    def play(self, view: View) -> tuple[Card, Sign | None]:
        """Show the table and ask for a card."""
        self._news(view)
        self._say("", wording.show_table(view))
        self._hand(view)
        return self._ask(
            "Your card:",
            "A card by its number or its name, such as 1, 3D or Monsieur",
            self._help(view),
            lambda words: self._card(view, words),
        )

    # -- what is told ----------------------------------------------------------------------------

    def on_deal_end(self, ended: DealEnded) -> None:
        """Show the tricks not shown yet, and the score."""
        self._tricks(ended.deal)
        self._say("", wording.show_ended(ended, self.match.seat))

    def on_match_end(self, ended: MatchEnded) -> None:
        """Show how the match ended, and leave the terminal."""
        me = self.match.seat
        score = wording.show_score(ended.points, me)
        if ended.reason is Reason.VOID:
            self._say("", "The match is void: it counts for nobody.")
        elif ended.reason is Reason.FAULT and ended.fault_seat is not None:
            self._say(
                "", f"The match ended by a fault of {wording.call(ended.fault_seat, me)}: {ended.fault}."
            )
        elif ended.winner is None:
            self._say("", f"The match is drawn: {score}.")
        else:
            self._say("", f"You {'won' if ended.winner is me.side else 'lost'} the match: {score}.")
        for stream in self._opened:
            stream.close()

    # -- how it is asked -------------------------------------------------------------------------

    def _ask(
        self, prompt: str, answer: str, more: str, read: Callable[[list[str]], T], *, enter: bool = False
    ) -> T:
        """Prompt until `read` takes the words typed; it gets none only where Enter alone is an answer.

        `answer` says what may be typed; ? adds `more`.
        """
        while True:
            self._writes.write(f"{prompt} ")
            self._writes.flush()
            line = self._reads.readline()
            if not line:
                self._say("")
                # No bug, so no traceback of it is shown.
                raise Misuse("the person at the terminal has left the match")
            words = line.split()
            if words == ["?"]:
                self._say(f"{answer}.", more)
                continue
            if not (words or enter):
                self._say(f"{answer}; ? says more.")
                continue
            try:
                return read(words)
            except Mistyped as slip:
                self._say(str(slip))

    def _sign(self, view: View, words: Sequence[str], after: str = "") -> Sign | None:
        """The signal typed after something else, checked now so that none is made in vain."""
        sign = wording.read_sign(words, after)
        if sign is not None:
            dropped = judge(self.match.rules, view.hand, _accepted(view), sign)
            if dropped is not None:
                raise Mistyped(_DROPPED[dropped])
            self._say(wording.show_sign(sign))
        return sign

    def _card(self, view: View, words: list[str]) -> tuple[Card, Sign | None]:
        card, rest = wording.read_card(words, view.hand)
        return card, self._sign(view, rest, wording.show_card(card))

    def _discards(self, view: View, words: list[str]) -> tuple[tuple[Card, ...], Sign | None]:
        cards, rest = wording.read_cards(words, view.hand)
        try:
            verify_discards(self.match.rules, view.hand, cards)
        except IllegalAction as refusal:
            raise Mistyped(f"{str(refusal)[0].upper()}{str(refusal)[1:]}.") from None
        return cards, self._sign(view, rest, "six cards")

    def _signals_left(self, view: View) -> int:
        rules = self.match.rules
        return max(0, rules.signals_per_deal - _accepted(view)) if rules.signals else 0

    def _help(self, view: View) -> str:
        """The signals if one may still be made, and the game."""
        if not self._signals_left(view):
            return self._game()
        how = "is typed here" if view.asked is Ask.LOOK else "may follow it"
        return f"A signal {how}; the other side may notice it. The signals are:\n{wording.SIGNALS}\n{self._game()}"

    def _game(self) -> str:
        return wording.show_game(mordienne=self.match.rules.mordienne)

    # -- what is shown ---------------------------------------------------------------------------

    def _news(self, view: View) -> None:
        """Show what has happened since the last turn: a new deal, votes, tricks, signals."""
        me = view.seat
        if view.deal.number != self._shown.deal:
            self._shown = _Shown(view.deal.number)
            self._say("", wording.show_place(view, self.match.rules.deals))
        if view.deal.votes and view.asked in (Ask.DISCARD, Ask.PLAY) and not self._shown.votes:
            self._shown.votes = True
            self._say(wording.show_votes(view))
        self._tricks(view.deal)
        if seen := view.seen[self._shown.signals :]:
            self._say(f"You see: {wording.show_seen(seen, me)}.")
        self._shown.signals = len(view.seen)

    def _tricks(self, deal: PublicDeal) -> None:
        for number, trick in enumerate(deal.tricks[self._shown.tricks :], start=self._shown.tricks + 1):
            self._say(wording.show_trick(number, trick, self.match.seat))
        self._shown.tricks = len(deal.winners)

    def _hand(self, view: View) -> None:
        self._shown.hand = True
        self._say(f"Your hand: {wording.show_hand(view.hand)}")

    def _say(self, *lines: str) -> None:
        self._writes.write("".join(f"{line}\n" for line in lines))
        self._writes.flush()

    # -- the terminal ----------------------------------------------------------------------------

    def _terminal(self, mode: str, otherwise: TextIO) -> TextIO:
        try:
            stream = cast("TextIO", Path("/dev/tty").open(mode, encoding="utf-8", errors="replace"))  # noqa: SIM115 - closed when the match ends
        except OSError:
            return otherwise
        self._opened.append(stream)
        return stream


def _accepted(view: View) -> int:
    return sum(sent.dropped is None for sent in view.sent)
