"""A stored match as one line of JSON, with nothing in it that depends on time or on the order of play.

docs/record.schema.json describes a line: the match's place in the contest, then its record.
"""

import json
from typing import Any

from aluette.packs import BlockKey
from aluette.record import Record
from aluette_referee.contest.schedule import Fixture

__all__ = ["export_line"]


def export_line(fixture: Fixture, record: Record, key: BlockKey, timing: dict[str, Any] | None = None) -> str:
    """The line, without its line end. The block's key goes with it: both its matches have been played."""
    ns, ew = fixture.teams
    line = {
        "id": fixture.id,
        "block": fixture.block.id,
        "leg": fixture.leg,
        "teams": {"NS": ns, "EW": ew},
        "seats": {seat.name: player.bot.run for seat, player in fixture.seats.items()},
        "key": key.secret.hex(),
        **record,
    }
    if timing is not None:
        line["timing"] = timing
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
