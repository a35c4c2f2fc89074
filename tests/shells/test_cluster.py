"""Many machines: one crawl for each host, wherever it runs, and whatever dies (X2)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Finished, Quire, Site
from quire_test_site.crashes import lasting, settled
from quire_test_site.processes import living
from quire_test_site.ray_cluster import RayCluster, end_group, states, until

PAGES = 40
FAST = ("--delay", "0", "--concurrency", "4", "--per-host", "4", "--render", "never")
# So that there is a middle of the crawl to strike in.
STEADY = ("--delay", "0.05", *FAST[2:])
HOSTS = ("127.0.0.1", "127.0.0.2")


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with RayCluster() as cluster:
        yield cluster


class Clustered:
    """The command on the test's cluster, over some of the site's hosts, into one folder."""

    def __init__(self, quire: Quire, cluster: RayCluster, site: Site, output: Path) -> None:
        cluster.have(2)
        self.quire = quire
        self.output = output
        self.site = site
        self.address = cluster.address

    def command(self, *hosts: str, options: tuple[str, ...] = FAST) -> tuple[str, ...]:
        starts = [host if "://" in host else f"{self.site.url_on(host)}/" for host in hosts]
        return "cluster", *starts, "--address", self.address, "-o", str(self.output), *options

    def __call__(self, *hosts: str, options: tuple[str, ...] = FAST) -> Finished:
        return self.quire(*self.command(*hosts, options=options))

    def start(self, *hosts: str, options: tuple[str, ...] = FAST) -> subprocess.Popen[str]:
        return self.quire.start(*self.command(*hosts, options=options))

    def mirror(self, host: str) -> Path:
        return self.output / f"{host}_{self.site.port}"

    def overview(self) -> Any:
        return json.loads((self.output / "_cluster.json").read_bytes())

    def equals_a_plain_mirror(self, host: str) -> bool:
        """Whether the host's mirror is what `quire mirror` makes."""
        plain = self.output.with_name(f"plain-{host}")
        assert self.quire("mirror", f"{self.site.url_on(host)}/", "-o", plain, *FAST, "-q").status == 0
        return lasting(self.mirror(host)) == lasting(plain)


@pytest.fixture
def clustered(quire: Quire, cluster: RayCluster, site: Site, tmp_path: Path) -> Clustered:
    return Clustered(quire, cluster, site, tmp_path / "out")


def hear(process: subprocess.Popen[str], text: str) -> str:
    """Read what a run says up to the line that has this text."""
    assert process.stderr
    heard = ""
    while line := process.stderr.readline():
        heard += line
        if text in line:
            return heard
    raise AssertionError(f"it ended without saying {text!r}:\n{heard}")


def test_one_machine_mirrors_many_hosts(quire: Quire, site: Site, tmp_path: Path) -> None:
    """X2, R6, C9: a mirror for each host, by a Ray that obeys nobody else; one that cannot be had is counted"""
    site.grow(8)
    site.hang("/p/7")
    left = Path(tempfile.mkdtemp(prefix="quire-ray-"))
    (left / "quire.lock").touch()
    (tmp_path / "urls.txt").write_text(f"# sites\n{site.url_on('127.0.0.2')}/\n\n{site.url}/p/0\nhttp://127.0.0.9:9/\n")
    command = ("cluster", f"{site.url}/", "--urls-from", "urls.txt", "-o", "out", *FAST, "--retries", "0")
    process = quire.start(*command, env={"RAY_AUTH_MODE": "disabled"})
    # Ray's own start is part of it.
    site.wait(2, path="/p/7", timeout=90)
    (head,) = living(psutil.Process(process.pid).children(), "gcs_server")
    assert head.environ()["RAY_AUTH_MODE"] == "token"
    assert len(head.environ()["RAY_AUTH_TOKEN"]) == 64
    # Of a run that was killed.
    assert not left.exists()
    site.release("/p/7")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, err
    assert out == ""
    assert "Traceback" not in err
    assert "2 of 3 hosts finished" in err
    assert "Failed: 127.0.0.9:9 (nothing was saved" in err
    overview = json.loads((tmp_path / "out/_cluster.json").read_bytes())
    assert overview["counts"] == {"finished": 2, "failed": 1}
    assert overview["pages"] == 18
    port = site.port
    assert [each["folder"] for each in overview["hosts"]] == [f"127.0.0.1_{port}", f"127.0.0.2_{port}", "127.0.0.9_9"]
    assert overview["hosts"][0]["start"] == [f"{site.url}/", f"{site.url}/p/0"]
    assert "refused" in overview["hosts"][2]["detail"]
    assert (tmp_path / f"out/127.0.0.2_{port}/127.0.0.2_{port}/p/7/index.md").exists()


