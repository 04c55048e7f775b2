"""What the service says of itself: sentences for an operator, or every event as a line of JSON, with the ids it is about."""

import json
import sys
from collections.abc import Callable
from typing import Any, Final, Literal, get_args

from aluette_referee.report.visible import visible

__all__ = ["FORMS", "Form", "Journal"]

Form = Literal["text", "json"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)


class Journal:
    """Writes to stderr, or wherever it is told. In text only what an operator must know is said."""

    def __init__(
        self, form: Form, now: Callable[[], str], write: Callable[[str], object] = sys.stderr.write
    ) -> None:
        """Take the time, and where lines go."""
        self._form = form
        self._now = now
        self._write = write

    def tell(self, sentence: str, event: str = "notice", **about: Any) -> None:
        """Something that an operator must know."""
        if self._form == "text":
            self._write(f"{visible(sentence)}\n")
        else:
            self._note(event, {"text": sentence, **about})

    def note(self, event: str, **about: Any) -> None:
        """Something that happened."""
        if self._form == "json":
            self._note(event, about)

    def _note(self, event: str, about: dict[str, Any]) -> None:
        self._write(json.dumps({"at": self._now(), "event": event, **about}, ensure_ascii=False) + "\n")
