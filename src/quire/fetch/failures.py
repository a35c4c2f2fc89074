"""What libcurl says went wrong, in our words: what it was, and whether asking again can help (P5)."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from typing import Final

import pycurl

from quire import urls
from quire.errors import BadResponse, FetchError, TimedOut, Unreachable
from quire.fetch.bodies import head_too_large
from quire.fetch.transfers import TransferFailed
from quire.settings import Fetch

_PERMANENT_DNS: Final = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", -5)}
_NO_SECURITY: Final = {
    pycurl.E_SSL_CONNECT_ERROR,
    pycurl.E_SSL_CERTPROBLEM,
    pycurl.E_SSL_CIPHER,
    pycurl.E_PEER_FAILED_VERIFICATION,
    pycurl.E_SSL_CACERT_BADFILE,
    pycurl.E_SSL_ISSUER_ERROR,
    pycurl.E_SSL_INVALIDCERTSTATUS,
}
_BROKEN_OFF: Final = {
    pycurl.E_GOT_NOTHING,
    pycurl.E_PARTIAL_FILE,
    pycurl.E_SEND_ERROR,
    pycurl.E_RECV_ERROR,
    pycurl.E_ABORTED_BY_CALLBACK,
}
# Two codes stand for more than one thing; only the words tell them apart.
_LINE_BROKE: Final = re.compile(r"Recv failure|Send failure|unexpected eof|SYSCALL")
_NOT_HTTP: Final = re.compile(r"chunk")
_HEAD_TOO_LARGE: Final = re.compile(r"Too large response headers|Too many response headers|grew larger than allowed")
_NOT_CONNECTED: Final = re.compile(r"(?:Connection|Resolving) timed out|Failed to connect")


async def named(url: str, error: TransferFailed | TimeoutError, settings: Fetch) -> FetchError:
    """The error that the request for this URL ends with."""
    host = urls.host(url)
    if isinstance(error, TimeoutError):
        seconds = settings.first_byte_timeout
        return TimedOut(f"{host} did not begin to answer within {seconds:g} s (--first-byte-timeout)")
    if error.refusal:
        return error.refusal.error()
    words = str(error)[:200]
    if error.code == pycurl.E_OPERATION_TIMEDOUT:
        return _too_slow(host, words, settings)
    if _HEAD_TOO_LARGE.search(words):
        return head_too_large(url, settings)
    if error.code == pycurl.E_URL_MALFORMAT:
        return Unreachable(f"{host}: no host can be called that ({words})", permanent=True)
    if error.code == pycurl.E_COULDNT_RESOLVE_HOST:
        return await _not_found(host, settings.connect_timeout)
    if error.proxy_status not in (0, 200):
        return BadResponse(f"{host}: the proxy answered {error.proxy_status}")
    if error.code == pycurl.E_COULDNT_CONNECT and error.errno:
        return Unreachable(f"{host}: {os.strerror(error.errno)}")
    if error.code in (pycurl.E_COULDNT_CONNECT, pycurl.E_COULDNT_RESOLVE_PROXY):
        return Unreachable(f"{host}: {words}")
    if error.code in _NO_SECURITY and not _LINE_BROKE.search(words):
        return Unreachable(f"{host}: no secure connection ({words}); --insecure skips the check", permanent=True)
    if error.code in _BROKEN_OFF | _NO_SECURITY and not _NOT_HTTP.search(words):
        return Unreachable(f"{host} broke the connection off ({words})")
    return BadResponse(f"{host} sent something that is not HTTP ({words})")


def _too_slow(host: str, words: str, settings: Fetch) -> FetchError:
    if "too slow" in words:
        rate, seconds = settings.min_rate, settings.first_byte_timeout
        return TimedOut(f"{host} sent less than {rate} bytes a second for {seconds:g} s (--min-rate)")
    if _NOT_CONNECTED.match(words):
        return TimedOut(f"{host}: no connection within {settings.connect_timeout:g} s (--connect-timeout)")
    return TimedOut(f"{host} did not answer within {settings.timeout:g} s (--timeout)")


async def _not_found(host: str, seconds: float) -> FetchError:
    """Ask for the name once more, because libcurl does not say whether it does not exist or could not be looked up."""
    name = host.rpartition(":")[0] or host
    try:
        async with asyncio.timeout(seconds):
            await asyncio.get_running_loop().getaddrinfo(name, None)
    except TimeoutError:
        return Unreachable(f"{host}: its name could not be looked up within {seconds:g} s (--connect-timeout)")
    except socket.gaierror as error:
        if error.errno in _PERMANENT_DNS:
            return Unreachable(f"{host}: there is no such host ({error.strerror})", permanent=True)
        return Unreachable(f"{host}: its name could not be looked up ({error.strerror})")
    return Unreachable(f"{host}: its name could not be looked up")
