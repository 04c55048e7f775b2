"""The league's file: `league.toml` in its folder, as `init` writes it and people change it.

Pure: text in, `Settings` out, or every mistake at once, each with its place. What is left out is as written here.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, Final, Literal

from pydantic import Field, ValidationError

from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import PROFILES
from aluette_referee.contest.file import wrong_faults, wrong_rules
from aluette_referee.contest.file_mistakes import Keys, placed, worded
from aluette_referee.contest.file_tables import (
    UNSET,
    Clean,
    ClockTable,
    FaultsTable,
    LimitsTable,
    Name,
    SecondsOrZero,
    Table,
)
from aluette_referee.contest.toml_text import MARK, FileMistakes, parsed
from aluette_referee.faults import Policy
from aluette_referee.league.pairing import Mode

__all__ = ["TEMPLATE", "Addresses", "Settings", "read_settings"]

Registration = Literal["open", "closed"]


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a league is reached, and with what: for bots over gRPC, for people over HTTP."""

    bots: str = "127.0.0.1:7000"
    web: str = "127.0.0.1:8000"
    tls_cert: str = ""
    tls_key: str = ""
    """PEM files for both; paths are relative to the league's folder."""
    public: str = ""
    """The host's name as people and bots know it, if that is another than it calls itself."""
    insecure: bool = False
    """Whether other machines may come without TLS."""

    @property
    def tls_files(self) -> tuple[str, str]:
        """The chain and its key."""
        return self.tls_cert, self.tls_key


@dataclass(frozen=True, slots=True)
class Settings:
    """How a league is run. Times in seconds."""

    name: str
    mode: Mode = "teams"
    registration: Registration = "open"
    """Whether owners may register themselves on the web, or an operator does it."""
    tables: int = 64
    """Matches at once."""
    tables_each: int = 4
    """Of one version of a bot at once."""
    streams_each: int = 4
    """Streams of one version: processes, on one machine or several."""
    spacing: float = 10.0
    """From the beginning of a match to the next one of the same opponents."""
    settled: float = 100.0
    """Elo points: whose interval reaches further to either side is provisional."""
    inactive_days: int = 7
    """Whose last rated match is so long ago has no rank."""
    crash_limit: int = 5
    """A version that was lost so often within a day is benched."""
    delay: float = 0.0
    """By which live tables are shown later."""
    names: bool = False
    """Whether bots are told who sits at their table."""
    database: str = ""
    """A `postgresql://` URL; a file in the league's folder if there is none."""
    rules: RuleSet = field(default_factory=RuleSet)
    limits: Limits = PROFILES["league"].limits
    policy: Policy = PROFILES["league"].policy
    bounds: Bounds = field(default_factory=lambda: Bounds(sandbox="bubblewrap"))
    addresses: Addresses = field(default_factory=Addresses)


class _League(Table):
    name: Name
    mode: Mode = UNSET
    registration: Registration = UNSET
    tables: Annotated[int, Field(ge=1, le=10_000)] = UNSET
    tables_each: Annotated[int, Field(ge=1, le=1000)] = UNSET
    streams_each: Annotated[int, Field(ge=1, le=64)] = UNSET
    spacing: SecondsOrZero = UNSET
    settled: Annotated[float, Field(gt=0, le=1000, strict=False)] = UNSET
    inactive_days: Annotated[int, Field(ge=1, le=3650)] = UNSET
    crash_limit: Annotated[int, Field(ge=1, le=1000)] = UNSET
    delay: SecondsOrZero = UNSET
    names: bool = UNSET


class _Serve(Table):
    bots: Clean = UNSET
    web: Clean = UNSET
    tls_cert: Clean = UNSET
    tls_key: Clean = UNSET
    public: Clean = UNSET
    insecure: bool = UNSET


class _Store(Table):
    database: Clean = UNSET


class _File(Table):
    league: _League
    rules: dict[str, Any] = Field(default_factory=dict[str, Any])
    clock: ClockTable = Field(default_factory=ClockTable)
    faults: FaultsTable = Field(default_factory=FaultsTable)
    limits: LimitsTable = Field(default_factory=LimitsTable)
    serve: _Serve = Field(default_factory=_Serve)
    store: _Store = Field(default_factory=_Store)

    def settings(self) -> Settings:
        given = self.league.given()
        plain = Settings(given["name"])
        return replace(
            plain,
            **given,
            **self.store.given(),
            rules=RuleSet.of(self.rules),
            limits=replace(plain.limits, **self.clock.given()),
            policy=self.faults.as_policy(plain.policy),
            bounds=replace(plain.bounds, **self.limits.given()),
            addresses=Addresses(**self.serve.given()),
        )


_KEYS: Final[Keys] = {
    (): _File.model_fields,
    ("league",): _League.model_fields,
    ("rules",): [each.name for each in fields(RuleSet)],
    ("clock",): ClockTable.model_fields,
    ("faults",): FaultsTable.model_fields,
    ("limits",): LimitsTable.model_fields,
    ("serve",): _Serve.model_fields,
    ("store",): _Store.model_fields,
}


def read_settings(text: str) -> Settings:
    """The settings that the text of a league's file describes; raises `FileMistakes`."""
    text = text.removeprefix(MARK)
    file = parsed(text)
    mistakes = [*wrong_rules(file.get("rules")), *wrong_faults(file.get("faults"), "substitute")]
    try:
        shape = _File.model_validate(file)
    except ValidationError as error:
        mistakes += (worded(detail, _KEYS) for detail in error.errors(include_url=False))
    else:
        if not mistakes:
            return shape.settings()
    raise FileMistakes(placed(mistakes, text))


TEMPLATE: Final = """\
# A league: everything that is not written is as in the comments.

[league]
name = {name}
mode = {mode}             # "teams": a bot plays with itself as partner; "individual": partners are drawn
# registration = "open"     # owners register on the web; "closed": an operator does it
# tables = 64               # matches at once
# tables_each = 4           # of one version of a bot
# spacing = "10s"           # before the same opponents meet again
# settled = 100             # Elo points: whose interval is wider to either side is provisional
# inactive_days = 7         # without a rated match: no rank
# crash_limit = 5           # a version that is lost so often within a day is benched
# delay = 0                 # by which live tables are shown later
# names = false             # whether bots are told who sits at their table

[serve]
# bots = "127.0.0.1:7000"   # where bots come to
# web = "127.0.0.1:8000"    # and people
# tls_cert = "cert.pem"     # with both, other machines may come
# tls_key = "key.pem"
# public = "league.example" # the host's name as others know it

# [store]
# database = "postgresql://..."   # a file beside this one, league.db

# [rules], [clock], [faults] and [limits] are those of tournament files; here the profile is "league",
# and hosted bots are in a sandbox.
"""
"""What `init` writes."""
