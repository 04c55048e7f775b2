"""What is said of every mistake in a tournament file: its line, its place, and what would be right."""

import pickle
import random

import pytest
from referee.contest.files import HEAD, TEAMS, mistakes_in

from aluette.errors import Misuse
from aluette_referee.contest.file import read_contest
from aluette_referee.contest.toml_text import FileMistakes

RULES = "a tournament plays the same packs twice, sides exchanged, which this would make impossible; "
RULES += "single matches allow it"
TIME = 'must be seconds, or a time such as "500ms", "2s" or "1m"; over 0 and up to 24 hours'
A_BOT = "a built-in bot (careful, lowest, random), file.py:Name, module:Name, a command, or external"
JSON = "an option must have a form in JSON, which dates, nan and inf do not"
TWO = 'needs bots = ["...", "..."], or bot = "..." for two copies of one, and not both'

# A line to put into a file, and what is said of it. Lines 1 and 2 are those of HEAD.
LINES = [
    ("nmae = 1", "line 3, tournament.nmae = 1: no such key (did you mean 'name'?)"),
    (
        "xyzzy = 1",
        "line 3, tournament.xyzzy = 1: no such key (known are name, profile, format, challengers, rounds, extra_blocks, blocks, seed, names, isolation)",
    ),
    ("move = 2", "line 3, tournament.move = 2: stands in the wrong table: it is a key of [clock]"),
    ("deals = 3", "line 3, tournament.deals = 3: stands in the wrong table: it is a key of [rules]"),
    ("bots = []", "line 3, tournament.bots: stands in the wrong table: it is a key of [[team]]"),
    ('"a b".c = 1', 'line 3, tournament."a b": no such key (known are '),
    (
        'format = "round-robbin"',
        "line 3, tournament.format = \"round-robbin\": must be round-robin, gauntlet, swiss, knockout or individual (did you mean 'round-robin'?)",
    ),
    ('isolation = "none"', 'line 3, tournament.isolation = "none": must be full or shared'),
    (
        '\nisolation = "ful"',
        "line 4, tournament.isolation = \"ful\": must be full or shared (did you mean 'full'?)",
    ),
    ("isolation = 1", "line 3, tournament.isolation = 1: must be full or shared"),
    ("names = 1", "line 3, tournament.names = 1: must be true or false"),
    ("blocks = 0", "line 3, tournament.blocks = 0: must be greater than or equal to 1"),
    ("blocks = 100001", "line 3, tournament.blocks = 100001: must be less than or equal to 100000"),
    ("blocks = 2.0", "line 3, tournament.blocks = 2.0: must be a whole number"),
    ('blocks = "2"', 'line 3, tournament.blocks = "2": must be a whole number'),
    ("blocks = true", "line 3, tournament.blocks = true: must be a whole number"),
    ("seed = 1.5", "line 3, tournament.seed = 1.5: must be a whole number or some text"),
    (r'seed = "a\u001b[31m"', r'line 3, tournament.seed = "a\u001b[31m": must be printable characters'),
    ("seed = false", "line 3, tournament.seed = false: must be a whole number or some text"),
    ('seed = ""', 'line 3, tournament.seed = "": must be a whole number or some text'),
    (f"seed = 0x{'f' * 9000}", "line 3, tournament.seed: a whole number of TOML has 64 bits at most"),
    (f"seed = {'9' * 9000}", "the file holds a number of too many digits"),
    ("[rules]\ncut = 'player'", f'line 4, rules.cut = "player": {RULES}'),
    ("[rules]\nseating = 'draw'", f'line 4, rules.seating = "draw": {RULES}'),
    (
        "[rules]\ncut = 'plyer'",
        "line 4, rules.cut = \"plyer\": must be one of referee, player (did you mean 'player'?)",
    ),
    ("[rules]\ndeals = 0", "line 4, rules.deals = 0: must be a whole number from 1 to 100"),
    ("[rules]\nnotise = 1", "line 4, rules.notise = 1: 'notise' is no rule option: did you mean 'notice'?"),
    ("[rules]\ntie = []", "line 4, rules.tie: must be one of draw, extra_deals"),
    ("[clock]\nmove = 0", f'line 4, clock.move = 0: {TIME}; or "none" for no clock'),
    ("[clock]\nmove = false", f'line 4, clock.move = false: {TIME}; or "none" for no clock'),
    ("[clock]\nready = '2 sec'", f'line 4, clock.ready = "2 sec": {TIME}; or "none" for no clock'),
    ("[clock]\nconnect = 'none'", f'line 4, clock.connect = "none": {TIME}'),
    ("[clock]\nconnect = -1", f"line 4, clock.connect = -1: {TIME}"),
    ("[clock]\nconnect = nan", f"line 4, clock.connect = nan: {TIME}"),
    ("[clock]\ngrace = -1", f"line 4, clock.grace = -1: {TIME}"),
    ("[clock]\ngoodbye = inf", f"line 4, clock.goodbye = inf: {TIME}"),
    ("[clock]\ngoodbye = '5'", f'line 4, clock.goodbye = "5": {TIME}'),
    ("[clock]\ngoodbye = '25h'", f'line 4, clock.goodbye = "25h": {TIME}'),
    ("[store]\nkeep = 'some'", 'line 4, store.keep = "some": must be all or faults'),
    (
        "[store]\nkeep = 'fault'",
        "line 4, store.keep = \"fault\": must be all or faults (did you mean 'faults'?)",
    ),
    ("[store]\nkeep = 5", "line 4, store.keep = 5: must be all or faults"),
    ("[store]\nkep = 'all'", "line 4, store.kep = \"all\": no such key (did you mean 'keep'?)"),
    ("[store]\nxyzzy = 1", "line 4, store.xyzzy = 1: no such key (known are keep)"),
    ("[stor]\nkeep = 'all'", "line 3, stor: no such key (did you mean 'store'?)"),
    ("keep = 'all'", 'line 3, tournament.keep = "all": stands in the wrong table: it is a key of [store]'),
    ("[[store]]\nkeep = 'all'", "line 3, store: must be a table"),
    ("[clok]\nmove = 2", "line 3, clok: no such key (did you mean 'clock'?)"),
    ("[[clock]]\nmove = 2", "line 3, clock: must be a table"),
    ("[[rules]]\ncut = 2", "line 3, rules: must be a table, as in { name = ... }"),
    ("seed = " + "[" * 9000, "the file is nested too deeply to be read"),
]


