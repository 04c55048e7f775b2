"""The rulebook alone: whole matches in one process, without network, views or records."""

import time
from typing import Final

from aluette.packs import BlockKey, block_key, open_contest_key, pairing_id
from aluette.rules import STANDARD, Ask, Chant, Discard, Look, Match
from aluette.rules.actions import PLAYS

__all__ = ["measure_rulebook"]

_KEYS: Final = 50
_PLAY, _LOOK, _CHANT = Ask.PLAY, Ask.LOOK, Ask.CHANT  # before Python 3.12 an enum's member is slow to look up
_LOOKS, _NO = Look(), Chant(yes=False)


def measure_rulebook(seconds: float) -> float:
    """Matches a second of one core: packs, rules and scores, with the weakest card always played and every chant refused."""
    keys = [block_key(open_contest_key("bench"), pairing_id("one", "other"), n) for n in range(_KEYS)]
    played, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        for key in keys:
            _play(key)
        played += _KEYS
    return played / took


def _play(key: BlockKey) -> None:
    match = Match(STANDARD, key)
    while (asked := match.ask) is not None:
        for seat in match.asked:
            hand = match.deal.hands[seat]
            if asked is _PLAY:
                match.do(seat, PLAYS[hand[-1]])
            elif asked is _LOOK:
                match.do(seat, _LOOKS)
            elif asked is _CHANT:
                match.do(seat, _NO)
            else:
                match.do(seat, Discard(tuple(hand[-6:])))
