"""spider-rs, links only: `python spider_rs_links.py URL`; it waits for nothing and asks no robots.txt by default."""

from __future__ import annotations

import asyncio
import sys

from spider_rs import Website


async def main(url: str) -> None:
    website = Website(url)
    website.crawl()
    print(len(website.get_links()))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
