"""What the renderers share: the URLs they are given, how many at once, and what they tell when they are done."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

AT_ONCE = 4


async def render_all(urls: list[str], render: Callable[[int, str], Awaitable[str]]) -> None:
    """Render the first page to warm up, then all of them, and print how long that took."""
    await render(0, urls[0])
    waiting = iter(urls)
    sizes: list[int] = []

    async def work(number: int) -> None:
        for url in waiting:
            size = len(await render(number, url))
            sizes.append(size)

    begun = time.perf_counter()
    await asyncio.gather(*(work(number) for number in range(AT_ONCE)))
    told = {"seconds": time.perf_counter() - begun, "pages": len(sizes), "smallest": min(sizes)}
    print(json.dumps(told), flush=True)


def given() -> tuple[str, list[str]]:
    """The browser and the URLs: `python PEER CHROMIUM FILE`."""
    return sys.argv[1], Path(sys.argv[2]).read_text().split()


@contextmanager
def chromium_at_a_port(command: str) -> Iterator[str]:
    """A browser for whoever wants an address to connect to."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [command, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             "--disable-background-networking", "--disable-sync", f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        told = Path(profile, "DevToolsActivePort")
        try:
            while not told.exists() or not told.read_text():
                time.sleep(0.05)
            yield f"http://127.0.0.1:{told.read_text().split()[0]}"
        finally:
            browser.terminate()
            browser.wait()
