"""`quire export`, `quire search` and `quire diff`: a mirror for other programs, and what is in it (C6, R13)."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet
from quire_test_site import Quire, Site
from warcio.archiveiterator import ArchiveIterator

QUICK = ("--delay", "0", "--workers", "1", "-q")
TITLE, HEAD = "Tea — Leaves", '<meta name="description" content="All about tea.">'
LINKS = '<nav><a href="/brew/green">1</a> <a href="/brew/black">2</a></nav>'
OTHER_WORDS = "緑茶と紅茶、Earl Greyの茶。Trà Việt, ἄνθος."
FORMATS = ("jsonl", "markdown", "llms", "parquet", "warc")


@pytest.fixture
def mirror(site: Site, quire: Quire, mirror_dir: Path) -> Path:
    front = f"<main><h1>Tea</h1><p>Leaves in <b>hot</b> water.</p></main>{LINKS}"
    site.page("/", front, title=TITLE, head=HEAD)
    site.page("/brew/green", '<h1>Green tea</h1><p>Steep it <a href="/brew/black">longer</a>, at 80 degrees.</p>')
    site.page("/brew/black", f"<p>Black tea may boil. {OTHER_WORDS}</p>", title="Black [tea]")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK).status == 0
    return mirror_dir


def exported(quire: Quire, mirror: Path, form: str) -> bytes:
    target = mirror.parent / f"pages.{form}"
    finished = quire("export", mirror, "--format", form, "-o", target)
    assert (finished.status, finished.out, finished.err) == (0, "", "")
    return target.read_bytes()


def test_a_mirror_is_exported_as_json_lines(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, R13: a page a line, with what is known of it"""
    pages = [json.loads(line) for line in exported(quire, mirror, "jsonl").splitlines()]
    assert [page["url"].removeprefix(site.url) for page in pages] == ["/", "/brew/black", "/brew/green"]
    manifest = json.loads((mirror / "_manifest.json").read_text("utf-8"))
    for page, listed in zip(pages, manifest["pages"], strict=True):
        assert (page["path"], page["content_hash"], page["title"]) == (listed["path"], listed["hash"], listed["title"])
        assert (mirror / page["path"]).read_text("utf-8").endswith(f"---\n\n{page['markdown']}")
    assert pages[0]["description"] == "All about tea."
    assert pages[2]["h1"] == "Green tea"


def test_an_export_goes_to_stdout_unless_a_file_is_named(quire: Quire, mirror: Path) -> None:
    """C6, C10"""
    finished = quire("export", mirror)
    assert finished.status == 0
    assert finished.out.encode() == exported(quire, mirror, "jsonl")


