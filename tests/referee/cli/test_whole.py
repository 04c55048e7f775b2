"""A file that a command writes, whole or not at all, whatever is at the place."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aluette.errors import Misuse
from aluette_referee.cli.whole import written_whole


def write(path, text: str = "whole", database: str = "none.db") -> None:
    with written_whole(path, database) as out:
        out.write(text)


def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "whole"
    (tmp_path / "new").symlink_to("later")
    write(tmp_path / "new")
    assert (tmp_path / "later").read_text() == "whole"


def test_into_a_pipe_is_written_at_once_and_it_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe)
    reader.join(30)
    assert read == ["whole"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_device_stays_one():
    null = Path(os.devnull)
    write(null)
    assert null.is_char_device()
    assert not null.is_symlink()


def test_a_name_that_is_too_long_is_a_sentence(tmp_path):
    with pytest.raises(Misuse, match="cannot be written: File name too long"):
        write(tmp_path / ("a" * 300))


def test_the_longest_name_is_good(tmp_path):
    write(tmp_path / ("a" * 255))
    assert (tmp_path / ("a" * 255)).read_text() == "whole"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_nothing_behind(tmp_path, number):
    code = (
        "import sys, pathlib\n"
        "from aluette_referee.cli.whole import written_whole\n"
        "with written_whole(pathlib.Path('page.html'), 'none.db') as out:\n"
        "    out.write('half'); print('now', flush=True); sys.stdin.read()\n"
    )
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, **streams) as process:
        assert process.stdout.readline() == b"now\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(number)
        assert process.wait(30) != 0
    assert list(tmp_path.iterdir()) == []
