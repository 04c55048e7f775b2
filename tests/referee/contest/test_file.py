"""The tournament file: what it may say, and what it then means."""

import tomllib

import pytest
from referee.contest.files import BUILT_IN, HEAD, TEAMS, mistakes_in

from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec, Contest, Format, Team
from aluette_referee.contest.file import read_contest
from aluette_referee.faults import Policy

CAREFUL = BotSpec("careful")
PAIR = (CAREFUL, CAREFUL)
PLAIN = Contest("Club", (Team("Alpha", PAIR), Team("Beta", PAIR)))

INLINE = """
tournament = { name = "Club" }
team = [{ name = "Alpha", bot = "careful" }, { name = "Beta", bots = ["careful", "careful"] }]
"""

WHOLE = """
# Everything that a file can say.
[tournament]
name = "Soirée d'aluette"
format = "round-robin"
blocks = 5
seed = 7
names = true
isolation = "shared"

[rules]
deals = 3
mordienne = "off"
notice = 0.25

[clock]
connect = "1m"
ready = "none"
move = "500ms"
goodbye = 2
grace = "0s"

[[team]]
name = "Alpha"
bots = ["careful", "mybot.py:MyBot"]

[[team]]
name = "Beta"
bots = [
    { run = "python -m beta --fast", options = { depth = 3, style = ["a", { b = 0.5 }] }, env = { KEY = "1" } },
    { run = "external", files = ["weights.bin", "tables"] },
]

[[team]]
name = "Gamma"
[team.bot]
run = "gamma:Bot"
options.level = 2
"""


def test_a_whole_file():
    gamma = BotSpec("gamma:Bot", {"level": 2})
    assert read_contest(WHOLE, built_in=BUILT_IN) == Contest(
        name="Soirée d'aluette",
        teams=(
            Team("Alpha", (CAREFUL, BotSpec("mybot.py:MyBot"))),
            Team(
                "Beta",
                (
                    BotSpec(
                        "python -m beta --fast", {"depth": 3, "style": ["a", {"b": 0.5}]}, {"KEY": "1"}, ()
                    ),
                    BotSpec("external", files=("weights.bin", "tables")),
                ),
            ),
            Team("Gamma", (gamma, gamma)),
        ),
        blocks=5,
        format=Format("round-robin"),
        seed=7,
        names=True,
        isolation="shared",
        rules=RuleSet(deals=3, mordienne=False, notice=0.25),
        limits=Limits(connect=60.0, ready=None, move=0.5, goodbye=2.0, grace=0.0),
    )


def test_what_a_file_leaves_out_is_as_everywhere_else():
    assert read_contest(HEAD + TEAMS, built_in=BUILT_IN) == PLAIN
    assert read_contest(HEAD + "[rules]\n[clock]\n" + TEAMS, built_in=()) == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeff{HEAD}{TEAMS}",
        (HEAD + TEAMS).replace("\n", "\r\n"),
        TEAMS + HEAD,
        'tournament.name = "Club"\n' + TEAMS,
        INLINE,
        HEAD + TEAMS.replace("bot =", "bot.run ="),
    ],
    ids=["byte order mark", "lines of Windows", "teams first", "dotted", "inline", "dotted bot"],
)
def test_other_ways_to_write_it(text):
    assert read_contest(text, built_in=BUILT_IN) == PLAIN


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("move = 2", 2.0),
        ("move = 0.25", 0.25),
        ('move = "9ms"', 0.009),
        ('move = "1.5 s"', 1.5),
        ('move = "2m"', 120.0),
        ('move = "24h"', 86400.0),
        ('move = "none"', None),
    ],
)
def test_times(line, seconds):
    assert read_contest(f"{HEAD}[clock]\n{line}\n{TEAMS}", built_in=()).limits == Limits(move=seconds)


