"""What every answer says of itself, what no form may do, who may know and change what, and how often."""

import re
from dataclasses import replace

import pytest
import trio
import trio.testing
from referee.league.club import SETTINGS
from referee.web.site import club, league

from aluette_referee.league.office import Office
from aluette_referee.league.queries import read_audit
from aluette_referee.league.roster import read_holder
from aluette_referee.web.assets import address
from aluette_referee.web.guard import HEADERS
from aluette_referee.web.limits import Allowance, Limiter, neighbourhood
from aluette_referee.web.sessions import LASTS

PATHS = (
    "/", "/seasons", "/season/1", "/bot/ana", "/matches", "/connect", "/register", "/sign-in", "/me", "/nothing", "/?page=x",
    "/api/v1/ladder", "/api/v1/bot/none", "/static/league.css", "/match/none",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_says_what_may_be_done_with_it(house, path):
    response = house.visitor().get(path)
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in response.headers["content-security-policy"]
    assert "default-src 'none'" in response.headers["content-security-policy"]


@pytest.mark.parametrize("path", PATHS)
def test_no_page_has_a_style_or_a_script_of_its_own_or_asks_elsewhere(house, path):
    response = house.visitor().get(path)
    text = response.text if "html" in response.headers.get("content-type", "") else ""
    assert not re.search(r"\sstyle=|<style|\son\w+=", text)
    assert not re.search(r"<script(?! src=\"/| type=\"application/json\")", text)
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:|//)""", text)


def test_what_may_be_kept(house):
    visitor = house.visitor()
    kept = {path: visitor.get(path).headers["cache-control"] for path in (*PATHS, address("league.css"))}
    assert "immutable" in kept[address("league.css")]
    assert kept["/static/league.css"] == "no-cache"
    assert kept["/api/v1/ladder"] == "public, max-age=5"
    assert {kept[path] for path in ("/register", "/sign-in", "/me")} == {"no-store"}
    assert house.visitor("Ana").get("/").headers["cache-control"] == "no-store"


# -- signing in ------------------------------------------------------------------------------------------


def number_of(made, token: str) -> int:
    with made.ledger.database.begin() as connection:
        return read_holder(connection, token).token


def cookies(response) -> str:
    return "\n".join(response.headers.get_list("set-cookie")).lower()


@pytest.mark.parametrize("base", ["http://league.test", "https://league.test"])
def test_a_session_is_a_cookie_that_no_script_and_no_other_site_gets(tmp_path, base):
    with club(tmp_path) as made:
        visitor = made.visitor(base=base)
        response = visitor.sign_in(made.tokens["Ana"])
        assert (response.status_code, response.headers["location"]) == (303, "/me")
        said = cookies(response)
        assert "httponly" in said
        assert "samesite=strict" in said
        assert ("secure" in said, "__host-" in said) == (base.startswith("https"),) * 2
        assert made.tokens["Ana"] not in said
        assert "Sign out" in visitor.see("/")


def test_a_token_that_is_not_good_for_it_is_refused(tmp_path):
    with club(tmp_path) as made:
        play = made.registry.add_play_token("ana")
        revoked = made.registry.add_token("Ana", "own")
        made.registry.revoke(number_of(made, revoked))
        Office(made.ledger.database, "operator").ban("Cleo", "no manners")
        for token, told in (
            (play, "a token for a bot to play with"),
            (revoked, "not known here, or was revoked"),
            (made.tokens["Cleo"], "Cleo is banned: no manners"),
            ("", "not known here"),
            ("aluette_own_" + "a" * 32, "not known here"),
        ):
            visitor = made.visitor()
            response = visitor.sign_in(token)
            assert (response.status_code, told in response.text) == (403, True), (token, response.text)
            assert visitor.get("/me").status_code == 303


def test_a_session_ends_with_its_token_a_ban_time_and_signing_out(tmp_path):
    with club(tmp_path) as made:
        ana, bea, cleo, out = (made.visitor(name) for name in ("Ana", "Bea", "Cleo", "Ana"))
        other = made.registry.add_token("Bea", "own")
        bea.send("/sign-out")
        assert bea.sign_in(other).status_code == 303
        made.registry.revoke(number_of(made, other))
        assert bea.get("/me").headers["location"] == "/sign-in"
        Office(made.ledger.database, "operator").ban("Cleo", "no manners")
        assert cleo.get("/me").status_code == 303
        Office(made.ledger.database, "operator").unban("Cleo")
        assert cleo.get("/me").status_code == 303  # it has ended
        stolen = dict(out.cookies)
        out.send("/sign-out")
        out.cookies.update(stolen)
        assert out.get("/me").status_code == 303
        assert ana.get("/me").status_code == 200
        made.now += LASTS + 1
        assert ana.get("/me").status_code == 303


# -- forms -----------------------------------------------------------------------------------------------

POSTS = {
    "/register": "/register",
    "/sign-in": "/sign-in",
    "/sign-out": "/me",
    "/me/bot": "/me",
    "/me/revoke": "/me",
}


@pytest.mark.parametrize("path", POSTS)
def test_a_form_without_the_key_of_the_page_is_refused(tmp_path, path):
    with club(tmp_path) as made:
        anonymous = POSTS[path] != "/me"
        visitor = made.visitor("" if anonymous else "Ana")
        fields = {"name": "Dora", "token": made.tokens["Bea"]}
        stranger = made.visitor()
        for key in ("", "0" * 64, "é", stranger.key("/sign-in")):
            assert visitor.post(path, key=key, **fields).status_code == 403
        good = visitor.key(POSTS[path])
        for headers in (
            {"origin": "https://evil.test"},
            {"sec-fetch-site": "cross-site"},
            {"origin": "null"},
        ):
            response = visitor.ask("POST", path, data={**fields, "key": good}, headers=headers)
            assert response.status_code == 403, headers
        response = visitor.ask(
            "POST",
            path,
            data={**fields, "key": good},
            headers={"origin": "http://league.test", "sec-fetch-site": "same-origin"},
        )
        assert response.status_code in (200, 303, 400)


# httpx leaves its own stream behind when an application has read enough.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_body_that_is_no_form_or_too_much(tmp_path):
    with club(tmp_path) as made:
        visitor = made.visitor("Ana")
        key = visitor.key("/me")

        def status(content: bytes, kind: str = "application/x-www-form-urlencoded") -> int:
            return visitor.ask("POST", "/me/bot", content=content, headers={"content-type": kind}).status_code

        assert status(b"{}", "application/json") == 415
        assert status(b"x=" + b"a" * 65_536) == 413
        assert status(b"&".join(b"x=1" for _ in range(50))) == 400
        assert status(b"\xff=1") == 400
        assert status(b"name=%ff&key=" + key.encode()) == 400
        assert status(b"") == 403


def sent(app, *messages):
    """A form in pieces, as a slow or broken visitor sends it; returns the status of the answer, if there is one."""
    answers = []

    async def main():
        to_come = iter(messages)

        async def receive():
            for message in to_come:
                return message
            return await trio.sleep_forever()

        async def send(message):
            answers.append(message)

        headers = [(b"host", b"league.test"), (b"content-type", b"application/x-www-form-urlencoded")]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/sign-in",
            "query_string": b"",
            "headers": headers,
        }
        await app({**scope, "scheme": "http", "client": ("192.0.2.1", 1), "server": None}, receive, send)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.2))
    return next((message["status"] for message in answers if "status" in message), None)


