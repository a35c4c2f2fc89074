"""Request URL, normal form and key of a URL: pure, and nothing raises on any string (U10).

Three different things: the request URL is what the site wrote, resolved (`resolve`); the normal form is stored, shown
and compared (`normalise`); the key is a page's identity (`key`, `fingerprint`). Parsing is WHATWG's, done by ada. Most
links are already in its form: a regular expression and a cache of known origins recognise them, three times faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote

from ada_url import join_url, normalize_url
from msgspec import Struct
from xxhash import xxh3_64_digest

from .url_noise import NOISE

# What WHATWG leaves as it is, apart from dot segments. The host is short, so that the cache of origins stays small.
_CLEAN: Final = re.compile(
    r"((https?)://([a-z0-9._:\[\]-]{1,255}+))"
    r"(/[A-Za-z0-9._~!$&'()*+,;=:@/%-]*+)"
    r"(?:\?([A-Za-z0-9._~!$&()*+,;=:@/?%-]*+))?+"
    r"(?s:\#.*)?+"
).fullmatch
_PERHAPS_A_SLASH: Final = ("\\", "\t", "\n", "\r")
_UPWARDS: Final = re.compile(r"(?:\.\./)++").match
_SCHEME: Final = re.compile(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\t\n\r-]*+):").match
_TABS_AND_NEWLINES: Final = str.maketrans("", "", "\t\n\r")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# Every `%`, except where it begins an escape that is normal already and cannot be an unreserved character.
_ESCAPE: Final = re.compile("%(?![89A-F][0-9A-F])(?:[0-9A-Fa-f]{2})?")
_ESCAPED_TEXT: Final = re.compile("(?:%[89A-F][0-9A-F])+")
_PATH_PARAMETER: Final = re.compile(r";([^;/]*+)")
_ROUTE: Final = "_escaped_fragment_="
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# A `%` that begins no escape is a literal one. Left alone, it could form an escape with what is decoded behind it
# (`%%34%31` -> `%41` -> `A`), and normalising twice would differ from normalising once.
_NORMAL_ESCAPES: Final = {"%": "%25"} | {
    f"%{byte:02X}": chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in range(256)
}


class UrlPolicy(Struct, frozen=True):
    """Which URLs are one page: `query` is meaningful, all or none; `noise` adds parameters (`name` or `name*`)."""

    query: str = "meaningful"
    ignore_case: bool = False
    noise: tuple[str, ...] = ()


def resolve(href: str, base: str) -> str | None:
    """Return the URL to request: absolute http(s), without fragment and credentials, else as the site wrote it (U5)."""
    origin, folder, whole = split_base(base) if base else ("", "", "")
    candidate = joined(href, origin, folder) or href
    if _clean(candidate):
        return candidate.partition("#")[0]
    absolute = _whatwg(href, whole)
    if absolute is None or not absolute.startswith(("http://", "https://")):
        return None
    absolute = absolute.partition("#")[0]
    authority_end = absolute.index("/", 8)
    at = absolute.rfind("@", 0, authority_end)
    return absolute if at < 0 else absolute[: absolute.index("/") + 2] + absolute[at + 1 :]


def joined(href: str, origin: str, folder: str) -> str | None:
    """Return an absolute URL that resolves as the href does; None where that takes more than joining strings."""
    first = href[:1]
    if first == "/":
        if href[1:2] == "/":
            return origin.partition("//")[0] + href
        # A browser takes no notice of a tab or newline: the slash behind it may be the second one.
        return None if href[1:2] in _PERHAPS_A_SLASH else origin + href
    if ":" in href:
        return href if href.startswith(("http://", "https://")) else None
    if first <= " " or first in "?#\\":
        return None
    if first == "." and (upwards := _UPWARDS(href)):
        above = folder.rsplit("/", upwards.end() // len("../") + 1)[0]
        folder = (above if len(above) > len(origin) else origin) + "/"
        href = href[upwards.end() :]
    return folder + href


@lru_cache(maxsize=16)
def split_base(base: str) -> tuple[str, str, str]:
    """Return the origin, the folder and the whole of a base URL, all empty if it is of no use."""
    whole = resolve(base, "")
    if whole is None:
        return "", "", ""
    return whole[: whole.index("/", 8)], whole.partition("?")[0].rpartition("/")[0] + "/", whole


def scheme_of(href: str) -> str | None:
    """Return the scheme an href names itself, in lower case; None for a relative one."""
    match = _SCHEME(href)
    return match[1].translate(_TABS_AND_NEWLINES).lower() if match else None


def normalise(url: str) -> str | None:
    """Return the normal form (U1, U2) of an absolute http(s) URL; None if it is not one."""
    parts = _parts(url)
    if parts is None:
        return None
    scheme, host, path, query = parts
    return f"{scheme}://{host}{path}?{query}" if query else f"{scheme}://{host}{path}"


def shown(url: str) -> str:
    """The URL as people see it: its normal form, or the text itself when it is no URL."""
    whole = normalise(url) or url
    return browser_url(whole) if _ROUTE in whole else whole


def routed(url: str) -> str | None:
    """Return the URL to keep for what a browser shows: a fragment that is a route (`#/about`) becomes its query (D7).

    Fragments are no part of a URL's identity (U1), but routes of an application are pages: they are kept the way that
    search engines used to ask for them, as the parameter `_escaped_fragment_`.
    """
    bare, _, fragment = url.partition("#")
    resolved = resolve(bare, "")
    if resolved is None or not fragment.startswith(("/", "!")) or fragment in ("/", "!", "!/"):
        return resolved
    return f"{resolved}{'&' if '?' in resolved else '?'}{_ROUTE}{quote(fragment, safe='/!:@,;~.-_')}"


def browser_url(url: str) -> str:
    """Return what a browser is to be sent to: the opposite of `routed`."""
    bare, found, fragment = url.partition(_ROUTE)
    return f"{bare[:-1]}#{unquote(fragment)}" if found and bare[-1:] in ("?", "&") else url


def document_url(url: str) -> str:
    """Return the URL of the document that a route is shown in, which its relative links are meant for (U5)."""
    return browser_url(url).partition("#")[0] if _ROUTE in url else url


def is_route(url: str) -> bool:
    """Whether the URL is that of a route behind a fragment."""
    return browser_url(url) is not url


def key(url: str, policy: UrlPolicy) -> str | None:
    """Return what all URLs of one page share (U3, U4); None if this is no absolute http(s) URL."""
    parts = _parts(url)
    if parts is None:
        return None
    _, host, path, query = parts
    if policy.ignore_case:
        path, query = _fold(path), _fold(query)
    if ";" in path and policy.query != "all":
        path = _without_noise(path, policy.noise)
    if query and policy.query != "none":
        pairs = [pair for pair in query.split("&") if pair]
        if policy.query != "all":
            is_noise = _noise_test(policy.noise)
            pairs = [pair for pair in pairs if not is_noise(pair)]
        if pairs:
            return f"{host}{path}?{'&'.join(sorted(pairs))}"
    return host + path


def fingerprint(key: str) -> int:
    """Return the key's xxh3 as a signed 64-bit number, which is what SQLite can index."""
    return int.from_bytes(xxh3_64_digest(key.encode(errors="surrogatepass")), "big", signed=True)


