"""The database of a contest, the only truth: everything that is shown is computed from it.

    with open_existing("club.db") as archive:                         # while a run goes on, too
        table = standings([entrant.name for entrant in archive.entrants], archive.results())

    store, changes = create_or_open("club.db", contest, entrants)     # a run: one at a time
    store.save([Played(fixture, outcome)])                            # stored as a whole or not at all

A place is a file (SQLite) or a `postgresql://` URL; a file holds one contest, and so does a PostgreSQL
schema. A person's mistakes are `aluette.Misuse` in one sentence, and then nothing was changed.

    archive  store          what is asked of a contest; what a run writes into it
    matches  rows  schema   values as rows, and the tables
    lookup                  one match by the beginning of its id
    database                which database, and in which state
    sqlite  postgresql      what is different between the two
    migrations/             how a database got, or gets, its tables (alembic, imported only for that)
"""

from aluette_referee.store.archive import Archive, open_existing
from aluette_referee.store.matches import Blame, Played, StoredMatch, Voided, VoidMatch
from aluette_referee.store.store import Changes, Store, create_or_open

__all__ = [
    "Archive",
    "Blame",
    "Changes",
    "Played",
    "Store",
    "StoredMatch",
    "VoidMatch",
    "Voided",
    "create_or_open",
    "open_existing",
]
