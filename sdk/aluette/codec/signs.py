"""A signal as made, to and from the wire."""

from typing import Any, cast

from aluette.codec.tables import SIGNALS
from aluette.rules.signals import Sign, Signal
from aluette.v1 import game_pb2 as game

__all__ = ["read_sign", "write_sign"]


def write_sign(sign: Sign) -> bytes:
    """A `Sign`."""
    return game.Sign(signal=cast("Any", sign.signal), count=sign.count).SerializeToString()


def read_sign(message: game.Sign) -> Sign:
    """A sign, as received; a signal that this side does not know is the zero one, which the rulebook drops."""
    return Sign(SIGNALS.get(message.signal, Signal.UNKNOWN), message.count)