def test_a_visitor_who_goes_away_or_falls_asleep(tmp_path, capsys):
    with club(tmp_path) as made:
        piece = {"type": "http.request", "body": b"token=", "more_body": True}
        assert sent(made.app, piece, {"type": "http.disconnect"}) == 400
        assert sent(made.app, piece) == 408
        assert capsys.readouterr().err == ""


# -- who may change what ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", ["version", "retire", "reactivate", "rename", "token", "revoke", "request"]
)
@pytest.mark.parametrize("who", ["Bea", "root"])
def test_what_is_somebody_elses_is_not_changed(tmp_path, change, who):
    with club(tmp_path) as made:
        made.tokens["root"] = made.registry.register("Root", "admin")
        visitor = made.visitor(who)
        for bot in ("ana", "ana/1"):
            fields = {"bot": bot, "one": bot, "other": "bea", "matches": "1", "display": "Mine", "token": "1"}
            response = visitor.send(f"/me/{change}", **fields)
            assert response.status_code == 400
            assert "you have no" in response.text
        assert made.visitor("Ana").see("/bot/ana").count("active") == 1
        assert [line.who for line in _audit(made)].count(who) == 0


def _audit(made):
    with made.ledger.database.begin() as connection:
        return read_audit(connection)


def test_who_is_not_signed_in_changes_nothing(house):
    visitor = house.visitor()
    response = visitor.post("/me/bot", key=visitor.key("/sign-in"), name="owl")
    assert response.headers["location"] == "/sign-in"


# -- how often -------------------------------------------------------------------------------------------


def test_who_guesses_tokens_has_to_wait_and_others_do_not(tmp_path):
    with club(tmp_path) as made:
        visitor = made.visitor()
        key = visitor.key("/sign-in")
        statuses = [visitor.post("/sign-in", key=key, token="x").status_code for _ in range(11)]
        assert statuses == [403] * 10 + [429]
        refused = visitor.post("/register", key=key, name="Dora")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "20")
        assert "come again in 20 seconds" in refused.text
        assert made.visitor("Ana", address="192.0.2.2").get("/me").status_code == 200
        assert visitor.get("/").status_code == 200
        made.now += 20
        assert visitor.post("/sign-in", key=key, token="x").status_code == 403


def test_pages_are_generous_but_not_without_end(tmp_path):
    with club(tmp_path) as made:
        visitor = made.visitor()
        statuses = [visitor.get("/static/icon.svg").status_code for _ in range(205)]
        assert statuses == [200] * 200 + [429] * 5
        feed = visitor.get("/api/v1/ladder")
        assert (feed.status_code, feed.json()) == (
            429,
            {"error": "Too many requests: come again in 1 seconds."},
        )


def test_a_limiter_remembers_so_many_at_most():
    limiter = Limiter(Allowance(1, 10.0), most=100)
    for number in range(500):
        assert limiter.wait(str(number), 0.0) == 0
    assert len(limiter._full) <= 100
    assert limiter.wait("499", 0.0) == 10
    assert limiter.wait("499", 9.5) == 1
    assert limiter.wait("499", 10.0) == 0


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("somebody", "somebody"),
    ],
)
def test_whose_address_it_is(address, whose):
    assert neighbourhood(address) == whose


def test_a_closed_league_registers_nobody(tmp_path):
    with league(tmp_path, replace(SETTINGS, registration="closed")) as made:
        visitor = made.visitor()
        assert visitor.get("/register").status_code == 403
        response = visitor.post("/register", key=visitor.key("/sign-in"), name="Dora")
        assert (response.status_code, "ask the league" in response.text) == (403, True)
        assert "/register" not in visitor.see("/sign-in")
