"""What programs that write websites call the content of a page: their own word needs no judging (M3).

Where one is missing the page is judged like any other; a program is here because pages of its sites lost text.
"""

from __future__ import annotations

from collections.abc import Set
from copy import deepcopy
from typing import Final

from turbohtml import Element

from .bylines import drop_cards, is_listed
from .controls import CONTROLS, without_controls
from .names import NamedParts

# Docusaurus has the title of a front page above its landmark.
_WITH_HERO: Final = ".main-wrapper:has(> header.hero + main)"
_POST: Final = "main > article > div.markdown"
# What plugins write into posts is to be judged; where there are some, one tells search engines about the page, or gives
# its own name.
_PLUGINS: Final = (
    'meta[property^="og:"],script[type="application/ld+json"],meta[name=generator]:not([content^=WordPress i])'
)
_PLAIN_WORDPRESS: Final = f"html:not(:has({_PLUGINS})) body:is(.single,.page)"
_NAMED_CONTENT: Final = (
    ".mw-body,"  # MediaWiki
    ":has(> #module-header),:has(> #module-list),"  # Haddock
    ":has(> .innertube),"  # Erlang
    "[class*=controller-] *,"  # Redmine
    ".nav_wrap:has(> iframe) + #main > *,"  # YARD
    ".nine.columns,"  # Nim
    "#product + #main > #navigation + *,"  # LDoc
    ":has(> [id^=outline-container-]),:has(+ #postamble.status)"  # Org
)
_NAMED_MAIN: Final = (
    ":has(> .nav_table),"  # texi2html
    "#body-wrapper > .content,"  # gi-docgen
    "body > :has(+ nav + br.clear),body > nav + :has(+ br.clear)"  # JSDoc, docdash
)
# One element with the content and nothing else but what `_AROUND` names.
_CONTENT: Final = NamedParts(
    f"#content:is({_NAMED_CONTENT})",
    f"#main:is({_NAMED_MAIN})",
    "article.bd-article",  # Sphinx, in the themes of PyData and Jupyter Book
    "article.md-content__inner",  # MkDocs Material
    ".md-content__inner:has(> .md-post)",
    "article.markdown-body",  # GitHub
    "[itemprop=articleBody].document",  # Sphinx, Read the Docs
    "article .theme-doc-markdown",  # Docusaurus
    _POST,
    "section#main-content.content",  # rustdoc
    ".post-content > .markdown-body",  # Fluid (Hexo)
    ".e-content",  # whoever writes microformats: Jekyll, Hexo, Nikola
    ".post-block .post-body[itemprop=articleBody]",  # NexT (Hexo)
    "#article-container.post-content",  # Butterfly (Hexo)
    "article > main[data-pagefind-body]",  # Nextra
    ".rp-doc.rspress-doc",  # Rspress
    "article.markdown-section",  # docsify
    "section.normal.markdown-section",  # HonKit
    _WITH_HERO,  # Docusaurus
    "article.post-single > .post-content",  # PaperMod (Hugo)
    ".td-content",  # Docsy (Hugo)
    "#content.body > article > .entry-content",  # Pelican
    "#dokuwiki__content .page",  # DokuWiki
    "#cgit > .content",  # cgit
    "#wikipage",  # Trac
    ".VPHome",  # VitePress
    ".vp-doc:not(.VPHome *) > div",
    "main.vp-home",  # VuePress
    "main.vp-page > [vp-content]",
    "main.pdoc",  # pdoc
    "body.jp-Notebook > main",  # nbconvert
    "#notebook-container",
    ".sl-container:has(> .hero)",  # Starlight
    ".sl-markdown-content:not(.hero + *)",
    "#apicontent",  # Node.js
    ".content.mainContent",  # QDoc
    "#page-content:has(> #preamble)",  # Apache's manuals
    ".maincolumn > .main",  # Scribble
    "#doc-content:has(.headertitle)",  # Doxygen, with a tree of all pages beside it
    ".container-main .col-content",  # TypeDoc
    ".body-wrapper > .main-content > .main-wrapper",  # clean-jsdoc-theme
    "#main-content-wrapper.core > .content",  # better-docs
    "body:is(.ContentPage,.FramedContentPage) > #Content",  # Natural Docs
    "body.IndexPage > #Index",
    ".manual-text",  # mandoc, in the page of another program
    ".ltx_page_content",  # LaTeXML
    "body > .main-container:has(#header > .title)",  # R Markdown
    "[class*=template-] > .row > :is(main,.contents).col-md-9",  # pkgdown
    "main > .page > article:has(> .hgroup)",  # Yelp
    ".site_body > .site_content",  # Valadoc
    ".container-fluid.main .content > .content-data",  # Compodoc
    ":is(.toc-wrapper,.tocify-wrapper) + .page-wrapper > .content",  # Slate
    ".tc-tiddler-frame[role=article]",  # TiddlyWiki
    "article.vocs_Content",  # vocs
    "#nd-page > .prose",  # Fumadocs
    f"{_PLAIN_WORDPRESS} .wp-block-post-content",
    f"{_PLAIN_WORDPRESS} article.hentry > .entry-content",
    "body > .document:has(> h1.title)",  # docutils
)
_BODY_OF_SPHINX: Final = "[role=main],.body,.document"
_TEXINFO_BAR: Final = ":is(.header,.nav-panel):has(> p > :is(a[accesskey],a[rel]))"
# All of the page but what is around it.
_WHOLE_PAGE: Final = NamedParts(
    "body > .navheader",  # DocBook
    "body > .navfooter",
    "body > table.navigation",  # gtk-doc
    "body > .header > .headertitle",  # Doxygen
    "body > .spirit-nav",  # BoostBook
    "body > .NAVHEADER",  # DocBook, by DSSSL
    "body > header.odoc-preamble",  # odoc
    "body > table.bar:first-child + h1",  # fpdoc
    "body:is(.book,.article,.manpage) > #header + #content",  # AsciiDoc
    ".header > p > a[accesskey]",  # Texinfo
    ".nav-panel > p > a[accesskey]",
    "body > .docnav",  # Publican
    "body > .navigate > a.nav",  # SWI-Prolog
    "body > .manual-text",  # mandoc
    "body > a > img[src*=_motif]",  # HeVeA
    "body > .navigation > a:is([name^=tex2html],[id^=tex2html])",  # LaTeX2HTML
)
_AROUND: Final = (
    f"{','.join(CONTROLS)},[role=navigation],[role=doc-toc]:not(:only-child),"
    ".navheader,.navfooter,table.navigation,body > .footer,body > #footer,"
    ".md-content__button,.md-source-file,.md-feedback,.md-meta__item:not(:has(> time)),.rustdoc-breadcrumbs,"
    "div#top,#side-nav,#nav-path,.header > .summary,#MSearchSelectWindow,#MSearchResultsWindow,hr.footer,"
    "address.footer,"
    "#siteSub,#contentSub,#contentSub2,#siteNotice,#catlinks,#jump-to-nav,.mw-jump-link,.printfooter,.mw-indicators,"
    ".mw-editsection,#toc.toc,#toc.toc2,.mw-portlet,.vector-page-toolbar,.navbox,"
    "label.mw-checkbox-hack-button,.minerva__tab-container,"
    ".mainContent > .sidebar,#quickview,#page-content > .top,.toplang,.bottomlang,.navsettop,.navsetbottom,"
    "#content > #table-of-contents,#content > #synopsis,#content:has(> .innertube) > .footer,.nav_table,"
    "#main > #footer,.vp-footer,"
    ".sl-container > footer,.sl-anchor-link,:is(.expressive-code,starlight-file-tree) .sr-only,"
    f"{_TEXINFO_BAR},{_TEXINFO_BAR} + hr,hr:has(+ {_TEXINFO_BAR}),"
    ".docnav,body > #title,body > #banner,body > .navigate,body > .navigation,"
    ".spirit-nav,body > table:has(+ hr + .spirit-nav),body > table:has(.copyright-footer),"
    ".tsd-breadcrumb,#dw__toc,.secedit,.cgit-panel,"
    ".summary_toggle,.constants_summary_toggle,"
    ".INavigationBar,"
    ".document > .contents.topic,"
    "body > a:has(> img[src*=_motif]),"
    ".NAVHEADER,.NAVFOOTER,.odoc-search,body > table.bar,"
    "#tocRoot,.link-seesrc,"
    "div#TOC,#rmd-source-code,#header > .btn-group,.main-container > footer,.toc-content > footer,.page-header > .name,"
    ".tc-tiddler-controls,.tc-subtitle,.tc-tags-wrapper,"
    ":is(#content,.content-data) > .breadcrumb,#content .contextual,#content > .other-formats,"
    ".sharedaddy,.jp-relatedposts,"
    "form,#render-detail"
)
_MORE_THAN_CONTENT: Final = (
    ".mw-body,.vp-home,#dokuwiki__content,"
    ":has(> .page-inner > #book-search-results),"  # HonKit
    ":has(> #nd-page),"  # Fumadocs
    "#main.col-md-9"  # pkgdown
)
_LONGEST_TITLE: Final = 2_000  # characters


