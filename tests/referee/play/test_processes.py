"""Bots' processes, for real: how they end, what is kept of their output, and that nothing is left."""

import os
import signal
import stat
import sys
from pathlib import Path

import pytest
import trio
from referee.play.proc import DEADLINE, alive, family, open_files, python, run, running, until

from aluette_referee.play.processes import Command, start_process

pytestmark = [
    pytest.mark.trio,
    pytest.mark.skipif(sys.platform != "linux", reason="a warden finds what to kill in /proc"),
]


# -- how it ended ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [0, 1, 7, 255])
async def test_an_exit_code_is_told(code):
    process = await run("sh", "-c", f"exit {code}")
    assert process.how == f"exit {code}"
    assert process.story == f"the process ended with exit code {code}"


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (signal.SIGKILL, "Killed"),
        (signal.SIGTERM, "Terminated"),
        (signal.SIGSEGV, "Segmentation fault"),
        (40, "Real-time signal 6"),
    ],
)
async def test_a_signal_is_told(number, name):
    process = await python(f"import os; os.kill(os.getpid(), {int(number)})")
    assert process.how == f"signal {int(number)}"
    assert process.story == (f"the process was ended by signal {int(number)} ({name})")


async def test_a_program_that_is_not_there_could_not_be_started():
    process = await run("/no/such/program", "x")
    assert process.story == "the process could not be started: /no/such/program: No such file or directory"


async def test_a_file_that_is_no_program_could_not_be_started(tmp_path):
    (tmp_path / "bot").write_text("echo hello\n", encoding="utf-8")
    process = await run(str(tmp_path / "bot"))
    assert process.story == f"the process could not be started: {tmp_path / 'bot'}: Permission denied"


