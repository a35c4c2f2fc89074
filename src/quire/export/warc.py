"""WARC 1.1: a `conversion` record a page, as the Markdown is made from what a server answered, and not that answer."""

from __future__ import annotations

from io import BytesIO
from typing import BinaryIO, Final

from .pages import About, Pages

_MARKDOWN: Final = "text/markdown; charset=utf-8"
_FILE: Final = "mirror.warc.gz"


def write(pages: Pages, about: About, file: BinaryIO) -> None:
    # Late, as only this format needs it.
    from warcio.warcwriter import WARCWriter

    writer = WARCWriter(file, gzip=True, warc_version="1.1")
    info = {"software": about.generator, "format": "WARC File Format 1.1", "description": " ".join(about.start)}
    writer.write_record(writer.create_warcinfo_record(_FILE, info))
    for page in pages:
        headers = {"WARC-Date": page.fetched_at}
        body = BytesIO(page.markdown.encode(errors="replace"))
        record = writer.create_warc_record(
            page.url, "conversion", payload=body, warc_content_type=_MARKDOWN, warc_headers_dict=headers
        )
        writer.write_record(record)
