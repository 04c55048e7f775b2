"""PostgreSQL URLs: what can be wrong with them, and that no password is ever printed."""

import sys

import pytest
from referee.store.club import club, play
from referee.store.postgres import PASSWORD, Postgres

from aluette import Misuse
from aluette_referee.store import create_or_open, open_existing


def _sentence(place: str) -> str:
    """The sentence that both a run and a reader get."""
    with pytest.raises(Misuse) as run:
        create_or_open(place, *club())
    with pytest.raises(Misuse) as read:
        open_existing(place)
    assert str(run.value) == str(read.value)
    assert "\n" not in str(run.value)
    return str(run.value)


def test_nobody_listens() -> None:
    said = _sentence("postgresql://ana:secret@127.0.0.1:9/club?connect_timeout=3&password=secret")
    assert said.startswith("postgresql://ana:***@127.0.0.1:9/club?connect_timeout=3 cannot be reached: ")
    assert said.endswith("Connection refused")


def test_a_wrong_password(postgres: Postgres) -> None:
    right = postgres.url(user=f"locked:{PASSWORD}")
    wrong = postgres.url(user="locked:secret")
    said = _sentence(wrong)
    assert "cannot be reached" in said
    assert 'password authentication failed for user "locked"' in said
    assert "secret" not in said
    with pytest.raises(Misuse, match="permission denied for schema public") as caught:
        create_or_open(right, *club())
    assert PASSWORD not in str(caught.value)


def test_no_such_database_or_schema(postgres: Postgres) -> None:
    assert 'database "none" does not exist' in _sentence(postgres.url(database="none"))
    assert "there is no schema of the connection's search path" in _sentence(postgres.url(schema="none"))


def test_a_contest_further_along_the_search_path_is_another_one(postgres: Postgres) -> None:
    first, second = postgres.new_schema(), postgres.new_schema()
    play(second, *club("AB"))
    both = f"{first}%2C{second.rpartition('%3D')[2]}"
    play(both, *club("CD"))
    with open_existing(first) as one, open_existing(second) as other:
        assert [entrant.name for entrant in one.entrants] == ["C", "D"]
        assert [entrant.name for entrant in other.entrants] == ["A", "B"]


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = _sentence("postgresql://ana:secret@127.0.0.1/club")
    assert said == (
        "postgresql://ana:***@127.0.0.1/club needs the PostgreSQL driver psycopg: pip install 'aluette[postgres]'"
    )


@pytest.mark.parametrize("url", ["postgresql://ana:se@cret@host/club", "postgresql://ana:x@host:secret/club"])
def test_a_url_that_cannot_be_read(url: str) -> None:
    said = _sentence(url)
    assert said.startswith("the PostgreSQL URL cannot be read: write postgresql://user:password@host")
    assert "cret" not in said


def test_another_kind_of_database() -> None:
    assert _sentence("mysql://ana:secret@host/club") == (
        "mysql:// is no database that is known here: give a file, or a postgresql:// URL"
    )
