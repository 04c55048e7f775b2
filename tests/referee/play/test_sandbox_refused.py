"""Where there is no sandbox to be had, it is said why and what to do; with programs that pretend to be bubblewrap."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from aluette.errors import Misuse
from aluette_referee.play import sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is of Linux")


def test_where_bubblewrap_is_not_installed_it_is_said_how_to(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Misuse, match=r"^sandbox = .* apt install bubblewrap"):
        sandbox.require_sandbox()


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    """Takes what a bubblewrap does, and puts it before the real one."""

    def pretend(body: str) -> Path:
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        program = tmp_path / "bwrap"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        return program

    return pretend


def test_where_there_are_no_user_namespaces_it_is_said_why(pretended):
    pretended('echo "bwrap: No permissions to create new namespace" >&2; exit 1')
    with pytest.raises(
        Misuse, match=r"^sandbox = .* says: bwrap: No permissions to create new namespace.*sysctl"
    ):
        sandbox.require_sandbox()


def test_a_bubblewrap_that_is_too_old_is_refused(pretended):
    pretended('case "$*" in *--size*) echo "bwrap: Unknown option --size" >&2; exit 1; esac')
    with pytest.raises(Misuse, match=r"Unknown option --size\. It has to be version 0\.7"):
        sandbox.require_sandbox()


def test_one_that_cannot_forbid_further_namespaces_is_used_without(pretended):
    program = pretended('case "$*" in *--disable-userns*) exit 1; esac')
    start = sandbox.require_sandbox()
    assert start[0] == str(program)
    assert "--unshare-user" in start
    assert "--disable-userns" not in start
