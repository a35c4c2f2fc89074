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
        "<div class='callout callout-note d-flex'><svg></svg><div class=callout-content><div class=callout-title>"
        "<p>Größe</p> </div><div class=callout-body><p>Mind it.</p></div></div></div>",
        "<div class='callout callout-style-default callout-note callout-titled'><div class='callout-header d-flex'>"
        "<div class=callout-icon-container><i class=callout-icon></i></div>"
        "<div class='callout-title-container flex-fill'><span class=screen-reader-only>Note</span>Größe</div></div>"
        "<div class='callout-body-container callout-body'><p>Mind it.</p></div></div>",
        "<div data-callout=tip class=callout><div class=callout-title><div class=callout-icon><svg></svg></div>"
        "<div class=callout-title-inner>Größe</div></div><div class=callout-content><p>Mind it.</p></div></div>",
        "<div class='flex doc-callout bg-callout-danger-bg' role=alert><div class=ml-4><svg></svg></div>"
        "<div class=pr-5><h5>Größe</h5><p>Mind it.</p></div></div>",
        "<div class='dumi-default-container markdown' data-type=warning><svg></svg><h4>Größe</h4>"
        "<section><p>Mind it.</p></section></div>",
        "<div class=flex style='--callout-color:red'><div role=none class='w-0.5 bg-(--callout-color)/50'></div>"
        "<svg></svg><div class='flex'><p class='font-medium my-0!'>Größe</p>"
        "<div class=prose-no-margin><p>Mind it.</p></div></div></div>",
        "<aside class='vocs_Aside vocs_Callout vocs_Callout_tip'><div class=vocs_Callout_icon><svg></svg></div>"
        "<div class=vocs_Callout_content><strong data-callout-title=true>Größe</strong><p>Mind it.</p></div></aside>",
        "<div class=notice--warning><h4 id=x>Größe</h4><p>Mind it.</p></div>",
    ],
)
def test_a_callout_is_a_quotation_with_its_title(html: str) -> None:
    """M1: Doks, Quarto, Obsidian Publish, Retype, dumi, fumadocs, vocs and minimal-mistakes"""
    assert markdown(f"<p>a</p>{html}<p>b</p>") == "a\n\n> **Größe**\n>\n> Mind it.\n\nb\n"


@pytest.mark.parametrize(
    "html",
    [
        "<aside class='vocs_Aside vocs_Callout vocs_Callout_danger'><div class=vocs_Callout_icon><svg></svg></div>"
        "<div class=vocs_Callout_content><p>Mind it.</p></div></aside>",
        "<div class='doc-callout bg-callout-danger-bg' role=alert><div><p>Mind it.</p></div></div>",
        "<div class='callout callout-style-simple callout-danger'><div class='callout-body d-flex'>"
        "<div class=callout-body-container><p>Mind it.</p></div></div></div>",
    ],
)
def test_a_callout_without_a_title_has_its_kind(html: str) -> None:
    """M1: vocs, Retype and Quarto"""
    assert markdown(html) == "> **Danger**\n>\n> Mind it.\n"


@pytest.mark.parametrize(
    "html",
    [
        "<aside class=notice>Mind <b>it</b>.</aside>",
        "<aside class=success>Mind <b>it</b>.</aside>",
        "<div class=notice--info><p>Mind <b>it</b>.</p></div>",
        "<p class=notice--info>Mind <b>it</b>.</p>",
        "<blockquote><p class=notice--info>Mind <b>it</b>.</p></blockquote>",
    ],
)
def test_a_callout_may_have_no_title(html: str) -> None:
    """M1: Slate and minimal-mistakes"""
    assert markdown(html) == "> Mind **it**.\n"


@pytest.mark.parametrize("kind", ["base", "danger"])
def test_a_callout_says_its_kind_once(kind: str) -> None:
    """M1"""
    html = f"<div class='doc-callout bg-callout-{kind}-bg' role=alert><p>Danger is near.</p></div>"
    assert markdown(html) == "> Danger is near.\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div class=callout>x</div>",
        "<div class=callout><h4>x</h4><p>y</p></div>",
        "<div class=callout-color role=none>x</div>",
        "<div class='doc-callout'><svg></svg></div>",
        "<div class=notice>x</div>",
        "<aside class='notice wide'>x</aside>",
        "<table><tr><td><p class=notice--info>x</p></td></tr></table>",
    ],
)
def test_another_callout_is_not_quoted(html: str) -> None:
    """M1"""
    assert ">" not in markdown(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<blockquote class=note-title><p>Größe</p><p>Mind it.</p></blockquote>", "> **Größe**\n>\n> Mind it.\n"),
        ("<blockquote class=note-title><p>Größe</p></blockquote>", "> Größe\n"),
        ("<blockquote class=note><p>Größe</p><p>Mind it.</p></blockquote>", "> Größe\n>\n> Mind it.\n"),
    ],
)
def test_a_quotation_may_begin_with_a_title(html: str, expected: str) -> None:
    """M1: Just the Docs"""
    assert markdown(html) == expected
