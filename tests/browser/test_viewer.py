"""The match viewer in a browser: every way to step, every view, every width."""

import random

import pytest
from referee.report.html.shown import SCRIPT, at_random, shown
from referee.report.scenes import SCENES
from referee.report.twins import twin_of
from rules.play import steps

from aluette.packs import BlockKey
from aluette.record import record_of
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.report.html.environment import render
from aluette_referee.report.html.pages import match_page, viewer, viewer_script

RECORD = at_random(3)
SPOILED = sum(deal["winners"].count("X") for deal in RECORD["deals"])
PRESSED = """key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))"""
SNAPSHOTS = f"""seat => {{
  const press = {PRESSED};
  const found = [];
  press("Home"); press(seat); press("Home");
  const bar = document.querySelector(".bar");
  do {{
    found.push(document.querySelector(".board").innerHTML);
    if (bar.value === bar.max) break;
    press("ArrowRight");
  }} while (found.length < 2000);
  return found;
}}"""

STICKING_OUT = f"""() => {{
  const found = [];
  for (let at = 0; at < 30; at += 1) {{
    const felt = document.querySelector(".table").getBoundingClientRect();
    if (document.documentElement.scrollWidth > innerWidth) found.push(`${{at}}: the page`);
    for (const one of document.querySelectorAll(".table svg, .table .plate, .bubble:not([hidden])")) {{
      const box = one.getBoundingClientRect();
      const within = box.left >= felt.left && box.right <= felt.right && box.top >= felt.top && box.bottom <= felt.bottom;
      if (!within) found.push(`${{at}}: ${{one.className.baseVal ?? one.className}}`);
    }}
    ({PRESSED})("ArrowRight");
  }}
  return found;
}}"""

FAILED = Fault(FaultType.FAILED, Seat.E, 2, 3)


def several(*matches, keys="page"):
    """A page with some matches and one viewer, as the report has it."""
    shell = {"title": "", "match": matches[0], "seats": [], "faults": [], "transcript": ""}
    return render("match.html.j2", script=viewer_script(), viewer=viewer(matches), keys=keys, **shell)


def press(page, key, times):
    """As by the keyboard, without a word to the browser for each."""
    page.evaluate(f"([key, times]) => {{ for (; times > 0; times -= 1) ({PRESSED})(key); }}", [key, times])


def caption(page):
    return page.locator(".caption").inner_text()


def points(page):
    return [int(text) for text in page.locator(".points").all_inner_texts()]


def cards(page, where):
    uses = page.locator(f"{where} use").all()
    return [use.get_attribute("href").removeprefix("#card-") for use in uses]


def at_the_end(page):
    return page.evaluate("(bar => bar.value === bar.max)(document.querySelector('.bar'))")


def is_over(page):
    result = RECORD["result"]
    return points(page) == [result["NS"], result["EW"]] and "wins" in caption(page)


def test_by_keys_card_by_card_to_the_end_and_back(opened):
    with opened(match_page(shown(RECORD))) as page:
        assert points(page) == [0, 0]
        assert caption(page).startswith("Deal 1: N deals nine cards each")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        assert page.locator(".bar").input_value() == "5"
        page.evaluate(SNAPSHOTS, "a")
        assert at_the_end(page)
        assert is_over(page)
        page.keyboard.press("Home")
        assert caption(page).startswith("Deal 1: ")
        page.keyboard.press("End")
        assert is_over(page)
        page.keyboard.press("ArrowLeft")
        assert " scores " in caption(page)


@pytest.mark.parametrize(("on", "back", "times"), [("ArrowDown", "ArrowUp", 46), ("PageDown", "PageUp", 5)])
def test_by_tricks_and_deals(opened, on, back, times):
    with opened(match_page(shown(RECORD))) as page:
        press(page, on, times - 1)
        assert not at_the_end(page)
        page.keyboard.press(on)
        assert at_the_end(page)
        assert is_over(page)
        press(page, back, times - 1)
        page.keyboard.press(back)
        assert page.locator(".bar").input_value() == "0"


def test_shift_with_an_arrow_is_by_tricks(opened):
    with opened(match_page(shown(RECORD))) as page:
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator(".tricks .now > th").inner_text() == "2"
        page.keyboard.press("Shift+ArrowLeft")
        assert page.locator(".tricks .now > th").inner_text() == "1"


