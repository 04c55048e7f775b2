"""Write a bot that plays Aluette.

    import aluette

    class MyBot(aluette.Bot):
        def play(self, view: aluette.View) -> aluette.Card:
            return min(view.hand, key=lambda card: card.strength)

    if __name__ == "__main__":
        aluette.run(MyBot)

`aluette.Bot` teaches the game and says what else a bot may decide; `aluette.View` is all it gets to know.
`aluette.rules` is the rulebook that the referee applies, `aluette.testing` plays bots in one process.
"""

from typing import TYPE_CHECKING, Any

from aluette import rules, testing
from aluette.bot import BatchBot, Bot, MatchState
from aluette.cards import CARDS, Card, Rank, Suit
from aluette.errors import AluetteError, IllegalAction, Misuse, NotationError, RecordError, Refused
from aluette.events import DealEnded, MatchBegun, MatchEnded, Reason
from aluette.rules import STANDARD, Ask, RuleSet, Sign, Signal, Trick, aces, strongest, weakest
from aluette.seats import SEATS, Seat, Side
from aluette.version import __version__
from aluette.view import Points, PublicDeal, SeenSignal, SentSignal, View, Vote

if TYPE_CHECKING:
    from aluette.client import run

__all__ = [
    "CARDS",
    "SEATS",
    "STANDARD",
    "AluetteError",
    "Ask",
    "BatchBot",
    "Bot",
    "Card",
    "DealEnded",
    "IllegalAction",
    "MatchBegun",
    "MatchEnded",
    "MatchState",
    "Misuse",
    "NotationError",
    "Points",
    "PublicDeal",
    "Rank",
    "Reason",
    "RecordError",
    "Refused",
    "RuleSet",
    "Seat",
    "SeenSignal",
    "SentSignal",
    "Side",
    "Sign",
    "Signal",
    "Suit",
    "Trick",
    "View",
    "Vote",
    "__version__",
    "aces",
    "rules",
    "run",
    "strongest",
    "testing",
    "weakest",
]


def __getattr__(name: str) -> Any:
    """Import `run` when it is first used: it brings gRPC, which playing in one process does without."""
    if name == "run":
        from aluette.client import run  # noqa: PLC0415

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
