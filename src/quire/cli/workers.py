"""Page workers of a command: copies of its process, made before it has loaded the rest of Quire."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from quire.press.processes import WorkerProcess, start_workers
from quire.settings import Settings

# Loaded before the copies are made, so that it is loaded once.
_OF_BOTH = (
    "html",
    "quire.convert.edges",
    "quire.convert.front_matter",
    "quire.memory",
    "quire.press.frames",
    "quire.store.files",
)


@contextmanager
def page_workers(settings: Settings) -> Iterator[list[WorkerProcess]]:
    """Start as many as the settings ask for and the pages can use; they end with the block."""
    # All that is loaded now stays: no use to look for garbage in it. Whoever begins to work has it looked for again.
    gc.disable()
    load_for_both()
    number = settings.content.workers or os.cpu_count() or 1
    if not settings.scope.discover:
        number = min(number, len(settings.start))
    # They load what else they need while the rest of Quire does.
    workers = start_workers(number, _load)
    try:
        yield workers
    finally:
        gc.enable()
        for worker in workers:
            worker.end()


def load_for_both() -> None:
    """Load what a crawl and its page workers both need; none of it loads `threading`."""
    for name in _OF_BOTH:
        import_module(name)


def _load() -> Callable[[int], None]:
    from quire.worker import main

    return main
