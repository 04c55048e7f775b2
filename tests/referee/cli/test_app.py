"""The command as a whole: its help, what it imports, exit codes, and what the SDK alone can say."""

import errno
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from referee.cli.shell import COMMAND, ENVIRONMENT, invoke, refused

from aluette.errors import Misuse, RecordError
from aluette.version import __version__
from aluette_referee.cli import app
from aluette_referee.cli.app import COMMANDS, cli
from aluette_referee.cli.tournament import VERBS
from aluette_referee.play.live import Interrupted

HEAVY = ["sqlalchemy", "pydantic", "alembic", "trio", "grpc"]
BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {missing!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Blocker())
sys.argv = ["aluette", *{args!r}]
from aluette_referee.cli import main
main()
"""


def python(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False
    )


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


# -- help ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_every_command(option, tmp_path):
    text = invoke(option, cwd=tmp_path).stdout
    for name, (_, summary) in COMMANDS.items():
        assert [line.split(maxsplit=1) for line in text.splitlines() if line.startswith(f"  {name} ")] == [
            [name, summary]
        ]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_line_of_a_commands_help(name):
    assert (command(name).help or "").splitlines()[0] == COMMANDS[name][1]
    assert command(name).name == name


@pytest.mark.parametrize("name", VERBS)
def test_the_verbs_of_a_tournament_say_what_they_do(name, tmp_path):
    found = command("tournament").get_command(None, name)
    assert (found.name, found.help.splitlines()[0]) == (name, VERBS[name][1])
    assert "Did you mean 'plan'" in invoke("tournament", "plam", cwd=tmp_path).stderr


@pytest.mark.parametrize("path", [[name] for name in COMMANDS] + [["tournament", verb] for verb in VERBS])
def test_every_command_and_option_has_help(path, tmp_path):
    assert invoke(*path, "-h", cwd=tmp_path).exit_code == 0
    found = command(path[0])
    for name in path[1:]:
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), name)
    assert all(option.help for option in found.params if isinstance(option, click.Option))


@pytest.mark.parametrize(
    "path", [[], *([name] for name in COMMANDS), ["tournament", "run"], ["tournament", "show"]]
)
def test_no_line_of_any_help_is_cut(path, tmp_path):
    lines = invoke(*path, "--help", cwd=tmp_path).stdout.replace("COMMAND [ARGS]...", "COMMAND").splitlines()
    assert [line for line in lines if line.endswith("...") or len(line) > 80] == []


def test_commands_are_listed_in_order():
    assert list(COMMANDS) == sorted(COMMANDS) == cli.list_commands(click.Context(cli))


def test_the_version(tmp_path):
    assert invoke("--version", cwd=tmp_path).stdout == f"aluette, version {__version__}\n"


def test_help_is_quick():
    code = f"""
import sys
from aluette_referee.cli import main
sys.argv = ["aluette", "--help"]
try:
    main()
finally:
    print("LOADED", [name for name in {HEAVY} if name in sys.modules])
"""
    assert python(code).stdout.splitlines()[-1] == "LOADED []"


# -- mistakes of the command line itself --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["tournment"], "No such command 'tournment'. Did you mean 'tournament'?"),
        (["xyz"], "No such command 'xyz'."),
        (["tournament", "runn"], "No such command 'runn'."),
        (["match"], "Missing argument 'BOT BOT [BOT BOT]'."),
        (["match", "random", "lowest", "--block", "2"], "No such option"),
        (["match", "random", "lowest", "--blocks", "0"], "0 is not in the range x>=1"),
        (["match", "random", "lowest", "--tables", "many"], "'many' is not a valid integer"),
        (["tournament", "run"], "Missing argument 'FILE'."),
        (["tournament", "show"], "Missing argument 'DATABASE'."),
        (["replay"], "Missing argument 'DATABASE'."),
        (["--seed"], "No such option"),
    ],
)
def test_a_mistyped_command_line(args, sentence, tmp_path):
    assert sentence in refused(*args, cwd=tmp_path)


# -- exit codes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (Misuse("there is no bot"), 2, "aluette: there is no bot\n"),
        (RecordError("match 1 does not hold"), 1, "aluette: match 1 does not hold\n"),
        (KeyboardInterrupt(), 130, "aluette: interrupted\n"),
        (Interrupted("what was played is stored"), 130, "aluette: what was played is stored\n"),
        (
            BaseExceptionGroup("", [Misuse("one"), ExceptionGroup("", [Misuse("other")])]),
            2,
            "aluette: one\naluette: other\n",
        ),
        (BaseExceptionGroup("", [Misuse("one"), KeyboardInterrupt()]), 130, "aluette: interrupted\n"),
    ],
    ids=["misuse", "record", "interrupt", "told interrupt", "group", "group with interrupt"],
)
def test_what_a_command_raises_becomes_a_sentence_and_a_code(error, code, told, monkeypatch):
    result = run_raising(error, monkeypatch)
    assert (result.exit_code, result.stdout) == (code, "printed before\n")
    assert result.stderr.endswith(told)


@pytest.mark.parametrize(
    "error", [RuntimeError("a bug"), ExceptionGroup("", [Misuse("one"), RuntimeError("a bug")])]
)
def test_our_own_bug_keeps_its_traceback(error, monkeypatch):
    with pytest.raises(type(error)):
        run_raising(error, monkeypatch)


def run_raising(error, monkeypatch):
    @click.command()
    def raising():
        click.echo("printed before")
        raise error

    monkeypatch.setattr(app._Cli, "get_command", lambda *_: raising)
    return CliRunner().invoke(cli, ["raising"], catch_exceptions=False)


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device here that is always full")
@pytest.mark.parametrize(
    "args", [["--help"], ["bots"], ["match", "lowest", "lowest", "--in-process"], ["replay", "--help"]]
)
def test_an_output_for_which_there_is_no_room_is_a_sentence(args):
    with FULL.open("w") as full:
        result = subprocess.run(
            [COMMAND, *args], env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == (
        "aluette: the disk is full (No space left on device): make room, then go on"
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EIO, "broken"), BaseExceptionGroup("", [OSError(errno.ENOSPC, ""), RuntimeError()])],
)
def test_other_trouble_of_the_system_is_our_bug(error, monkeypatch):
    with pytest.raises(type(error)):
        run_raising(error, monkeypatch)


# -- the SDK alone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "args"),
    [
        ("click", ["--help"]),
        ("rich", ["match", "random", "lowest"]),
        ("trio", ["match", "random", "lowest"]),
        ("trio", ["tournament", "run", "club.toml"]),
        ("sqlalchemy", ["verify", "club.db"]),
        ("pydantic", ["tournament", "run", "club.toml"]),
        ("grpc_health", ["match", "random", "lowest"]),
    ],
)
def test_with_the_sdk_alone_the_command_says_how_to_install_the_rest(missing, args):
    result = python(BLOCKED.format(missing=missing, args=args))
    assert result.stderr == (
        f"aluette: only the SDK is installed (there is no {missing}); "
        "for the referee and its commands: pip install 'aluette[referee]'\n"
    )
    assert (result.returncode, result.stdout) == (2, "")


def test_a_module_of_our_own_that_is_missing_is_a_bug():
    result = python(BLOCKED.format(missing="aluette_bench", args=["bench"]))
    assert "ModuleNotFoundError" in result.stderr
    assert "only the SDK" not in result.stderr
