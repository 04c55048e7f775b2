"""What is shown of a league: the one layer behind its pages, its feeds and its commands. It only reads.

Each function gives plain values, of which nothing is hidden from anybody but what its docstring says. Long lists come in pages: the newest
first, so many, older than what one has seen.
"""

from aluette_referee.league.queries.audit import AuditLine, read_audit
from aluette_referee.league.queries.bots import (
    BotShown,
    TokenShown,
    VersionShown,
    read_bot,
    read_bots_of,
    read_tokens,
    read_wished,
)
from aluette_referee.league.queries.faults import FaultShown, read_faults, read_match_faults
from aluette_referee.league.queries.history import Opponent, RatingPoint, read_head_to_head, read_history
from aluette_referee.league.queries.ladders import (
    LadderRow,
    SeasonNamed,
    SeasonShown,
    count_ladder,
    read_ladder,
    read_season,
    read_seasons,
)
from aluette_referee.league.queries.matches import (
    MatchShown,
    RecordShown,
    read_match,
    read_matches,
    read_record,
)

__all__ = [
    "AuditLine", "BotShown", "FaultShown", "LadderRow", "MatchShown", "Opponent", "RatingPoint", "RecordShown", "SeasonNamed",
    "SeasonShown", "TokenShown", "VersionShown", "count_ladder", "read_audit", "read_bot", "read_bots_of", "read_faults",
    "read_head_to_head", "read_history", "read_ladder", "read_match", "read_match_faults", "read_matches", "read_record", "read_season",
    "read_seasons", "read_tokens", "read_wished",
]  # fmt: skip
