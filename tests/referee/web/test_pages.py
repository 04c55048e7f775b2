"""Pages that anybody may look at: what is on them, what is not, and that whatever somebody is called is text."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from referee.league.club import SETTINGS, fixture
from referee.store.club import outcome
from referee.web.site import EVIDENCE, HARM, club, league, text_of

from aluette.packs import BlockKey
from aluette.testing import play_match
from aluette_referee.league.fixture import fixtures_of
from aluette_referee.league.ladder import Rating, Rung
from aluette_referee.league.ledger import Ended
from aluette_referee.league.office import Office
from aluette_referee.league.pairing import Drawn
from aluette_referee.league.schema import bot, version


def links(page: str, start: str) -> list[str]:
    return list(dict.fromkeys(re.findall(rf'href="({start}[^"#]*)"', page)))


def rows(page: str) -> list[list[str]]:
    """The cells of all tables on a page."""
    return [
        [text_of(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    ]


def last_match(house) -> str:
    return links(house.visitor().see("/matches"), "/match/")[0]


def test_the_ladder(house):
    page = house.visitor().see("/")
    ladder = {row[1].split()[-1]: row for row in rows(page)[1:]}
    assert next(iter(ladder)) == "ana/1"
    assert {name: row[5:10] for name, row in ladder.items()} == {
        "ana/1": ["5", "3", "1", "1", "Ana"],
        "bea/1": ["5", "2", "0", "3", "Bea"],
        "cleo/1": ["2", "0", "1", "1", "Cleo"],
    }
    assert ladder["cleo/1"][1] == f"{HARM} cleo/1"
    assert page.count('<svg class="interval"') == 3
    assert "provisional" in page
    assert {row[0] for row in ladder.values()} == {"–"}  # no rank


def test_the_ladder_comes_in_pages_and_can_be_searched(tmp_path):
    with league(tmp_path) as made:
        made.registry.register("Ana")
        rungs = [
            Rung(str(number), Rating(2000.0 - number, 30.0), False, number, 9, 4, 1, 4, 9, 9)
            for number in range(1, 251)
        ]
        enter(made, 250)
        made.ledger.keep_ladder(1, rungs, [])
        visitor = made.visitor()
        first = visitor.see("/")
        assert len(rows(first)) == 101
        assert "Page 1 of 3" in first
        (second,) = links(first, r"/\?page=")
        assert rows(visitor.see(second))[1][0] == "101"
        third = visitor.see("/?page=3")
        assert len(rows(third)) == 51
        assert links(third, r"/\?page=") == ["/?page=2"]
        assert "ends before this page" in visitor.see("/?page=4")
        found = visitor.see("/?q=BOT-24")
        assert [row[0] for row in rows(found)[1:]] == ["24", *(f"24{last}" for last in range(10))]
        assert "Nobody is called so" in visitor.see("/?q=%25")
        assert len(rows(visitor.see("/?q=ana"))) == 101
        assert links(visitor.see("/?q=ana"), r"/\?q=") == ["/?q=ana&amp;page=2"]


def enter(made, count: int) -> None:
    """So many bots of Ana's, at once."""
    at = "2026-01-01T00:00:00.000+00:00"
    bots = [
        {"id": n, "owner": 1, "name": f"bot-{n}", "display": f"Bot {n}", "created": at}
        for n in range(1, count + 1)
    ]
    versions = [
        {"id": n, "bot": n, "number": 1, "created": at, "retired": False, "pardoned": at}
        for n in range(1, count + 1)
    ]
    with made.ledger.database.begin() as connection:
        connection.execute(bot.insert(), bots)
        connection.execute(version.insert(), versions)


def test_seasons_that_are_over_stay(tmp_path):
    with club(tmp_path) as made:
        Office(made.ledger.database, "operator").ask_for_season("Spring <b>")
        made.ledger.follow(made.site.settings)
        visitor = made.visitor()
        assert "Nobody has a rating yet" in visitor.see("/")
        archive = visitor.see("/seasons")
        assert [row[1:3] for row in rows(archive)[1:]] == [["Spring <b>", "0"], ["Season 1", "6"]]
        assert len(rows(visitor.see("/season/1"))) == 4
        assert "until <time" in visitor.see("/season/1")
        assert '<svg class="chart plot"' in visitor.see("/bot/ana?season=1")
        assert "No rating yet" in visitor.see("/bot/ana")


