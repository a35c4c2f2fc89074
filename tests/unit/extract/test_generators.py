from __future__ import annotations

import pytest

from quire.extract.content import choose
from quire.extract.decode import decode

TEXT = "<p> Thatch keeps the rain out of the barn.</p>"
MENU = "<div><nav><input></nav><form><a href=/>Home</a></form></div>"


def chosen(body: str, *, attributes: str = "") -> tuple[str, bool]:
    html = f"<!doctype html><title>T</title><body {attributes}>{body}</body>"
    content = choose(decode(html.encode(), "text/html; charset=utf-8")[0], "main")
    return " ".join(" ".join(element.text for element in content.elements).split()), content.judged


@pytest.mark.parametrize(
    "page",
    [
        f"<main>{MENU}<article class=bd-article><h1>Roofs</h1>{TEXT}</article><footer>Foot</footer></main>",
        f"<main>{MENU}<article class='md-content__inner md-typeset'><a class=md-content__button>Edit</a>"
        f"<h1>Roofs</h1>{TEXT}</article></main>",
        f"<main>{MENU}<article><div class='theme-doc-markdown markdown'><header><h1>Roofs</h1></header>{TEXT}</div>"
        "<footer>Edit this page</footer></article></main>",
        f"<main>{MENU}<article><header><h1>Roofs</h1><time>3 May</time></header><div class=markdown>{TEXT}"
        "</div></article></main>",
        f"<main>{MENU}<section id=main-content class=content><h1>Roofs</h1>{TEXT}</section></main>",
        f"<main id=content class=mw-body><h1>Roofs</h1><div id=siteSub>From Barns</div>{TEXT}"
        "<div class=printfooter>Retrieved from</div></main>",
        "<main id=content class=mw-body><header><label class='x mw-checkbox-hack-button'>Contents</label><h1>Roofs"
        f"</h1></header><div class=minerva__tab-container><a href=x>Talk</a></div>{TEXT}</main>",
        f"<div>{MENU}</div><article class='markdown-body entry-content'><h1>Roofs</h1>{TEXT}</article>",
        f"<div class=navheader>Prev Next</div><div class=sect1><h1>Roofs</h1>{TEXT}</div><div class=navfooter>Up</div>",
        f"<table class=navigation><tr><td>Home</table><div class=refentry><h1>Roofs</h1>{TEXT}</div>"
        "<div class=footer>Generated</div>",
        f"<div class=header>{MENU}<div class='content mainContent'><div class=sidebar>In it</div><h1>Roofs</h1>{TEXT}"
        "</div></div><div class=footer>Rights</div>",
        f"{MENU}<div id=page-content><div id=preamble><h1>Roofs</h1></div><div id=quickview>Topics</div>"
        f"<div class=top>top</div><div class=section>{TEXT}</div></div>",
        f"<div class=tocset>{MENU}</div><div class=maincolumn><div class=main><div class=navsettop>prev</div>"
        f"<h1>Roofs</h1>{TEXT}</div></div>",
        f"{MENU}<div id=content><div id=module-header>Roofs</div><div id=synopsis>f</div><div>{TEXT}</div></div>",
        f"{MENU}<div id=content><div class=innertube><h1>Roofs</h1>{TEXT}</div><div class=footer>Rights</div></div>",
        f"<div id=main><table class=nav_table><tr><td>Up</table><h1>Roofs</h1>{TEXT}</div><div id=toc>{MENU}</div>",
        "<div class=top><div class=header><p>Next: <a href=x rel=next accesskey=n>Walls</a></p></div><hr>"
        f"<h1>Roofs</h1>{TEXT}</div><hr><div class=header><p><a href=x rel=index>Index</a></p></div>",
        f"<p id=title>Barns</p><ul class='docnav top'><li>Prev</ul><div class=section><h1>Roofs</h1>{TEXT}</div>",
        f"<div class=navigate><a class=nav href=x>Home</a></div><h1>Roofs</h1>{TEXT}",
        f"<div class=navigation><a name=tex2html1 href=x>next</a></div><h1>Roofs</h1>{TEXT}",
        f"<div id=hd><h1>Barns</h1>{MENU}</div><div class=section><h1>Roofs<a class=headerlink href=#r></a></h1>{TEXT}"
        f"</div><div id=sidebar>{MENU}</div>",
        f"<header><h1>Barns</h1>{MENU}</header><div id=apicontent><h2>Roofs</h2>{TEXT}</div>",
        f"<div id=top>Barns</div><div id=doc-content><div><div class=headertitle>Roofs</div>{TEXT}</div></div>"
        "<div id=nav-path>Generated</div>",
        f"<table><tr><td>Barns</table><hr><div class=spirit-nav>Prev</div><div class=section><h2>Roofs</h2>{TEXT}</div>"
        "<table><tr><td><div class=copyright-footer>Rights</div></table>",
        f"<div class=VPDoc>{MENU}<div class=vp-doc><div><h1>Roofs</h1>{TEXT}</div></div></div>",
        f"{MENU}<div class=VPHome><h1>Roofs</h1><div class=vp-doc><div>{TEXT}</div></div></div>",
        f"{MENU}<main class=vp-page><div vp-content><h1>Roofs</h1>{TEXT}</div><footer>Edit</footer></main>",
        f"<main class=vp-home><h1>Roofs</h1><div vp-content>{TEXT}</div><div class=vp-footer>Rights</div></main>{MENU}",
        f"<main>{MENU}<h1>Roofs</h1><div class=sl-markdown-content>{TEXT}</div><footer>Edit</footer></main>",
        f"<main>{MENU}<div class=sl-container><div class=hero><h1>Roofs</h1></div><div class=sl-markdown-content>{TEXT}"
        "<div class=expressive-code><i class=sr-only>Terminal</i></div></div><footer>Edit</footer></div></main>",
        f"<header><h1>Barns</h1></header><article>{MENU}<h1>Roofs</h1><div class='article-entry e-content'>{TEXT}</div>"
        f"<footer>Share</footer></article>{MENU}",
        f"{MENU}<div class=post-block><h1>Roofs</h1><div class=post-body itemprop=articleBody>{TEXT}</div></div>",
        f"{MENU}<div id=post><h1>Roofs</h1><article class=post-content id=article-container>{TEXT}</article></div>",
        f"{MENU}<h1>Roofs</h1><article class=post-content>{MENU}<div class=markdown-body>{TEXT}</div></article>",
        f"{MENU}<article class=post-single><h1>Roofs</h1>{MENU}<div class=post-content>{TEXT}</div></article>",
        f"<main><aside>{MENU}</aside><div class=td-content><h1>Roofs</h1>{TEXT}</div></main>",
        f"{MENU}<div id=content class=body><article><h1>Roofs</h1><div class=entry-content>{TEXT}</div></article>",
        f"<article>{MENU}<h1>Roofs</h1><main data-pagefind-body><form></form>{TEXT}</main></article>",
        f"<main>{MENU}<div class='rp-doc rspress-doc'><h1>Roofs</h1>{TEXT}</div><footer>Next</footer></main>",
        f"<main><aside>{MENU}</aside><article class=markdown-section id=main><h1>Roofs</h1>{TEXT}</article></main>",
        "<div role=main><div class=page-inner><div id=book-search-results><section class='normal markdown-section'>"
        f"<h1>Roofs</h1>{TEXT}</section><div class=search-results><h1>No results</h1></div></div></div></div>",
        f"{MENU}<div class=main-wrapper><header class='hero x'><h1>Roofs</h1></header><main>{TEXT}</main></div>",
        f"<main id=dokuwiki__content><div class=pageId>roofs</div><div class=page><div id=dw__toc>{MENU}</div>"
        f"<h1>Roofs</h1>{TEXT}<div class=secedit>Edit</div></div><div class=docInfo>Last modified</div></main>",
        f"<div id=cgit>{MENU}<div class=content><div class=cgit-panel>diff</div><h1>Roofs</h1>{TEXT}</div></div>",
        f"{MENU}<div id=content class=wiki><div id=wikipage><h1>Roofs</h1>{TEXT}</div><form>Edit</form></div>",
        f"<div class='content mainContent'><h3 id=top>Roofs</h3>{TEXT}</div>{MENU}",
        f"{MENU}<div class='container container-main'><div class=col-content><ul class=tsd-breadcrumb><li>Barns</ul>"
        f"<h1>Roofs</h1>{TEXT}</div><div class=col-sidebar>Settings</div></div>",
        f"<header>{MENU}<div class=tsd-page-title><h1>Roofs</h1></div></header><div class='container container-main'>"
        f"<div class=row><div class='col-8 col-content'>{TEXT}</div><div class=col-menu>{MENU}</div></div></div>",
        f"<div class=nav_wrap><iframe id=nav></iframe></div><div id=main>{MENU}<div id=content><h1>Roofs"
        f"<small><a class=summary_toggle>collapse</a></small></h1>{TEXT}</div><div id=footer>Generated</div></div>",
        f"<div id=body-wrapper>{MENU}<section id=main class=content><header><h1>Roofs</h1></header>{TEXT}</section>"
        "<section id=search class=content>No results</section></div>",
        f"<div id=main><h1>Roofs</h1>{TEXT}</div><nav>Home</nav><br class=clear><footer>Made</footer>",
        f"<nav>Home</nav><div id=main><h1>Roofs</h1>{TEXT}</div><br class=clear><footer>Made</footer>",
        f"{MENU}<div class=body-wrapper><div class=main-content><div class=main-wrapper><h1>Roofs</h1>{TEXT}</div>"
        "</div></div>",
        f"{MENU}<div id=main-content-wrapper class=core><div class=content><header><h1>Roofs</h1></header>{TEXT}</div>"
        "<footer>Made</footer></div>",
        f"{MENU}<main class=pdoc><h1>Roofs</h1><div class=menu></div>{TEXT}</main>",
        f"<table class=head><tr><td>Roofs</table><div class=manual-text>{TEXT}</div>{MENU}",
        f"<div>{MENU}</div><main><div class=menu></div><div class=manual-text><h1>Roofs</h1>{TEXT}</div></main>",
        f"{MENU}<div><div class=ltx_page_content><h1>Roofs</h1>{TEXT}</div><footer>Made</footer></div>",
        f"<div id=preamble class=status>Barns</div><div id=content><h1>Roofs</h1><div id=table-of-contents>Walls</div>"
        f"<div id=outline-container-org1>{TEXT}<aside></aside></div></div><div id=postamble class=status>Author</div>",
        f"<div id=content><h1>Roofs</h1>{TEXT}</div><div id=postamble class=status>Author</div>{MENU}",
        f"<p>Barns</p><div class=document><h1 class=title>Roofs</h1><div class='contents topic'>Walls</div>"
        f"<div class=section>{TEXT}</div></div><div class=footer>Generated</div>",
        f"<a href=x><img src=previous_motif.svg alt=Previous></a><hr><h2>Roofs</h2>{TEXT}",
        f"<div><h1>Roofs</h1><div>{MENU}</div><a class=link-seesrc>Source</a><div class='nine columns' id=content>"
        f"<div id=tocRoot>Toc</div>{TEXT}</div></div>",
        f"<div id=container><div id=product></div><div id=main><div id=navigation>{MENU}</div><div id=content>"
        f"<h1>Roofs</h1>{TEXT}</div></div></div>",
        f"<div class='container-fluid main-container'><div id=TOC>Walls</div><div id=header>{MENU}<h1 class=title>Roofs"
        f"</h1></div>{TEXT}<div id=rmd-source-code>LS0t</div><footer>Made</footer></div>",
        "<div class='container template-reference-topic'><div class=row><main id=main class=col-md-9><div "
        f"class=page-header><h1>Roofs</h1><div class='d-none name'>roofs.Rd</div></div>{TEXT}</main>{MENU}</div></div>",
        f"<main><div class=page><header>{MENU}</header><article><div class=hgroup><h1>Roofs</h1></div>{TEXT}"
        "<section class=links role=navigation>More</section></article><footer>About</footer></div></main>",
        f"<div class=site_body>{MENU}<div class=site_content><h1>Roofs</h1>{TEXT}</div></div>",
        f"<div class='container-fluid main'><div>{MENU}<div class='content class'><div class=content-data><ol "
        f"class=breadcrumb><li>Barns</ol><h3>Roofs</h3>{TEXT}</div><div>No results</div></div></div></div>",
        f"<div class=toc-wrapper>{MENU}</div><div class=page-wrapper><div class=content><h1>Roofs</h1>"
        f"<aside class=notice>{TEXT}</aside></div></div>",
        "<section><div>Static</div><div class=tc-tiddler-frame role=article><h2 class=tc-title>Roofs</h2>"
        f"<div class=tc-subtitle>3 May</div>{TEXT}</div>{MENU}</section>",
        f"<div>{MENU}<article class=vocs_Content><h1>Roofs</h1><aside>{TEXT}</aside></article></div>",
        f"{MENU}<main><article id=nd-page><h1>Roofs</h1><div class=prose>{TEXT}</div><a href=x>W</a></article></main>",
        f"<div class=NAVHEADER>Prev</div><h1>Roofs</h1>{TEXT}<div class=NAVFOOTER>Next</div>",
        f"<nav class=odoc-nav>Up</nav><header class=odoc-preamble><h1>Roofs</h1></header><div class=odoc-content>{TEXT}"
        "</div>",
        f"<table class=bar><tr><td>Overview</table><h1>Roofs</h1>{TEXT}",
        f"<main>{MENU}<div id=notebook-container><h1>Roofs</h1><div class=cell>{TEXT}</div></div></main>",
    ],
)
def test_the_word_of_the_pages_generator_is_taken(page: str) -> None:
    """M3"""
    assert chosen(page) == ("Roofs Thatch keeps the rain out of the barn.", False)