def is_known(landmark: Element) -> bool:
    """Return whether a landmark is known to hold more than the content, or less."""
    if landmark.matches(_MORE_THAN_CONTENT):
        return True
    around = landmark.parent
    return isinstance(around, Element) and around.matches(_WITH_HERO)


def content_by_name(body: Element, names: Set[str]) -> Element | None:
    """Return a copy of the one element that the page's generator keeps its content in, without what is around it.

    `names` are those on the page.
    """
    if _WHOLE_PAGE.found(body, names):
        return without_controls(deepcopy(body), _AROUND)
    found = _CONTENT.found(body, names) or _sections_of_sphinx(body)
    if not found:
        return None
    if len(found) > 1 or _is_listed_post(found[0]):
        # A blog's list has whole posts, and below each what is around one.
        posts = found[0].closest("main") if all(each.matches(_POST) for each in found) else None
        return posts and drop_cards(without_controls(deepcopy(posts), f"{_AROUND},footer"))
    if not found[0].text.strip():
        return None
    content = without_controls(deepcopy(found[0]), _AROUND)
    heading = _page_heading(body)
    if heading is not None and found[0] not in heading.ancestors and _is_missing(heading, content):
        content.insert(0, deepcopy(heading))
    return content


def _is_listed_post(content: Element) -> bool:
    post = content.parent
    return isinstance(post, Element) and content.matches(_POST) and is_listed(post)


