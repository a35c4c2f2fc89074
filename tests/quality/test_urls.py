"""Agreement with four public collections of URL cases; every difference is ruled by the contract.

A case agrees when the answers are equal as they stand. Otherwise the rulings of its table are applied to the expected
answer, in order, until it equals ours; a case that no ruling explains fails the test. The floors may only rise.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote_to_bytes, urljoin, urlunparse

import ada_url
import pytest

from quire import urls
from quire.urls import UrlPolicy

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data folder is not there")

WEB = re.compile(r"[\x00-\x20]*https?:", re.IGNORECASE)
TABS_AND_NEWLINES = re.compile("[\t\n\r]")
EVERY_PARAMETER = UrlPolicy(query="all")


class Case(NamedTuple):
    input: str
    base: str
    options: dict[str, Any]
    expected: str | None


Ruling = tuple[str, Callable[[Case, str, str | None], str | None]]


def only_web_urls(case: Case, expected: str, ours: str | None) -> str | None:
    return expected if WEB.match(expected) else None


def only_absolute_web_urls(case: Case, expected: str, ours: str | None) -> str | None:
    return expected if WEB.match(TABS_AND_NEWLINES.sub("", case.input)) else None


def no_fragment(case: Case, expected: str, ours: str | None) -> str:
    return expected.partition("#")[0]


def no_credentials(case: Case, expected: str, ours: str | None) -> str:
    return re.sub("//[^/?#]*@", "//", expected)


def root_path(case: Case, expected: str, ours: str | None) -> str:
    return re.sub("^(https?://[^/?#]+)(?![^?])", r"\1/", expected)


def no_trailing_slash(case: Case, expected: str, ours: str | None) -> str:
    return re.sub(r"(?<=[^/:])/(?=\?|$)", "", expected)


def dots_resolved(case: Case, expected: str, ours: str | None) -> str:
    return re.sub("^(https?://[^/]+)(/[^?]*)", lambda url: urljoin(url[1], url[2]), expected)


def no_default_port(case: Case, expected: str, ours: str | None) -> str:
    return re.sub("^(http://[^/]+(?=:80/)|https://[^/]+(?=:443/)):[0-9]+", r"\1", expected)


def host_as_written(case: Case, expected: str, ours: str | None) -> str:
    return (
        re.sub("^(https?://[^/:]+)", r"\1.", expected) if re.match(r"https?://[^/:]+\.[/:]", case.input) else expected
    )


def idna_of_whatwg(case: Case, expected: str, ours: str | None) -> str:
    return re.sub("(?<=//)[^/]+", lambda host: ada_url.idna.encode(host[0]).decode(), expected)


def same_bytes(case: Case, expected: str, ours: str | None) -> str | None:
    return ours if ours and unquote_to_bytes(ours) == unquote_to_bytes(expected) else expected


def same_pairs(case: Case, expected: str, ours: str | None) -> str | None:
    def pairs(url: str) -> tuple[str, list[tuple[str, str]]]:
        return url.partition("?")[0], sorted(parse_qsl(url.partition("?")[2], keep_blank_values=True))

    return ours if ours and pairs(ours) == pairs(expected) else expected


def option(*names: str) -> Callable[[Case, str, str | None], str | None]:
    """Accept our answer where the case asks for something Quire has no switch for."""
    return lambda case, expected, ours: ours if set(names) & set(case.options) else expected


def judged(*inputs: str) -> Callable[[Case, str, str | None], str | None]:
    """Accept our answer for inputs that were looked at one by one."""
    return lambda case, expected, ours: ours if case.input in inputs else expected


RESOLVED: tuple[Ruling, ...] = (
    ("U9: other schemes are not followed", only_web_urls),
    ("U5: the request URL has no fragment", no_fragment),
    ("E1: a link hands no credentials to a server", no_credentials),
    ("U1: an empty path becomes /", root_path),
    ("U1: dot segments are resolved, in an absolute href too", dots_resolved),
    ("U5: WHATWG reads http:g as g on an http page, which RFC 3986 5.4.2 allows", judged("http:g")),
    ("U10: http:/// has no host", judged("..")),
)
REQUESTED: tuple[Ruling, ...] = (
    ("U5: a URL without a base is absolute http(s)", only_absolute_web_urls),
    ("U5: the request URL has no fragment", no_fragment),
    ("E1: a link hands no credentials to a server", no_credentials),
    ("U1: an empty path becomes /", root_path),
    ("U1: dot segments are resolved", dots_resolved),
    ("U1: the default port is dropped", no_default_port),
    ("U5: as the site wrote it: WHATWG escapes fewer characters", same_bytes),
    ("U1: IDNA as WHATWG has it, without limits of length", idna_of_whatwg),
    ("U1: UTF-8, whatever the page's encoding", option("encoding", "path_encoding", "args")),
    ("U10: what stands in brackets is an IPv6 address", judged("http://[v6a.ip]")),
)
KEYED: tuple[Ruling, ...] = (
    ("U1: a normal form is absolute http(s)", only_absolute_web_urls),
    ("U1: the fragment is dropped", no_fragment),
    ("E1: credentials are no part of a URL that is kept", no_credentials),
    ("U1: the trailing slash is dropped", no_trailing_slash),
    ("U3: parameters are compared as sent: a is not a=, + is not %20", same_pairs),
    ("U1: only unreserved characters are decoded", same_bytes),
    ("U1: IDNA as WHATWG has it, without limits of length", idna_of_whatwg),
    ("U1: UTF-8, whatever the page's encoding", option("encoding")),
    ("U3: & alone separates, blank values count", option("query_separator", "keep_blank_values")),
)
NORMAL: tuple[Ruling, ...] = (
    ("U1: a normal form is absolute http(s), never guessed from less", only_absolute_web_urls),
    ("U3: the list names noise, not meaning; it shapes the key, not the normal form", option("filter_params")),
    ("U1: the fragment is dropped, #! too", judged("http://example.com/#!5753509/hello-world")),
    ("U1: the fragment is dropped", no_fragment),
    ("E1: credentials are no part of a URL that is kept", no_credentials),
    ("U6: hosts are equal or not: example.com. is not example.com", host_as_written),
    ("U1: escapes are bytes: not repaired", judged("http://example.com/?q=%C7")),
    ("U1: escapes are bytes: no Unicode normalisation", judged("http://example.com/?q=C%CC%A7")),
)


def as_text(value: Any) -> str | None:
    """Return an input as a str; None for numbers and for bytes that are no text."""
    if isinstance(value, dict):
        try:
            return str(value["bytes_latin1"]).encode("latin-1").decode()
        except UnicodeDecodeError:
            return None
    if isinstance(value, list):
        return urlunparse([str(part) for part in value])
    return value if isinstance(value, str) else None


def cases(name: str) -> Iterator[Case]:
    with (DATA / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            text = as_text(row["input"])
            if text is not None:
                yield Case(text, row.get("base") or "", row.get("options") or {}, row["expected"])


def resolved(case: Case) -> str | None:
    return urls.resolve(case.input, case.base)


def keyed(case: Case) -> str | None:
    key = urls.key(case.input, EVERY_PARAMETER)
    return None if key is None else f"{urls.scheme(case.input)}://{key}"


def explanation(case: Case, ours: str | None, rulings: tuple[Ruling, ...]) -> tuple[str, ...] | None:
    """Return the rulings that turn the expected answer into ours; None if they do not."""
    expected, applied = case.expected, []
    for ruling, apply in rulings:
        if expected == ours or expected is None:
            break
        before, expected = expected, apply(case, expected, ours)
        if expected != before:
            applied.append(ruling)
    return tuple(applied) if expected == ours else None


@pytest.mark.parametrize(
    ("name", "ours", "rulings", "floor"),
    [
        ("url-wpt/cases", resolved, RESOLVED, 456),
        ("url-rfc3986/cases", resolved, RESOLVED, 33),
        ("url-rfc3986/cpython-urljoin", resolved, RESOLVED, 120),
        ("url-w3lib/safe_url_string", resolved, REQUESTED, 142),
        ("url-w3lib/cases", keyed, KEYED, 61),
        ("url-normalize-py/cases", lambda case: urls.normalise(case.input), NORMAL, 33),
    ],
)
def test_every_difference_is_ruled_by_the_contract(
    name: str, ours: Callable[[Case], str | None], rulings: tuple[Ruling, ...], floor: int
) -> None:
    """U1, U2, U3, U5, U6, U9, U10"""
    explained: Counter[str] = Counter()
    unexplained = []
    agreed = 0
    for case in cases(name):
        answer = ours(case)
        why = explanation(case, answer, rulings)
        if why is None:
            unexplained.append((case, answer))
        agreed += why == ()
        explained.update(why or ())
    print(f"{name}: {agreed} agree", *(f"{count:5} {ruling}" for ruling, count in explained.items()), sep="\n")
    assert unexplained == []
    assert agreed >= floor


@pytest.mark.parametrize(("name", "floor"), [("toascii", 87), ("idna-v2", 2670)])
def test_hosts_become_punycode_as_in_browsers(name: str, floor: int) -> None:
    """U1: the one difference is the empty host, which a URL cannot have."""
    found = [(case, urls.host(f"https://{case.input}/x")) for case in cases(f"url-wpt/{name}")]
    assert [case for case, host in found if host != (case.expected or "") and case.input] == []
    assert sum(host == (case.expected or "") for case, host in found) >= floor


def test_queries_are_escaped_as_utf_8() -> None:
    """U5"""
    with (DATA / "url-wpt" / "query-percent-encoding.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    assert len(rows) >= 7
    for row in rows:
        url = urls.resolve("http://example.com/?" + row["input"], "")
        assert url is not None
        assert urls.query(url) == row["expected"]["utf-8"]


def test_parameters_named_by_w3lib_can_be_removed() -> None:
    """U3: of `url_query_cleaner`, Quire has the half that removes; keys are sorted."""
    compared = 0
    for case in cases("url-w3lib/url_query_cleaner"):
        if case.options.get("remove"):
            key = urls.key(f"http://h/{case.input}", UrlPolicy(noise=tuple(case.options["args"][0])))
            assert key == f"h/{case.expected}"
            compared += 1
    assert compared >= 5
