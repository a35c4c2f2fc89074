import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<doc-tabs><doc-tab id=a><template #title>npm</template><p>a</doc-tab>"
            "<doc-tab id=b><template #title>Yarn\n</template><p>b</doc-tab></doc-tabs>",
            "**npm**\n\na\n\n**Yarn**\n\nb\n",
        ),
        ("<doc-panel collapsed><template #title>More</template><p>a</doc-panel>", "**More**\n\na\n"),
        ("<doc-step step-number=1><template #title>Begin</template><p>a</doc-step>", "**1. Begin**\n\na\n"),
        ("<doc-panel><template #title> </template><p>a</doc-panel>", "a\n"),
        ("<doc-panel><template #icon>i</template><p>a</doc-panel>", "a\n"),
        ("<v-card><template #title>More</template><p>a</v-card>", "a\n"),
    ],
)
def test_names_in_templates_stand_above_what_they_name(html: str, expected: str) -> None:
    """M1: Retype"""
    assert markdown(html) == expected


def tabs(*panels: str) -> str:
    contents = "".join(f"<div role=tabpanel {'' if panel else 'hidden'}>{panel}</div>" for panel in panels)
    return f"<div><div role=tablist><button role=tab>npm</button><button role=tab>Yarn</button></div>{contents}</div>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (tabs("<p>a</p>", ""), "**npm**\n\na\n"),
        (tabs("", "<img src=i.png alt=b>"), "**Yarn**\n\n![b](https://e.org/i.png)\n"),
        (tabs(" ", "<p>b</p>"), "**npm**\n\n**Yarn**\n\nb\n"),
    ],
)
def test_hidden_tabs_with_nothing_in_them_leave_no_names(html: str, expected: str) -> None:
    """M1: vocs has only what is shown first"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("panel", "expected"),
    [
        ("<div><div>npm</div><div><p>a</div></div>", "a"),
        ("<div><div>npm or so</div><div><p>a</div></div>", "npm or so\n\na"),
        ("<div><b>npm</b> is a</div>", "**npm** is a"),
        ("<p><b>npm</b> is a</p>", "**npm** is a"),
    ],
)
def test_a_tab_is_named_once(panel: str, expected: str) -> None:
    """M1: vocs has the name above the code too"""
    assert markdown(tabs(panel, "<p>b</p>")) == f"**npm**\n\n{expected}\n\n**Yarn**\n\nb\n"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("<button role=tab>npm</button><button role=tab aria-selected=true>Yarn</button>", "**Yarn**\n\na\n"),
        ("<button role=tab>npm</button><button role=tab>Yarn</button>", "npm Yarn\n\na\n"),
        (
            "<a role=tab href=/npm>npm</a> <a role=tab aria-selected=true href=/>Yarn</a>",
            "[npm](https://e.org/npm) [Yarn](https://e.org/)\n\na\n",
        ),
    ],
)
def test_one_panel_of_several_has_the_name_of_the_tab_that_is_chosen(row: str, expected: str) -> None:
    """M1: fumadocs"""
    assert markdown(f"<div><div role=tablist>{row}</div><div role=tabpanel><p>a</p></div></div>") == expected
