"""The rulebook: all of the game's rules, pure, and used by the referee and by bots that search.

One file an idea, read in this order: `ruleset` (the options), `actions` (what may be asked and
answered), `trick`, `scoring`, `signals`, `chant`, `draw`, then `deal` and `match`, which join them.
"""

from aluette.rules.actions import Action, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.chant import weakest
from aluette.rules.deal import Deal, Luck, MadeSignal
from aluette.rules.draw import Draw, draw_partners
from aluette.rules.match import Match
from aluette.rules.ruleset import STANDARD, RuleSet
from aluette.rules.scoring import DealScore, Kind, most_tricks, score_deal
from aluette.rules.signals import Drop, Sign, Signal, aces
from aluette.rules.trick import Trick, strongest

__all__ = [
    "STANDARD",
    "Action",
    "Ask",
    "Chant",
    "Cut",
    "Deal",
    "DealScore",
    "Discard",
    "Draw",
    "Drop",
    "Kind",
    "Look",
    "Luck",
    "MadeSignal",
    "Match",
    "Play",
    "RuleSet",
    "Sign",
    "Signal",
    "Trick",
    "aces",
    "draw_partners",
    "most_tricks",
    "score_deal",
    "strongest",
    "weakest",
]