def test_by_buttons(opened):
    with opened(match_page(shown(RECORD))) as page:
        click = lambda name: page.get_by_role("button", name=name, exact=True).click()  # noqa: E731
        click("On by one card")
        assert page.locator(".bar").input_value() == "1"
        click("Back one card")
        click("Next deal")
        assert caption(page).startswith("Deal 2: E deals")
        click("Next trick")
        assert page.locator(".tricks .now > th").inner_text() == "1"
        click("Previous trick")
        click("Previous deal")
        page.locator(".deals button").nth(2).click()
        assert caption(page).startswith("Deal 3: S deals")
        click("To the end")
        assert is_over(page)
        click("To the beginning")
        page.locator(".tricks tbody button").first.click()
        assert caption(page).split()[1] in {"leads", "plays"}
        assert page.locator(".tricks .here").count() == 1


def test_what_lies_on_the_table(opened):
    with opened(match_page(shown(RECORD)), "#match-0123abcd-1@2.1") as page:
        deal = RECORD["deals"][1]
        page.keyboard.press("ArrowDown")
        played = dict(zip("NESW", [cards(page, f".slot.{seat}")[0] for seat in "NESW"], strict=True))
        places = "NESW" * 2
        start = places.index(deal["leaders"][0])
        assert [played[seat] for seat in places[start : start + 4]] == deal["tricks"][0]
        won = deal["winners"][0]
        assert page.locator(".slot.won").count() == (won != "X")
        assert page.locator(".outcome").is_visible() == (won == "X")
        assert [len(cards(page, f".seat.{seat} .hand")) for seat in "NESW"] == [8] * 4
        assert page.locator(".seat.E .marks").inner_text().split()[0] == "dealer"


def test_the_spoiled_tricks_one_after_the_other(opened):
    assert SPOILED > 1
    with opened(match_page(shown(RECORD))) as page:
        found = set()
        for _ in range(SPOILED):
            page.keyboard.press("x")
            assert "Spoiled: " in caption(page)
            assert page.locator(".outcome").inner_text() == "spoiled"
            found.add(page.locator(".bar").input_value())
        assert len(found) == SPOILED
        page.get_by_role("button", name="Next spoiled").click()
        assert page.locator(".bar").input_value() == min(found, key=int)
        assert page.get_by_role("button", name="Fault").is_hidden()


def test_the_fault(opened):
    with opened(match_page(shown(SCENES["fault"]))) as page:
        assert page.get_by_role("button", name="Next spoiled").is_disabled()
        page.get_by_role("button", name="Fault").click()
        assert caption(page) == "Fault: N late in deal 2, trick 3; EW wins NS 0, EW 5."
        assert points(page) == [0, 5]
        page.keyboard.press("Home")
        page.keyboard.press("f")
        assert page.locator(".seat.fault").get_attribute("data-seat") == "N"


@pytest.mark.parametrize("seat", SEATS, ids=str)
def test_a_seats_view_shows_nothing_that_it_may_not_know(opened, seat):
    """Two matches that the seat cannot tell apart look alike, card for card and word for word."""
    rng = random.Random(11)
    match = Match(RuleSet(deals=2, truthful=False), BlockKey(bytes([7]) * 32))
    moves = list(steps(match, rng))
    twin = twin_of(match, moves, seat, rng)
    assert any(deal.discards for deal in match.deals)
    pages = several(shown(record_of(match), "one"), shown(record_of(twin), "two"))
    with opened(pages, "#match-one") as page:
        one = page.evaluate(SNAPSHOTS, seat.name.lower())
        page.locator("select").select_option("two")
        other = page.evaluate(SNAPSHOTS, seat.name.lower())
        assert len(one) > 72
        assert one == other
        page.keyboard.press("a")
        assert page.evaluate(SNAPSHOTS, "a") != one


def test_one_seats_view(opened):
    with opened(match_page(shown(SCENES["chant"]))) as page:
        page.keyboard.press("n")
        assert set(cards(page, ".seat.E .hand") + cards(page, ".spread")) == {"back"}
        assert cards(page, ".seat.N .hand")[0] == "2C"
        whole = page.evaluate(SNAPSHOTS, "a")
        seen = page.evaluate(SNAPSHOTS, "1")
        assert [view.count("looks up, head still") > 0 for view in (whole[1], seen[1])] == [True, False]
        assert not any("I hold 3D" in view or "noticed by" in view for view in seen)
        assert any("tilts the head" in view for view in seen)
        assert page.get_by_role("button", name="What N saw").get_attribute("aria-pressed") == "true"
        page.get_by_role("button", name="All").click()
        assert "back" not in cards(page, ".table")


def test_changing_the_view_keeps_the_place(opened):
    with opened(match_page(shown(RECORD)), "#match-0123abcd-1@3.5") as page:
        place = page.locator(".tricks .now > th").inner_text()
        for key in "1234nesw":
            press(page, key, 1)
            assert page.locator(".tricks caption").inner_text() == "Deal 3"
            assert page.locator(".tricks .now > th").inner_text() in {place, "4"}


