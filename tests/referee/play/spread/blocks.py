"""Blocks to be played elsewhere, in tests, and engines that are not."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from aluette.packs import block_key
from aluette.rules import RuleSet
from aluette.seats import SEATS
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play.launch import resolve
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan
from aluette_referee.play.spread.unit import How

__all__ = ["HERE", "LIVE", "RULES", "Desk", "block", "write_bot"]

RULES = RuleSet(deals=1)
LIVE = How(Limits(connect=60.0, ready=60.0, move=60.0), Policy(), Bounds())
HERE = How(Limits(), Policy(), Bounds(), in_process=True)


def block(number: int, bots: Sequence[str | BotSpec], base: Path) -> list[MatchPlan]:
    """Both legs of a block of bots at N E S W; they change places after the first."""
    specs = [BotSpec(bot) if isinstance(bot, str) else bot for bot in bots]
    launches = [resolve(spec, base) for spec in specs]
    key = block_key(bytes(32), "spread", number)

    def leg(count: int) -> MatchPlan:
        turned = launches if count == 1 else [launches[place] for place in (1, 0, 3, 2)]
        chairs = {
            seat: Chair(Post(launch.content, int(seat), count), launch, f"team {launch.label}")
            for seat, launch in zip(SEATS, turned, strict=True)
        }
        return MatchPlan(f"m{number}-{count}", RULES, key, SEATS[number % 4], chairs)

    return [leg(1), leg(2)]


def write_bot(folder: Path) -> Path:
    """A bot in a file that imports another and reads a third."""
    (folder / "mine.py").write_text(
        "from pathlib import Path\n"
        "from choice import choose\n\n"
        "PLACE = int(Path(__file__).with_name('data').joinpath('place').read_text())\n\n"
        "def mine(view):\n    return choose(view.hand, PLACE)\n",
        encoding="utf-8",
    )
    (folder / "choice.py").write_text("def choose(hand, place):\n    return hand[place]\n", encoding="utf-8")
    (folder / "data").mkdir()
    (folder / "data" / "place").write_text("-1")
    return folder


class Desk:
    """An engine of which a test says what becomes of each call."""

    def __init__(
        self, answers: Callable[[int, bytes], bytes | Exception | None], *, slots: int = 100
    ) -> None:
        """`answers` gets how many calls there were before, and the data; None: it is not answered."""
        self._answers = answers
        self.slots = slots
        self.sees_files = True
        self.calls: list[bytes] = []
        self.open = 0
        self.most_open = 0

    def submit(self, _function: object, data: bytes) -> "Future[bytes]":
        """Answer at once."""
        future: Future[bytes] = Future()
        answer = self._answers(len(self.calls), data)
        self.calls.append(data)
        if isinstance(answer, Exception):
            future.set_exception(answer)
        elif answer is not None:
            future.set_result(answer)
        return future

    def close(self) -> None:
        """Nothing is left."""
