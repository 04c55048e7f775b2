"""Which files a Python bot consists of: found from its imports, in its folder, without running any."""

from pathlib import Path

import pytest

from aluette_referee.play.sources import files_inside, with_neighbours

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
