"""A referee that is killed, whenever it is, loses nothing: the same command goes on, and the results are the same."""

import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from referee.cli.shell import aluette, invoke, processes_in, started
from referee.play.proc import until

GONE_SECONDS = 5.0
BOT = "import aluette\n\ndef highest(view):\n    return view.hand[0]\n"


def file_of(teams: int, blocks: int) -> str:
    head = f'[tournament]\nname = "Killed"\nseed = 9\nblocks = {blocks}\n[rules]\ndeals = 1\n'
    clock = '[clock]\nconnect = "60s"\nready = "60s"\nmove = "60s"\n'
    bots = ["bots.py:highest", "lowest", "random"]
    return (
        head
        + clock
        + "".join(
            f'[[team]]\nname = "Team {number}"\nbots = ["{bots[number % 3]}", "{bots[number % 2]}"]\n'
            for number in range(teams)
        )
    )


def stored(database: Path) -> int:
    if not database.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM match").fetchone()
    except sqlite3.OperationalError:
        return 0  # not made yet, or just being written
    return count


@pytest.mark.parametrize(
    ("teams", "blocks", "kills"),
    [
        (4, 1, 2),
        pytest.param(4, 4, 12, marks=pytest.mark.slow),
        pytest.param(9, 1, 12, marks=pytest.mark.slow),
    ],
)
def test_after_any_number_of_kills_the_results_are_those_of_one_run(tmp_path, teams, blocks, kills):
    (tmp_path / "bots.py").write_text(BOT)
    (tmp_path / "club.toml").write_text(file_of(teams, blocks))
    total = teams * (teams - 1) * blocks
    chance = random.Random(teams)
    points = sorted(chance.sample(range(total), kills))
    for point in points:
        with started("tournament", "run", "club.toml", "--tables", 4, cwd=tmp_path) as run:
            until(lambda: stored(tmp_path / "club.db") >= point or run.poll() is not None)  # noqa: B023
            run.send_signal(signal.SIGKILL)
            run.wait()
        killed = time.monotonic()
        until(lambda: not processes_in(tmp_path))
        assert time.monotonic() - killed < GONE_SECONDS
        assert stored(tmp_path / "club.db") >= 0
    result = aluette("tournament", "run", "club.toml", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert invoke("verify", "club.db", cwd=tmp_path).exit_code == 0
    one = invoke("tournament", "run", "club.toml", "--db", "one.db", "--in-process", cwd=tmp_path)
    assert one.exit_code == 0
    exports = [invoke("export", name, cwd=tmp_path).stdout_bytes for name in ("club.db", "one.db")]
    assert exports[0] == exports[1]
    assert len(exports[0].splitlines()) == total
    tables = [invoke("tournament", "show", name, cwd=tmp_path).stdout for name in ("club.db", "one.db")]
    assert tables[0] == tables[1].replace("one.db", "club.db")
