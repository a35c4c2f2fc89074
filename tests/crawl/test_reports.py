"""What a crawl tells: the progress, manifest and index scenarios of content-mirroring (S10-S12)."""

from __future__ import annotations

import json
import re
import signal
import time
from typing import TYPE_CHECKING
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from quire_test_site import Quire, Site

from quire.report.manifest import schema

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

LINE = re.compile(r"\[(\d+)/(\d+)\] Processing: (\S+)")


def progress_lines(err: str) -> list[tuple[int, int, str]]:
    found = [LINE.fullmatch(line) for line in err.splitlines() if "Processing:" in line]
    return [(int(match[1]), int(match[2]), match[3]) for match in found if match]


def counted(statistics: dict[str, object]) -> tuple[object, int]:
    """The total, and the sum of the counts of all decisions."""
    names = ("filtered", "processed", "failed", "skipped", "duplicate", "external", "invalid", "pending")
    counts = [statistics[f"{name}_count"] for name in names]
    return statistics["total_urls"], sum(count for count in counts if isinstance(count, int))


def build_a_bit_of_everything(site: Site) -> None:
    site.robots(f"User-agent: *\nDisallow: /private\nSitemap: {site.url}/map.xml")
    site.sitemap("/map.xml", ["/a", "/blog/post", {"loc": "/listed", "lastmod": "2024-01-01", "priority": 0.9}])
    site.page(
        "/",
        '<a href="http://[bad">bad</a> <a href="mailto:x@example.com">mail</a>',
        links=["/a", "/broken", "/missing", "/private/x", "/old", "/copy", "/paper", "/x.pdf", "http://127.0.0.9/"],
    )
    site.page("/a", "<p>A</p>")
    site.page("/listed", "<p>Listed</p>", etag=True)
    site.page("/blog/post", "<p>Post</p>")
    site.page("/broken", status=500)
    site.redirect("/old", "/a")
    site.page("/copy", "<p>A</p>", head='<link rel="canonical" href="/a">')
    site.raw("/paper", b"%PDF", "application/pdf")


def test_manifest_creation(site: Site, mirror: Mirror) -> None:
    """S11, R7, F7: valid against the published schema; every URL seen has one decision, and the counts add up"""
    build_a_bit_of_everything(site)
    finished = mirror("--exclude-paths", "/blog")
    assert finished.status == 1
    manifest = mirror.manifest
    jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker()).validate(manifest)
    assert manifest["version"] == "1.0"
    assert manifest["crawl"]["start"] == [f"{site.url}/"]
    assert manifest["crawl"]["complete"] is True
    assert manifest["filters_applied"] == {"exclude_paths": "/blog"}
    assert manifest["filtered_urls"] == [f"{site.url}/blog/post"]
    assert set(mirror.pages) == {"/", "/a", "/listed"}
    assert mirror.listed("failed") == {"/broken": "http-500"}
    assert mirror.listed("duplicates") == {"/old": "redirect", "/copy": "canonical"}
    assert mirror.listed("skipped") == {
        "/missing": "not-found",
        "/private/x": "robots",
        "/paper": "content-type",
        "/x.pdf": "extension",
    }
    statistics = mirror.statistics
    total, together = counted(statistics)
    assert total == together == 13
    assert statistics["total_urls_in_sitemap"] == 3
    assert statistics["filtered_by"] == {"exclude-paths": 1}
    assert statistics["skipped_by"] == {"not-found": 1, "robots": 1, "content-type": 1, "extension": 1}
    assert (statistics["external_count"], statistics["invalid_count"]) == (1, 1)
    for page in manifest["pages"]:
        file = mirror.folder / page["path"]
        assert file.stat().st_size == page["size"]
        assert page["status"] == "saved"
    assert mirror.pages["/listed"]["lastmod"] == "2024-01-01"
    assert mirror.pages["/listed"]["etag"]
    assert len(list((mirror.folder / mirror.host).rglob("*.md"))) == 3


