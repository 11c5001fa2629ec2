"""The database ends in the middle of a dream that a running hub dreams, and comes back: nothing is lost or doubled, and
nobody has to do anything (R75). The other way round from test_crashes.py: there a statement fails, here it is real.
"""

import json
import signal
import time
from collections.abc import Callable
from typing import Any

import httpx
import psutil
import pytest

from tests.factories.turns import action
from tests.factories.turns import signal as finding
from tests.integration.hub_process import HubProcess, manage

SESSIONS = 60
PATIENCE = 150.0  # seconds: a lease has to run out, and a busy machine takes its time


def a_day() -> list[dict[str, Any]]:
    return [
        {
            "event_id": f"{number}-{turn}",
            "session_id": f"stay-{number}",
            "subject": f"guest-{number}",
            "user_input": said,
            "assistant_output": "Certainly.",
            "actions": [action("book_room", room=str(number))],
            "signals": [finding(f"Room {number} is taken")] if turn == 0 and number < 5 else [],
        }
        for number in range(SESSIONS)
        for turn, said in enumerate(("Good morning.", f"I prefer the quiet floor, room {number}.", "Thank you."))
    ]


class Desk:
    """One organisation of the hub: its agent's key and its operator's."""

    def __init__(self, hub: HubProcess, organisation: str) -> None:
        self.hub, self.organisation = hub, organisation
        self.agent = self._key("agent", "customer_relay")
        self.operator = self._key("operator")

    def _key(self, *roles: str) -> str:
        named = [word for role in roles for word in ("--role", role)]
        made = manage(
            "issue_key", "--organisation", self.organisation, "--name", f"desk-{roles[0]}", *named,
            data=self.hub.data, port=self.hub.port,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def call(self, method: str, path: str, body: Any = None, *, key: str = "") -> httpx.Response:
        return httpx.request(
            method, f"http://127.0.0.1:{self.hub.port}/api/v1{path}", json=body, timeout=60,
            headers={"Authorization": f"Bearer {key or self.operator}"},
        )  # fmt: skip

    def live(self) -> None:
        turns = a_day()
        for first in range(0, len(turns), 60):
            self.call("POST", "/turns:batch", turns[first : first + 60], key=self.agent).raise_for_status()

    def dream(self) -> str:
        return str(self.call("POST", "/dreams", {}).raise_for_status().json()["id"])

    def state(self, dream: str) -> dict[str, Any] | None:
        """None while the hub says that it can't tell."""
        answer = self.call("GET", f"/dreams/{dream}")
        assert answer.status_code in (200, 503), answer.text
        return answer.json() if answer.status_code == 200 else None

    def remembered(self) -> list[str]:
        """Everything that is remembered, of every status, without ids and times."""
        kept = ("subject", "kind", "category", "text", "key", "value", "status", "confidence", "authority")
        found, cursor = [], ""
        while True:
            page = self.call("GET", f"/memories?status=any&limit=200{cursor}").raise_for_status().json()
            found += [json.dumps({name: entry[name] for name in kept}) for entry in page["items"]]
            if not page["next"]:
                return sorted(found)
            cursor = f"&cursor={page['next']}"

    def skills(self) -> list[Any]:
        items = self.call("GET", "/skills?status=proposed").raise_for_status().json()["items"]
        return sorted((item["name"], item["evidence"]["sessions"]) for item in items)


def until(told: Callable[[], Any], *, what: str) -> Any:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        if found := told():
            return found
        time.sleep(0.05)
    raise AssertionError(f"never {what}")


@pytest.fixture(scope="module")
def clean(hub: HubProcess) -> Desk:
    """What the same day leaves where nothing happens."""
    desk = Desk(hub, "calm-inn")
    desk.live()
    dream = desk.dream()
    until(lambda: (desk.state(dream) or {}).get("status") == "done", what="done")
    return desk


def server_of(hub: HubProcess) -> psutil.Process:
    """The database's own first process."""
    return next(each for each in hub.family() if each.name() == "postgres" and each.ppid() == hub.pid)


@pytest.mark.long
@pytest.mark.parametrize(
    ("organisation", "number"),
    [("told-to-stop", signal.SIGINT), ("cut-off", signal.SIGQUIT), ("killed", signal.SIGKILL)],
)
def test_a_dream_outlives_its_database(hub: HubProcess, clean: Desk, organisation: str, number: int) -> None:
    desk = Desk(hub, organisation)
    desk.live()
    dream = desk.dream()
    until(lambda: ((desk.state(dream) or {}).get("progress") or {}).get("sessions_done", 0) >= 5, what="under way")
    before = server_of(hub).pid
    server_of(hub).send_signal(number)
    told = until(
        lambda: (state := desk.state(dream)) is not None and state["status"] in ("done", "failed") and state,
        what="ended",
    )
    assert (told["status"], told["progress"]["sessions_done"]) == ("done", SESSIONS)
    assert server_of(hub).pid != before
    assert desk.remembered() == clean.remembered()
    assert desk.skills() == clean.skills()
    again = desk.dream()
    night = until(lambda: (state := desk.state(again)) is not None and state["status"] == "done" and state, what="done")
    assert night["report"]["events"] == 0
