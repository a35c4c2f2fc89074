"""The mirror's files: whole, inside the folder, and not through any link."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quire.errors import CrawlError, GuardStop, UnsafePath, UsageError
from quire.store.files import MirrorFiles
from quire.store.paths import page_path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


@pytest.fixture
def files(root: Path) -> Iterator[MirrorFiles]:
    files = MirrorFiles(root)
    files.create()
    yield files
    files.close()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the mirror, with a file that must stay as it is."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "index.md").write_bytes(b"theirs")
    return folder


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_a_page_is_written_read_and_replaced(files: MirrorFiles, root: Path) -> None:
    """S1, S3"""
    files.write("example.com/a/index.md", b"one")
    assert files.read("example.com/a/index.md") == b"one"
    files.write("example.com/a/index.md", b"two")
    assert (root / "example.com/a/index.md").read_bytes() == b"two"
    assert files_below(root) == ["example.com/a/index.md"]


def test_every_page_path_can_be_written(files: MirrorFiles) -> None:
    """S2, S3"""
    for url in (
        "https://example.com" + "/a" * 900,
        "https://example.com" + f"/{'b' * 150}" * 12,
        "https://example.com/" + "%E3%83%A1" * 200 + "/" + "%F0%9F%98%80" * 100,
        "https://example.com/" + "x" * 1900,
    ):
        files.write(page_path(url), url.encode())
        assert files.read(page_path(url)) == url.encode()


def test_what_is_not_there_is_none(files: MirrorFiles) -> None:
    """S3"""
    assert files.read("example.com/index.md") is None
    assert files.stat("example.com/index.md") is None
    files.remove("example.com/index.md")


def test_stat_tells_size_and_time(files: MirrorFiles) -> None:
    """S13, R7"""
    files.write("a.md", b"12345")
    status = files.stat("a.md")
    assert status is not None
    assert status.st_size == 5
    assert abs(status.st_mtime - time.time()) < 60


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "/etc/passwd", "../x.md", "a/../../x.md", "a/./x.md", "a//x.md", "a/", "/", "a\0b", "\ud800.md"],
)
def test_a_path_that_is_not_plain_is_refused(files: MirrorFiles, root: Path, path: str) -> None:
    """S3"""
    calls: list[Callable[[], object]] = [
        lambda: files.write(path, b""),
        lambda: files.append(path, b""),
        lambda: files.read(path),
        lambda: files.stat(path),
        lambda: files.remove(path),
        lambda: files.rename(path, "ok.md"),
        lambda: files.rename("ok.md", path),
    ]
    for call in calls:
        with pytest.raises(UnsafePath):
            call()
    assert files_below(root.parent) == []


@pytest.mark.parametrize("link", ["example.com", "example.com/a", "example.com/a/b"])
def test_symlink_escape_prevention_in_folders(files: MirrorFiles, root: Path, outside: Path, link: str) -> None:
    """S3"""
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(outside)
    path = "example.com/a/b/index.md"
    files.write("other.md", b"mine")
    calls: list[Callable[[], object]] = [
        lambda: files.write(path, b"ours"),
        lambda: files.append(path, b"ours"),
        lambda: files.read(path),
        lambda: files.stat(path),
        lambda: files.remove(path),
        lambda: files.rename(path, "x.md"),
        lambda: files.rename("other.md", path),
    ]
    for call in calls:
        with pytest.raises(UnsafePath):
            call()
    assert files_below(outside) == ["index.md"]
    assert (outside / "index.md").read_bytes() == b"theirs"


@pytest.mark.parametrize("target", ["../outside/index.md", "../outside/new.md", "index.md", "loop.md"])
def test_symlink_escape_prevention_at_the_file(files: MirrorFiles, root: Path, outside: Path, target: str) -> None:
    """S3"""
    (root / "loop.md").symlink_to(target)
    for change in (files.write, files.append):
        with pytest.raises(UnsafePath):
            change("loop.md", b"ours")
    for read in (files.read, files.stat):
        with pytest.raises(UnsafePath):
            read("loop.md")
    assert files_below(outside) == ["index.md"]
    assert (outside / "index.md").read_bytes() == b"theirs"


def test_a_link_to_nowhere_is_not_made_a_folder(files: MirrorFiles, root: Path) -> None:
    """S3"""
    (root / "example.com").symlink_to("../missing")
    with pytest.raises(UnsafePath):
        files.write("example.com/index.md", b"ours")
    assert not (root.parent / "missing").exists()


def test_removing_a_link_removes_the_link_only(files: MirrorFiles, root: Path, outside: Path) -> None:
    """S3"""
    (root / "link.md").symlink_to(outside / "index.md")
    files.remove("link.md")
    assert files_below(root) == []
    assert (outside / "index.md").read_bytes() == b"theirs"


def test_a_folder_replaced_by_a_link_between_two_writes_is_noticed(
    files: MirrorFiles, root: Path, outside: Path
) -> None:
    """S3"""
    files.write("example.com/a/index.md", b"one")
    (root / "example.com/a").rename(root / "moved")
    (root / "example.com/a").symlink_to(outside)
    with pytest.raises(UnsafePath):
        files.write("example.com/a/index.md", b"two")
    assert (root / "moved/index.md").read_bytes() == b"one"
    assert (outside / "index.md").read_bytes() == b"theirs"


def test_a_folder_removed_between_two_writes_is_made_again(files: MirrorFiles, root: Path) -> None:
    """S3"""
    files.write("example.com/a/index.md", b"one")
    shutil.rmtree(root / "example.com")
    files.write("example.com/a/index.md", b"two")
    assert files.read("example.com/a/index.md") == b"two"


def test_the_root_may_be_reached_through_a_link_which_is_resolved_once(tmp_path: Path, outside: Path) -> None:
    """S3"""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    files = MirrorFiles(tmp_path / "link")
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(outside)
    files.write("new.md", b"ours")
    files.close()
    assert (tmp_path / "real/new.md").read_bytes() == b"ours"
    assert files_below(outside) == ["index.md"]


def test_a_hard_links_other_name_keeps_its_bytes(files: MirrorFiles, root: Path, outside: Path) -> None:
    """S3"""
    (root / "index.md").hardlink_to(outside / "index.md")
    files.write("index.md", b"ours")
    assert files.read("index.md") == b"ours"
    assert (outside / "index.md").read_bytes() == b"theirs"


def test_a_folder_in_a_files_place_fails_the_page_only(files: MirrorFiles, root: Path) -> None:
    """S3"""
    (root / "a.md").mkdir()
    with pytest.raises(UnsafePath):
        files.write("a.md", b"")
    with pytest.raises(UnsafePath):
        files.remove("a.md")
    assert files_below(root) == []


def test_a_file_in_a_folders_place_fails_the_page_only(files: MirrorFiles) -> None:
    """S3"""
    files.write("a", b"")
    with pytest.raises(UnsafePath, match=r"a/b\.md cannot be written: Not a directory"):
        files.write("a/b.md", b"")


def test_a_name_too_long_for_the_disk_fails_the_page_only(files: MirrorFiles) -> None:
    """S2"""
    with pytest.raises(UnsafePath):
        files.write("x" * 256, b"")


def test_a_pipe_in_a_files_place_does_not_hang(files: MirrorFiles, root: Path) -> None:
    """S3"""
    os.mkfifo(root / "a.md")
    for change in (files.write, files.append):
        with pytest.raises(UnsafePath):
            change("a.md", b"")
    with pytest.raises(UnsafePath):
        files.read("a.md")


def test_appended_lines_follow_each_other(files: MirrorFiles, root: Path) -> None:
    """S4, S7"""
    files.append("_processed.txt", b"one\n")
    files.append("_processed.txt", b"two\n")
    assert (root / "_processed.txt").read_bytes() == b"one\ntwo\n"


def test_rename_replaces_and_makes_folders(files: MirrorFiles, root: Path) -> None:
    """S6"""
    files.write("_state", b"broken")
    files.write("old/_state.corrupt", b"older")
    files.rename("_state", "old/_state.corrupt")
    assert files_below(root) == ["old/_state.corrupt"]
    assert files.read("old/_state.corrupt") == b"broken"
    with pytest.raises(CrawlError):
        files.rename("_state", "x")


def test_remove_takes_empty_folders_along_but_never_the_root(files: MirrorFiles, root: Path) -> None:
    """S13"""
    files.write("example.com/a/b/index.md", b"")
    files.write("example.com/index.md", b"")
    files.remove("example.com/a/b/index.md")
    assert [path.name for path in (root / "example.com").iterdir()] == ["index.md"]
    files.remove("example.com/index.md")
    assert list(root.iterdir()) == []


def test_a_full_disk_stops_the_crawl_and_leaves_the_old_page(
    files: MirrorFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S3, S8"""
    files.write("a.md", b"old")

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(GuardStop, match=r"a\.md cannot be written: No space left on device; free some space"):
        files.write("a.md", b"new")
    monkeypatch.undo()
    assert files.read("a.md") == b"old"
    assert files_below(root) == ["a.md"]


