import hashlib

import pytest

from quire.convert.front_matter import body_hash, front_matter, split
from quire.records import Facts

URL = "https://example.org/a"


def test_the_fields_stand_in_order_and_are_quoted() -> None:
    """M5"""
    facts = Facts(title='A "title": # x', description="Größe – 字", author="Ada Brook")
    assert front_matter(URL, facts, "2026-01-02T03:04:05Z", "2026-01-01", "sha256:00") == (
        "---\n"
        'url: "https://example.org/a"\n'
        'title: "A \\"title\\": # x"\n'
        'description: "Größe – 字"\n'
        'author: "Ada Brook"\n'
        'fetched_at: "2026-01-02T03:04:05Z"\n'
        'lastmod: "2026-01-01"\n'
        'content_hash: "sha256:00"\n'
        "---\n\n"
    )


def test_what_is_not_known_is_left_out_but_for_the_title() -> None:
    """M5"""
    block = front_matter(URL, Facts(), "now", None, "sha256:00")
    assert split(block)[0] == {"url": URL, "title": "", "fetched_at": "now", "content_hash": "sha256:00"}
    assert 'title: "Heading"' in front_matter(URL, Facts(h1="Heading"), "now", None, "")


@pytest.mark.parametrize("title", ["a\nb", "a\r\n---\nb", "\u2028", "\u0085", "\x00", "\ufeff", "\ud800", "---", "\\"])
def test_no_value_can_break_out_of_its_line(title: str) -> None:
    """M5, U10"""
    block = front_matter(URL, Facts(title=title), "now", None, "x")
    assert len(block.splitlines()) == 7
    assert split(block + "body\n") == ({"url": URL, "title": title, "fetched_at": "now", "content_hash": "x"}, "body\n")


def test_the_hash_is_that_of_the_markdown_alone() -> None:
    """R7"""
    body = "# Größe\n"
    hash = "sha256:" + hashlib.sha256(body.encode()).hexdigest()
    assert body_hash(body.encode()) == hash
    assert body_hash(split(front_matter(URL, Facts(title="x"), "now", None, hash) + body)[1].encode()) == hash


@pytest.mark.parametrize(
    "text",
    ["", "# x\n", "---\n", "---\n\ntext\n\n---\n\nmore\n", "---\ntitle\n---\n", "---\n---\n", "x\n---\na: b\n---\n"],
)
def test_text_without_front_matter_is_all_body(text: str) -> None:
    """M5"""
    assert split(text) == ({}, text)


def test_front_matter_of_other_tools_is_read_too() -> None:
    """M5"""
    text = '---\ntitle: Plain: words\nempty:\nbroken: "x\nnumber: 7\n---\nbody\n'
    assert split(text) == ({"title": "Plain: words", "empty": "", "broken": '"x', "number": "7"}, "body\n")
