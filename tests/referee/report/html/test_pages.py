"""Pages as text: what is in them, that they are the same each time, and that no name does anything."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from referee.report.html.shown import SCRIPT, at_random, shown
from referee.report.scenes import SCENES

from aluette.packs import BlockKey
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.report.html.environment import render, source
from aluette_referee.report.html.pages import match_page, viewer, viewer_script
from aluette_referee.report.transcript import transcript

KEY = BlockKey(bytes(range(32)))


class Page(HTMLParser):
    """The elements of a page, and the text of each `<script>` and `<pre>`."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "pre"}:
            self.texts.append("")

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


LATE = Fault(FaultType.LATE, Seat.N, 1, 2, elapsed=2.5, limit=2.0)


def data_of(page):
    return json.loads(re.search(r'id="matches">(.*?)</script>', page)[1])


def test_a_page_says_who_met_by_which_rules_with_which_cards():
    match = shown(SCENES["chant"], key=KEY, faults=[LATE])
    page = match_page(match)
    assert "<title>Ana – Béa · Aluette</title>" in page
    for said in (
        "0123abcd-1",
        SCENES["chant"]["rules"],
        KEY.secret.hex(),
        KEY.commitment,
        "Ana 2",
        "N (Ana 1): late in deal 1, trick 2",
    ):
        assert said in page
    names = {seat: chair.name for seat, chair in match.seats.items()}
    text = "\n".join(transcript(match.record, names))
    assert any(text in found for found in Page(page).texts)
    assert "Commitment" not in match_page(shown(SCENES["chant"]))


def test_the_same_match_gives_the_same_bytes():
    match = shown(at_random(4), key=KEY)
    assert match_page(match) == match_page(match)
    assert match_page(match).isascii() is False
    assert match_page(match).encode().decode() == match_page(match)


def test_a_name_is_text_whatever_it_is():
    evil = f"{SCRIPT}\u2028\u202e\x1b[31m&\"'\ud800"
    page = match_page(
        shown(
            SCENES["draw"],
            "0-1",
            evil,
            "</script><img src=x onerror=alert(1)>",
            faults=[LATE._replace(evidence=SCRIPT)],
        )
    )
    page.encode()
    elements = Page(page)
    assert len(elements.all("script")) == 2
    assert elements.all("img") == []
    assert not [name for _, attributes in elements.elements for name in attributes if name.startswith("on")]
    (match,) = data_of(page)
    assert match["sides"][0] == f"{SCRIPT}\\u2028\\u202e\\x1b[31m&\"'\\ud800"
    assert not {"\u2028", "\u202e", "\x1b"} & set(page)


def test_only_our_script_may_run_and_nothing_may_be_loaded():
    page = match_page(shown(SCENES["draw"]))
    (policy,) = (meta["content"] for meta in Page(page).all("meta") if "http-equiv" in meta)
    script = re.search(r"<script>(.*)</script>", page, re.DOTALL)[1]
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.split("; ")[0] == "default-src 'none'"
    assert f"script-src 'sha256-{hashed}'" in policy
    assert set(re.findall(r"https?://[\w./]*", page)) == {"http://www.w3.org/2000/svg"}
    assert [link for link in Page(page).all("link") if link["href"] != "data:,"] == []


def test_a_script_cannot_end_its_own_element():
    with pytest.raises(ValueError, match="ends its own element"):
        render("match.html.j2", script="'</SCRIPT>'")


def test_the_script_is_short_and_writes_no_html():
    script = str(source("viewer.js"))
    assert len(script.splitlines()) < 400
    assert '"use strict"' in script
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script
    )


def test_several_matches_in_one_page():
    page = render(
        "match.html.j2",
        script=viewer_script(),
        viewer=viewer(shown(record, name) for name, record in SCENES.items()),
        keys="focus",
        title="",
        match=shown(SCENES["void"]),
        seats=[],
        faults=[],
        transcript="",
    )
    assert [match["id"] for match in data_of(page)] == list(SCENES)
    assert page.count("card-back") == 1


def test_a_match_takes_little_room():
    assert len(json.dumps(viewer([shown(at_random(5))])["matches"], separators=(",", ":"))) < 60_000
