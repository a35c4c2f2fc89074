"""Plain Playwright: `python render_playwright.py CHROMIUM FILE [fresh]`; `goto`, `content`, and nothing else.

Each worker keeps its page, which is the fastest way; with `fresh` there is a new page for each URL, as most do it.
"""

from __future__ import annotations

import asyncio
import sys

from playwright.async_api import async_playwright
from rendered import AT_ONCE, given, render_all


async def main() -> None:
    chromium, urls = given()
    fresh = sys.argv[3:] == ["fresh"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        contexts = [await browser.new_context() for _ in range(AT_ONCE)]
        pages = [await context.new_page() for context in contexts]

        async def rendered(number: int, url: str) -> str:
            page = await contexts[number].new_page() if fresh else pages[number]
            await page.goto(url)
            content = await page.content()
            if fresh:
                await page.close()
            return content

        await render_all(urls, rendered)
        await browser.close()


asyncio.run(main())
