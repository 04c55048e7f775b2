"""A contest as its file describes it: teams of two bots, rules, clock, how much is played.

Values only. Reading them from a file is `contest.file`; where a bot is and how it is started is
`play.launch`, which also digests its content.
"""

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.faults import Policy

__all__ = [
    "PROFILES", "ROUND_ROBIN", "BotSpec", "Contest", "Entrant", "Format", "Isolation", "Keep", "Kind", "Profile", "Team",
    "digest_of",
]  # fmt: skip

Kind = Literal["round-robin", "gauntlet", "swiss", "knockout", "individual"]
Isolation = Literal["full", "shared"]
"""`full`: a process for each (team, slot, leg). `shared`: a process for each different bot."""
Keep = Literal["all", "faults"]
"""Whose record and logs are stored: those of all matches, or of those in which a bot made a fault."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as written: a built-in name, `file.py:Name`, `module:Name`, a command line, or `external`."""

    run: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Keywords for the bot's `__init__`."""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[str, ...] = ()
    """Further files and folders that belong to the bot: when one changes, the bot has changed."""


@dataclass(frozen=True, slots=True)
class Team:
    """Two bots that play as partners, slots 1 and 2; or one that is entered alone, where partners are drawn."""

    name: str
    bots: tuple[BotSpec, ...]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team with the content of its bots: a changed bot makes another entrant, which plays anew."""

    team: Team
    contents: tuple[str, ...]
    """A digest of each bot's content (`play.launch`)."""

    @property
    def name(self) -> str:
        """The team's name."""
        return self.team.name

    @property
    def id(self) -> str:
        """What the entrant is filed under: a digest of name and contents."""
        return digest_of("entrant", self.name, *self.contents)


class Profile(NamedTuple):
    """Settings that belong together, under a name; the file may change each."""

    limits: Limits
    policy: Policy


PROFILES: Final = {
    "strict": Profile(Limits(), Policy()),
    "league": Profile(Limits(bank=30.0), Policy(strikes=3)),
}
"""strict: any fault loses the match. league: a time bank, and three strikes."""


class Format(NamedTuple):
    """Who meets whom: its kind, and what is to be said of that kind (`contest.formats`)."""

    kind: Kind = "round-robin"
    challengers: int = 1
    """Of a gauntlet: so many first teams play all others."""
    rounds: int | None = None
    """Of a swiss; None: as many as a knockout would have."""
    extra_blocks: int = 4
    """Of a knockout: so many at most decide a tie."""

    @property
    def goes_by_results(self) -> bool:
        """Whether a round is only known when the one before is over: then no team can be replaced."""
        return self.kind in {"swiss", "knockout"}

    def __str__(self) -> str:
        match self.kind:
            case "gauntlet" if self.challengers > 1:
                return f"gauntlet of the first {self.challengers}"
            case "swiss" if self.rounds:
                return f"swiss, {self.rounds} rounds"
            case _:
                return self.kind


ROUND_ROBIN: Final = Format()


@dataclass(frozen=True, slots=True)
class Contest:
    """A whole contest. `seed` None means a secret key, from the operating system."""

    name: str
    teams: tuple[Team, ...]
    blocks: int = 1
    """Mirrored blocks for each pairing; of an individual contest, how often its movement is played."""
    format: Format = ROUND_ROBIN
    seed: int | str | None = None
    names: bool = False
    """Whether bots are told the names of the teams at their table."""
    isolation: Isolation = "full"
    rules: RuleSet = field(default_factory=RuleSet)
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    bounds: Bounds = field(default_factory=Bounds)
    keep: Keep = "all"
    """These two may change from run to run: they are the machine's, not the contest's."""


@functools.lru_cache(maxsize=1 << 12)  # ids are asked for again and again, soon after each other
def digest_of(*parts: str) -> str:
    """A short name derived from what it names: 12 letters and digits (60 bits of SHA-256)."""
    value = int.from_bytes(hashlib.sha256(json.dumps(parts).encode()).digest()) >> 196
    return "".join("0123456789abcdefghjkmnpqrstvwxyz"[value >> shift & 31] for shift in range(55, -1, -5))
