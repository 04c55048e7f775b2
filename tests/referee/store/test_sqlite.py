"""Files that are no contest's database, and what a file system may do."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from referee.store.club import club, count, ids, play, played, process

from aluette import Misuse
from aluette_referee.store import create_or_open, open_existing, sqlite

OPENERS = [lambda place: create_or_open(place, *club()), open_existing]


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def _another_programs(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE contest (id)")
    connection.close()


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "bytes": (lambda path: path.write_bytes(bytes(range(256)) * 40), "file is not a database"),
    "text": (lambda path: path.write_text("[contest]\n"), "file is not a database"),
    "cut off": (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(80)), "file is not a database"),
    "another program's": (_another_programs, "it is an SQLite file of another program"),
    "empty": (Path.touch, "is an empty file, not a database: remove it"),
    "folder": (Path.mkdir, "is a folder, not a database file"),
    "pipe": (os.mkfifo, "is not an ordinary file"),
    "link to itself": (lambda path: path.symlink_to(path), "cannot be opened: Too many levels"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("open_it", OPENERS, ids=["run", "read"])
def test_what_is_no_database_is_left_alone(
    name: str, open_it: Callable[[Path], object], tmp_path: Path
) -> None:
    make, sentence = BAD[name]
    path = tmp_path / "club.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(Misuse, match=sentence) as caught:
        open_it(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert _names(tmp_path) == ["club.db"]


@pytest.mark.parametrize("open_it", OPENERS, ids=["run", "read"])
def test_a_damaged_database_is_a_sentence(open_it: Callable[[str], object], file: str) -> None:
    play(file, *club())
    os.truncate(file, 4096)
    with pytest.raises(Misuse, match=f"{file}.*: (database disk image is malformed|no such table)"):
        open_it(file)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    for open_it in OPENERS:
        with pytest.raises(Misuse, match=f"there is no folder {tmp_path}/none"):
            open_it(tmp_path / "none" / "club.db")
    with pytest.raises(Misuse, match=f"there is no database {tmp_path}/club.db"):
        open_existing(tmp_path / "club.db")


def test_a_new_database_is_one_file_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "a b%20?#.db"
    play(str(path), *club())
    assert _names(tmp_path) == [path.name]
    assert path.stat().st_mode & 0o777 == 0o600


def test_names_that_are_links(tmp_path: Path) -> None:
    path, symbolic, hard = (str(tmp_path / name) for name in ("club.db", "symbolic.db", "hard.db"))
    Path(symbolic).symlink_to(path)
    with create_or_open(symbolic, *club())[0]:
        os.link(path, hard)
        for name in (path, symbolic, hard):
            with pytest.raises(Misuse, match=f"{name} is in use by another run"):
                create_or_open(name, *club())
    play(hard, *club())
    assert count(path, "match") == 2


def test_a_file_that_appears_meanwhile_is_not_overwritten(file: str) -> None:
    contest, entrants = club()

    def source(size: int) -> bytes:
        if not Path(file).exists():
            play(file, contest, entrants)
        return bytes(size)

    with create_or_open(file, contest, entrants, source)[0] as store:
        assert store.matches_played() == 2
        assert store.key != bytes(32)
    assert _names(Path(file).parent) == ["club.db"]


def test_without_hard_links_it_is_renamed(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", no_links)
    play(file, *club())
    assert _names(Path(file).parent) == ["club.db"]
    with pytest.raises(FileExistsError):
        sqlite._put_in_place("new", Path(file))


def test_a_half_written_page_is_undone_by_a_reader(file: str) -> None:
    """The journal of a killed run is hot: pages of it have reached the file."""
    play(file, *club("ABC", blocks=20), matches=2)
    code = """
store, _ = create_or_open(sys.argv[1], *club("ABC", blocks=20))
store._database._connection.exec_driver_sql("PRAGMA cache_size = 1")
store._database._connection.rollback()
def die(connection, cursor, statement, *rest):
    if statement.startswith("INSERT INTO record"):
        os.kill(os.getpid(), 9)
sa.event.listen(sa.Engine, "after_cursor_execute", die)
store.save(played(store.missing()))
"""
    size = Path(file).stat().st_size
    with process(code, file):
        pass
    assert Path(f"{file}-journal").exists()
    assert Path(file).stat().st_size > size
    with open_existing(file) as archive:
        assert archive.matches_played() == 2
    assert Path(file).stat().st_size == size
    assert _names(Path(file).parent) == ["club.db"]


def test_a_full_disk_is_a_sentence_and_changes_nothing(file: str) -> None:
    with create_or_open(file, *club("ABC", blocks=20))[0] as store:
        with store._database.begin() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(Misuse, match=f"{file}: database or disk is full"):
            store.save(played(store.missing()))
        assert store.matches_played() == 0


def test_a_file_moved_away_during_a_run_is_a_sentence(file: str) -> None:
    with create_or_open(file, *club())[0] as store:
        Path(file).rename(f"{file}.old")
        with pytest.raises(Misuse, match=f"{file}: .*"):
            store.save(played(store.missing()))


@contextmanager
def _nobody() -> Generator[None]:
    """Root may read everything; be somebody else meanwhile."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that others may enter, which pytest's are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def test_files_that_may_not_be_read_or_written(shared_folder: Path) -> None:
    path = shared_folder / "club.db"
    play(str(path), *club())
    path.chmod(0o000)
    with _nobody():
        with pytest.raises(Misuse, match=f"{path} cannot be opened for writing: Permission denied"):
            create_or_open(path, *club())
        with pytest.raises(Misuse, match=f"{path} cannot be opened: unable to open database file"):
            open_existing(path)
    path.chmod(0o444)
    shared_folder.chmod(0o555)
    with _nobody():
        with pytest.raises(Misuse, match=f"{path} cannot be opened for writing: Permission denied"):
            create_or_open(path, *club())
        with pytest.raises(Misuse, match=r"new.db cannot be made: Permission denied"):
            create_or_open(shared_folder / "new.db", *club())
        with open_existing(path) as archive:
            assert [match.fixture.id for match in archive.matches()] == ids(archive)
    shared_folder.chmod(0o000)
    with _nobody():
        for open_it in OPENERS:
            with pytest.raises(Misuse, match=f"{path} cannot be opened: Permission denied"):
                open_it(path)
