"""Headers, cookies and passwords go to the origins that they were given for, and nowhere else (E1)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from quire import urls
from quire.errors import UsageError
from quire.settings import Fetch

_NONE: Final[dict[str, str]] = {}


class Secrets:
    """What is sent besides the usual; `trusted` are origins, as `urls.site_root` writes them, with their own password.

    `--auth` comes before a password of one's own.
    """

    def __init__(self, settings: Fetch, trusted: Mapping[str, str]) -> None:
        shared = given_headers(settings)
        passwords = {origin: settings.auth or own for origin, own in trusted.items()}
        self._headers = {origin: shared | _authorization(password) for origin, password in passwords.items()}
        self._cookies = "; ".join(settings.cookie)

    def __bool__(self) -> bool:
        return any(self._headers.values()) or bool(self._headers and self._cookies)

    def headers(self, url: str) -> dict[str, str]:
        """The headers for a URL, cookies aside."""
        return self._headers.get(urls.site_root(url), _NONE)

    def cookies(self, url: str) -> str:
        return self._cookies if self._cookies and urls.site_root(url) in self._headers else ""


def given_headers(settings: Fetch) -> dict[str, str]:
    """The headers that the user names; raise UsageError where something given cannot be sent."""
    headers = {}
    for line in settings.header:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not line.isprintable():
            raise UsageError(f"--header: {line!r} is not of the form 'Name: value'")
        headers[name.strip()] = value.strip()
    for pair in settings.cookie:
        if "=" not in pair or not pair.isprintable():
            raise UsageError(f"--cookie: {pair!r} is not of the form 'name=value'")
    return headers


def _authorization(password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(password.encode()).decode()} if password else {}
