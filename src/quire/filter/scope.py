"""What belongs to the site: the hosts and base paths of the start URLs (U6, U7), and where those moved (R1)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from quire import urls
from quire.errors import UsageError
from quire.settings import Settings

from .extensions import is_page_file, is_sitemap_file
from .prefixes import Prefixes, place

_SCHEMES = ("https", "http")


class Base(Struct, frozen=True):
    """A host and the path on it below which pages belong to the site."""

    scheme: str
    host: str
    path: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}"


def base_of(url: str) -> Base | None:
    """Return the base a start URL stands for: its path, a page file's folder, a sitemap's whole host."""
    normal = urls.normalise(url)
    if normal is None:
        return None
    host, path = place(normal, ignore_case=False)
    if is_sitemap_file(path):
        path = "/"
    elif is_page_file(path):
        path = path.rpartition("/")[0] or "/"
    return Base(normal.partition("://")[0], host, path)


def bases_of(settings: Settings) -> tuple[Base, ...]:
    """Return the bases of the start URLs; raise UsageError that names one which is no URL."""
    found = []
    for url in settings.start:
        base = base_of(url)
        if base is None:
            raise UsageError(f"{url!r} is not an http or https URL; give one such as https://example.com/docs")
        found.append(base)
    return _distinct(found)


class Site:
    """Tell whether a URL belongs to the site."""

    def __init__(self, settings: Settings) -> None:
        self._ignore_case = settings.scope.ignore_case
        self._loose = settings.scope.loose_paths
        self._set(bases_of(settings))

    @property
    def bases(self) -> tuple[str, ...]:
        """The URLs of the current bases."""
        return tuple(base.url for base in self._bases)

    def holds(self, url: str) -> bool:
        if url.startswith(self._roots):
            return True
        normal = urls.normalise(url)
        if normal is None:
            return False
        host, path = place(normal, ignore_case=self._ignore_case)
        return self.refusal(host, path) is None

    def refusal(self, host: str, path: str) -> tuple[str, str] | None:
        """Return why the place is not of the site, and what it missed; None if it is."""
        prefixes = self._prefixes.get(host)
        if prefixes is None:
            return "other-host", host
        return None if prefixes.holds(path) else ("outside-base-path", str(prefixes))

    def restore(self, bases: Iterable[str]) -> None:
        """Take up the bases of an earlier run."""
        self._set(_distinct(Base(urls.scheme(url), urls.host(url), urls.path(url)) for url in bases))

    def rebase(self, old_host: str, landing: str) -> None:
        """Move a base of the old host to where its start URL landed; a base path that holds there too is kept."""
        moved = base_of(landing)
        if moved is None:
            return
        path = urls.path(landing)
        candidates = [base for base in self._bases if base.host == old_host]
        holding = [base for base in candidates if self._prefix(base).holds(self._compared(moved.host, path))]
        if holding:
            old = max(holding, key=lambda base: len(base.path))
            moved = Base(moved.scheme, moved.host, old.path)
        elif len(candidates) == 1:
            old = candidates[0]
        else:
            # Which of several start URLs landed here is not known, so none of them loses its base.
            self._set(_distinct((*self._bases, moved)))
            return
        self._set(_distinct(moved if base is old else base for base in self._bases))

    def _set(self, bases: tuple[Base, ...]) -> None:
        self._bases = bases
        paths: dict[str, list[str]] = {}
        for base in bases:
            paths.setdefault(base.host, []).append(self._compared(base.host, base.path))
        self._prefixes = {host: Prefixes(found, loose=self._loose) for host, found in paths.items()}
        # Most URLs belong to a site taken whole, and these beginnings tell so without parsing.
        roots = [(base.host, f"{scheme}://{base.host}/") for base in bases if base.path == "/" for scheme in _SCHEMES]
        self._roots = tuple(root for host, root in roots if urls.host(root) == host)

    def _prefix(self, base: Base) -> Prefixes:
        return Prefixes([self._compared(base.host, base.path)], loose=self._loose)

    def _compared(self, host: str, path: str) -> str:
        return place(f"http://{host}{path}", ignore_case=self._ignore_case)[1]


def _distinct(bases: Iterable[Base]) -> tuple[Base, ...]:
    found: dict[tuple[str, str], Base] = {}
    for base in bases:
        found.setdefault((base.host, base.path), base)
    return tuple(found.values())
