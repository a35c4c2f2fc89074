"""The part of pycurl that Quire uses; the package itself has no types."""

from asyncio import Future
from collections.abc import Callable, Sequence
from socket import socket
from typing import Any, overload

BUFFERSIZE: int
CAINFO: int
CAPATH: int
CONNECTTIMEOUT_MS: int
COOKIE: int
COOKIEFILE: int
CURL_HTTP_VERSION_1_1: int
DNS_CACHE_TIMEOUT: int
E_ABORTED_BY_CALLBACK: int
E_COULDNT_CONNECT: int
E_COULDNT_RESOLVE_HOST: int
E_COULDNT_RESOLVE_PROXY: int
E_GOT_NOTHING: int
E_OPERATION_TIMEDOUT: int
E_PARTIAL_FILE: int
E_PEER_FAILED_VERIFICATION: int
E_RECV_ERROR: int
E_SEND_ERROR: int
E_SSL_CACERT_BADFILE: int
E_SSL_CERTPROBLEM: int
E_SSL_CIPHER: int
E_SSL_CONNECT_ERROR: int
E_SSL_INVALIDCERTSTATUS: int
E_SSL_ISSUER_ERROR: int
E_URL_MALFORMAT: int
FOLLOWLOCATION: int
FRESH_CONNECT: int
HEADERFUNCTION: int
HTTP09_ALLOWED: int
HTTPHEADER: int
HTTP_CONNECTCODE: int
HTTP_CONTENT_DECODING: int
HTTP_VERSION: int
LOCK_DATA_COOKIE: int
LOW_SPEED_LIMIT: int
LOW_SPEED_TIME: int
MAXAGE_CONN: int
M_MAXCONNECTS: int
NOPROXY: int
NOSIGNAL: int
OPENSOCKETFUNCTION: int
OS_ERRNO: int
PATH_AS_IS: int
PAUSE_CONT: int
PREREQFUNCTION: int
PREREQFUNC_ABORT: int
PREREQFUNC_OK: int
PROTOCOLS: int
PROTO_HTTP: int
PROTO_HTTPS: int
PROXY: int
PROXY_CAINFO: int
PROXY_CAPATH: int
PROXY_SSL_OPTIONS: int
PROXY_SSL_VERIFYHOST: int
PROXY_SSL_VERIFYPEER: int
REQUEST_TARGET: int
SHARE: int
SH_SHARE: int
SOCKET_BAD: int
SOCKOPTFUNCTION: int
SOCKOPT_OK: int
SSLOPT_NATIVE_CA: int
SSL_OPTIONS: int
SSL_VERIFYHOST: int
SSL_VERIFYPEER: int
TCP_KEEPALIVE: int
TIMEOUT_MS: int
TOTAL_TIME: int
URL: int
WRITEFUNCTION: int
WRITEFUNC_PAUSE: int

class error(Exception):  # noqa: N801
    args: tuple[int, str]

class Curl:
    @overload
    def setopt(self, option: int, value: int | str | bytes | Sequence[bytes] | CurlShare | None, /) -> None: ...
    @overload
    def setopt(self, option: int, value: Callable[..., int | socket | None], /) -> None: ...
    def getinfo(self, info: int, /) -> Any: ...
    def pause(self, bitmask: int, /) -> None: ...
    def close(self) -> None: ...

class CurlShare:
    def setopt(self, option: int, value: int, /) -> None: ...
    def close(self) -> None: ...

class AsyncCurlMulti:
    def setopt(self, option: int, value: int) -> None: ...
    def add_handle(self, curl: Curl) -> Future[Curl]: ...
    async def aclose(self) -> None: ...

def easy_strerror(code: int, /) -> str: ...
