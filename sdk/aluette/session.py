"""A bot process's side of the conversation, without any I/O.

A `Session` seats the bots of all matches under way. It is told events and given turns, and it yields
answers in the order of the turns, each as soon as it is ready. It catches what a bot raises - the fault
of that match alone - and never judges whether an answer is legal: that is for the referee.

Being told or asked the same thing twice changes nothing, so a stream may be taken up again.
"""

import contextlib
import functools
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol, cast

from aluette.answers import read_answer
from aluette.bot import BatchBot, Bot, BotFactory, CardAnswer, MatchState, PlayFunction
from aluette.errors import Misuse
from aluette.events import DealEnded, Event, MatchBegun, MatchEnded, Reason, SeatFaulted
from aluette.rules.actions import Action, Ask
from aluette.seats import Seat
from aluette.tracebacks import own_traceback
from aluette.view import Points, View

__all__ = ["Answer", "Failed", "Ready", "Reply", "Session", "Turn", "not_a_bot"]


class Ready(NamedTuple):
    """The answer to the first turn of a match: the bot can play."""


class Failed(NamedTuple):
    """The bot's own code failed; `message` is its traceback."""

    message: str


Reply = Action | Ready | Failed
_METHODS: Final = {asked: asked.name.lower() for asked in Ask}


class Turn(NamedTuple):
    """One thing asked of one seat; `view` is None for the first turn of a match, answered by `Ready`."""

    table: int
    number: int
    view: View | None


class Answer(NamedTuple):
    """The answer to the turn of that table and number."""

    table: int
    number: int
    reply: Reply


class Session:
    """The bots of one process: one for each match under way, or one `BatchBot` for all of them."""

    def __init__(self, factory: BotFactory, options: Mapping[str, Any] | None = None) -> None:
        """Take a `Bot` or `BatchBot` class, or a function from view to card; options go to `__init__`.

        Raises `Misuse` when `factory` is none of these.
        """
        if (problem := not_a_bot(factory)) is not None:
            raise Misuse(problem)
        kept = dict(options or {})
        if isinstance(factory, type) and issubclass(factory, BatchBot):
            self._crew: _Crew = _Together(factory, kept)
        else:
            self._crew = _OneEach(cast("type[Bot] | PlayFunction", factory), kept)
        self._matches: dict[int, _Seated] = {}
        self.table = 0
        """At which table a bot is being asked or told something; 0 for none, or many at once."""

    def seat(self, table: int) -> Seat | None:
        """Where the bot sits at a table; None when no match is under way there."""
        match = self._matches.get(table)
        return None if match is None else match.state.seat

    def tell(self, table: int, event: Event) -> None:
        """Take note of an event at a table."""
        if isinstance(event, MatchBegun):
            if table not in self._matches:
                self._matches[table] = _Seated(MatchState(event, random.Random(event.seed)))  # noqa: S311
            return
        match = self._matches.get(table)
        if match is None:
            return
        self.table = table
        if isinstance(event, MatchEnded):
            del self._matches[table]
            match.guard(functools.partial(self._crew.match_ended, match, event))
        elif isinstance(event, SeatFaulted):
            match.state.faults.append(event)
        elif event.deal.number > len(match.state.deals):
            match.state.deals.append(event)
            match.guard(functools.partial(self._crew.deal_ended, match, event))
        self.table = 0

    def abandon(self) -> None:
        """The referee is gone for good: what was being played is void."""
        for table in list(self._matches):
            self.tell(table, MatchEnded(Reason.VOID, None, Points(0, 0)))

    def answer(self, turns: Iterable[Turn]) -> Iterator[Answer]:
        """Answer turns in their order, each as soon as it is ready; a turn is taken when those before it are answered.

        A `BatchBot` is asked all of them at once.
        """
        if isinstance(self._crew, _Together):
            turns = list(turns)
            self._answer_together(self._crew, turns)
        for turn in turns:
            table, number, view = turn
            match = self._matches.get(table)
            if match is None:
                yield Answer(table, number, Failed("the match of this table has not begun"))
                continue
            if number != match.answered:
                self.table = table
                match.keep(turn, self._crew.reply(match, view))
                self.table = 0
            yield Answer(table, number, match.reply)

    def _answer_together(self, crew: "_Together", turns: Sequence[Turn]) -> None:
        """All are there after one call: kept before the first is sent, should the stream break then."""
        due = {turn[:2]: (match, turn) for turn in turns if (match := self._due(turn)) is not None}
        replies = crew.replies([(match, turn.view) for match, turn in due.values()])
        for (match, turn), reply in zip(due.values(), replies, strict=True):
            match.keep(turn, reply)

    def _due(self, turn: Turn) -> "_Seated | None":
        """The match of a turn that is not answered yet."""
        match = self._matches.get(turn.table)
        return match if match and turn.number != match.answered else None


def not_a_bot(value: object) -> str | None:
    """Why `value` is no bot class or function, or None when it is one."""
    if isinstance(value, Bot | BatchBot):
        return f"a bot is named by its class, {type(value).__name__}, not by an instance of it"
    if isinstance(value, type) and not issubclass(value, Bot | BatchBot):
        return f"{value.__name__} is a class, but not an aluette.Bot or aluette.BatchBot"
    if callable(value):
        return None
    # A module's repr says where it lies, which is of no use to anybody.
    named = f"the module {value.__name__}" if isinstance(value, ModuleType) else repr(value)
    return f"{named} is neither a bot class nor a function"


