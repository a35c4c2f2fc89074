"""Picture ten real pages beside their Markdown: `python scripts/gallery.py [NAME ...]` writes docs/gallery/.

The pages are the documentation of Debian packages. Each is served on loopback, fetched and converted by `quire page`,
and photographed by Chromium, as it is and as its Markdown renders. Needs chromium and the packages below.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs" / "gallery"
DOCS = Path("/usr/share/doc")
CPPREFERENCE = Path("/usr/share/cppreference/doc/html")
SIZE = "1000,1300"
SCALE = "0.7"
CHROMIUM = (
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    f"--window-size={SIZE}", f"--force-device-scale-factor={SCALE}", "--virtual-time-budget=5000",
)  # fmt: skip
STYLE = """
body { font: 16px/1.5 sans-serif; color: #1f2328; max-width: 900px; margin: 24px auto; padding: 0 24px }
h1, h2 { border-bottom: 1px solid #d1d9e0; padding-bottom: 4px }
a { color: #0969da; text-decoration: none }
code { font: 13px monospace; background: #eff1f3; padding: 2px 4px; border-radius: 4px }
pre { background: #f6f8fa; padding: 12px; overflow: hidden } pre code { background: none; padding: 0 }
table { border-collapse: collapse; font-size: 14px } th, td { border: 1px solid #d1d9e0; padding: 4px 10px }
blockquote { border-left: 4px solid #d1d9e0; margin-left: 0; padding-left: 16px; color: #59636e }
img { max-width: 100% }
"""


class Picture(NamedTuple):
    name: str
    package: str
    root: Path
    page: str
    options: tuple[str, ...] = ()


PICTURES = (
    Picture("sphinx", "python3-doc", DOCS / "python3-doc" / "html", "library/bisect.html"),
    Picture("javadoc", "openjdk-17-doc", DOCS / "openjdk-17-jre-headless" / "api", "java.base/java/util/Optional.html"),
    Picture("docbook", "postgresql-doc-15", DOCS / "postgresql-doc-15" / "html", "sql-createpolicy.html"),
    Picture("rustdoc", "rust-doc", DOCS / "rust-doc" / "html", "std/time/struct.Duration.html"),
    Picture("mdbook", "rust-doc", DOCS / "rust-doc" / "html", "book/ch03-02-data-types.html"),
    Picture("asciidoc", "git-doc", DOCS / "git" / "html", "git-stash.html"),
    Picture("mkdocs", "mkdocs-doc", DOCS / "mkdocs" / "html", "user-guide/installation.html"),
    Picture(
        "mediawiki",
        "cppreference-doc-en-html",
        CPPREFERENCE,
        "en/cpp/language/operator_precedence.html",
        ("--content", "#content", "--remove", ".t-navbar"),
    ),
    Picture(
        "doxygen",
        "libeigen3-doc",
        DOCS / "libeigen3-dev" / "html",
        "group__TutorialGeometry.html",
        ("--content", ".header,.contents"),
    ),
    Picture("by-hand", "sqlite3-doc", DOCS / "sqlite3", "datatype3.html", ("--remove", ".nosearch,#toc_sub")),
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(root: Path) -> Iterator[str]:
    """Serve a folder on loopback, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def photograph(url: str, target: Path, profile: Path) -> None:
    command = [*CHROMIUM, f"--user-data-dir={profile}", f"--screenshot={target}", url]
    subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603


def take(picture: Picture, workspace: Path) -> str:
    """Write both pictures, and return the page's Markdown."""
    with served(picture.root) as address:
        url = address + picture.page
        command = [
            sys.executable,
            "-m",
            "quire",
            "page",
            url,
            "--no-front-matter",
            "--delay",
            "0",
            "--quiet",
            *picture.options,
        ]
        markdown = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=120).stdout  # noqa: S603
        body = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
        rendered = workspace / f"{picture.name}.html"
        rendered.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>{body}", "utf-8")
        photograph(url, GALLERY / f"{picture.name}-html.png", workspace / "profile")
        photograph(rendered.as_uri(), GALLERY / f"{picture.name}-markdown.png", workspace / "profile")
    return markdown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(picture.name for picture in PICTURES)} (default: all)")
    options = parser.parse_args()
    GALLERY.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as workspace:
        for picture in PICTURES:
            if options.names and picture.name not in options.names:
                continue
            if not (picture.root / picture.page).exists():
                sys.stderr.write(f"gallery: {picture.page} is not there: apt install {picture.package}\n")
                return 1
            take(picture, Path(workspace))
            sys.stdout.write(f"{picture.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
