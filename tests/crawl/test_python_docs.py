"""A real site: Debian's python3-doc behind nginx on loopback."""

from __future__ import annotations

import html
import os
import random
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import jsonschema  # type: ignore[import-untyped]
import pytest
from markdown_it import MarkdownIt
from quire_test_site import Quire, files_in
from quire_test_site.crashes import lasting, settled

from quire.report.manifest import schema

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

CONFIG = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 128; }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    log_format told '$status $request_method $request_uri';
    access_log {folder}/access.log told;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


TAG = re.compile(r"<(a|link|img)\s([^>]*)>")
ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
CODE = re.compile(r"^( *)(```+).*?^\1\2`*$", re.MULTILINE | re.DOTALL)
# In brackets, or in angle brackets; a parenthesis in it is escaped or has its partner.
ADDRESS = re.compile(r"\]\(<?(https?://(?:\\.|\([^\s()]*\)|[^\s()<>\\])*)|<(https?://[^>\s]+)>")


@dataclass(frozen=True)
class Docs:
    """The documentation as nginx serves it."""

    url: str
    root: Path
    log: Path

    def requests(self) -> list[tuple[int, str]]:
        """Status and path of every request so far."""
        lines = (line.split(" ", 2) for line in self.log.read_text().splitlines())
        return [(int(status), path) for status, _, path in lines]


@dataclass(frozen=True)
class Hrefs:
    """What a page links to, and what it shows, as written."""

    pages: list[str]
    images: list[str]


def hrefs_of(file: Path) -> Hrefs:
    """Read a page of Sphinx, whose markup is so regular that no parser is needed: it would take half a minute."""
    pages, images = [], []
    for tag, text in TAG.findall(file.read_text("utf-8")):
        found = {name: html.unescape(value).strip() for name, value in ATTRIBUTE.findall(text)}
        if tag == "img":
            images.append(found["src"])
        elif "href" in found and (tag == "a" or {"next", "prev"} & set(found.get("rel", "").split())):
            pages.append(found["href"])
    return Hrefs(pages, images)


def reachable(docs: Docs) -> dict[str, Hrefs]:
    """Every page that can be reached by links from the front page, and what is in it: found without Quire."""
    found: dict[str, Hrefs] = {}
    waiting, seen = [docs.url], {docs.url}
    while waiting:
        url = waiting.pop()
        file = docs.root / unquote(urlsplit(url).path).lstrip("/")
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file() or file.suffix != ".html":
            continue
        found[url] = hrefs_of(file)
        for href in found[url].pages:
            target = urldefrag(urljoin(url, href)).url
            if target.startswith(docs.url) and target not in seen:
                seen.add(target)
                waiting.append(target)
    return found


def documentation() -> Path | None:
    roots = sorted(Path("/usr/share/doc").glob("python3.*/html/library/index.html"))
    return roots[0].parents[1].resolve() if roots else None


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Docs]:
    root, nginx = documentation(), shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if (root is None or nginx is None) and not os.environ.get("CI"):
        pytest.skip("needs the Debian packages nginx-light and python3-doc")
    assert root, "the Debian package python3-doc is not installed"
    assert nginx, "the Debian package nginx-light is not installed"
    folder = tmp_path / "nginx"
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    config.write_text(CONFIG.format(folder=folder, port=port, root=root, user=user))
    command = [nginx, "-p", str(folder), "-c", str(config)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port, server)
            yield Docs(f"http://127.0.0.1:{port}/", root, folder / "access.log")
        finally:
            server.terminate()


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert server.poll() is None, "nginx did not start"
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError("nginx does not answer")


def targets_in(markdown: str) -> set[str]:
    """The absolute addresses of links and images, outside of code blocks."""
    prose = CODE.sub("", markdown)
    addresses = (match[1] or match[2] for match in ADDRESS.finditer(prose))
    return {comparable(re.sub(r"\\([^\w\s])", r"\1", html.unescape(address))) for address in addresses}


def comparable(address: str) -> str:
    """The address without what makes no difference: escapes, and the slash after a bare host."""
    parts = urlsplit(address)
    return unquote(parts._replace(path=parts.path or "/").geturl())


