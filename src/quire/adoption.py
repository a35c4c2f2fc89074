"""Taking over a mirror whose frontier is gone: `_processed.txt` and the files themselves say what is there (S4, S6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    links: list[Link] = []
    adopted = 0
    for shown in processed:
        url = urls.routed(shown) or shown
        key = urls.fingerprint_of(url, policy)
        if (
            key is None
            or key in start
            or not frontier.enter(Link(url, key, "processed"), page := _page_on_disk(url, files))
        ):
            continue
        adopted += 1
        if page:
            links.extend(_links_in(files.read(page.path or "") or b"", url, policy))
    await frontier.add(links)
    return adopted


def _page_on_disk(url: str, files: MirrorFiles) -> PageRecord | None:
    try:
        path = page_path(url)
        data = files.read(path)
    except UnsafePath:
        return None
    if data is None:
        return None
    fields, body = split(data.decode("utf-8", "replace"))
    facts = Facts(title=fields.get("title"), description=fields.get("description"), author=fields.get("author"))
    fetched_at = fields.get("fetched_at", "")
    return PageRecord(path, folded(path), False, len(data), body_hash(body.encode()), facts, fetched_at=fetched_at)


def _links_in(data: bytes, url: str, policy: urls.UrlPolicy) -> Iterator[Link]:
    """The links that a page's Markdown holds."""
    for target in dict.fromkeys(_LINK.findall(data.decode("utf-8", "replace"))):
        resolved = urls.resolve(target, url)
        key = urls.fingerprint_of(resolved, policy) if resolved else None
        if resolved and key is not None:
            yield Link(resolved, key, "a", url, 1)
