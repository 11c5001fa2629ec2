"""No name and no spelling leads into an inner network unless an operator listed it."""

import ipaddress
import socket
import threading
from typing import Any

import pytest

from memoryhub.providers import addresses
from memoryhub.providers.addresses import AddressRefused, is_trusted, may_connect, resolve

PATIENCE = 20.0  # seconds, on a busy machine
INNER = [
    "127.0.0.1", "127.8.9.10", "10.1.2.3", "172.16.0.9", "192.168.4.4", "100.64.0.1", "169.254.169.254", "0.0.0.0",
    "192.0.2.7", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fc00::7",
    "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.5", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::", "::127.0.0.1", "::10.0.0.1", "2001:db8::5",
]  # fmt: skip


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """A resolver that knows these names alone."""
    known: dict[str, list[str]] = {}

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror("unknown")
        return [(socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port)) for one in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


@pytest.mark.parametrize("address", INNER)
def test_an_inner_address_is_refused_as_it_stands_and_behind_a_name(address: str, names: dict[str, list[str]]) -> None:
    names["records.example"] = [address]
    for host in (address, "records.example"):
        with pytest.raises(AddressRefused):
            resolve(host, 443, trusted=(), within=PATIENCE)


def test_one_inner_address_among_public_ones_refuses_the_name(names: dict[str, list[str]]) -> None:
    names["both.example"] = ["93.184.216.34", "10.0.0.1"]
    with pytest.raises(AddressRefused):
        resolve("both.example", 443, trusted=(), within=PATIENCE)


def test_public_addresses_are_given_in_order_and_not_all_of_them(names: dict[str, list[str]]) -> None:
    names["open.example"] = ["93.184.216.34", "2606:2800:220:1::1", "93.184.216.34", "1.1.1.1", "8.8.8.8"]
    assert resolve("open.example", 443, trusted=(), within=PATIENCE) == (
        "93.184.216.34",
        "2606:2800:220:1::1",
        "1.1.1.1",
    )


@pytest.mark.parametrize("entry", ["crm.inner", "CRM.inner", "crm.inner:8443"])
def test_a_listed_host_may_stand_in_an_inner_network(entry: str, names: dict[str, list[str]]) -> None:
    names["crm.inner"] = ["10.0.0.8"]
    assert resolve("crm.inner", 8443, trusted=[entry], within=PATIENCE) == ("10.0.0.8",)
    with pytest.raises(AddressRefused):
        resolve("crm.inner", 22, trusted=["crm.inner:8443"], within=PATIENCE)


def test_a_listed_name_never_leads_to_where_clouds_keep_their_keys(names: dict[str, list[str]]) -> None:
    names["crm.inner"] = ["169.254.169.254"]
    with pytest.raises(AddressRefused):
        resolve("crm.inner", 80, trusted=["crm.inner"], within=PATIENCE)
    assert resolve("169.254.169.254", 80, trusted=["169.254.169.254"], within=PATIENCE) == ("169.254.169.254",)


def test_a_name_nobody_knows_is_refused(names: dict[str, list[str]]) -> None:
    with pytest.raises(AddressRefused, match="no address"):
        resolve("nowhere.example", 443, trusted=(), within=PATIENCE)


def test_a_resolver_that_hangs_is_not_waited_for_and_never_piles_up(monkeypatch: pytest.MonkeyPatch) -> None:
    go, hanging = threading.Event(), []

    def hangs(*_: Any, **__: Any) -> list[Any]:
        hanging.append(threading.current_thread())
        go.wait(PATIENCE)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    for _ in range(addresses.LOOK_UPS + 3):
        with pytest.raises(AddressRefused, match="in time"):
            resolve("slow.example", 443, trusted=(), within=0.05)
    assert len(hanging) <= addresses.LOOK_UPS
    with pytest.raises(AddressRefused, match="in time"):
        resolve("slow.example", 443, trusted=(), within=PATIENCE)  # at once: so many hang already
    assert not go.is_set()
    go.set()  # the hanging look-ups end and give their places back
    for thread in hanging:
        thread.join(PATIENCE)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("1.1.1.1", 443))])
    assert resolve("slow.example", 443, trusted=(), within=PATIENCE) == ("1.1.1.1",)


def test_trust_is_by_whole_name() -> None:
    assert is_trusted("[::1]", 80, ["::1"])
    assert is_trusted("::1", 80, ["[::1]:80"])
    assert not is_trusted("evil-crm.inner", 80, ["crm.inner"])
    assert not is_trusted("crm.inner.evil", 80, ["crm.inner"])


def test_public_addresses_may_be_called_and_multicast_never() -> None:
    assert may_connect(ipaddress.ip_address("93.184.216.34"), listed=False, by_name=True)
    assert not may_connect(ipaddress.ip_address("224.0.0.9"), listed=True, by_name=False)