def test_local_links_are_exported_as_addresses(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, M7: a file elsewhere cannot lead to the mirror's files"""
    before = exported(quire, mirror, "jsonl")
    assert quire("mirror", f"{site.url}/", "-o", mirror, "--links", "local", "--update", *QUICK).status == 0
    assert "../black/index.md" in next(mirror.rglob("green/index.md")).read_text("utf-8")
    after = [json.loads(line) for line in exported(quire, mirror, "jsonl").splitlines()]
    assert [page["markdown"] for page in after] == [json.loads(line)["markdown"] for line in before.splitlines()]


def test_a_mirror_is_exported_as_one_markdown_file(site: Site, quire: Quire, mirror: Path) -> None:
    """C6: each page below its title and its address"""
    text = exported(quire, mirror, "markdown").decode()
    assert text.startswith(f"# Tea\n\nSource: <{site.url}/>\n\nLeaves in **hot** water.\n")
    assert f"\n---\n\n# Black [tea]\n\nSource: <{site.url}/brew/black>\n\nBlack tea may boil." in text


def test_a_mirror_is_exported_as_llms_txt(site: Site, quire: Quire, mirror: Path) -> None:
    """C6: the site's name and description, and its pages by folder"""
    assert exported(quire, mirror, "llms").decode() == (
        "# Tea — Leaves\n\n> All about tea.\n\n"
        f"## Pages\n\n- [Tea]({site.url}/): All about tea.\n\n"
        f"## brew\n\n- [Black \\[tea\\]]({site.url}/brew/black)\n- [Green tea]({site.url}/brew/green)\n"
    )


def test_a_mirror_is_exported_as_parquet(quire: Quire, mirror: Path) -> None:
    """C6: the same rows as JSON lines"""
    lines = exported(quire, mirror, "jsonl").splitlines()
    exported(quire, mirror, "parquet")
    table = parquet.read_table(mirror.parent / "pages.parquet")
    assert table.to_pylist() == [json.loads(line) for line in lines]


def test_a_mirror_is_exported_as_warc(site: Site, quire: Quire, mirror: Path) -> None:
    """C6: records of what was converted, with address and time"""
    exported(quire, mirror, "warc")
    with (mirror.parent / "pages.warc").open("rb") as file:
        records = [
            (record.rec_type, record.rec_headers["WARC-Target-URI"], record.content_stream().read().decode())
            for record in ArchiveIterator(file)
        ]
    assert records[0][0] == "warcinfo"
    pages = [json.loads(line) for line in exported(quire, mirror, "jsonl").splitlines()]
    assert records[1:] == [("conversion", page["url"], page["markdown"]) for page in pages]
    assert gzip.decompress((mirror.parent / "pages.warc").read_bytes()).startswith(b"WARC/1.1\r\n")


@pytest.mark.parametrize("form", FORMATS)
def test_a_page_without_its_file_is_left_out_and_counted(form: str, quire: Quire, mirror: Path) -> None:
    """C6, C9, C10"""
    next(mirror.rglob("green/index.md")).unlink()
    finished = quire("export", mirror, "--format", form, "-o", mirror.parent / "pages")
    assert finished.status == 1
    assert "left out 1 page that has no file" in finished.err
    assert (mirror.parent / "pages").stat().st_size > 0


def test_an_update_brings_the_files_that_an_export_missed(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, C9: the next step that is named is one"""
    next(mirror.rglob("green/index.md")).unlink()
    assert "`quire mirror --update` with the same URL fetches what is missing" in quire("export", mirror).err
    assert quire("mirror", f"{site.url}/", "-o", mirror, "--update", *QUICK).status == 0
    assert (quire("export", mirror).status, quire("export", mirror).err) == (0, "")


def test_an_export_takes_the_place_of_no_pipe(quire: Quire, mirror: Path) -> None:
    """C6: a device or a pipe is written to; it is nothing to be replaced"""
    pipe = mirror.parent / "pipe"
    os.mkfifo(pipe)
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        assert quire("export", mirror, "-o", pipe).status == 0
        assert pipe.is_fifo()
        assert reader.read() == quire("export", mirror).out.encode()


def test_an_export_is_written_where_a_link_leads(quire: Quire, mirror: Path) -> None:
    """C6"""
    link, file = mirror.parent / "link.jsonl", mirror.parent / "kept" / "pages.jsonl"
    file.parent.mkdir()
    link.symlink_to(file)
    assert quire("export", mirror, "-o", link).status == 0
    assert link.is_symlink()
    assert file.read_bytes() == quire("export", mirror).out.encode()


def test_an_update_that_was_stopped_hides_no_page(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, S13: what it has not come to is there as it was"""
    before = exported(quire, mirror, "jsonl").splitlines()
    site.page("/", "<p>Not now.</p>", status=403)
    stopped = quire("mirror", f"{site.url}/", "-o", mirror, "--update", "--on-error", "abort", *QUICK)
    assert stopped.status == 1
    assert exported(quire, mirror, "jsonl").splitlines()[-2:] == before[-2:]
    assert found(quire, mirror, "boil") == ["brew/black/index.md"]


def bad_exports(folder: Path) -> Iterator[tuple[list[str | Path], str]]:
    (folder / "file").write_text("")
    yield [folder / "none"], "is not a folder"
    yield [folder], "holds no mirror"
    yield [folder, "--format", "csv"], "invalid choice: 'csv'"
    yield [folder / "mirror", "-o", folder], "is a folder"
    yield [folder / "mirror", "-o", folder / "none" / "x"], "cannot be written"
    yield [folder / "mirror", "-o", folder / "file" / "x"], "cannot be written"


def test_what_cannot_be_exported_is_said_in_a_line(quire: Quire, mirror: Path) -> None:
    """C9, C10: and nothing is left behind"""
    for arguments, cause in bad_exports(mirror.parent):
        before = sorted(mirror.parent.iterdir())
        finished = quire("export", *arguments)
        assert (finished.status, finished.out) == (2, "")
        assert cause in finished.err
        assert len(finished.err.splitlines()) == 1
        assert sorted(mirror.parent.iterdir()) == before


def found(quire: Quire, mirror: Path, *query: str) -> list[str]:
    finished = quire("search", mirror, *query, "--json")
    assert finished.status == (0 if finished.out else 1)
    return [json.loads(line)["path"].partition("/")[2] for line in finished.out.splitlines()]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        (["steep"], ["brew/green/index.md"]),
        (["STEEPING"], ["brew/green/index.md"]),
        (["deg"], ["brew/green/index.md"]),
        (["hot", "leaves"], ["index.md"]),
        (['"hot water"'], ["index.md"]),
        (['"water hot"'], []),
        (["black", "boil"], ["brew/black/index.md"]),
        (["紅茶"], ["brew/black/index.md"]),
        (["紅茶", "boil"], ["brew/black/index.md"]),
        (["紅茶", "leaves"], []),
        (["earl greyの茶"], ["brew/black/index.md"]),
        (["greyの茶"], ["brew/black/index.md"]),
        (["VIỆT"], ["brew/black/index.md"]),
        (["viet"], ["brew/black/index.md"]),
        (["Ἄνθος"], ["brew/black/index.md"]),
        (["nowhere"], []),
        (["http"], []),
        (["NEAR(", "AND"], []),
    ],
)
def test_pages_are_found_by_their_words(query: list[str], paths: list[str], quire: Quire, mirror: Path) -> None:
    """C6, R13: all of them, each as the beginning of a word, and never a traceback"""
    assert found(quire, mirror, *query) == paths


