"""Which heading is the page's own (M3)."""

from __future__ import annotations

import pytest

from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.headline import headline_of
from quire.extract.page import heading_text

SITE = "<h1>Acme Tools</h1>"


@pytest.mark.parametrize(
    ("title", "html", "heading"),
    [
        ("Install - Acme", "<p>Home</p><h1>Install</h1><h2>Linux</h2>", "Install"),
        ("Installing it on Linux | Acme", f"{SITE}<h2>Installing it on Linux</h2>", "Installing it on Linux"),
        ("Installing it on Linux | Acme", f"{SITE}<h1>Installing it on Linux</h1>", "Installing it on Linux"),
        ("Acme", "<h1>What we do</h1><h2>For you</h2>", "What we do"),
        ("Kettle – Package Notes", "<h1>Kettle</h1><p>It boils water.<h2>Notes</h2>", "Kettle"),
        ("Slices — The Documentation of Acme", "<h1>Slices<a href='#s'>¶</a></h1><h1>More</h1>", "Slices"),
        ("", "<h1>Untitled</h1><p>Text", "Untitled"),
        ("Kettle on Acme", "<div role=heading aria-level=1>Kettle</div><h2>Buy Kettle</h2>", "Kettle"),
        ("Kettle", "<h1> </h1><h1><img src=k.png></h1><h1>Kettle</h1>", "Kettle"),
    ],
)
def test_a_page_has_one_heading_of_its_own(title: str, html: str, heading: str) -> None:
    """M3: what says the title's words comes before the site's name"""
    found = headline_of(content_of(decode(f"<main>{html}</main>".encode(), "text/html")[0], "main"), title)
    assert found is not None
    assert heading_text(found) == heading


@pytest.mark.parametrize(
    ("title", "html"),
    [
        ("News of the week", "<h1>A cat</h1><p>Text<h1>A dog</h1><p>Text"),
        ("Acme", "<h2>For you</h2><h1>Sign up</h1>"),
        ("Kettle on Acme", "<h2>Buy Kettle now</h2><p>Text"),
        ("Kettle", "<p>No heading at all"),
        ("Words", f"<h1>{'Words ' * 100}</h1>"),
    ],
)
def test_what_may_be_a_part_of_the_page_is_not_its_heading(title: str, html: str) -> None:
    """M3: one of several, one below others, or one that is no title by its length"""
    assert headline_of(content_of(decode(f"<main>{html}</main>".encode(), "text/html")[0], "main"), title) is None