def fingerprint_of(url: str, policy: UrlPolicy) -> int | None:
    """Return the fingerprint of the URL's key; None if it has none."""
    identity = key(url, policy)
    return None if identity is None else fingerprint(identity)


def fingerprint_of_invalid(text: str) -> int:
    """Return the identity of what a page gives for a URL and is none (U10)."""
    return fingerprint("invalid:" + text)


def scheme(url: str) -> str:
    """Return `http` or `https`; empty for anything else."""
    parts = _parts(url)
    return parts[0] if parts else ""


def host(url: str) -> str:
    """Return the host as compared (U6): lower case, punycode, with its port unless that is the default."""
    parts = _parts(url)
    return parts[1] if parts else ""


def path(url: str) -> str:
    """Return the path of the normal form."""
    parts = _parts(url)
    return parts[2] if parts else ""


def query(url: str) -> str:
    """Return the query of a request URL, as it is sent."""
    return url.partition("#")[0].partition("?")[2]


def site_root(url: str) -> str:
    """Return the URL of the root of the site, from which robots.txt and sitemaps are resolved."""
    parts = _parts(url)
    return f"{parts[0]}://{parts[1]}/" if parts else ""


# While a page is dealt with, its URL is looked at many times, and pages of a site have many links in common.
@lru_cache(maxsize=1024)
def _parts(url: str) -> tuple[str, str, str, str] | None:
    """Return scheme, host, path and query of the normal form."""
    clean = _clean(url)
    if clean:
        _, scheme, host, path, query = clean.groups("")
    else:
        requested = resolve(url, "")
        if requested is None:
            return None
        scheme, _, rest = requested.partition("://")
        rest, _, query = rest.partition("?")
        host, _, path = rest.partition("/")
        path = "/" + path
    if "%" in url:
        path, query = _with_normal_escapes(path), _with_normal_escapes(query)
    if path[-1] == "/":
        path = path.rstrip("/") or "/"
    return scheme, host, path, query


def _clean(url: str) -> re.Match[str] | None:
    """Match a URL that WHATWG parsing would leave as it is, but for its fragment."""
    match = _CLEAN(url)
    # A dot segment begins with `.` or `%2e`; a file name that does so only takes the slower way.
    if match and "/." not in url and "/%2" not in url and _is_canonical(match[1]):
        return match
    return None


def _whatwg(href: str, base: str) -> str | None:
    if not href.isascii():
        href = _LONE_SURROGATE.sub("\ufffd", href)
    try:
        return join_url(base, href) if base else normalize_url(href)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _is_canonical(origin: str) -> bool:
    return _whatwg(origin, "") == origin + "/"


def _with_normal_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda escape: _NORMAL_ESCAPES[escape[0].upper()], text)


def _fold(text: str) -> str:
    """Return the text in lower case, escaped letters too; bytes that are no UTF-8 stay as they are."""
    if "%" in text:
        text = _ESCAPED_TEXT.sub(_folded_escapes, text)
    return text.lower()


def _folded_escapes(escapes: re.Match[str]) -> str:
    letters = unquote(escapes[0], errors="surrogateescape").lower()
    return quote(letters, errors="surrogateescape")


def _without_noise(path: str, extra: tuple[str, ...]) -> str:
    is_noise = _noise_test(extra)
    kept = _PATH_PARAMETER.sub(lambda parameter: "" if is_noise(parameter[1]) else parameter[0], path)
    return kept.rstrip("/") or "/"


@lru_cache(maxsize=64)
def _noise_test(extra: tuple[str, ...]) -> Callable[[str], bool]:
    """Return the test whether a `name=value` pair is noise."""
    names = [name.lower() for name in (*NOISE, *extra)]
    exact = frozenset(name for name in names if not name.endswith("*"))
    prefixes = tuple(name[:-1] for name in names if name.endswith("*"))

    def is_noise(pair: str) -> bool:
        name = pair.partition("=")[0]
        if "%" in name:
            name = unquote(name)
        name = name.lower()
        return name in exact or name.startswith(prefixes)

    return is_noise
