"""`python -m aluette BOT`: how a bot's process begins, and how it ends when it cannot."""

import os
import subprocess
import sys

import pytest

from aluette import __main__ as program


def start(*arguments, cwd, **environment):
    """The program as a process of its own, with no referee's variables but those given."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ALUETTE_")}
    return subprocess.run(
        [sys.executable, "-m", "aluette", *arguments],
        cwd=cwd,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_broken_bot_ends_with_its_own_traceback_and_then_a_sentence(tmp_path):
    (tmp_path / "broken.py").write_text("import aluette\n\n\nprint(1 / 0)\n", encoding="utf-8")
    ended = start("broken.py:Bot", cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stdout == ""
    told = ended.stderr.splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[1] == f'  File "{tmp_path}/broken.py", line 4, in <module>'
    assert told[-2:] == [
        "ZeroDivisionError: division by zero",
        "aluette: broken.py:Bot cannot be imported: ZeroDivisionError: division by zero",
    ]


def test_a_file_that_is_no_python_is_shown_at_its_place_alone(tmp_path):
    (tmp_path / "broken.py").write_text("import aluette\nclass Bot(:\n", encoding="utf-8")
    ended = start("broken.py:Bot", cwd=tmp_path)
    assert ended.stderr.splitlines() == [
        f'  File "{tmp_path}/broken.py", line 2',
        "    class Bot(:",
        "              ^",
        "SyntaxError: invalid syntax",
        "aluette: broken.py:Bot cannot be imported: SyntaxError: invalid syntax (broken.py, line 2)",
    ]


def test_a_neighbour_that_fails_is_shown_from_the_bot_on(tmp_path):
    (tmp_path / "mybot.py").write_text("import neighbour\n", encoding="utf-8")
    for text, error in (("1 / 0\n", "ZeroDivisionError"), ("class (:\n", "SyntaxError")):
        (tmp_path / "neighbour.py").write_text(text, encoding="utf-8")
        told = start("mybot.py:Bot", cwd=tmp_path).stderr.splitlines()
        assert told[:2] == [
            "Traceback (most recent call last):",
            f'  File "{tmp_path}/mybot.py", line 1, in <module>',
        ]
        assert any(line.startswith(f'  File "{tmp_path}/neighbour.py", line 1') for line in told)
        assert error in told[-1]


def test_a_module_that_is_not_there_is_shown_with_all_there_is(tmp_path):
    told = start("no_such_module:Bot", cwd=tmp_path).stderr.splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[-2:] == [
        "ModuleNotFoundError: No module named 'no_such_module'",
        "aluette: no_such_module:Bot cannot be imported: there is no module 'no_such_module'",
    ]


def test_without_a_referee_it_ends_with_a_sentence(tmp_path):
    (tmp_path / "mybot.py").write_text("def play(view):\n    return view.hand[0]\n", encoding="utf-8")
    ended = start("mybot.py:play", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "aluette: no referee to connect to: play this bot with `aluette match`, or give --server and --token\n"
    )


@pytest.fixture
def main(monkeypatch, capsys):
    """The program in this process: its exit status and what it writes."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["aluette", *arguments])
        try:
            program.main()
        except SystemExit as ended:
            return ended.code, *capsys.readouterr()
        return 0, *capsys.readouterr()

    for name in ("SERVER", "TOKEN", "OPTIONS"):
        monkeypatch.delenv(f"ALUETTE_{name}", raising=False)
    return run


USAGE = "usage: python -m aluette BOT [--server ADDRESS] [--token TOKEN] [--options JSON]\n"


def test_without_a_bot_it_shows_its_usage(main):
    assert main() == (2, "", USAGE)
    assert main("--help") == (0, USAGE, "")


def test_a_bot_that_is_not_there_is_a_sentence_alone(main):
    assert main("no.py:Bot") == (2, "", "aluette: there is no bot file no.py\n")
    code, _, told = main("lowst")
    assert (code, told) == (2, "aluette: 'lowst' is no built-in bot: did you mean 'lowest'?\n")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("{level: 3}", "the options are not JSON: Expecting property name enclosed in double quotes"),
        ("[1]", "the options are not a JSON object"),
    ],
)
def test_options_must_be_a_json_object(main, monkeypatch, options, sentence):
    for how in ("argument", "environment"):
        given = ("--options", options) if how == "argument" else ()
        if not given:
            monkeypatch.setenv("ALUETTE_OPTIONS", options)
        code, _, told = main("lowest", "--server", "127.0.0.1:1", *given)
        assert code == 2
        assert told.startswith(f"aluette: {sentence}")


def test_the_bot_runs_under_its_own_name(main, monkeypatch):
    ran = []
    monkeypatch.setattr(program, "run", lambda bot, *, name: ran.append((bot.__name__, name)))
    assert main("lowest", "--server", "x") == (0, "", "")
    assert main("aluette.rules:weakest") == (0, "", "")
    assert ran == [("Lowest", "lowest"), ("weakest", "weakest")]
