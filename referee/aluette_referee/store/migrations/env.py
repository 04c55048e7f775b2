"""What alembic runs to reach a database: the connection is given by `database.upgrade`, in a transaction, and what it is to hold."""

from alembic import context

__all__: list[str] = []

connection, shape = (context.config.attributes[name] for name in ("connection", "shape"))
context.configure(
    connection=connection,
    target_metadata=shape.tables,
    version_table=shape.revised.name,
    # SQLite alters a table by making it anew; it can do so in a transaction, which alembic doubts.
    render_as_batch=connection.dialect.name == "sqlite",
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