@pytest.mark.parametrize("seed", ["7", "-1", '"spring"', "0x10", "9223372036854775807"])
def test_seeds(seed):
    contest = read_contest(f"{HEAD}seed = {seed}\n{TEAMS}", built_in=())
    assert contest.seed == tomllib.loads(f"seed = {seed}")["seed"]


@pytest.mark.parametrize(
    "run",
    ["carefull", "stockfish", "./bot --level 3", "external", "a/b.py:C", "C:\\\\bots\\\\a.exe", "Careful"],
)
def test_what_a_bot_is_found_to_be_is_not_decided_here(run):
    text = (HEAD + TEAMS).replace("careful", run)
    assert read_contest(text, built_in=BUILT_IN).teams[0].bots[0].run == run.replace("\\\\", "\\")


@pytest.mark.parametrize("name", ["A", "Équipe n° 1 – 'les vieux'", "x" * 64, "a.b[1]", "競技"])
def test_names_of_teams(name):
    text = f'{HEAD}{TEAMS}[[team]]\nname = "{name}"\nbot = "random"'
    assert read_contest(text, built_in=BUILT_IN).teams[2].name == name


# -- what faults cost ------------------------------------------------------------------------------


def contest_with(more: str) -> Contest:
    return read_contest(f"{HEAD}\n{more}\n{TEAMS}", built_in=["random"])


@pytest.mark.parametrize(
    ("more", "policy", "bank"),
    [
        ("", Policy(), 0.0),
        ('profile = "strict"', Policy(), 0.0),
        ('profile = "league"', Policy(3), 30.0),
        ('[faults]\npolicy = "forfeit"', Policy(), 0.0),
        ('[faults]\npolicy = "substitute"', Policy(2), 0.0),
        ('[faults]\npolicy = "substitute"\nstrikes = 5', Policy(5), 0.0),
        ('profile = "league"\n[faults]\nstrikes = 5\n[clock]\nbank = "1m"', Policy(5), 60.0),
        ('profile = "league"\n[faults]\npolicy = "forfeit"\n[clock]\nbank = 0', Policy(), 0.0),
    ],
)
def test_what_faults_cost_and_the_bank_follow_from_the_profile_unless_said(more, policy, bank):
    contest = contest_with(more)
    assert (contest.policy, contest.limits.bank) == (policy, bank)


@pytest.mark.parametrize("policy", ["", 'policy = "forfeit"'])
def test_strikes_without_substitutes_are_a_mistake(policy):
    found = mistakes_in(f"{HEAD}\n[faults]\n{policy}\nstrikes = 3\n{TEAMS}")
    assert [sentence.partition(": ")[2] for sentence in found] == [
        'strikes are counted only with policy = "substitute"; with "forfeit" the first fault loses the match'
    ]


# -- what a process may take -----------------------------------------------------------------------


def test_what_processes_may_take_is_read():
    more = '[limits]\nmemory = "512MB"\ncpu = "10m"\nprocesses = 8\nfiles = 0\nsandbox = "bubblewrap"\nmax_bots = 16'
    assert contest_with(more).bounds == Bounds(512 * 1024**2, 600.0, 8, 0, "bubblewrap", 16)
    assert contest_with("[limits]\nmemory = 0").bounds.memory == 0
    assert contest_with("").bounds == Bounds()


@pytest.mark.parametrize(
    "mistake",
    [
        "memory = 512",
        'memory = "2 TB"',
        'memory = "0GB"',
        "processes = -1",
        'sandbox = "docker"',
        "max_bots = 3",
    ],
)
def test_what_processes_may_not_take_is_said(mistake):
    (found,) = mistakes_in(f"{HEAD}\n[limits]\n{mistake}\n{TEAMS}")
    assert found.startswith("line 5, limits.")


# -- what is stored --------------------------------------------------------------------------------


def test_which_records_are_kept():
    assert contest_with("").keep == contest_with("[store]").keep == "all"
    assert contest_with('[store]\nkeep = "all"').keep == "all"
    assert contest_with('[store]\nkeep = "faults"').keep == "faults"
