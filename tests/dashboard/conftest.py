"""Real Chromium for the pages that Quire shows, and ways to look at them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request, expect, sync_playwright

AXE = (Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js").read_text("utf-8")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# For one module, because a Playwright that is open keeps asyncio tests from running.
CHARTS = [
    "Pages over time",
    "What became of the URLs",
    "Response times",
    "Links from the start page",
    "Words on a page",
    "Size of the Markdown",
    "How pages were found",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "install Debian's package chromium, as scripts/setup does"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


class Screen:
    """One browser page, everything it asked for, and everything it complained about."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", self._asked)
        self.page.on("console", lambda message: self._said(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._asked_back)

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def _asked_back(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.settle()

    def view(self, name: str) -> None:
        """Go to another view of the same page."""
        self.page.evaluate("hash => { location.hash = hash; }", f"#/{name}")
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_selector("main > :nth-child(2)")
        expect(self.page.locator("[aria-busy]")).to_have_count(0)

    def text(self, selector: str = "main") -> str:
        return self.page.locator(selector).first.inner_text()

    def violations(self) -> list[tuple[str, str]]:
        """What axe-core finds wrong, as rule and the first element that breaks it."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(f"() => {{ {AXE} }}")
        found: dict[str, Any] = self.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        return [(each["id"], each["nodes"][0]["html"][:200]) for each in found["violations"]]

    @property
    def shifted(self) -> float:
        """How far things have moved that nobody moved: the sum that browsers call the cumulative layout shift."""
        return float(
            self.page.evaluate(
                """() => new Promise((told) => new PerformanceObserver((list) => told(list.getEntries()
                .reduce((sum, each) => sum + (each.hadRecentInput ? 0 : each.value), 0)))
                .observe({ type: "layout-shift", buffered: true }) || setTimeout(told, 200, 0))"""
            )
        )

    @property
    def overflows(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def check_charts(self) -> None:
        assert self.page.locator("figure h3").all_inner_texts() == CHARTS


@pytest.fixture
def screen(browser: Browser) -> Iterator[Screen]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    yield Screen(context)
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Screen]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True, is_mobile=True
    )
    yield Screen(context)
    context.close()