@pytest.mark.parametrize(
    ("body", "page"),
    [
        (
            "manpage",
            f"<div id=header><h1>Roofs</h1></div><div id=content>{TEXT}</div><div id=footer>Last updated</div>",
        ),
        (
            "article",
            f"<div id=header><h1>Roofs</h1><div id=toc class=toc2>Walls</div></div><div id=content>{TEXT}</div>",
        ),
        ("jp-Notebook", f"<main>{MENU}Roofs<div class=jp-Cell>{TEXT}</div></main>{MENU}"),
        (
            "ContentPage",
            f"<div id=Content><h1>Roofs</h1>{TEXT}</div><div id=Menu>Barns</div><div class=CToolTip>1</div>",
        ),
        (
            "controller-messages",
            f"<div id=top-menu>{MENU}</div><div id=content><p class=breadcrumb>Forums</p><h2>Roofs</h2>"
            f"<div class='message reply'>{TEXT}</div></div>",
        ),
        (
            "single",
            f"<main>{MENU}<h1>Roofs</h1><div class='entry-content wp-block-post-content'><figure>{TEXT}</figure></div>"
            "<div id=respond>Leave a reply</div></main>",
        ),
        (
            "single",
            f"<main><article class='post hentry'><header><h1>Roofs</h1></header><div class=entry-content>{TEXT}</div>"
            f"<footer>Published 3 May</footer></article>{MENU}</main>",
        ),
        ("IndexPage", f"<div id=Index>Roofs<div class=INavigationBar>A B</div>{TEXT}</div><div id=Menu>Barns</div>"),
    ],
)
def test_the_word_of_the_pages_generator_is_taken_where_it_names_the_body(body: str, page: str) -> None:
    """M3"""
    assert chosen(page, attributes=f"class={body}") == ("Roofs Thatch keeps the rain out of the barn.", False)


