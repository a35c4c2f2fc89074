"""Who may be dialled, judged by address: the rule itself, without a network (A9, R12)."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.errors import UsageError
from quire.fetch.egress import Egress, egress_of, kind_of, networks_of
from quire.settings import Fetch, Scope, Settings

ROUTABLE = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001::200e",
    "2001:200::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]

NOT_ROUTABLE = [
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101:ffff:ffff:ffff:ffff:ffff",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
    "5f00::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
]


@pytest.mark.parametrize("address", ROUTABLE)
def test_routable_addresses_are_dialled(address: str) -> None:
    assert Egress().refuses("example.com", address) is None


@pytest.mark.parametrize("address", NOT_ROUTABLE)
def test_no_other_address_is_dialled_unless_allowed(address: str) -> None:
    """A9: private, loopback, link-local, in whatever form it is written"""
    refusal = Egress().refuses("example.com", address)
    assert refusal is not None
    assert f"example.com is at {address}" in str(refusal)
    assert "--allow-private" in str(refusal)
    assert refusal.error().reason == "private-address"
    assert Egress(allow_private=True).refuses("example.com", address) is None
    assert Egress(networks_of([address.partition("%")[0]])).refuses("example.com", address) is None


@pytest.mark.parametrize("address", ["", "example.com", "127.0.0.1:80", "0x7f.1", "1.2.3", "/run/socket"])
def test_what_is_no_address_is_not_dialled(address: str) -> None:
    assert Egress().refuses("example.com", address) is not None


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_ipv6_form(address: IPv4Address) -> None:
    """A9: mapped, NAT64 and 6to4"""
    number = int(address)
    forms = (0xFFFF << 32 | number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80)
    assert {kind_of(IPv6Address(form)) for form in forms} == {kind_of(address)}


@given(st.ip_addresses())
def test_what_python_knows_to_be_private_is_never_dialled(address: IPv4Address | IPv6Address) -> None:
    # Newer versions call all of 6to4 private, also what leads to a public address.
    address = getattr(address, "sixtofour", None) or address
    if address.is_private or address.is_multicast or address.is_loopback or address.is_link_local:
        assert kind_of(address) is not None


def test_a_network_is_allowed_in_all_its_forms() -> None:
    """A9"""
    egress = Egress(networks_of(["10.1.0.0/16", "fd00::/8", "192.168.1.7"]))
    allowed = ("10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd12::1", "192.168.1.7")
    assert not any(egress.refuses("inner.example", address) for address in allowed)
    refused = ("10.2.0.1", "::ffff:10.2.0.1", "192.168.1.8", "fe80::1", "127.0.0.1")
    assert all(egress.refuses("inner.example", address) for address in refused)


def test_a_network_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"--allow-network: '10\.0\.0\.0/33'"):
        networks_of(["10.0.0.0/33"])


def settings(*start: str, **fetch: object) -> Settings:
    return replace(Settings(), start=start, fetch=replace(Fetch(), **fetch))  # type: ignore[arg-type]


def test_a_private_host_that_the_user_names_is_dialled_and_no_other() -> None:
    """R12: on any of its ports"""
    egress = egress_of(settings("http://127.0.0.1:8000/docs", "http://intranet.example/", "http://[::1]:81/"))
    assert egress.refuses("127.0.0.1:8000", "127.0.0.1") is None
    assert egress.refuses("127.0.0.1", "127.0.0.1") is None
    assert egress.refuses("[::1]:81", "::1") is None
    assert egress.refuses("intranet.example", "10.0.0.7") is None
    assert egress.refuses("127.0.0.2:8000", "127.0.0.2") is not None
    assert egress.refuses("localhost:8000", "127.0.0.1") is not None
    assert egress.refuses("printer.example", "10.0.0.7") is not None
    assert egress.refuses("127.0.0.1", "10.0.0.7") is not None


def test_a_host_that_was_public_does_not_become_private() -> None:
    """A9: rebinding, even of a start URL"""
    egress = egress_of(settings("http://example.com/"))
    assert egress.refuses("example.com", "93.184.215.14") is None
    assert egress.refuses("example.com", "127.0.0.1") is not None
    assert egress.refuses("example.com", "93.184.215.14") is None


def test_a_private_host_stays_in_the_kind_of_network_where_it_was_found() -> None:
    """A9: rebinding of a host in a private network; one that has several addresses there keeps them"""
    egress = egress_of(settings("http://intranet.example/", "http://here.example/"))
    assert egress.refuses("intranet.example", "10.0.0.5") is None
    assert egress.refuses("intranet.example", "fd00::5") is None
    for address in ("169.254.169.254", "127.0.0.1", "::1", "168.63.129.16", "64:ff9b::a9fe:a9fe"):
        assert egress.refuses("intranet.example", address) is not None
    assert egress.refuses("intranet.example", "10.0.0.6") is None
    assert [egress.refuses("here.example", address) for address in ("::1", "127.0.0.1")] == [None, None]
    assert egress.refuses("here.example", "10.0.0.5") is not None


def test_without_private_start_nobody_is_let_in_by_name() -> None:
    """A9: what the service asks for"""
    egress = egress_of(settings("http://127.0.0.1/", private_start=False, proxy="http://10.0.0.1:3128"))
    assert egress.refuses("127.0.0.1", "127.0.0.1") is not None
    assert egress.refuses("10.0.0.1:3128", "10.0.0.1") is not None


def test_a_sitemap_and_a_proxy_are_named_too() -> None:
    given = replace(
        settings("https://example.com/", proxy="http://proxy.example:3128"),
        scope=Scope(sitemap=("http://inner.example/s.xml",)),
    )
    egress = egress_of(given)
    assert egress.refuses("proxy.example:3128", "10.0.0.1") is None
    assert egress.refuses("inner.example", "10.0.0.2") is None
    assert egress.refuses("other.example", "10.0.0.2") is not None


@pytest.mark.parametrize("host", ["127.0.0.1:80", "[::1]", "localhost", "a.localhost.", "10.0.0.1", "[fd00::1]:8080"])
def test_a_host_that_shows_its_address_is_judged_before_it_is_looked_up(host: str) -> None:
    assert Egress().refuses_literal(host) is not None


@pytest.mark.parametrize("host", ["example.com", "8.8.8.8:53", "localhost.example", "[2606:4700::1111]"])
def test_other_hosts_are_judged_when_they_are_dialled(host: str) -> None:
    assert Egress().refuses_literal(host) is None


def test_the_lists_are_of_addresses() -> None:
    for address in ROUTABLE + NOT_ROUTABLE:
        ip_address(address)
