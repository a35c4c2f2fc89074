"""Scrapy and html2text: `python scrapy_html2text.py URL FOLDER`."""

from __future__ import annotations

import sys

from html2text import HTML2Text
from pages import save
from scrapy.http import Response
from scrapy_links import Links, crawl


class Pages(Links):
    def take(self, response: Response) -> None:
        save(sys.argv[2], response.url, HTML2Text(baseurl=response.url, bodywidth=0).handle(response.text))


if __name__ == "__main__":
    crawl(Pages)
