"""What a submission says of itself opens no door of the sandbox, and the kernel's side doors are shut."""

import ctypes
import os
import struct
import sys

import pytest
from referee.play.shut_off import held, run_shut_off, tool

from aluette_referee.play import syscalls

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


def test_a_link_to_another_program_shows_that_alone(contest):
    program = tool(
        contest.parent / "project" / "bin" / "program", "ls -A $(dirname $(dirname $(readlink -f $0)))"
    )
    (link := contest / "bots" / "bin" / "run").symlink_to(program)
    said, how = run_shut_off([str(link)], contest, files=[link])
    assert (said, how) == ("bin", "exit 0")
    # The same program by the organiser's own word.
    said, how = run_shut_off([str(program)], contest)
    assert said.split() == ["bin", "lib", "secret"]


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
