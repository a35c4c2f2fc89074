"""What programs that write websites call the content of a page: their own word needs no judging (M3).

Where one is missing the page is judged like any other; a program is here because pages of its sites lost text.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from turbohtml import Element

# One element with the content and nothing else but what `AROUND` names.
_CONTENT: Final = (
    "article.bd-article,"  # Sphinx, in the themes of PyData and Jupyter Book
    "[itemprop=articleBody].document,"  # Sphinx, Read the Docs
    "article.md-content__inner,"  # MkDocs Material
    "article .theme-doc-markdown,article #__blog-post-container,"  # Docusaurus
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
    "body.book > #header + #content,body.article > #header + #content,body.manpage > #header + #content"  # AsciiDoc
)
AROUND: Final = (
    "button,dialog,nav,select,textarea,[role=navigation],"
    ".navheader,.navfooter,table.navigation,body > .footer,body > #footer,"
    ".md-content__button,.md-source-file,.md-feedback,"
    "#siteSub,#contentSub,#contentSub2,#siteNotice,#catlinks,#jump-to-nav,.mw-jump-link,.printfooter,.mw-indicators,"
    ".mw-editsection,#toc.toc"
)
_FORMS: Final = "form,#render-detail"
_MARKS: Final = f"{_CONTENT},{_WHOLE_PAGE}"


def content_by_name(body: Element) -> Element | None:
    """Return a copy of the one element that the page's generator keeps its content in, without what is around it."""
    found = body.select(_MARKS)
    if not found:
        return None
    if body.select_one(_WHOLE_PAGE) is not None:
        return deepcopy(body).remove(f"{AROUND},{_FORMS}")
    if len(found) > 1 or not found[0].text.strip():
        return None
    content = deepcopy(found[0]).remove(f"{AROUND},{_FORMS}")
    heading = body.find("h1")
    if heading is not None and content.find("h1") is None:
        content.insert(0, deepcopy(heading))
    return content
