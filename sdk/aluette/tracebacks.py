"""Tracebacks for the author of a bot: they begin where the bot's own code does."""

import traceback
from types import FrameType
from typing import Final

__all__ = ["MOST", "own_traceback"]

MOST: Final = 20_000
"""Characters of a traceback that are kept: a message may be as long as memory."""

_NOT_THE_BOTS = frozenset({"aluette", "importlib", "_frozen_importlib", "_frozen_importlib_external"})


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception as text, without the SDK's frames that come before the bot's.

    When there are none of the bot's it is whole, but for a file that is no Python: that says its own place.
    """
    kept = error.__traceback__
    while kept is not None and _is_not_the_bots(kept.tb_frame):
        kept = kept.tb_next
    if kept is None and not isinstance(error, SyntaxError):
        kept = error.__traceback__
    # It may hold half a character, which neither a message nor a terminal can.
    text = "".join(traceback.format_exception(type(error), error, kept))
    if len(text) > MOST:
        left_out = f"\n[{len(text) - MOST} characters were left out here]\n"
        text = text[: MOST // 2] + left_out + text[-MOST // 2 :]
    return text.encode(errors="backslashreplace").decode()


def _is_not_the_bots(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] in _NOT_THE_BOTS
