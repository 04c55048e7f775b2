"""Nothing reaches a seat that it may not know: what is sent to it is computed again from what it may know.

The knowledge of a seat is cut out of the record of a match: its own cards, what lay face up, the signals that it
made or saw. From that alone, by code that shares nothing with the referee's, comes every byte that it was sent.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from referee.play.memory import connected, converse
from rules.play import keys, rule_sets

from aluette.codec import TurnWriter
from aluette.packs import BlockKey
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.play.game import LiveGame
from aluette_referee.table import Table

HANDLES = {Seat.N: 9_000_000_000_000_000_001, Seat.E: 77, Seat.S: 5_000_000_000, Seat.W: 3}
LIMITS = Limits(ready=9.0, move=2.0, bank=5.0)

Sent = dict[Seat, list[wire.Event | wire.Turn]]


def played(rules: RuleSet, key: BlockKey, bot: str = "random") -> tuple[dict[str, Any], Sent]:
    """The record of a match over streams in memory, and every event and turn that was sent to each seat."""
    sent: Sent = {seat: [] for seat in SEATS}

    async def main() -> dict[str, Any]:
        async with connected(map(str, SEATS)) as found, trio.open_nursery() as nursery:
            for seat, (_, line) in zip(SEATS, found, strict=True):
                line.referee.send = partial(noting, sent[seat], line.referee.send)
                nursery.start_soon(converse, line, bot)
            players = {seat: player for seat, (player, _) in zip(SEATS, found, strict=True)}
            match = Match(rules, key)
            show = TurnWriter(match).write
            table = Table(match, key, HANDLES, dict.fromkeys(SEATS, LIMITS), show=show)
            game = LiveGame(table, players, HANDLES)
            game.begin()
            await game.over.wait()
            nursery.cancel_scope.cancel()
        assert game.outcome.record is not None
        return game.outcome.record

    return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0)), sent


def noting(sent: list, send: Any, response: wire.PlayResponse) -> None:
    copy = wire.PlayResponse.FromString(response)
    assert copy.WhichOneof("body") == "batch"
    sent += [*copy.batch.events, *copy.batch.turns]
    send(response)


# -- what a seat may know --------------------------------------------------------------------------

NAMES = [f"{rank}{suit}" for suit in "DCSB" for rank in "A23456789JQK"]
NUMBERS = {name: number for number, name in enumerate(NAMES, start=1)}
NAMED = ["3D", "3C", "2D", "2C", "9C", "9D", "2B", "2S"]
PLACES = {"N": 1, "E": 2, "S": 3, "W": 4}


def strength(name: str) -> int:
    if name in NAMED:
        return 19 - NAMED.index(name)
    return {"A": 11, "K": 10, "Q": 9, "J": 8}.get(name[0]) or int(name[0]) - 2


def knowledge(record: dict[str, Any], seat: str) -> list[dict[str, Any]]:
    """Of each deal what the seat may know, and nothing else."""
    partner = "NESW"[("NESW".index(seat) + 2) % 4]
    known = []
    for deal in record["deals"]:
        order = [("NESW".index(deal["dealer"]) + step) % 4 for step in (1, 2, 3, 4)]
        place = order.index("NESW".index(seat))
        own = [deal["pack"][12 * packet + 3 * place + card] for packet in range(3) for card in range(3)]
        known.append(
            {
                "own": own,
                "received": deal["received"][seat],
                "discards": deal["discards"][seat],
                "stock_dealt": any(deal["received"].values()),
                "sent": [signal for signal in deal["signals"] if signal["seat"] == seat],
                "seen": [
                    {name: signal[name] for name in ("when", "seat", "signal", "count")}
                    for signal in deal["signals"]
                    if signal["dropped"] is None and (signal["seat"] == partner or seat in signal["noticed"])
                ],
                **{name: deal[name] for name in ("dealer", "votes", "leaders", "tricks", "winners", "score")},
            }
        )
    return known


# -- and what it is sent ---------------------------------------------------------------------------


class Teller:
    """Writes down what one seat is told and asked."""

    def __init__(self, rules: RuleSet, seat: Seat, known: list[dict[str, Any]], key: BlockKey) -> None:
        self.rules, self.seat, self.known = rules, seat, known
        self.seed = key.bot_seed(seat)
        self.table = HANDLES[seat]
        self.number = 0

    def messages(self, result: dict[str, Any]) -> Iterator[wire.Event | wire.Turn]:
        begun = wire.MatchBegun(
            seat=int(self.seat), rules=self.rules.identity, seed=self.seed, move_limit_ms=2000, ready_limit_ms=9000,
            bank_ms=5000,
        )  # fmt: skip
        yield wire.Event(table=self.table, match_begun=begun)
        yield wire.Turn(table=self.table, asked=game.ASK_READY)
        points = [0, 0]
        for number, deal in enumerate(self.known, start=1):
            yield from self.deal(number, deal, points)
            before = list(points)
            score = deal["score"]
            if score["side"]:
                points[score["side"] == "EW"] += score["points"]
            kinds = {"unfinished": 0, "plain": 1, "mordienne": 2, "void": 3}
            ended = wire.DealEnded(
                deal=self.public(number, deal, before, 36, len(deal["votes"]), dealt=deal["stock_dealt"]),
                score=game.DealScore(
                    side={"NS": 1, "EW": 2, None: 0}[score["side"]], points=score["points"],
                    seat=PLACES.get(score["player"], 0), kind=kinds[score["kind"]],
                ),
                points_ns=points[0], points_ew=points[1],
            )  # fmt: skip
            yield wire.Event(table=self.table, deal_ended=ended)
        winner = {"NS": 1, "EW": 2, None: 0}[result["winner"]]
        over = wire.MatchEnded(reason=1, winner=winner, points_ns=result["NS"], points_ew=result["EW"])
        yield wire.Event(table=self.table, match_ended=over)

    def deal(self, number: int, deal: dict[str, Any], points: list[int]) -> Iterator[wire.Turn]:
        me, dealer = self.seat.name, deal["dealer"]
        if self.rules.cut == "player" and me == "NESW"[("NESW".index(dealer) + 3) % 4]:
            yield self.turn(game.ASK_CUT, [], self.public(number, deal, points, 0, 0), deal, "cut")
        if self.rules.signals:
            yield self.turn(game.ASK_LOOK, deal["own"], self.public(number, deal, points, 0, 0), deal, "look")
        for voted, (voter, _) in enumerate(deal["votes"]):
            if voter == me:
                public = self.public(number, deal, points, 0, voted)
                yield self.turn(game.ASK_CHANT, deal["own"], public, deal, "chant")
        votes = len(deal["votes"])
        if deal["received"]:
            hand = [*deal["own"], *deal["received"]]
            public = self.public(number, deal, points, 0, votes, dealt=True)
            yield self.turn(game.ASK_DISCARD, hand, public, deal, "discard")
        hand = [card for card in [*deal["own"], *deal["received"]] if card not in deal["discards"]]
        for trick, (leader, cards) in enumerate(zip(deal["leaders"], deal["tricks"], strict=True)):
            place = ("NESW".index(me) - "NESW".index(leader)) % 4
            public = self.public(number, deal, points, 4 * trick + place, votes, dealt=deal["stock_dealt"])
            yield self.turn(game.ASK_PLAY, hand, public, deal, 4 * trick + place)
            hand = [card for card in hand if card != cards[place]]

    def public(
        self,
        number: int,
        deal: dict[str, Any],
        points: list[int],
        cards: int,
        votes: int,
        *,
        dealt: bool = False,
    ) -> game.PublicDeal:
        played = [NUMBERS[card] for trick in deal["tricks"] for card in trick][:cards]
        winners = [PLACES.get(winner, 0) for winner in deal["winners"]][: cards // 4]
        return game.PublicDeal(
            number=number, dealer=PLACES[deal["dealer"]], stock_dealt=dealt,
            votes=[yes for _, yes in deal["votes"]][:votes], cards=played, winners=winners,
            points_ns=points[0], points_ew=points[1],
        )  # fmt: skip

    def turn(
        self,
        asked: int,
        hand: list[str],
        public: game.PublicDeal,
        deal: dict[str, Any],
        now: Any,
    ) -> wire.Turn:
        self.number += 1
        order = sorted(hand, key=lambda name: (-strength(name), NUMBERS[name]))
        turn = wire.Turn(
            table=self.table, number=self.number, asked=asked, hand=[NUMBERS[name] for name in order], deal=public,
            time_left_ms=7000,
        )  # fmt: skip
        if asked == game.ASK_PLAY:
            turn.discards.extend(NUMBERS[name] for name in deal["discards"])
        for entry in deal["sent"]:
            if moment_of(entry["when"]) < moment_of(now):
                dropped = game.Drop.Value(f"DROP_{entry['dropped'].upper()}") if entry["dropped"] else 0
                turn.sent.add(**self.moment(entry["when"]), sign=self.sign(entry), dropped=dropped)
        # The chant and the discards are asked one seat after the other, from the dealer's left.
        order_of = {seat: ("NESW".index(seat) - "NESW".index(deal["dealer"]) - 1) % 4 for seat in "NESW"}
        for entry in deal["seen"]:
            then = (moment_of(entry["when"]), order_of[entry["seat"]] if entry["when"] != "look" else -1)
            if then < (moment_of(now), order_of[self.seat.name] if now != "look" else -1):
                turn.seen.add(**self.moment(entry["when"]), sign=self.sign(entry), seat=PLACES[entry["seat"]])
        return turn

    @staticmethod
    def sign(entry: dict[str, Any]) -> game.Sign:
        return game.Sign(signal=game.Signal.Value(f"SIGNAL_{entry['signal']}"), count=entry["count"])

    @staticmethod
    def moment(when: str) -> dict[str, int]:
        if when in ORDER:
            return {"asked": game.Ask.Value(f"ASK_{when.upper()}"), "played": 0}
        return {"asked": game.ASK_PLAY, "played": cards_before(when)}


def cards_before(when: str) -> int:
    """How many cards had been played at `trick.card`."""
    trick, card = map(int, when.split("."))
    return 4 * (trick - 1) + card - 1


def moment_of(when: str | int) -> int:
    """Moments of a deal in their order, in the record's words or by the cards played before."""
    if isinstance(when, int):
        return 10 + when
    return ORDER[when] if when in ORDER else 10 + cards_before(when)


