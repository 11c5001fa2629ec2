"""Which machines may the hub call by itself? Names are looked up once, and no address of an inner network is taken.

A record's address is set by an operator, but what answers under a name may change: so it is the looked-up address that
is judged, in every disguise an IPv6 address can give an IPv4 one, and then connected to, never the name again.
"""

import ipaddress
import socket
import threading
from collections.abc import Collection
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LOOK_UPS: Final = 8  # at once; the system's resolver can't be stopped, so those that hang are counted
TRIED: Final = 3  # addresses of one name

_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE: Final = ipaddress.ip_network("::/96")
_looking_up = threading.BoundedSemaphore(LOOK_UPS)


class AddressRefused(Exception):
    """The name leads nowhere the hub may go; the sentence names no address, for it is an outsider's to choose."""


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
    return listed or all(one.is_global and not one.is_reserved for one in inner)


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
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
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
