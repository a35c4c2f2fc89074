import re
import struct
from typing import TypeGuard

from hypothesis import given, settings
from hypothesis import strategies as st
from turbohtml import Element, Node, Text

from quire.convert.front_matter import body_hash, front_matter, split
from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.links import found_links
from quire.extract.page import facts
from quire.records import Facts
from quire.urls import UrlPolicy, fingerprint_of

URL = "https://example.org/docs/page.html"
TAG_WITH_T = re.compile(r"<t(?:able|body|d|emplate|extarea|foot|h|head|ime|itle|r|rack|t)\b")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")

TAGS = "a b i em sup p div h1 h2 ul ol li pre code table tr td th blockquote br hr img span main nav svg text dl dt dd"
ATTRIBUTES = [
    'href="/x"',
    'href="#y"',
    "href='javascript:z'",
    'href="http://[',
    "src=i.png",
    "colspan=3",
    "rowspan=2",
    "class='language-x headerlink linenos'",
    "data-href=/d",
    "onclick=\"location='/o'\"",
    "role=link",
    "alt='*'",
]
PIECES = st.one_of(
    st.builds("<{} {}>".format, st.sampled_from(TAGS.split()), st.sampled_from(ATTRIBUTES)),
    st.builds("<{}>".format, st.sampled_from(TAGS.split())),
    st.builds("</{}>".format, st.sampled_from(TAGS.split())),
    st.sampled_from(
        ["<script>SECRET()</script>", "<!-- SECRET -->", "<style>SECRET</style>", "\n", " ", "```", "|", "¶"]
    ),
    st.text(max_size=12),
)
PAGES = st.lists(PIECES, max_size=30).map("".join)


@given(st.binary(max_size=300), st.text(max_size=40))
def test_any_bytes_under_any_header_are_a_page(body: bytes, content_type: str) -> None:
    """M2, U10"""
    document, encoding = decode(body, content_type)
    assert document.root is not None
    assert encoding


@given(PAGES, st.sampled_from(["", '<base href="/other/">', '<base href="http://[">']))
def test_links_of_any_page_are_request_urls_with_their_keys(html: str, base: str) -> None:
    """D6, D10, U9, U10"""
    document, _ = decode((base + html).encode(errors="replace"), "text/html; charset=utf-8")
    links = found_links(document, URL, UrlPolicy())
    keys = struct.unpack(f"<{len(links.urls)}q", links.keys)
    assert list(keys) == [fingerprint_of(url, UrlPolicy()) for url in links.urls]
    assert len(set(keys)) == len(keys) == len(links.sources)
    assert fingerprint_of(URL, UrlPolicy()) not in keys
    for url in links.urls:
        assert url.startswith(("http://", "https://"))
        assert "#" not in url


def _is_shown(node: Node) -> TypeGuard[Text]:
    parent = node.parent
    return isinstance(node, Text) and not (isinstance(parent, Element) and parent.tag in ("script", "style"))


@settings(max_examples=300)
@given(PAGES, st.sampled_from(["main", "full", "p, td"]))
def test_markdown_of_any_page_is_clean_text(html: str, part: str) -> None:
    """M1, M3, U10"""
    document, _ = decode(html.encode(errors="replace"), "text/html; charset=utf-8")
    # A quote that is never closed can swallow the opening tag; what was to be a script is text then.
    exposed = any("SECRET" in node.data for node in document.descendants if _is_shown(node))
    content = content_of(document, part)
    assert isinstance(facts(document, URL, content), Facts)
    text = to_markdown(content, URL)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not CONTROL.search(text)
    assert exposed or "SECRET" not in text
    # What no browser knows, `<text>` outside of a drawing, is words in angle brackets that nobody escaped.
    # Tables that Markdown cannot hold are HTML.
    text = re.sub(r"<table>.*?</table>", "", text, flags=re.DOTALL)
    assert not TAG_WITH_T.search(re.sub(r"`[^`]*`|\\<", "", text))


@given(st.lists(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1), min_size=1, max_size=40))
def test_no_word_of_the_content_is_lost(words: list[str]) -> None:
    """M1, M3"""
    document, _ = decode("".join(f"<p>{word}</p>" for word in words).encode(), "text/html; charset=utf-8")
    text = to_markdown(content_of(document, "main"), URL)
    assert [line for line in text.split("\n") if line] == words


TEXT = st.text(max_size=60)


@given(TEXT, st.none() | TEXT, st.none() | TEXT, TEXT)
def test_front_matter_reads_back_as_it_was_written(
    title: str, description: str | None, lastmod: str | None, body: str
) -> None:
    """M5, R7"""
    markdown = body.strip("\n") + "\n"
    block = front_matter(URL, Facts(title=title, description=description), "now", lastmod, body_hash(markdown.encode()))
    fields, rest = split(block + markdown)
    assert rest == markdown
    assert (fields["url"], fields["title"]) == (URL, title)
    assert fields.get("description") == description
    assert fields.get("lastmod") == lastmod
    assert fields["content_hash"] == body_hash(markdown.encode())


@given(st.text(max_size=200))
def test_any_text_can_be_read_as_a_mirror_file(text: str) -> None:
    """M5, U10"""
    fields, body = split(text)
    assert text.endswith(body)
    assert fields or body == text
