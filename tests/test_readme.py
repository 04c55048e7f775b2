"""The README is run as a test, and what the other pages name is there."""

import contextlib
import itertools
import os
import re
import shlex
from pathlib import Path

import click
import pytest
from referee.cli.shell import invoke

from aluette.loading import built_in_bots
from aluette.testing import play_match
from aluette_referee.cli.app import COMMANDS, cli
from aluette_referee.contest.file import read_contest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "examples/node-bot/README.md",
    *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def parts(text: str) -> list[tuple[str | None, str]]:
    """A page as pieces: code blocks with the word that marks their kind, and the text between with None."""
    found: list[tuple[str | None, str]] = [(None, "")]
    for line in text.splitlines(keepends=True):
        if line.startswith("```"):
            found.append((line[3:].strip() if found[-1][0] is None else None, ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    assert found[-1][0] is None
    return found


def blocks(text: str, kind: str = "") -> list[str]:
    """The code blocks of a page that are marked as of this kind."""
    return [piece for mark, piece in parts(text) if mark == kind]


def in_blocks(text: str) -> list[list[str]]:
    """The `aluette ...` command lines in the code blocks of a page, as words."""
    lines = [line for block in blocks(text) for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("aluette ")]


def in_text(text: str) -> list[list[str]]:
    """The `aluette ...` commands that are named in the text of a page, as words."""
    pieces = "".join(piece for mark, piece in parts(text) if mark is None)
    return [shlex.split(found)[1:] for found in re.findall(r"`(aluette [^`]+)`", pieces)]


def parsed(words: list[str]) -> click.Context:
    """A command line as click reads it, without running it; raises `click.UsageError`."""
    words = list(itertools.takewhile(lambda word: word not in {">", "|"}, words))
    context = cli.make_context("aluette", words)
    group: click.Group = cli
    while True:
        name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])
        assert command is not None
        context = command.make_context(name, rest, parent=context)
        if not isinstance(command, click.Group):
            return context
        group = command


# -- the bot ------------------------------------------------------------------------------------------------


def test_the_bot_in_ten_lines_has_ten_lines_and_plays(tmp_path):
    (bot,) = blocks(README, "python")
    assert len(bot.splitlines()) == 10
    (tmp_path / "mybot.py").write_text(bot, encoding="utf-8")
    record = play_match([f"{tmp_path}/mybot.py:MyBot", "careful"] * 2)
    assert record["result"]["fault"] is None
    played = invoke("match", *["mybot.py:MyBot", "careful"] * 2, "--in-process", cwd=tmp_path)
    assert (played.exit_code, played.stderr) == (0, "")


def test_a_plain_function_is_a_bot_too_and_any_answer_may_come_with_a_signal(tmp_path):
    (tmp_path / "mybot.py").write_text(
        "import aluette\n\ndef highest(view):\n    card = view.hand[0]\n    return card, aluette.Signal.MADAME\n"
    )
    record = play_match([f"{tmp_path}/mybot.py:highest"] * 4)
    assert {made["signal"] for deal in record["deals"] for made in deal["signals"]} == {"MADAME"}


@pytest.mark.parametrize("word", re.findall(r"`(view\.\w+)`", README))
def test_what_a_view_has(word):
    seen = []
    play_match([lambda view: (seen.append(eval(word, {"view": view})), view.hand[0])[1]] * 4)
    assert seen


# -- the commands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [words for name in PAGES for words in in_blocks(page(name))], ids=shlex.join
)
def test_every_command_line_that_a_page_shows_can_be_typed(words):
    parsed(words)


@pytest.mark.parametrize("words", [words for name in PAGES for words in in_text(page(name))], ids=shlex.join)
def test_every_command_and_option_that_a_page_names_is_there(words):
    # It is named without what it is given, or is help, which ends there.
    with contextlib.suppress(click.MissingParameter, click.exceptions.Exit):
        parsed([word for word in words if word != "..."])


@pytest.mark.parametrize(
    "line", [line for block in blocks(README) for line in block.splitlines() if re.search(r"#.* --\w", line)]
)
def test_every_option_that_a_remark_names_is_there(line):
    command, _, remark = line.partition("#")
    known = {name for option in parsed(shlex.split(command)[1:]).command.params for name in option.opts}
    assert set(re.findall(r"--[\w-]+", remark)) <= known | {"--slow"}


def test_every_command_is_shown():
    assert {words[0] for words in in_blocks(README)} == set(COMMANDS) - {"bench"}


