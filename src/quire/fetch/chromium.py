"""A Chromium process of our own: found, started, ended without leaving anything behind (E2)."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, json

from quire.errors import CrawlError
from quire.fetch.devtools import BrowserGone, CommandFailed, DevTools
from quire.scratch import Scratch, delete_left
from quire.settings import Render

# Without a window system around it a page costs half as much. Debian's commands are scripts that add settings of
# desktop users; in its folder is what they start.
_NAMES = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
_FEATURES_OFF = (
    "BackForwardCache",
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    "AutofillServerCommunication",
    "HttpsUpgrades",
    "SpareRendererForSitePerProcess",
)
_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-remote-fonts",
    "--block-new-web-contents",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    # What is not in sight is not painted; wide enough for no page to take it for a telephone.
    "--window-size=1280,400",
    # What is not TCP would pass by the proxy that decides who may be dialled.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
    f"--disable-features={','.join(_FEATURES_OFF)}",
)
_JS_MEGABYTES = 512
_DATA_KILOBYTES = 3_000_000
_SHARED_MEMORY_WANTED = 256_000_000
_SECONDS_TO_START = 60
_SECONDS_TO_END = 3
_LOOKS = 3000
_STARTS = 2
_SECONDS_TO_NETWORK = 1
_LOOKS_FOR_NETWORK = 100
_SECONDS_TO_DIE = 1
_LOOKS_FOR_DEAD = 50
_NETWORK_SERVICE = "network.mojom.NetworkService"
_PROFILE = "quire-chromium-"
# The protocol's pipes are 3 and 4; a process can be given only 0 to 2. No process of the browser gets more data than
# this: a page that allocates without end is ended by its own allocation.
_START = 'ulimit -S -d "$0"; exec "$@" 3<&0 4>&1 </dev/null >/dev/null'


def find_chromium(given: str = "") -> str | None:
    """Return the browser's command: the given one, or the system's."""
    if given:
        return shutil.which(given)
    return next(filter(None, map(shutil.which, _NAMES)), None)


def no_chromium(render: Render) -> str:
    """Say that there is no browser, and what to do."""
    if render.chromium:
        return f"--chromium: {render.chromium!r} is not a program that can be run"
    return "there is no Chromium on this system: install it (Debian: apt install chromium), or use --render never"


class _Process(Struct):
    id: int
    type: str = ""


class _Processes(Struct, rename="camel"):
    process_info: list[_Process] = []


class Chromium:
    """One running browser with a fresh profile."""

    def __init__(self, devtools: DevTools, transport: asyncio.SubprocessTransport, profile: Scratch) -> None:
        self.devtools = devtools
        self.pid = transport.get_pid()
        self._transport = transport
        self._profile = profile
        self._network: int | None = None

    @classmethod
    async def start(cls, command: str, options: Sequence[str]) -> Chromium:
        """Start a browser and wait until it answers; raise CrawlError if it does not."""
        words: list[str] = []
        for _ in range(_STARTS):
            browser = await cls._launch(command, options)
            try:
                async with asyncio.timeout(_SECONDS_TO_START):
                    await browser.devtools.send("Browser.getVersion")
                    await browser._watch_network()
                return browser
            except (BrowserGone, TimeoutError) as error:
                words = browser.devtools.last_words.decode(errors="replace").strip().splitlines()
                await browser.end()
                if isinstance(error, TimeoutError):
                    break
            except BaseException:
                await browser.end()
                raise
        raise CrawlError(
            f"{command} does not start ({words[-1] if words else 'it says nothing'});"
            " try it by hand, name another with --chromium, or use --render never"
        )

    async def debugging_port(self) -> int:
        """The port that the protocol is spoken on too, where that was asked for; the browser writes it down in time."""
        for _ in range(_LOOKS):
            if port := self._written_port():
                return port
            await asyncio.sleep(_SECONDS_TO_START / _LOOKS)
        raise CrawlError("Chromium opens no port for another program to drive it by")

    async def end(self) -> None:
        """End every process of the browser and delete its profile."""
        self._stop_watching()
        # Asked to, it waits for its children, who would otherwise wait for whoever adopts them.
        with suppress(BrowserGone):
            self.devtools.tell("Browser.close")
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_END):
                await asyncio.shield(self.devtools.exited)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._transport.close()
        self._profile.delete()
        if self.devtools.exited.done():
            await self._bury()

    async def _bury(self) -> None:
        """Wait for the children of a browser that died before them: a command adopts them (press.processes)."""
        with suppress(ChildProcessError):
            for _ in range(_LOOKS_FOR_DEAD):
                while os.waitpid(-self.pid, os.WNOHANG)[0]:  # noqa: ASYNC222 - by this option it does not wait
                    pass
                await asyncio.sleep(_SECONDS_TO_DIE / _LOOKS_FOR_DEAD)

    @classmethod
    async def _launch(cls, command: str, options: Sequence[str]) -> Chromium:
        delete_left(_PROFILE)
        profile = Scratch(_PROFILE)
        try:
            transport, devtools = await asyncio.get_running_loop().subprocess_exec(
                DevTools,
                *("/bin/sh", "-c", _START, str(_DATA_KILOBYTES), command),
                *(*_FLAGS, *_machine_flags(), *options, f"--user-data-dir={profile.path}", "about:blank"),
                # Ctrl-C is for the crawl to hear, not for the browser.
                start_new_session=True,
            )
        except BaseException:
            profile.delete()
            raise
        return cls(devtools, transport, profile)

    async def _watch_network(self) -> None:
        """Give the browser up when the process ends that makes its requests, of which the protocol does not tell.

        The browser starts another, but what a page asks for in between is never answered, and what was under way is
        missing from its page.
        """
        network = await self._network_service()
        if network is None or not hasattr(os, "pidfd_open"):
            return
        try:
            self._network = os.pidfd_open(network)
        except ProcessLookupError:
            raise BrowserGone from None
        except OSError:
            return
        asyncio.get_running_loop().add_reader(self._network, self._give_up)

    async def _network_service(self) -> int | None:
        """The id of that process, which is there a moment after the browser; None where there is none."""
        for _ in range(_LOOKS_FOR_NETWORK):
            try:
                answer = await self.devtools.send("SystemInfo.getProcessInfo")
            except CommandFailed:
                return None
            for each in json.decode(answer, type=_Processes).process_info:
                if each.type == _NETWORK_SERVICE:
                    return each.id
            await asyncio.sleep(_SECONDS_TO_NETWORK / _LOOKS_FOR_NETWORK)
        return None

    def _written_port(self) -> int | None:
        with suppress(FileNotFoundError, IndexError, ValueError):
            return int(Path(self._profile.path, "DevToolsActivePort").read_text("ascii").splitlines()[0])
        return None

    def _give_up(self) -> None:
        self._stop_watching()
        self.devtools.give_up()

    def _stop_watching(self) -> None:
        if self._network is not None:
            asyncio.get_running_loop().remove_reader(self._network)
            os.close(self._network)
            self._network = None


def _machine_flags() -> list[str]:
    flags = [f"--js-flags=--max-old-space-size={_JS_MEGABYTES}"]
    if os.geteuid() == 0:
        # Chromium's sandbox refuses to work for root.
        flags.append("--no-sandbox")
    with suppress(OSError):
        shared = os.statvfs("/dev/shm")  # noqa: S108
        if shared.f_blocks * shared.f_frsize < _SHARED_MEMORY_WANTED or not Path("/dev/shm").is_dir():  # noqa: S108
            flags.append("--disable-dev-shm-usage")
    return flags
