"""The OpenAPI document and its viewer."""

import json
import re

import pytest
from django.test import Client

from tests.cast import OPENAPI, Cast


def test_the_document_is_the_committed_one(cast: Cast) -> None:
    reply = cast.get("/openapi.json", by=None)
    assert reply.status == 200
    assert reply.body == json.loads(OPENAPI.read_text())


def test_every_operation_is_described_with_its_refusals() -> None:
    document = json.loads(OPENAPI.read_text())
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert {"400", "401", "403", "404", "422"} <= set(operation["responses"])
            assert operation["security"] == [{"key": []}]


def test_the_viewer_loads_from_this_host_alone(db: None) -> None:
    for address in ("/api/docs", "/api/docs?script="):
        answer = Client().get(address)
        assert answer.status_code == 200
        policy = answer["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "http" not in policy
    page = Client().get("/api/docs").content.decode()
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    assert re.findall(r"<script(?![^>]*src=)", page) == []


def test_every_operation_has_a_summary_in_one_sentence() -> None:
    document = json.loads(OPENAPI.read_text())
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert not operation["summary"].endswith(".")
            assert operation["description"].startswith(operation["summary"])


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
@pytest.mark.parametrize(("path", "status"), [("/api/v1/openapi.json", 405), ("/api/v1/nowhere/at/all", 404)])
def test_no_method_meets_a_page(cast: Cast, method: str, path: str, status: int) -> None:
    for key in (None, "bot"):
        answer = Client(enforce_csrf_checks=True).generic(
            method, path, b"{}", content_type="application/json",
            headers={"Authorization": f"Bearer {cast.key(key)}"} if key else {},
        )  # fmt: skip
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        assert json.loads(answer.content)["status"] == status
        assert status != 405 or answer["Allow"] == "GET, HEAD"
