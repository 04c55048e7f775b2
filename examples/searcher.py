"""A bot that searches: it tries every card in a few hundred worlds that fit what it has seen.

Play it:

aluette match searcher.py:Searcher careful --blocks 20 --in-process
"""

import aluette
from aluette.sim import playouts, warm_up

PLAYOUTS = 400


class Searcher(aluette.Bot):
    """Answers what did best when everybody then played at random."""

    def on_match_start(self, match: aluette.MatchState) -> None:
        warm_up()  # compiles now, on the time for getting ready

    def look(self, view: aluette.View) -> aluette.Signal | None:
        """Show the partner the strongest card, if it has a name."""
        return next((signal for signal in aluette.Signal if signal.card is view.hand[0]), None)

    def chant(self, view: aluette.View) -> bool:
        return playouts(view, PLAYOUTS, self.rng, rules=self.match.rules).best.action

    def play(self, view: aluette.View) -> aluette.Card:
        return playouts(view, PLAYOUTS, self.rng, rules=self.match.rules).best.action


if __name__ == "__main__":
    aluette.run(Searcher)
