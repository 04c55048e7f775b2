"""A league's pages in a browser: signed in and not, found and stepped through, on a desk and on a phone, by day and by night."""

import shutil
from contextlib import contextmanager

import pytest
from referee.web.running import running
from referee.web.site import HARM, club

PAGES = [
    "/",
    "/?q=ana",
    "/seasons",
    "/bot/ana",
    "/bot/bea",
    "/matches",
    "/connect",
    "/register",
    "/sign-in",
    "/nothing",
]
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(each => each / 255).map(each => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
    return .2126 * x + .7152 * y + .0722 * z;
  };
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const colour = rgba(getComputedStyle(each).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(".viewer, noscript, script, .sprite") || !element.checkVisibility()) continue;
    if (![...element.childNodes].some(each => each.nodeType === 3 && each.textContent.trim())) continue;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [light(rgba(ink)), light(behind(element))].sort((a, b) => b - a);
    const ratio = (one + .05) / (other + .05);
    if (ratio < 4.5) found.push(`${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return found;
}"""
UNNAMED = """() => [
  ...[...document.querySelectorAll("input:not([type=hidden]):not([hidden]), select")].filter(each => each.labels.length === 0),
  ...[...document.querySelectorAll("main table")].filter(each => !each.caption && !each.closest(".viewer")),
  ...[...document.querySelectorAll("main th:not([scope])")].filter(each => !each.closest(".viewer")),
  ...[...document.querySelectorAll("button, a")].filter(each => !(each.textContent.trim() || each.ariaLabel)),
  ...[...document.querySelectorAll("img:not([alt])")],
  ...[...document.querySelectorAll("[aria-labelledby]")].filter(each => !document.getElementById(each.getAttribute("aria-labelledby"))),
].map(each => each.outerHTML.slice(0, 100))"""
TWICE = """() => { const ids = [...document.querySelectorAll("[id]")].map(each => each.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place); }"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    with club(tmp_path_factory.mktemp("league")) as made:
        made.registry.bench("bea", "it was lost 5 times within a day")
        # Tests come from one address, quicker than people.
        made.app._clock = iter(range(0, 10**9, 60)).__next__
        with running(made.app) as address:
            made.address = address
            yield made


@pytest.fixture
def visit(chromium, house):
    """A browser's window at a league, which complains of nothing and asks nobody else."""

    @contextmanager
    def open_window(**options):
        context = chromium.new_context(
            base_url=house.address,
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options},
        )
        page = context.new_page()
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda asked: asked.url.startswith(house.address) or heard.append(asked.url))
        yield page
        assert [said for said in heard if "status of 404" not in said] == []
        context.close()

    return open_window


def sign_in(page, house, owner="Ana"):
    page.goto("/sign-in")
    page.get_by_label("Your token").fill(house.tokens[owner])
    page.get_by_role("button", name="Sign in").click()
    assert page.url.endswith("/me")


def test_from_signing_in_to_a_token_and_out_again(visit, house):
    with visit() as page:
        sign_in(page, house)
        assert page.get_by_role("heading", level=1).inner_text() == "Ana"
        page.get_by_label("Its name, in addresses and commands").fill("ant")
        page.get_by_label("What it is displayed as").fill("<b>The Ant</b>")
        page.get_by_role("button", name="Add it").click()
        assert "aluette_play_" in page.locator(".once pre").inner_text()
        page.get_by_role("link", name="Back to what is yours").click()
        assert page.get_by_role("link", name="<b>The Ant</b>").is_visible()
        page.get_by_role("button", name="Retire ant/1").click()
        assert page.get_by_role("button", name="Reactivate ant/1").is_visible()
        page.get_by_role("button", name="Sign out").click()
        page.goto("/me")
        assert page.url.endswith("/sign-in")


def test_a_bot_is_found_and_a_match_of_it_stepped_through(visit):
    with visit() as page:
        page.goto("/")
        page.get_by_label("Find a bot or its owner").fill("ALERT(1)")
        page.keyboard.press("Enter")
        page.get_by_role("link", name=HARM).click()
        assert page.get_by_role("heading", level=1).inner_text().startswith(HARM)
        page.get_by_role("link", name="bea", exact=True).first.click()
        assert page.get_by_role("img", name="Ratings over time").is_visible()
        page.get_by_role("region", name="Matches of bea").get_by_role("link").first.click()
        viewer = page.get_by_role("region", name="Match viewer")
        assert viewer.locator(".caption").inner_text().startswith("Deal 1: ")
        page.get_by_role("button", name="On by one card").click()
        first = viewer.locator(".caption").inner_text()
        assert not first.startswith("Deal 1: ")
        viewer.focus()
        page.keyboard.press("ArrowDown")
        assert viewer.locator(".caption").inner_text() != first
        assert viewer.locator(".tricks .now > th").inner_text() == "1"
        page.keyboard.press("End")
        assert "wins" in viewer.locator(".caption").inner_text()


def test_a_fault_leads_to_its_moment(visit):
    with visit() as page:
        page.goto("/bot/bea")
        page.locator(".faults a").click()
        assert page.url.endswith("@2.3")
        assert page.locator(".tricks caption").inner_text() == "Deal 2"
        assert page.locator(".tricks .now > th").inner_text() == "3"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_sticks_out_and_everything_can_be_read(visit, house, width, scheme):
    with visit(viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
        page.goto("/matches")
        match = page.locator("main tbody a").first.get_attribute("href")
        for path in [*PAGES, match]:
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
            assert page.evaluate(CONTRASTS) == [], path
        sign_in(page, house, "Bea")
        for path in ("/me", "/bot/bea", match):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
            assert page.evaluate(CONTRASTS) == [], path
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"
        assert dark == (scheme == "dark")


def test_it_can_be_heard_and_walked_by_keys(visit, house):
    with visit() as page:
        sign_in(page, house)
        for path in [*PAGES, "/me"]:
            page.goto(path)
            assert page.evaluate(UNNAMED) == [], path
            assert page.evaluate(TWICE) == [], path
            assert [page.locator(tag).count() for tag in ("main", "h1", "header.site", "footer.site")] == [
                1
            ] * 4
        page.goto("/")
        page.keyboard.press("Tab")
        skip = page.get_by_role("link", name="Skip to the content")
        assert skip.evaluate(
            "each => each === document.activeElement && each.getBoundingClientRect().top >= 0"
        )
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "q"
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_without_javascript_everything_but_the_viewer_is_there(visit, house):
    with visit(java_script_enabled=False) as page:
        sign_in(page, house)
        page.goto("/?q=bea")
        assert page.locator("table.ladder tbody tr").count() == 1
        page.goto("/matches")
        page.locator("main tbody a").first.click()
        assert page.locator("noscript p").is_visible()
        page.get_by_text("The match as text").click()
        assert "Deal 2" in page.locator(".transcript").inner_text()
