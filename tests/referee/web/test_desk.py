"""What an owner does on the web, from registering to a bot that may play."""

import re

from referee.web.site import club, league, text_of

from aluette_referee.league.queries import read_audit, read_bot, read_wished
from aluette_referee.league.roster import read_holder


def ask(made, question, *given):
    with made.ledger.database.begin() as connection:
        return question(connection, *given)


def token_on(page: str, rights: str) -> str:
    (token,) = set(re.findall(rf"aluette_{rights}_[a-z2-7]{{32}}", page))
    return token


def test_from_registering_to_a_bot_that_may_play(tmp_path):
    with league(tmp_path) as made:
        visitor = made.visitor()
        given = visitor.send("/register", on="/register", name="  Dora ")
        assert given.status_code == 200
        assert given.headers["cache-control"] == "no-store"
        assert "not shown again" in given.text
        token = token_on(given.text, "own")
        assert token not in visitor.see("/me")
        entered = visitor.send("/me/bot", name="owl", display="The Owl")
        play = token_on(entered.text, "play")
        assert f"ALUETTE_SERVER=127.0.0.1:7000 ALUETTE_TOKEN={play} python mybot.py" in text_of(entered.text)
        assert ask(made, read_holder, play).rights == "play"
        assert ask(made, read_bot, "owl").display == "The Owl"
        assert [(line.who, line.act) for line in ask(made, read_audit)][:2] == [
            ("Dora", "add bot"),
            ("Dora", "register"),
        ]
        again = made.visitor()
        assert again.sign_in(f" {token}\n").status_code == 303
        assert "The Owl" in again.see("/me")
        for path in ("/register", "/sign-in"):
            assert again.get(path).headers["location"] == "/me"


def test_a_name_that_is_taken(tmp_path):
    with club(tmp_path) as made:
        response = made.visitor().send("/register", on="/register", name="ANA")
        assert response.status_code == 400
        assert "there is an owner called 'Ana'" in text_of(response.text)
        ana = made.visitor("Ana")
        response = ana.send("/me/bot", name="Big", display="<b>")
        assert response.status_code == 400
        assert "a bot cannot be called 'Big'" in text_of(response.text)
        assert 'value="Big"' in response.text
        assert 'value="&lt;b&gt;"' in response.text
        assert "already" in ana.send("/me/bot", name="bea").text


def test_every_change_of_a_bot(tmp_path):
    with club(tmp_path) as made:
        ana = made.visitor("Ana")
        second = token_on(ana.send("/me/version", bot="ana").text, "play")
        assert ask(made, read_holder, second).version == 4
        more = token_on(ana.send("/me/token", bot="ana/2", label="at home").text, "play")
        assert ask(made, read_holder, more).version == 4
        for change, fields in (
            ("rename", {"bot": "ana", "display": "Ana's & Co"}),
            ("retire", {"bot": "ana/1"}),
            ("request", {"one": "ana/2", "other": "bea", "matches": "3"}),
        ):
            assert ana.send(f"/me/{change}", **fields).headers["location"] == "/me"
        shown = ask(made, read_bot, "ana")
        assert shown.display == "Ana's & Co"
        assert [each.state for each in shown.versions] == ["active", "retired"]
        assert ask(made, read_wished, "Ana") == 3
        page = ana.see("/me")
        assert "3 of those that you asked for" in page
        assert "at home" in page
        assert ana.send("/me/reactivate", bot="ana/1").status_code == 303
        assert [each.state for each in ask(made, read_bot, "ana").versions] == ["active", "active"]


def test_tokens_are_listed_and_revoked(tmp_path):
    with club(tmp_path) as made:
        ana = made.visitor("Ana")
        own = token_on(ana.send("/me/token", bot="", label="laptop").text, "own")
        number = ask(made, read_holder, own).token
        assert ana.send("/me/revoke", token=str(number)).status_code == 303
        assert ask(made, read_holder, own) is None
        assert "revoked 20" in text_of(ana.see("/me"))
        for wrong in (str(number), "3", "x", "-1", "²", "9" * 20):
            assert ana.send("/me/revoke", token=wrong).status_code == 400
        assert ana.send("/me/revoke", token="1").status_code == 303
        assert ana.get("/me").status_code == 303  # it was the one that signed in


def test_wishes_have_their_limits(tmp_path):
    with club(tmp_path) as made:
        ana = made.visitor("Ana")

        def wish(**given):
            return ana.send("/me/request", **{"one": "ana", "other": "bea", "matches": "100", **given})

        for wrong in (
            {"matches": "0"},
            {"matches": "101"},
            {"other": "nobody"},
            {"other": "ana"},
            {"other": "ana/9"},
        ):
            assert wish(**wrong).status_code == 400
        assert [wish().status_code for _ in range(4)] == [303, 303, 303, 400]


def test_a_change_that_is_none(tmp_path):
    with club(tmp_path) as made:
        response = made.visitor("Ana").send("/me/ban", bot="bea")
        assert response.status_code == 404
        assert "Sign out" in response.text  # still
        assert response.headers["cache-control"] == "no-store"
