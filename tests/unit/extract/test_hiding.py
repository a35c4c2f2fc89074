"""Pages that ask not to be indexed and not to be followed."""

from __future__ import annotations

import pytest

from quire.extract.hiding import is_hidden


@pytest.mark.parametrize(
    "said",
    ["noindex,nofollow", " NOINDEX , NOFOLLOW ", "none", "max-image-preview:none, nofollow, noarchive, noindex"],
)
def test_noindex_and_nofollow_together_hide_a_page(said: str) -> None:
    """P7"""
    assert is_hidden({"robots": said}, None)
    assert is_hidden({"googlebot": said}, None)
    assert is_hidden({}, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "all",
        "noindex",
        "noindex,follow",
        "nofollow",
        "index,nofollow",
        "max-image-preview:none",
        "notnone",
        "none-x",
    ],
)
def test_anything_less_does_not(said: str) -> None:
    """P7: noindex alone stands on imprints, on further pages of lists, on archives"""
    assert not is_hidden({"robots": said}, None)
    assert not is_hidden({}, said)


def test_what_is_said_to_one_crawler_counts_if_it_is_the_largest() -> None:
    """P7"""
    assert is_hidden({}, "googlebot: noindex, nofollow")
    assert not is_hidden({}, "otherbot: noindex, nofollow")
    assert not is_hidden({"robots": "noindex"}, "otherbot: nofollow")


def test_the_head_of_the_page_and_that_of_the_answer_add_up() -> None:
    """P7"""
    assert is_hidden({"robots": "noindex"}, "nofollow")
