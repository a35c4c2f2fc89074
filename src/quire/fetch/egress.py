"""Who may be dialled: decided in one place, on the address that is connected to, for whatever leaves Quire (A9).

A name says nothing about where it leads, and leads elsewhere a moment later. So whoever opens a connection asks here
with the address it is about to dial, and dials that address and no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from msgspec import Struct

from quire import urls
from quire.errors import Refused, UsageError
from quire.settings import Settings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# The special-purpose registries of IANA; Python's own list depends on its version.
_SPECIAL_IPV4: Final = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "an address of this host"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "an address of a provider's inner network"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", "an address of a cloud's inner service"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "an address for examples"),
        ("192.88.99.0/24", "a reserved address"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "an address for benchmarks"),
        ("198.51.100.0/24", "an address for examples"),
        ("203.0.113.0/24", "an address for examples"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
)
_SPECIAL_IPV6: Final = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::1/128", "a loopback address"),
        ("::/128", "an address of this host"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a private address"),
        ("ff00::/8", "a multicast address"),
        ("2001::/23", "a reserved address"),
        ("2001:db8::/32", "an address for examples"),
        ("3fff::/20", "an address for examples"),
    )
)
_GLOBAL: Final = "a global address"
_GLOBAL_IPV6: Final = IPv6Network("2000::/3")
# IPv6 addresses that lead to an IPv4 one, and how many bits follow it: mapped, compatible, NAT64, 6to4.
_LEADS_TO_IPV4: Final = (
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("::/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),
    (IPv6Network("2002::/16"), 80),
)


class Refusal(Struct, frozen=True):
    """An address that may not be dialled, the host that led to it, and what kind of address it is."""

    host: str
    address: str
    kind: str

    def __str__(self) -> str:
        place = "" if self.host == self.address else f"at {self.address}, "
        return (
            f"{self.host} is {place}{self.kind}, which may not be dialled;"
            f" --allow-network {self.address} would allow it, --allow-private every such address"
        )

    def error(self) -> Refused:
        """What a request ends with that would have gone there; asking again does not help."""
        return Refused(str(self))


class Egress:
    """Lets globally routable addresses be dialled, those in `networks`, and what hosts in `named` were found at.

    A host that the user names may be in a private network, and is let in at addresses of the kind that it was found at
    first: neither does a global one become private, nor a private one this very host or a cloud's inner service. Hosts
    are names or addresses without port.
    """

    def __init__(
        self, networks: Iterable[Network] = (), named: Iterable[str] = (), *, allow_private: bool = False
    ) -> None:
        self._networks = tuple(networks)
        self._allow_private = allow_private
        # The kind of address that a host was found at first, _GLOBAL too; None while nothing is known.
        self._named: dict[str, str | None] = dict.fromkeys(map(_bare, named))

    def refuses(self, host: str, address: str) -> Refusal | None:
        """Judge the address, as text, that this host is about to be dialled at."""
        if self._allow_private:
            return None
        dialled = _parsed(address)
        if dialled is None:
            return Refusal(host, address, "an address that cannot be read")
        kind = kind_of(dialled)
        host = _bare(host)
        if kind is None:
            if host in self._named:
                self._named[host] = _GLOBAL
            return None
        if self._is_allowed(dialled) or self._is_named(host, dialled, kind):
            return None
        return Refusal(host, address, kind)

    def refuses_literal(self, host: str) -> Refusal | None:
        """Judge a host that somebody else will look up, a proxy or a browser: it can be seen through only if it is an
        address itself, or a name for this very host.
        """
        bare = _bare(host)
        address = "127.0.0.1" if bare == "localhost" or bare.endswith(".localhost") else bare
        return self.refuses(bare, address) if _parsed(address) is not None else None

    def _is_allowed(self, address: Address) -> bool:
        forms = (address, _ipv4_behind(address))
        return any(form in network for network in self._networks for form in forms if form is not None)

    def _is_named(self, host: str, address: Address, kind: str) -> bool:
        if host not in self._named:
            return False
        literal = _parsed(host)
        if literal is not None:
            return literal == address
        self._named[host] = self._named[host] or kind
        return self._named[host] == kind


def egress_of(settings: Settings) -> Egress:
    """What these settings let be dialled; raises UsageError for a network that is none."""
    fetch = settings.fetch
    named = (*settings.start, *settings.scope.sitemap, fetch.proxy) if fetch.private_start else ()
    hosts = (urls.host(url) for url in named if url)
    return Egress(networks_of(fetch.allow_network), filter(None, hosts), allow_private=fetch.allow_private)


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Read networks such as 10.0.0.0/8, or single addresses."""
    return tuple(map(_network, texts))


def kind_of(address: Address) -> str | None:
    """What kind of address it is, in words; None for one that is globally routable."""
    behind = _ipv4_behind(address)
    if isinstance(address, IPv6Address):
        for network, kind in _SPECIAL_IPV6:
            if address in network:
                return kind
        if behind is None:
            return None if address in _GLOBAL_IPV6 else "a reserved address"
    for special, kind in _SPECIAL_IPV4:
        if behind in special:
            return kind
    return None


def _ipv4_behind(address: Address) -> IPv4Address | None:
    """The IPv4 address that is reached in the end; None for a plain IPv6 address."""
    if isinstance(address, IPv4Address):
        return address
    for network, bits in _LEADS_TO_IPV4:
        if address in network:
            return IPv4Address(int(address) >> bits & 0xFFFFFFFF)
    return None


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise UsageError(
            f"--allow-network: {text!r} is not a network; give one like 10.0.0.0/8, or an address"
        ) from None


def _parsed(text: str) -> Address | None:
    try:
        # A zone names the interface that a link-local address is reached by.
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _bare(host: str) -> str:
    """The host without its port, brackets and the dot of the root."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, rest = host.rpartition(":")
    # An IPv6 address without brackets has more than one colon.
    bare = name if colon and ":" not in name and rest.isdigit() else host
    return bare.lower().removesuffix(".")
