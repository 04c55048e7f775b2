"""The few forms of protobuf's wire format that turns, answers and events are made of.

To set a message's fields one by one costs Python about ten times what it costs to join their bytes. Field
numbers and types are those of the generated code; what is written here is read by protobuf alone.
"""

import functools
from collections.abc import Iterable
from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

__all__ = ["all_framed", "fixed64", "framed", "packed", "tag", "varint"]

_VARINT, _FIXED64, _LENGTH = 0, 1, 2
_WIRE_TYPES: Final = {
    FieldDescriptor.TYPE_FIXED64: _FIXED64,
    FieldDescriptor.TYPE_MESSAGE: _LENGTH,
    FieldDescriptor.TYPE_STRING: _LENGTH,
}


def tag(kind: type[Message], name: str) -> bytes:
    """What stands before a value of that field; before all of them together where it is repeated and packed."""
    field = kind.DESCRIPTOR.fields_by_name[name]
    wire_type = _LENGTH if field.is_packed else _WIRE_TYPES.get(field.type, _VARINT)
    return varint(field.number << 3 | wire_type)


@functools.lru_cache(maxsize=4096)
def varint(value: int) -> bytes:
    """A number from 0, a flag, or a length."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def fixed64(value: int) -> bytes:
    """A number from 0 below 2**64."""
    return value.to_bytes(8, "little")


def packed(before: bytes, values: Iterable[int]) -> bytes:
    """A repeated field of numbers below 128, such as cards, seats and flags, after its tag; nothing when empty."""
    written = bytes(values)
    return b"".join((before, varint(len(written)), written)) if written else b""


def framed(before: bytes, message: bytes) -> bytes:
    """A message inside another, after its tag."""
    return b"".join((before, varint(len(message)), message))


def all_framed(before: bytes, messages: Iterable[bytes]) -> bytes:
    """A repeated field of messages, the tag before each."""
    parts: list[bytes] = []
    for message in messages:
        parts += (before, varint(len(message)), message)
    return b"".join(parts)
