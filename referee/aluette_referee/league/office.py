"""What an operator decides: the league's life, its seasons, and what to take back. Each act is in the audit log."""

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.league import names
from aluette_referee.league.acts import Acts
from aluette_referee.league.schema import league, owner, result, season, void

__all__ = ["Office"]


class Office(Acts):
    """Acts of an operator. Raises `Misuse`, and has changed nothing then."""

    def pause(self, reason: str = "") -> None:
        """No match begins until `resume`; those that are played go on."""
        self._set("pause", reason, paused=True)

    def resume(self) -> None:
        """Matches begin again."""
        self._set("resume", "", paused=False)

    def drain(self, reason: str = "") -> None:
        """No match begins any more, and the service ends when the last is over; bots come again when it is started anew."""
        self._set("drain", reason, draining=True)

    def _set(self, act: str, reason: str, **values: bool) -> None:
        reason = names.check_reason(reason) if reason else ""
        with self._act(act, "league", reason) as connection:
            connection.execute(sa.update(league).values(values))

    def void(self, match: str, reason: str) -> str:
        """A match counts for nobody, whatever its result; returns its id. The result stays stored."""
        reason = names.check_reason(reason)
        with self._act("void", match, reason) as connection:
            row = names.match_called(connection, match)
            if connection.scalar(sa.select(void.c.match).where(void.c.match == row.id)) is not None:
                raise Misuse(f"match {row.id} is void already")
            if connection.scalar(sa.select(result.c.match).where(result.c.match == row.id)) is None:
                raise Misuse(f"match {row.id} is being played: it can be made void when it is over")
            line = {"match": row.id, "why": f"by {self._who}: {reason}", "at": self._now()}
            connection.execute(sa.insert(void), line)
            found: str = row.id
            return found

    def ban(self, name: str, reason: str) -> None:
        """An owner's bots play no more, and none of its tokens is good for anything."""
        reason = names.check_reason(reason)
        self._ban("ban", name, reason)

    def unban(self, name: str) -> None:
        """It may again."""
        self._ban("unban", name, None)

    def _ban(self, act: str, name: str, banned: str | None) -> None:
        with self._act(act, name, banned or "") as connection:
            row = names.owner_called(connection, name)
            connection.execute(sa.update(owner).where(owner.c.id == row.id).values(banned=banned))

    def ask_for_season(self, name: str) -> None:
        """The service ends the season when its running matches are over, and begins one of this name."""
        name = names.check_text("a season's name", name)
        with self._act("new season", name) as connection:
            open_one = sa.update(season).where(season.c.ended.is_(None))
            connection.execute(open_one.values(successor=name))