def test_the_python_documentation_is_mirrored_whole(docs: Docs, mirror: Mirror) -> None:
    """S11, S12, S13, D10, M1: all pages, none twice, none missing; then an update that changes nothing"""
    expected = reachable(docs)
    assert len(expected) >= 500
    options = ("--concurrency", "8", "--per-host", "8", "-q", "--workers", "0")
    finished = mirror(*options, start=docs.url)
    assert finished.status == 0, finished.err

    asked = Counter(path for _, path in docs.requests())
    assert [path for path, times in asked.items() if times > 1] == []
    pages = {page["url"]: page for page in mirror.manifest["pages"]}
    assert pages.keys() == expected.keys()
    assert {path for status, path in docs.requests() if status == 200} >= {urlsplit(url).path for url in expected}

    jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker()).validate(mirror.manifest)
    listed = {unquote(target) for target in links_of_index(mirror.folder / "_index.md")}
    assert listed == {page["path"] for page in pages.values()}
    assert all((mirror.folder / path).is_file() for path in listed)

    number = 0
    for url, hrefs in expected.items():
        allowed = {comparable(urljoin(url, href)) for href in (*hrefs.pages, *hrefs.images)}
        markdown = (mirror.folder / pages[url]["path"]).read_text("utf-8").partition("\n---\n")[2]
        targets = targets_in(markdown)
        assert targets <= allowed, url
        number += len(targets)
    assert number > 50 * len(expected)

    before = mirror.states()
    everything = files_in(mirror.folder).keys()
    # nginx appends, so an emptied log is written from its start.
    docs.log.write_text("")
    finished = mirror(*options, "--update", start=docs.url)
    assert finished.status == 0, finished.err
    paths = {urlsplit(url).path for url in expected}
    assert {status for status, path in docs.requests() if path in paths} == {304}
    assert max(Counter(path for _, path in docs.requests()).values()) == 1
    assert mirror.states() == before
    assert files_in(mirror.folder).keys() == everything
    assert mirror.manifest["changes"] == {"added": [], "changed": [], "removed": []}


def links_of_index(index: Path) -> list[str]:
    return links_of(index.read_text("utf-8"))


def links_of(markdown: str) -> list[str]:
    """Where links lead and images come from, as a parser of Markdown reads it."""
    tokens = (token for token in MarkdownIt().enable("table").parse(markdown) if token.type == "inline")
    children = (child for token in tokens for child in token.children or ())
    return [str(child.attrs[name]) for child in children for name in ("href", "src") if name in child.attrs]


def test_local_links_of_the_python_documentation(docs: Docs, mirror: Mirror) -> None:
    """M7: every link between pages leads to a file, and no other does"""
    pictured = "/library/hashlib.html,/library/pathlib.html,/library/tkinter.messagebox.html,/using/windows.html"
    paths = f"/howto,/tutorial,/reference,/extending,/py-modindex.html,{pictured}"
    options = ("--include-paths", paths, "--links", "local", "--assets", "--concurrency", "8", "--per-host", "8", "-q")
    finished = mirror(*options, "--workers", "0", start=docs.url)
    assert finished.status == 0, finished.err
    urls = {page["url"] for page in mirror.manifest["pages"]}
    shown = {page["url"] for page in mirror.manifest["assets"] if page["status"] == "saved"}
    assert len(urls) > 40
    assert shown
    local = Counter[str]()
    for page in mirror.manifest["pages"]:
        file = mirror.folder / page["path"]
        for target in links_of(file.read_text("utf-8").partition("\n---\n")[2]):
            path = unquote(urldefrag(target).url)
            if "://" in target:
                assert urldefrag(target).url not in urls | shown, (page["url"], target)
            elif path and not target.startswith("mailto:"):
                assert (file.parent / path).is_file(), (page["url"], target)
                local[file.suffix if path.endswith(".md") else "image"] += 1
    assert local[".md"] > 500
    assert local["image"] >= len(pictured.split(","))


@pytest.mark.soak
@pytest.mark.parametrize("options", [(), ("--links", "local", "--assets")])
def test_thirty_kills_of_the_python_documentation_lose_nothing(
    docs: Docs, quire: Quire, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """S5, M7: at random instants, from the first import on"""
    dice = random.Random(527)
    command = ("mirror", docs.url, "--delay", "0", "--concurrency", "8", "--per-host", "8", "-q", *options, "-o")
    killed, whole, asked = tmp_path / "killed", tmp_path / "whole", 0
    for _ in range(30):
        done = settled(killed)
        process = quire.start(*command, killed)
        time.sleep(dice.uniform(0.2, 0.9))
        process.kill()
        process.wait()
        requests = [path for _, path in docs.requests()]
        assert done.isdisjoint(requests[asked:])
        asked = len(requests)
    done = settled(killed)
    assert quire(*command, killed).status == 0
    assert done.isdisjoint(path for _, path in docs.requests()[asked:])
    assert quire(*command, whole).status == 0
    assert lasting(killed) == lasting(whole)
