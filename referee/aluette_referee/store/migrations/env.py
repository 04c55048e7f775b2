"""What alembic runs to reach a database: the connection is given by `database.upgrade`, in a transaction."""

from alembic import context

from aluette_referee.store.schema import METADATA, REVISION_TABLE

__all__: list[str] = []

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    version_table=REVISION_TABLE,
    # SQLite alters a table by making it anew; it can do so in a transaction, which alembic doubts.
    render_as_batch=connection.dialect.name == "sqlite",
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
