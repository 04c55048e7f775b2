"""From the numbers on the wire to the model's values: an index is quicker than calling an enum."""

from collections.abc import Sequence
from typing import Final, cast

from aluette.cards import CARDS, Card
from aluette.events import Reason
from aluette.rules.actions import Ask
from aluette.rules.scoring import Kind
from aluette.rules.signals import Drop, Signal
from aluette.seats import Seat, Side

__all__ = ["ASKS", "DROPS", "KINDS", "REASONS", "SEATS", "SIDES", "SIGNALS", "cards"]

ASKS: Final = (None, *Ask)
SEATS: Final = (None, *Seat)
SIDES: Final = (None, *Side)
DROPS: Final = (None, *Drop)
SIGNALS: Final = {int(signal): signal for signal in Signal}
KINDS: Final = (Kind.UNFINISHED, Kind.PLAIN, Kind.MORDIENNE, Kind.VOID)
REASONS: Final = (None, Reason.PLAYED, Reason.FAULT, Reason.VOID)
_CARD: Final = cast("tuple[Card, ...]", (None, *CARDS)).__getitem__


def cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    """The cards of a repeated field."""
    # The slice is a list made in one go; going through the message's own sequence takes five times as long.
    return tuple(map(_CARD, numbers[:]))
