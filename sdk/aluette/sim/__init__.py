"""A fast simulator of deals, for bots that search and bots that learn.

    from aluette.sim import playouts

    class Searcher(aluette.Bot):
        def play(self, view):
            return playouts(view, 500, self.rng, rules=self.match.rules).best.action

`deal_consistent` draws worlds that fit what a seat knows, `playouts` tries each action in such worlds at random, `solve`
finds the best play of open hands, and `Deals` steps many deals at once. All plays by the rules of `aluette.rules`, some
hundred times faster where the extra `fast` (numba and numpy) is installed, and with the same results without it.
Cards are their strengths, 1 to 19; all chance comes from the `random.Random` that is passed. `rules=` are those of the
match, `self.match.rules`; what is passed wrongly is `aluette.Misuse`, with a sentence that says what must be.
"""

from aluette.sim.deals import ACTIONS, AGREE, REFUSE, Deals
from aluette.sim.kernel import Ints, uncompiled
from aluette.sim.observation import OBSERVATION, SEEN
from aluette.sim.playout import Estimate, Playouts, playouts
from aluette.sim.rulebook import from_rulebook, to_rulebook
from aluette.sim.solver import NODE_LIMIT, SearchLimit, Solution, solve
from aluette.sim.warming import warm_up
from aluette.sim.worlds import deal_consistent

__all__ = [
    "ACTIONS",
    "AGREE",
    "NODE_LIMIT",
    "OBSERVATION",
    "REFUSE",
    "SEEN",
    "Deals",
    "Estimate",
    "Ints",
    "Playouts",
    "SearchLimit",
    "Solution",
    "deal_consistent",
    "from_rulebook",
    "playouts",
    "solve",
    "to_rulebook",
    "uncompiled",
    "warm_up",
]
