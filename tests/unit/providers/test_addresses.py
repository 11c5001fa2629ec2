"""No name and no spelling leads into an inner network unless an operator listed it."""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from memoryhub.providers import addresses
from memoryhub.providers.addresses import AddressRefused, check_entered, is_trusted, may_connect, resolve

PATIENCE = 20.0  # seconds, on a busy machine
INNER = [
    "127.0.0.1", "127.8.9.10", "10.1.2.3", "172.16.0.9", "192.168.4.4", "100.64.0.1", "169.254.169.254", "0.0.0.0",
    "192.0.2.7", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fc00::7",
    "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.5", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::", "::127.0.0.1", "::10.0.0.1", "2001:db8::5",
    "fec0::1", "feff::9", "192.0.0.8", "192.0.0.192", "192.88.99.1", "168.63.129.16", "::ffff:168.63.129.16",
    "2001:4860::5efe:7f00:1", "2001:4860::200:5efe:a9fe:a9fe", "64:ff9b::c000:c0",
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


def entered(url: str, *, trusted: tuple[str, ...] = ()) -> str:
    """The sentence that an address is refused with; empty: it is taken."""
    try:
        check_entered(url, trusted=trusted, setting="THE_SETTING")
    except AddressRefused as error:
        return str(error)
    return ""


def spellings(address: str) -> Iterator[str]:
    """An address as it can stand in a URL, in every way that some client reads as that address."""
    itself = ipaddress.ip_address(address)
    if isinstance(itself, ipaddress.IPv6Address):
        yield from (f"[{itself}]", f"[{itself.exploded}]", f"[{itself}%25eth0]", f"[{itself}%eth0]", str(itself))
        return
    one, two, three, four = itself.packed
    whole = int(itself)
    yield from (str(itself), f"{itself}.", str(whole), hex(whole), oct(whole).replace("o", ""))
    yield from (f"{one}.{int.from_bytes(itself.packed[1:])}", f"{one}.{two}.{three * 256 + four}")
    yield from (f"0x{one:x}.{two}.{three}.{four}", f"0{one:o}.{two}.{three}.{four}", f"{one}.{two}.{three}.0x{four:x}")
    yield from (
        f"{one:03}.{two:03}.{three:03}.{four:03}",
        str(itself).replace("1", "%31"),
        str(itself).replace("1", "①"),
    )
    yield from (f"[::ffff:{itself}]", f"[::{itself}]", f"[64:ff9b::{itself}]", f"[{itself}]", f"user@{itself}")


@pytest.mark.parametrize("address", INNER)
def test_no_spelling_of_an_inner_address_can_be_entered(address: str) -> None:
    for host in spellings(address):
        for url in (f"https://{host}/hook", f"https://{host}:8443/hook", f"http://{host}/", f"HTTPS://{host}"):
            assert entered(url).endswith("."), url


@pytest.mark.parametrize(
    "url",
    [
        "", "x", "https://", "https:///hook", "https://?q", "//crm.example/", "crm.example/hook", "ftp://crm.example/",
        "javascript:alert(1)", "file:///etc/passwd", "https://crm.example:0/", "https://crm.example:65536/",
        "https://crm.example:/", "https://crm.example:eighty/", "https://crm.example:-1/", "https://[v1.x]/",
        "https://[/", "https://]/", "https://[crm.example]/", "https://[]/", "https://[::1", "https://crm.example./",
        "https://crm..example/", "https://.crm.example/", "https://-crm.example/", "https://crm-.example/",
        "https://crm .example/", "https://crm.example/a b", "https://crm.example\\@evil.example/", "https://crm.example/\n",
        "https://crm.example\t/", "https://user@crm.example/", "https://user:word@crm.example/", "https://@crm.example/",
        "https://:@crm.example/", "https://crm.example/#part", "https://crm.example#", "https://bücher.example/",
        "https://crm.ｅｘａｍｐｌｅ/", "https://crm。example/", "https://crm.example/ü", "https://crm%2eexample/",
        "https://crm_!.example/", f"https://{'a' * 64}.example/", f"https://{'a.' * 127}example/", "https://a/",
        "https://localhost/", "https://LOCALHOST/", "https://db.localhost/", "https://printer.local/",
        "https://metadata.google.internal/", "https://router.home.arpa/", "https://1.2.3/", "https://1.2.3.4.5/",
        "https://256.1.1.1/", "https://crm.example.1/", "https://crm.0x/", "http://crm.example/hook",
    ],
)  # fmt: skip
def test_an_odd_address_is_refused_where_it_is_entered(url: str) -> None:
    assert entered(url).endswith("."), url


@pytest.mark.parametrize(
    "url",
    [
        "https://crm.example/memory", "https://crm.example", "HTTPS://CRM.Example:8443/a?b=c&d=%20", "https://8.8.8.8/",
        "https://xn--bcher-kva.example/", "https://a_b.crm.example/", "https://[2606:2800:220:1::1]:444/",
        "https://3com.example/", "https://crm.example/a@b/c:d", "https://1.2.3.4.example/",
    ],
)  # fmt: skip
def test_an_ordinary_one_is_taken(url: str) -> None:
    assert entered(url) == ""


@pytest.mark.parametrize(
    ("url", "trusted"),
    [
        ("http://crm/hook", "crm"), ("https://crm:8443/", "crm:8443"), ("http://10.1.2.3/", "10.1.2.3"),
        ("http://[fd00::7]/", "[fd00::7]"), ("http://localhost:9000/", "localhost:9000"),
    ],
)  # fmt: skip
def test_a_listed_inner_host_is_taken_in_its_plain_spelling(url: str, trusted: str) -> None:
    assert entered(url, trusted=(trusted,)) == ""
    assert "THE_SETTING" in entered(url)
