"""Which machines may the hub call by itself? Names are looked up once, and no address of an inner network is taken.

A record's address is set by an operator, but what answers under a name may change: so it is the looked-up address that
is judged, in every disguise an IPv6 address can give an IPv4 one, and then connected to, never the name again.

What can be told from the spelling alone is told when an address is entered: one way to write a host, no other.
"""

import ipaddress
import re
import socket
import threading
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LOOK_UPS: Final = 8  # at once; the system's resolver can't be stopped, so those that hang are counted
TRIED: Final = 3  # addresses of one name

#: Inner, whatever the standard library of this Python says of them: site-local, of protocols, the relay of 6to4, and
#: the one address beside the link-local ones under which a cloud serves its machines.
_INNER: Final = tuple(map(ipaddress.ip_network, ("fec0::/10", "192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
_ISATAP: Final = frozenset({0x5EFE, 0x02005EFE})  # the third quarter of an address that ends in one of IPv4
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE: Final = ipaddress.ip_network("::/96")
_looking_up = threading.BoundedSemaphore(LOOK_UPS)


#: What follows the last dot of a host that a resolver reads as a number: 127.1, 2130706433, 0x7f.1.
_NUMBER: Final = re.compile(r"(?:[0-9]+|0[xX][0-9a-fA-F]*)")
_LABEL: Final = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
#: Endings of names that lead nowhere, or only where the hub itself stands.
_INNER_ENDINGS: Final = frozenset(
    {"localhost", "local", "internal", "localdomain", "lan", "home", "corp", "intranet", "invalid", "onion", "arpa"}
)


class AddressRefused(Exception):
    """The name leads nowhere the hub may go; the sentence names no address, for it is an outsider's to choose."""


@dataclass(frozen=True)
class Place:
    """Where an address leads, as it is written."""

    scheme: str
    host: str
    port: int


def place_of(url: str) -> Place:
    """What an address written in the one plain way names. Raises AddressRefused with a sentence for any other: one
    that clients read differently leads past whatever was checked.
    """
    if not url.isascii():
        raise AddressRefused("Plain letters only; write a name in other letters as its xn-- form.")
    if not url.isprintable() or " " in url or "\\" in url:
        raise AddressRefused("Plain characters only, without spaces and backslashes.")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise AddressRefused("It is no address.") from error
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        raise AddressRefused("It begins with https:// and a host, without a name or password in it.")
    try:
        port = parts.port if parts.port is not None else {"http": 80, "https": 443}[parts.scheme]
    except ValueError:
        port = 0
    if not port or parts.netloc.endswith(":"):
        raise AddressRefused("A port is a number from 1 to 65535.")
    if "#" in url:
        raise AddressRefused("It has no part behind a #: that is never sent.")
    _check_host(host, bracketed="[" in parts.netloc)
    return Place(parts.scheme, host, port)


def check_entered(url: str, *, trusted: Collection[str], setting: str) -> None:
    """Raise AddressRefused with a sentence for what can be seen at once to lead where the hub may not go; where a name
    leads is asked at every call (`resolve`). Plain http is for hosts listed in `trusted`, the setting's hosts.
    """
    place = place_of(url)
    listed = is_trusted(place.host, place.port, trusted)
    if place.scheme == "http" and not listed:
        raise AddressRefused(f"It begins with https://; plain http is for hosts that {setting} lists.")
    itself = literal(place.host)
    if itself is not None:
        allowed = may_connect(itself, listed=listed, by_name=False)
    else:
        allowed = listed or ("." in place.host and place.host.rpartition(".")[2] not in _INNER_ENDINGS)
    if not allowed:
        raise AddressRefused(f"It leads into an inner network; whoever runs the hub lists such hosts in {setting}.")


def _check_host(host: str, *, bracketed: bool) -> None:
    itself = literal(host)
    if bracketed or isinstance(itself, ipaddress.IPv6Address):
        if not bracketed or not isinstance(itself, ipaddress.IPv6Address) or "%" in host:
            raise AddressRefused("What stands in [brackets] is an IPv6 address, without a zone.")
    elif host.endswith("."):
        raise AddressRefused("Leave out the dot at the end of the host.")
    elif itself is None:
        labels = host.split(".")
        if _NUMBER.fullmatch(labels[-1]):
            raise AddressRefused("An address in numbers has four, such as 203.0.113.7.")
        if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
            raise AddressRefused("A host is a name such as crm.example: letters, digits, hyphens and dots.")


def resolve(
    host: str, port: int, *, trusted: Collection[str], within: float, setting: str = "MEMORYHUB_RECORD_HOSTS"
) -> tuple[str, ...]:
    """The addresses of `host` that may be connected to, in the resolver's order. Raises AddressRefused.

    `trusted` are host names (or `host:port`) an operator listed as inner ones, in `setting`; `within` is in seconds.
    One forbidden address among several refuses the name: a name that leads both inside and outside is a trap.
    """
    found = _look_up(host, port, within=within)
    if not found:
        raise AddressRefused("the name has no address")
    listed = is_trusted(host, port, trusted)
    for address in found:
        if not may_connect(address, listed=listed, by_name=literal(host) is None):
            raise AddressRefused(f"the name leads into an inner network; list the host in {setting}")
    return tuple(str(address) for address in found[:TRIED])


def is_trusted(host: str, port: int, trusted: Collection[str]) -> bool:
    """Whether an operator listed the host, alone or with this port."""
    name = host.strip("[]").lower().rstrip(".")
    shown = f"[{name}]" if ":" in name else name
    return bool({name, shown, f"{shown}:{port}"} & {entry.lower() for entry in trusted})


def may_connect(address: Address, *, listed: bool, by_name: bool) -> bool:
    """Whether an address may be called: a public one always; an inner one for a listed host.

    Link-local addresses, where clouds keep their keys, only when the address itself is listed, never through a name.
    """
    inner = unwrapped(address)
    if any(one.is_multicast or one.is_unspecified for one in inner):
        return False
    if any(one.is_link_local for one in inner):
        return listed and not by_name
    return listed or all(one.is_global and not one.is_reserved and not _is_inner(one) for one in inner)


def _is_inner(address: Address) -> bool:
    return any(address in network for network in _INNER)


def unwrapped(address: Address) -> tuple[Address, ...]:
    """The address itself and every IPv4 address that it stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    found: list[Address] = [address]
    if address.sixtofour is not None:
        found.append(address.sixtofour)
    if address.teredo is not None:
        found.extend(address.teredo)
    isatap = (int(address) >> 32) & 0xFFFFFFFF in _ISATAP
    if isatap or address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return tuple(found)


def literal(host: str) -> Address | None:
    """The address that is written as the host; None: it is a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _look_up(host: str, port: int, *, within: float) -> list[Address]:
    itself = literal(host)
    if itself is not None:
        return [itself]
    if within <= 0 or not _looking_up.acquire(blocking=False):
        raise AddressRefused("the name could not be looked up in time")
    answers: list[Address] = []
    done = threading.Event()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.extend(ipaddress.ip_address(str(row[4][0]).partition("%")[0]) for row in rows)
        except (OSError, ValueError, UnicodeError):
            answers.clear()
        finally:
            _looking_up.release()
            done.set()

    threading.Thread(target=ask, name="record-name", daemon=True).start()
    if not done.wait(within):
        raise AddressRefused("the name could not be looked up in time")
    return list(dict.fromkeys(answers))
