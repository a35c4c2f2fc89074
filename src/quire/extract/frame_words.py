"""What tags, roles, classes and ids say about a part of a page, as sets of bits."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from turbohtml import Element

_TAGS: Final = (
    "a", "article", "aside", "blockquote", "dd", "details", "dialog", "dl", "dt", "figure", "footer", "form", "h1",
    "h2", "h3", "h4", "header", "hidden", "label", "li", "main", "nav", "p", "pre", "section", "table", "td", "ul",
)  # fmt: skip
_ROLES: Final = {
    "alert": "dialog", "alertdialog": "dialog", "article": "article", "banner": "header", "complementary": "aside",
    "contentinfo": "footer", "dialog": "dialog", "form": "form", "list": "ul", "listbox": "nav", "listitem": "li",
    "main": "main", "menu": "nav", "menubar": "nav", "navigation": "nav", "search": "form", "tablist": "nav",
    "tooltip": "dialog",
}  # fmt: skip
_WORDS: Final = {
    "ad": "ad ads advert advertisement advertising sponsor sponsored promo promos promotion dfp adsense adslot "
    "affiliate offer offers deal",
    "author": "author byline bio avatar profile writer contributor contributors userinfo signature poster usercard sig",
    "button": "btn button buttons control controls action actions tools toggle icon icons badge badges link links tab "
    "tabs",
    "comment": "comment comments disqus respond replies reply discussion livefyre commentlist feedback",
    "consent": "cookie cookies consent gdpr onetrust cmp ccpa",
    "content": "content article post entry body main story text prose richtext rte description desc markdown wysiwyg "
    "copy blog paragraph articlebody maincontent",
    "crumb": "breadcrumb breadcrumbs crumb crumbs",
    "feature": "spec specs specification specifications detail details feature features attribute attributes overview "
    "summary about ingredients highlights benefits faq accordion",
    "filter": "filter filters facet facets refine refinement refinements sort sortby sorting sidenav swatch swatches "
    "variant variants option options size sizes color colors",
    "foot": "footer foot copyright colophon legal bottom imprint disclaimer",
    "head": "header banner logo hero brand branding",
    "item": "item items card cards product products tile tiles grid list listing listings result results teaser "
    "teasers row collection feed stream",
    "login": "login signin account auth user cart basket minicart wishlist bag checkout compare",
    "media": "carousel slider swiper slick gallery slide slides slideshow thumb thumbs thumbnail thumbnails image "
    "images video player media caption figure credit",
    "menu": "nav navbar navigation navi menu menus megamenu submenu dropdown topbar masthead toolbar skip "
    "skiplink offcanvas drawer subnav sitenav",
    "message": "message messages thread threads topic posts postbody postcontent cooked bbcode messagebody topicbody",
    "meta": "meta date time timestamp published updated posted views stats count info metadata dateline readtime",
    "newsletter": "newsletter subscribe subscription signup optin mailinglist mailchimp paywall register email cta",
    "overlay": "modal popup overlay dialog lightbox tooltip toast popover flyout interstitial alert notification "
    "notice loading spinner snackbar",
    "pager": "pagination pager paging pagenav paginator pages",
    "price": "price prices pricing buy purchase atc addtocart quantity qty shipping delivery stock availability "
    "inventory payment afterpay klarna sku",
    "related": "related recommend recommended recommendation recommendations similar more popular trending suggested "
    "suggestion suggestions upsell cross crosssell also recirc recirculation outbrain taboola next prev previous "
    "latest recent readmore upnext explore discover featured promoted alsolike",
    "review": "review reviews rating ratings star stars testimonial testimonials qa question questions answer answers",
    "search": "search searchbox searchform",
    "share": "share sharing shares social sociable addthis addtoany sharedaddy facebook twitter pinterest whatsapp "
    "follow like likes",
    "side": "sidebar side aside rail widget widgets secondary complementary sidebars gutter",
    "tag": "tag tags taglist category categories cat topics keywords hashtags labels",
    "unseen": "hidden hide invisible sr visuallyhidden screenreader offscreen noprint print mobile collapsed closed "
    "none",
}
# Microdata: what a part of the page says that it is.
_PROPERTIES: Final = ("articlebody", "description", "text")
MARKS: Final = (*_TAGS, *(f".{group}" for group in _WORDS), *(f"={name}" for name in _PROPERTIES))
BITS: Final = {name: 1 << place for place, name in enumerate(MARKS)}
TAG_BITS: Final = {tag: BITS[tag] for tag in _TAGS if tag != "hidden"}
_ROLE_BITS: Final = {role: BITS[tag] for role, tag in _ROLES.items()}
_PROPERTY_BITS: Final = {name: BITS[f"={name}"] for name in _PROPERTIES}
_WORD_BITS: Final[dict[str, int]] = {}
for _group, _words in _WORDS.items():
    for _word in _words.split():
        _WORD_BITS[_word] = _WORD_BITS.get(_word, 0) | BITS[f".{_group}"]
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_STATES: Final = frozenset([
    "active", "current", "first", "last", "open", "selected", "show", "is-active", "is-current", "is-open", "is-opened",
    "is-selected", "slick-active", "slick-current", "swiper-slide-active",
])  # fmt: skip
_FOLDED: Final = re.compile("accordion|collaps|tab-?(?:content|pane)", re.IGNORECASE)
_PANELS: Final = ("tabpanel", "region")
INVISIBLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def bits_of(*names: str) -> int:
    """Return the set of these marks."""
    return sum(BITS[name] for name in names)


# Names of what surrounds content; one of them inside a landmark means that the landmark is not content throughout.
FRAME_NAMES: Final = bits_of(
    ".ad", ".consent", ".crumb", ".menu", ".newsletter", ".overlay", ".pager", ".related", ".share",
    ".side",
)  # fmt: skip
# What a box that holds half of the page cannot be, whatever its name: `class="page has-sidebar"`.
OF_SMALL_BOXES: Final = bits_of(
    "aside", "dialog", "footer", "form", "header", "hidden", *(name for name in MARKS if name[0] == ".")
)


# The pages of a site share their classes.
@lru_cache(maxsize=20_000)
def named(name: str) -> int:
    """Return the marks of the words in a class attribute or an id."""
    marks = 0
    for word in _WORD.findall(name[:500]):
        marks |= _WORD_BITS.get(word.lower(), 0)
    # Documentation calls its notes secondary alerts, and they are content all the same.
    return marks & ~FRAME_NAMES if "admonition" in name else marks


@lru_cache(maxsize=20_000)
def lasting(name: str) -> str:
    """Return a class attribute without what is true for one of many alike at a time."""
    words = name[:500].split()
    return name if _STATES.isdisjoint(words) else " ".join([word for word in words if word not in _STATES])


def kind_and_marks(element: Element, tag: str) -> tuple[str, int]:
    """Return what elements alike have in common, and the marks of an element itself."""
    marks = TAG_BITS.get(tag, 0)
    left = len(element.attrs)
    if not left:
        return tag, marks
    attr = element.attr
    kind = tag
    if (name := attr("class")) is not None:
        kind = f"{tag} {lasting(name)}"
        marks |= named(name)
        left -= 1
    if left and (name := attr("id")) is not None:
        marks |= named(name)
        left -= 1
    return (kind, marks | _stated(element)) if left else (kind, marks)


def _stated(element: Element) -> int:
    """Return the marks that stand in other attributes than its names."""
    attr = element.attr
    marks = 0
    if role := attr("role"):
        marks |= _ROLE_BITS.get(role, 0)
    if name := attr("itemprop"):
        for word in name.lower().split():
            marks |= _PROPERTY_BITS.get(word, 0)
    return marks | BITS["hidden"] if _is_hidden(element) and not _unfolds(element, role) else marks


def _unfolds(element: Element, role: str | None) -> bool:
    """Return whether readers open what is hidden: of the panels behind tabs and below titles all are meant."""
    return role in _PANELS or _FOLDED.search(element.attr("class") or "") is not None


def _is_hidden(element: Element) -> bool:
    attr = element.attr
    if attr("hidden") is not None or attr("aria-hidden") == "true":
        return True
    style = attr("style")
    return style is not None and INVISIBLE.search(style) is not None
