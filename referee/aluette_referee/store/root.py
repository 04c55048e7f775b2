"""One digest for all that was played: who has seen it can tell later that no match was changed, added or removed."""

import hashlib
import itertools
from operator import itemgetter

import sqlalchemy as sa

from aluette_referee.contest.schedule import LEGS
from aluette_referee.store.matches import faults_of
from aluette_referee.store.schema import block, match

__all__ = ["read_root"]


def read_root(connection: sa.Connection) -> str:
    """SHA-256 over a line for each match of a complete block of the schedule, in the order of their ids, hexadecimal.

    A line is "id digest", and " type seat deal.trick" for each fault that was mended: the others are in the
    record. What only the bot's author sees of a fault differs from run to run, and is not in it. So the root is the same
    whether records were kept or not.
    """
    # The order of bytes, wherever the database is: PostgreSQL's own depends on its language.
    by_id = match.c.id.collate("C") if connection.dialect.name == "postgresql" else match.c.id
    asked = (
        sa.select(match.c.block, match.c.id, match.c.digest, match.c.faults)
        .select_from(match.join(block))
        .where(block.c.scheduled)
        .order_by(by_id)
        .execution_options(yield_per=1000)
    )
    total = hashlib.sha256()
    # An id is that of the block, and the leg: both legs of a block come one after the other.
    with connection.execute(asked) as found:
        for _, group in itertools.groupby(found, key=itemgetter(0)):
            lines = [_line(*row) for row in group]
            if len(lines) == LEGS:
                total.update("".join(lines).encode())
    return total.hexdigest()


def _line(_block: str, name: str, digest: str, faults: str | None) -> str:
    told = [f" {fault.type} {fault.seat.name} {fault.deal}.{fault.trick}" for fault in faults_of(faults)[1]]
    return f"{name} {digest}{''.join(told)}\n"
