"""The ten-line tutorial: a whole bot is one method."""

import aluette


class Lowest(aluette.Bot):
    """Always plays its weakest card: the shortest bot there is."""

    def play(self, view: aluette.View) -> aluette.Card:
        """The weakest card of the hand."""
        return min(view.hand, key=lambda card: card.strength)


if __name__ == "__main__":
    aluette.run(Lowest)
