"""A contest in a PostgreSQL database: one in each schema, the first of the connection's search path.

The right to run is an advisory lock of the session, on the very connection that writes: whoever has lost
the lock has lost the connection too, and stores nothing more.
"""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.pool import NullPool

from aluette.errors import Misuse
from aluette_referee.store.errors import plainly

__all__ = ["connect", "lock", "shown", "url_of"]

CONNECT_SECONDS: Final = 10
LOCK: Final = int.from_bytes(b"Alue")
LOCK_WAIT: Final = "500ms"
_LOCK_NOT_AVAILABLE: Final = "55P03"
_SCHEMES: Final = {"postgresql", "postgres", "postgresql+psycopg"}
_SECRETS: Final = ("password", "sslpassword", "passfile")


def url_of(place: str) -> sa.URL | None:
    """The URL that a place is, or None for a file's name; raises `Misuse` for one that cannot be read."""
    scheme, separator, _ = place.partition("://")
    if not separator:
        return None
    if scheme not in _SCHEMES:
        raise Misuse(f"{scheme}:// is no database that is known here: give a file, or a postgresql:// URL")
    try:
        url = sa.make_url(place)
    except (exc.ArgumentError, ValueError):
        url = None
    if url is None or "@" in (url.host or ""):
        # Not repeated here, nor as a cause: parts of it may be a password.
        raise Misuse(
            "the PostgreSQL URL cannot be read: write postgresql://user:password@host:port/database,"
            " with %40 for @, %3A for : and %2F for / in the password"
        )
    return url.set(drivername="postgresql+psycopg")


def shown(url: sa.URL) -> str:
    """The URL as it may be printed, with `***` for the password."""
    return url.difference_update_query(_SECRETS).set(drivername="postgresql").render_as_string()


def connect(url: sa.URL, *, write: bool) -> sa.Connection:
    """The one connection, for any thread; a reader's changes nothing."""
    try:
        engine = sa.create_engine(
            url,
            poolclass=NullPool,
            hide_parameters=True,
            connect_args={} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS},
        )
    except ImportError:
        raise Misuse(
            f"{shown(url)} needs the PostgreSQL driver psycopg: pip install 'aluette[postgres]'"
        ) from None
    with plainly(f"{shown(url)} cannot be reached"):
        connection = engine.connect()
    try:
        _keep_to_schema(connection, shown(url))
    except BaseException:
        connection.close()
        raise
    return connection.execution_options(postgresql_readonly=not write)


def lock(connection: sa.Connection, name: str) -> None:
    """Take the right to run the contest of this schema, until the connection is closed."""
    key = sa.func.hashtext(sa.func.current_schema())
    # The server may take a moment to see that a killed run has gone.
    _set(connection, "lock_timeout", LOCK_WAIT, local=True)
    try:
        connection.execute(sa.select(sa.func.pg_advisory_lock(LOCK, key)))
    except exc.OperationalError as error:
        if getattr(error.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE:
            raise Misuse(f"{name} is in use by another run") from None
        raise
    _set(connection, "lock_timeout", "0", local=True)


def _keep_to_schema(connection: sa.Connection, name: str) -> None:
    """Make the first schema of the search path the only one: a contest further along it is another one."""
    schema = connection.scalar(sa.select(sa.func.current_schema()))
    if schema is None:
        raise Misuse(f"{name}: there is no schema of the connection's search path")
    _set(connection, "search_path", sa.func.quote_ident(schema), local=False)
    connection.commit()


def _set(connection: sa.Connection, name: str, value: str | sa.ColumnElement[str], *, local: bool) -> None:
    """Set a parameter of the session, or of the transaction under way."""
    connection.execute(sa.select(sa.func.set_config(name, value, local)))
