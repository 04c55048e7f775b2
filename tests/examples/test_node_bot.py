"""The bot for Node: the wire as somebody speaks it who has no SDK, from matches to a league that is killed."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme
from referee.cli.shell import ENVIRONMENT, SECONDS, invoke, started
from referee.league.served import league, stop

FOLDER = Path(__file__).parents[2] / "examples/node-bot"
RUN = f"node {FOLDER}/bot.js"


@pytest.fixture(autouse=True, scope="module")
def node():
    if shutil.which("node") is None or not (FOLDER / "node_modules").is_dir():
        assert "CI" not in os.environ, "the gate installs node and examples/node-bot/node_modules"
        pytest.skip("node, or what examples/node-bot needs (npm install there), is not installed")


@contextmanager
def bot(**environment: object) -> "Iterator[subprocess.Popen[str]]":
    """The bot as its owner starts it; it does not outlive the block."""
    given = {f"ALUETTE_{name.upper()}": str(value) for name, value in environment.items()}
    process = subprocess.Popen(
        ["node", FOLDER / "bot.js"],
        env=ENVIRONMENT | given,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_it_does_all_that_is_asked_of_it(tmp_path):
    result = invoke("check", RUN, cwd=tmp_path)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["ok"] * 9


@pytest.mark.parametrize("chant", ["ask", "always"])
def test_it_plays_many_matches_at_once_without_a_fault(chant, tmp_path):
    (tmp_path / "club.toml").write_text(
        f'[tournament]\nname = "Club"\nblocks = 4\nseed = "7"\n[rules]\ndeals = 2\nchant = "{chant}"\n'
        f'[[team]]\nname = "Node"\nbots = ["{RUN}", "{RUN}"]\n'
        '[[team]]\nname = "House"\nbots = ["lowest", "random"]\n'
    )
    played = invoke("tournament", "run", "club.toml", cwd=tmp_path)
    assert played.exit_code == 0, played.output
    matches = [json.loads(line) for line in invoke("export", "club.db", cwd=tmp_path).stdout.splitlines()]
    assert len(matches) == 8
    assert {match["result"]["fault"] for match in matches} == {None}
    signals = [made for match in matches for deal in match["deals"] for made in deal["signals"]]
    assert signals


def test_it_comes_over_tls_and_who_is_refused_is_told_why(tmp_path):
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    issued = authority.issue_cert("localhost")
    issued.private_key_pem.write_to_path(tmp_path / "key.pem")
    (tmp_path / "chain.pem").write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    tls = ("--listen", "localhost:0", "--tls-cert", "chain.pem", "--tls-key", "key.pem")
    with started("match", "external", "lowest", "random", "lowest", *tls, cwd=tmp_path) as referee:
        assert referee.stderr is not None
        line = next(line for line in referee.stderr if "TOKEN" in line)
        told = dict(re.findall(r"ALUETTE_(SERVER|TOKEN)=(\S+)", line))
        there = {"server": told["SERVER"], "ca": tmp_path / "authority.pem"}
        with bot(**there, token="another") as stranger:
            assert stranger.wait(SECONDS) == 3
            assert stranger.stderr is not None
            assert stranger.stderr.read() == (
                "aluette: the referee refused this bot: the token is missing or not one that this referee gave: "
                "set ALUETTE_TOKEN to the printed one\n"
            )
        with bot(**there, token=told["TOKEN"]) as guest:
            out, err = referee.communicate(timeout=SECONDS)
            assert (referee.returncode, guest.wait(SECONDS)) == (0, 0), err
    assert "Score" in out


def test_it_plays_in_a_league_and_comes_again_when_that_was_killed(tmp_path):
    with league(tmp_path / "league") as served:
        tokens = [served.enter(owner, name) for owner, name in (("Ana", "fox"), ("Bea", "wolf"))]
        service = served.serve()
        served.come(tokens[1])
        with bot(server=f"unix:{served.socket}", token=tokens[0]) as fox:
            served.until_played(3)
            service.kill()
            service.wait()
            before = served.played()
            service = served.serve()
            served.until_played(before + 3)
            fox.send_signal(signal.SIGINT)
            assert fox.wait(SECONDS) == 0  # when its matches are over
            assert fox.stderr is not None
            assert fox.stderr.read().endswith("; coming again as soon as it can be reached\n")
        served.run("retire", "fox")
        with bot(server=f"unix:{served.socket}", token=tokens[0]) as fox:
            assert fox.wait(SECONDS) == 3
            assert fox.stderr is not None
            assert fox.stderr.read() == "aluette: the referee refused this bot: fox/1 is retired\n"
        stop(service, signal.SIGTERM)
        matches = served.matches().values()
        assert sum(row["rated"] and row["state"] == "played" for row in matches) >= 6
        assert not any(row["forfeit"] for row in matches)


@pytest.mark.slow
def test_it_gives_up_when_nobody_is_there(tmp_path):
    with bot(server=f"unix:{tmp_path}/nobody") as lonely:
        assert lonely.wait(SECONDS) == 4
        assert lonely.stderr is not None
        assert lonely.stderr.read().startswith(f"aluette: no referee answers at unix:{tmp_path}/nobody: ")


def test_it_says_what_is_wrong_with_its_call(tmp_path):
    with bot() as alone, bot(server="localhost:1", proto=tmp_path) as wordless:
        assert (alone.wait(SECONDS), wordless.wait(SECONDS)) == (2, 2)
        assert alone.stderr is not None
        assert alone.stderr.read().startswith("aluette: no referee to connect to")
        assert wordless.stderr is not None
        assert wordless.stderr.read() == f"aluette: no aluette/v1 in {tmp_path}: set ALUETTE_PROTO\n"


def test_what_it_needs_is_pinned_and_nothing_says_where_it_came_from():
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["dependencies"].values())
    assert not (FOLDER / "package-lock.json").exists()
