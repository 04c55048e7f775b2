"""`aluette verify DATABASE`: is everything that is stored true?"""

import click

from aluette.errors import RecordError
from aluette_referee.report.audit import Evidence, audit
from aluette_referee.store import open_existing

__all__ = ["command"]


@click.command("verify")
@click.argument("database")
@click.option("--root", help="The root that was printed with the results; it must be the same.")
def command(*, database: str, root: str | None) -> None:
    """Check every stored match against keys and rules.

    Derives every pack again and replays every match through the rulebook. Ends with 1, and the exact place,
    when a record does not hold.
    """
    with open_existing(database) as archive:
        checked = 0
        for stored in archive.matches():
            fixture = stored.fixture
            evidence = Evidence(stored.text, stored.digest, stored.commitment, stored.result, stored.faults)
            audit(archive.contest, fixture.block.key(archive.key), fixture, evidence)
            checked += 1
        found = archive.root()
    if root is not None and root.strip().lower() != found:
        raise RecordError(f"the root is {found}, not {root}: records were changed, added or removed since")
    click.echo(f"{checked} matches hold. Root {found}")
