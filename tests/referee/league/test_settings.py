"""The league's file: what `init` writes is read, every key counts, and mistakes are told with their places."""

import tomllib

import pytest

from aluette_referee.contest.toml_text import FileMistakes
from aluette_referee.league.settings import TEMPLATE, Addresses, Settings, read_settings


def test_what_init_writes_is_as_the_comments_say():
    text = TEMPLATE.format(name='"Les Pornicais"', mode='"teams"')
    plain = read_settings(text)
    assert plain == Settings("Les Pornicais")
    # Whoever takes the marks away has the same league, but for the certificates, the name and the database.
    uncommented = [
        line.removeprefix("# ") for line in text.splitlines() if "= " in line and "example" not in line
    ]
    kept = [line for line in uncommented if not line.startswith(("tls_", "database"))]
    at = next(number for number, line in enumerate(kept) if line.startswith("bots ="))
    told = "\n".join(["[league]", *kept[:at], "[serve]", *kept[at:]])
    assert set(tomllib.loads(told)) == {"league", "serve"}
    assert len(tomllib.loads(told)["league"]) == 11
    assert read_settings(told) == plain


def test_every_table_counts():
    settings = read_settings("""
[league]
name = "x"
mode = "individual"
registration = "closed"
settled = 80
spacing = "1m"

[rules]
mordienne = false

[clock]
move = "500ms"

[faults]
policy = "forfeit"

[limits]
sandbox = "none"

[serve]
bots = "0.0.0.0:7000"
insecure = true

[store]
database = "postgresql://localhost/league"
""")
    assert (settings.mode, settings.registration, settings.settled, settings.spacing) == (
        "individual",
        "closed",
        80.0,
        60.0,
    )
    assert settings.rules.identity == "standard/1+mordienne=off"
    assert (settings.limits.move, settings.limits.bank) == (0.5, 30.0)
    assert settings.policy.strikes == 1
    assert settings.bounds.sandbox == "none"
    assert settings.addresses == Addresses(bots="0.0.0.0:7000", insecure=True)
    assert settings.database == "postgresql://localhost/league"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "league: is missing"),
        ('[league]\nname = "x"\nmode = "team"', "line 3, league.mode = \"team\": must be teams or individual (did you mean 'teams'?)"),
        ('[league]\nname = "x"\ntable = 3', "line 3, league.table = 3: no such key (did you mean 'tables'?)"),
        ('[league]\nname = "x"\nmove = 3', "line 3, league.move = 3: stands in the wrong table: it is a key of [clock]"),
        ('[league]\nname = "x"\ntables = 0', "line 3, league.tables = 0: must be greater than or equal to 1"),
        ('[league]\nname = "x"\n[rules]\nnotice = 2', "line 4, rules.notice = 2: "),
        ('[league]\nname = "x"\n[faults]\npolicy = "forfeit"\nstrikes = 3', "line 5, faults.strikes = 3: strikes are counted only"),
        ("[league\n", "line 1, column"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_places(text, sentence):
    with pytest.raises(FileMistakes) as caught:
        read_settings(text)
    assert str(caught.value).startswith(sentence)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(FileMistakes) as caught:
        read_settings('[league]\nname = ""\nspacing = "soon"\n[serve]\nport = 3\n')
    assert len(caught.value.mistakes) == 3
