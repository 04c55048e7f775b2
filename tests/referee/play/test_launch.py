"""From a bot as written to how it is started: every form, what makes it another bot, every mistake."""

import json
import os
import sys
from pathlib import Path

import pytest
from referee.play.launches import found

from aluette.errors import Misuse
from aluette.loading import built_in_bots
from aluette_referee.play.launch import Launch
from aluette_referee.play.processes import Command


def argv(launch: Launch) -> tuple[str, ...]:
    assert launch.command is not None
    return launch.command.argv


# -- every form ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", built_in_bots())
def test_a_built_in_bot(base, name):
    launch = found(name, base)
    assert argv(launch) == (sys.executable, "-P", "-m", "aluette", name)
    assert (launch.label, launch.loadable) == (name, name)
    assert launch.untimed == (name == "human")
    assert launch.command is not None
    assert launch.command.terminal == launch.untimed


@pytest.mark.parametrize("file", ["mybot.py", "sub/deep.py", "./mybot.py", "sub/../mybot.py"])
def test_a_class_in_a_file(base, file):
    launch = found(f"{file}:MyBot", base)
    loadable = f"{(base / file).resolve()}:MyBot"
    assert argv(launch) == (sys.executable, "-P", "-m", "aluette", loadable)
    assert (launch.label, launch.loadable, launch.untimed) == (f"{file}:MyBot", loadable, False)


@pytest.mark.parametrize("module", ["aluette_bots.lowest", "mybot", "package.bot", "sub.deep"])
def test_a_class_in_a_module_installed_or_beside_the_file(base, module):
    """The package of a module is not imported for it: nothing of a bot is run here."""
    launch = found(f"{module}:MyBot", base)
    assert argv(launch) == (sys.executable, "-P", "-m", "aluette", f"{module}:MyBot")
    assert launch.loadable == f"{module}:MyBot"


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("mybot.py", [sys.executable, "mybot.py"]),
        ("mybot.py --level 3", [sys.executable, "mybot.py", "--level", "3"]),
        ("./mybot.py --level 3", [sys.executable, "./mybot.py", "--level", "3"]),
        ("sub/deep.py", [sys.executable, "sub/deep.py"]),
        ("python mybot.py", [sys.executable, "mybot.py"]),
        ("python3 -u mybot.py 'a b'", [sys.executable, "-u", "mybot.py", "a b"]),
        ("python3.11 -m package.bot", [sys.executable, "-m", "package.bot"]),
        ("./program --level 3", ["{base}/program", "--level", "3"]),
        ("sub/../program", ["{base}/program"]),
        ("{base}/program", ["{base}/program"]),
        ("sh program", ["{which sh}", "program"]),
    ],
)
def test_a_command_line(base, run, expected):
    launch = found(run.replace("{base}", str(base)), base)
    which = next(f"{folder}/sh" for folder in os.environ["PATH"].split(":") if Path(folder, "sh").is_file())
    words = [word.replace("{base}", str(base)).replace("{which sh}", which) for word in expected]
    assert argv(launch) == tuple(words)
    assert (launch.loadable, launch.untimed) == (None, False)


def test_an_external_bot(base):
    launch = found("external", base)
    assert (launch.label, launch.command, launch.loadable, launch.untimed) == ("external", None, None, False)


@pytest.mark.parametrize("run", ["  lowest ", " mybot.py:MyBot", "external\n", " python mybot.py "])
def test_space_around_it_makes_no_other_bot(base, run):
    assert found(run, base) == found(run.strip(), base)


def test_what_a_process_gets(base):
    launch = found("lowest", base, options={"b": [1, "é"], "a": None}, env={"THREADS": "1"})
    assert launch.command == Command(
        argv(launch),
        base,
        {"ALUETTE_OPTIONS": json.dumps({"a": None, "b": [1, "é"]}), "THREADS": "1"},
        files=launch.command.files,
        grounds=launch.command.grounds,
    )
    assert "lowest.py" in {path.name for path in launch.command.files}
    assert launch.options == {"b": [1, "é"], "a": None}