def test_a_bot(house):
    page = house.visitor().see("/bot/ana")
    tables = rows(page)
    assert ["ana/1", "active", "at its owner’s", "2026-01-01 00:00"] in tables
    assert ["bea", "4", "3", "0", "1", "75 %"] in tables
    assert [f"{HARM} cleo", "1", "0", "1", "0", "50 %"] in tables
    assert len(links(page, "/match/")) == 5
    assert 'aria-label="Ratings over time. ana/1: ' in page


def test_evidence_and_reasons_are_for_the_owner_and_for_admins(tmp_path):
    with club(tmp_path) as made:
        made.registry.bench("bea", "it was lost too often: <i>exit code 7</i>")
        made.tokens["root"] = made.registry.register("Root", "admin")
        match = last_match(made)
        for owner, knows in (("", False), ("Ana", False), ("Bea", True), ("root", True)):
            visitor = made.visitor(owner)
            for path in ("/bot/bea", match):
                page = visitor.see(path)
                assert "failed" in text_of(page)
                assert ("ValueError: <b>I hold 3D</b>" in text_of(page)) is knows, (owner, path)
                assert "<b>I hold" not in page
            page = visitor.see("/bot/bea")
            assert "benched" in page
            assert ("exit code 7" in page) is knows
        assert EVIDENCE.splitlines()[1].startswith("ValueError")


def test_matches_in_pages_of_all_and_of_a_bot(tmp_path):
    with club(tmp_path) as made:
        made.ledger.begin([fixture(made.ledger, (1,), (2,)) for _ in range(60)])
        visitor = made.visitor()
        page = visitor.see("/matches")
        seen = links(page, "/match/")
        assert len(seen) == 50
        (older,) = links(page, r"/matches\?before=")
        page = visitor.see(older.replace("&amp;", "&"))
        seen += links(page, "/match/")
        assert len(set(seen)) == 66
        assert '<a href="/matches">Newest' in page
        assert len(links(visitor.see("/matches?bot=cleo"), "/match/")) == 2
        assert len(links(visitor.see("/matches?bot=cleo/1"), "/match/")) == 2
        assert visitor.get("/matches?bot=nobody").status_code == 404


def test_a_match_with_its_replay(house):
    visitor = house.visitor()
    match = last_match(house)
    page = visitor.see(match)
    (data,) = re.findall(r'<script type="application/json" id="matches">(.*?)</script>', page, re.DOTALL)
    (told,) = json.loads(data)
    assert [len(deal["hands"]["N"]) for deal in told["deals"]] == [9, 9]
    assert "won by ana/1" in page
    record = visitor.get(f"{match}/record.json")
    assert record.headers["content-type"] == "application/json"
    assert record.json()["result"]["winner"] == "NS"
    shown = {row[0]: row[1] for row in rows(page) if len(row) == 2}
    assert BlockKey(bytes.fromhex(shown["Key"])).commitment == shown["Commitment"]
    assert json.dumps(told["id"]) in visitor.see(match[:11])  # by the beginning of its id


def test_nothing_of_a_match_is_shown_while_its_packs_are_in_play(tmp_path):
    with club(tmp_path) as made:
        legs = list(
            fixtures_of(
                Drawn((1,), (2,)), made.ledger.key, 1, made.ledger.next_pack, rated=True, mirrored=True
            )
        )
        made.ledger.begin(legs)
        visitor = made.visitor("Ana")
        path = f"/match/{legs[0].id}"
        assert "nobody is shown its cards before it is over" in text_of(visitor.see(path))
        made.ledger.save([Ended(legs[0].id, outcome("NS"))])
        page = visitor.see(path)
        assert "the other one with the same packs" in text_of(page)
        for hidden in (legs[0].key.secret.hex(), "viewer", "Key</th>", "record.json"):
            assert hidden not in page
        assert visitor.get(f"{path}/record.json").status_code == 404
        made.ledger.save([Ended(legs[1].id, outcome(None)._replace(record=None), "it had gone")])
        page = visitor.see(path)
        assert legs[0].key.secret.hex() in page
        assert "void: it had gone" in text_of(visitor.see(f"/match/{legs[1].id}"))


