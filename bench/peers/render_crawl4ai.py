"""crawl4ai with a browser: `python render_crawl4ai.py CHROMIUM FILE`; its defaults, its cache off."""

from __future__ import annotations

import asyncio
import logging

from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig
from rendered import chromium_at_a_port, given, render_all


async def main() -> None:
    logging.disable(logging.CRITICAL)
    chromium, urls = given()
    config = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False, log_console=False)
    with chromium_at_a_port(chromium) as address:
        browser = BrowserConfig(cdp_url=address, create_isolated_context=True, verbose=False)
        async with AsyncWebCrawler(config=browser) as crawler:

            async def rendered(_: int, url: str) -> str:
                return str((await crawler.arun(url, config=config)).html)

            await render_all(urls, rendered)


asyncio.run(main())
