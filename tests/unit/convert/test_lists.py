import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><p>a</p><pre>b</pre><li><p>c</ul>", "- a\n\n  ```\n  b\n  ```\n\n- c\n"),
        ("<ul><li><pre>b</pre><p>a</ul><p>c", "- ```\n  b\n  ```\n\n  a\n\nc\n"),
        ("<ol><li><blockquote>b</blockquote><p>a</ol>", "1. > b\n\n   a\n"),
        ("<ul><li><p>a</p><div><div><pre>b</pre></div></div></ul>", "- a\n\n  ```\n  b\n  ```\n"),
        ("<blockquote><ul><li><p>a</p><pre>b</pre></ul></blockquote>", "> - a\n>\n>   ```\n>   b\n>   ```\n"),
    ],
)
def test_a_paragraph_stands_apart_from_the_other_blocks_of_its_item(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>x</p><ul><li>a<blockquote>b</blockquote><li>c</ul>", "x\n\n- a\n  > b\n- c\n"),
        ("<ul><li><h2>a</h2><li><h2>b</h2>c</ul>", "- ## a\n- ## b\n  c\n"),
        ("<ol><li>a<pre>b</pre><li><b>c</b></ol>", "1. a\n   ```\n   b\n   ```\n2. **c**\n"),
        ("<ul><li>\n <b>a</b>\n<pre>x</pre><li>\n <b>b</b><li> c</ul>", "- **a**\n  ```\n  x\n  ```\n- **b**\n- c\n"),
    ],
)
def test_items_without_paragraphs_stay_close(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_a_list_of_sections_is_no_list() -> None:
    """M1"""
    html = "<ul><li><section><h2>a</h2><p>b</section><li><section><h2>c</h2><ul><li>d</ul></section></ul>"
    assert markdown(html) == "## a\n\nb\n\n## c\n\n- d\n"


def test_thousands_of_blocks_in_one_item_are_no_burden() -> None:
    """M1"""
    assert markdown("<ul><li><p>a</p>" + "<pre>b</pre>" * 5000 + "</ul>").count("b") == 5000


def test_an_item_may_end_with_text_behind_its_paragraphs() -> None:
    """M1"""
    html = "<ul><li><h3>A</h3><p>x</p>y</li><li><h3>B</h3><p>x</p>y</li></ul>"
    assert markdown(html) == "- ### A\n\n  x\n\n  y\n\n- ### B\n\n  x\n\n  y\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>\n<div>\n<svg></svg>\n</div><p>a</p><p>b</p></ul>", "- a\n\n  b\n"),
        ("<ul><li><div>&nbsp;</div><p>a</p><li>b</ul>", "- a\n- b\n"),
        ("<ul><li><div> <img src=i.png> </div>a</ul>", "- ![](https://example.org/i.png)\n\n  a\n"),
        ("<ul><li style='list-style-type: none'><ul><li>a<li>b</ul></ul>", "- a\n- b\n"),
        ("<ul><li style='list-style: none'><ul><li>a</ul>b</ul>", "-\n  - a\n\n  b\n"),
        ("<ul><li><ul><li>a</ul></ul>", "-\n  - a\n"),
    ],
)
def test_an_item_begins_with_what_there_is_to_see(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li class=slide><div class=x><picture></picture></div><li>a</ul>", "- a\n"),
        ("<ul><li id=sort><div role=heading><button><span></span></button></div></ul><p>a", "a\n"),
        ("<ul><li class=x><div><div id=later></div></div><li>a</ul>", "- a\n"),
        ("<ul><li class=x><div><img src=i.png></div></ul>", "- ![](https://example.org/i.png)\n"),
        ("<ul><li><div></div><li>a</ul>", "-\n- a\n"),
    ],
)
def test_an_item_that_a_style_makes_and_nothing_fills_is_gone(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_what_holds_the_pages_title_is_no_list() -> None:
    """M1"""
    assert markdown("<ul class=slides><li><div><h1>a</h1></div></li><li>b</li></ul>") == "# a\n\nb\n"
    assert markdown("<ul><li><h1>a</h1></li></ul>") == "- # a\n"


def test_an_item_that_begins_with_many_blocks_of_nothing_is_read_once() -> None:
    """U10"""
    assert markdown(f"<ul><li>{'<div> </div>' * 20_000}a</li></ul>") == "- a\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul>a <li>b</ul>", "a\n\n- b\n"),
        ("<ul><li>a<ul><ul>b<li>c</ul><ul>d <li>e</ul></ul></ul>", "- a\n  - b\n    - c\n  - d\n    - e\n"),
        ("<ul>a <b>c</b></ul>", "a **c**\n"),
    ],
)
def test_words_before_a_lists_items_are_not_of_the_item_before(html: str, expected: str) -> None:
    """M1: Nim's indexes"""
    assert markdown(html) == expected
