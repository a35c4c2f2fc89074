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
        "<div class='admonition note'><p class=admonition-title>Größe</p><p>Mind it.</p></div>",
        "<div class='dropdown admonition note'><p class=admonition-title>Größe</p><p>Mind it.</p></div>",
        "<div class='theme-admonition x'><div class=admonitionHeading_x>Größe</div><div>Mind it.</div></div>",
        "<div class=note><h3 class=title>Größe</h3><p>Mind it.</p></div>",
        "<div class='markdown-alert x'><p class=markdown-alert-title>Größe</p><p>Mind it.</p></div>",
        "<aside class=starlight-aside><p class=starlight-aside__title>Größe</p><div>Mind it.</div></aside>",
        "<div class='rp-callout x'><div class=rp-callout__title>Größe</div><div><p>Mind it.</p></div></div>",
        "<div class='hint-container tip'><p class=hint-container-title>Größe</p><p>Mind it.</p></div>",
        "<div class='alert alert-info'><h4 class=alert-heading>Größe</h4><p>Mind it.</p></div>",
        "<div class='tip custom-block'><p class=custom-block-title>Größe</p><p>Mind it.</p></div>",
        "<div class='admonitionblock tip'><table><tr><td class=icon><div class=title>Größe</div>"
        "<td class=content>Mind it.</table></div>",
        "<div class=warning><h3>Größe</h3>Mind it.</div>",
        "<section class=note aria-role=note><h4>Größe</h4><p>Mind it.</p></section>",
        "<div class=important><div class=admonition_header><p><strong>Größe</strong></p></div>"
        "<div class=admonition><div class=para>Mind it.</div></div></div>",
        "<aside class=sidebar><p class=sidebar-title>Größe</p><p>Mind it.</p></aside>",
        "<div class=sidebar><a id=x></a><div class=titlepage><div><p class=title><strong>Größe</strong></p></div></div>"
        "<div class=para>Mind it.</div></div>",
        "<div class=deprecation-block><span class=deprecated-label>Größe</span>\n"
        "<div class=deprecation-comment>Mind it.</div></div>",
        "<div class=main_notification_block><span class=main_block_headline>Größe</span>\n"
        "<div class=main_block_content><p>Mind it.</p></div></div>",
        "<div class=topic><p class=topic-title>Größe</p><p>Mind it.</p></div>",
        "<div class='tsd-alert tsd-alert-tip'><div class=tsd-alert-title><svg></svg><span>Größe</span></div>"
        "<p>Mind it.</p></div>",
        "<div class='rst-admonition rst-note'><p class='rst-admonition-title rst-first'>Größe</p><p>Mind it.</p></div>",
        "<div class='note todo'> <strong>Größe</strong> <div class=inline><p>Mind it.</p></div></div>",
        "<div class=note><table summary=Note><tr><td rowspan=2><img src=x.png alt='[Note]'></td><th>Größe</th></tr>"
        "<tr><td><p>Mind it.</p></td></tr></table></div>",
        "<div class='note note-tip' title=Größe><svg></svg><div class=inner><div><p>Mind it.</p></div></div></div>",
        "<div class=note title=Note><div class=inner><div class='title title-note'><h2><span>Größe</span></h2></div>"
        "<div class=region><p>Mind it.</p></div></div></div>",
    ],
)
def test_a_note_is_a_quotation_with_its_title(html: str) -> None:
    """M1"""
    assert markdown(f"<p>a</p>{html}<p>b</p>") == "a\n\n> **Größe**\n>\n> Mind it.\n\nb\n"


@pytest.mark.parametrize("name", ["alert warning", "WARNING", "rmdwarning"])
def test_a_note_may_have_its_name_in_a_style_sheet(name: str) -> None:
    """M1: pdoc, Org and bookdown"""
    assert markdown(f"<div class='{name}'><p>Mind it.</p></div>") == "> **Warning**\n>\n> Mind it.\n"


