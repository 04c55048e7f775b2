"""Play bots against each other in one process, without network or clock.

For a bot author's own tests and experiments: the records are byte for byte those that the referee makes
of the same bots and key, and an exception in a bot comes out as a `BotFailed` with its traceback.

    >>> from aluette.testing import play_match
    >>> record = play_match(["careful", MyBot, "careful", MyBot], seed=7)
    >>> record["result"]["winner"]
"""

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Final, NamedTuple

from aluette.bot import BotFactory
from aluette.errors import AluetteError, IllegalAction, Misuse
from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.loading import load_bot
from aluette.packs import BlockKey, block_key, open_contest_key, pairing_id
from aluette.record import Record, record_of
from aluette.rules.match import Match
from aluette.rules.ruleset import STANDARD, RuleSet
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready, Reply, Session, Turn
from aluette.view import deal_ended, points_of, public_deal, view_of

__all__ = ["BotFailed", "IllegalAnswer", "Score", "match_key", "play_blocks", "play_match"]

_TABLE: Final = 1


class BotFailed(AluetteError):  # noqa: N818
    """A bot raised an exception; `message` is its traceback, `seat` who it was."""

    def __init__(self, seat: Seat, message: str) -> None:
        """Take the seat and the bot's traceback."""
        super().__init__(seat, message)  # what it is made of again in another process
        self.seat = seat
        self.message = message

    def __str__(self) -> str:
        return f"the bot at {self.seat} failed:\n{self.message}"


class IllegalAnswer(AluetteError):  # noqa: N818
    """A bot answered what the rules do not allow."""


class Score(NamedTuple):
    """What `play_blocks` counts, from the first team's point of view."""

    won: int
    drawn: int
    lost: int
    points: int
    """Deal points of the first team."""
    points_against: int


def play_match(
    bots: Sequence[BotFactory | str],
    *,
    seed: int | str = 0,
    key: BlockKey | None = None,
    rules: RuleSet = STANDARD,
    first_dealer: Seat = Seat.N,
    options: Sequence[Mapping[str, Any]] = ({}, {}, {}, {}),
) -> Record:
    """Play one match of four bots, at N E S W, and return its record.

    A bot is a class, a function, or what `aluette.loading.load_bot` takes. `key` says all the luck;
    without one it follows from `seed`, as in `aluette match --seed`. Raises `BotFailed`, `IllegalAnswer`,
    and `Misuse` for a mistake in the call.
    """
    for what, given in (("bots", bots), ("options", options)):
        _verify(what, given, Sequence, "a list of four")
        if len(given) != len(SEATS):
            raise Misuse(f"a match takes four {what}, one for each seat N E S W, not {len(given)}")
    for option in options:
        _verify("options", option, Mapping, "a dict for each seat")
    _verify("seed", seed, int | str, "a whole number or text")
    _verify("key", key, BlockKey | None, "a BlockKey")
    _verify("rules", rules, RuleSet, "a RuleSet, such as RuleSet(deals=1)")
    _verify("first_dealer", first_dealer, Seat, "a Seat, such as Seat.N")
    key = key or match_key(seed)
    match = Match(rules, key, first_dealer=first_dealer)
    sessions = {
        match.chairs[seat]: Session(load_bot(bot) if isinstance(bot, str) else bot, given)
        for seat, bot, given in zip(SEATS, bots, options, strict=True)
    }
    _Play(match, sessions, key).run()
    return record_of(match)


def play_blocks(
    one: Sequence[BotFactory | str],
    other: Sequence[BotFactory | str],
    *,
    blocks: int,
    seed: int | str = 0,
    rules: RuleSet = STANDARD,
) -> Score:
    """Play mirrored blocks of two teams of two bots: each block's packs twice, teams exchanged."""
    for team in (one, other):
        _verify("a team", team, Sequence, "a list of two bots")
    _verify("blocks", blocks, int, "a whole number")
    _verify("seed", seed, int | str, "a whole number or text")
    _verify("rules", rules, RuleSet, "a RuleSet, such as RuleSet(deals=1)")
    if len(one) != 2 or len(other) != 2:
        raise Misuse(f"a team has two bots, not {len(one) if len(one) != 2 else len(other)}")
    if rules.seating == "draw" or rules.cut == "player":
        raise Misuse("blocks are mirrored, which seating = draw and cut = player do not allow")
    won = drawn = lost = points = against = 0
    for index in range(blocks):
        key = block_key(open_contest_key(seed), pairing_id("one", "other"), index)
        for side, bots in (
            (Side.NS, (one[0], other[0], one[1], other[1])),
            (Side.EW, (other[0], one[0], other[1], one[1])),
        ):
            result = play_match(bots, key=key, rules=rules, first_dealer=SEATS[index % 4])["result"]
            points += result[side.name]
            against += result[side.other.name]
            won += result["winner"] == side.name
            drawn += result["winner"] is None
            lost += result["winner"] == side.other.name
    return Score(won, drawn, lost, points, against)


def match_key(seed: int | str) -> BlockKey:
    """The key of a single match: block 0 of a pairing that has no names."""
    return block_key(open_contest_key(seed), pairing_id("", ""), 0)


def _verify(what: str, given: object, kind: type | UnionType, wanted: str) -> None:
    """Raise `Misuse` for an argument of a wrong kind, which would fail far from here otherwise."""
    if not isinstance(given, kind):
        raise Misuse(f"{what} = {given!r}: it must be {wanted}")


class _Play:
    """One match between four sessions."""

    def __init__(self, match: Match, sessions: dict[Seat, Session], key: BlockKey) -> None:
        self._match = match
        self._sessions = sessions
        self._key = key
        self._turns = dict.fromkeys(SEATS, 0)

    def run(self) -> None:
        match = self._match
        for seat, session in self._sessions.items():
            session.tell(_TABLE, MatchBegun(seat, match.rules, self._key.bot_seed(seat)))
        for seat in SEATS:
            self._reply(seat, Turn(_TABLE, 0, None))
        told = 0
        while not match.over:
            public = public_deal(match)
            for seat in match.asked:
                self._turns[seat] += 1
                reply = self._reply(seat, Turn(_TABLE, self._turns[seat], view_of(match, seat, public)))
                assert not isinstance(reply, Ready | Failed)
                try:
                    match.do(seat, reply)
                except IllegalAction as error:
                    raise IllegalAnswer(f"deal {match.deal.number}, {seat}: {error}") from None
            for deal in match.finished()[told:]:
                told += 1
                self._tell(deal_ended(match, deal))
        self._tell(MatchEnded(Reason.PLAYED, match.winner, points_of(match)))

    def _reply(self, seat: Seat, turn: Turn) -> Reply:
        (answer,) = self._sessions[seat].answer([turn])
        if isinstance(answer.reply, Failed):
            raise BotFailed(seat, answer.reply.message)
        return answer.reply

    def _tell(self, event: Any) -> None:
        for session in self._sessions.values():
            session.tell(_TABLE, event)
