"""What a submission says of itself opens no door of the sandbox, and the kernel's side doors are shut."""

import ctypes
import os
import shutil
import struct
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from referee.play.shut_off import held, run_command, run_shut_off, tool

from aluette.errors import Misuse
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play import sandbox, syscalls
from aluette_referee.play.launch import resolve

LOOK = 'cat "$0" >/dev/null; for place in {places}; do if [ -e "$place" ]; then echo "sees $place"; fi; done; echo over'


@pytest.fixture
def contest(elsewhere):
    """A contest's folder with one team's bots, beside a project with a program and a secret."""
    tool(elsewhere / "project" / "bin" / "program", "")
    (elsewhere / "project" / "lib").mkdir()
    (elsewhere / "project" / "secret").write_text("secret")
    (elsewhere / "club" / "bots" / "bin").mkdir(parents=True)
    return elsewhere / "club"


def looks(contest, first: str = "#!/bin/sh") -> list[str]:
    """What the team's program sees of the machine."""
    secrets = ["/etc/shadow", contest.parent / "project" / "secret", contest.parent / "project" / "lib"]
    body = LOOK.format(places=" ".join(map(str, secrets)))
    bot = tool(contest / "bots" / "bin" / "run", body, first)
    said, how = run_shut_off([str(bot)], contest, files=[bot])
    assert how == "exit 0", said
    assert said.endswith("over")
    return said.split()[:-1]


def test_a_virtual_environment_of_its_own_making_leads_nowhere(contest):
    homes = ["/etc/x", contest.parent / "project" / "bin", "/run/x"]
    (contest / "bots" / "pyvenv.cfg").write_text("".join(f"home = {home}\n" for home in homes))
    assert looks(contest) == []
    for home in homes:
        (contest / "bots" / "pyvenv.cfg").write_text(f"home = {home}\n")
        assert looks(contest) == []


@pytest.mark.parametrize(
    "first", ["#!/usr/bin/env -S -u {program} /bin/sh", "#!/usr/bin/env -S {options} /bin/sh"]
)
def test_a_first_line_leads_nowhere(contest, first):
    program = contest.parent / "project" / "bin" / "program"
    assert looks(contest, first.format(program=program, options=f"A={program}")) == []


def sees(contest, run: str, path: str | Path, *files: str) -> bool:
    """Whether a bot that is written so in the contest's file can reach what a path leads to, by whatever name."""
    try:
        launch = resolve(BotSpec(run, files=files), contest)
    except Misuse as error:
        return "write where it leads" not in str(error)
    real = (contest / path).resolve()
    shown = sandbox._View(launch.command).shown.values()
    return real.exists() and any(real.is_relative_to(place) for place in shown)


SECRET = "SECRET = 1\n"


@pytest.fixture
def teams(contest):
    """Two teams with a folder each, `a` and `b`, a database, and a bot in the contest's folder itself."""
    for name in ("a", "b"):
        (contest / name / "data").mkdir(parents=True)
        (contest / name / "__init__.py").write_text("")
        (contest / name / "bot.py").write_text(f"# {SECRET}import aluette\nB = aluette.Bot\n")
        (contest / name / "data" / "w.txt").write_text(SECRET)
    (contest / "club.db").write_text(SECRET)
    (contest / "flat.py").write_text("import club\nB = 1\n")
    (contest.parent / "secret").write_text(SECRET)
    return contest


def test_a_teams_own_files_are_there(teams):
    assert sees(teams, "a/bot.py:B", "a/bot.py")
    assert sees(teams, "a.bot:B", "a/bot.py")
    assert sees(teams, "python a/bot.py", "a/bot.py")
    assert sees(teams, "a/bot.py:B", "a/data/w.txt", "a/data")
    assert sees(teams, "a/bot.py:B", "a/data/w.txt", "a/data/w.txt")
    (teams / "now").symlink_to("a")
    assert sees(teams, "now/bot.py:B", "a/bot.py")
    assert not sees(teams, "a/bot.py:B", "a/data/w.txt")
    assert not sees(teams, "a/bot.py:B", "b/bot.py")


