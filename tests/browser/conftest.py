"""A browser, or a reason why not; and pages in it which complain of nothing and ask nobody for anything."""

import os
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright

ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESK = {"width": 1280, "height": 900}


# Of a module, not of the session: while it lives this thread runs its loop, and later tests run their own.
@pytest.fixture(scope="module")
def chromium():
    path = shutil.which("chromium")
    if path is None:
        assert "CI" not in os.environ, "the gate installs chromium"
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tab(chromium):
    """A page that most tests share, since making one takes longer than most tests."""
    return chromium.new_context(viewport=DESK, reduced_motion="reduce").new_page()


@pytest.fixture
def opened(chromium, tab, tmp_path):
    """Open a page from disk, in a context of its own where that is to differ; nothing but the page may be asked for."""

    @contextmanager
    def open_page(text, hashed="", **options):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        page = (
            chromium.new_page(**{"viewport": DESK, "reduced_motion": "reduce", **options}) if options else tab
        )
        heard = []
        listeners = {
            "console": lambda message: heard.append(message.text),
            "pageerror": lambda error: heard.append(str(error)),
            "dialog": lambda dialog: (heard.append(dialog.message), dialog.dismiss()),
            "request": lambda request: heard.append(request.url),
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(f"{file.as_uri()}{hashed}")
        yield page
        assert [said.partition("#")[0] for said in heard] == [file.as_uri()]
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        page.emulate_media(media="screen")
        if options:
            page.close()

    return open_page
