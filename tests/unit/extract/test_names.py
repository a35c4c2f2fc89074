from __future__ import annotations

import pytest
from turbohtml import Element, parse

from quire.extract.names import NamedParts, names_in

SELECTORS = (
    ".e-content",
    "body.Page > #Content",
    "main:is(.home,.page)",
    "article > main[data-body]",
    "#content:has(> .inner:not(.outer)) > p",
    "[class*=template-] > .row.wide",
)


def page(html: str) -> tuple[Element, frozenset[str]]:
    document = parse(html)
    body = document.find("body")
    assert body is not None
    return body, names_in(document)


@pytest.mark.parametrize(
    "html",
    [
        "<div class='e-content'>a</div>",
        "<div id=e-content>a</div>",
        "<body class='Page dark'><div id=Content>a</div>",
        "<body class=page><div id=Content>a</div>",
        "<main class=home>a</main><main class=page>b</main><main>c</main>",
        "<article><main data-body>a</main></article>",
        "<div id=content><div class=inner>a</div><p>b</p></div>",
        "<div id=content><div class='inner outer'>a</div><p>b</p></div>",
        "<div class=template-x><div class='wide row'>a</div></div>",
        "<p>nothing",
    ],
)
def test_what_is_looked_for_by_name_is_what_all_selectors_find(html: str) -> None:
    """M3"""
    body, names = page(html)
    assert NamedParts(*SELECTORS).found(body, names) == body.select(",".join(SELECTORS))


def test_what_has_no_name_on_the_page_is_not_looked_for() -> None:
    """M3"""
    body, _ = page("<div class=content>a</div>")
    assert NamedParts(".content").found(body, frozenset()) == []
    assert NamedParts("div").found(body, frozenset()) == [body.find("div")]


def test_names_are_classes_and_ids_in_small_letters() -> None:
    """M3"""
    assert page("<body class='A b'><p id=C></p><p class></p>")[1] == {"a", "b", "c"}
