"""How much of a site's frame is left in its mirror, and how much content is lost, against the generator's own word.

    bench/frame.py                            # Debian's documentation packages that are installed
    bench/frame.py material=DIR wordpress=DIR # folders of HTML that a generator wrote, by its name below

Each folder is served on loopback and mirrored. The truth of a page is the element in which its generator keeps the
content, turned into Markdown like the page itself, so that words are lost or left over by the choice of content alone.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import json

from quire import crawl_sync
from quire.convert.edges import restored
from quire.convert.front_matter import split
from quire.convert.markdown import to_markdown
from quire.extract.decode import decode
from quire.schedule.frames import cuts_in

DOC = Path("/usr/share/doc")
# A navbox has the links of a whole group of pages, the same on each of them.
WIKI = (
    "#siteSub,#contentSub,#contentSub2,#siteNotice,#catlinks,#jump-to-nav,.mw-jump-link,.printfooter,.mw-indicators,"
    ".mw-editsection,#toc,.navbox"
)
# A list of posts is of their titles and days; who wrote one, its tags and how long it takes are around it there too.
DOCUSAURUS = (
    "article .markdown,main > header,main > header ~ section,main > article > header :is(h1,h2),"
    "main > article > header:has(> h2) time,[class*=generatedIndexPage_] :is(header,article)"
)
MATERIAL = (
    "article.md-content__inner,.md-content__inner:has(> .md-post) > header,"
    ".md-post--excerpt :is(time,.md-post__content)"
)
WORDPRESS = ":is(.archive,.blog) :is(h1,time),.wp-block-post-title,.entry-title,.entry-content,.wp-block-post-excerpt"
WORD = re.compile(r"\w+")
TARGET = re.compile(r"\]\([^()\s]*\)|(?<=```)\w+$", re.MULTILINE)
NAME = re.compile(rb"""\s(?:class|id|role|itemprop)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""")
LANDMARK = re.compile(rb"<(/?)(?:main|nav|header|footer|aside|article|section)\b")


@dataclass(frozen=True, slots=True)
class Truth:
    """Where a generator keeps the content of a page, and what in there is none; `folder` is a package's."""

    content: str
    without: str = ""
    folder: Path | None = None
    start: str = "index.html"


