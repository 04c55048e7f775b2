"""Have everything compiled before a clock runs."""

from random import Random

from aluette.rules.actions import Ask
from aluette.rules.ruleset import RuleSet
from aluette.seats import SEATS
from aluette.sim.deals import REFUSE, Deals
from aluette.sim.playout import playouts
from aluette.sim.rulebook import from_rulebook, to_rulebook
from aluette.sim.solver import solve
from aluette.view import Points, PublicDeal, View

__all__ = ["warm_up"]


def warm_up() -> None:
    """Use everything once, so that it is compiled, or read from numba's cache, now and not at the first move.

    Call it in `on_match_start`, or when your module is imported: that counts against the limit for getting ready.
    Without numba it takes a moment and does nothing.
    """
    rng = Random(0)  # noqa: S311 - no secret
    deals = Deals.random(1, rng)
    deals.legal_actions()
    deals.observations()
    deals.step([REFUSE])
    dealer = SEATS[0]
    hand = to_rulebook(deals, 0).hands[dealer.left]
    public = PublicDeal(1, dealer, False, (), (), (), Points(0, 0))
    view = View(dealer.left, Ask.PLAY, tuple(hand), (), (), (), public)
    playouts(view, 1, rng, rules=RuleSet(chant="off"))
    Deals.of_packs([range(1, 49)], [dealer])
    deals.play_out(rng)
    deals.to_play()
    deals.done()
    deals.points()
    solve(from_rulebook([to_rulebook(deals, 0)]))
