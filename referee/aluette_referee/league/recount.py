"""Everything that follows from records is counted again: results from records, ladders from results.

For a league that is not served meanwhile. What a record does not agree with is told, and set right.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa

from aluette.record import digest, replay
from aluette_referee.league.ledger import Ledger
from aluette_referee.league.rater import compute
from aluette_referee.league.roster import read_roster
from aluette_referee.league.schema import record, result, season
from aluette_referee.league.settings import Settings
from aluette_referee.store.errors import damaged
from aluette_referee.store.matches import ending_columns, faults_of

__all__ = ["recompute_ladders", "recount"]

_PAGE: Final = 500


def recount(ledger: Ledger) -> Iterator[str]:
    """Replay every record by the rules and set its result right; yields the ids of matches that were wrong.

    Raises `RecordError` for a record that does not hold.
    """
    last = ""
    while True:
        with ledger.database.begin() as connection:
            chosen = (
                sa.select(record.c.text, result)
                .join(result, result.c.match == record.c.match)
                .where(result.c.match > last)
                .order_by(result.c.match)
                .limit(_PAGE)
            )
            rows = connection.execute(chosen).mappings().all()
            for row in rows:
                last = row["match"]
                with damaged(f"the record of match {last}"):
                    value = json.loads(row["text"])
                    replay(value)
                    if digest(row["text"].encode()) != row["digest"]:
                        raise ValueError("it has another digest")
                columns = ending_columns(value, row["text"], *faults_of(row["faults"]))
                if {name: row[name] for name in columns} != columns:
                    connection.execute(sa.update(result).where(result.c.match == last).values(columns))
                    yield last
        if not rows:
            return


def recompute_ladders(ledger: Ledger, settings: Settings) -> int:
    """Fit the ladders of all seasons again; returns how many there are."""
    with ledger.database.begin() as connection:
        seasons = list(connection.scalars(sa.select(season.c.id).order_by(season.c.id)))
        barred = {number for number, entrant in read_roster(connection).items() if entrant.barred}
    for number in seasons:
        with ledger.database.begin() as connection:
            climbed = compute(connection, number, settings, barred, datetime.now(UTC))
        ledger.keep_ladder(number, climbed.rungs, ())
    return len(seasons)
