"""Live tables, over server-sent events; and what monitors ask for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from referee.league.club import fixture
from referee.web.site import League, Visitor, league

from aluette.record import replay
from aluette.rules import Match, RuleSet
from aluette.testing import play_match
from aluette_referee.league.metrics import Metrics
from aluette_referee.league.story import Story
from aluette_referee.league.watching import Live, Stage
from aluette_referee.web import live as module
from aluette_referee.web import monitor
from aluette_referee.web.app import make_app


class Watched:
    """A league in which one match is being played, or has just ended."""

    def __init__(self, made: League) -> None:
        made.enter("Ana", "Bea")
        self.league = made
        self.fixture = fixture(made.ledger, (1,), (2,), rated=False)
        self.match = replay(play_match(["careful", "random"] * 2, rules=RuleSet(deals=2), seed=3))
        self.live = {self.fixture.id: Live(self.match)}
        stage = Stage(
            {self.fixture.id: self.fixture}, self.live, lambda number: {1: "ana/1", 2: "bea/1"}[number], 0.0
        )
        self.ready = True
        metrics = Metrics({"tables": ("Matches that are being played", lambda: len(self.live))})
        self.app = make_app(
            made.site,
            [*module.routes(made.site, stage), *monitor.routes(made.site, metrics, lambda: self.ready)],
        )

    def visitor(self, address: str = "192.0.2.1") -> Visitor:
        return Visitor(self.app, address=address)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with league(tmp_path) as made:
        yield Watched(made)


def test_what_is_being_played_is_listed_and_has_a_page(watched):
    visitor, name = watched.visitor(), watched.fixture.id
    assert f'href="/live/{name}"' in visitor.see("/live")
    page = visitor.see(f"/live/{name}")
    assert f'data-from="/live/{name}/events"' in page
    assert "ana/1" in page
    assert "bea/1" in page
    watched.live.clear()
    assert "Nothing is being played" in visitor.see("/live")
    over = visitor.get(f"/live/{name}")
    assert (over.status_code, over.headers["location"]) == (303, f"/match/{name}")


def test_a_spectator_is_told_the_whole_story_and_that_it_is_over(watched):
    watched.live[watched.fixture.id].over.set()
    answer = watched.visitor().get(f"/live/{watched.fixture.id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    told = [
        json.loads(line.removeprefix("data: "))
        for line in answer.text.splitlines()
        if line.startswith("data: ")
    ]
    assert told == [*Story(watched.match).more(), {"event": "over"}]


def test_no_card_that_is_not_played_is_anywhere(watched):
    """Of a match before its first card, neither page nor events name one."""
    name = watched.fixture.id
    watched.live[name] = Live(Match(RuleSet(), watched.fixture.key))
    watched.live[name].over.set()
    visitor = watched.visitor()
    told = visitor.get(f"/live/{name}/events").text
    assert '"event":"card"' not in told
    assert "hand" not in told
    board = visitor.see(f"/live/{name}").partition("</svg>")[2]  # behind the drawings of all cards
    assert "#card-" not in board


def test_who_asks_for_a_match_that_is_over_is_not_to_ask_again(watched):
    assert watched.visitor().get("/live/zzzz/events").status_code == 204


def test_there_is_room_for_so_many_spectators(watched, monkeypatch):
    monkeypatch.setattr(module, "MOST_SPECTATORS", 1)
    watched.live[watched.fixture.id].over.set()
    for _ in range(3):  # each has gone when the next one comes
        assert watched.visitor().get(f"/live/{watched.fixture.id}/events").status_code == 200
    monkeypatch.setattr(module, "MOST_SPECTATORS", 0)
    full = watched.visitor().get(f"/live/{watched.fixture.id}/events")
    assert (full.status_code, full.headers["retry-after"]) == (503, "60")


def test_it_is_alive_and_ready_or_not(watched):
    visitor = watched.visitor()
    assert visitor.see("/healthz") == "alive\n"
    assert visitor.see("/readyz") == "ready\n"
    watched.ready = False
    assert visitor.get("/readyz").status_code == 503
    assert visitor.see("/healthz") == "alive\n"


def test_figures_are_for_this_machine_and_for_admins(watched):
    near, far = watched.visitor("127.0.0.1"), watched.visitor()
    figures = near.get("/metrics")
    assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "aluette_tables 1.0" in figures.text
    assert near.get("/metrics", headers={"x-forwarded-for": "192.0.2.7"}).status_code == 403
    assert far.get("/metrics").status_code == 403
    tokens = watched.league.registry.register("Op", "admin"), watched.league.tokens["Ana"]
    answers = [
        far.get("/metrics", headers={"authorization": f"Bearer {token}"}).status_code for token in tokens
    ]
    assert answers == [200, 403]
