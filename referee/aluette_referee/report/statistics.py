"""What was measured of a contest beside the table, as sheets: who against whom, how sure that is, how it was played.

Every figure that is an estimate has its interval, or stands without one where that is not determined.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from aluette.seats import SEATS
from aluette_referee.contest.counts import Play
from aluette_referee.contest.encounters import Encounter, Mirroring
from aluette_referee.contest.ranking import Ranking
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.sprt import BLOCK_SCORES
from aluette_referee.contest.standings import Row
from aluette_referee.report.sheet import Cell, Column, Sheet
from aluette_referee.report.tables import half_points, rounded, with_undetermined

__all__ = [
    "blocks",
    "crosstable",
    "deals",
    "faults",
    "field",
    "mirroring",
    "seats",
    "strangers",
    "superiority",
]

_SURE: Final = ((0.995, 2), (0.975, 1))
"""Likelihoods of superiority at which a difference is beyond chance, two-sided: 99 % and 95 %."""
_MARKS: Final = {2: "++", 1: "+", 0: "", -1: "-", -2: "--"}
_TOLD_APART: Final = "+ and ++: the stronger of the two by all results together, beyond chance at 95 % and 99 %; - and --: the weaker."


def _headed(who: str, *columns: Column) -> tuple[Column, ...]:
    return (Column("#"), Column(who, left=True), *columns)


def _begin(row: Row) -> list[Cell]:
    return [Cell(str(row.rank)), Cell(row.name)]


def tone(likelihood: float | None) -> int:
    """How surely one of two is the stronger: 2, 1, or the weaker: -2, -1."""
    if likelihood is None:
        return 0
    return next(
        (sign * far for bound, far in _SURE for sign in (1, -1) if 0.5 + sign * (likelihood - 0.5) > bound), 0
    )


def crosstable(ranked: Ranking, met: Mapping[tuple[str, str], Encounter], who: str = "Team") -> Sheet:
    """Match points of each against each."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    level = len({pair.matches for pair in met.values()}) == 1
    for row in ranked.rows:
        cells = _begin(row)
        for other in ranked.rows:
            pair = met.get((row.name, other.name))
            if pair is None:
                cells.append(Cell("·  " if row is other else ""))
                continue
            likelihood = ranked.superiority(row.name, other.name)
            far = tone(likelihood.value)
            of = "" if level else f"/{pair.matches}"
            cells.append(Cell(f"{half_points(pair.points)}{of}{_MARKS[far]:2}", far))
            records.append(
                {
                    "name": row.name,
                    "opponent": other.name,
                    "matches": pair.matches,
                    "match_points": pair.points,
                    "deal_points": pair.difference,
                    "superiority": rounded(likelihood.value, 4),
                    "superiority_by": likelihood.by,
                }
            )
        rows.append(cells)
    columns = _numbered(ranked, who)
    return Sheet("crosstable", "Who against whom", columns, rows, records, [_matches_each(met), _TOLD_APART])


def _numbered(ranked: Ranking, who: str) -> tuple[Column, ...]:
    return _headed(who, *(Column(str(number)) for number in range(1, len(ranked.rows) + 1)))


def _matches_each(met: Mapping[tuple[str, str], Encounter]) -> str:
    often = {pair.matches for pair in met.values()}
    if not often:
        return "Nobody has met anybody yet."
    what = "Match points/matches" if len(often) > 1 else f"Match points, of {often.pop()} matches,"
    return f"{what} against the opponents by their lines in the table."