def title_beside(body: Element) -> list[Element]:
    """Return a copy of the heading that begins the page's title, if there is one."""
    title = _title_of(body)
    found = next((heading for heading in body.find_all("h1") if _begins(title, heading)), None)
    return [] if found is None else [deepcopy(found)]


def _is_missing(heading: Element, content: Element) -> bool:
    """Return whether a content has no heading, or others than what its page is called: a post may have its own."""
    titles = [each.text.split() for each in content.find_all("h1")]
    return not titles or (_begins_title(heading) and heading.text.split() not in titles)


def _page_heading(body: Element) -> Element | None:
    """Return what a page is called in it, and not the name of its site."""
    for heading in body.find_all("h1"):
        if not _is_of_site(heading):
            return heading
    title = _title_of(body)
    return next((heading for heading in body.find_all("h2") if _begins(title, heading)), None)


def _sections_of_sphinx(body: Element) -> list[Element]:
    """Return what all of a document is in, whatever the theme is called: its headings link to themselves."""
    sections = [title.parent for title in body.find_all("h1") if _is_linked(title)]
    found = [each for each in sections if isinstance(each, Element) and _is_section(each)]
    places = {each.parent for each in found}
    if len(found) != len(sections) or len(places) != 1:
        return []
    around = places.pop()
    if isinstance(around, Element) and around.matches(_BODY_OF_SPHINX):
        # Some text may stand before the first section, and footnotes behind the last.
        return [around]
    if len(found) == 1:
        return found
    whole = Element("div")
    # One by one: as many copies that are in no tree yet would take much memory.
    for each in found:
        whole.append(deepcopy(each))
    return [whole]


def _is_section(element: Element) -> bool:
    return element.tag == "section" or element.has_class("section")


def _is_linked(title: Element) -> bool:
    last = title.children[-1] if title.children else None
    return isinstance(last, Element) and last.has_class("headerlink")


def _is_of_site(heading: Element) -> bool:
    """Return whether a heading stands in the head of the site, and is not what the page is called."""
    # TypeDoc's old pages have both in one head.
    head = None if heading.closest(".tsd-page-title") else heading.closest("header")
    if head is None or head.closest("article") is not None or head.closest("main") is not None:
        return False
    return not _begins_title(heading)


def _begins_title(heading: Element) -> bool:
    return _begins(_title_of(heading), heading)


def _title_of(element: Element) -> list[str]:
    page = element.closest("html")
    title = page.find("title") if page is not None else None
    return [] if title is None else title.text[:_LONGEST_TITLE].split()


def _begins(title: list[str], heading: Element) -> bool:
    words = heading.text.split()
    return bool(words) and title[: len(words)] == words
