"""Scrapy, links only: `python scrapy_links.py URL`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import scrapy
from pages import CONCURRENCY, page_links
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

SETTINGS = {
    "CONCURRENT_REQUESTS": CONCURRENCY,
    "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "COOKIES_ENABLED": False,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
}


class Links(scrapy.Spider):
    name = "links"
    start_urls = sys.argv[1:2]

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        self.take(response)
        hrefs = response.css("a::attr(href)").getall()
        yield from map(scrapy.Request, page_links(hrefs, response.url))

    def take(self, response: Response) -> None:
        """Do something with the page."""


def crawl(spider: type[scrapy.Spider]) -> None:
    process = CrawlerProcess(SETTINGS)
    process.crawl(spider)
    process.start()


if __name__ == "__main__":
    crawl(Links)
