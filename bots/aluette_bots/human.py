"""A person at the terminal, as a bot.

It talks over `/dev/tty`, because the standard input and output of a bot belong to whoever launched it;
without a terminal it falls back to them. What is shown and how typing is read is `aluette_bots.wording`'s
business; this file asks, checks a signal before it is wasted, and asks again after a slip.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TextIO, TypeVar, cast

from aluette.bot import Bot
from aluette.cards import Card
from aluette.errors import IllegalAction
from aluette.events import DealEnded, MatchEnded, Reason
from aluette.rules.actions import Ask
from aluette.rules.chant import DISCARDS, verify_discards
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
        help_text = "A number from 1 to 47: so many cards from the top go under the others."
        return self._ask("Cut the pack, 1 to 47:", help_text, lambda words: wording.read_cut(words[0]))

    def look(self, view: View) -> Sign | None:
        """Show the nine cards and offer a signal, if one may be made."""
        self._news(view)
        if not self._signals_left(view):
            return None
        self._hand(view)
        help_text = (
            f"Enter alone makes none; the other side may notice one. The signals are:\n{wording.SIGNALS}"
        )
        return self._ask(
            "A signal to your partner, or Enter:",
            help_text,
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
            self._help(view, "Yes or no"),
            lambda words: (wording.read_vote(words[0]), self._sign(view, words[1:])),
        )

    def discard(self, view: View) -> tuple[tuple[Card, ...], Sign | None]:
        """Ask for the six cards to put aside."""
        self._news(view)
        self._hand(view)
        return self._ask(
            "Six cards to put aside:",
            self._help(view, "Six cards by number or name, such as 10 11 12 13 14 15"),
            lambda words: self._discards(view, words),
        )

    def play(self, view: View) -> tuple[Card, Sign | None]:
        """Show the table and ask for a card."""
        self._news(view)
        self._say("", wording.show_table(view))
        self._hand(view)
        return self._ask(
            "Your card:",
            self._help(view, "A card by its number or its name, such as 1 or 3D"),
            lambda words: (wording.read_card(words[0], view.hand), self._sign(view, words[1:])),
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

    def _ask(self, prompt: str, help_text: str, read: Callable[[list[str]], T], *, enter: bool = False) -> T:
        """Prompt until `read` takes the words typed; it gets none only where Enter alone is an answer."""
        while True:
            self._writes.write(f"{prompt} ")
            self._writes.flush()
            line = self._reads.readline()
            if not line:
                self._say("")
                raise EOFError("the terminal was closed: the person at it has left the match")
            words = line.split()
            if words == ["?"] or not (words or enter):
                self._say(help_text)
                continue
            try:
                return read(words)
            except Mistyped as slip:
                self._say(str(slip))

    def _sign(self, view: View, words: list[str]) -> Sign | None:
        """The signal typed, checked now so that none is made in vain."""
        sign = wording.read_sign(words)
        if sign is not None:
            dropped = judge(self.match.rules, view.hand, _accepted(view), sign)
            if dropped is not None:
                raise Mistyped(_DROPPED[dropped])
        return sign

    def _discards(self, view: View, words: list[str]) -> tuple[tuple[Card, ...], Sign | None]:
        cards = wording.read_cards(words[:DISCARDS], view.hand)
        try:
            verify_discards(self.match.rules, view.hand, cards)
        except IllegalAction as refusal:
            raise Mistyped(f"{str(refusal)[0].upper()}{str(refusal)[1:]}.") from None
        return cards, self._sign(view, words[DISCARDS:])

    def _signals_left(self, view: View) -> int:
        rules = self.match.rules
        return max(0, rules.signals_per_deal - _accepted(view)) if rules.signals else 0

    def _help(self, view: View, answer: str) -> str:
        """What may be typed, with the signals if one may still be made."""
        if not self._signals_left(view):
            return f"{answer}."
        return f"{answer}. A signal may follow; the other side may notice it. The signals are:\n{wording.SIGNALS}"

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
