"""`_cluster.json`: what became of every host."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from quire.cluster.sites import Site
from quire.errors import UsageError
from quire.settings import Settings, options
from quire.store.files import MirrorFiles

OVERVIEW_FILE = "_cluster.json"
VERSION = 1
_EVERY_SECONDS = 5.0
# Of the time, at most so much goes into writing it.
_SHARE = 0.05
# What a run is told anew, and what makes no other mirror. Secrets are none of what anybody may read here, and try to
# find out from its hash.
_OF_ONE_RUN = frozenset([
    "output", "update", "prune", "workers", "min_free_disk", "auth", "cookie", "header", "proxy",
])  # fmt: skip


class HostState(Struct):
    """One host: `waiting`, `running`, `finished`, `failed` or `stopped`."""

    host: str
    folder: str
    start: list[str]
    state: str = "waiting"
    clean: bool = False
    pages: int = 0
    failed_pages: int = 0
    detail: str = ""
    machine: str = ""
    deaths: int = 0
    seconds: float = 0.0


class Overview(Struct):
    version: int
    settings: str
    state: str
    started_at: str
    finished_at: str | None
    counts: dict[str, int]
    pages: int
    hosts: list[HostState]
    update: bool = False


class Hosts:
    """The state of every host, and the file that tells it."""

    def __init__(self, root: Path, sites: Iterable[Site], settings: Settings) -> None:
        self._files = MirrorFiles(str(root))
        self._settings = fingerprint(settings)
        self._is_update = settings.mirror.update
        self._started_at = _timestamp()
        self._next_at = 0.0
        before = _before(self._files, self._settings)
        # An update looks at every host again, unless it goes on with one that did not come to its end.
        goes_on = before is not None and (not self._is_update or (before.update and before.state != "finished"))
        done = {each.host: each for each in before.hosts if each.clean} if before and goes_on else {}
        self._states: dict[str, HostState] = {}
        for site in sites:
            state = HostState(site.host, site.folder, site.shown)
            was = done.get(site.host)
            self._states[site.host] = was if was and was.start == state.start else state

    def __getitem__(self, host: str) -> HostState:
        return self._states[host]

    def __len__(self) -> int:
        return len(self._states)

    def counts(self) -> Counter[str]:
        return Counter(each.state for each in self._states.values())

    def pages(self) -> int:
        return sum(each.pages for each in self._states.values())

    def unclean(self) -> Sequence[HostState]:
        """The hosts that did not come to a good end."""
        return [each for each in self._states.values() if not each.clean]

    def write_if_due(self) -> None:
        if time.monotonic() >= self._next_at:
            self.write("running")

    def write(self, state: str) -> None:
        begun = time.monotonic()
        ended = None if state == "running" else _timestamp()
        overview = Overview(
            VERSION, self._settings, state, self._started_at, ended, dict(self.counts()), self.pages(),
            list(self._states.values()), self._is_update,
        )  # fmt: skip
        self._files.write(OVERVIEW_FILE, json.format(json.encode(overview), indent=1) + b"\n")
        now = time.monotonic()
        self._next_at = now + max(_EVERY_SECONDS, (now - begun) / _SHARE)


def fingerprint(settings: Settings) -> str:
    """Tell settings apart by which hosts would have to be crawled again."""
    values = {
        each.name: getattr(getattr(settings, group), each.name)
        for group, each in options()
        if each.name not in _OF_ONE_RUN
    }
    return sha256(json.encode(values)).hexdigest()[:16]


def _before(files: MirrorFiles, settings: str) -> Overview | None:
    """What the run before left, if it had the same settings and its file can be read."""
    data = files.read(OVERVIEW_FILE)
    try:
        found = json.decode(data, type=Overview) if data else None
    except MsgspecError:
        # The mirrors know better: each is looked at again.
        return None
    if found and found.version != VERSION:
        raise UsageError(f"{files.root / OVERVIEW_FILE} was made by another version of Quire; choose another --output")
    return found if found and found.settings == settings else None


def _timestamp() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
