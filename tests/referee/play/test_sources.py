"""Which files a Python bot consists of: found from its imports, in its folder, without running any."""

import os
import socket
from pathlib import Path

import pytest

from aluette.errors import Misuse
from aluette_referee.play import sources as module
from aluette_referee.play.sources import files_inside, python_files, with_neighbours

FILES = {
    "one.py": "import two\n",
    "two.py": "import one, three as other\n",
    "three.py": "",
    "broken.py": "import three\nclass (:\n",
    "null.py": "import three\0\n",
    "latin.py": "# -*- coding: latin-1 -*-\nimport three  # \xe9\n",
    "deep.py": "1" + "+1" * 100_000,
    "package/__init__.py": "raise SystemExit('it was run')\n",
    "package/inner.py": "from ..three import x\n",
    "package/more/last.py": "import four\n",
    "package/data.txt": "",
    "package/.hidden/x.py": "",
    "four.py": "",
    "both.py": "",
    "both/__init__.py": "",
    "either.py": "",
    "either/x.py": "",
    "space/x.py": "",
    "elsewhere/x.py": "",
    "json.py": "",
}
PACKAGE = ["four.py", "package/__init__.py", "package/inner.py", "package/more/last.py", "three.py"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bots"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1"))
    (tmp_path / "outside.py").write_text("", encoding="utf-8")
    return folder


def sources(folder: Path, text: str) -> list[str]:
    """What a bot with this text consists of, besides its own file."""
    bot = folder / "bot.py"
    bot.write_text(text, encoding="utf-8")
    first, *others = with_neighbours([bot], folder)
    assert first == bot
    return [path.relative_to(folder).as_posix() for path in others]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("import sys, os.path, numpy, nothing\nfrom trio import abc\n", []),
        ("import three", ["three.py"]),
        ("import three as x, four", ["four.py", "three.py"]),
        ("from three import x", ["three.py"]),
        ("from three import *", ["three.py"]),
        ("from . import three, four", ["four.py", "three.py"]),
        ("from . import *", []),
        ("from .three import x", ["three.py"]),
        ("from .. import outside", []),
        ("from ..outside import x", []),
        ("from ............ import x", []),
        ("def play(view):\n    if view:\n        import three\n", ["three.py"]),
        ("try:\n    import three\nexcept ImportError:\n    three = None\n", ["three.py"]),
        ("import one", ["one.py", "three.py", "two.py"]),
        ("import bot, one", ["one.py", "three.py", "two.py"]),
        ("import package", PACKAGE),
        ("import package.inner", PACKAGE),
        ("from package import inner", PACKAGE),
        ("from package.more import last", PACKAGE),
        ("from .package.more.last import x", PACKAGE),
        ("import both", ["both/__init__.py"]),
        ("import either", ["either.py"]),
        ("import space.x", ["space/x.py"]),
        ("import json", ["json.py"]),
        ("import three\nclass (:\n", []),
        ("import broken", ["broken.py"]),
        ("import null", ["null.py"]),
        ("import latin", ["latin.py", "three.py"]),
        ("import deep", ["deep.py"]),
        ("'\\d'; import three", ["three.py"]),
        ("__import__('three')", []),
    ],
)
def test_what_a_file_imports_from_its_folder_belongs_to_it(folder, text, expected):
    assert sources(folder, text) == expected


def test_a_file_between_installed_ones_stands_alone(folder):
    installed = folder.rename(folder.with_name("site-packages"))
    assert with_neighbours([installed / "one.py"], installed) == [installed / "one.py"]


def test_of_installed_ones_a_package_belongs_together(folder):
    installed = folder.rename(folder.with_name("site-packages"))
    (installed / "package" / "more" / "deep.py").write_text(
        "from ..inner import x\nimport one", encoding="utf-8"
    )
    own = installed / "package" / "more" / "deep.py"
    assert with_neighbours([own], installed) == [own, installed / "package" / "inner.py"]


def test_the_files_inside_a_folder(folder):
    inside = [path.relative_to(folder).as_posix() for path in files_inside(folder / "package")]
    assert inside == ["package/__init__.py", "package/data.txt", "package/inner.py", "package/more/last.py"]
    assert files_inside(folder / "nothing") == files_inside(folder / "one.py") == []


# -- files that were written to do harm ---------------------------------------------------------------------


def test_only_regular_files_are_opened(folder):
    os.mkfifo(folder / "fifo.py")
    (folder / "device.py").symlink_to("/dev/zero")
    (folder / "nobody.py").symlink_to("not there")
    (folder / ".#one.py").symlink_to("who@where")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "loop").symlink_to("loop")
    (folder / "closed.py").mkdir()
    (folder / "fifos").mkdir()
    os.mkfifo(folder / "fifos" / "__init__.py")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(folder / "end.py"))
        names = [path.name for path in python_files(folder)]
        assert set(names) == {name for name in FILES if "/" not in name}
        text = "import fifo, device, nobody, loop, closed, fifos, end, " + "a" * 300
        assert sources(folder, text) == []
    assert files_inside(folder / "loop") == []


def test_links_within_the_folder_are_gone_through_once(folder):
    """Each would double what is found, without end."""
    for name in ("p", "q", "up"):
        (folder / "package" / name).symlink_to(".")
    text = "from package import p, q\nfrom package.p.q.up import inner\nimport package.p.q.p"
    assert sources(folder, text) == PACKAGE
    (folder / "current").symlink_to("package")
    assert sources(folder, "import current") == ["current", *PACKAGE]


def test_there_is_an_end_to_what_is_read(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_FILES", 4)
    with pytest.raises(Misuse, match="more than 4 files would belong to one bot"):
        sources(folder, "import package")
    with pytest.raises(Misuse, match="more than 4 files"):
        files_inside(folder)
    (folder / "long.py").write_text("import three\n" + "a=1\n" * 300_000, encoding="utf-8")
    assert sources(folder, "import long") == ["long.py"]
