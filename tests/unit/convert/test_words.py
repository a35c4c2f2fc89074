from __future__ import annotations

import pytest

from quire.convert.words import count_words


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("", 0),
        ("# A heading\n\none two\nthree", 5),
        ("- one\n- **two**\n  1. *well-known*\n\n> quoted\n\n---\n", 5),
        ("| a | b |\n| --- | :-: |\n| c | d e |\n", 5),
        ("[two words](https://example.org/a-b/c.html) naïve", 3),
        ("これは日本語の文章です。", 11),
        ("中文和English混合的一句话，没有空格", 14),
        ("[中文](https://example.org/a/b)", 2),
    ],
)
def test_words_are_counted_and_marks_are_not(markdown: str, words: int) -> None:
    """M4: in scripts without spaces each character counts"""
    assert count_words(markdown.encode()) == words
