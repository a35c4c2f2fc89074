import pytest
from turbohtml import Document

from quire.extract.content import content_of, valid_selector
from quire.extract.decode import decode

PROSE = "<p>" + "Some sentence of the text that a reader came for. " * 5 + "</p>"
NAVIGATION = "<nav>" + "<a href=/x>Elsewhere</a> " * 10 + "</nav>"


def page(html: str) -> Document:
    return decode(html.encode(), "text/html; charset=utf-8")[0]


def kept(html: str, part: str = "main") -> str:
    return " ".join(element.text for element in content_of(page(html), part))


@pytest.mark.parametrize(
    "opening",
    [
        "<main>",
        "<div role=main>",
        "<article>",
        "<div id=content>",
        "<div id=main-content>",
        "<div class='x markdown-body'>",
        "<div class=body>",
        "<div class=document>",
    ],
)
def test_the_pages_own_landmark_is_its_content(opening: str) -> None:
    """M3"""
    tag = opening[1:].partition(" ")[0].strip(">")
    text = kept(f"<header>Logo</header>{NAVIGATION}{opening}{PROSE}</{tag}><div>Sidebar</div><footer>Foot</footer>")
    assert text.startswith("Some sentence")
    assert "Sidebar" not in text
    assert "Elsewhere" not in text


def test_a_main_element_counts_before_an_article() -> None:
    """M3"""
    assert "Intro" in kept(f"<main>Intro<article>{PROSE}</article></main>")


def test_nested_landmarks_are_one() -> None:
    """M3"""
    assert "Sidebar" not in kept(f"<div>Sidebar</div><main><main>{PROSE}</main></main>")


def test_of_several_landmarks_none_is_chosen() -> None:
    """M3"""
    text = kept(f"<article>{PROSE}first</article><article>{PROSE}second</article>{NAVIGATION}")
    assert "first" in text
    assert "second" in text
    assert "Elsewhere" not in text


@pytest.mark.parametrize(
    "landmark", ["<main></main>", "<main>Hello.</main>", "<main><script>let x = 1</script></main>"]
)
def test_a_landmark_without_a_fair_share_of_the_text_is_not_the_content(landmark: str) -> None:
    """M3"""
    assert "came for" in kept(f"{landmark}<div>{PROSE}</div>")


def test_scripts_do_not_count_as_text() -> None:
    """M3"""
    text = kept(f"<div>Sidebar</div><main>{PROSE}</main><script>{'data' * 10_000}</script>")
    assert "Sidebar" not in text


def test_a_short_main_beside_long_navigation_is_still_the_content() -> None:
    """M3"""
    assert kept(f"{NAVIGATION * 20}<main><p>Gone. See the new page.</p></main>") == "Gone. See the new page."


def test_content_named_inside_a_sidebar_is_not_the_pages() -> None:
    """M3"""
    assert "came for" in kept(f"<aside><div class=content>{PROSE[:150]}</div></aside><div>{PROSE}</div>")


def test_without_a_landmark_what_surrounds_content_goes() -> None:
    """M3"""
    text = kept(
        f"<header>Logo</header>{NAVIGATION}<div role=search>Find</div>{PROSE}<section><header>Part</header>x</section>"
        "<aside>Also read</aside><footer>Imprint</footer>"
    )
    for gone in ("Logo", "Elsewhere", "Find", "Also read", "Imprint"):
        assert gone not in text
    assert "came for" in text
    assert "Part" in text


def test_a_header_with_the_pages_heading_stays() -> None:
    """M3"""
    assert "Heading" in kept(f"<header><h1>Heading</h1></header>{PROSE}{NAVIGATION}")


def test_where_little_would_be_left_the_whole_body_is_kept() -> None:
    """M3"""
    assert "Elsewhere" in kept(f"<p>Hello.</p>{NAVIGATION}")
    assert "Elsewhere" in kept(f"{NAVIGATION * 30}")
    assert "only" in kept("<footer>only words</footer>")


def test_choosing_content_changes_nothing_in_the_page() -> None:
    """M3, D6"""
    document = page(f"{NAVIGATION}{PROSE}<footer>Foot</footer>")
    before = document.html
    content_of(document, "main")
    assert document.html == before


def test_full_is_the_whole_body() -> None:
    """M3"""
    assert kept(f"{NAVIGATION}<main>{PROSE}</main>", "full").startswith("Elsewhere")


def test_a_selector_keeps_all_its_matches_once_and_in_order() -> None:
    """M3"""
    html = "<p class=x>1</p><div class=x>2<p class=x>3</p></div><p>4</p><p class=x>5</p>"
    assert kept(html, ".x") == "1 23 5"
    assert kept(html, "body") == "12345"


def test_a_selector_without_a_match_keeps_the_body() -> None:
    """M3"""
    assert kept("<p>text</p>", "#nothing") == "text"


@pytest.mark.parametrize("html", ["", "<frameset><frame src=x></frameset>", "<head></head>"])
def test_a_page_without_a_body_has_some_content_element(html: str) -> None:
    """M3, U10"""
    for part in ("main", "full", "p"):
        assert len(content_of(page(html), part)) == 1


def test_a_selector_is_checked_before_use() -> None:
    """M3, C10"""
    assert valid_selector("main > .content, #x:not(.y)") is None
    assert "a[" in (valid_selector("a[") or "")
    assert valid_selector("") is not None