ORDER = {"cut": 0, "look": 1, "chant": 2, "discard": 3}


def sent_as_expected(rules: RuleSet, key: BlockKey) -> None:
    record, sent = played(rules, key)
    for seat in SEATS:
        known = knowledge(record, seat.name)
        expected = list(Teller(rules, seat, known, key).messages(record["result"]))
        found = sent[seat]
        for place, (ours, theirs) in enumerate(zip(expected, found, strict=False)):
            assert ours.SerializeToString() == theirs.SerializeToString(), (seat, place, ours, theirs)
        assert len(expected) == len(found)


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(rule_sets(max_deals=2), keys)
def test_every_byte_for_a_seat_follows_from_what_it_may_know(rules, key):
    if rules.seating == "fixed":
        sent_as_expected(rules, key)


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(),
        RuleSet(chant="always"),
        RuleSet(cut="player", notice=1.0),
        RuleSet(signals=False, chant="off"),
    ],
    ids=str,
)
def test_every_byte_of_whole_matches_follows_too(rules):
    for seed in range(3):
        sent_as_expected(rules, BlockKey(random.Random(seed).randbytes(32)))


# -- partners --------------------------------------------------------------------------------------

PUBLIC = {
    "event.match_begun.rules", "event.match_begun.move_limit_ms", "event.match_begun.ready_limit_ms",
    "event.match_begun.bank_ms", "event.deal_ended", "event.match_ended", "turn.number", "turn.asked", "turn.deal",
    "turn.time_left_ms",
}  # fmt: skip
"""What two processes at one table both get, because the game, the rules and the clock are public."""
PRIVATE = {
    "event.table", "event.match_begun.seat", "event.match_begun.seed", "turn.table", "turn.hand", "turn.discards",
    "turn.sent", "turn.seen",
}  # fmt: skip