TRUTHS = {
    "sphinx": Truth("div.body[role=main]", folder=DOC / "python3-doc/html"),
    "sphinx-alabaster": Truth("div.body[role=main]"),
    "sphinx-furo": Truth("article#furo-main-content"),
    "sphinx-rtd": Truth("[itemprop=articleBody]"),
    "sphinx-pydata": Truth("article.bd-article"),
    "sphinx-book": Truth("article.bd-article"),
    "material": Truth(MATERIAL, ".md-content__button,.md-feedback,.md-tags,.md-post__action"),
    "mkdocs": Truth("[itemprop=articleBody]"),
    "docusaurus": Truth(DOCUSAURUS),
    "javadoc": Truth("main", folder=DOC / "openjdk-17-doc/api"),
    "docbook": Truth("body", ".navheader,.navfooter", DOC / "postgresql-doc-15/html"),
    "gtk-doc": Truth("body", ".navigation,.footer", DOC / "libgtk-3-doc/gtk3"),
    "mdbook": Truth("main", folder=DOC / "rust-doc/html/book"),
    "rustdoc": Truth("section#main-content", folder=DOC / "rust-doc/html/std"),
    "asciidoc": Truth("body", "#footer", DOC / "git-doc", "git.html"),
    "nodejs": Truth("#apicontent", folder=DOC / "nodejs/api"),
    "sphinx-django": Truth("#yui-main .section:has(> h1)", folder=DOC / "python-django-doc/html"),
    "texinfo": Truth("body", ":is(.header,.nav-panel):has(> p > :is(a[accesskey],a[rel]))", DOC / "octave/octave.html"),
    "texi2html": Truth("#main", ".nav_table,#footer", DOC / "lilypond/html/Documentation/notation"),
    "qdoc": Truth(".content.mainContent", ".sidebar", DOC / "qtbase5-doc-html/html/qtcore", "qtcore-index.html"),
    "haddock": Truth("#content", "#table-of-contents,#synopsis", DOC / "ghc-doc/html/libraries"),
    "scribble": Truth(".main", ".navsettop,.navsetbottom", DOC / "racket/reference"),
    "erlang": Truth("#content", ".footer", DOC / "erlang-doc/doc/reference_manual", "users_guide.html"),
    "apache": Truth("#page-content", "#quickview,.top,.toplang,.bottomlang", DOC / "apache2-doc/manual/en"),
    "publican": Truth("body", ".docnav,#title,#banner", DOC / "debian-handbook/html/en-US"),
    "pldoc": Truth("body", ".navigate", DOC / "swi-prolog-doc/Manual", "Contents.html"),
    "latex2html": Truth("body", ".navigation", DOC / "gnuplot/htmldocs"),
    "doxygen": Truth("#doc-content", "#MSearchSelectWindow,#MSearchResultsWindow,.summary", DOC / "libeigen3-dev/html"),
    "boostbook": Truth(
        "body",
        ".spirit-nav,table:has(+ hr + .spirit-nav),table:has(.copyright-footer)",
        DOC / "libboost1.74-doc/doc/html",
        "accumulators.html",
    ),
    "nim": Truth("#documentId:has(#content) h1.title,#content", ".link-seesrc,#tocRoot", DOC / "nim/html", "lib.html"),
    "fpdoc": Truth("body", "table.bar", DOC / "fp-docs/3.2.2/rtl", "index.html"),
    "odoc": Truth("body", ".odoc-nav,.odoc-toc,.odoc-tocs"),
    "ldoc": Truth("#content"),
    "valadoc": Truth(".site_content"),
    "mallard": Truth("article", "[role=navigation]"),
    "rmarkdown": Truth(".main-container", "#TOC,.navbar,.btn-group,#rmd-source-code,footer,button"),
    "pkgdown": Truth(":is(main,.contents).col-md-9", ".name,.dont-index"),
    "compodoc": Truth(".content-data", ".breadcrumb,.nav-tabs"),
    "tiddlywiki": Truth("h2.tc-title,.tc-tiddler-body", start="static.html"),
    "vocs": Truth("article.vocs_Content", "button"),
    "fumadocs": Truth("#nd-page > h1,#nd-page > .prose", "button"),
    "zensical": Truth("article.md-content__inner", ".md-content__button,nav"),
    "sphinx-shibuya": Truth("article[role=main]", "button"),
    "sphinx-karma": Truth("div.document", ".contents.local"),
    "vitepress": Truth(".VPHome,.VPDoc .vp-doc"),
    "vuepress": Truth("main.vp-home,main.vp-page > [vp-content]", ".vp-footer"),
    "starlight": Truth("main h1,.sl-markdown-content", ".sl-anchor-link,.sr-only"),
    "nextra": Truth("main[data-pagefind-body]"),
    "rspress": Truth(".rp-doc.rspress-doc"),
    "honkit": Truth("section.normal.markdown-section"),
    "typedoc": Truth(".col-content", ".tsd-breadcrumb"),
    "yard": Truth("#content", ".summary_toggle,.constants_summary_toggle"),
    "gi-docgen": Truth("section.content#main"),
    "jsdoc": Truth("#main"),
    "pdoc": Truth("main.pdoc"),
    "org": Truth("#content", "#table-of-contents"),
    "mandoc": Truth("body"),
    "docsy": Truth(".td-content"),
    "hexo-landscape": Truth("h1.article-title,.article-entry"),
    "hexo-next": Truth("h1.post-title,.post-body", ".post-edit-link"),
    "jekyll-minima": Truth("h1.post-title,.post-content"),
    "nikola": Truth("h1.entry-title,.e-content.entry-content"),
    "wordpress": Truth(WORDPRESS),
    "mediawiki": Truth("#firstHeading,#bodyContent", WIKI),
    "github": Truth("article.markdown-body"),
}