@pytest.mark.parametrize("title", ["Tip", "TIP:"])
def test_a_note_may_have_its_class_for_a_title(title: str) -> None:
    """M1: Microsoft's documentation"""
    assert markdown(f"<div class=TIP><p>{title}</p><p>Mind it.</p></div>") == f"> **{title}**\n>\n> Mind it.\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div class=tip><p class=title>x</p></div>",
        "<div class=warning><h3>x</h3></div>",
        "<div class=warning><h3>x</h3><p>y</p><h3>z</h3></div>",
        "<div class=info><h3>x</h3><p>y</p></div>",
        "<div class=tip>x</div>",
        "<div class='note wide'>x</div>",
        "<div class=note> </div>",
        "<div class=note><div>y<h3>x</h3></div></div>",
        f"<div class=note>{'long ' * 500}</div>",
        "<div class=sidebar><p class=title>x</p></div>",
        "<div class=sidebar><p>x</p><p class=sidebar-title>y</p></div>",
        "<div class='topic contents'><p class=topic-title>Contents</p><ul><li>x</ul></div>",
        "<div class=topic><p class=title>x</p><p>y</p></div>",
        "<div class=topic>x</div>",
        "<div class='alert alert-light'>x</div>",
        "<div class='alert alert-info' role=alert>x</div>",
        "<div class='alert alert-info alert-dismissible'>x</div>",
        "<form><div class='alert alert-danger'>x</div></form>",
    ],
)
def test_what_only_bears_the_name_of_a_note_is_none(html: str) -> None:
    """M1"""
    assert ">" not in markdown(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<div class='admonition-a admonition'><p class=admonition-title>A</p><p>b</p></div>",
            "> **A**\n>\n> b\n",
        ),
        ("<details class='tip end'><summary>Tip</summary><p>a</p></details>", "> **Tip**\n>\n> a\n"),
        ("<details class=question><summary>Why?</summary><p>a</p></details>", "> **Why?**\n>\n> a\n"),
        ("<details class='x admonition'><summary>Why?</summary><p>a</p></details>", "> **Why?**\n>\n> a\n"),
        ("<details class=quote><summary>He</summary><p>a</p></details>", "> **He**\n>\n> a\n"),
        ("<details class=quote><summary>Source</summary><pre>a</pre></details>", "Source\n\n```\na\n```\n"),
        ("<details class=abstract><summary>API</summary><h2>a</h2></details>", "API\n\n## a\n"),
        ("<details class=example><p>a</p></details>", "a\n"),
        ("<details class=more><summary>More</summary><p>a</p></details>", "More\n\na\n"),
        ("<div class='admonition note'><p><b>Note: </b>a</p></div>", "> **Note:** a\n"),
        ("<div class=warning><p><strong>Note:</strong> a</p></div>", "> **Note:** a\n"),
        ("<aside class=tip><strong>Tip:</strong><span> a</span></aside>", "> **Tip:** a\n"),
        ("<div class=warning><p>a</p><pre>b</pre></div>", "> a\n>\n> ```\n> b\n> ```\n"),
        ("<div class=note>a <code>b</code></div>", "> a `b`\n"),
        ("<table><tr><th>a<th>b<tr><td>c<td><div class=note>d</div></table>", "| a | b |\n| --- | --- |\n| c | d |\n"),
        ("<div class='alert alert-info'>a</div>", "> a\n"),
        ("<div class='note primary'><p>a</p></div>", "> a\n"),
        ("<div class='note note-danger no-icon'><p>a</p></div>", "> a\n"),
        ("<div class='note blue icon-padding flat'><i class=note-icon></i><p>a</p></div>", "> a\n"),
        ("<div class='alert x' role=alert><p><b>Heads up!</b> a</p></div>", "> **Heads up!** a\n"),
        ("<div class=nextra-callout><div data-pagefind-ignore=all>💡</div><div>a</div></div>", "> a\n"),
        ("<div class=nextra-callout><div data-pagefind-ignore=all>b</div><div>a</div></div>", "> b\n>\n> a\n"),
        ("<div class='notecard note'><p><strong>Note:</strong> a</p></div>", "> **Note:** a\n"),
    ],
)
def test_notes_of_every_make_are_quotations(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
