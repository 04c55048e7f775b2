"""The warden: it reports, ends everything below it, and outlives a referee that is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from referee.play.proc import DEADLINE, alive, family, until

from aluette_referee.play import warden

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a warden finds what to kill in /proc")


@contextmanager
def watching(
    *argv: str, group: str = "own", bounds: Sequence[str] = ("0",) * 4, stdout: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A warden; its bot's stdout goes to the file `stdout`, if there is one."""
    pipe = subprocess.PIPE
    with (stdout or Path(os.devnull)).open("wb") as out:
        place = out.fileno()
        command = [sys.executable, "-I", "-S", warden.__file__, group, str(place), *bounds, *argv]
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=(place,))
    with process:
        try:
            yield process
        finally:
            process.kill()


def pids(folder: Path) -> list[int]:
    names = ("bot", "child", "grandchild")
    until(lambda: all((folder / name).exists() for name in names))
    return [int((folder / name).read_text(encoding="ascii")) for name in names]


@pytest.mark.parametrize("group", ["own", "shared"])
@pytest.mark.parametrize(
    ("script", "reported"), [("exit 0", b"exit 0\n"), ("exit 7", b"exit 7\n"), ("kill -9 $$", b"signal 9\n")]
)
def test_it_reports_how_the_bot_ended_and_ends(group, script, reported):
    with watching("sh", "-c", script, group=group) as process:
        # Its input stays open: it ends because the bot did.
        assert process.stdout is not None
        assert process.stdout.read() == reported
        assert process.wait(DEADLINE) == 0


def test_it_says_first_why_a_bot_could_not_be_started():
    with watching("/no/such/bot") as process:
        assert process.stdout is not None
        out = process.stdout.read()
    assert out.splitlines()[0] == b"error /no/such/bot: No such file or directory"


def test_the_bots_outputs_are_kept_apart_and_from_the_report(tmp_path):
    with watching("sh", "-c", "echo out; echo err >&2", stdout=tmp_path / "out") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == b"exit 0\n"
        assert process.stderr.read() == b"err\n"
    assert (tmp_path / "out").read_bytes() == b"out\n"


@pytest.mark.parametrize("group", ["own", "shared"])
def test_when_its_input_closes_everything_below_ends(tmp_path, group):
    with watching(*family(tmp_path), group=group) as process:
        found = pids(tmp_path)
        assert all(map(alive, found))
        assert process.communicate(timeout=DEADLINE)[0] == b""
    assert process.returncode == 0
    assert not any(map(alive, found))


def test_what_comes_in_is_no_sign_to_end():
    with watching("sh", "-c", "read line; sleep 0; exit 5") as process:
        assert process.stdin is not None
        process.stdin.write(b"x" * 10_000)
        assert process.wait(DEADLINE) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b"exit 5\n"


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_is_deaf_to_signals_that_would_leave_the_bot_alone(tmp_path, sign):
    with watching(*family(tmp_path)) as process:
        found = pids(tmp_path)
        process.send_signal(sign)
        process.send_signal(signal.SIGCHLD)
        assert process.poll() is None
        process.communicate(timeout=DEADLINE)
    assert not any(map(alive, found))


@pytest.mark.slow  # a race by its nature: how long it takes depends on what else the machine does
def test_a_bot_that_starts_ever_more_is_ended(tmp_path):
    """Each process starts the next, leaves the session and ends: the last one is never a child of the bot."""
    chain = (
        "import os, sys, time\n"
        "while True:\n"
        "    if os.fork(): os._exit(0) if os.getpid() != os.getsid(0) or sys.argv[1:] == [] else None\n"
        "    os.setsid()\n"
        f"    open({str(tmp_path / 'pid')!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "    time.sleep(0.05)\n"
    )
    with watching("sh", "-c", f'{sys.executable} -I -S -c "$0" & sleep 1000', chain) as process:
        until(lambda: (tmp_path / "pid").exists() and len((tmp_path / "pid").read_text().split()) > 20)
        process.communicate(timeout=DEADLINE)
    assert not any(alive(int(pid)) for pid in (tmp_path / "pid").read_text().split())


def test_descendants_are_found_below_a_process(tmp_path):
    with watching(*family(tmp_path)) as process:
        found = pids(tmp_path)
        assert set(warden.descendants(process.pid)) == set(found)
        assert set(found) < set(warden.descendants(os.getpid()))
        assert warden.descendants(found[-1]) == []


REFEREE = """
import sys, trio
from pathlib import Path
from aluette_referee.play.processes import Command, start_process

async def main():
    async with trio.open_nursery() as nursery:
        for folder in sys.argv[1].split():
            process = await start_process(Command(tuple(sys.argv[2:]) + (folder,), Path("/")), "unix:/x", "t")
            nursery.start_soon(process.watch)

trio.run(main)
"""


def test_a_referee_that_is_killed_leaves_nothing(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    *command, _ = family(tmp_path)
    referee = subprocess.Popen([sys.executable, "-c", REFEREE, " ".join(map(str, folders)), *command])
    try:
        found = [pid for folder in folders for pid in pids(folder)]
        wardens = [pid for pid in warden.descendants(referee.pid) if pid not in found]
        assert len(wardens) == 2
        assert all(map(alive, [*found, *wardens]))
    finally:
        referee.kill()
        referee.wait()
    until(lambda: not any(map(alive, [*found, *wardens])), seconds=5.0)


def test_a_process_that_ends_while_descendants_are_looked_for_hides_no_other(monkeypatch):
    children = {1: [2, 3], 3: [4], 4: [5]}

    def of(pid: int) -> list[int]:
        return children.get(pid, [])

    monkeypatch.setattr(warden, "listed", of)
    assert sorted(warden.descendants(1)) == [2, 3, 4, 5]
    monkeypatch.undo()
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    assert warden.listed(gone.pid) == []


def test_both_ways_to_find_descendants_find_the_same(tmp_path):
    with watching(*family(tmp_path)) as process:
        bot, child, grandchild = pids(tmp_path)
        assert {bot, child, grandchild} <= set(warden.descendants(process.pid))
        below, found, ahead = warden.scanned(), set(), [process.pid]
        while ahead:
            children = below(ahead.pop())
            found |= set(children)
            ahead += children
        assert {bot, child, grandchild} <= found
