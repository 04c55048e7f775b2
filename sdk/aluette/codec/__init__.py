"""Between the model and the wire: views, events and answers to and from `aluette.v1` messages.

Nothing is decided here. What a *referee* sent is trusted; `read_move` reads what a *bot* sent, trusts
nothing, and raises `Malformed`. Both ends use this one package, so that they cannot differ.

What travels thousands of times a second is written as bytes (`fields`), and joined: `writing_turns` and `events`
make batches of them, `answers` makes moves. Everything is read by protobuf.
"""

from aluette.codec.answers import FAILED_SIZE, Malformed, read_move, write_answer, write_moves
from aluette.codec.events import read_event, write_event
from aluette.codec.reading_turns import read_turn
from aluette.codec.writing_turns import TurnWriter, Written, write_batch, write_turn

__all__ = [
    "FAILED_SIZE", "Malformed", "TurnWriter", "Written", "read_event", "read_move", "read_turn", "write_answer",
    "write_batch", "write_event", "write_moves", "write_turn",
]  # fmt: skip