@pytest.mark.parametrize(("line", "sentence"), LINES, ids=[line[:30] for line, _ in LINES])
def test_one_mistake(line, sentence):
    (mistake,) = mistakes_in(f"{HEAD}{line}\n{TEAMS}")
    assert mistake == sentence if not sentence.endswith("known are ") else mistake.startswith(sentence)


# A third team to be added, from line 9 on, and what is said of it.
LAST = [
    ('bot = "random"', ["line 9, team[3].name: is missing"]),
    ('name = "Gamma"', [f"line 9, team[3]: {TWO}"]),
    ('name = "Gamma"\nbot = "random"\nbots = ["random", "random"]', [f"line 9, team[3]: {TWO}"]),
    (
        'name = "Gamma"\n[team.bot]\nrun = "random"\nenv = { A = "x\\u0000y" }',
        ["line 13, team[3].bot.env: A must be text of at most 30,000 characters, none of them NUL"],
    ),
    (
        'name = "Gamma"\n[team.bot]\nrun = "random"\nenv = { "A=B" = "x" }',
        ["line 13, team[3].bot.env: 'A=B' is no name of an environment variable"],
    ),
    (
        'name = "Gamma"\n[team.bot]\nrun = "random"\noptions = { a = "' + "x" * 40_000 + '" }',
        [
            "line 13, team[3].bot.options: must be short: at most 30,000 characters as JSON; name a file instead"
        ],
    ),
    ('name = "Beta"\nbot = "random"', "is called 'Beta': names must differ in more than case"),
    ('name = "BETA"\nbot = "random"', "is called 'Beta': names must differ in more than case"),
    (
        'name = " Gamma"\nbot = "random"',
        ['line 10, team[3].name = " Gamma": must not begin or end with blanks'],
    ),
    (
        'name = ""\nbot = "random"',
        ['line 10, team[3].name = "": must be printable characters, at least one'],
    ),
    ('name = "a\\u200bb"\nbot = "random"', "must be printable characters, at least one"),
    ('name = "' + "x" * 65 + '"\nbot = "random"', "…: must have at most 64 characters"),
    ('name = 5\nbot = "random"', ["line 10, team[3].name = 5: must be text in quotes"]),
    (
        'name = "Gamma"\nbots = ["random"]',
        ["line 11, team[3].bots: must be two bots (for two copies of one, bot = ... will do)"],
    ),
    ('name = "Gamma"\nbots = "random"', ['line 11, team[3].bots = "random": must be a list, as in [ ... ]']),
    (
        'name = "Gamma"\nbots = [\n  "random",\n  5, # five\n]',
        [f"line 13, team[3].bots[2] = 5: must be text in quotes, or a table with run: {A_BOT}"],
    ),
    (
        'name = "Gamma"\nbot = []',
        [f"line 11, team[3].bot: must be text in quotes, or a table with run: {A_BOT}"],
    ),
    (
        'name = "Gamma"\nbots = [\n  "random",\n  { options = {} },\n]',
        [f"line 13, team[3].bots[2].run: is missing: {A_BOT}"],
    ),
    (
        'name = "Gamma"\nbots = [\n  "random",\n  "",\n]',
        ['line 13, team[3].bots[2].run = "": must be printable characters, at least one'],
    ),
    (
        'name = "Gamma"\nbots = ["random", { run = "random", optoins = {} }]',
        ["line 11, team[3].bots[2].optoins: no such key (did you mean 'options'?)"],
    ),
    (
        'name = "Gamma"\n[team.bot]\nrun = "random"\nenv.LEVEL = 3\nenv."x y" = []\nfiles = [1]',
        [
            "line 13, team[3].bot.env.LEVEL = 3: must be text in quotes",
            'line 14, team[3].bot.env."x y": must be text in quotes',
            "line 15, team[3].bot.files[1] = 1: must be text in quotes",
        ],
    ),
    (
        'name = "Gamma"\n[team.bot]\nrun = "random"\n[team.bot.options]\nday = [\n1,\n2024-02-29]\nx.y = nan\nz = "1"',
        [
            f"line 16, team[3].bot.options.day[2] = 2024-02-29: {JSON}",
            f"line 17, team[3].bot.options.x.y = nan: {JSON}",
        ],
    ),
    (
        'name = "Gamma"\nbot = { run = "random", options = 2024-02-29 }',
        ["line 11, team[3].bot.options = 2024-02-29: must be a table, as in { name = ... }"],
    ),
]


