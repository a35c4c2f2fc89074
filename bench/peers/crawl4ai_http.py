"""crawl4ai by HTTP, no browser: `python crawl4ai_http.py URL FOLDER`; its links, its Markdown, our loop."""

from __future__ import annotations

import asyncio
import logging
import sys

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from pages import CONCURRENCY, page_links, save

TRIES = 3


async def main(start: str, folder: str) -> None:
    logging.disable(logging.CRITICAL)
    config = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False, log_console=False)
    seen, queue = {start}, asyncio.Queue[str]()
    queue.put_nowait(start)

    async def work(crawler: AsyncWebCrawler) -> None:
        while True:
            url = await queue.get()
            for _ in range(TRIES):
                result = await crawler.arun(url, config=config)
                if result.success:
                    break
            if result.success:
                page = result.redirected_url or result.url
                save(folder, page, result.markdown.raw_markdown)
                new = page_links((link["href"] for link in result.links["internal"]), page) - seen
                seen.update(new)
                for url in new:
                    queue.put_nowait(url)
            queue.task_done()

    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy(), verbose=False) as crawler:
        workers = [asyncio.create_task(work(crawler)) for _ in range(CONCURRENCY // 2)]
        await queue.join()
        for worker in workers:
            worker.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
