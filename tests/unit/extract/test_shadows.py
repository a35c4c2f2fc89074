"""Shadow trees that a page declares in its HTML."""

from __future__ import annotations

import pytest

from quire.extract.content import content_of
from quire.extract.decode import decode


def shown(html: str) -> str:
    document, _ = decode(f"<body>{html}".encode(), "text/html; charset=utf-8")
    return content_of(document, "full")[0].inner_html


CASES = {
    "in place": ("<x-a><template shadowrootmode=open><h1>A</h1></template></x-a>", "<x-a><h1>A</h1></x-a>"),
    "closed": ("<x-a><template shadowrootmode=closed><b>A</b></template></x-a>", "<x-a><b>A</b></x-a>"),
    "slots": (
        "<x-a><template shadowrootmode=open><slot name=t>T</slot><p><slot>S</slot></p></template>b<i slot=t>a</i>",
        '<x-a><slot name="t"><i slot="t">a</i></slot><p><slot>b</slot></p></x-a>',
    ),
    "what else a slot shows": (
        "<x-a><template shadowrootmode=open><slot name=t>T</slot></template></x-a>",
        '<x-a><slot name="t">T</slot></x-a>',
    ),
    "no slot for it": ("<x-a><template shadowrootmode=open>A</template><i slot=t>b</i></x-a>", "<x-a>A</x-a>"),
    "in each other": (
        "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open><i><slot></slot></i></template>"
        "<slot></slot></x-b></template>a</x-a>",
        "<x-a><x-b><i><slot><slot>a</slot></slot></i></x-b></x-a>",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=CASES)
def test_a_declared_tree_is_read_in_its_place(html: str, expected: str) -> None:
    """D7, M3"""
    assert shown(html) == expected


def test_thousands_of_them_in_each_other_are_read() -> None:
    """U10"""
    assert "deep" in shown("<x-a><template shadowrootmode=open>a<slot></slot>" * 3000 + "deep")
