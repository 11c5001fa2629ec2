"""Who calls the hub in tests: one fresh organisation, a key for each part, and a caller that holds every answer against
the OpenAPI document.
"""

import functools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from accounts.ids import new_id
from memoryhub.governance import access
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal

OPENAPI = Path(__file__).resolve().parent.parent / "docs" / "openapi.json"
BASE = "/api/v1"

#: The parts: key name → (roles, whether a person of that name is behind the key).
PARTS = {
    "bot": (("agent", "customer_relay"), False),
    "plain-bot": (("agent",), False),
    "desk": (("customer_relay",), False),
    "crm": (("system_of_record",), False),
    "rosa": (("curator",), True),
    "timo": (("curator",), True),
    "olga": (("operator",), True),
    "kurt": (("auditor",), False),
}


def rows(cast: "Cast", model: type[Model], **filters: Any) -> int:
    """How many rows of a model the caller's organisation has; without an identity every table reads empty."""
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        return model._default_manager.filter(**filters).count()


@dataclass(frozen=True)
class Reply:
    """One answer."""

    status: int
    body: Any
    headers: dict[str, str] = field(repr=False)

    @property
    def code(self) -> str:
        """Of a problem."""
        return str(self.body["code"])

    @property
    def results(self) -> list[dict[str, Any]]:
        return list(self.body["results"])

    @property
    def ops(self) -> list[str]:
        return [result["op"] for result in self.body["results"]]

    @property
    def entry(self) -> dict[str, Any]:
        """Of the only result."""
        (result,) = self.body["results"]
        entry: dict[str, Any] = result["entry"]
        return entry


class Cast:
    """One organisation, its keys made as they are first used, and calls through Django's test client."""

    def __init__(self, *, slug: str = "") -> None:
        self.slug = slug or f"cast-{new_id().hex[-12:]}"
        self.keys: dict[str, str] = {}

    def key(self, part: str) -> str:
        """The key of a part in clear."""
        if part not in self.keys:
            roles, person = PARTS[part]
            self.keys[part] = self.issue(name=part, roles=roles, user=f"{part}@{self.slug}.example" if person else "")
        return self.keys[part]

    def issue(self, *, name: str, roles: tuple[str, ...], user: str = "", subject: str = "") -> str:
        """A key of any other sort."""
        return access.issue_key(
            organisation=self.slug, name=name, roles=roles, user=user, subject=subject, now=timezone.now(),
            pepper=settings.MEMORYHUB_KEY_PEPPER,
        ).text  # fmt: skip

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        by: str | None = "bot",
        key: str = "",
        raw: bytes | str | None = None,
        kind: str = "application/json",
        **headers: str,
    ) -> Reply:
        """One call; `path` as it goes over the wire, percent-encoded. `headers` in the form `If_Match="…"`."""
        extra = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        if key or by:
            extra["HTTP_AUTHORIZATION"] = f"Bearer {key or self.key(str(by))}"
        full = path if path.startswith("/") and not path.startswith("//") else f"/{path}"
        full = full if full.startswith(("/api", "/healthz", "/readyz")) else f"{BASE}{full}"
        data: bytes | str = b""
        if raw is not None:
            data = raw
        elif body is not None:
            data = json.dumps(body)
        client = Client(raise_request_exception=False)
        response: Any = client.generic(method, full, data, content_type=kind, REQUEST_URI=full, **extra)
        is_json = "json" in response.headers.get("Content-Type", "")
        reply = Reply(
            status=response.status_code,
            body=json.loads(response.content) if is_json else response.content.decode(),
            headers=dict(response.headers),
        )
        assert reply.headers["X-Request-ID"]
        if full.startswith(BASE) and full != f"{BASE}/openapi.json":
            _check(method, response, reply)
        return reply

    def get(self, path: str, **options: Any) -> Reply:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Reply:
        return self.call("POST", path, body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Reply:
        return self.call("PUT", path, body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> Reply:
        return self.call("PATCH", path, body, **options)

    def delete(self, path: str, **options: Any) -> Reply:
        return self.call("DELETE", path, **options)

    def say(self, text: str, *, subject: str = "nora", **options: Any) -> Reply:
        """A person's own words, passed on by the relay."""
        fields = {name: options.pop(name) for name in list(options) if name not in _OPTIONS}
        sent = {"subject": subject, "text": text, "channel": "user_message", **fields}
        return self.post("/memories", sent, **options)

    def infer(self, text: str, *, subject: str = "nora", **fields: Any) -> Reply:
        """An agent's conclusion, which waits for a curator."""
        return self.post("/memories", {"subject": subject, "text": text, "channel": "agent_inference", **fields})

    def push(self, values: Any, *, subject: str = "depot-9", **options: Any) -> Reply:
        """What a system of record holds about a subject."""
        return self.put(f"/records/{subject}", values, **{"by": "crm", **options})

    def show(self, type: str, ref: str, **fields: Any) -> Reply:
        """Evidence for what waits."""
        options = {name: fields.pop(name) for name in list(fields) if name in _OPTIONS}
        return self.post("/evidence", {"type": type, "ref": ref, **fields}, **{"by": "crm", **options})

    def waiting(self, *, by: str = "rosa", **filters: str) -> list[dict[str, Any]]:
        """The queue."""
        query = "&".join(f"{name}={value}" for name, value in filters.items())
        items: list[dict[str, Any]] = self.get(f"/queue?{query}", by=by).body["items"]
        return items


_OPTIONS = {"by", "key", "raw", "kind", "Idempotency_Key", "If_Match", "X_Request_ID"}


def _check(method: str, response: Any, reply: Reply) -> None:
    """Hold an answer against the document: its status, its media type, its shape."""
    kind = reply.headers["Content-Type"].partition(";")[0]
    if reply.status >= 400:
        assert kind == "application/problem+json", (reply.status, kind)
        assert reply.body["status"] == reply.status
    route = getattr(response.wsgi_request.resolver_match, "route", "") or ""
    path = "/" + re.sub(r"<segment:(\w+)>", r"{\1}", route)
    operation = _document()["paths"].get(path, {}).get(method.lower())
    if operation is None:
        assert reply.status in (404, 405, 415, 400), (method, path, reply)
        return
    described = operation["responses"].get(str(reply.status))
    if described is None:
        assert reply.status >= 400, f"{method} {path}: {reply.status} is not described"
        return
    if kind in described["content"]:
        fault = best_match(_validator(json.dumps(described["content"][kind]["schema"])).iter_errors(reply.body))
        assert fault is None, f"{method} {path}: {fault.message[:500]} at {list(fault.absolute_path)}"


@functools.cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(OPENAPI.read_text())
    return document


@functools.cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": _document()["components"]})
