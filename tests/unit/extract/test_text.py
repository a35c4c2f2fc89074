from __future__ import annotations

from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.text import text_of


def text(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return text_of(content_of(document, "full"))


def test_text_keeps_blocks_apart_and_leaves_scripts_out() -> None:
    """M4"""
    html = """<p>one</p><p>two <b>th</b>ree</p><ul><li>a<li>b</ul><script>no()</script><style>no</style>
        <table><tr><td>c<td>d</table>"""
    assert text(html).split() == ["one", "two", "three", "a", "b", "c", "d"]


def test_blocks_in_phrases_are_blocks() -> None:
    """M4"""
    html = "<span><h5>Title</h5>Text <a href=x><i><p>one</p>two</i></a></span><b>th<p></p>ree</b>"
    assert text(html).split() == ["Title", "Text", "one", "two", "three"]


def test_a_table_cannot_blow_up_the_text() -> None:
    """M4, U10"""
    html = f"<table><tr><td>{'word ' * 20_000}<td>x{'<tr><td>a<td>b' * 20_000}</table>"
    assert len(text(html)) < 10 * len(html)
    assert len(text(html).split()) == 60_001


def test_lines_of_code_are_lines() -> None:
    """M4"""
    assert text("<pre><div>a = 1</div><div><b>2</b><div>b = 2\n</div></div></pre>").split("\n") == [
        "a = 1",
        "2",
        "b = 2",
    ]
