"""Owners, their tokens, their bots and versions of these: what people change, each change with its line in the audit log.

A version never changes: what runs under its token is its owner's word, what is hosted has the content it was added with.
Whoever is asked to make a change has found out whether that person may.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import NamedTuple

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.contest.contest import BotSpec
from aluette_referee.league import names
from aluette_referee.league.acts import Acts, now_text
from aluette_referee.league.schema import bot, owner, request, token, version
from aluette_referee.league.tokens import SECRET_BYTES, Rights, digest, make
from aluette_referee.store.database import Database

__all__ = ["Entered", "Registry"]

MOST_BOTS = 100
"""Of one owner: each may have versions without end, but for what is played at once."""


class Entered(NamedTuple):
    """A version that was entered. `token` lets it play, and is not seen again; a hosted one has none."""

    name: str
    token: str | None


class Registry(Acts):
    """What `who` - an owner's name, or "operator" - changes. Raises `Misuse`, and has changed nothing then."""

    def __init__(
        self,
        database: Database,
        who: str,
        now: Callable[[], str] = now_text,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Take the time and randomness, too."""
        super().__init__(database, who, now)
        self._random = random

    # -- owners and tokens -----------------------------------------------------------------------------

    def register(self, name: str, rights: Rights = "own") -> str:
        """A new owner; returns a token for all that an owner may do, or an operator."""
        name = names.check_text("a name", name)
        with self._act("register", name) as connection:
            alike = names.alike(name)
            taken = connection.scalar(sa.select(owner.c.name).where(owner.c.alike == alike))
            if taken is not None:
                raise Misuse(f"{name!r} cannot be registered: there is an owner called {taken!r}")
            row = {"name": name, "alike": alike, "created": self._now()}
            number = _insert(connection, owner, row)
            return self._give_token(connection, number, rights, "first")

    def add_token(self, name: str, rights: Rights, label: str = "") -> str:
        """One more token of an owner, to own or to administer."""
        with self._act("token", name, f"{rights} {label}".strip()) as connection:
            return self._give_token(connection, names.owner_called(connection, name).id, rights, label)

    def add_play_token(self, of_version: str, label: str = "") -> str:
        """One more token for a version to play with."""
        with self._act("token", of_version, f"play {label}".strip()) as connection:
            row = names.version_called(connection, of_version)
            if row.hosted is not None:
                raise Misuse(f"{of_version} is hosted here, and comes without a token")
            of_owner = connection.scalar(sa.select(bot.c.owner).where(bot.c.id == row.bot))
            assert of_owner is not None
            return self._give_token(connection, of_owner, "play", label, row.id)

    def revoke(self, number: int) -> None:
        """A token is good for nothing from now on. Streams that were opened with it end soon."""
        with self._act("revoke", str(number)) as connection:
            live = sa.update(token).where(token.c.id == number, token.c.revoked.is_(None))
            if not connection.execute(live.values(revoked=self._now())).rowcount:
                raise Misuse(f"there is no token {number} that could be revoked")

    def _give_token(
        self,
        connection: sa.Connection,
        of_owner: int,
        rights: Rights,
        label: str,
        of_version: int | None = None,
    ) -> str:
        made = make(rights, self._random(SECRET_BYTES))
        row = {
            "owner": of_owner,
            "digest": digest(made),
            "rights": rights,
            "version": of_version,
            "label": names.check_text("a label", label) if label else "",
            "created": self._now(),
        }
        connection.execute(sa.insert(token), row)
        return made

    # -- bots and versions -----------------------------------------------------------------------------

    def add_bot(
        self, of_owner: str, name: str, display: str = "", hosted: tuple[BotSpec, str] | None = None
    ) -> Entered:
        """A new bot with its first version; `hosted`: how it is started here, and the digest of its content."""
        names.check_bot_name(name)
        display = names.check_text("what a bot is displayed as", display or name)
        with self._act("add bot", name) as connection:
            row = names.owner_called(connection, of_owner)
            if connection.scalar(sa.select(bot.c.id).where(bot.c.name == name)) is not None:
                raise Misuse(
                    f"there is a bot called {name!r} already: add a version to it, or take another name"
                )
            count = connection.scalar(sa.select(sa.func.count()).where(bot.c.owner == row.id))
            if (count or 0) >= MOST_BOTS:
                raise Misuse(f"{row.name} has {MOST_BOTS} bots already: add versions to them")
            columns = {"owner": row.id, "name": name, "display": display, "created": self._now()}
            number = _insert(connection, bot, columns)
            return self._enter(connection, row.id, number, name, hosted)

    def add_version(self, of_bot: str, hosted: tuple[BotSpec, str] | None = None) -> Entered:
        """The next version of a bot: an entrant of its own. Older ones play on until they are retired."""
        with self._act("add version", of_bot) as connection:
            row = names.bot_called(connection, of_bot)
            return self._enter(connection, row.owner, row.id, of_bot, hosted)

    def _enter(
        self,
        connection: sa.Connection,
        of_owner: int,
        of_bot: int,
        name: str,
        hosted: tuple[BotSpec, str] | None,
    ) -> Entered:
        last = connection.scalar(sa.select(sa.func.max(version.c.number)).where(version.c.bot == of_bot)) or 0
        now = self._now()
        row = {"bot": of_bot, "number": last + 1, "created": now, "retired": False, "pardoned": now}
        if hosted is not None:
            spec, content = hosted
            row |= {"hosted": json.dumps(asdict(spec)), "content": content}
        number = _insert(connection, version, row)
        given = self._give_token(connection, of_owner, "play", "first", number) if hosted is None else None
        return Entered(f"{name}/{last + 1}", given)

    def rename(self, of_bot: str, display: str) -> None:
        """Change what a bot is displayed as; its name stays."""
        display = names.check_text("what a bot is displayed as", display)
        with self._act("rename", of_bot, display) as connection:
            row = names.bot_called(connection, of_bot)
            connection.execute(sa.update(bot).where(bot.c.id == row.id).values(display=display))

    def retire(self, name: str) -> None:
        """A version, or all of a bot, begins no match any more; what it is playing goes on."""
        self._set("retire", name, retired=True)

    def reactivate(self, name: str) -> None:
        """A version, or the newest of a bot, plays again; it is forgiven that it was lost too often."""
        with self._act("reactivate", name) as connection:
            row = names.version_called(connection, name)
            values = {"retired": False, "benched": None, "pardoned": self._now()}
            connection.execute(sa.update(version).where(version.c.id == row.id).values(values))

    def bench(self, name: str, why: str) -> None:
        """A version, or all of a bot, is out until it is reactivated."""
        self._set("bench", name, reason=why, benched=names.check_reason(why))

    def request(self, one: str, other: str, matches: int) -> None:
        """Ask for unrated matches of two versions of two bots."""
        with self._act("request", f"{one} {other}", str(matches)) as connection:
            sides = [names.version_called(connection, name) for name in (one, other)]
            if sides[0].id == sides[1].id:
                raise Misuse(f"{one} cannot play against itself: name two versions, as in fox/1 and fox/2")
            of_owner = connection.scalar(sa.select(bot.c.owner).where(bot.c.id == sides[0].bot))
            row = {
                "owner": of_owner,
                "one": sides[0].id,
                "other": sides[1].id,
                "at": self._now(),
                "left": matches,
            }
            connection.execute(sa.insert(request), row)

    def _set(self, act: str, name: str, reason: str = "", **values: object) -> None:
        with self._act(act, name, reason) as connection:
            ids = [row.id for row in names.versions_called(connection, name)]
            connection.execute(sa.update(version).where(version.c.id.in_(ids)).values(values))


def _insert(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> int:
    found = connection.execute(sa.insert(table), row).inserted_primary_key
    assert found is not None
    number: int = found[0]
    return number
