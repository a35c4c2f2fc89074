"""What a person sees of a crawl, on stderr (S10, C10)."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from quire.events import (
    CrawlFinished,
    CrawlStarted,
    Event,
    Notice,
    PageFailed,
    PageRetried,
    PageSkipped,
    PageStarted,
    UrlRejected,
)
from quire.records import State
from quire.wording import counted


class Console:
    """A listener that prints a line an event; `quiet` keeps warnings and failures only."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._bar = _Bar() if not quiet and not verbose and self._stream.isatty() else None

    def __call__(self, event: Event) -> None:
        match event:
            case PageStarted(url=url, number=number, total=total):
                if self._bar:
                    self._bar.show(number, total, url)
                else:
                    self._say(f"[{number}/{total}] Processing: {url}")
            case PageFailed(url=url, reason=reason, detail=detail):
                self.always(f"Failed: {url} ({detail or reason})")
            case Notice(text=text):
                self.always(f"Warning: {text}")
            case CrawlStarted(already_saved=saved) if saved:
                self._say(f"Going on: {counted(saved, 'page is', 'pages are')} saved already")
            case PageRetried(url=url, detail=detail, after=after):
                self._detail(f"Retrying: {url}{f' in {after:.1f} s' if after else ''} ({detail})")
            case PageSkipped(url=url, state=state, reason=reason, detail=detail):
                self._detail(f"{state.label.capitalize()}: {url} ({reason}: {detail})")
            case UrlRejected(url=url, state=state, reason=reason, detail=detail) if state is not State.EXTERNAL:
                self._detail(f"{state.label.capitalize()}: {url} ({reason}: {detail})")
            case CrawlFinished():
                self.close()
            case _:
                pass

    def close(self) -> None:
        if self._bar:
            self._bar.close()
            self._bar = None

    def always(self, line: str) -> None:
        """Say something that matters also when quiet."""
        if self._bar:
            self._bar.above(line)
        else:
            self._stream.write(line + "\n")

    def _say(self, line: str) -> None:
        if not self._quiet:
            self.always(line)

    def _detail(self, line: str) -> None:
        """Shown line by line where output is a log, not over a live bar."""
        if not self._quiet and not self._bar:
            self._stream.write(line + "\n")


class _Bar:
    """A live bar on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console as Terminal
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns: list[Any] = [
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
        ]
        self._progress = Progress(*columns, console=Terminal(stderr=True), refresh_per_second=5)
        self._task = self._progress.add_task("", total=None)
        self._progress.start()

    def show(self, number: int, total: int, url: str) -> None:
        from rich.markup import escape

        self._progress.update(self._task, completed=number, total=total, description=escape(url[:100]))

    def above(self, line: str) -> None:
        self._progress.console.print(line, markup=False, highlight=False)

    def close(self) -> None:
        self._progress.stop()
