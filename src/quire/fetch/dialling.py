"""Opening connections for others: the address that was judged is the one that is dialled (A9)."""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import unquote, urlsplit

from quire.errors import BadResponse, FetchError, TimedOut, Unreachable
from quire.fetch.egress import Egress
from quire.settings import Fetch

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[str, int], Awaitable[Streams]]

_PERMANENT_DNS: Final = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", -5)}


class Dialler:
    """Connects to hosts that may be dialled, through the user's proxy if there is one."""

    def __init__(self, settings: Fetch, egress: Egress) -> None:
        self._settings = settings
        self._egress = egress

    async def __call__(self, host: str, port: int) -> Streams:
        """Return a connection; raise FetchError where there is none, or may be none."""
        seconds = self._settings.connect_timeout
        try:
            async with asyncio.timeout(seconds):
                if self._settings.proxy:
                    return await self._tunnel(host, port)
                return await self._dial(host, port)
        except TimeoutError:
            raise TimedOut(f"{host}:{port} did not answer within {seconds:g} s") from None

    async def _dial(self, host: str, port: int, secure: ssl.SSLContext | None = None) -> Streams:
        error: FetchError | None = None
        for address in await _addresses(host, port):
            refusal = self._egress.refuses(host, address)
            if refusal:
                error = error or refusal.error()
                continue
            try:
                name = host if secure else None
                return await asyncio.open_connection(address, port, ssl=secure, server_hostname=name)
            except OSError as failed:
                error = Unreachable(f"{host}:{port}: {failed.strerror or failed}")
        raise error or Unreachable(f"{host}: it has no address", permanent=True)

    async def _tunnel(self, host: str, port: int) -> Streams:
        """Have the proxy connect; it looks names up itself."""
        if refusal := self._egress.refuses_literal(host):
            raise refusal.error()
        proxy = urlsplit(self._settings.proxy)
        is_secure = proxy.scheme == "https"
        secure = ssl.create_default_context() if is_secure else None
        reader, writer = await self._dial(proxy.hostname or "", proxy.port or (443 if is_secure else 80), secure)
        name = f"[{host}]" if ":" in host else host
        lines = [f"CONNECT {name}:{port} HTTP/1.1", f"Host: {name}:{port}"]
        if proxy.username:
            credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
            lines.append(f"Proxy-Authorization: Basic {base64.b64encode(credentials).decode()}")
        writer.write("\r\n".join([*lines, "", ""]).encode())
        try:
            status = (await reader.readuntil(b"\r\n\r\n")).split(None, 2)[1].decode("ascii", "replace")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, IndexError, ConnectionError):
            status = "nothing"
        if status != "200":
            writer.close()
            raise BadResponse(f"{host}: the proxy answered {status}")
        return reader, writer


async def _addresses(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        permanent = error.errno in _PERMANENT_DNS
        raise Unreachable(f"{host}: there is no such host ({error.strerror})", permanent=permanent) from error
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{host}: no host can be called that ({error})", permanent=True) from error
    return [str(address[0]) for *_, address in found]
