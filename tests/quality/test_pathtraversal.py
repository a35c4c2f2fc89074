"""Every known traversal payload, in every place of a URL, stays inside the mirror and has a file of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from quire import urls
from quire.store.files import MirrorFiles
from quire.store.paths import collision_key, page_path, placeholder_path, with_suffix

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "sec-pathtraversal"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is not there")

PLACES = {
    "path": "https://example.com/{raw}",
    "inner path": "https://example.com/docs/{raw}/page",
    "segment": "https://example.com/{quoted}",
    "inner segment": "https://example.com/docs/{quoted}/page",
    "query": "https://example.com/docs?{raw}",
    "quoted query": "https://example.com/docs?file={quoted}",
    "host": "https://{raw}/",
    "port": "https://example.com:{raw}/",
}


def payloads() -> Iterator[str]:
    for file in sorted(DATA.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["payload"]


def pages(place: str) -> dict[str, str]:
    """Return the URLs of the payloads that parse, by what tells pages apart."""
    found: dict[str, str] = {}
    for payload in payloads():
        url = PLACES[place].format(raw=payload, quoted=quote(payload, safe="", errors="surrogatepass"))
        normal = urls.normalise(url)
        if normal is not None:
            found[normal.partition("://")[2]] = normal
    return found


@pytest.mark.parametrize("place", PLACES)
def test_every_payload_maps_into_the_mirror_and_to_a_path_of_its_own(place: str) -> None:
    """S2, S3, U10"""
    found = pages(place)
    paths = {page_path(url) for url in found.values()}
    assert len(paths) == len(found)
    for path in paths:
        names = path.split("/")
        assert not {"", ".", ".."} & set(names)
        assert not path.startswith("_")
        assert all(name[-1] not in ". " and not set(name) & set('<>:"|?*\\\0') for name in names)
        assert all(len(name) <= 200 and len(name.encode()) <= 240 for name in names)
        assert len(path.encode()) <= 1000
    assert len(found) >= (1000 if place in ("host", "port") else 4500)


@pytest.mark.parametrize("place", ["path", "segment", "quoted query", "host"])
def test_every_payload_is_written_inside_the_mirror(place: str, tmp_path: Path) -> None:
    """S2, S3"""
    root = tmp_path / "mirror"
    files = MirrorFiles(root)
    files.create()
    written: dict[str, tuple[str, str]] = {}
    for url in pages(place).values():
        for path in (page_path(url), placeholder_path("_failed", url)):
            free = path
            while collision_key(free) in written:
                free = with_suffix(free, url)
            files.write(free, url.encode())
            written[collision_key(free)] = free, url
    assert all(files.read(path) == url.encode() for path, url in written.values())
    files.close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["mirror"]
    on_disk = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert on_disk == {path for path, _ in written.values()}
