"""The limit: what Quire's own libraries can do on this machine with a known list of URLs and nothing to decide.

    python bench/limit.py URLS FOLDER

Fetches every URL of the file (libcurl on uvloop), parses it, takes its links, converts it and writes it (the same code
as Quire's page workers), in one process a core that each take the next URL until none is left. No frontier, no
decisions, no durability, no pages handed from process to process. Prints pages a second.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import time
from io import BytesIO
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

import pycurl
import uvloop

from quire.orders import Order
from quire.press.frames import Job
from quire.store.paths import page_path
from quire.worker import PageMaker

CONCURRENCY = 32


def work(urls: list[str], folder: str, taken: Synchronized[int], made: Synchronized[int]) -> None:
    """Take URLs from the list until it is at its end."""
    make = PageMaker(Job(folder, "main", True, False, "meaningful", False, ()))
    fetched_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    async def one_after_the_other(transfers: pycurl.AsyncCurlMulti) -> None:
        handle = pycurl.Curl()
        while True:
            with taken.get_lock():
                number = taken.value
                taken.value += 1
            if number >= len(urls):
                return
            url = urls[number]
            body = BytesIO()
            handle.setopt(pycurl.URL, url)
            handle.setopt(pycurl.WRITEFUNCTION, body.write)
            await transfers.perform(handle)
            kind = handle.getinfo(pycurl.CONTENT_TYPE) or ""
            make(Order(url, kind, body.getvalue(), page_path(url), fetched_at))
            with made.get_lock():
                made.value += 1

    async def all_at_once() -> None:
        async with pycurl.AsyncCurlMulti() as transfers, asyncio.TaskGroup() as tasks:
            for _ in range(CONCURRENCY // (os.cpu_count() or 1)):
                tasks.create_task(one_after_the_other(transfers))

    uvloop.run(all_at_once())


def main() -> None:
    urls = Path(sys.argv[1]).read_text().splitlines()
    begun = time.perf_counter()
    processes = multiprocessing.get_context("fork")
    taken, made = processes.Value("l", 0), processes.Value("l", 0)
    workers = [
        processes.Process(target=work, args=(urls, sys.argv[2], taken, made)) for _ in range(os.cpu_count() or 1)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"{made.value} pages, {made.value / (time.perf_counter() - begun):.0f} pages/s")


if __name__ == "__main__":
    main()