def test_the_commands_of_the_readme_do_what_it_says(tmp_path):
    (toml,) = blocks(README, "toml")
    club = toml.partition("\n")[0].removeprefix("# ")
    (tmp_path / club).write_text(toml, encoding="utf-8")
    contest = read_contest(toml, built_in=built_in_bots())
    ids: list[str] = []
    ran: list[str] = []
    for words in in_blocks(README):
        if words[:2] == ["league", "serve"]:
            continue  # it does not end by itself; tests of the league serve one
        result = invoke(*quickly(words, ids), cwd=tmp_path)
        assert (result.exit_code, "Traceback" in result.stderr) == (0, False), (words, result.output)
        ran.append(words[0])
        if words[:2] == ["tournament", "run"]:
            exported = invoke("export", "club.db", cwd=tmp_path).stdout
            ids = re.findall(r'^\{"id":"([^"]+)"', exported, re.MULTILINE)
            assert len(ids) == 2 * contest.blocks
    assert ran == [
        "new", "match", "match", "check", "bots", "tournament", "tournament", "tournament", "report", "replay", "replay", "logs", "verify", "export",
            "sprt", "tournament", "league", "match", "match",
    ]  # fmt: skip
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {
        "mybot.py", "club.toml", "club.db", "club.html", "club.jsonl",
    }  # fmt: skip


def quickly(words: list[str], ids: list[str]) -> list[str]:
    """A command line of the README as the test runs it: in one process, few blocks, a match that is there."""
    words = [ids[0] if word == "MATCH" else word for word in words]
    if words[0] == "match" or words[:2] == ["tournament", "run"]:
        words.append("--in-process")
    if "--blocks" in words:
        words[words.index("--blocks") + 1] = "2"
    if ">" in words:
        words[words.index(">")] = "--output"
    return words


def test_the_tournament_file_of_the_examples_can_be_read():
    contest = read_contest(page("examples/club.toml"), built_in=built_in_bots())
    runs = {bot.run for team in contest.teams for bot in team.bots}
    assert {run for run in runs if ":" not in run} <= set(built_in_bots())
    assert {run.partition(":")[0] for run in runs if ":" in run} == {"mybot.py"}


@pytest.mark.parametrize(
    "script", sorted(set(re.findall(r"scripts/\w+|\.ci/\w+", "".join(map(page, PAGES[:2])))))
)
def test_every_script_that_is_named_is_there_and_can_be_run(script):
    assert os.access(ROOT / script, os.X_OK) or script.startswith(".ci/")
    assert (ROOT / script).is_file()


# -- links and names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "link"),
    [(name, link) for name in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", page(name))],
)
def test_every_link_leads_somewhere(name, link):
    path, _, anchor = link.partition("#")
    assert not path.startswith("/")
    target = ((ROOT / name).parent / path) if path else ROOT / name
    assert target.exists()
    if anchor:
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def layout() -> list[str]:
    """The files and folders that the house plan of CONTRIBUTING names."""
    (plan,) = (block for block in blocks(page("CONTRIBUTING.md")) if block.startswith("proto/"))
    found: list[str] = []
    folders: list[str] = []
    for line in plan.splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        names, _, about = re.sub(r" {2,}", "\0", line.strip()).partition("\0")
        found += ["/".join([*folders[:depth], name.rstrip("/")]) for name in names.split()]
        if names.endswith("/"):
            folders[depth:] = [names.rstrip("/")]
            # `rules/   the rulebook, pure: ruleset, actions, ...`, and a plain list of modules
            listed = about.partition(": ")[2] or (
                about if "," in about and " " not in about.split(", ")[0] else ""
            )
            modules = [word.strip() for word in re.sub(r"\(.*?\)", "", listed).split(",")]
            found += ["/".join([*folders[: depth + 1], name]) for name in modules if name.isidentifier()]
    return found


@pytest.mark.parametrize("name", layout())
def test_the_house_plan_names_what_is_there(name):
    assert (ROOT / name).is_dir() or (ROOT / f"{name}.py").is_file()


def test_the_house_plan_is_read_whole():
    found = layout()
    assert {"proto/aluette/v1", "sdk/aluette/cards", "sdk/aluette/rules/match", "sdk/aluette/client"} <= set(
        found
    )
    assert {"referee/aluette_referee/play/warden", "bots/aluette_bots/careful", "tests"} <= set(found)


def test_the_changelog_names_every_command_and_built_in_bot():
    text = page("CHANGELOG.md")
    words = set(re.findall(r"`([\w ]+)`", text))
    assert {word.split()[0] for word in words} >= (set(COMMANDS) - {"match"}) | set(built_in_bots())
    assert "`aluette match`" in text