@pytest.mark.parametrize("query", ["", "*", '"', '""', "-", "( : )"])
def test_a_query_without_a_word_is_refused(query: str, quire: Quire, mirror: Path) -> None:
    """C6, C10"""
    finished = quire("search", mirror, "--", query)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err == f"quire: there is no word in {query!r}; give at least one to look for\n"


def test_signs_without_spaces_count_more_in_a_title_too(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6: and then the pages that have them more often"""
    site.page("/", '<h1>A</h1><p>紅茶</p><a href="/b">b</a><a href="/c">c</a>', title="A")
    site.page("/b", "<h1>B</h1><p>紅茶。紅茶。</p>", title="B")
    site.page("/c", "<h1>紅茶</h1><p>C</p>", title="紅茶")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK).status == 0
    assert found(quire, mirror_dir, "紅茶") == ["c/index.md", "b/index.md", "index.md"]


def test_a_snippet_has_signs_as_they_are_read(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6: without the backslashes that Markdown wants"""
    site.page("/", "<h1>Methods</h1><p>Call __init__ with a *star* and <b>bold</b> words.</p>")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK).status == 0
    hit = json.loads(quire("search", mirror_dir, "__init__", "--json").out)
    assert hit["snippet"] == "Methods Call __init__ with a *star* and bold words."


def test_a_title_counts_more_than_a_text(quire: Quire, mirror: Path) -> None:
    """C6"""
    assert found(quire, mirror, "black")[0] == "brew/black/index.md"


