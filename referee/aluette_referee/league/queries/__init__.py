"""What is shown of a league: the one layer behind its pages, its feeds and its commands. It only reads.

Each function gives plain values, of which nothing is hidden from anybody but what its docstring says. Long lists come in pages: the newest
first, so many, older than what one has seen.
"""

from aluette_referee.league.queries.audit import AuditLine, read_audit
from aluette_referee.league.queries.bots import BotShown, TokenShown, VersionShown, read_bot, read_tokens
from aluette_referee.league.queries.ladders import LadderRow, SeasonShown, read_ladder, read_seasons
from aluette_referee.league.queries.matches import (
    MatchShown,
    RecordShown,
    read_match,
    read_matches,
    read_record,
)

__all__ = [
    "AuditLine", "BotShown", "LadderRow", "MatchShown", "RecordShown", "SeasonShown", "TokenShown", "VersionShown", "read_audit",
    "read_bot", "read_ladder", "read_match", "read_matches", "read_record", "read_seasons", "read_tokens",
]  # fmt: skip
