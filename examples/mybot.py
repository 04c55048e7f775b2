"""The bot that `aluette new` writes.

Play it:

aluette match mybot.py:MyBot careful mybot.py:MyBot careful
aluette match mybot.py:MyBot careful --blocks 50
"""

import aluette


class MyBot(aluette.Bot):
    """Takes a trick when it can do so last, and saves its strength otherwise."""

    # The game in short: four players, N and S against E and W, nine tricks. Any card may be played; the
    # strongest wins the trick. If the strongest tie, the trick is spoiled: nobody wins it. The side of the
    # *player* with most tricks scores the deal (partners' tricks are never added), at equal most whoever
    # reached that number first. A match is five deals.

    def play(self, view: aluette.View) -> aluette.Card:
        """Choose a card of `view.hand`; the only method that must be there."""
        # view.hand is strongest first; card.strength goes from 19 (3D, Monsieur) down to 1.
        weakest = view.hand[-1]
        if view.position < 3:  # somebody plays after me
            return weakest
        # Last to play: `view.trick.cards` are the three on the table.
        to_beat = max(card.strength for card in view.trick.cards)
        winners = [card for card in view.hand if card.strength > to_beat]
        return min(winners, key=lambda card: card.strength, default=weakest)

    # More that you may decide. Delete what you do not want: these are the defaults.

    def look(self, view: aluette.View) -> aluette.Signal | aluette.Sign | None:
        """First look at the cards: signal something to your partner, or nothing.

        `aluette.Signal.MADAME` says "I hold 3C", `aluette.aces(2)` "I hold two aces". Your partner
        always sees it, each opponent perhaps. A signal may come with any answer: `return card, signal`.
        What you see of others is in `view.seen`.
        """
        return None

    def chant(self, view: aluette.View) -> bool:
        """Agree that the dealer and the dealer's left get six more cards each? All four must."""
        return False

    def discard(self, view: aluette.View) -> tuple[aluette.Card, ...]:
        """You got six more cards: name six of your fifteen to put aside."""
        return aluette.weakest(view.hand)

    def on_deal_end(self, ended: aluette.DealEnded) -> None:
        """A deal is over: `ended.deal.tricks`, `ended.score`, `ended.totals`."""


if __name__ == "__main__":
    aluette.run(MyBot)