def test_short_writes_are_continued(files: MirrorFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """S3"""
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:7]))
    files.write("a.md", bytes(range(100)))
    assert files.read("a.md") == bytes(range(100))


def test_free_bytes_are_those_of_the_disk(files: MirrorFiles, root: Path) -> None:
    """S8"""
    assert 0 < files.free_bytes() <= shutil.disk_usage(root).total


def test_a_mirror_that_vanishes_stops_the_crawl(files: MirrorFiles, root: Path) -> None:
    """S3, C10"""
    shutil.rmtree(root)
    with pytest.raises(CrawlError, match=r"cannot be written: No such file .*; make sure that the folder is there"):
        files.write("a/b.md", b"")
    assert files.read("a/b.md") is None


def test_a_mirror_that_is_not_there_can_be_created_or_is_said(tmp_path: Path) -> None:
    """C10"""
    files = MirrorFiles(tmp_path / "a/b")
    with pytest.raises(CrawlError, match="there is no such folder"):
        files.write("a.md", b"")
    files.create()
    files.create()
    files.write("a.md", b"")
    files.close()
    files.close()
    assert files_below(tmp_path) == ["a/b/a.md"]


@pytest.mark.parametrize("name", ["file", "loop", "a\0b", "file/below"])
def test_a_root_that_can_be_no_folder_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """C9, C10"""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError, match="cannot be the mirror's folder"):
        MirrorFiles(f"{tmp_path}/{name}").create()


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_the_sweep_takes_what_dead_crawls_left_and_nothing_else(files: MirrorFiles, root: Path, outside: Path) -> None:
    """S3, S5"""
    dead, alive, old = f".quire-{dead_process()}-3.tmp", f".quire-{os.getpid()}-999999.tmp", ".quire-1-8.tmp"
    for name in (dead, alive, old, ".quire-x.tmp", "index.md"):
        files.write(f"example.com/a/{name}", b"")
    os.utime(root / "example.com/a" / old, (0, 0))
    (outside / dead).write_bytes(b"")
    (root / "link").symlink_to(outside)
    (root / dead).write_bytes(b"")
    assert files.sweep_temporary() == 3
    assert files_below(root / "example.com/a") == sorted([alive, ".quire-x.tmp", "index.md"])
    assert files_below(outside) == sorted([dead, "index.md"])