@pytest.mark.parametrize(
    "run", ["a/bot.py:B", "a.bot:B", "python a/bot.py", "./a/bin/run", "a/bin/run a/data/w.txt"]
)
@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("a/__init__.py", "../club.db"),
        ("a/db.py", "../club.db"),
        ("a/data/w.txt", "../../club.db"),
        ("a/data", "../b/data"),
        ("a/bot.py", "../b/bot.py"),
        ("a/bb", "../b"),
        ("a/lib", "../b"),
        ("a/lib64", "../club.db"),
        ("a/pyvenv.cfg", "../club.db"),
        ("a/bin/run", "../../b/bot.py"),
    ],
)
def test_no_link_of_a_team_leads_anywhere(teams, run, link, target):
    tool(teams / "a" / "bin" / "run", "")
    (teams / "b" / "bot.py").chmod(0o755)
    (teams / "club.db").chmod(0o755)
    (teams / "a" / "bot.py").write_text("import aluette, db, bb.bot\nfrom . import bb\nB = aluette.Bot\n")
    (teams / "a" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    path = teams / link
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    for seen in (
        link,
        path.resolve(),
        teams / "b" / "bot.py",
        teams / "club.db",
        teams / "a" / "bb" / "bot.py",
    ):
        for named in ((), ("a/data",), ("a/data/w.txt",), ("a",)):
            if all((teams / name).exists() for name in named):
                assert not sees(teams, run, seen, *named), (seen, named)


@pytest.mark.parametrize(
    ("link", "target"), [("flat.py", "club.db"), ("club.py", "club.db"), ("club", "b"), ("b", "/")]
)
def test_no_link_beside_a_bot_in_the_contests_folder_leads_anywhere(teams, link, target):
    if link == "b":
        shutil.rmtree(teams / "b")
    (teams / link).unlink(missing_ok=True)
    (teams / link).symlink_to(target)
    for seen in (link, "club.db", "club/bot.py", f"b{teams.parent}/secret"):
        assert not sees(teams, "flat.py:B", seen)
        assert not sees(teams, "flat.py:B", seen, link)


def test_an_absolute_path_is_as_good_as_its_spelling(teams, monkeypatch):
    """The contest's folder may be called otherwise where the file is read."""
    program = tool(teams.parent / "project" / "bin" / "program", SECRET)
    (teams / "a" / "bin").mkdir()
    (teams / "a" / "bin" / "run").symlink_to(program)
    (teams.parent / "other").symlink_to(teams)
    monkeypatch.chdir(teams)
    for base in (teams, Path(), teams.parent / "other"):
        for run in (f"{teams}/a/bin/run", f"{teams.parent}/other/a/bin/run", "./a/bin/run"):
            assert not sees(base, run, program.parent.parent / "secret")
            assert not sees(base, run, program)
    assert not sees(teams / "b", "../a/bin/run", program)
    # What the organiser calls by its own absolute path is a program of the organiser's.
    assert sees(teams, str(program), program.parent.parent / "secret")


def test_bots_beside_each_other_elsewhere_follow_no_links_either(teams):
    (teams.parent / "teams").mkdir()
    for name in ("one", "two"):
        (teams.parent / "teams" / f"{name}.py").write_text(f"# {SECRET}import x\nB = 1\n")
    (teams.parent / "teams" / "x.py").symlink_to("../club/club.db")
    assert sees(teams, "../teams/one.py:B", "../teams/one.py")
    assert not sees(teams, "../teams/one.py:B", "club.db")
    assert not sees(teams, f"{teams.parent}/teams/one.py:B", "club.db")
    # A program by an absolute path that is not the real one is nobody's word.
    program = tool(teams.parent / "project" / "bin" / "program", SECRET)
    (teams.parent / "teams" / "run").symlink_to(program)
    assert not sees(teams, f"{teams.parent}/teams/run", program)


def test_what_is_not_to_be_reached_is_really_not_there(teams):
    (teams / "a" / "db.py").symlink_to("../club.db")
    (teams / "a" / "bot.py").write_text("import db\nB = 1\n")
    launch = resolve(BotSpec("a/bot.py:B", files=("a/data",)), teams)
    script = "exec 2>&1; cat a/bot.py a/data/w.txt; cat a/db.py club.db b/bot.py; ls -A . a"
    said, _ = run_command(replace(launch.command, argv=("/bin/sh", "-c", script)))
    assert said.splitlines()[:3] == ["import db", "B = 1", SECRET.strip()]
    assert said.count("SECRET") == 1
    assert said.split()[-6:] == [".:", "a", "a:", "__init__.py", "bot.py", "data"]


def test_the_keyring_of_who_runs_the_referee_is_out_of_reach(bubblewrap, tmp_path):
    keyctl = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    session_keyring = (keyctl, 0, -3, 0)  # KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING
    if ctypes.CDLL(None).syscall(*session_keyring) < 0:
        pytest.skip("this kernel has no keyrings")
    assert held(tmp_path, f"ctypes.CDLL(None).syscall{session_keyring}") == -1


def test_sockets_that_pass_by_the_network_namespace_are_refused(bubblewrap, tmp_path):
    said = held(
        tmp_path,
        "[attempt(lambda: socket.socket(family, socket.SOCK_STREAM).close()) for family in (40, 1, 2, 10)]",
    )
    assert said == ["refused: Address family not supported by protocol", None, None, None]


def test_io_uring_is_refused(bubblewrap, tmp_path):
    assert held(tmp_path, "ctypes.CDLL(None, use_errno=True).syscall(425, 1, 0)") == -1


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_each_jump_of_the_filter_ends_within_it(machine):
    steps = [
        struct.unpack("<HBBI", step)
        for step in struct.iter_unpack("8s", syscalls.program(machine))
        for step in step
    ]
    for here, (code, yes, no, _) in enumerate(steps):
        if code in {0x15, 0x35}:
            assert max(yes, no) + here + 1 < len(steps)
    assert [code for code, *_ in steps[-3:]] == [6, 6, 6]


def test_a_machine_that_is_not_known_has_no_filter():
    assert syscalls.program("riscv64") is None


def test_the_interpreter_runs_as_before(bubblewrap, tmp_path):
    said, how = run_shut_off(
        [sys.executable, "-c", "import aluette, grpc, asyncio; asyncio.run(asyncio.sleep(0)); print('ok')"],
        tmp_path,
    )
    assert (said, how) == ("ok", "exit 0")
