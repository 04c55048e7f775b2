"""`python -m aluette BOT`: run a bot that is a class or a function as a process of its own.

BOT is a built-in name, `file.py:Name` or `package.module:Name`. This is how the referee starts them.
"""

import sys
from typing import Final

from aluette.client import run
from aluette.errors import Misuse
from aluette.loading import load_bot
from aluette.tracebacks import own_traceback

__all__ = ["main"]

_USAGE: Final = "usage: python -m aluette BOT [--server ADDRESS] [--token TOKEN] [--options JSON]\n"


def main() -> None:
    """Load the bot named by the first argument, and run it."""
    if len(sys.argv) < 2:
        sys.stderr.write(_USAGE)
        sys.exit(2)
    if sys.argv[1] in ("-h", "--help"):
        sys.stdout.write(_USAGE)
        return
    spec = sys.argv.pop(1)
    try:
        bot = load_bot(spec)
    except Misuse as error:
        # The bot's own error first, then the sentence: its author needs both.
        if error.__cause__ is not None:
            sys.stderr.write(own_traceback(error.__cause__))
        sys.stderr.write(f"aluette: {error}\n")
        sys.exit(2)
    run(bot, name=spec.rpartition(":")[2])


if __name__ == "__main__":
    main()