@pytest.mark.parametrize(("team", "sentences"), LAST)
def test_mistakes_in_a_team(team, sentences):
    found = mistakes_in(f"{HEAD}{TEAMS}[[team]]\n{team}\n")
    if isinstance(sentences, list):
        assert found == sentences
    else:
        (sentence,) = found
        assert sentence.startswith("line 10, team[3].name = ")
        assert sentence.endswith(sentences)


def test_names_of_teams_that_look_the_same():
    found = mistakes_in(f'{HEAD}{TEAMS}[[team]]\nname = "ＡＬＰＨＡ"\nbot = "random"')
    assert found == [
        "line 10, team[3].name = \"ＡＬＰＨＡ\": team[1] is called 'Alpha': names must differ in more than case"
    ]


FEW = "a contest needs two teams at least, each with a [[team]] of its own"
FILES = [
    ("", [f"team: {FEW}", "tournament: is missing"]),
    (HEAD, [f"team: {FEW}"]),
    (HEAD + '[[team]]\nname = "A"\nbot = "careful"', [f"line 3, team: {FEW}"]),
    (HEAD + '[team]\nname = "A"\nbot = "b"', ["line 3, team: must be written [[team]], once for each team"]),
    (HEAD + "[[teams]]", [f"team: {FEW}", "line 3, teams: no such key (did you mean 'team'?)"]),
    ("[tournament]\n" + TEAMS, ["line 1, tournament.name: is missing"]),
    (
        'name = "Club"\n' + TEAMS,
        [
            "tournament: is missing",
            'line 1, name = "Club": stands in the wrong table: it is a key of [tournament]',
        ],
    ),
    (
        "tournament = 3\nteam = [1, 2]",
        [
            "line 1, tournament = 3: must be a table",
            "line 2, team[1] = 1: must be a table",
            "line 2, team[2] = 2: must be a table",
        ],
    ),
]


