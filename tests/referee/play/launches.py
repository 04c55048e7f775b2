"""Bots in every form in which they can be written, in tests, and how each is found."""

import stat
from pathlib import Path

from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.launch import Launch, resolve

__all__ = ["BOT", "found", "write_bots"]

BOT = "import aluette\n\n\nclass MyBot(aluette.Bot):\n    pass\n"


def write_bots(folder: Path) -> Path:
    """A folder with a bot in each form."""
    (folder / "mybot.py").write_text(BOT, encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "sub" / "deep.py").write_text(BOT, encoding="utf-8")
    (folder / "sub" / "more.py").write_text("from deep import MyBot\n", encoding="utf-8")
    (folder / "imports.py").write_text("from mybot import MyBot\n", encoding="utf-8")
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("raise SystemExit('it was run')\n", encoding="utf-8")
    (folder / "package" / "bot.py").write_text(BOT, encoding="utf-8")
    (folder / "package" / "helper.py").write_text("", encoding="utf-8")
    program = folder / "program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (folder / "weights").mkdir()
    (folder / "weights" / "a.bin").write_bytes(b"a")
    (folder / "weights" / "b.bin").write_bytes(b"b")
    return folder


def found(run: str, base: Path, **more: object) -> Launch:
    return resolve(BotSpec(run, **more), base)
