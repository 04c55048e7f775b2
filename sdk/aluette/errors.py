"""Everything this package raises on purpose, and who is to blame for each.

    AluetteError
    ├── Misuse                 the caller's mistake: a wrong option, a bot file that is not there
    │   └── NotationError      text that is not a card, a deal or a rule set
    ├── IllegalAction          an action that the rules do not allow at that moment
    ├── RecordError            a match record that does not hold, with the place where it breaks
    ├── Refused                the referee will not have this bot, with its sentence that says why
    ├── client.Disconnected    the referee cannot be reached, or went away
    ├── codec.answers.Malformed  a bot's answer that is not what was asked; the bot's fault
    ├── sim.solver.SearchLimit  a deal needs more positions than its search may look at; nobody's fault
    ├── testing.BotFailed      a bot played in this process raised an exception; the bot's fault
    └── testing.IllegalAnswer  a bot played in this process did what the rules do not allow; the bot's fault

Whether an `IllegalAction` is a bot's fault is for the referee to say: the rulebook only knows that the
action is not legal. Messages are one sentence: what is wrong, where, and what to do.
"""

__all__ = ["AluetteError", "IllegalAction", "Misuse", "NotationError", "RecordError", "Refused"]


class AluetteError(Exception):
    """Base of all errors raised on purpose by this package."""


class Misuse(AluetteError):  # noqa: N818 - the field's word is "misuse", as h11's is "LocalProtocolError"
    """The person or code that called made a mistake; nothing was changed."""


class NotationError(Misuse):
    """A text is not in the notation it should be in."""


class IllegalAction(AluetteError):  # noqa: N818
    """An action that is not legal now; the state it was tried on is unchanged."""


class RecordError(AluetteError):
    """A match record contradicts the rules or itself; the message names the exact place."""


class Refused(AluetteError):  # noqa: N818
    """The referee refused the connection; the message is the referee's own sentence."""
