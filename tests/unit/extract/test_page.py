import pytest
from turbohtml import Element

from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.page import facts
from quire.records import Facts

URL = "https://example.org/docs/page.html"


def facts_of(html: str) -> Facts:
    return facts(decode(html.encode(), "text/html; charset=utf-8")[0], URL)


def body_of(html: str) -> list[Element]:
    return content_of(decode(html.encode(), "text/html; charset=utf-8")[0], "full")


def test_a_full_page_tells_all_about_itself() -> None:
    """M4"""
    found = facts_of(
        """<html lang="en-GB"><head><title> A
        page &amp; more </title>
        <meta name="Description" content="What it  is about.">
        <meta property="article:published_time" content="2024-05-06T07:08:09Z">
        <meta property="article:modified_time" content="2024-06-07">
        <meta name="author" content="Ada  Brook">
        <link rel="canonical" href="../page#top"></head>
        <body><h1>Heading</h1><p>Three words here.</p><h2>Second <em>one</em></h2></body>"""
    )
    assert found == Facts(
        title="A page & more",
        h1="Heading",
        description="What it is about.",
        canonical="https://example.org/page",
        language="en-GB",
        published="2024-05-06T07:08:09Z",
        modified="2024-06-07",
        headings=((1, "Heading"), (2, "Second one")),
        author="Ada Brook",
    )


def test_a_bare_page_has_no_facts() -> None:
    """M4"""
    assert facts_of("") == Facts()
    assert facts_of("<frameset><frame src=x></frameset>") == Facts()


def test_social_media_properties_stand_in_for_missing_ones() -> None:
    """M4"""
    found = facts_of('<meta property="og:title" content="T"><meta property="og:description" content="D">')
    assert (found.title, found.description) == ("T", "D")


def test_the_title_is_not_that_of_a_drawing() -> None:
    """M4"""
    assert facts_of("<svg><title>icon</title></svg>").title is None
    assert facts_of("<svg><title>icon</title></svg><title>Page</title>").title == "Page"


@pytest.mark.parametrize(
    ("html", "published", "modified"),
    [
        ('<time datetime="2020-01-02">then</time>', "2020-01-02", None),
        ('<time datetime="2019">x</time><time itemprop=datePublished datetime="2020">y</time>', "2020", None),
        ('<time itemprop="dateModified" datetime="2021"></time>', "2021", "2021"),
        (
            '<script type="application/ld+json">[{"datePublished": "2018", "dateModified": "2022"}]</script>',
            "2018",
            "2022",
        ),
        ('<meta itemprop="datePublished" content="2017"><meta name=date content="2016">', "2017", None),
        ('<script type="application/ld+json">{"datePublished": 2018}</script>', None, None),
        (r'<script type="application/ld+json">{"datePublished": "\ud800 \ud83e\udd80"}</script>', "? 🦀", None),
        ("<time>yesterday</time>", None, None),
    ],
)
def test_dates_come_from_meta_structured_data_and_time(html: str, published: str | None, modified: str | None) -> None:
    """M4"""
    found = facts_of(html)
    assert (found.published, found.modified) == (published, modified)


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Brook"}}', "Ada Brook"),
        (
            '{"@type": ["BlogPosting"], "author": ["Ada Brook", {"name": "Ben Oak"}, {"name": "Ada Brook"}]}',
            "Ada Brook, Ben Oak",
        ),
        (
            '{"@graph": [{"@type": "Article", "author": {"@id": "#1"}}, {"@id": "#1", "name": "Ada"}]}',
            "Ada",
        ),
        ('{"@type": "Product", "review": {"@type": "Review", "author": {"name": "A customer"}}}', None),
        ('{"@type": "Article", "author": {"name": ["odd"]}}', None),
        ('{"@type": "Article", "author": {"@id": ["odd"]}}', None),
    ],
)
def test_the_author_of_structured_data_is_the_texts(html: str, author: str | None) -> None:
    """M4"""
    assert facts_of(f'<script type="application/ld+json">{html}</script>').author == author


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (
            '<meta property="article:author" content="https://social.example/ada"><meta name=DC.creator content=Ada>',
            "Ada",
        ),
        ('<time datetime="2020"></time><a rel="author nofollow" href="/ada">By\nAda Brook</a>', "Ada Brook"),
        ('<time datetime="2020"></time><p itemprop=author><b itemprop=name>Ada</b> wrote</p>', "Ada"),
        ('<time datetime="2020"></time><meta itemprop=author content=Ada>', "Ada"),
        ('<time datetime="2020"></time><a rel=author href="/ada">View all of Ada Brook\'s posts.</a>', "Ada Brook"),
        ('<time datetime="2020"></time><a rel=author href="/ada">View all posts by Ada Brook</a>', "Ada Brook"),
        ('<a rel=author href="/ada">Ada</a>', None),
    ],
)
def test_the_author_comes_from_meta_values_or_the_byline(html: str, author: str | None) -> None:
    """M4"""
    assert facts_of(html).author == author


def test_a_canonical_url_resolves_against_the_base_element() -> None:
    """M4, S9"""
    assert facts_of('<base href="/v2/"><link rel="canonical" href="x">').canonical == "https://example.org/v2/x"
    assert facts_of('<link rel="Canonical shortlink" href="http://[bad">').canonical is None
    assert facts_of('<meta property="og:url" content="/x">').canonical is None


def test_headings_lose_the_sign_of_their_permalink_only() -> None:
    """M4"""
    html = """<h1>Top<a class=headerlink href="#t">¶</a></h1><h2><a href="#c">#</a> C#</h2>
        <h3>F# <a href="#f">#</a></h3><h4>\u200b</h4><h5>A<a href="#x">\u200b</a></h5><h6><a href="#y">#</a></h6>"""
    assert facts_of(html).headings == ((1, "Top"), (2, "C#"), (3, "F#"), (5, "A"))


def test_headings_are_those_of_the_content() -> None:
    """M3, M4"""
    document, _ = decode(b"<h1>Site</h1><nav><h2>Menu</h2></nav><main><h2>Part</h2><p>Just these words.</p></main>", "")
    found = facts(document, URL, content_of(document, "main"))
    assert found.headings == ((2, "Part"),)
    assert found.h1 == "Site"


def test_lengths_are_bounded() -> None:
    """M4, U10"""
    html = f"<title>{'x' * 10**6}</title><meta name=description content='{'y ' * 10**5}'>" + "<h2>h</h2>" * 2000
    found = facts_of(html)
    assert len(found.title or "") == 500
    assert len(found.description or "") <= 2000
    assert len(found.headings) == 500
