"""A small league's pages for tests: its database, its application, and visitors with cookies of their own."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import trio
from referee.league.club import SETTINGS, Clock, fixture, opened, play
from referee.store.club import outcome

from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.league.folder import Folder
from aluette_referee.league.ledger import Ended, Ledger
from aluette_referee.league.rater import compute
from aluette_referee.league.reader import Reader
from aluette_referee.league.registry import Registry
from aluette_referee.league.settings import Settings
from aluette_referee.web.app import make_app
from aluette_referee.web.site import Site

__all__ = ["EVIDENCE", "HARM", "League", "Visitor", "club", "league", "text_of"]

HARM = "<script>alert(1)</script>"
EVIDENCE = "Traceback\nValueError: <b>I hold 3D</b>"


class Visitor:
    """A browser without a window: it keeps cookies, follows nothing, and sends forms as they are on the page."""

    def __init__(self, app: Any, base: str = "http://league.test", address: str = "192.0.2.1") -> None:
        self._app = app
        self._base = base
        self._address = address
        self.cookies = httpx.Cookies()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, client=(self._address, 1), raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url=self._base, cookies=self.cookies
            ) as client:
                response = await client.request(method, path, **more)
                self.cookies = client.cookies
                return response

        return trio.run(asked)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def see(self, path: str) -> str:
        """A page that is there."""
        response = self.get(path)
        assert response.status_code == 200, response.text
        return response.text

    def post(self, path: str, *, key: str, **fields: str) -> httpx.Response:
        return self.ask("POST", path, data={**fields, "key": key})

    def key(self, page: str) -> str:
        found = re.search(r'name="key" value="(\w+)"', self.see(page))
        assert found, page
        return found[1]

    def send(self, path: str, *, on: str = "/me", **fields: str) -> httpx.Response:
        """A form that is on a page."""
        return self.post(path, key=self.key(on), **fields)

    def sign_in(self, token: str) -> httpx.Response:
        return self.send("/sign-in", on="/sign-in", token=token)


class League:
    """A league, its service's side of the database, and its pages."""

    def __init__(self, ledger: Ledger, folder: Folder, reader: Reader) -> None:
        self.ledger = ledger
        self.now = 0.0
        self.timed: list[str] = []
        self.site = Site(folder, reader, {"ALUETTE_SERVER": "127.0.0.1:7000"}, clock=lambda: self.now)
        self.app = make_app(
            self.site, timed=lambda page, seconds: self.timed.append(page), clock=lambda: self.now
        )
        self.registry = Registry(ledger.database, "operator", Clock())
        self.tokens: dict[str, str] = {}

    def visitor(self, owner: str = "", **given: str) -> Visitor:
        """Somebody, signed in as an owner or not."""
        visitor = Visitor(self.app, **given)
        if owner:
            response = visitor.sign_in(self.tokens[owner])
            assert response.status_code == 303, response.text
        return visitor

    def enter(self, *names: str) -> None:
        """An owner with a bot for each name."""
        for name in names:
            self.tokens[name] = self.registry.register(name)
            self.registry.add_bot(name, name.lower())

    def play(self, one: int, other: int, winner: str | None) -> str:
        made = fixture(self.ledger, (one,), (other,))
        play(self.ledger, made, winner)
        return made.id

    def rate(self) -> None:
        with self.ledger.database.begin() as connection:
            climbed = compute(connection, 1, self.site.settings, (), datetime(2026, 1, 1, tzinfo=UTC))
        self.ledger.keep_ladder(1, climbed.rungs, climbed.rungs)


@contextmanager
def league(path: Path, settings: Settings = SETTINGS) -> Iterator[League]:
    """A league without anybody."""
    place = str(path / "league.db")
    with opened(place, settings) as ledger:
        reader = Reader(place, 1)
        try:
            yield League(ledger, Folder(path, settings, place), reader)
        finally:
            reader.close()


@contextmanager
def club(path: Path, **changed: Any) -> Iterator[League]:
    """Ana, Bea and Cleo have met. Cleo's bot is displayed as a script, and Bea's has made a fault."""
    with league(path, replace(SETTINGS, **changed)) as made:
        made.enter("Ana", "Bea", "Cleo")
        made.registry.rename("cleo", HARM)
        for one, other, winner in ((1, 2, "NS"), (2, 1, "NS"), (1, 3, None), (3, 2, "EW"), (1, 2, "NS")):
            made.play(one, other, winner)
        faulty = fixture(made.ledger, (1,), (2,))
        made.ledger.begin([faulty])
        fault = Fault(FaultType.FAILED, Seat.E, 2, 3, EVIDENCE)
        made.ledger.save([Ended(faulty.id, outcome("NS")._replace(strikes=(fault,)))])
        made.rate()
        yield made


def text_of(page: str) -> str:
    """What somebody reads."""
    return html.unescape(re.sub(r"<[^>]*>", "", page))
