from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.convert.edges import PRINT, cuts_of, prints_of, restored, shown, without

NAV = '| 4. Roofs | |\n| --- | --- |\n| [Prev](/3 "3. Walls") | [Up](/) | Chapter 4 | [Next](/5 "5. Doors") |'
OTHER_NAV = '| 8. Wells | |\n| --- | --- |\n| [Prev](/7 "7. Barns") | [Up](/) | Chapter 8 | [Next](/9 "9. Lanes") |'
FOOT = "Last updated by the clerk of the parish"


def frame_of(*chunks: str, judged: bool = True) -> frozenset[bytes]:
    """What the pages of a site would have in common if these were on all of them."""
    prints = prints_of("\n\n".join(chunks) + "\n", judged=judged)
    return frozenset(prints[place : place + PRINT] for place in range(0, len(prints), PRINT))


def cut(markdown: str, *frame: str, judged: bool = True) -> list[str]:
    return [each.text for each in cuts_of(markdown, frame_of(*frame, judged=judged), judged=judged)]


def test_a_chunk_that_is_known_is_cut_at_both_ends() -> None:
    page = f"{FOOT}\n\n# Roofs\n\nThatch keeps the rain out.\n\n{FOOT}\n"
    assert cut(page, FOOT) == [FOOT, FOOT]


def test_a_bar_of_links_is_known_by_those_that_all_pages_have() -> None:
    """Its titles are the neighbours', and only the words of the links are the same."""
    page = f"{NAV}\n\n---\n\n# Roofs\n\nThatch keeps the rain out.\n"
    assert cut(page, OTHER_NAV) == [NAV, "---"]


def test_a_label_and_its_value_are_no_bar() -> None:
    page = "Module [barn](/barn)\\\nPackage [barn.roof](/roof)\n\n# Class Thatch\n\nKeeps the rain out.\n"
    assert cut(page, "Module [mill](/mill)\\\nPackage [mill.wheel](/wheel)") == []


def test_icons_are_known_by_their_title_and_pictures_by_their_address() -> None:
    icon = '[](/edit/roofs.md "Edit this page")'
    page = f"{icon}\n\n![](/roof.png)\n\n# Roofs\n\nThatch keeps the rain out.\n"
    assert cut(page, '[](/edit/walls.md "Edit this page")', "![](/wall.png)") == [icon]


def test_nothing_is_cut_behind_the_first_long_text() -> None:
    """What stands amid the content is content, however often a site says it."""
    prose = " ".join(["thatch"] * 30)
    page = f"# Roofs\n\n{prose}\n\n{FOOT}\n\n{prose}\n\n# Doors\n\n{prose}\n"
    assert cut(page, FOOT) == []


def test_a_title_or_a_date_may_stand_before_the_frame() -> None:
    page = f"# Roofs\n\n3 May\n\n{FOOT}\n\nThatch keeps the rain out.\n"
    assert cut(page, FOOT) == [FOOT]


def test_headings_go_only_with_all_that_is_below_them() -> None:
    prose = "Thatch keeps the rain out."
    assert cut(f"# Roofs\n\n{prose}\n\n## Related\n\n{FOOT}\n", "## Related", FOOT) == ["## Related", FOOT]
    assert cut(f"# Roofs\n\n{prose}\n\n## Notes\n\n{FOOT}\n\nMind the cat.\n", "## Notes", FOOT) == [FOOT]
    assert cut(f"## Functions\n\n### thatch()\n\n{prose}\n", "## Functions") == []
    assert cut(f"# Roofs\n\n{prose}\n\n**Returns**\n\nA roof.\n", "**Returns**") == []


def test_code_and_what_is_behind_it_stay() -> None:
    page = f"# Roofs\n\n```\n{FOOT}\n\n{FOOT}\n```\n"
    assert cut(page, FOOT) == []
    assert cut(f"{page}\n{FOOT}\n", FOOT) == [FOOT]
    assert cut(f"<table>\n\n{FOOT}\n\n</table>\n", FOOT) == []


def test_a_page_keeps_more_than_its_headings() -> None:
    assert cut(f"# Roofs\n\n{FOOT}\n", FOOT) == []


def test_where_content_is_marked_only_sentences_and_bars_are_counted() -> None:
    page = f"[Home](/)\n\nHouses\n\n{NAV}\n\n# Roofs\n\nThatch keeps the rain out.\n\n{FOOT}\n"
    assert cut(page, "[Home](/)", "Houses", OTHER_NAV, FOOT, judged=False) == [NAV, FOOT]


@pytest.mark.parametrize(
    "signature",
    [
        "id :: a -> a [Source](/src#id) [#](/a#id)",
        "thatch :: [Int](/int) -> [Int](/int) -> [Int](/int) [Source](/src#thatch)",
        "[Source](/src#id) [Int](/int) id :: a -> a",
    ],
)
def test_a_text_of_its_own_beside_links_that_all_pages_have_is_no_bar(signature: str) -> None:
    """M3"""
    page = f"{signature}\n\nThatch keeps the rain out.\n"
    assert cut(page, "roof :: [Int](/int) [Source](/src#roof) [#](/b#roof)") == []