@pytest.mark.parametrize("file", ["mybot.py", "./mybot.py", "sub/deep.py"])
def test_a_python_file_alone_comes_with_a_hint(base, file):
    """It may define a bot without running it, and its process then ends without a word."""
    assert found(file, base).hint == (
        f"{file} says no bot: name the class or function in it, {file}:NAME, or end it with aluette.run(NAME)"
    )


@pytest.mark.parametrize(
    "run", ["mybot.py:MyBot", "mybot.py --x", "./program", "lowest", "external", "sh -c 1"]
)
def test_nothing_else_comes_with_a_hint(base, run):
    assert found(run, base).hint == ""


# -- what makes it another bot ---------------------------------------------------------------------

FORMS = {
    "mybot.py:MyBot": ["mybot.py"],
    "sub/more.py:MyBot": ["sub/more.py", "sub/deep.py"],
    "sub/more.py --level 3": ["sub/more.py", "sub/deep.py"],
    "python -u sub/more.py": ["sub/more.py", "sub/deep.py"],
    "imports:MyBot": ["imports.py", "mybot.py"],
    "package:MyBot": ["package/bot.py", "package/helper.py", "package/__init__.py"],
    "mybot.py": ["mybot.py"],
    "mybot.py --level 3": ["mybot.py"],
    "python mybot.py": ["mybot.py"],
    "./program": ["program"],
    "./program mybot.py": ["program", "mybot.py"],
    "mybot:MyBot": ["mybot.py"],
    "package.bot:MyBot": ["package/bot.py", "package/helper.py", "package/__init__.py"],
    "sh program": ["program"],
    "external": [],
    "lowest": [],
}


@pytest.mark.parametrize("form", FORMS)
def test_the_content_changes_when_a_file_of_the_bot_changes_and_with_no_other(base, form):
    before = found(form, base).content
    files = [path for path in sorted(base.rglob("*")) if path.is_file()]
    changing: list[str] = []
    for path in files:
        kept = path.read_bytes()
        path.write_bytes(kept + b"#")
        if found(form, base).content != before:
            changing.append(str(path.relative_to(base)))
        path.write_bytes(kept)
    assert sorted(changing) == sorted(FORMS[form])
    assert found(form, base).content == before


