"""What holds for every file: who imports whom, what a module says of itself, how long it is, what it names."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ["sdk/aluette", "referee/aluette_referee", "bots/aluette_bots", "benchmarks/aluette_bench"]
GENERATED = ROOT / "sdk/aluette/v1"
NOT_OURS = {".git", ".venv", ".hypothesis", "dist", "build", "node_modules", "__pycache__"}
MOST_LINES = 350
SCRIPTS = {"cli/starter.py", "play/warden.py", "aluette_bots/lowest.py"}
"""These are run, or read by a beginner, and offer nothing to import."""


def files(folder: Path) -> Iterator[Path]:
    """All files below a folder but those that tools leave there."""
    for path in sorted(folder.iterdir()):
        if path.name in NOT_OURS or path.name.endswith("_cache") or path.suffix == ".egg-info":
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULES = [
    path
    for package in PACKAGES
    for path in files(ROOT / package)
    if path.suffix == ".py" and GENERATED not in path.parents
]
TREE = [
    path
    for path in files(ROOT)
    if path.suffix not in {".db", ".pyc"} and not path.name.startswith(".coverage")
]


def test_everybody_imports_only_whom_they_may():
    lint = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stdout
    assert "0 broken" in result.stdout


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_says_what_it_is_for_and_what_it_offers(path):
    module = ast.parse(path.read_text(encoding="utf-8"))
    about = ast.get_docstring(module)
    assert about
    assert about.splitlines()[0].rstrip().endswith((".", ":", "?"))
    if len(module.body) == 1 or "/".join(path.parts[-2:]) in SCRIPTS:
        return
    offered = list(names_offered(module))
    assert offered == sorted(set(offered), key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert set(offered) <= names_bound(module)


def names_offered(module: ast.Module) -> Iterator[str]:
    """What `__all__` says; there must be one."""
    (names,) = (
        statement.value
        for statement in module.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name) and target.id == "__all__"
    )
    assert isinstance(names, ast.List)
    for name in names.elts:
        assert isinstance(name, ast.Constant)
        assert isinstance(name.value, str)
        yield name.value


def names_bound(module: ast.Module) -> set[str]:
    """The names that a module has when it has been run, as far as its top level shows them."""
    found: set[str] = set()
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found.update(alias.asname or alias.name for alias in aliases)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


def test_no_module_is_long():
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 200


def test_every_package_folder_is_a_package():
    folders = {path.parent for path in MODULES}
    assert {named(folder) for folder in folders if not (folder / "__init__.py").is_file()} == set()


# Written so that this file does not name them either.
FOREIGN = re.compile(r"(?<![\w.])/wor[k]\b|\.\./share[d]\b|\bshare[d]/")
ISSUE = re.compile(r"(?<![\w&/])#\d+\b|\bGH-\d+|issues?/\d+|\b[Ii]ssue \d+")


@pytest.mark.parametrize("path", TREE, ids=named)
def test_the_project_stands_alone(path):
    text = path.read_bytes().decode("utf-8")
    assert FOREIGN.findall(text) == []
    if path.suffix in {".md", ".py", ".toml", ".proto", ".sh", ""} and path.name != "LICENSE":
        assert ISSUE.findall(text) == []


def test_text_is_text():
    """UTF-8 without a mark, lines that end as on Linux, a line end at the end."""
    for path in TREE:
        content = path.read_bytes()
        assert not content.startswith(b"\xef\xbb\xbf"), path
        assert b"\r" not in content, path
        assert content == b"" or content.endswith(b"\n") or path.suffix == ".json", path