def test_the_sweep_takes_what_a_process_left_that_nobody_waits_for(files: MirrorFiles, root: Path) -> None:
    """S5: in a container the first process may never ask how orphans ended"""
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    files.write(f".quire-{process.pid}-1.tmp", b"")
    assert files.sweep_temporary() == 1
    process.wait()


def test_the_sweep_reaches_the_deepest_page(files: MirrorFiles, root: Path) -> None:
    """S2, S5"""
    deepest = f"_skipped/{page_path('https://example.com' + '/a' * 900)}"
    left_over = f"{deepest.rpartition('/')[0]}/.quire-{dead_process()}-1.tmp"
    files.write(left_over, b"")
    assert files.sweep_temporary() == 1


def test_a_dead_crawls_temporary_file_of_the_same_process_number_is_no_hindrance(
    files: MirrorFiles, root: Path
) -> None:
    """S5"""
    script = (
        "import os, sys; from quire.store.files import MirrorFiles\n"
        "for n in range(20): open(f'{sys.argv[1]}/.quire-{os.getpid()}-{n}.tmp', 'x').close()\n"
        "MirrorFiles(sys.argv[1]).write('a.md', b'ours')\n"
    )
    subprocess.run([sys.executable, "-c", script, str(root)], check=True)
    assert files.read("a.md") == b"ours"


def test_two_processes_write_at_once(files: MirrorFiles, root: Path) -> None:
    """S3, X1"""
    script = (
        "import sys; from quire.store.files import MirrorFiles\n"
        "files = MirrorFiles(sys.argv[1])\n"
        "for n in range(300):\n"
        "    files.write(f'example.com/{n}/{sys.argv[2]}.md', sys.argv[2].encode() * 5000)\n"
        "    files.append('_processed.txt', f'{sys.argv[2]} {n}\\n'.encode())\n"
    )
    workers = [subprocess.Popen([sys.executable, "-c", script, str(root), name]) for name in "ab"]
    assert [worker.wait() for worker in workers] == [0, 0]
    for name in "ab":
        assert all(files.read(f"example.com/{n}/{name}.md") == name.encode() * 5000 for n in range(300))
    assert len(set((root / "_processed.txt").read_text().splitlines())) == 600
    assert len(files_below(root)) == 601


def test_a_write_succeeds_while_its_folder_is_being_emptied(files: MirrorFiles) -> None:
    """S3"""
    done = threading.Event()

    def come_and_go() -> None:
        while not done.is_set():
            files.write("a/b/other.md", b"")
            files.remove("a/b/other.md")

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for _ in range(300):
            files.write("a/b/index.md", b"ours")
            assert files.read("a/b/index.md") == b"ours"
            files.remove("a/b/index.md")
    finally:
        done.set()
        thread.join()


def test_a_reader_sees_the_old_page_or_the_new_one(files: MirrorFiles) -> None:
    """S3"""
    pages = {bytes([letter]) * 50_000 for letter in b"ab"}
    files.write("a.md", b"a" * 50_000)
    done = threading.Event()

    def rewrite() -> None:
        while not done.is_set():
            for page in pages:
                files.write("a.md", page)

    thread = threading.Thread(target=rewrite)
    thread.start()
    try:
        assert all(files.read("a.md") in pages for _ in range(300))
    finally:
        done.set()
        thread.join()
