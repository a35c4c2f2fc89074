"""What programs that write websites call the content of a page: their own word needs no judging (M3).

Where one is missing the page is judged like any other; a program is here because pages of its sites lost text.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from turbohtml import Element

from .controls import CONTROLS, without_controls

_POST: Final = "main > article > div.markdown"
# One element with the content and nothing else but what `_AROUND` names.
_CONTENT: Final = (
    "article.bd-article,"  # Sphinx, in the themes of PyData and Jupyter Book
    "[itemprop=articleBody].document,"  # Sphinx, Read the Docs
    "article.md-content__inner,"  # MkDocs Material
    f"article .theme-doc-markdown,{_POST},"  # Docusaurus
    "section#main-content.content,"  # rustdoc
    "article.markdown-body,"  # GitHub
    "#content.mw-body,"  # MediaWiki
    ".vp-doc > div,"  # VitePress
    "#apicontent"  # Node.js
)
# All of the page but what is around it.
_WHOLE_PAGE: Final = (
    "body > .navheader,body > .navfooter,"  # DocBook
    "body > table.navigation,"  # gtk-doc
    "body > .header > .headertitle,#doc-content > .header > .headertitle,"  # Doxygen
    "body.book > #header + #content,body.article > #header + #content,body.manpage > #header + #content"  # AsciiDoc
)
_AROUND: Final = (
    f"{','.join(CONTROLS)},[role=navigation],"
    ".navheader,.navfooter,table.navigation,body > .footer,body > #footer,"
    ".md-content__button,.md-source-file,.md-feedback,.rustdoc-breadcrumbs,"
    "#top,#side-nav,#nav-path,.header > .summary,#MSearchSelectWindow,#MSearchResultsWindow,hr.footer,address.footer,"
    "#siteSub,#contentSub,#contentSub2,#siteNotice,#catlinks,#jump-to-nav,.mw-jump-link,.printfooter,.mw-indicators,"
    ".mw-editsection,#toc.toc,.mw-portlet,.vector-page-toolbar,.navbox,"
    "form,#render-detail"
)
_MARKS: Final = f"{_CONTENT},{_WHOLE_PAGE}"


def is_known(landmark: Element) -> bool:
    """Return whether a landmark is known to hold more than the content: MediaWiki's has notes on the page around it."""
    return landmark.has_class("mw-body")


def content_by_name(body: Element) -> Element | None:
    """Return a copy of the one element that the page's generator keeps its content in, without what is around it."""
    found = body.select(_MARKS)
    if not found:
        return None
    if body.select_one(_WHOLE_PAGE) is not None:
        return without_controls(deepcopy(body), _AROUND)
    if len(found) > 1:
        # A blog's list has whole posts, and below each what is around one.
        posts = found[0].closest("main") if all(each.matches(_POST) for each in found) else None
        return posts and without_controls(deepcopy(posts), f"{_AROUND},footer")
    if not found[0].text.strip():
        return None
    content = without_controls(deepcopy(found[0]), _AROUND)
    heading = body.find("h1")
    if heading is not None and content.find("h1") is None:
        content.insert(0, deepcopy(heading))
    return content