def test_a_finished_host_is_asked_nothing_unless_to_update(clustered: Clustered, site: Site) -> None:
    """X2, S13: other hosts may join, other settings make Quire look again, and pages that failed are tried again"""
    site.grow(5)
    site.fail(f"{site.url_on('127.0.0.2')}/p/3", times=1, status=500)
    assert clustered("127.0.0.1", "127.0.0.2").status == 1
    site.clear()
    again = clustered(*HOSTS, "127.0.0.3")
    assert again.status == 0, again.err
    assert "Going on: 1 of 3 hosts are done already" in again.err
    assert site.paths("127.0.0.1") == []
    assert site.asked("127.0.0.2") == ["/p/3"]
    site.clear()
    assert clustered(*HOSTS, "127.0.0.3").status == 0
    assert site.paths() == []
    site.page("/p/new", "<p>New</p>")
    site.page("/", "<h1>Start</h1>", links=["/p/0", "/p/new"])
    assert clustered(*HOSTS, options=(*FAST, "--update")).status == 0
    overview = clustered.overview()
    assert sum(host["pages"] for host in overview["hosts"] if host["named"]) == 14
    # The third host is still there.
    assert (overview["pages"], overview["counts"]) == (20, {"finished": 3})
    other = clustered(*HOSTS, options=(*FAST, "--exclude-paths", "/p/new"))
    assert other.status == 0
    assert "done already" not in other.err


def test_a_host_is_asked_from_one_place_at_a_time(clustered: Clustered, site: Site) -> None:
    """X2, P3, R1: also where the start of another site leads to it, on another machine"""
    for path in ("/docs", "/landing"):
        site.page(f"{path}/", links=[f"{path}/{each}" for each in range(15)])
        for each in range(15):
            site.page(f"{path}/{each}", f"<p>{path} {each}</p>")
            site.delay(f"{path}/{each}", 0.05)
    start = f"{site.url_on('127.0.0.1')}/docs/"
    moved = f"{site.url_on('127.0.0.2')}/"
    site.redirect(moved, f"{site.url_on('127.0.0.1')}/landing/")
    options = (
        "--delay",
        "0.02",
        "--per-host",
        "1",
        "--render",
        "never",
        "--crawls-per-machine",
        "1",
        "--allow-private",
    )
    finished = clustered(start, moved, options=options)
    assert finished.status == 0, finished.err
    paths = site.asked("127.0.0.1")
    sections = [section for section, _ in groupby(path.split("/")[1] for path in paths)]
    assert sorted(sections) == ["docs", "landing"]
    assert len(paths) == 32
    assert site.peak("127.0.0.1") == 1


def test_every_machine_has_its_share(clustered: Clustered, cluster: RayCluster, site: Site) -> None:
    """X2: hosts are crawled side by side, on each machine as many as it may"""
    site.grow(3)
    hosts = (*HOSTS, "127.0.0.3")
    for host in hosts:
        site.hang(f"{site.url_on(host)}/p/1")
    process = clustered.start(*hosts, options=(*FAST, "--crawls-per-machine", "1"))
    until(lambda: len([hit for hit in site.hits if hit.path == "/p/1"]) == 2)
    crawls = cluster.crawling()
    assert len({id(machine) for machine, _ in crawls}) == len(crawls) == 2
    # However many hosts there are, Ray's head is told once what a look and what a crawl is.
    assert len(cluster.functions()) == 2
    for host in hosts:
        site.release(f"{site.url_on(host)}/p/1")
    assert process.wait(60) == 0


@pytest.mark.parametrize("victim", ["worker", "machine"])
def test_a_killed_worker_or_machine_loses_nothing(
    clustered: Clustered, cluster: RayCluster, site: Site, victim: str
) -> None:
    """X2, S5: others go on from the mirrors; nothing settled is asked for again; the result is the same"""
    site.grow(PAGES, 4)
    process = clustered.start(*HOSTS, options=STEADY)
    site.wait(40)
    machine, crawl = until(cluster.crawling)[0]
    if victim == "worker":
        crawl.kill()
    else:
        cluster.kill(machine)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    assert out == ""
    assert "its worker died; it goes on where it was" in err
    assert "raylet" not in err
    assert "Traceback" not in err
    assert sum(each["deaths"] for each in clustered.overview()["hosts"]) >= 1
    for host in HOSTS:
        asked = [hit.path for hit in site.hits if hit.host == host and hit.path.startswith("/p/")]
        # What was under way when it died is asked for a second time, and nothing else.
        assert len(asked) - len(set(asked)) <= 4
    assert all(map(clustered.equals_a_plain_mirror, HOSTS))