def fields(message: Any, name: str) -> Iterator[tuple[str, object]]:
    for field, value in message.ListFields():
        path = f"{name}.{field.name}"
        if path == "event.match_begun":
            yield from fields(value, path)
        else:
            yield path, value


@pytest.mark.parametrize("seed", range(3))
def test_no_two_processes_at_a_table_get_anything_in_common_but_what_is_public(seed):
    _, sent = played(RuleSet(), BlockKey(random.Random(seed).randbytes(32)), "careful")
    got: dict[Seat, dict[str, set[str]]] = {seat: {} for seat in SEATS}
    for seat, messages in sent.items():
        for message in messages:
            for path, value in fields(message, "turn" if isinstance(message, wire.Turn) else "event"):
                # The last card of a hand may be another's in another deal.
                deal = message.deal.number if isinstance(message, wire.Turn) else 0
                got[seat].setdefault(path, set()).add(f"{deal}: {value}")
    assert {path for paths in got.values() for path in paths} <= PUBLIC | PRIVATE, (
        "a new field: is it public?"
    )
    for one in SEATS:
        for other in SEATS:
            if one is not other:
                shared = {path for path in PRIVATE if got[one].get(path, set()) & got[other].get(path, set())}
                # What both saw of a third, and having no cards or signals in hand, is no mark of theirs.
                assert shared <= {"turn.seen", "turn.sent"}, (one, other, shared)
