"""Owners, tokens, bots and versions: what may be changed, what is refused, and the audit log of it."""

import pytest
import sqlalchemy as sa
from referee.league.club import opened, registry

from aluette.errors import Misuse
from aluette_referee.contest.contest import BotSpec
from aluette_referee.league import names
from aluette_referee.league.office import Office
from aluette_referee.league.roster import change_number, read_flags, read_holder, read_roster
from aluette_referee.league.schema import audit, token


def test_an_owner_gets_a_token_that_is_stored_as_a_digest_alone(place):
    with opened(place) as ledger:
        given = registry(ledger).register("Ana")
        with ledger.database.begin() as connection:
            holder = read_holder(connection, given)
            assert (holder.owner_name, holder.rights, holder.version, holder.banned) == (
                "Ana",
                "own",
                None,
                "",
            )
            stored = connection.scalar(sa.select(token.c.digest))
            assert given.startswith("aluette_own_")
            assert given not in stored
            assert read_holder(connection, given + "x") is None
            assert read_holder(connection, "\ud800") is None


def test_bots_have_versions_each_with_a_token_of_its_own(place):
    with opened(place) as ledger:
        desk = registry(ledger)
        desk.register("Ana")
        first = desk.add_bot("ana", "fox", "The Fox")
        second = desk.add_version("fox")
        assert (first.name, second.name) == ("fox/1", "fox/2")
        with ledger.database.begin() as connection:
            roster = read_roster(connection)
            assert [(each.name, each.display, each.owner_name) for each in roster.values()] == [
                ("fox/1", "The Fox", "Ana"),
                ("fox/2", "The Fox", "Ana"),
            ]
            for entered in (first, second):
                holder = read_holder(connection, entered.token)
                assert holder.rights == "play"
                assert roster[holder.version].name == entered.name


def test_a_hosted_bot_has_no_token_and_comes_back_as_it_was_written(place):
    spec = BotSpec("fox.py:Fox", {"depth": 2}, {"A": "b"}, ("weights",))
    with opened(place) as ledger:
        desk = registry(ledger)
        desk.register("Ana")
        assert desk.add_bot("Ana", "fox", hosted=(spec, "c0ffee")) == ("fox/1", None)
        with ledger.database.begin() as connection:
            (fox,) = read_roster(connection).values()
        assert (fox.hosted, fox.content) == (spec, "c0ffee")
        with pytest.raises(Misuse, match="fox is hosted here"):
            desk.add_play_token("fox")


def test_who_is_retired_benched_or_banned_is_barred_until_it_is_taken_back(place):
    def barred() -> list[str]:
        with ledger.database.begin() as connection:
            return [each.barred for each in read_roster(connection).values()]

    with opened(place) as ledger:
        desk, office = registry(ledger), Office(ledger.database, "operator")
        given = desk.register("Ana")
        desk.add_bot("Ana", "fox")
        desk.add_version("fox")
        desk.retire("fox/1")
        assert barred() == ["fox/1 is retired", ""]
        desk.bench("fox", "it crashes")
        assert barred() == ["fox/1 is benched: it crashes", "fox/2 is benched: it crashes"]
        desk.reactivate("fox")
        assert barred() == ["fox/1 is benched: it crashes", ""]
        office.ban("ana", "two accounts")
        assert barred() == ["Ana is banned: two accounts"] * 2
        with ledger.database.begin() as connection:
            assert read_holder(connection, given).banned == "two accounts"
        office.unban("Ana")
        assert barred() == ["fox/1 is benched: it crashes", ""]


def test_tokens_can_be_revoked_once(place):
    with opened(place) as ledger:
        desk = registry(ledger)
        first, more = desk.register("Ana"), desk.add_token("Ana", "admin", "laptop")
        desk.revoke(1)
        with ledger.database.begin() as connection:
            assert read_holder(connection, first) is None
            assert read_holder(connection, more).rights == "admin"
        for number in (1, 77):
            with pytest.raises(Misuse, match=f"no token {number} that could be revoked"):
                desk.revoke(number)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda desk: desk.register("ANA"), "there is an owner called 'Ana'"),
        (lambda desk: desk.register(" "), "a name must be 1 to 64 printable characters"),
        (lambda desk: desk.register("a\x1b[2J"), "a name must be"),
        (
            lambda desk: desk.add_bot("Anna", "wolf"),
            r"there is no owner called 'Anna' \(did you mean 'Ana'\?\)",
        ),
        (lambda desk: desk.add_bot("Ana", "fox"), "there is a bot called 'fox' already"),
        (lambda desk: desk.add_bot("Ana", "The Fox"), "a bot cannot be called 'The Fox'"),
        (lambda desk: desk.add_bot("Ana", "wolf", "x" * 65), "what a bot is displayed as must be"),
        (lambda desk: desk.add_version("foxx"), r"there is no bot called 'foxx' \(did you mean 'fox'\?\)"),
        (lambda desk: desk.retire("fox/2"), "fox has no version 2: the newest is 1"),
        (lambda desk: desk.retire("fox/new"), "fox/new is no version: write fox/1"),
        (lambda desk: desk.bench("fox", ""), "the reason must be"),
        (lambda desk: desk.rename("fox", "\n"), "what a bot is displayed as must be"),
    ],
)
def test_what_makes_no_sense_is_refused_and_leaves_nothing(place, act, sentence):
    with opened(place) as ledger:
        desk = registry(ledger)
        desk.register("Ana")
        desk.add_bot("Ana", "fox")
        with ledger.database.begin() as connection:
            before = change_number(connection), read_roster(connection)
        with pytest.raises(Misuse, match=sentence):
            act(desk)
        with ledger.database.begin() as connection:
            assert (change_number(connection), read_roster(connection)) == before


def test_every_change_is_in_the_audit_log(place):
    with opened(place) as ledger:
        desk, office = registry(ledger, "Ana"), Office(ledger.database, "operator")
        desk.register("Ana")
        desk.add_bot("Ana", "fox")
        desk.rename("fox", "Fuchs")
        office.pause("the disk is full")
        office.resume()
        office.drain("a new version")
        with ledger.database.begin() as connection:
            lines = connection.execute(
                sa.select(audit.c.who, audit.c.act, audit.c.subject, audit.c.reason)
            ).all()
            assert read_flags(connection) == (False, True, None)
    assert [tuple(line) for line in lines] == [
        ("operator", "init", "league", ""),
        ("Ana", "register", "Ana", ""),
        ("Ana", "add bot", "fox", ""),
        ("Ana", "rename", "fox", "Fuchs"),
        ("operator", "pause", "league", "the disk is full"),
        ("operator", "resume", "league", ""),
        ("operator", "drain", "league", "a new version"),
    ]
    with opened(place) as ledger, ledger.database.begin() as connection:
        assert read_flags(connection) == (False, False, None)  # it was started anew


@pytest.mark.parametrize("name", ["x", "zzzz", "../..", "%%%%"])
def test_a_match_that_is_none_is_not_found(place, name):
    with opened(place) as ledger, ledger.database.begin() as connection, pytest.raises(Misuse, match="match"):
        names.match_called(connection, name)