# The rest of the sentence is tomllib's own.
@pytest.mark.parametrize(
    ("line", "begin", "end"),
    [
        ("seed = seven", "line 3, column 8: this is not TOML: ", " (text stands in quotes)"),
        ("seed 7", "line 3, column 6: this is not TOML: ", ""),
        ("name = 'Other'", "line 3, column 15: this is not TOML: ", ""),
        ("[tournament]", "line 3, column 12: this is not TOML: ", "[tournament] twice"),
        ('seed = """', "the end of the file: this is not TOML: ", ""),
    ],
)
def test_what_is_not_toml_has_a_line_and_a_column(line, begin, end):
    (mistake,) = mistakes_in(f"{HEAD}{line}\n{TEAMS}")
    assert mistake.startswith(begin)
    assert mistake.endswith(end)
    assert " (at " not in mistake


@pytest.mark.parametrize(("text", "sentences"), FILES)
def test_mistakes_of_whole_files(text, sentences):
    assert mistakes_in(text) == sentences


def test_a_long_value_is_cut_short():
    (mistake,) = mistakes_in(f'{HEAD}isolation = "{"x" * 500}"\n{TEAMS}')
    assert mistake == f'line 3, tournament.isolation = "{"x" * 38}…: must be full or shared'


def test_without_built_in_bots_none_are_named():
    with pytest.raises(FileMistakes, match=r"is missing: a built-in bot, file\.py:Name"):
        read_contest(HEAD + TEAMS.replace('"careful"', "{}"), built_in=())


@pytest.mark.parametrize("seed", range(20))
def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(seed):
    chance = random.Random(seed)
    keys = ["isolation = 1", "names = 1", "blocks = 0", "seed = 1.5", "move = 2", "xyzzy = 1"]
    tables = ["[rules]\ncut = 'player'\nnotise = 1", "[clock]\nmove = 0\nconnect = false"]
    team = '[[team]]\nname = "beta"\nbots = ["random", { run = "random", env = { A = 1 }, options = { x = 2024-02-29 } }, 5]'
    text = HEAD + "\n".join(chance.sample(keys, 6) + chance.sample([*tables, TEAMS + team], 3)) + "\n"
    found = mistakes_in(text)
    assert len(found) == 6 + 4 + 5
    lines = [int(sentence.removeprefix("line ").partition(",")[0]) for sentence in found]
    assert lines == sorted(lines)
    for sentence, line in zip(found, lines, strict=True):
        key = sentence.partition(", ")[2].partition(":")[0].partition(" ")[0].split(".")
        assert any(word.partition("[")[0] in text.splitlines()[line - 1] for word in key)


def test_mistakes_are_the_callers_and_survive_a_process():
    error = FileMistakes(("one", "two"))
    assert isinstance(error, Misuse)
    assert str(error) == "one\ntwo"
    assert pickle.loads(pickle.dumps(error)).mistakes == ("one", "two")