def test_a_list_of_whole_posts_is_content() -> None:
    """M3"""
    post = "<article><h2>{}</h2><div class=markdown>" + TEXT + "</div><footer>Tags: barns</footer></article>"
    text = "Thatch keeps the rain out of the barn."
    assert chosen(f"<main>{MENU}{post.format('Old')} {post.format('New')}</main>") == (f"Old {text} New {text}", False)


def test_a_list_of_one_post_has_its_title_too() -> None:
    """M3: never losing it"""
    post = f"<article><header><h2>Old</h2></header><div class=markdown>{TEXT}</div><footer>Tags</footer></article>"
    page = f"<main>{MENU}<header><h1>One post about roofs</h1></header> {post}</main>"
    assert chosen(page) == ("One post about roofs Old Thatch keeps the rain out of the barn.", False)


def test_a_list_of_materials_posts_has_their_days() -> None:
    """M3: categories and the time that reading takes are around a post, as on its own page"""
    meta = (
        "<ul class=md-meta__list><li class=md-meta__item><time>3 May</time></li><li class=md-meta__item>in <a>Straw</a>"
        "</li><li class=md-meta__item>2 min read</li></ul>"
    )
    post = (
        f"<article class='md-post md-post--excerpt'><header>{meta}</header><div class=md-post__content><h2>Roofs</h2>"
    )
    page = f"<header><h1>Barns</h1></header> {post}{TEXT}<nav>More</nav></div></article>"
    assert chosen(f"<main>{MENU}<div class=md-content__inner>{page}</div></main>") == (
        "Barns 3 MayRoofs Thatch keeps the rain out of the barn.",
        False,
    )


