"""spider-rs, links only: `python spider_rs_links.py URL`."""

from __future__ import annotations

import asyncio
import sys

from spider_rs import Website


async def main(url: str) -> None:
    website = Website(url).with_delay(0).with_respect_robots_txt(False)
    website.crawl()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
