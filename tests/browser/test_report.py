"""The report of a contest in a browser: opened from disk, on a desk and on a phone, with names that mean harm."""

import json

import pytest
from referee.cli.shell import invoke

CLUB = """
[tournament]
name = "<script>alert(1)</script> & Co"
blocks = 2
seed = 1
[rules]
deals = 2
"""
NAMES = ("<script>alert(1)</script>", '"><img src=x onerror=a()>', "=1+1", "O'Neill & Søn")
BOT = """
def stops(view):
    if view.deal.number == 2 and view.hand[0].strength == 19:
        raise ValueError("<script>alert(2)</script>")
    return view.hand[0]
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    bots = ("bot.py:stops", "lowest", "lowest", "random")
    teams = (
        f"[[team]]\nname = {json.dumps(name)}\nbot = {json.dumps(bot)}\n"
        for name, bot in zip(NAMES, bots, strict=True)
    )
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    (folder / "club.toml").write_text(CLUB + "".join(teams), encoding="utf-8")
    assert invoke("tournament", "run", "club.toml", "--in-process", cwd=folder).exit_code == 0
    assert invoke("report", "club.db", "-o", "report.html", cwd=folder).output == ""
    return (folder / "report.html").read_text(encoding="utf-8")


def test_names_are_text_and_tables_are_tables(opened, page):
    with opened(page) as shown:
        assert shown.locator("h1").inner_text() == "<script>alert(1)</script> & Co"
        first = shown.locator("section", has=shown.locator("#standings")).locator("table.sheet")
        assert {name.strip() for name in first.locator("tbody th").all_inner_texts()} == set(NAMES)
        assert shown.locator("img").count() == 0
        assert shown.locator("svg.chart").count() == 2
        assert set(NAMES) <= set(shown.locator("svg.chart text").all_text_contents())
        faults = shown.locator("section", has=shown.locator("#faults")).inner_text()
        assert "ValueError: <script>alert(2)</script>" in faults


def test_a_link_of_a_fault_leads_to_its_moment(opened, page):
    with opened(page) as shown:
        link = shown.locator("section", has=shown.locator("#faults")).locator("a").first
        match = link.inner_text()
        link.click()
        assert shown.evaluate("location.hash") == f"#match-{match}@fault"
        shown.wait_for_function("document.querySelector('.caption').textContent.includes('failed')")
        assert (
            match in shown.locator(".viewer select").input_value()
            or match in shown.locator(".viewer select option:checked").inner_text()
        )


def test_keys_are_the_pages_until_the_viewer_has_the_focus(opened, page):
    with opened(page) as shown:
        before = shown.locator(".bar").input_value()
        shown.keyboard.press("ArrowRight")
        assert shown.locator(".bar").input_value() == before
        shown.locator(".viewer").focus()
        shown.keyboard.press("ArrowRight")
        assert int(shown.locator(".bar").input_value()) == int(before) + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_but_tables_scrolls_sideways(opened, page, width, scheme):
    with opened(page, viewport={"width": width, "height": 900}, color_scheme=scheme) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") == width
        # A chart has the colours of the page.
        ink = shown.evaluate("getComputedStyle(document.body).color")
        chart = "getComputedStyle(document.querySelector('svg.chart text')).fill"
        assert shown.evaluate(chart) == ink


def test_on_paper(opened, page):
    with opened(page) as shown:
        shown.emulate_media(media="print")
        assert not shown.locator("nav.contents").is_visible()
        assert shown.locator("#standings").is_visible()
        assert len(shown.pdf(format="A4")) > 50_000


def test_without_a_script_tables_and_charts_are_there(opened, page):
    with opened(page, java_script_enabled=False) as shown:
        assert shown.locator("svg.chart").first.is_visible()
        assert shown.locator("table.sheet").first.is_visible()
        assert "needs JavaScript" in shown.locator("noscript").first.text_content()
