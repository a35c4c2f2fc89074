import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    "html",
    [
        '<i class="fa icon-tip" title="Tip"></i>',
        "<img src=tip.png alt=Tip>",
        "<i></i>",
    ],
)
def test_an_icon_names_its_note(html: str) -> None:
    """M1"""
    note = (
        f"<div class='admonitionblock tip'><table><tr><td class=icon>{html}</td><td class=content>a</td></table></div>"
    )
    assert markdown(note) == "> **Tip**\n>\n> a\n"


def test_a_note_may_have_a_title_beside_its_name() -> None:
    """M1"""
    content = "<div class=title>a</div><div class=paragraph><p>b</p></div>"
    note = f"<table><tr><td class=icon><div class=title>Tip</div><td class=content>{content}</table>"
    assert markdown(f"<div class='admonitionblock tip'>{note}</div>") == "> **Tip**\n>\n> **a**\n>\n> b\n"


def test_explanations_of_code_are_a_list() -> None:
    """M1"""
    rows = "".join(
        f'<tr><td><i class="conum" data-value="{n}"></i><b>{n}</b></td><td>{text}</td></tr>'
        for n, text in ((1, "<code>a</code> b"), (2, "c"))
    )
    assert markdown(f"<div class='colist arabic'><table>{rows}</table></div>") == "1. `a` b\n2. c\n"


def test_another_table_of_that_name_stays_one() -> None:
    """M1"""
    html = "<div class=colist><table><tr><th>a<th>b<tr><td>c<td>d</table></div>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| c | d |\n"


@pytest.mark.parametrize(
    ("checked", "empty"),
    [("<i class='fa fa-check-square-o'></i>", "<i class='fa fa-square-o'></i>"), ("✓", "❏")],
)
def test_boxes_before_items_are_checked_or_not(checked: str, empty: str) -> None:
    """M1"""
    items = f"<li><p>{checked} a</p></li><li><p>{empty} b</p></li><li><p>c</p></li>"
    html = f"<div class='ulist checklist'><ul class=checklist>{items}</ul></div>"
    assert markdown(html) == "- [x] a\n- [ ] b\n- c\n"


def test_names_of_menus_have_an_arrow_between_them() -> None:
    """M1"""
    html = "<p><span class=menuseq><b>File</b>&#160;<i class='fa fa-angle-right caret'></i> <b>Save</b></span>"
    assert markdown(html) == "**File**\u00a0› **Save**\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div class=listingblock><div class=title>a.rb</div><div class=content><pre>b</pre></div></div>",
        "<div class=sidebarblock><div class=content><div class=title>a.rb</div><pre>b</pre></div></div>",
    ],
)
def test_the_title_of_a_block_is_strong(html: str) -> None:
    """M1"""
    assert markdown(html) == "**a.rb**\n\n```\nb\n```\n"
