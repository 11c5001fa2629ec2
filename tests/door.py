"""How tests call /mcp without a socket: messages through Django's test client, by the keys of a cast."""

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

import memoryhub.urls  # noqa: F401  (whose views declare the operations behind the tools)
from tests.cast import Cast, Reply

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass(frozen=True)
class Told:
    """The result of a tool."""

    body: Any
    texts: tuple[str, ...]
    is_error: bool

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def code(self) -> str:
        """Of a refusal."""
        assert self.is_error, self
        return str(self.body["code"])

    @property
    def ops(self) -> list[str]:
        assert not self.is_error, self
        return [result["op"] for result in self.body["results"]]


class Door:
    """/mcp, for the parts of a cast."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast

    def send(
        self,
        message: Any,
        *,
        by: str | None = "bot",
        key: str = "",
        raw: bytes | None = None,
        kind: str = "application/json",
        method: str = "POST",
        **headers: str,
    ) -> Reply:
        """One request as it is; `headers` in the form `MCP_Protocol_Version="…"`."""
        extra = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        extra.setdefault("HTTP_ACCEPT", "application/json, text/event-stream")
        if key or by:
            extra["HTTP_AUTHORIZATION"] = f"Bearer {key or self.cast.key(str(by))}"
        data = raw if raw is not None else json.dumps(message).encode()
        response: Any = Client(raise_request_exception=False).generic(method, "/mcp", data, content_type=kind, **extra)
        is_json = "json" in response.headers.get("Content-Type", "")
        body = json.loads(response.content) if is_json else response.content.decode() or None
        return Reply(response.status_code, body, dict(response.headers))

    def ask(self, method: str, params: Any = None, **options: Any) -> Reply:
        """One JSON-RPC request."""
        message = {"jsonrpc": "2.0", "id": 7, "method": method, **({} if params is None else {"params": params})}
        return self.send(message, **options)

    def modern(self, method: str, params: Any = None, **options: Any) -> Reply:
        """The same as a client of the revision without sessions sends it."""
        params = {**(params or {}), "_meta": META}
        headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
        if "name" in params:
            headers["Mcp_Name"] = params["name"]
        return self.ask(method, params, **{**headers, **options})

    def call(self, tool: str, arguments: Any = None, **options: Any) -> Told:
        """One tool."""
        reply = self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, **options)
        assert reply.status == 200, reply
        result = reply.body["result"]
        assert {content["type"] for content in result["content"]} == {"text"}
        return Told(
            result["structuredContent"], tuple(content["text"] for content in result["content"]), result["isError"]
        )

    def names(self, **options: Any) -> set[str]:
        """The tools that a key is shown."""
        return {tool["name"] for tool in self.ask("tools/list", **options).body["result"]["tools"]}