@pytest.mark.parametrize(
    ("registration", "word"), [("open", "Register"), ("closed", "Registration is closed")]
)
def test_how_to_connect(tmp_path, registration, word):
    with league(tmp_path, replace(SETTINGS, registration=registration)) as made:
        page = made.visitor().see("/connect")
        assert "ALUETTE_SERVER=127.0.0.1:7000 ALUETTE_TOKEN=aluette_play_… python mybot.py" in text_of(page)
        assert f"{word}" in text_of(page)
        assert (links(page, "/register") == []) is (registration == "closed")


def test_the_bot_on_the_page_plays(house, tmp_path):
    (bot,) = re.findall(r'<pre[^>]* id="bot"[^>]*>(.*?)</pre>', house.visitor().see("/connect"), re.DOTALL)
    (tmp_path / "mybot.py").write_text(text_of(bot))
    assert play_match([f"{tmp_path}/mybot.py:MyBot", "careful"] * 2)["result"]["fault"] is None
    asked = [sys.executable, tmp_path / "mybot.py", "--help"]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    "name",
    [HARM, '"><img src=x onerror=alert(1)>', "' onfocus='alert(1)", "{{ 77 * 77 }}", "שלום", "a &amp; b"],
)
def test_what_somebody_is_called_is_text(tmp_path, name):
    with league(tmp_path) as made:
        made.tokens["x"] = made.registry.register(name)
        made.registry.add_bot(name, "fox", name)
        made.enter("Bea")
        made.play(1, 2, "NS")
        made.rate()
        visitor = made.visitor("x")
        for path in ("/", "/bot/fox", "/bot/bea", "/me", f"/?q={name[:5]}", "/matches", last_match(made)):
            page = visitor.see(path)
            assert name in text_of(page) or path in ("/matches", "/bot/bea")
            assert not re.search(r"<img src=x|<script>|onfocus='|5929", page)
            assert "<bdi>" in page


@pytest.mark.parametrize("bad", ["\u202eevil", "a\u0000b", "a\nb", "\u200b", "\ue000", ""])
def test_a_name_that_moves_other_text_or_cannot_be_seen_is_refused(tmp_path, bad):
    with league(tmp_path) as made:
        made.enter("Ana")
        owner = made.visitor("Ana")
        for response in (
            made.visitor().send("/register", on="/register", name=bad),
            owner.send("/me/rename", bot="ana", display=bad),
        ):
            assert response.status_code == 400
            assert "printable characters" in response.text


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/nothing", 404, "There is no such page."),
        ("/season/7", 404, "There is no season 7."),
        ("/season/99999999999999999999999", 404, "no season"),
        ("/bot/an", 404, "There is no bot called 'an' (did you mean 'ana'?)"),
        ("/bot/<b>", 404, "There is no bot called '<b>'."),
        ("/bot/%00", 404, "There is no bot called"),
        ("/match/zzzz", 404, "There is no match zzzz."),
        ("/match/..%2f..", 404, "There is no such page."),
        ("/?page=0", 400, "Page must be a whole number, from 1"),
        ("/?page=x", 400, "Page must be a whole number, from 1"),
        ("/?q=%00", 400, "Q must be at most 100 printable characters."),
        ("/bot/ana?season=9", 404, "There is no season 9."),
        ("/static/../app.py", 404, "There is no such page."),
        ("/league.pem", 404, "This league is not reached over TLS."),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(house, path, status, told):
    response = house.visitor().get(path)
    assert (response.status_code, told in text_of(response.text)) == (status, True), response.text
    assert "<main" in response.text
    assert "Traceback" not in response.text


def test_a_method_that_is_not_there(house):
    assert house.visitor().ask("POST", "/").status_code == 405
    assert house.visitor().ask("HEAD", "/").text == ""


def test_a_bug_of_ours_is_told_to_the_operator_alone(tmp_path, capsys, monkeypatch):
    with club(tmp_path) as made:
        monkeypatch.setattr("aluette_referee.web.ladders.bars", lambda figures: 1 / 0)
        response = made.visitor().get("/")
        assert response.status_code == 500
        assert "not your doing" in response.text
        assert "ZeroDivision" not in response.text
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "ZeroDivisionError" in capsys.readouterr().err


def test_while_the_database_is_away(tmp_path):
    with club(tmp_path) as made:
        made.site._reader.close()
        made.site._reader.place = tmp_path / "gone.db"
        response = made.visitor().get("/")
        assert response.status_code == 503
        assert "does not answer" in response.text
        assert str(tmp_path) not in response.text
        assert made.visitor().get("/api/v1/ladder").json() == {
            "error": "The league's database does not answer at the moment: come again a little later."
        }
