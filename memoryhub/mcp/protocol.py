"""What does a message of the Model Context Protocol ask, and how is it answered? JSON-RPC in one POST, no sessions.

Two eras are spoken. Up to 2025-11-25 a client begins with `initialize`; nothing is remembered of it here, so any
process answers any request. From 2026-07-28 on there is no beginning: each request says its revision and what the
client can do in `params._meta`, and repeats in headers what is routed by; where the two differ it is refused.
Batches left the protocol in 2025-06-18 and are refused in every revision.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = ("2025-03-26", "2025-06-18", "2025-11-25")
UNSTATED: Final = "2025-03-26"  # what a request without the header speaks, as the specification has it
SUPPORTED: Final = (*HANDSHAKE, MODERN)

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"

LONGEST_ID: Final = 200  # characters of a request's id, which every answer repeats
#: Faults of the message itself answer 400 in both eras; the others only where the revision says so.
_OF_THE_MESSAGE: Final = frozenset({PARSE_ERROR, INVALID_REQUEST, HEADER_MISMATCH, UNSUPPORTED_VERSION})

Json = dict[str, Any]


class Refused(Exception):
    """A JSON-RPC error: a code, and a sentence that repeats nothing that was sent."""

    def __init__(
        self, code: int, message: str, *, id: int | str | None = None, data: Json | None = None, modern: bool = False
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.id, self.data, self.modern = code, message, id, data, modern

    @property
    def status(self) -> int:
        """Of the response."""
        if self.code in _OF_THE_MESSAGE or (self.modern and self.code == INVALID_PARAMS):
            return 400
        return 404 if self.modern and self.code == METHOD_NOT_FOUND else 200

    def as_json(self) -> Json:
        error: Json = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


@dataclass(frozen=True)
class Asked:
    """One request that has to be answered."""

    id: int | str
    method: str
    params: Mapping[str, Any]
    modern: bool

    def refuse(self, code: int, message: str) -> Refused:
        """The refusal of this request, to be raised."""
        return Refused(code, message, id=self.id, modern=self.modern)

    def answer(self, result: Json, *, server: Json, kept_for: int | None = None) -> Json:
        """The response. `server` is who answers; `kept_for` how many milliseconds one key may keep a list."""
        if self.modern:
            result = {"resultType": "complete", **result, "_meta": {SERVER_KEY: server}}
            if kept_for is not None:
                result |= {"ttlMs": kept_for, "cacheScope": "private"}
        return {"jsonrpc": "2.0", "id": self.id, "result": result}


def read(message: Any, headers: Mapping[str, str]) -> Asked | None:
    """The request in a message; None for a notification. `headers` ignore case. Raises Refused."""
    if isinstance(message, list):
        raise Refused(INVALID_REQUEST, "Send one message at a time; batches left the protocol in 2025-06-18.")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise Refused(INVALID_REQUEST, 'The body has to be one JSON-RPC 2.0 message with a "method".')
    if "id" not in message:
        _check_version(headers, id=None)
        return None
    id = message["id"]
    if isinstance(id, bool) or not isinstance(id, int | str) or (isinstance(id, str) and len(id) > LONGEST_ID):
        raise Refused(INVALID_REQUEST, f"An id is a whole number or at most {LONGEST_ID} characters.")
    modern = _check_version(headers, id=id) == MODERN
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise Refused(INVALID_PARAMS, '"params" has to be an object.', id=id, modern=modern)
    asked = Asked(id, message["method"], params, modern)
    if modern:
        _check_envelope(asked, headers)
    return asked


def agreed(wanted: Any) -> str:
    """The revision for a client that begins with `initialize`: its own if spoken here, else the newest of those."""
    return wanted if wanted in HANDSHAKE else HANDSHAKE[-1]


def _check_version(headers: Mapping[str, str], *, id: int | str | None) -> str:
    """The revision of the header; raises Refused for one that is not spoken here."""
    version = headers.get("MCP-Protocol-Version", UNSTATED)
    if version not in SUPPORTED:
        data = {"supported": list(SUPPORTED), "requested": version[:40]}
        raise Refused(UNSUPPORTED_VERSION, "Unsupported protocol version", id=id, data=data)
    return version


def _check_envelope(asked: Asked, headers: Mapping[str, str]) -> None:
    """What a request of the modern era carries, in the order in which the specification has it judged."""
    meta = asked.params.get("_meta")
    if not isinstance(meta, dict) or not {VERSION_KEY, CAPABILITIES_KEY} <= set(meta):
        raise asked.refuse(INVALID_PARAMS, f'"params._meta" has to hold {VERSION_KEY} and {CAPABILITIES_KEY}.')
    told = {"MCP-Protocol-Version": meta[VERSION_KEY], "Mcp-Method": asked.method}
    if asked.method == "tools/call":
        told["Mcp-Name"] = asked.params.get("name")
    for header, value in told.items():
        if headers.get(header) != value:
            raise asked.refuse(HEADER_MISMATCH, f"The header {header} has to say what the body says.")
