"""Whether the rows of a contest are what they were derived from: its key, its teams and its blocks."""

import sqlalchemy as sa

from aluette.errors import RecordError
from aluette.packs import open_contest_key
from aluette_referee.contest.contest import Entrant
from aluette_referee.store import rows
from aluette_referee.store.errors import damaged
from aluette_referee.store.schema import block, team

__all__ = ["check_ids"]


def check_ids(connection: sa.Connection, seed: int | str | None, key: bytes) -> None:
    """Raise `RecordError` for the first that is not."""
    if seed is not None and open_contest_key(seed) != key:
        raise RecordError(f"the contest was altered: its key is not that of seed {seed}")
    known: dict[str, Entrant] = {}
    for row in connection.execute(sa.select(team)).mappings():
        with damaged("a team"):
            known[row["id"]] = rows.entrant_of(row)
        if known[row["id"]].id != row["id"]:
            raise RecordError(f"team {row['name']!r} was altered: {row['id']} is not its id")
    for line in connection.execute(sa.select(block)):
        with damaged(f"block {line.id}"):
            derived = rows.block_of(line, known).id
        if derived != line.id:
            raise RecordError(f"block {line.id} was altered: by its teams and number it is {derived}")
