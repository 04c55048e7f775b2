"""The feeds: what they say is what the manual shows, page by page, and nothing that is for owners."""

import json
import re
from pathlib import Path

import pytest
from referee.league.club import fixture
from referee.store.club import outcome
from referee.web.site import HARM, club

from aluette.packs import BlockKey
from aluette.record import digest
from aluette_referee.league.ledger import Ended

MANUAL = (Path(__file__).parents[3] / "docs/league-feeds.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^GET (/api/\S+)\n```\n\n```json\n(.*?)^```", MANUAL, re.MULTILINE | re.DOTALL))


def shape(value: object) -> object:
    """What keys there are, and of what kind their values."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return (
        "null"
        if value is None
        else "number"
        if isinstance(value, int | float) and not isinstance(value, bool)
        else type(value).__name__
    )


def alike(one: object, other: object) -> bool:
    """The same keys, and the same kinds where both have a value."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return not one or not other or alike(one[0], other[0])
    return one == other or "null" in (one, other)


@pytest.mark.parametrize("address", SHOWN)
def test_the_manual_shows_what_there_is(house, address):
    visitor = house.visitor()
    match = visitor.get("/api/v1/matches").json()["matches"][0]["id"]
    found = visitor.get(address.replace("9qrys366wxa3-1", match))
    assert found.status_code == 200
    assert found.headers["content-type"] == "application/json"
    assert alike(shape(json.loads(SHOWN[address])), shape(found.json())), (
        shape(json.loads(SHOWN[address])),
        shape(found.json()),
    )


def test_every_feed_is_in_the_manual():
    assert len(SHOWN) == 5
    assert "/api/v1/match/9qrys366wxa3-1/record" in MANUAL


def test_names_are_as_they_are(house):
    rows = house.visitor().get("/api/v1/ladder").json()["ladder"]
    assert {row["display"] for row in rows} == {"ana", "bea", HARM}


def test_the_record_is_that_of_the_digest_and_the_key_that_of_the_commitment(house):
    visitor = house.visitor()
    told = visitor.get("/api/v1/matches").json()["matches"][0]
    match = visitor.get(f"/api/v1/match/{told['id']}").json()
    assert BlockKey(bytes.fromhex(match["key"])).commitment == match["commitment"]
    text = visitor.get(match["record"]).content
    with house.ledger.database.begin() as connection:
        stored = connection.exec_driver_sql(
            f"SELECT digest FROM result WHERE match = '{told['id']}'"
        ).scalar_one()
    assert digest(text) == stored
    assert match["faults"] == [{"type": "failed", "seat": "E", "deal": 2, "trick": 3, "mended": True}]


def test_who_is_signed_in_gets_the_same(tmp_path):
    with club(tmp_path) as made:
        made.registry.bench("bea", "exit code 7")
        match = made.visitor().get("/api/v1/matches").json()["matches"][0]["id"]
        for path in ("/api/v1/bot/bea", f"/api/v1/match/{match}", "/api/v1/ladder"):
            texts = {made.visitor(owner).get(path).text for owner in ("", "Bea")}
            assert len(texts) == 1
            assert not re.search("exit code|I hold|losses", texts.pop())


def test_matches_one_page_after_the_other(tmp_path):
    with club(tmp_path) as made:
        for _ in range(3):
            made.ledger.begin([fixture(made.ledger, (1,), (2,)) for _ in range(40)])
        address, seen = "/api/v1/matches", []
        while address is not None:
            page = made.visitor().get(address).json()
            seen += [row["id"] for row in page["matches"]]
            address = page["next"]
        assert (len(seen), len(set(seen))) == (126, 126)
        assert len(made.visitor().get("/api/v1/matches?bot=cleo").json()["matches"]) == 2


def test_a_match_that_is_played_has_no_key_and_no_record(tmp_path):
    with club(tmp_path) as made:
        playing = fixture(made.ledger, (1,), (2,))
        made.ledger.begin([playing])
        path = f"/api/v1/match/{playing.id}"
        told = made.visitor().get(path).json()
        assert (told["state"], told["key"], told["record"]) == ("playing", None, None)
        response = made.visitor().get(f"{path}/record")
        assert response.status_code == 404
        assert "nobody is shown its cards" in response.json()["error"]
        made.ledger.save([Ended(playing.id, outcome("NS"))])
        assert made.visitor().get(f"{path}/record").json()["result"]["winner"] == "NS"


def test_what_is_not_there_is_json_too(house):
    visitor = house.visitor()
    for path, status in (
        ("/api/v1/bot/none", 404),
        ("/api/v1/none", 404),
        ("/api/v1/ladder?page=x", 400),
        ("/api/v1/ladder?season=9", 404),
    ):
        response = visitor.get(path)
        assert (response.status_code, list(response.json())) == (status, ["error"])
