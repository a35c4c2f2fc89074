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