def test_a_killed_leader_loses_nothing(clustered: Clustered, cluster: RayCluster, site: Site) -> None:
    """X2, S5: its crawls end with it; the same command goes on"""
    site.grow(PAGES, 4)
    process = clustered.start(*HOSTS, options=STEADY)
    site.wait(40)
    process.kill()
    process.wait()
    until(lambda: not cluster.crawling())
    done = {host: settled(clustered.mirror(host)) for host in HOSTS}
    assert any(done.values())
    site.clear()
    finished = clustered(*HOSTS, options=STEADY)
    assert finished.status == 0, finished.err
    for host in HOSTS:
        assert done[host].isdisjoint(site.paths(host))
    assert all(map(clustered.equals_a_plain_mirror, HOSTS))


def test_a_signal_stops_the_run_in_order(clustered: Clustered, site: Site) -> None:
    """X2, C9: every crawl saves its state and says that it was stopped; the same command goes on"""
    site.grow(PAGES, 4)
    process = clustered.start(*HOSTS, options=STEADY)
    site.wait(40)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Stopping: the state is saved, the same command goes on from here" in err
    assert clustered.overview()["state"] == "stopped"
    found = states(clustered.output)
    assert "stopped" in found.values()
    assert set(found.values()) <= {"stopped", "waiting", "finished"}
    for host in HOSTS:
        if found[host] == "stopped":
            assert "stopped, begun" in clustered.quire("status", clustered.mirror(host)).out
    done = {host: settled(clustered.mirror(host)) for host in HOSTS}
    site.clear()
    assert clustered(*HOSTS).status == 0
    for host in HOSTS:
        assert done[host].isdisjoint(site.paths(host))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_ray_starts_ends_it_with_nothing_left(quire: Quire, site: Site, number: int) -> None:
    """X2, C9"""
    process = quire.start("cluster", f"{site.url}/", "-o", "out")
    (head,) = until(lambda: [each for each in psutil.Process(process.pid).children() if each.name() == "gcs_server"])
    folder = re.search(r"/[^\s=]*quire-ray-[^/\s]+", " ".join(head.cmdline()))
    assert folder
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert not Path(folder[0]).exists()
    psutil.wait_procs([head], timeout=20)
    assert not head.is_running()
    assert site.hits == []


def test_a_second_signal_stops_it_at_once(clustered: Clustered, cluster: RayCluster, site: Site) -> None:
    """X2, C9"""
    site.grow(4)
    site.hang("/p/1")
    process = clustered.start("127.0.0.1")
    site.wait(path="/p/1")
    crawls = cluster.crawling()
    # So that it cannot end in order.
    for _, crawl in crawls:
        crawl.suspend()
    process.send_signal(signal.SIGINT)
    assert process.stderr
    hear(process, "Stopping")
    process.send_signal(signal.SIGINT)
    process.wait(30)
    assert process.returncode == 130
    assert clustered.overview()["state"] == "stopped"
    assert states(clustered.output) == {"127.0.0.1": "stopped"}
    for _, crawl in crawls:
        if crawl.is_running():
            crawl.resume()
    site.release("/p/1")
    until(lambda: not cluster.crawling())
    assert clustered("127.0.0.1").status == 0


def test_who_is_cut_off_and_still_writes_is_waited_for(clustered: Clustered, site: Site, tmp_path: Path) -> None:
    """X2, S5: the lock of the mirror keeps a second worker out until the first is gone"""
    site.grow(PAGES, 4)
    first = clustered.quire.start("mirror", f"{site.url}/", "-o", clustered.mirror("127.0.0.1"), *STEADY, "-q")
    site.wait(20)
    psutil.Process(first.pid).suspend()
    process = clustered.start("127.0.0.1", "127.0.0.2")
    hear(process, "[1/2] 127.0.0.2")
    asked = len(site.paths("127.0.0.1"))
    first.kill()
    first.wait()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(site.paths("127.0.0.1")) > asked
    assert clustered.equals_a_plain_mirror("127.0.0.1")


def test_a_cluster_without_machines_is_waited_for(clustered: Clustered, cluster: RayCluster, site: Site) -> None:
    """X2, C10: it is said, once, and the first that comes gets the crawls"""
    site.grow(3)
    for machine in list(cluster.machines):
        cluster.kill(machine)
    process = clustered.start("127.0.0.1")
    hear(process, "has no machine that takes work")
    cluster.have(1)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "has no machine" not in err


