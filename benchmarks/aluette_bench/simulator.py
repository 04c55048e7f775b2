"""How fast the simulator is, against the rulebook playing the very same deals in the same run; worlds and open hands too.

`python -m aluette_bench.simulator [SECONDS]` prints the figures. All on one core; compiling is not part of any of them.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, Final

from aluette.cards import Card
from aluette.rules import Deal, Play, RuleSet
from aluette.seats import Side
from aluette.sim import Deals, SearchLimit, deal_consistent, from_rulebook, solve, to_rulebook, warm_up
from aluette.sim.rulebook import KnownPack
from aluette.view import Points, PublicDeal, View

__all__ = ["lines", "measure_simulator"]

PLAYS: Final = 36
TRICKS: Final = (3, 4, 5, 6)
_RULES: Final = RuleSet(chant="off", signals=False)
_DEALS: Final = 20_000
_CHECKED: Final = 100
_WORLDS: Final = 1000


def measure_simulator(seconds: float) -> dict[str, Any]:
    """Measure for about so many seconds in all; figures by name, rates for one second of one core."""
    warm_up()
    rng = random.Random("simulator")  # noqa: S311 - it deals, no secret
    share = seconds / (3 + len(TRICKS))
    plain, simulated = _play(rng, 2 * share)
    worlds = _rate(lambda: deal_consistent(_first_view(rng), _WORLDS, rng, rules=_RULES).size, share)
    solved = {tricks: _solve(tricks, rng, share) for tricks in TRICKS}
    nodes, took = (sum(one[part] for one in solved.values()) for part in ("nodes", "seconds"))
    return {
        "decisions_per_s": round(simulated),
        "rulebook_decisions_per_s": round(plain),
        "times_rulebook": round(simulated / plain, 1),
        "worlds_per_s": round(worlds),
        "solver_nodes_per_s": round(nodes / took),
        "solved_ms": {
            str(tricks): {
                "median": round(1000 * median(one["times"]), 3),
                "longest": round(1000 * max(one["times"]), 3),
                "solved": len(one["times"]) - one["given_up"],
                "given_up": one["given_up"],
            }
            for tricks, one in solved.items()
        },
    }


def _play(rng: random.Random, seconds: float) -> tuple[float, float]:
    """Decisions a second of the rulebook and of the simulator, in turn on the same deals until the time is up."""
    end = time.perf_counter() + seconds
    times = {"simulated": 0.0, "plain": 0.0}
    rounds = 0
    while not rounds or time.perf_counter() < end:
        deals = Deals.random(_DEALS, rng, rules=_RULES)
        times["simulated"] += _timed(deals.play_out, rng)
        played = [to_rulebook(deals, index) for index in range(_CHECKED)]
        again = [(Deal(_RULES, 1, deal.dealer, KnownPack(deal.pack)), deal.played) for deal in played]
        times["plain"] += _timed(_replay, again)
        assert [_points(deal) for deal, _ in again] == deals.points().tolist()[:_CHECKED]
        rounds += 1
    plain = PLAYS * _CHECKED * rounds / times["plain"]
    return plain, PLAYS * _DEALS * rounds / times["simulated"]


def _replay(deals: list[tuple[Deal, list[Card]]]) -> None:
    for deal, cards in deals:
        for card in cards:
            deal.do(deal.asked[0], Play(card))


def _points(deal: Deal) -> int:
    return deal.score.points if deal.score.side is Side.NS else -deal.score.points


def _first_view(rng: random.Random) -> View:
    """What the first to lead sees, with thirty-nine cards hidden."""
    deal = to_rulebook(Deals.random(1, rng, rules=_RULES), 0)
    (seat,) = deal.asked
    public = PublicDeal(1, deal.dealer, False, (), (), (), Points(0, 0))
    return View(seat, deal.phase, tuple(deal.hands[seat]), (), (), (), public)


def _solve(tricks: int, rng: random.Random, seconds: float) -> dict[str, Any]:
    """Solve endings of random deals with so many tricks left, until the time is up."""
    endings = _endings(tricks, rng)
    end = time.perf_counter() + seconds
    times: list[float] = []
    nodes = given_up = 0
    while not times or time.perf_counter() < end:
        deals = next(endings)
        began = time.perf_counter()
        try:
            nodes += solve(deals).nodes
        except SearchLimit as error:
            nodes += error.nodes
            given_up += 1
        times.append(time.perf_counter() - began)
    return {"times": times, "nodes": nodes, "seconds": sum(times), "given_up": given_up}


def _endings(tricks: int, rng: random.Random) -> Iterator[Deals]:
    while True:
        deal = to_rulebook(Deals.random(1, rng, rules=_RULES), 0)
        while len(deal.winners) < 9 - tricks:
            (seat,) = deal.asked
            deal.do(seat, Play(rng.choice(deal.hands[seat])))
        yield from_rulebook([deal])


def _rate(work: Callable[[], int], seconds: float) -> float:
    """How much is done in a second, of what `work` says it did."""
    began = time.perf_counter()
    done = 0
    while not done or time.perf_counter() - began < seconds:
        done += work()
    return done / (time.perf_counter() - began)


def _timed(work: Callable[..., object], *args: object) -> float:
    began = time.perf_counter()
    work(*args)
    return time.perf_counter() - began


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures for a person."""
    return [
        f"random playouts of whole deals: {figures['decisions_per_s']:,} decisions/s",
        f"the rulebook on the same deals: {figures['rulebook_decisions_per_s']:,} decisions/s; {figures['times_rulebook']} times",
        f"worlds that fit the first view: {figures['worlds_per_s']:,}/s",
        f"open hands: {figures['solver_nodes_per_s']:,} positions/s",
        *(
            f"the last {tricks} tricks: {one['median']} ms (median of {one['solved']}), longest {one['longest']} ms, "
            f"{one['given_up']} given up"
            for tricks, one in figures["solved_ms"].items()
        ),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines(measure_simulator(float(sys.argv[1]) if sys.argv[1:] else 10))) + "\n")
