"""A match of a league is watched as it is played, card by card to its end, and then stepped through."""

import re

import pytest
from referee.league.served import League, league, stop

THINKS = """
import time
import aluette

class Thinks(aluette.Bot):
    def play(self, view):
        time.sleep(0.05)
        return view.hand[-1]
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A league whose hosted bots take a few seconds for a match."""
    folder = tmp_path_factory.mktemp("live") / "league"
    with league(folder) as made:
        (folder / "thinks.py").write_text(THINKS)
        for owner, bot in (("Ana", "fox"), ("Bea", "wolf")):
            made.run("register", owner)
            made.run("add", bot, "--owner", owner, "--run", "thinks.py:Thinks")
        service = made.serve()
        yield made
        stop(service)


@pytest.mark.parametrize(
    "options",
    [{}, {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}],
    ids=["desk", "phone by night"],
)
def test_a_match_is_watched_to_its_end_and_stepped_through(chromium, served: League, options):
    page = chromium.new_page(**options)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.goto(f"{served.web}/live")
    # One that begins while somebody looks: the list is loaded again until there is one.
    table = page.locator("table.sheet a.mono")
    while table.count() == 0:
        page.reload()
    name = table.last.inner_text()
    table.last.click()
    board = page.locator("#live")
    board.locator(".slot svg use").first.wait_for()
    assert re.fullmatch(r"#card-[2-9AJQK]+[DCSB]", board.locator(".slot svg use").first.get_attribute("href"))
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    caption = board.locator("[data-part=caption]")
    caption.locator("a").wait_for()
    assert caption.inner_text().startswith("The match is over.")
    points = [int(board.locator(f"[data-part={side}]").inner_text()) for side in ("NS", "EW")]
    caption.locator("a").click()
    page.wait_for_url(f"{served.web}/match/{name}*")
    viewer = page.locator("#viewer")
    if viewer.count() == 0:  # the other leg, with the same packs, is still being played
        assert "is being played" in page.locator("main").inner_text()
        served.until_played(served.played() + 1)
        page.reload()
    viewer.wait_for()
    page.locator("[data-act='card+']").click()
    shown = page.locator("p.facts b").inner_text()
    assert [int(each) for each in shown.split(" – ")] == points
    assert heard == []
    page.close()
