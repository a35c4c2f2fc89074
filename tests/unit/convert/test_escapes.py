"""Backslashes that nobody needs."""

import time

import pytest

from quire.convert.escapes import without_needless


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("snake\\_case\\_name", "snake_case_name"),
        ("- 1\\.0.0 and \\`a\\_b\\`", "- 1.0.0 and \\`a_b\\`"),
        ("a\\_b `c\\_d` e\\_f ``g`\\_h`` i\\_j", "a_b `c\\_d` e_f ``g`\\_h`` i_j"),
        ("a\\_b\n\n```\na\\_b\n```\n\na\\_b", "a_b\n\n```\na\\_b\n```\n\na_b"),
        ("“the \\[British\\] poor” \\[1-3\\]", "“the [British] poor” [1-3]"),
        ("[CTA\\_MODULE] \\[a\\_b\\] `\\[c\\]`", "[CTA_MODULE] [a_b] `\\[c\\]`"),
        ("only \\~2%, \\~$500", "only ~2%, ~$500"),
        ("const char \\* |\n\n3 \\* 4 \\*\n", "const char * |\n\n3 * 4 *\n"),
        ("\\#1\n\n- \\+7\n- \\-30%", "#1\n\n- +7\n- -30%"),
        (r"nc\_\_enddef a\_\_\_b", "nc__enddef a___b"),
        (r"\_\_init\_\_ x\_\_y\_\_", r"\_\_init\_\_ x__y\_\_"),
    ],
)
def test_a_sign_that_means_nothing_there_is_not_escaped(markdown: str, expected: str) -> None:
    """M1"""
    assert without_needless(markdown) == expected


@pytest.mark.parametrize(
    "markdown",
    [
        "\\_\\_init\\_\\_ and x\\_ and \\_y",
        "1\\. no item, 2\\.&#160;",
        "`a\\_b` and ``a`b\\_c`` and the \\` key",
        "a\\\\_b",
        "a\\_b ` c\\_d",
        "\\[a\\](b), \\[a\\]\\[b\\], [text \\[1\\]](b), !\\[a\\], \\[\\[a\\]\\]",
        "\\[a\\]: where a link leads",
        "- \\[x\\] no box\n\n> \\[!NOTE\\]\n\nno footnote\\[^1\\]",
        "\\\\\\[a\\\\\\]",
        "(\\~$1), 5\\~9, \\~~a",
        "\\* a\n- \\* b\n1. \\* c\\*",
        "\\# 1\n\n\\## 2\n\n\\- 3\n\n\\---\n\na\\\\#4\n\n\\+&#160;5",
    ],
)
def test_every_other_backslash_stays(markdown: str) -> None:
    """M1"""
    assert without_needless(markdown) == markdown


@pytest.mark.parametrize(
    "sign", ["a\\_", "`a\\_", "`a`b\\_c", "``a`b\\_c", "\\", "\\_a", "a\\_b\n", "\\[a", "\\[a\\] "]
)
def test_a_million_signs_take_one_look_each(sign: str) -> None:
    """U10"""
    begun = time.process_time()
    without_needless(sign * 1_000_000 + "a\\_b")
    assert time.process_time() - begun < 20
