"""Taking over a mirror whose frontier is gone: `_processed.txt` and the files themselves say what is there (S4, S6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quire import urls
from quire.convert.front_matter import body_hash, split
from quire.errors import UnsafePath
from quire.records import Facts, Link, PageRecord
from quire.schedule.sqlite import SqliteFrontier
from quire.store.files import MirrorFiles
from quire.store.paths import page_path
from quire.store.shelf import folded

_LINK = re.compile(r"\]\(<?(https?://[^)\s>]+)")


async def adopt(
    processed: Sequence[str],
    start: frozenset[int],
    frontier: SqliteFrontier,
    files: MirrorFiles,
    policy: urls.UrlPolicy,
) -> int:
    """Enter processed URLs as saved, with the links their files hold; start URLs are asked again for theirs."""
    adopted = 0
    for url in processed:
        key = urls.fingerprint_of(url, policy)
        if key is None or key in start or frontier.knows(key, secure=True):
            continue
        found = _page_on_disk(url, files)
        frontier.enter(Link(url, key, "processed"), found[0] if found else None)
        links = (urls.resolve(link, url) for link in (found[1] if found else ()))
        await frontier.add(
            Link(link, key, "a", url, 1) for link in links if link and (key := urls.fingerprint_of(link, policy))
        )
        adopted += 1
    return adopted


def _page_on_disk(url: str, files: MirrorFiles) -> tuple[PageRecord, list[str]] | None:
    try:
        path = page_path(url)
        data = files.read(path)
    except UnsafePath:
        return None
    if data is None:
        return None
    fields, body = split(data.decode("utf-8", "replace"))
    facts = Facts(title=fields.get("title"), description=fields.get("description"))
    page = PageRecord(
        path, folded(path), False, len(data), body_hash(body), facts, fetched_at=fields.get("fetched_at", "")
    )
    return page, list(dict.fromkeys(_LINK.findall(body)))
