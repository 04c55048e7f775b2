"""The form of a match record: its fields in their order, and the type of each value.

A record comes from a file that anybody may have written. This is checked before it is played again, so
that `aluette.record` can read it without asking; whether it is *true* is decided there. The same form,
for people and for other programs, is in docs/record.schema.json.
"""

from collections.abc import Callable, Iterable
from reprlib import repr as short
from typing import Final, cast

from aluette.cards import CARDS
from aluette.errors import RecordError
from aluette.rules.scoring import Kind
from aluette.rules.signals import Drop, Signal
from aluette.seats import SEATS, Side
from aluette.version import RECORD_FORMAT

__all__ = ["check_shape"]

_Shape = Callable[[object, str], None]
"""Takes a value and its place in the record; raises `RecordError` when the value has another form."""


def check_shape(record: object) -> None:
    """Raise `RecordError` with the first place where `record` has not the form of a match record."""
    # The number first: a record of another format has another form, and that is what to say of it.
    found = (_fields(record) or {}).get("format", RECORD_FORMAT)
    if type(found) is not int or found != RECORD_FORMAT:
        raise RecordError(f"record format {short(found)} is not {RECORD_FORMAT}, the one known here")
    _RECORD(record, "")


def _fields(value: object) -> dict[str, object] | None:
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def _items(value: object) -> list[object] | None:
    return cast("list[object]", value) if isinstance(value, list) else None


def _wrong(place: str, value: object, wanted: str) -> RecordError:
    return RecordError(f"{place or 'the record'} is {short(value)}, not {wanted}")


def _kind(kind: type, wanted: str) -> _Shape:
    def check(value: object, place: str) -> None:
        # Exactly: a bool is an int to Python, and another thing in a record.
        if type(value) is not kind:
            raise _wrong(place, value, wanted)

    return check


def _number(value: object, place: str) -> None:
    # As on the wire: not below zero, and no more than 32 bits.
    if type(value) is not int or not 0 <= value < 2**32:
        raise _wrong(place, value, "a whole number")


def _word(words: Iterable[str], wanted: str = "") -> _Shape:
    known = tuple(words)
    wanted = wanted or f"one of {', '.join(known)}"
    quick = frozenset(known)

    def check(value: object, place: str) -> None:
        if not isinstance(value, str) or value not in quick:
            raise _wrong(place, value, wanted)

    return check


def _null_or(shape: _Shape) -> _Shape:
    def check(value: object, place: str) -> None:
        if value is not None:
            shape(value, place)

    return check


def _list_of(shape: _Shape) -> _Shape:
    def check(value: object, place: str) -> None:
        items = _items(value)
        if items is None:
            raise _wrong(place, value, "a list")
        for number, item in enumerate(items, start=1):
            shape(item, f"{place}.{number}")

    return check


def _pair_of(*shapes: _Shape) -> _Shape:
    def check(value: object, place: str) -> None:
        items = _items(value)
        if items is None or len(items) != len(shapes):
            raise _wrong(place, value, f"a list of {len(shapes)}")
        for number, (item, shape) in enumerate(zip(items, shapes, strict=True), start=1):
            shape(item, f"{place}.{number}")

    return check


def _object(**shapes: _Shape) -> _Shape:
    def check(value: object, place: str) -> None:
        fields = _fields(value)
        if fields is None:
            raise _wrong(place, value, "an object")
        if list(fields) != list(shapes):
            raise _wrong(place, list(fields), f"the fields {', '.join(shapes)} in this order")
        for name, shape in shapes.items():
            shape(fields[name], f"{place}.{name}" if place else name)

    return check


def _each_seat(shape: _Shape) -> _Shape:
    return _object(**{seat.name: shape for seat in SEATS})


_SEAT: Final = _word(seat.name for seat in SEATS)
_SIDE: Final = _word(side.name for side in Side)
_CARDS: Final = _list_of(_word(map(str, CARDS), "a card"))
_TEXT: Final = _kind(str, "a text")

_SIGNAL: Final = _object(
    when=_TEXT,
    seat=_SEAT,
    signal=_word(signal.name for signal in Signal),
    count=_number,
    noticed=_list_of(_SEAT),
    dropped=_null_or(_word(drop.name.lower() for drop in Drop)),
)
_DEAL: Final = _object(
    dealer=_SEAT,
    cut=_number,
    pack=_CARDS,
    votes=_list_of(_pair_of(_SEAT, _kind(bool, "true or false"))),
    received=_each_seat(_CARDS),
    discards=_each_seat(_CARDS),
    signals=_list_of(_SIGNAL),
    leaders=_list_of(_SEAT),
    tricks=_list_of(_CARDS),
    winners=_TEXT,
    score=_object(
        side=_null_or(_SIDE), points=_number, player=_null_or(_SEAT), kind=_word(kind.value for kind in Kind)
    ),
)
_RECORD: Final = _object(
    format=_number,
    rules=_TEXT,
    first_dealer=_SEAT,
    draw=_null_or(_object(first=_SEAT, cards=_CARDS, chairs=_each_seat(_SEAT))),
    result=_object(
        **{side.name: _number for side in Side},
        winner=_null_or(_SIDE),
        fault=_null_or(_object(type=_TEXT, seat=_SEAT, deal=_number, trick=_number)),
    ),
    deals=_list_of(_DEAL),
)