def test_several_of_them_are_a_list_to_be_judged() -> None:
    """M3"""
    page = f"<article class=markdown-body>{TEXT * 9}</article>" * 2
    assert chosen(page)[1]


def test_an_empty_one_is_not_the_content() -> None:
    """M3: never losing it"""
    assert "Thatch" in chosen(f"<article class=markdown-body> </article>{TEXT * 9}")[0]


def test_a_document_of_sphinx_may_have_several_sections() -> None:
    """M3"""
    section = "<div class=section><h1>{}<a class=headerlink href=#r></a></h1>" + TEXT + "</div>"
    page = f"<div id=hd>{MENU}</div><div id=bd>{section.format('Old')} {section.format('New')}<p>Up</p></div>"
    text = "Thatch keeps the rain out of the barn."
    assert chosen(page) == (f"Old {text}New {text}", False)
    assert chosen(page + section.format("Other"))[1]


@pytest.mark.parametrize(
    "head",
    [
        "<header><h1>T</h1></header>",
        "<header><h1>Barns</h1></header><h2>Other</h2><h2>T</h2>",
        "<header><h1>Barns</h1></header><article><header><h1>T</h1></header></article>",
    ],
)
def test_the_heading_is_what_the_page_is_called_and_not_the_site(head: str) -> None:
    """M3"""
    expected = ("T Thatch keeps the rain out of the barn.", False)
    assert chosen(f"{MENU}{head}<div class=e-content>{TEXT}</div>") == expected


