"""The official client against a hub that is served as `make run` serves it, in both eras of the protocol (R111, R91)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from memoryhub.mcp.tools import TOOLS
from tests.integration.hub_process import HubProcess, manage


@pytest.fixture(scope="module")
def key(hub: HubProcess) -> str:
    roles = ("--role", "agent", "--role", "customer_relay")
    issued = manage("issue_key", "--organisation", "mcp", "--name", "bot", *roles, data=hub.data)
    assert issued.returncode == 0, issued.stderr
    return issued.stdout.strip()


@asynccontextmanager
async def connected(hub: HubProcess, key: str, mode: str) -> AsyncIterator[Client]:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)
    address = f"http://127.0.0.1:{hub.port}/mcp"
    async with http, Client(streamable_http_client(address, http_client=http), mode=mode) as client:
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
def test_what_another_door_corrects_or_erases_is_seen_by_the_very_next_search(
    hub: HubProcess, key: str, mode: str
) -> None:
    subject = f"nora-{mode}"
    rest = httpx.Client(
        base_url=f"http://127.0.0.1:{hub.port}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60
    )

    async def story() -> None:
        async with connected(hub, key, mode) as client:

            async def call(name: str, **arguments: Any) -> Any:
                result = await client.call_tool(name, {"subject": subject, **arguments})
                assert not result.is_error, result
                return result

            async def found() -> str:
                result = await call("search_memory", query="Which city does she live in?", min_relevance=0)
                return str(result.content[0].text)

            tools = await client.list_tools()
            assert {tool.name for tool in tools.tools} == set(TOOLS)
            kept = await call("remember", text="I live in Pune", channel="user_message")
            id = kept.structured_content["results"][0]["entry"]["id"]
            assert "Pune" in await found()
            assert (
                rest.patch(f"/memories/{id}", json={"text": "I live in Mumbai"}).json()["results"][0]["op"] == "UPDATE"
            )
            corrected = await found()
            assert "Mumbai" in corrected
            assert "Pune" not in corrected
            assert rest.delete(f"/subjects/{subject}/memories").json()["remaining"] == 0
            assert "Nothing was found." in await found()

    with rest:
        asyncio.run(story())


def test_a_refusal_comes_back_as_a_result_that_a_model_can_read(hub: HubProcess, key: str) -> None:
    async def attempt() -> Any:
        async with connected(hub, key, "auto") as client:
            return await client.call_tool("remember", {"subject": "nora", "text": ""})

    result = asyncio.run(attempt())
    assert result.is_error
    assert result.content[0].text.startswith("invalid: ")
    assert result.structured_content["errors"] == {"text": ["This field may not be blank."]}