def test_what_is_found_is_shown_with_its_place(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, C10"""
    finished = quire("search", mirror, "boil")
    path = next(mirror.rglob("black/index.md"))
    assert finished.out.startswith(f"Black [tea]\n  {site.url}/brew/black\n  {path}\n  Black tea may boil.")
    nothing = quire("search", mirror, "nowhere")
    assert (nothing.status, nothing.out) == (1, "")
    assert "'nowhere'" in nothing.err


def test_a_search_finds_what_the_mirror_has_now(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, S13: changed, new and removed pages"""
    assert found(quire, mirror, "steep") == ["brew/green/index.md"]
    site.page("/", f"<main><h1>Tea</h1><p>Leaves that steep.</p></main>{LINKS.replace('green', 'white')}")
    site.page("/brew/white", "<p>White tea.</p>")
    assert quire("mirror", f"{site.url}/", "-o", mirror, "--update", "--prune", *QUICK).status == 0
    assert found(quire, mirror, "steep") == ["index.md"]
    assert found(quire, mirror, "white") == ["brew/white/index.md"]
    assert found(quire, mirror, "green") == []


def test_a_page_is_found_by_its_new_title(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, S13: also where nothing else of it has changed"""
    assert found(quire, mirror, "leaves") == ["index.md"]
    site.page("/", f"<main><h1>Tea</h1><p>Leaves in <b>hot</b> water.</p></main>{LINKS}", title="Infusions", head=HEAD)
    assert quire("mirror", f"{site.url}/", "-o", mirror, "--update", *QUICK).status == 0
    assert found(quire, mirror, "infusions") == ["index.md"]


def test_a_damaged_index_is_named_and_can_be_made_anew(quire: Quire, mirror: Path) -> None:
    """C6, C10"""
    index = mirror / "_search.sqlite"
    index.write_bytes(b"not a database" * 100)
    finished = quire("search", mirror, "boil")
    assert (finished.status, finished.out) == (2, "")
    assert str(index) in finished.err
    assert "remove it" in finished.err
    index.unlink()
    assert found(quire, mirror, "boil") == ["brew/black/index.md"]


def test_an_index_is_not_written_through_a_link(quire: Quire, mirror: Path) -> None:
    """C6, S3"""
    (mirror / "_search.sqlite").symlink_to(mirror.parent / "elsewhere")
    finished = quire("search", mirror, "boil")
    assert finished.status == 2
    assert "is a link" in finished.err
    assert not (mirror.parent / "elsewhere").exists()


def test_two_mirrors_are_compared(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, R13: what was added, changed and removed"""
    site.page("/", f"<main><h1>Tea</h1><p>Leaves in cold water.</p></main>{LINKS.replace('green', 'white')}")
    site.page("/brew/white", "<p>White tea.</p>")
    newer = mirror.parent / "newer"
    assert quire("mirror", f"{site.url}/", "-o", newer, *QUICK).status == 0
    finished = quire("diff", mirror, newer)
    assert finished.status == 0
    assert finished.err == "1 added, 1 changed, 1 removed, 1 as before\n"
    assert finished.out.splitlines() == [
        f"changed {site.url}/",
        f"removed {site.url}/brew/green",
        f"added   {site.url}/brew/white",
    ]
    texts = quire("diff", mirror, newer, "--text").out.splitlines()
    assert "-Leaves in **hot** water." in texts
    assert "+Leaves in cold water." in texts
    entries = [json.loads(line) for line in quire("diff", mirror, newer, "--json").out.splitlines()]
    assert [entry["change"] for entry in entries] == ["changed", "removed", "added"]


def test_a_mirror_does_not_differ_from_itself(site: Site, quire: Quire, mirror: Path) -> None:
    """C6, M7: links that were made local are no change"""
    local = mirror.parent / "local"
    assert quire("mirror", f"{site.url}/", "-o", local, "--links", "local", *QUICK).status == 0
    finished = quire("diff", mirror, local, "--text")
    assert (finished.status, finished.out, finished.err) == (0, "", "0 added, 0 changed, 0 removed, 3 as before\n")


def test_a_page_without_its_file_is_not_compared(site: Site, quire: Quire, mirror: Path) -> None:
    """C6: it did not lose its text"""
    site.page("/brew/black", "<p>Black tea may brew.</p>", title="Black [tea]")
    newer = mirror.parent / "newer"
    assert quire("mirror", f"{site.url}/", "-o", newer, *QUICK).status == 0
    next(mirror.rglob("black/index.md")).unlink()
    lines = quire("diff", mirror, newer, "--text").out.splitlines()
    assert lines == [f"changed {site.url}/brew/black", f"@@ its file is not in {mirror} @@"]
