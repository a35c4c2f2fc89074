"""Pages that say the same at many places."""

from __future__ import annotations

import pytest

from quire.filter import copies
from quire.filter.copies import ALIKE, ELSEWHERE, LONG, Copies
from quire.records import Facts

SITE = "https://x.test"


def page(text: int, words: int = LONG, title: str = "") -> Facts:
    return Facts(title=title or f"Title {text}", word_count=words, text_hash=text)


def dead_ends(counted: Copies, *paths: str, facts: Facts) -> int:
    return sum(counted.dead_end(SITE + path, facts) is not None for path in paths)


def words(number: int) -> list[str]:
    return ["".join("abcdefghij"[int(digit)] for digit in f"{each:04}") for each in range(number)]


@pytest.mark.parametrize(
    "shape",
    ["/s/{n}", "/p?sid={n}", "/x/9f{n}a1b2c3d4/y", "{slashes}/about"],
)
def test_copies_at_places_like_the_first_are_soon_too_many(shape: str) -> None:
    """P7"""
    paths = [shape.format(n=number, slashes="/en" * number) for number in range(20)]
    assert dead_ends(Copies(2000), *paths, facts=page(1)) == 20 - 1 - ALIKE


def test_hosts_that_are_the_same_are_no_copies_of_each_other() -> None:
    """P7: somebody may want both"""
    counted = Copies(20)
    hosts = [f"https://mirror-{number}.test/about" for number in range(60)]
    assert [url for url in hosts if counted.dead_end(url, page(1))] == []


def test_copies_at_other_places_have_a_part_of_the_budget() -> None:
    """P7"""
    assert dead_ends(Copies(2000), *(f"/{word}" for word in words(300)), facts=page(1)) == 300 - 1 - 2000 // ELSEWHERE


def test_short_texts_may_come_as_often_as_the_budget_says() -> None:
    """P7"""
    counted = Copies(200)
    facts = page(1, words=LONG - 1)
    assert dead_ends(counted, *(f"/album/{number}" for number in range(201)), facts=facts) == 0
    assert counted.dead_end(f"{SITE}/album/201", facts) == "x.test/... the text of https://x.test/album/0 again"


def test_pages_of_one_shape_may_come_as_often_as_the_budget_says() -> None:
    """P7"""
    counted = Copies(50)
    found = [counted.dead_end(f"{SITE}/{word}", page(number, title="Lost")) for number, word in enumerate(words(60), 1)]
    assert found[:51] == [None] * 51
    assert found[51:] == ["x.test/... pages like each other, titled 'Lost'"] * 9


def test_different_texts_are_never_counted_together() -> None:
    """P7"""
    counted = Copies(10)
    assert not any(counted.dead_end(f"{SITE}/s/{number}", page(number)) for number in range(1, 500))


def test_without_a_budget_or_a_text_nothing_is_counted() -> None:
    """P7"""
    paths = [f"/s/{number}" for number in range(50)]
    assert dead_ends(Copies(0), *paths, facts=page(1)) == 0
    assert dead_ends(Copies(10), *paths, facts=Facts(title="x")) == 0


def test_memory_is_bounded_and_copies_outlive_what_came_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """P7, X1"""
    monkeypatch.setattr(copies, "MOST_TEXTS", 100)
    counted = Copies(2000)
    dead_ends(counted, "/s/1", "/s/2", facts=page(1))
    for number in range(2, 5000):
        counted.dead_end(f"{SITE}/p/{number}", page(number))
        assert len(counted._texts) <= 100
        assert len(counted._shapes) <= 100
    assert dead_ends(counted, *(f"/s/{number}" for number in range(3, 20)), facts=page(1)) == 17 - ALIKE + 1