def superiority(ranked: Ranking, who: str = "Team") -> Sheet:
    """How likely each is stronger than each, by all results together."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    for row in ranked.rows:
        cells = _begin(row)
        for other in ranked.rows:
            if row is other:
                cells.append(Cell("·"))
                continue
            likelihood = ranked.superiority(row.name, other.name)
            apart, width = ranked.results.difference(row.name, other.name)
            cells.append(Cell(_percent_sure(likelihood.value), tone(likelihood.value)))
            records.append(
                {
                    "name": row.name,
                    "opponent": other.name,
                    "elo_difference": rounded(apart, 2),
                    "elo_margin": rounded(width, 2),
                    "superiority": rounded(likelihood.value, 4),
                    "superiority_by": likelihood.by,
                }
            )
        rows.append(cells)
    note = (
        "How likely, in per cent, the one of the line is stronger than that of the column, by all match results together, or "
        "by deal points where these do not tell; ?: not determined. Coloured: beyond chance at 95 %, strongly at 99 %."
    )
    return Sheet("superiority", "Likelihood of superiority", _numbered(ranked, who), rows, records, [note])


def _percent_sure(likelihood: float | None) -> str:
    if likelihood is None:
        return "?"
    if likelihood > 0.995 or likelihood < 0.005:
        return ">99" if likelihood > 0.5 else "<1"
    return f"{100 * likelihood:.0f}"


def blocks(ranked: Ranking, scores: Mapping[str, Counter[float]], who: str = "Team") -> Sheet:
    """How many blocks each had of each score."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    for row in ranked.rows:
        counts = scores.get(row.name, Counter[float]())
        total = counts.total()
        mean = sum(score * count for score, count in counts.items()) / total if total else None
        rows.append(
            [
                *_begin(row),
                *(Cell(str(counts[score] or "")) for score in BLOCK_SCORES),
                Cell("" if mean is None else f"{mean:.2f}"),
            ]
        )
        by_score = {f"blocks_{score:g}": counts[score] for score in BLOCK_SCORES}
        records.append({"name": row.name, **by_score, "mean": rounded(mean, 4)})
    heads = (*(Column(half_points(score)) for score in BLOCK_SCORES), Column("Mean"))
    notes = [
        "How many mirrored blocks - two matches with the same cards, sides exchanged - ended with these match points."
    ]
    return Sheet("blocks", "Blocks by score", _headed(who, *heads), rows, records, notes)


def deals(ranked: Ranking, play: Mapping[str, Play], total: Play, who: str = "Team") -> Sheet:
    """Deal points a deal, mordiennes, spoiled tricks, chants."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    everybody = [(row.rank, row.name, play[row.name]) for row in ranked.rows]
    for rank, name, each in [*everybody, ("", "all", total)]:
        mordiennes = (
            str(each.mordiennes + each.mordiennes_against)
            if each is total
            else f"{each.mordiennes}-{each.mordiennes_against}"
        )
        texts = (rank, name, each.deals, "" if each is total else _estimate(each.per_deal), mordiennes)
        shares = (_share(each.spoiled, each.tricks), _share(each.chants, each.deals))
        rows.append([Cell(str(text)) for text in (*texts, *shares)])
        if each is not total:
            records.append({"name": name, "matches": each.matches, **_deals_record(each)})
    columns = (
        Column("Deals"), Column("A deal", left=True), Column("Mordiennes"), Column("Spoiled %"), Column("Chants %"),
    )  # fmt: skip
    note = (
        "A deal: deal points for, less those against, a deal, ± half the 95 % interval over blocks; without matches that a "
        "fault decided. Mordiennes: for-against. Spoiled: of tricks. Chants: deals with one that all agreed to."
    )
    notes = with_undetermined([note], (each.per_deal.margin for _, _, each in everybody if each.per_deal.x))
    return Sheet("deals", "Deals", _headed(who, *columns), rows, records, notes)


def _deals_record(each: Play) -> dict[str, Any]:
    return {
        "deals": each.deals,
        "points_a_deal": rounded(each.per_deal.value, 4),
        "points_a_deal_margin": rounded(each.per_deal.margin, 4),
        "mordiennes": each.mordiennes,
        "mordiennes_against": each.mordiennes_against,
        "tricks": each.tricks,
        "spoiled": each.spoiled,
        "chants": each.chants,
    }


def _estimate(ratio: Ratio, digits: int = 2) -> str:
    if ratio.value is None:
        return ""
    width = "" if ratio.margin is None else f" ± {ratio.margin:.{digits}f}"
    return f"{round(ratio.value, digits) + 0.0:+.{digits}f}{width}"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole + 0.0:.1f}" if whole else ""


def seats(ranked: Ranking, play: Mapping[str, Play], total: Play, who: str = "Team") -> Sheet:
    """How often the player on each chair wins the deal for its side."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    everybody = [(row.rank, row.name, play[row.name]) for row in ranked.rows]
    for rank, name, each in [*everybody, ("", "all", total)]:
        shares = [_share(each.won[seat], each.sat[seat]) for seat in SEATS]
        rows.append([Cell(str(text)) for text in (rank, name, *shares)])
        if each is not total:
            of_seats = {
                f"{what}_{seat.name.lower()}": counts[seat]
                for seat in SEATS
                for what, counts in (("deals", each.sat), ("won", each.won))
            }
            records.append({"name": name, **of_seats})
    notes = ["Of the deals that it sat on this chair, how many per cent it won for its side."]
    columns = _headed(who, *(Column(seat.name) for seat in SEATS))
    return Sheet("seats", "Seats", columns, rows, records, notes)