def test_a_machine_that_does_not_share_the_folder_gets_no_crawls(
    clustered: Clustered, cluster: RayCluster, site: Site
) -> None:
    """X2: it is said, and the others go on"""
    if os.geteuid() != 0 and not os.environ.get("CI"):
        pytest.skip("only root can give a machine another folder")
    site.grow(3)
    site.hang(f"{site.url}/p/1")
    clustered.output.mkdir()
    hidden = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {clustered.output} && exec "$@"', "sh"]
    process = clustered.start(*HOSTS)
    alone = cluster.start_elsewhere(hidden)
    try:
        heard = hear(process, "it gets no crawls")
    finally:
        end_group(alone)
    assert f"does not see {clustered.output}" in heard
    site.release(f"{site.url}/p/1")
    assert process.wait(60) == 0


def test_a_full_disk_stops_the_run(clustered: Clustered, site: Site) -> None:
    """X2, C9, S8"""
    site.grow(3)
    finished = clustered(*HOSTS, options=(*FAST, "--min-free-disk", str(10**18)))
    assert finished.status == 3
    assert "free" in finished.err
    assert clustered.overview()["state"] == "stopped"


def test_a_site_whose_workers_always_die_is_given_up(clustered: Clustered, cluster: RayCluster, site: Site) -> None:
    """X2: and the others are not held up by it"""
    site.grow(3)
    site.hang(f"{site.url_on('127.0.0.2')}/p/1")
    process = clustered.start("127.0.0.1", "127.0.0.2")
    hear(process, "[1/2] 127.0.0.1")
    for _ in range(4):
        until(cluster.crawling)[0][1].kill()
        hear(process, "its worker died; it goes on where it was")
    until(cluster.crawling)[0][1].kill()
    heard = hear(process, "tells what became of every host")
    assert process.wait(60) == 1
    assert "its worker died 5 times" in heard
    site.release(f"{site.url_on('127.0.0.2')}/p/1")
    assert clustered("127.0.0.1", "127.0.0.2").status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "there is no URL to start from"),
        (("not a url",), "'not a url' is not a web address"),
        (("--urls-from", "urls.txt"), "urls.txt, line 3: 'mailto:me' is not a web address"),
        (("--urls-from", "missing.txt"), "missing.txt cannot be read (No such file or directory)"),
        (("example.com", "--crawls-per-machine", "0"), "--crawls-per-machine: 0 is too small"),
        (("example.com", "--fresh"), "--fresh: not for a cluster"),
        (("example.com", "--include-pattern", "["), "--include-pattern"),
        (("example.com", "--address", "127.0.0.1:9"), "nobody answers at 127.0.0.1:9"),
        (("example.com", "--address", "ray://127.0.0.1:10001"), "neither `auto` nor HOST:PORT"),
        (("example.com", "-o", "mirror"), "mirror holds the mirror of one site"),
        (("example.com", "-o", "urls.txt"), "urls.txt cannot be made"),
    ],
    ids=lambda value: " ".join(value) or "nothing" if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_line(quire: Quire, tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    """X2, C10, C9: it names the thing, before anything is started"""
    (tmp_path / "urls.txt").write_text("https://example.com\n\nmailto:me\n")
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror/_frontier.sqlite").touch()
    finished = quire("cluster", *arguments)
    assert finished.status == 2
    assert says in finished.err
    assert finished.err.count("\n") == 1


def test_an_address_that_is_not_ray_s_is_told(quire: Quire, site: Site) -> None:
    """X2, C10: at once, though something answers there"""
    finished = quire("cluster", f"{site.url}/", "--address", site.url.removeprefix("http://"))
    assert finished.status == 2
    assert "is not Ray" in finished.err
    assert finished.err.count("\n") == 1


def test_two_runs_do_not_share_a_folder(clustered: Clustered, site: Site) -> None:
    """X2"""
    site.grow(3)
    site.hang("/p/1")
    process = clustered.start("127.0.0.1")
    site.wait(path="/p/1")
    second = clustered("127.0.0.1")
    assert second.status == 2
    assert "is being written by another quire" in second.err
    site.release("/p/1")
    assert process.wait(60) == 0


def test_the_extra_is_named_when_it_is_not_installed(quire: Quire, tmp_path: Path) -> None:
    """X2, C10"""
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "__init__.py").write_text("raise ModuleNotFoundError('No ray', name='ray')")
    finished = quire("cluster", "https://example.com/", env={"PYTHONPATH": str(tmp_path)})
    assert finished.status == 2
    assert "pip install 'quire[cluster]'" in finished.err
    assert finished.err.count("\n") == 1
