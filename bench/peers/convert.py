"""One converter over many pages: `python convert.py NAME ROOT < names`; prints pages a second and characters made.

Pages are read before the clock runs, and one page is converted before it does, so that only conversion counts.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

Convert = Callable[[bytes], str | None]
URL = "http://127.0.0.1/page.html"


def quire() -> Convert:
    return _quire_part("main")


def quire_full() -> Convert:
    return _quire_part("full")


def _quire_part(part: str) -> Convert:
    from quire.convert.markdown import to_markdown
    from quire.extract.content import content_of
    from quire.extract.decode import decode

    return lambda body: to_markdown(content_of(decode(body, "text/html")[0], part), URL)


def quire_worker() -> Convert:
    from quire.orders import Order
    from quire.press.frames import Job
    from quire.worker import PageMaker

    folder = tempfile.TemporaryDirectory(prefix="quire-convert-")
    make = PageMaker(Job(folder.name, "main", True, False, "meaningful", False, ()))
    count = iter(range(10**9))

    def convert(body: bytes, keep: object = folder) -> str:
        made = make(Order(URL, "text/html", body, f"host/{next(count)}/index.md", "2026-01-01T00:00:00Z"))
        return " " * made.size

    return convert


def turbohtml() -> Convert:
    from turbohtml import parse

    return lambda body: parse(body, detect_encoding=True).to_markdown()


def markdownify() -> Convert:
    from markdownify import markdownify

    return lambda body: markdownify(body.decode())


def html2text() -> Convert:
    from html2text import HTML2Text

    return lambda body: HTML2Text(baseurl=URL, bodywidth=0).handle(body.decode())


def trafilatura() -> Convert:
    from trafilatura import extract

    return lambda body: extract(body.decode(), url=URL, output_format="markdown", include_links=True)


def html_to_markdown() -> Convert:
    from html_to_markdown import convert

    return lambda body: convert(body.decode()).content


CONVERTERS = {
    each.__name__: each
    for each in (quire, quire_full, quire_worker, turbohtml, markdownify, html2text, trafilatura, html_to_markdown)
}


def _contents(page: Path) -> bytes:
    data = page.read_bytes()
    return gzip.decompress(data) if page.suffix == ".gz" else data


def main() -> None:
    convert = CONVERTERS[sys.argv[1]]()
    pages = [_contents(Path(sys.argv[2]) / name) for name in sys.stdin.read().splitlines()]
    convert(pages[0])
    begun = time.perf_counter()
    size = sum(len(convert(page) or "") for page in pages)
    print(len(pages) / (time.perf_counter() - begun), size)


if __name__ == "__main__":
    main()
