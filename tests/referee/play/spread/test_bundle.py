"""A bot's files travel: laid down elsewhere they are the same bot, by the digest of its content."""

import os
import subprocess

import pytest
from referee.play.launches import found, write_bots
from referee.play.spread.blocks import write_bot

from aluette.errors import Misuse
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.launch import resolve
from aluette_referee.play.spread.bundle import pack, unpack


@pytest.mark.parametrize(
    ("run", "files", "there"),
    [
        ("mybot.py:MyBot", (), {"mybot.py"}),
        ("imports.py:MyBot", (), {"imports.py", "mybot.py"}),
        ("sub/more.py:MyBot", (), {"sub/more.py", "sub/deep.py"}),
        ("package.bot:MyBot", (), {"package/__init__.py", "package/bot.py", "package/helper.py"}),
        ("mybot.py --level 3", (), {"mybot.py"}),
        ("./program --level 3", (), {"program"}),
        ("mybot.py:MyBot", ("weights",), {"mybot.py", "weights/a.bin", "weights/b.bin"}),
        ("mybot.py:MyBot", ("weights/a.bin",), {"mybot.py", "weights/a.bin"}),
        ("lowest", (), set()),
    ],
)
def test_a_bot_is_the_same_where_its_files_are_laid_down(tmp_path, run, files, there):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    launch = found(run, write_bots(tmp_path / "here"), files=files)
    unpack(pack(launch), tmp_path / "there")
    laid = {
        path.relative_to(tmp_path / "there").as_posix()
        for path in (tmp_path / "there").rglob("*")
        if path.is_file()
    }
    assert laid == there
    assert resolve(launch.spec, tmp_path / "there").content == launch.content


def test_a_program_can_be_run_there(tmp_path):
    (tmp_path / "there").mkdir()
    unpack(pack(found("./program", write_bots(tmp_path))), tmp_path / "there")
    subprocess.run([tmp_path / "there" / "program"], check=True)


def test_the_same_files_are_the_same_bytes_whenever_they_were_written(tmp_path):
    launch = resolve(BotSpec("mine.py:mine", files=("data",)), write_bot(tmp_path))
    before = pack(launch)
    os.utime(tmp_path / "mine.py", (1, 1))
    assert pack(launch) == before
    (tmp_path / "data" / "place").write_text("0")
    assert pack(launch) != before


def test_links_in_the_folder_travel_with_what_they_lead_to(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    base = write_bots(tmp_path / "here")
    (base / "linked").symlink_to("sub")
    (base / "link.py").symlink_to("mybot.py")
    (base / "absolute.py").symlink_to((base / "mybot.py").absolute())
    for run in ("linked/more.py:MyBot", "link.py:MyBot", "absolute.py:MyBot"):
        launch = found(run, base)
        unpack(pack(launch), tmp_path / "there")
        assert resolve(launch.spec, tmp_path / "there").content == launch.content


def test_a_link_out_of_the_folder_is_told(tmp_path):
    base = tmp_path / "here"
    base.mkdir()
    (tmp_path / "elsewhere.py").write_text("def mine(view):\n    return view.hand[0]\n")
    (base / "mine.py").symlink_to("../elsewhere.py")
    with pytest.raises(Misuse, match=r"mine\.py:mine: mine\.py leads out of its folder to .*elsewhere\.py"):
        pack(found("mine.py:mine", base))


def test_a_file_that_is_gone_is_told(tmp_path):
    launch = found("mybot.py:MyBot", write_bots(tmp_path))
    (tmp_path / "mybot.py").unlink()
    with pytest.raises(Misuse, match=r"mybot\.py:MyBot: its files cannot be read: .*No such file"):
        pack(launch)


def test_what_is_no_bundle_is_told(tmp_path):
    with pytest.raises(Misuse, match="cannot be unpacked"):
        unpack(b"no archive", tmp_path)
