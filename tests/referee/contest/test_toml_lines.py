"""Where keys stand: texts in which every value says its own line."""

import tomllib

import pytest

from aluette_referee.contest.toml_lines import key_lines

TEXTS = [
    "a = 1\nb = 2\n\n# c = 3\nc = 5",
    "a . b = 1\na.\"c = d\" = 2\n'x.y' .z = 3",
    "[ a . b ] # [c]\nx = 2\n[a.'b c']\nx = 4\n['['.\"]\"]\ny = 6",
    "[[t]]\nx = 2\n[t.u]\nx = 4\n[[t]]\nx = 6\n[[t.v]]\nx = 8\n[[t.v]]\nx = 10\n[t.v.w]\nx = 12\n[u]\nx = 14",
    "a = [1, 1,\n 2,\n\n # , 4\n [5, [\n6]\n ,7\n],\n]\nb = 10",
    "a = [ # ]\n{ b = 2, c.d = 2, e = [2,\n3] }, {}, { b = 3 }\n]\nf = 5",
    "a = { b.c = 1, \"b\".d = 1, 'e }' = { f = 1 } }\ng = 2",
    'a = """\n"""\nb = 3',
    'a = """x\ny = 2 ""\\""" # "\nb = 3\nc = 4"""""\nd = 5\ne = "\\"= [" # "\nf = 7',
    "a = '''\n[t]\nb = 3''''\n[t]\nc = 5\nd = 'x = \\'\ne = 7",
    'a = """\\\\"""\nb = 2\nc = "\\\\"\nd = 4',
    "a = 2020-01-01 10:00:00\nb = [1979-05-27T07:32:00-08:00, 2]\nc = 3\nd = -1.5e+3\ne = 5",
    "a = 1\r\n[t]\r\n\r\nb = 4\r\nc = [\r\n6]\r\n",
    "\n\n1.2 = 3\n-_- = 4\n",
    "",
]


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from leaves(item, (*path, place))
    else:
        yield path, value


@pytest.mark.parametrize("text", TEXTS)
def test_every_value_stands_on_its_own_line(text):
    lines = key_lines(text)
    for path, value in leaves(tomllib.loads(text)):
        assert all(path[:size] in lines for size in range(1, len(path) + 1))
        if isinstance(value, int):
            assert (path, lines[path]) == (path, value)


def test_a_table_stands_where_it_is_first_mentioned():
    text = "x.y.z = 1\n[[t]]\n[[t]]\n\n[t.u]\n[a.b.c]\n[a]\nd = { e = { f = 1 } }\n"
    lines = key_lines(text)
    assert lines == {
        ("x",): 1,
        ("x", "y"): 1,
        ("x", "y", "z"): 1,
        ("t",): 2,
        ("t", 0): 2,
        ("t", 1): 3,
        ("t", 1, "u"): 5,
        ("a",): 6,
        ("a", "b"): 6,
        ("a", "b", "c"): 6,
        ("a", "d"): 8,
        ("a", "d", "e"): 8,
        ("a", "d", "e", "f"): 8,
    }
