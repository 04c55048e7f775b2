"""`aluette verify DATABASE`: is everything that is stored true?"""

import re

import click

from aluette.errors import Misuse, RecordError
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
    if root is not None and not re.fullmatch(r"[0-9a-f]{64}", root := root.strip().lower()):
        raise Misuse("--root is the whole root as it was printed: 64 digits and letters from a to f")
    with open_existing(database) as archive:
        archive.check_ids()
        held = not_kept = 0
        for stored in archive.matches():
            fixture = stored.fixture
            evidence = Evidence(
                stored.text, stored.digest, stored.commitment, stored.result, stored.counted, stored.faults
            )
            audit(archive.contest, fixture.block.key(archive.key), fixture, evidence)
            held += stored.text is not None
            not_kept += stored.text is None
        missing = [fixture.id for fixture in archive.missing()]
        found = archive.root()
    if root is not None and root != found:
        lost = f"; the first that is not there is match {missing[0]}" if missing else ""
        raise RecordError(
            f"the root is {found}, not {root}: records were changed, added or removed since{lost}"
        )
    click.echo(f"{'1 match holds' if held == 1 else f'{held} matches hold'}. Root {found}")
    if not_kept:
        which, whose, them = (
            ("1 record was", "this match", "its digest is")
            if not_kept == 1
            else (f"{not_kept} records were", "these matches", "their digests are")
        )
        click.echo(
            f'{which} not kept (keep = "faults"): the points of {whose} cannot be checked; {them} in the root.'
        )
    if missing:
        click.echo(
            f"{len(missing)} matches of the schedule are not there, first {missing[0]}: "
            "still to be played, or removed; --root can tell."
        )