@pytest.mark.parametrize(
    ("bar", "frame"),
    [
        ("[Home](/) » [Barns](/barns) » Roofs", "[Home](/) » [Barns](/barns) » Walls"),
        (
            "Next: [Doors](/5), Previous: [Walls](/3), Up: [Barns](/) [Contents](/toc) [Index](/index)",
            "Next: [Roofs](/4), Previous: [Floors](/2), Up: [Mills](/mills) [Contents](/toc) [Index](/index)",
        ),
        ("[\u00a0en\u00a0](/en) | [\u00a0fr\u00a0](/fr)", "[en](/en/b) | [fr](/fr/b)"),
        ("[![Up](/up.gif)](/) [![Next](/next.gif)](/5)", "[![Up](/up.gif)](/b) [![Next](/next.gif)](/7)"),
        ('[prev](/3 "The \\"wall\\"") [up](/)', "[prev](/1) [up](/)"),
    ],
)
def test_a_bar_may_have_a_title_words_between_links_or_pictures(bar: str, frame: str) -> None:
    """M3"""
    assert cut(f"{bar}\n\nThatch keeps the rain out.\n", frame) == [bar]


@pytest.mark.parametrize(
    ("chunk", "other"),
    [
        ("[**+**](/plus)", "[#](/b#roof)"),
        ("[![music](/1.png)](/1.ly) [![music](/2.png)](/2.ly)", "[![music](/3.png)](/3.ly) [![music](/4.png)](/4.ly)"),
        (
            "| \u00a0 | \u00a0 | Straw | \u00a0 | \u00a0 |\n| --- | --- | --- | --- | --- |",
            "| \u00a0 | Slate | \u00a0 |\n| --- | --- | --- |",
        ),
    ],
)
def test_symbols_and_the_words_for_pictures_are_no_frame(chunk: str, other: str) -> None:
    """M3"""
    assert cut(f"{chunk}\n\nThatch keeps the rain out.\n", other) == []


def test_a_sites_name_in_a_heading_is_known_where_it_is_no_link() -> None:
    """M3"""
    page = "# Barns 3.2\n\n# Roofs\n\nThatch keeps the rain out.\n"
    assert cut(page, "# [Barns 3.2](/index.html)") == ["# Barns 3.2"]
    assert cut(page.replace("# Roofs\n\n", ""), "# [Barns 3.2](/index.html)") == []


def test_a_sites_name_above_the_pages_own_heading_goes() -> None:
    """M3"""
    assert cut("# Barns\n\n## Roofs\n\nThatch keeps the rain out.\n", "# Barns") == ["# Barns"]
    assert cut("# Barns\n\nOf Kent.\n\n## Roofs\n\nThatch keeps the rain out.\n", "# Barns") == []


def entries(first: int, last: int) -> list[str]:
    return [f"- [Entry {each} of the contents](https://barns.example/{each}.html)" for each in range(first, last)]


def test_a_very_long_list_is_known_by_both_its_ends() -> None:
    """M3"""
    prose = "Thatch keeps the rain out."
    contents, folded = "\n".join(entries(0, 900)), "\n".join(entries(12, 400) + entries(500, 900))
    assert cut(f"# Roofs\n\n{prose}\n\n{folded}\n\n{FOOT}\n", contents, FOOT) == [folded, FOOT]
    longer = "\n".join(entries(0, 900) + entries(2000, 2400))
    assert cut(f"# Roofs\n\n{prose}\n\n{longer}\n\n{FOOT}\n", contents, FOOT) == [FOOT]


def test_a_pages_own_list_of_sections_is_not_known_from_the_contents_of_all() -> None:
    """M3"""
    own = "\n".join(entries(3, 8))
    assert cut(f"# Roofs\n\n{own}\n\nThatch keeps the rain out.\n", "\n".join(entries(0, 900))) == []


def test_what_has_no_words_may_stand_before_the_frame_with_a_title_and_a_date() -> None:
    """M3"""
    prose = " ".join(["thatch"] * 30)
    assert cut(f"![](/roof.png)\n\n# Roofs\n\n---\n\n3 May\n\n{FOOT}\n\n{prose}\n", FOOT) == [FOOT]


def test_a_chunk_is_shown_as_its_words() -> None:
    assert shown(NAV).split() == ["4.", "Roofs", "Prev", "Up", "Chapter", "4", "Next"]
    assert shown("[![Up](/up.gif)](/) [![Next](/next.gif)](/5)") == "Up Next"


@given(st.lists(st.sampled_from(["# A", "## B", FOOT, NAV, "---", "```\ncode\n```", "Thatch."]), max_size=12))
def test_what_was_cut_can_be_put_back(chunks: list[str]) -> None:
    page = "\n\n".join(chunks).strip("\n") + "\n"
    for judged in (True, False):
        cuts = cuts_of(page, frame_of(FOOT, NAV, "## B", judged=judged), judged=judged)
        if cuts:
            assert restored(without(page, cuts), cuts) == page


@pytest.mark.parametrize("text", [r"\[x\](", "[x](<", "![x](<", '[x](y "', "[![x](y)"])
@pytest.mark.parametrize("start", ["", "# "])
def test_what_only_begins_as_links_do_is_looked_at_once(start: str, text: str) -> None:
    """M3"""
    page = f"{start}{text * 50_000}"
    assert prints_of(page, judged=True)
    assert shown(page)
