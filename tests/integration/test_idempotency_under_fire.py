"""The same request many times at once, while the web process is killed and comes back: one effect each (R20).

Callers do what callers do: an error or no answer is tried again with the same Idempotency-Key or event id.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import psutil
import pytest

from tests.integration.hub_process import HubProcess, manage

PATIENCE = 300.0  # seconds a caller goes on trying
AT_ONCE = 12


class Caller:
    """Somebody with a key, who does not give up."""

    def __init__(self, hub: HubProcess, name: str) -> None:
        self.key = _key(hub, name, "agent", "customer_relay")
        self.auditor = _key(hub, name, "operator")
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{hub.port}/api/v1", timeout=60)

    def close(self) -> None:
        self.client.close()

    def send(self, path: str, body: dict[str, Any], *, token: str = "") -> tuple[int, Any]:
        """Send until there is an answer that says what became of it."""
        headers = {"Authorization": f"Bearer {self.key}", **({"Idempotency-Key": token} if token else {})}
        until = time.monotonic() + PATIENCE
        while True:
            try:
                reply = self.client.post(path, json=body, headers=headers)
                if reply.status_code < 500 and reply.status_code != 409:
                    return reply.status_code, reply.json()
                assert reply.status_code in (409, 500, 503), reply.text
            except httpx.TransportError:
                pass
            assert time.monotonic() < until, "no answer"
            time.sleep(0.1)

    def get(self, path: str) -> list[dict[str, Any]]:
        items, cursor = [], ""
        while cursor is not None:
            page = self.client.get(
                f"{path}{'&' if '?' in path else '?'}limit=200{f'&cursor={cursor}' if cursor else ''}",
                headers={"Authorization": f"Bearer {self.auditor}"},
            ).json()
            items += page["items"]
            cursor = page["next"]
        return items


def _key(hub: HubProcess, name: str, *roles: str) -> str:
    options = [part for role in roles for part in ("--role", role)]
    made = manage(
        "issue_key", "--organisation", name, "--name", f"{name}-{roles[0]}", *options, data=hub.data, port=hub.port
    )
    assert made.returncode == 0, made.stderr
    return made.stdout.split()[-1]


def kill_the_web_process(hub: HubProcess) -> None:
    """With SIGKILL, while it answers; the hub starts it anew."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for process in psutil.Process(hub.pid).children():
            try:
                if "uvicorn" in process.cmdline() and hub.status() < 500:
                    process.kill()
                    return
            except (psutil.NoSuchProcess, httpx.TransportError):
                continue
        time.sleep(0.05)
    raise AssertionError("it never answered")


def claim(number: int) -> dict[str, Any]:
    return {"subject": f"person-{number}", "text": f"My desk number is {1000 + number}", "channel": "user_message"}


def turn(number: int) -> dict[str, Any]:
    return {
        "event_id": f"e-{number}", "session_id": f"s-{number}", "subject": f"person-{number}",
        "user_input": f"My desk number is {1000 + number}",
    }  # fmt: skip


def under_fire(hub: HubProcess, caller: Caller, path: str, sent: list[tuple[dict[str, Any], str]], kills: int) -> list:
    """Sends all, AT_ONCE at a time, and kills the web process so many times on the way, while the others are sent."""
    deadly = {len(sent) * (number + 1) // (kills + 1) for number in range(kills)}

    def send(numbered: tuple[int, tuple[dict[str, Any], str]]) -> Any:
        place, (body, token) = numbered
        if place in deadly:
            kill_the_web_process(hub)
        return caller.send(path, body, token=token)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(send, enumerate(sent)))


def mixed(keys: int, repeats: int) -> list[int]:
    """Every key so many times, the repeats of one close to each other, so that they run at once."""
    order = [number for number in range(keys) for _ in range(repeats // 2)]
    return order + [number for number in range(keys) for _ in range(repeats - repeats // 2)]


def same_key_one_effect(hub: HubProcess, keys: int, repeats: int, kills: int) -> None:
    with closing(Caller(hub, f"keys-{keys}-{repeats}")) as caller:
        _same_key(hub, caller, keys, repeats, kills)


def _same_key(hub: HubProcess, caller: Caller, keys: int, repeats: int, kills: int) -> None:
    numbers = mixed(keys, repeats)
    answers = under_fire(hub, caller, "/memories", [(claim(n), f"k-{n}") for n in numbers], kills)
    by_key: dict[int, list[Any]] = {}
    for number, (status, body) in zip(numbers, answers, strict=True):
        assert status == 200, body
        by_key.setdefault(number, []).append(body)
    assert all(body == bodies[0] for bodies in by_key.values() for body in bodies), "one answer for each key"
    assert [bodies[0]["results"][0]["op"] for bodies in by_key.values()] == ["ADD"] * keys
    kept = caller.get("/memories?status=any")
    assert sorted(entry["subject"] for entry in kept) == sorted(f"person-{n}" for n in range(keys))
    assert len(caller.get("/audit?action=memory.add")) == keys
    for number in range(0, keys, 7):
        status, body = caller.send("/memories", claim(number + 1), token=f"k-{number}")
        assert (status, body["code"]) == (422, "idempotency_key_reused")


def same_event_one_effect(hub: HubProcess, events: int, repeats: int, kills: int) -> None:
    with closing(Caller(hub, f"events-{events}-{repeats}")) as caller:
        _same_event(hub, caller, events, repeats, kills)


def _same_event(hub: HubProcess, caller: Caller, events: int, repeats: int, kills: int) -> None:
    numbers = mixed(events, repeats)
    answers = under_fire(hub, caller, "/turns", [(turn(n), "") for n in numbers], kills)
    assert {status for status, _ in answers} <= {200, 201}
    fresh = [n for n, (status, _) in zip(numbers, answers, strict=True) if status == 201]
    assert len(fresh) == len(set(fresh)), "no event was taken in twice"
    assert sorted(event["event_id"] for event in caller.get("/events")) == sorted(f"e-{n}" for n in range(events))
    kept = caller.get("/memories?status=any")
    assert sorted(entry["subject"] for entry in kept) == sorted(f"person-{n}" for n in range(events))
    assert len(caller.get("/audit?action=turn.receive")) == events


def test_one_effect_for_each_key_while_the_web_process_dies(hub: HubProcess) -> None:
    same_key_one_effect(hub, keys=24, repeats=8, kills=1)


@pytest.mark.long
def test_one_effect_for_each_event_while_the_web_process_dies(hub: HubProcess) -> None:
    same_event_one_effect(hub, events=24, repeats=6, kills=1)


@pytest.mark.long
def test_two_hundred_keys_twenty_times_each_while_it_dies_again_and_again(hub: HubProcess) -> None:
    same_key_one_effect(hub, keys=200, repeats=20, kills=8)


@pytest.mark.long
def test_two_hundred_events_twenty_times_each_while_it_dies_again_and_again(hub: HubProcess) -> None:
    same_event_one_effect(hub, events=200, repeats=20, kills=8)