async def test_a_script_without_a_shebang_could_not_be_started(tmp_path):
    script = tmp_path / "bot"
    script.write_text("echo hello\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    process = await run(str(script))
    assert process.story == f"the process could not be started: {script}: Exec format error"


async def test_a_process_without_a_story_is_gone():
    async with running("sleep", "1000") as process:
        process.kill()
    assert process.story == "the process is gone"


# -- what it prints --------------------------------------------------------------------------------


async def test_evidence_is_what_went_to_stderr_and_the_log_has_both():
    process = await run("sh", "-c", "echo one; echo two >&2; echo three")
    assert process.output == "two\n"
    lines = process.take_log(0, 0.0).of_process.splitlines()
    assert sorted(line[9:] for line in lines) == ["  one", "  three", "! two"]


async def test_without_anything_on_stderr_it_is_what_went_to_stdout():
    process = await run("echo", "one")
    assert process.output == "one\n"


async def test_the_end_of_a_long_output_is_kept_and_the_bot_is_not_held_up():
    process = await python("for n in range(100_000): print(f'line {n:06}')\nprint('the end')")
    assert process.how == "exit 0"
    assert process.output.endswith("line 099998\nline 099999\nthe end\n")
    assert 10_000 < len(process.output) <= 64_000


async def test_output_that_is_no_text_is_shown_as_well_as_can_be():
    process = await run("printf", r"caf\303\251 \377\n")
    assert process.output == "café �\n"


async def test_what_a_bot_says_on_its_way_out_is_kept():
    process = await python("raise ValueError('no such card')")
    assert process.how == "exit 1"
    assert process.output.endswith("ValueError: no such card\n")


async def test_a_bot_cannot_report_in_its_wardens_name():
    process = await run("sh", "-c", "echo exit 0; exit 3")
    assert process.how == "exit 3"


# -- what it gets ----------------------------------------------------------------------------------


async def test_its_input_is_empty():
    process = await python("import sys; print(repr(sys.stdin.read()))")
    assert process.output == "''\n"


@pytest.mark.parametrize("program", ["pass", "import time; time.sleep(1000)"])
async def test_the_referee_keeps_no_file_of_one_that_has_ended(program):
    before = open_files()
    async with running(sys.executable, "-I", "-S", "-c", program) as process:
        if program != "pass":
            process.kill()
    # Still referred to, as a match does that asks how its bots ended.
    assert process.ended.is_set()
    assert open_files() <= before


async def test_it_inherits_no_open_files():
    process = await python("import os; print(sorted(os.listdir('/proc/self/fd')))")
    # The last one is the listing itself.
    assert process.output == "['0', '1', '2', '3']\n"


async def test_its_environment_is_the_same_everywhere(monkeypatch):
    monkeypatch.setenv("ALUETTE_SECRET", "leaked")
    monkeypatch.setenv("ALUETTE_TOKEN", "another")
    monkeypatch.setenv("LC_TIME", "fr_FR.UTF-8")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    monkeypatch.setenv("PYTHONHASHSEED", "123")
    monkeypatch.setenv("ALSO_OURS", "kept")
    process = await run("env", env={"ALUETTE_OPTIONS": "{}", "MINE": "yes"})
    found = dict(line.split("=", 1) for line in process.output.splitlines() if "=" in line)
    assert {name: value for name, value in found.items() if name.startswith("ALUETTE_")} == {
        "ALUETTE_SERVER": "unix:/somewhere",
        "ALUETTE_TOKEN": "t0ken",
        "ALUETTE_OPTIONS": "{}",
        "ALUETTE_MARKS": "1",
    }
    assert {name: value for name, value in found.items() if name.startswith(("LC_", "LANG"))} == {
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    assert found["PYTHONHASHSEED"] == "0"
    assert (found["ALSO_OURS"], found["MINE"], found["PATH"]) == ("kept", "yes", os.environ["PATH"])


async def test_what_the_contest_says_of_the_environment_counts():
    process = await run("sh", "-c", "echo $PYTHONHASHSEED $LANG", env={"PYTHONHASHSEED": "7", "LANG": "C"})
    assert process.output == "7 C\n"


async def test_it_runs_in_its_folder(tmp_path):
    process = await run("pwd", cwd=tmp_path)
    assert process.output == f"{tmp_path}\n"


@pytest.mark.parametrize(("terminal", "own"), [(False, True), (True, False)])
async def test_a_bot_has_a_session_of_its_own_and_a_person_stays_in_reach_of_the_terminal(terminal, own):
    process = await python("import os; print(os.getsid(0), os.getpgid(0), os.getpid())", terminal=terminal)
    session, group, pid = map(int, process.output.split())
    assert (session == pid, group == pid) == (own, own)
    assert own or (session, group) == (os.getsid(0), os.getpgid(0))


async def test_signals_reach_a_bot_as_usual():
    process = await python(
        "import signal; print([int(signal.getsignal(each)) for each in (15, 1, 17)], signal.getsignal(2).__name__)"
    )
    assert process.output == "[0, 0, 0] default_int_handler\n"


# -- ending it -------------------------------------------------------------------------------------


def pids(folder: Path) -> list[int]:
    """The bot, its child and its grandchild, once all three run."""
    names = ("bot", "child", "grandchild")
    until(lambda: all((folder / name).exists() for name in names))
    return [int((folder / name).read_text(encoding="ascii")) for name in names]


async def test_a_kill_ends_the_bot_and_all_it_started(tmp_path):
    async with running(*family(tmp_path)) as process:
        found = await trio.to_thread.run_sync(pids, tmp_path)
        assert all(map(alive, found))
        process.kill()
        await process.ended.wait()
        assert not any(map(alive, found))
        process.kill()


async def test_what_a_bot_leaves_behind_ends_with_it(tmp_path):
    process = await run(*family(tmp_path, then="sys.exit(4)"))
    assert process.how == "exit 4"
    assert not any(map(alive, pids(tmp_path)))


async def test_cancelling_the_watch_leaves_nothing(tmp_path):
    with trio.fail_after(DEADLINE):
        process = await start_process(Command(family(tmp_path), tmp_path), "unix:/x", "t")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.watch)
            found = await trio.to_thread.run_sync(pids, tmp_path)
            nursery.cancel_scope.cancel()
    assert process.ended.is_set()
    assert not any(map(alive, found))


async def test_a_bot_that_is_killed_at_once_never_did_anything(tmp_path):
    async with running("sh", "-c", f"sleep 1000; touch {tmp_path}/done") as process:
        process.kill()
    assert list(tmp_path.iterdir()) == []
    assert process._process.returncode == 0


async def test_a_stopped_bot_ends_too():
    async with running("sh", "-c", "kill -STOP $$; exit 1") as process:
        process.kill()
    assert process.story == "the process is gone"


# -- what it printed -------------------------------------------------------------------------------


async def test_its_output_is_told_apart_by_its_marks():
    told = "print('start'); print('\\x1ealuette 7\\x1fseven'); print('\\x1ealuette 0\\x1fagain mine')"
    async with running(sys.executable, "-I", "-S", "-c", told) as process:
        process.begin_log(7)
    log = process.take_log(7, 0.0)
    assert [line[11:] for line in log.of_match.splitlines()] == ["seven"]
    assert [line[11:] for line in log.of_process.splitlines()] == ["start", "again mine"]
    assert process.output == "start\nseven\nagain mine\n"