def faults(ranked: Ranking, made: Mapping[tuple[str, str, bool], int], who: str = "Team") -> Sheet:
    """How often each did wrong, of how many matches, and what. `made` counts by name, type, and whether it was mended."""
    types = sorted({kind for _, kind, _ in made})
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    for row in ranked.rows:
        by_type = {
            kind: sum(made.get((row.name, kind, mended), 0) for mended in (False, True)) for kind in types
        }
        total = sum(by_type.values())
        mended = sum(count for (name, _, was), count in made.items() if was and name == row.name)
        counts = (row.played, total or "", f"{100 * total / row.played:.1f}" if total and row.played else "")
        texts = (*counts, mended or "", *(count or "" for count in by_type.values()))
        rows.append([*_begin(row), *(Cell(str(text)) for text in texts)])
        records.append(
            {"name": row.name, "matches": row.played, "faults": total, "mended": mended, **by_type}
        )
    heads = ("Matches", "Faults", "a hundred", "Mended", *types)
    notes = [
        "Faults of its bots in its matches, and how many that is in a hundred of them; mended ones cost no match."
    ]
    return Sheet("faults", "Faults", _headed(who, *map(Column, heads)), rows, records, notes)


def strangers(ranked: Ranking, found: Mapping[str, tuple[Encounter, Ratio]], who: str = "Bot") -> Sheet:
    """What each has of the matches with a partner of another program."""
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    for row in ranked.rows:
        met, ratio = found[row.name]
        share = _share_of(met)
        rows.append([*_begin(row), *(Cell(text) for text in (str(met.matches), share, _estimate(ratio)))])
        records.append(
            {
                "name": row.name,
                "matches": met.matches,
                "match_points": met.points,
                "deal_points_a_match": rounded(ratio.value, 4),
                "deal_points_a_match_margin": rounded(ratio.margin, 4),
            }
        )
    columns = (Column("Matches"), Column("Points %"), Column("A match", left=True))
    note = (
        "Matches with a partner of another program than its own: match points in per cent, and deal points a match, for less "
        "against, ± half the 95 % interval over blocks."
    )
    notes = with_undetermined([note], (ratio.margin for met, ratio in found.values() if met.matches))
    return Sheet("strangers", "With strangers", _headed(who, *columns), rows, records, notes)


def _share_of(met: Encounter) -> str:
    return f"{100 * met.points / met.matches:.1f}" if met.matches else ""


def field(total: Play) -> Sheet:
    """What was counted of all matches together."""
    dealers = total.dealers
    counts = (
        ("deals won by the dealer's side", dealers.y, dealers.x, dealers.margin),
        ("spoiled tricks", total.spoiled, total.tricks, None),
        ("deals with a chant that all agreed to", total.chants, total.deals, None),
        ("mordiennes", total.mordiennes + total.mordiennes_against, total.deals, None),
    )
    rows: list[list[Cell]] = []
    records: list[dict[str, Any]] = []
    for what, count, of, margin in counts:
        around = "" if margin is None else f" ± {100 * margin:.1f}"
        texts = ("", what, f"{count:.0f}", f"{of:.0f}", f"{_share(count, of)}{around}")
        rows.append([Cell(text) for text in texts])
        share = rounded(count / of, 4) if of else None
        records.append(
            {"name": what, "count": int(count), "of": int(of), "share": share, "margin": rounded(margin, 4)}
        )
    columns = (
        Column(""),
        Column("All together", left=True),
        Column("How many"),
        Column("Of"),
        Column("%", left=True),
    )
    note = (
        "Of deals, or of tricks; ± half the 95 % interval over blocks, without matches that a fault decided."
    )
    return Sheet("field", "The whole field", columns, rows, records, [note])


def mirroring(found: Mirroring) -> Sheet:
    """What playing each pack twice was worth."""
    measured = (("match results", found.results), ("deal points", found.points))
    rows = [
        [Cell(""), Cell(what), Cell("?" if gain is None else f"{gain:.2f}"), Cell(str(found.blocks))]
        for what, gain in measured
    ]
    records = [{"name": what, "gain": rounded(gain, 4), "blocks": found.blocks} for what, gain in measured]
    columns = (Column(""), Column("Measured by", left=True), Column("Gain"), Column("Blocks"))
    notes = [
        "1.5: a match of a mirrored block tells as much as one and a half matches with packs of their own."
    ]
    return Sheet("mirroring", "Mirroring", columns, rows, records, notes)
