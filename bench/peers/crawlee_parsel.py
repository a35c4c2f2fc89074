"""Crawlee's ParselCrawler: `python crawlee_parsel.py URL [FOLDER]`; with a folder, markdownify writes there."""

from __future__ import annotations

import asyncio
import logging
import sys

from crawlee import ConcurrencySettings, service_locator
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient
from pages import CONCURRENCY, page_links, save


async def main(url: str, folder: str | None) -> None:
    logging.disable(logging.CRITICAL)
    service_locator.set_storage_client(MemoryStorageClient())
    crawler = ParselCrawler(
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY // 2, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
        ),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def take(context: ParselCrawlingContext) -> None:
        page = context.request.loaded_url or context.request.url
        if folder:
            from markdownify import markdownify

            save(folder, page, markdownify((await context.http_response.read()).decode()))
        await context.add_requests(sorted(page_links(context.selector.css("a::attr(href)").getall(), page)))

    await crawler.run([url])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
