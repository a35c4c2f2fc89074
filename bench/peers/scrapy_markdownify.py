"""Scrapy and markdownify: `python scrapy_markdownify.py URL FOLDER`."""

from __future__ import annotations

import sys

from markdownify import markdownify
from pages import save
from scrapy.http import Response
from scrapy_links import Links, crawl


class Pages(Links):
    def take(self, response: Response) -> None:
        save(sys.argv[2], response.url, markdownify(response.text))


if __name__ == "__main__":
    crawl(Pages)