@dataclass(slots=True, eq=False)
class _Seated:
    """One match under way: its state, its own bot if each has one, and the last answer given."""

    state: MatchState
    bot: Bot | None = None
    answered: int = -1
    reply: Reply = Ready()  # noqa: RUF009 - an empty, immutable value
    failure: Failed | None = None
    unready: Failed | None = None
    """Why the bot did not get ready, which fails all its turns."""

    def keep(self, turn: Turn, reply: Reply) -> None:
        """Remember the reply to a turn, should it be asked for again."""
        self.answered, self.reply = turn.number, reply
        if turn.view is None and isinstance(reply, Failed):
            self.unready = reply

    def guard(self, call: Callable[[], object]) -> None:
        """Run the bot's own code; what it raises fails the next turn of the match."""
        try:
            call()
        except Exception as error:  # noqa: BLE001 - a bot's own fault, and no other match's
            self.failure = _failed(error)

    def take_failure(self) -> Failed | None:
        """What went wrong since the last turn, once; or why nothing can be played."""
        failure, self.failure = self.failure, None
        return failure or self.unready


class _Crew(Protocol):
    """How the bots of a factory are run."""

    def reply(self, match: _Seated, view: View | None) -> Reply:
        """The reply to one turn."""
        ...

    def deal_ended(self, match: _Seated, ended: DealEnded) -> None: ...

    def match_ended(self, match: _Seated, ended: MatchEnded) -> None: ...


class _OneEach:
    """A `Bot` for each match; a plain function is made into one."""

    def __init__(self, factory: type[Bot] | PlayFunction, options: dict[str, Any]) -> None:
        self._class: type[Bot] = factory if isinstance(factory, type) else _bot_of(factory)
        self._options = options

    def reply(self, match: _Seated, view: View | None) -> Reply:
        try:
            if failure := match.take_failure():
                return failure
            if view is None:
                return self._get_ready(match)
            if match.bot is None or (asked := view.asked) is None:
                raise RuntimeError("a turn came before the one to get ready")
            return read_answer(asked, _method(match.bot, asked)(view))
        except Exception as error:  # noqa: BLE001
            return _failed(error)

    def _get_ready(self, match: _Seated) -> Ready:
        # As calling the class does, but with what a bot may want in __init__ already there.
        bot = self._class.__new__(self._class)
        bot.match, bot.rng = match.state, match.state.rng
        bot.__init__(**self._options)  # type: ignore[misc]
        bot.on_match_start(match.state)
        match.bot = bot
        return Ready()

    def deal_ended(self, match: _Seated, ended: DealEnded) -> None:
        if match.bot is not None:
            match.bot.on_deal_end(ended)

    def match_ended(self, match: _Seated, ended: MatchEnded) -> None:
        if match.bot is not None:
            match.bot.on_match_end(ended)


class _Together:
    """One `BatchBot` for all matches, made when the first match begins."""

    def __init__(self, factory: type[BatchBot], options: dict[str, Any]) -> None:
        self._class = factory
        self._options = options
        self._bot: BatchBot | None = None

    @property
    def _ready_bot(self) -> BatchBot:
        if self._bot is None:
            self._bot = self._class(**self._options)
        return self._bot

    def reply(self, match: _Seated, view: View | None) -> Reply:
        return self.replies([(match, view)])[0]

    def replies(self, due: Sequence[tuple[_Seated, View | None]]) -> list[Reply]:
        """One reply for each turn due, in their order."""
        replies: dict[int, Reply] = {}
        for asked in (None, *Ask):
            turns = [
                (place, match) for place, (match, view) in enumerate(due) if (view and view.asked) is asked
            ]
            if not turns:
                continue
            try:
                answers = self._answers(asked, [due[place] for place, _ in turns])
            except Exception as error:  # noqa: BLE001 - it failed all the turns of the call
                answers = [_failed(error)] * len(turns)
            for (place, match), answer in zip(turns, answers, strict=True):
                replies[place] = match.take_failure() or answer
        return [replies[place] for place in range(len(due))]

    def _answers(self, asked: Ask | None, due: Sequence[tuple[_Seated, View | None]]) -> Sequence[Reply]:
        bot = self._ready_bot
        if asked is None:
            for match, _ in due:
                match.guard(functools.partial(bot.on_match_start, match.state))
            return [Ready()] * len(due)
        returned = _method(bot, asked)([(match.state, view) for match, view in due])
        if not isinstance(returned, Iterable):
            raise TypeError(f"{asked} returned {returned!r}; it must return a list, one answer for each turn")
        values = list(cast("Iterable[object]", returned))
        if len(values) != len(due):
            raise TypeError(f"{asked} returned {len(values)} answers to {len(due)} turns")
        return [_read_or_failed(asked, value) for value in values]

    def deal_ended(self, match: _Seated, ended: DealEnded) -> None:
        self._ready_bot.on_deal_end(match.state, ended)

    def match_ended(self, match: _Seated, ended: MatchEnded) -> None:
        self._ready_bot.on_match_end(match.state, ended)


def _method(bot: Bot | BatchBot, asked: Ask) -> Callable[[Any], Any]:
    method: Callable[[Any], Any] = getattr(bot, _METHODS[asked])
    return method


def _bot_of(function: PlayFunction) -> type[Bot]:
    class FunctionBot(Bot):
        def play(self, view: View) -> CardAnswer:
            return function(view)

    return FunctionBot


def _read_or_failed(asked: Ask, value: object) -> Reply:
    try:
        return read_answer(asked, value)
    except Exception as error:  # noqa: BLE001 - also what the value's own code raises while it is looked at
        return _failed(error)


def _failed(error: Exception) -> Failed:
    """What a bot raised, told to the person who reads its stderr and to the referee."""
    text = own_traceback(error)
    # Whatever stderr has become is no reason to lose the other matches.
    with contextlib.suppress(Exception):  # the bot may have put anything in its place
        sys.stderr.write(text)
        sys.stderr.flush()
    return Failed(text)
