"""Pages that would take all the memory, or minutes: nothing of them is lost, and none keeps others waiting."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import psutil  # type: ignore[import-untyped]
import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

MEMORY = 300_000_000  # bytes


def markdown(html: str, part: str = "full") -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, part), "https://e.org/")


@contextmanager
def little_memory() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize(
    ("html", "word", "number"),
    [
        ("<p>" + r"\(\frac{a}{b}\) " * 8000, r"$\frac{a}{b}$", 8000),
        ("<dl><dt id=index-x><span class=category>a</span>" + "x<br>" * 8000 + "</dl>", "`x`", 8000),
        ("<table><tr>" + "<td>z" * 8000 + "<tr><td>x<td>y</table>", "z", 8000),
        ("<div class=colist><table>" + "<tr><td>1<td>x" * 8000 + "</table></div>", ". x", 8000),
        ("<table class=menu>" + "<tr><td><a href=x>y</a>" * 8000 + "</table>", "- [y]", 8000),
        ("<table><tr>" + "<td>z" * 80 + "<tr><td colspan=79>z<td>z" * 100 + "</table>", "z", 280),
        ("<frameset>" + "<frame src=x>" * 8000 + "</frameset>", "[x]", 8000),
        ("<div class=line-block>" + "<div class=line>x</div>" * 8000 + "</div>", "x", 8000),
        ("<p>" + ", <code> x  y </code>, <code>a|b" * 30_000, "a|b", 30_000),
    ],
)
def test_many_parts_need_no_more_memory_than_the_page(html: str, word: str, number: int) -> None:
    """M1, P7"""
    with little_memory():
        text = markdown(html)
    assert text.count(word) == number


def test_many_sections_of_sphinx_need_no_more_memory_than_the_page() -> None:
    """M3, P7"""
    sections = "".join(f"<section><h1>T{n}<a class=headerlink href=#x>¶</a></h1></section>" for n in range(8000))
    with little_memory():
        text = markdown(f"<body>{sections}", "main")
    assert text.count("# T") == 8000


@pytest.mark.parametrize("start", ["<h1>", "<p><a href=x>", "<p>"])
def test_a_table_behind_a_long_line_is_not_indented_by_it(start: str) -> None:
    """M1"""
    table = "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>q" + "<tr><td>a<td>b" * 800 + "</table>"
    assert len(markdown(start + "x" * 8000 + table)) < 60_000


@pytest.mark.parametrize(
    "html",
    [
        f"<center>x<br>{'<i></i>' * 20_000}{'<br>' * 20_000}y",
        f"<table><tr><td>a<td>x<br>{'<i></i>' * 20_000}{'<br>' * 20_000}y<tr><td>a<td>b</table>",
        f"<table><tr><td>a<td>x{'<br> ' * 20_000}<tr><td>a<td>b</table>",
        f"<table><tr><td>c<td>{'<hr>' * 20_000}<tr><td>a<td>b</table>",
        f"<table><tr><td><td>{'<hr>' * 20_000}<tr><td>a<td>b</table>",
        f"<p><span>{'<dfn>x</dfn> ' * 20_000}",
        f"<p><span>{'<b>x</b>y' * 20_000}",
        f"<table><tr>{'<td>' * 20_000}{'<tr><td>x' * 20_000}</table>",
        "<h1>T</h1> " * 20_000,
        f"<table><tr><td>a<td><table class=RktBlk>{'<tr><td>line' * 20_000}</table></table>",
        f"<div>{'<a href=#x>Back to top</a>' * 20_000}</div>",
        f"<p>{'<code>a<br>b</code>' * 10_000}",
        f"<div>{'<label><input type=radio>A</label>' * 20_000}</div>",
    ],
)
def test_many_of_a_kind_take_one_look_each(html: str) -> None:
    """M1: with a look at all of them for each, it would be minutes"""
    assert markdown(html)