@dataclass(slots=True)
class Score:
    """Words over all pages of a mirror."""

    pages: int = 0
    framed: int = 0
    written: int = 0
    true: int = 0
    left: int = 0
    left_by_pages: int = 0
    lost: int = 0

    def add(self, written: Counter[str], whole: Counter[str], true: Counter[str]) -> None:
        """Count a page; `whole` is what was written before the site's frame was cut."""
        self.pages += 1
        self.framed += written != whole
        self.written += written.total()
        self.true += true.total()
        self.left += (written - true).total()
        self.left_by_pages += (whole - true).total()
        self.lost += (true - written).total()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class _Plain(_Quiet):
    """Serves pages that give nothing away: no names, no roles, no landmarks."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix != ".html" or not path.is_file():
            return super().do_GET()
        body = LANDMARK.sub(rb"<\1div", NAME.sub(b"", path.read_bytes()))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="*", metavar="NAME=DIR")
    parser.add_argument("--max-pages", type=int, default=300)
    parser.add_argument("--plain", action="store_true", help="without names, roles and landmarks in the pages")
    parser.add_argument("--words", action="store_true", help="show the words that are left over and lost most")
    arguments = parser.parse_args()
    given = {name: Path(folder) for name, _, folder in (each.partition("=") for each in arguments.folder)}
    folders = given or {name: truth.folder for name, truth in TRUTHS.items() if truth.folder and truth.folder.is_dir()}
    print("| generator | pages | words | left over by page | left over | lost |\n|---|---|---|---|---|---|")
    for name, folder in folders.items():
        score = measured(TRUTHS[name], folder, arguments)
        shares = (score.left_by_pages, score.written), (score.left, score.written), (score.lost, score.true)
        cells = " | ".join(f"{part / max(1, whole):.2%}" for part, whole in shares)
        print(f"| {name} | {score.pages} | {score.true:,} | {cells} |", flush=True)


def measured(truth: Truth, folder: Path, options: argparse.Namespace) -> Score:
    """Mirror the folder, and compare each file with the truth about its page."""
    score, left, lost = Score(), Counter[str](), Counter[str]()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Plain if options.plain else _Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as output:
        crawl_sync(url + truth.start, output=output, delay=0, max_pages=options.max_pages)
        with closing(sqlite3.connect(Path(output, "_frontier.sqlite"))) as database:
            cuts = {path: cuts_in(packed) for path, packed in database.execute("SELECT path, cuts FROM pages")}
        for page in json.decode(Path(output, "_manifest.json").read_bytes())["pages"]:
            true = true_words(source_of(page["url"], folder), page["url"], truth)
            if true:
                body = split(Path(output, page["path"]).read_text("utf-8"))[1]
                written = words(body)
                score.add(written, words(restored(body, cuts.get(page["path"], ()))), true)
                left += written - true
                lost += true - written
    server.shutdown()
    if options.words:
        print(f"  left over {left.most_common(12)}\n  lost {lost.most_common(12)}", file=sys.stderr)
    return score


def source_of(url: str, folder: Path) -> Path:
    path = folder / unquote(urlsplit(url).path).lstrip("/")
    return path / "index.html" if path.is_dir() else path


def true_words(source: Path, url: str, truth: Truth) -> Counter[str]:
    """The words of a page's content; none if its generator marks none on it, as on an index, or did not write it."""
    if not source.is_file():
        return Counter()
    document, _ = decode(source.read_bytes(), "text/html")
    if truth.without:
        document.remove(truth.without)
    found = document.select(truth.content)
    inner = {id(each) for outer in found for each in outer.select(truth.content)}
    return words(to_markdown([each for each in found if id(each) not in inner], url))


def words(markdown: str) -> Counter[str]:
    return Counter(WORD.findall(TARGET.sub("]", markdown)))


if __name__ == "__main__":
    main()
