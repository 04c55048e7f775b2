"""What a bot printed, so that a terminal shows it and does not obey it."""

from typing import Final

__all__ = ["visible"]

_KEPT: Final = frozenset("\n\t")


def visible(text: str) -> str:
    r"""The text with `\x1b` and the like for what would move a cursor, set a title or colour: all but lines and tabs."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in _KEPT else char.encode("unicode_escape").decode()
        for char in text
    )
