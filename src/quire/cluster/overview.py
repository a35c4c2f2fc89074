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
from quire.wording import timestamp

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
    settings: str = ""
    """Those of the run that crawled it, as the overview has them."""
    named: bool = True
    """Whether the last run was about this host; else it is as an earlier one left it."""


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
    """The state of every host that this run is about, and the file that tells of these and of earlier runs' hosts."""

    def __init__(self, root: Path, sites: Iterable[Site], settings: Settings) -> None:
        self._files = MirrorFiles(str(root))
        self._settings = fingerprint(settings)
        self._is_update = settings.mirror.update
        self._started_at = timestamp()
        self._next_at = 0.0
        before = _before(self._files)
        known = {each.host: each for each in before.hosts} if before else {}
        # An update looks at every host again, unless it goes on with one that did not come to its end.
        is_new_update = self._is_update and not (before and before.update and before.state != "finished")
        self._states: dict[str, HostState] = {}
        for site in sites:
            state = HostState(site.host, site.folder, site.shown, settings=self._settings)
            was = known.pop(site.host, state)
            is_old = is_new_update or (self._is_update and not was.named)
            is_done = was.clean and not is_old and (was.start, was.settings) == (state.start, state.settings)
            self._states[site.host] = was if is_done else state
            self._states[site.host].named = True
        self._others = [each for each in known.values() if (root / each.folder).is_dir()]
        for each in self._others:
            each.named = False
            each.state = "stopped" if each.state == "running" else each.state

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
        ended = None if state == "running" else timestamp()
        hosts = [*self._states.values(), *self._others]
        overview = Overview(
            VERSION, self._settings, state, self._started_at, ended, Counter(each.state for each in hosts),
            sum(each.pages for each in hosts), hosts, self._is_update,
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


def _before(files: MirrorFiles) -> Overview | None:
    """What the run before left, if its file can be read."""
    data = files.read(OVERVIEW_FILE)
    try:
        found = json.decode(data, type=Overview) if data else None
    except MsgspecError:
        # The mirrors know better: each is looked at again.
        return None
    if found and found.version != VERSION:
        raise UsageError(f"{files.root / OVERVIEW_FILE} was made by another version of Quire; choose another --output")
    if found:
        for each in found.hosts:
            # Once the whole file was about one run.
            each.settings = each.settings or found.settings
    return found