def test_it_plays_by_itself_and_pauses(opened):
    with opened("<!doctype html><title></title>", locale="fr") as page:
        page.clock.install()
        page.set_content(match_page(shown(RECORD)))
        page.keyboard.press("Space")
        page.clock.run_for(3500)
        assert page.locator(".bar").input_value() == "3"
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(5000)
        assert page.locator(".bar").input_value() == "3"
        page.get_by_role("button", name="Play", exact=True).click()
        page.keyboard.press("End")
        page.clock.run_for(5000)
        assert is_over(page)


def test_a_name_that_is_a_script_does_no_harm(opened):
    match = shown(
        SCENES["chant"],
        "one",
        SCRIPT,
        "<img src=x onerror=alert(2)>",
        faults=[FAILED._replace(evidence=SCRIPT)],
    )
    with opened(match_page(match)) as page:
        page.evaluate(SNAPSHOTS, "a")
        assert page.locator(".team .name").first.inner_text() == SCRIPT
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 2


def test_what_is_put_into_the_page_cannot_run(chromium, tmp_path):
    page = chromium.new_page()
    page.set_content(match_page(shown(SCENES["void"])))
    page.evaluate("""() => {
        const made = document.createElement("script");
        made.textContent = "window.ran = true";
        document.body.append(made);
    }""")
    assert page.evaluate("window.ran === undefined")
    page.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_sticks_out(opened, width):
    long = "Les très longs noms d'une équipe " * 4
    record = SCENES["chant"]
    with opened(
        match_page(shown(record, "one", long, "W" * 60)), viewport={"width": width, "height": 780}
    ) as page:
        assert page.evaluate(STICKING_OUT) == []


def test_an_address_opens_a_match_and_a_place_in_it(opened):
    page_text = several(*(shown(record, name) for name, record in SCENES.items()), keys="focus")
    with opened(page_text, "#match-fault@2.3") as page:
        assert page.locator("select").input_value() == "fault"
        assert page.locator(".tricks caption").inner_text() == "Deal 2"
        assert page.locator(".tricks .now > th").inner_text() == "3"
        page.evaluate("location.hash = '#match-no_cut@fault'")
        page.wait_for_function("document.querySelector('select').value === 'no_cut'")
        assert caption(page).startswith("Fault: W late")
        page.locator("select").select_option("draw")
        assert caption(page).startswith("Partners are drawn")
        assert len(cards(page, ".spread")) == 10
        for wrong in ("#match-none", "#elsewhere", "#match-draw@9.9", "#match-%"):
            page.evaluate("hash => { location.hash = hash; }", wrong)
        assert caption(page).startswith("Partners are drawn")


def test_in_a_report_keys_are_the_viewers_only_where_it_has_the_focus(opened):
    with opened(several(shown(RECORD), keys="focus")) as page:
        page.keyboard.press("End")
        assert page.locator(".bar").input_value() == "0"
        page.locator(".viewer").focus()
        page.keyboard.press("End")
        assert is_over(page)


def test_without_javascript_there_is_the_text(opened):
    with opened(match_page(shown(RECORD)), java_script_enabled=False) as page:
        assert page.locator("noscript p").is_visible()
        assert page.locator(".viewer").is_hidden()
        page.get_by_text("The match as text").click()
        assert "Deal 5" in page.locator(".transcript").inner_text()


def test_what_is_printed_is_the_position(opened):
    with opened(match_page(shown(RECORD)), "#match-0123abcd-1@2.4") as page:
        page.emulate_media(media="print")
        assert page.locator(".table").is_visible()
        assert page.locator(".caption").is_visible()
        assert not any(part.is_visible() for part in page.locator(".controls, .bar, .keys").all())


def test_a_fault_that_was_mended_is_one_to_jump_to_and_of_its_seat_alone(opened):
    first = FAILED._replace(seat=Seat.N, deal=1, trick=0)
    with opened(match_page(shown(RECORD, mended=[first, FAILED]))) as page:
        caption = page.locator(".caption")
        page.get_by_role("button", name="Fault").click()
        assert caption.inner_text() == "N failed: the referee acts in its place."
        page.keyboard.press("f")
        assert caption.inner_text() == "E failed: the referee acts in its place."
        assert page.locator(".tricks .now > th").inner_text() == "3"
        page.keyboard.press("ArrowRight")
        assert caption.inner_text().startswith("E ")
        page.keyboard.press("f")
        assert caption.inner_text().startswith("N failed")
        page.keyboard.press("e")
        page.keyboard.press("f")
        assert caption.inner_text().startswith("E failed")
        page.keyboard.press("s")
        assert not page.get_by_role("button", name="Fault").is_visible()