def test_a_manifest_is_valid_however_the_crawl_ended(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S11, C9: interrupted, limited, without a page, updated"""
    validator = jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker())
    mirror.crawl("/nothing-here")
    validator.validate(mirror.manifest)
    site.grow(40, 4)
    mirror.crawl(fresh=True, max_pages=3)
    validator.validate(mirror.manifest)
    assert counted(mirror.statistics)[0] == counted(mirror.statistics)[1]
    site.hang("/p/20")
    process = quire.start("mirror", *mirror.command())
    site.wait(path="/p/20")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 130
    validator.validate(mirror.manifest)
    assert mirror.manifest["crawl"]["complete"] is False
    assert mirror.manifest["crawl"]["stopped_by"]
    site.release("/p/20")
    mirror.crawl()
    mirror.crawl(update=True)
    validator.validate(mirror.manifest)
    assert mirror.manifest["crawl"]["number"] == 2


def test_index_creation(site: Site, mirror: Mirror) -> None:
    """S12: grouped by path, each link leads to a file, and every page is there once"""
    odd = [
        "/docs/a",
        "/docs/a/b",
        "/docs/q?x=1",
        "/docs/%25",
        "/docs/caf%C3%A9",
        "/docs/(x)",
        "/docs/a%20b",
        "/docs/[y]",
    ]
    site.page("/", title="Home", links=["/docs/", "/blog/2024/post", *odd])
    for path in ("/docs/", "/blog/2024/post", *odd):
        site.page(path, f"<p>{path}</p>", title=f"The [page] *{path}*")
    mirror.crawl()
    text = (mirror.folder / "_index.md").read_text("utf-8")
    tokens = [token for token in MarkdownIt().parse(text) if token.type == "inline"]
    targets = [
        str(child.attrs["href"]) for token in tokens for child in token.children or () if child.type == "link_open"
    ]
    assert sorted(map(unquote, targets)) == sorted(page["path"] for page in mirror.manifest["pages"])
    assert all((mirror.folder / unquote(target)).is_file() for target in targets)
    lines = text.splitlines()
    depth = {target: len(line) - len(line.lstrip()) for line in lines for target in targets if f"({target})" in line}
    home = f"{mirror.host}/index.md"
    below = [f"{mirror.host}/docs/index.md", f"{mirror.host}/docs/a/index.md", f"{mirror.host}/docs/a/b/index.md"]
    assert depth[below[0]] < depth[below[1]] < depth[below[2]]
    assert targets.index(home) < targets.index(below[0]) < targets.index(below[1]) < targets.index(below[2])


def test_stderr_progress_output(site: Site, mirror: Mirror) -> None:
    """S10, C10: `[{processed}/{total}] Processing: {url}`, and nothing on stdout"""
    site.page("/", "<p>Home</p>")
    site.sitemap("/sitemap.xml", ["/", "/a", "/b", "/c"])
    for path in ("/a", "/b", "/c"):
        site.page(path, f"<p>{path}</p>")
    finished = mirror("--concurrency", "1")
    assert finished.out == ""
    assert progress_lines(finished.err) == [
        (1, 1, f"{site.url}/"),
        (2, 4, f"{site.url}/a"),
        (3, 4, f"{site.url}/b"),
        (4, 4, f"{site.url}/c"),
    ]


def test_progress_counts_urls_not_requests(site: Site, mirror: Mirror) -> None:
    """S10: with many at once, retries, redirects and refusals, the last line is all of them"""
    site.robots("User-agent: *\nDisallow: /private")
    paths = [f"/{number}" for number in range(12)]
    site.page("/", links=[*paths, "/flaky", "/docs", "/private"])
    for path in paths:
        site.page(path, f"<p>{path}</p>")
    site.page("/flaky", "<p>Flaky</p>")
    site.reset("/flaky", times=2)
    site.redirect("/docs", "/docs/")
    site.page("/docs/", "<p>Docs</p>")
    finished = mirror("--retry-delay", "0.05")
    lines = progress_lines(finished.err)
    assert all(number <= total for number, total, _ in lines)
    assert [number for number, _, _ in lines] == sorted(number for number, _, _ in lines)
    assert max(total for _, total, _ in lines) <= 16
    assert lines[1][1] >= 14


def test_quiet_says_only_what_went_wrong(site: Site, mirror: Mirror) -> None:
    """C10"""
    site.page("/", links=["/broken", "/a"])
    site.page("/a", "<p>A</p>")
    site.page("/broken", status=500)
    finished = mirror("-q")
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert f"{site.url}/broken" in line
    assert "500" in line


def test_progress_file_updates(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S10: `_progress.json` at least every 100 URLs, and at the end"""
    site.page("/", links=[f"/{number}" for number in range(130)] + ["/last"])
    for number in range(130):
        site.page(f"/{number}", f"<p>{number}</p>")
    site.page("/last", "<p>The last</p>")
    site.hang("/last")
    process = quire.start("mirror", *mirror.command("--concurrency", "1", "-q"))
    site.wait(path="/last")
    progress = json.loads((mirror.folder / "_progress.json").read_bytes())
    assert progress.keys() == {"processed", "total", "elapsed_sec", "eta_sec"}
    assert 100 <= progress["processed"] <= 131
    assert progress["total"] == 132
    assert progress["elapsed_sec"] > 0
    assert progress["eta_sec"] >= 0
    site.release("/last")
    assert process.wait(30) == 0
    progress = json.loads((mirror.folder / "_progress.json").read_bytes())
    assert (progress["processed"], progress["total"]) == (132, 132)
    assert progress["eta_sec"] == 0


def test_the_progress_file_is_written_while_nothing_moves(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S10: at least every 5 s, also while the only request under way takes long"""
    site.page("/", links=["/slow"])
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    process = quire.start("mirror", *mirror.command("-q"))
    site.wait(path="/slow")
    path = mirror.folder / "_progress.json"
    patience = time.monotonic() + 6.5
    while not path.exists() and time.monotonic() < patience:
        time.sleep(0.05)
    written = path.exists()
    site.release("/slow")
    assert process.wait(30) == 0
    assert written
