"""What pages are known by: one record a page, whichever way it is asked for (U3, U4)."""

from __future__ import annotations

from quire import urls

LONGEST_URL = 2000


def normalized_url(url: str, website_url: str, policy: urls.UrlPolicy) -> str:
    """The URL's key as a URL of the project."""
    normalized = f"{urls.scheme(website_url)}://{urls.key(url, policy) or url}"
    if len(normalized) <= LONGEST_URL:
        return normalized
    return normalized[: LONGEST_URL - 17] + f"~{urls.fingerprint(normalized) & 2**64 - 1:016x}"


def key_of(normalized: str) -> int:
    """The key by which decisions know the page of a record."""
    return urls.fingerprint(normalized.partition("://")[2])
