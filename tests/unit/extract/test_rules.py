"""Lines across the page."""

import pytest
from turbohtml import parse

from quire.extract.rules import drop_idle_rules


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<hr><p>a</p><hr><p>b</p><hr>", "<p>a</p><hr><p>b</p>"),
        ("<p>a</p><hr><div> <hr></div><hr><p>b</p>", "<p>a</p><hr><div> </div><p>b</p>"),
        ("<p>a</p><hr><img src=x>", '<p>a</p><hr><img src="x">'),
        ("<hr><hr>", ""),
        ("<p>a</p>", "<p>a</p>"),
    ],
)
def test_a_line_that_parts_nothing_goes(html: str, left: str) -> None:
    """M3"""
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    assert drop_idle_rules(body).inner_html == left


def test_many_lines_take_a_few_looks_each() -> None:
    """U10"""
    body = parse(f"<body><p>a</p>{'<div><hr></div>' * 10_000}{'<hr>' * 10_000}<p>b</p>").find("body")
    assert body is not None
    assert len(drop_idle_rules(body).find_all("hr")) < 20_000
