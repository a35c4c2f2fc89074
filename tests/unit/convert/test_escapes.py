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
    ],
)
def test_every_other_backslash_stays(markdown: str) -> None:
    """M1"""
    assert without_needless(markdown) == markdown


@pytest.mark.parametrize("sign", ["a\\_", "`a\\_", "`a`b\\_c", "``a`b\\_c", "\\", "\\_a", "a\\_b\n"])
def test_a_million_signs_take_one_look_each(sign: str) -> None:
    """U10"""
    begun = time.process_time()
    without_needless(sign * 1_000_000 + "a\\_b")
    assert time.process_time() - begun < 20
