from __future__ import annotations

from quire.export.comparison import Difference, changed_lines, differences


def test_pages_are_compared_by_url_and_hash() -> None:
    """C6"""
    old, new = {"a": "1", "b": "1", "c": "1"}, {"b": "2", "c": "1", "d": "1"}
    assert list(differences(old, new)) == [
        Difference("removed", "a"),
        Difference("changed", "b"),
        Difference("added", "d"),
    ]


def test_lines_that_differ_have_a_sign() -> None:
    """C6"""
    assert list(changed_lines("a\nb\nc\n", "a\nB\nc\n")) == ["@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]
    assert list(changed_lines("a\n", "a\n")) == []


def test_texts_of_very_many_lines_are_not_compared() -> None:
    """C6: it could take the square of their number"""
    old, new = "a\n" * 6_000, "b\n" * 6_001
    assert list(changed_lines(old, new)) == ["@@ 6000 lines became 6001: too many to compare @@"]