@pytest.mark.parametrize("form", FORMS)
def test_the_content_does_not_depend_on_where_the_folder_is(base, form, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "copy"
    elsewhere.symlink_to(base)
    copy = tmp_path_factory.mktemp("copies") / "copy"
    copy.mkdir()
    for path in base.rglob("*"):
        if path.is_dir():
            (copy / path.relative_to(base)).mkdir(exist_ok=True)
    for path in base.rglob("*"):
        if path.is_file():
            (copy / path.relative_to(base)).write_bytes(path.read_bytes())
    assert found(form, copy).content == found(form, base).content == found(form, elsewhere).content


def test_the_content_changes_with_what_is_written_of_the_bot(base):
    contents = [
        launch.content
        for launch in (
            found("mybot.py:MyBot", base),
            found("mybot.py:Other", base),
            found("mybot.py", base),
            found("mybot.py:MyBot", base, options={"level": 3}),
            found("mybot.py:MyBot", base, options={"level": 4}),
            found("mybot.py:MyBot", base, options={"level": "3"}),
            found("mybot.py:MyBot", base, env={"level": "3"}),
            found("mybot.py:MyBot", base, files=("weights",)),
            found("mybot.py:MyBot", base, files=("weights/a.bin",)),
            found("mybot.py:MyBot", base, files=("weights/b.bin",)),
        )
    ]
    assert len(set(contents)) == len(contents)


def test_the_order_of_options_and_files_makes_no_other_bot(base):
    one = found("lowest", base, options={"a": 1, "b": 2}, files=("weights/a.bin", "weights/b.bin"))
    other = found("lowest", base, options={"b": 2, "a": 1}, files=("weights/b.bin", "weights/a.bin"))
    assert one.content == other.content


def test_further_files_and_whole_folders_belong_to_the_bot(base):
    def content() -> str:
        return found("lowest", base, files=("weights", "mybot.py")).content

    seen = [content()]
    (base / "weights" / "a.bin").write_bytes(b"A")
    seen.append(content())
    (base / "mybot.py").write_text("", encoding="utf-8")
    seen.append(content())
    (base / "weights" / "more").mkdir()
    assert content() == seen[-1]
    (base / "weights" / "more" / "c.bin").write_bytes(b"")
    seen.append(content())
    (base / "weights" / "more" / "c.bin").rename(base / "weights" / "more" / "d.bin")
    seen.append(content())
    (base / "weights" / "more" / "d.bin").unlink()
    assert content() == seen[2]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("litter", ["__pycache__/a.cpython-311.pyc", ".git/HEAD", "more/.cache/x", ".swp"])
def test_what_tools_leave_in_a_folder_makes_no_other_bot(base, litter):
    before = found("lowest", base, files=("weights",)).content
    path = base / "weights" / litter
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    assert found("lowest", base, files=("weights",)).content == before


def test_two_built_in_bots_of_one_package_are_two_bots(base):
    assert found("lowest", base).content != found("random", base).content


# -- mistakes --------------------------------------------------------------------------------------

BUILT_IN = ", ".join(built_in_bots())
MISTAKES = {
    "": "a bot is empty: write a built-in name, file.py:Class, a command line, or external",
    "   ": "a bot is empty: write a built-in name, file.py:Class, a command line, or external",
    "lowset": "'lowset' is neither a built-in bot nor a program that can be found; did you mean 'lowest'?",
    "zzzz --level 3": (
        f"'zzzz --level 3' is neither a built-in bot nor a program that can be found; built in are {BUILT_IN}"
    ),
    "mybto.py:MyBot": "there is no bot file mybto.py; did you mean mybot.py?",
    "mybto.py": "there is no bot file mybto.py; did you mean mybot.py?",
    **{
        run: f"{run!r} is neither a built-in bot nor a program that can be found; did you mean mybot.py:NAME?"
        for run in ("mybot", "mybot.MyBot", "mybot:", "mybot.py:", "mybot.py:MyBot()", "mybot.py:MyBot --x")
    },
    "sub/deep": "'sub/deep': there is no program sub/deep; did you mean sub/deep.py:NAME?",
    "sub/deep.py:": "'sub/deep.py:': there is no program sub/deep.py:; did you mean sub/deep.py:NAME?",
    "mybto.py --level 3": "there is no bot file mybto.py; did you mean mybot.py?",
    "sub/deeep.py:MyBot": "there is no bot file sub/deeep.py; did you mean deep.py?",
    "nowhere/x.py:MyBot": "there is no bot file nowhere/x.py",
    "./progam": "'./progam': there is no program ./progam; did you mean program?",
    "sub/zzz --x": "'sub/zzz --x': there is no program sub/zzz",
    "no.such.module:MyBot": "there is no Python module 'no.such.module' for a bot",
    "package.none:MyBot": "there is no Python module 'package.none' for a bot",
    "sub:MyBot": "there is no Python module 'sub' for a bot",
    "sys:MyBot": "there is no Python module 'sys' for a bot",
    "mybot.py 'x": '"mybot.py \'x" is no command line: No closing quotation',
}


@pytest.mark.parametrize("run", MISTAKES)
def test_a_mistake_is_one_sentence(base, run):
    with pytest.raises(Misuse) as mistake:
        found(run, base)
    assert str(mistake.value) == MISTAKES[run]


def test_a_further_file_that_is_not_there_is_said_so(base):
    with pytest.raises(Misuse) as mistake:
        found("lowest", base, files=("weights", "wieghts"))
    assert str(mistake.value) == "lowest: there is no file wieghts; did you mean weights?"
