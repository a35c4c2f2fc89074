"""Pages that say nothing but where they are now: browsers go there, and so does a crawl (D6)."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Document

from quire.targets import PageTargets

_META: Final = 'meta[http-equiv="refresh" i]:not(noscript *)'
TARGET: Final = re.compile(
    r"\s*+[\d.]*+\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+(?:'([^']*+)|\"([^\"]*+)|(.*+))", re.IGNORECASE | re.DOTALL
)
_SOON: Final = re.compile(r"\s*+[01]?+(?:\.\d*+)?+\s*+[;,]")  # seconds
_LONGEST: Final = 300  # characters; what says more is a page


def leads_elsewhere(document: Document, targets: PageTargets) -> str | None:
    """Return where a page sends its readers at once, if it has hardly any words and that is another page."""
    meta = document.select_one(_META)
    content = (meta.attr("content") or "") if meta is not None else ""
    if not _SOON.match(content) or not (match := TARGET.match(content)):
        return None
    target = targets[(match[1] or match[2] or match[3] or "").strip().partition("#")[0]]
    body = document.find("body")
    if target is None or target[1] == targets.own or (body is not None and len(body.text.strip()) > _LONGEST):
        return None
    return target[0]
