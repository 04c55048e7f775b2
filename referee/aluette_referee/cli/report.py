"""`aluette report`: a stored contest as one page, to be opened in any browser."""

import itertools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import click

from aluette.errors import Misuse
from aluette_referee.cli.table import Findings
from aluette_referee.cli.whole import written_whole
from aluette_referee.report.blame import secrets_of, why
from aluette_referee.report.html.contest_page import FaultLine, Report, contest_page
from aluette_referee.report.html.pages import Shown, shown_match
from aluette_referee.report.transcript import when
from aluette_referee.store import Archive, Blame, StoredMatch, open_existing

__all__ = ["command"]

FAULTS_SHOWN: Final = 200
MATCHES_SHOWN: Final = 40


@click.command("report")
@click.argument("database")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The page to write.")
@click.option(
    "--matches", "most", type=click.IntRange(0, 10_000), default=MATCHES_SHOWN, show_default=True,
    help="So many matches can be looked at card by card; 35 kB each.",
)  # fmt: skip
@click.option("--no-charts", is_flag=True, help="Without charts, which need matplotlib.")
def command(*, database: str, output: Path, most: int, no_charts: bool) -> None:
    """Write a contest as a page for any browser.

    Tables, charts, faults, settings and matches are in one file, which needs no network and can be printed. DATABASE is a file or a postgresql:// URL.
    """
    with open_existing(database) as archive, written_whole(output, database) as out:
        findings = Findings(archive)
        # All figures are of one moment; drawing and writing keep no run waiting.
        with archive.at_once():
            blames = list(archive.faults())
            shown = list(_shown(archive, blames, most))
            sheets = {sheet.name: sheet for sheet in findings.sheets()}
            missing = archive.matches_missing(findings.played)
            void, root = archive.matches_void(), archive.root()
        secrets = secrets_of(archive.entrants)
        report = Report(
            contest=archive.contest,
            entrants=archive.entrants,
            ranked=findings.ranked,
            sheets=sheets,
            charts=[] if no_charts else _charts(findings),
            played=findings.played,
            void=void,
            missing=missing,
            faults=[_fault_line(blame, secrets) for blame in blames[:FAULTS_SHOWN]],
            faults_in_all=len(blames),
            matches=shown,
            root=root,
            created=archive.created,
            created_by=archive.created_by,
        )
        out.write(contest_page(report))


def _charts(findings: Findings) -> list[str]:
    try:
        from aluette_referee.report.html import charts  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise Misuse(
            "charts need matplotlib, which is not installed: python -m pip install matplotlib, or --no-charts"
        ) from None
    return [
        charts.rating_chart(findings.ranked),
        charts.block_chart(findings.ranked, findings.scores),
    ]


def _fault_line(blame: Blame, secrets: Collection[str]) -> FaultLine:
    fault = blame.fault
    moment = when(fault.deal, fault.trick)
    return FaultLine(blame.match, blame.player.name, str(fault.type), moment, why(fault, secrets))


def _shown(archive: Archive, blames: list[Blame], most: int) -> Iterator[Shown]:
    """Matches with faults, at most half of all; then the first ones of the schedule. Of those that are over and kept."""
    faulty = dict.fromkeys(blame.match for blame in blames)
    chosen: dict[str, StoredMatch] = {}
    for name in itertools.islice(faulty, (most + 1) // 2):
        try:
            chosen[name] = archive.match(name)
        except Misuse:  # of a block that is not complete
            continue
    for stored in itertools.islice(archive.matches(), most):
        if stored.text is not None and len(chosen) < most:
            chosen.setdefault(stored.fixture.id, stored)
    for stored in chosen.values():
        key = stored.fixture.block.key(archive.key)
        yield shown_match(stored.fixture, stored.record, key, stored.faults, stored.strikes)