def test_a_post_with_a_heading_of_its_own_has_its_title_too() -> None:
    """M3"""
    own = f" <h1>Straw</h1>{TEXT}"
    assert (
        chosen(f"{MENU}<h1>T</h1><div class=e-content>{own}</div>")[0]
        == "T Straw Thatch keeps the rain out of the barn."
    )
    assert chosen(f"{MENU}<h1>Barns</h1><div class=e-content>{own}</div>")[0].startswith("Straw")


@pytest.mark.parametrize(
    "sign", ["<script type=application/ld+json>{}</script>", "<meta name=generator content='Powered by Thatcher 2'>"]
)
def test_plugins_of_wordpress_make_a_post_one_to_be_judged(sign: str) -> None:
    """M3: what tells search engines about a page is rarely the only plugin, and some name themselves"""
    post = f"<main>{MENU}<h1>Roofs</h1><div class='entry-content wp-block-post-content'>{TEXT}</div></main>"
    plain = f"<meta name=generator content='WordPress 6.1'>{post}"
    assert not chosen(plain, attributes="class=single")[1]
    assert chosen(f"{sign}{plain}", attributes="class=single")[1]


@pytest.mark.parametrize("around", ["article class=yue role=main", "div class='document body'", "div class=document"])
def test_what_stands_beside_the_section_of_a_page_of_sphinx_is_content(around: str) -> None:
    """M3: text above the first heading, and MyST's footnotes below the last"""
    section = f"<section id=r><h1>Roofs<a class=headerlink href=#r>#</a></h1>{TEXT}</section>"
    note = "<hr class=footnotes><aside class=footnote-list>1 Mostly.</aside>"
    text, judged = chosen(
        f"<div>{MENU}</div><{around}><p>Before.</p>{section}{note}</{around.split(maxsplit=1)[0]}><aside></aside>"
    )
    assert (text, judged) == ("Before.Roofs# Thatch keeps the rain out of the barn.1 Mostly.", False)


def test_the_title_is_read_once_however_many_headings_there_are() -> None:
    """M3: a long title beside many headings takes no longer than either"""
    headings = "<h2>y</h2>" * 20_000
    html = f"<title>{'x ' * 200_000}</title><body><div class=e-content>x{headings}</div></body>"
    content = choose(decode(html.encode(), "text/html")[0], "main")
    assert not content.judged
