"""What each action is worth when everybody then plays at random: the simplest search there is.

Every action is tried in the same worlds (`aluette.sim.worlds`), and each trial is played to the end of the deal as
`Deals.play_out` does. Nothing here weighs the match score, or how well others play.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

from aluette.cards import STRENGTH, Card
from aluette.errors import IllegalAction, Misuse
from aluette.rules.actions import Ask
from aluette.rules.chant import verify_discards
from aluette.rules.ruleset import STANDARD, RuleSet
from aluette.seats import Side
from aluette.sim import state
from aluette.sim.agreement import verify_view
from aluette.sim.arguments import items, verify_random, whole
from aluette.sim.deals import AGREE, REFUSE
from aluette.sim.generator import generator
from aluette.sim.kernel import Ints, integers, kernel, run, zeros
from aluette.sim.worlds import draw_worlds
from aluette.view import View

__all__ = ["Estimate", "Playouts", "Tried", "playouts"]

Tried = Card | bool | Sequence[Card]
"""An action as a bot answers it: a card to play, a vote, or six discards."""
A = TypeVar("A", bound=Tried)


class Estimate(NamedTuple, Generic[A]):
    """What came of one action: mean points of the seat's side minus the other's, -2 to 2."""

    action: A
    playouts: int
    mean: float
    deviation: float
    """Standard deviation of one playout."""

    @property
    def error(self) -> float:
        """Standard error of the mean. The same worlds serve all actions, so differences are surer than this says."""
        return self.deviation / sqrt(self.playouts)


class Playouts(NamedTuple, Generic[A]):
    """One estimate for each action, in the order that they were given in."""

    estimates: tuple[Estimate[A], ...]

    @property
    def best(self) -> Estimate[A]:
        """The highest mean; of equal ones the last, which by default is the weakest card."""
        return max(reversed(self.estimates), key=lambda estimate: estimate.mean)


@overload
def playouts(view: View, n: int, rng: Random, *, rules: RuleSet = STANDARD) -> Playouts[Any]: ...
@overload
def playouts(
    view: View, n: int, rng: Random, *, rules: RuleSet = STANDARD, actions: Iterable[A]
) -> Playouts[A]: ...
def playouts(
    view: View, n: int, rng: Random, *, rules: RuleSet = STANDARD, actions: Iterable[Tried] | None = None
) -> Playouts[Any]:
    """Play each action out at random, once in each of `n` worlds that fit the view.

    By default the actions are all cards of the hand at a play (equal strengths share their playouts), and yes and no at
    the chant. Of the 5005 possible discards those to be compared must be given, six cards of the hand each. After the
    action votes are at evens, receivers put their weakest six aside, and each card of a hand is as likely. A look or a
    cut changes nothing that follows, so there `Misuse` is raised, as for an action of another kind, no action at all, n
    below 1, and a view that `deal_consistent` refuses; `IllegalAction` for what the rules do not allow.
    """
    verify_view(view, rules)
    verify_random(rng)
    n = whole("n", n, 1)
    tried = _default(view) if actions is None else tuple(items("actions", actions, "actions to compare"))
    if not tried:
        raise Misuse("no actions are given to compare")
    codes = [_codes(view, rules, action) for action in tried]
    distinct = list(dict.fromkeys(codes))
    worlds = draw_worlds(view, n, rng, rules)
    sums, scratch = zeros(2 * len(distinct)), zeros(state.ROW)
    flat = integers([code for action in distinct for code in action])
    run(_play_out, worlds.rows, flat, len(distinct), scratch, sums, generator(rng))
    totals = sums.tolist()
    sign = 1 if view.side is Side.NS else -1
    estimates: list[Estimate[Tried]] = []
    for action, code in zip(tried, codes, strict=True):
        place = distinct.index(code)
        mean = totals[2 * place] / n
        deviation = sqrt(max(0.0, totals[2 * place + 1] / n - mean * mean))
        estimates.append(Estimate(action, n, sign * mean, deviation))
    return Playouts(tuple(estimates))


def _default(view: View) -> tuple[Tried, ...]:
    if view.asked is Ask.PLAY:
        return view.hand
    if view.asked is Ask.CHANT:
        return (True, False)
    if view.asked is Ask.DISCARD:
        raise Misuse("a hand of fifteen has 5005 discards: name the ones to compare")
    raise Misuse("playouts compare plays, votes or discards, and this seat is asked for none of them")


def _codes(view: View, rules: RuleSet, action: object) -> tuple[int, ...]:
    """The action as the simulator's actions, one or six; raises `IllegalAction` as the rulebook would."""
    if view.asked is Ask.PLAY and isinstance(action, Card):
        if action not in view.hand:
            raise IllegalAction(f"{action} is not allowed here: it is not in the hand")
        return (STRENGTH[action],)
    if view.asked is Ask.CHANT and isinstance(action, bool):
        return (AGREE if action else REFUSE,)
    if view.asked is Ask.DISCARD and isinstance(action, tuple | list):
        cards = [card for card in cast("Sequence[object]", action) if isinstance(card, Card)]
        if len(cards) == len(cast("Sequence[object]", action)):
            verify_discards(rules, view.hand, cards)
            return tuple(sorted(STRENGTH[card] for card in cards))
    raise Misuse(f"{action!r} is no answer to what this seat is asked")


@kernel
def _play_out(  # noqa: PLR0917 - a kernel takes no keywords
    worlds: Ints, actions: Ints, count: int, scratch: Ints, sums: Ints, words: Ints
) -> None:
    """Add up points and their squares by action."""
    length = len(actions) // count
    at = len(scratch) - state.ROW
    for start in range(0, len(worlds), state.ROW):
        for action in range(count):
            state.copy(worlds, start, scratch, at, state.ROW)
            for step in range(length):
                state.act(scratch, at, actions[action * length + step])
            state.finish(scratch, at, words)
            gained = state.points(scratch, at)
            sums[2 * action] += gained
            sums[2 * action + 1] += gained * gained
