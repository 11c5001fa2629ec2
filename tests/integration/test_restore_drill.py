"""The drill with everything real (S32): a hub is backed up while it runs, lost whole, and put back on an empty machine."""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.integration.hub_process import HubProcess, free_port, manage

pytestmark = (
    pytest.mark.long
)  # minutes of starting and stopping; tests/integration/test_backups.py is the small sibling

CANARY = "zanzibarian marmalade"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own: its parents are closed to the user that the database runs as."""
    path = Path(tempfile.mkdtemp(prefix="memoryhub-drill-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def test_a_lost_hub_comes_back_and_forgets_again_before_it_serves(folder: Path) -> None:
    data, safe = folder / "data", folder / "safe"
    safe.mkdir()
    hub = HubProcess(data)
    try:
        hub.wait_until_it_answers()
        key = _key(data)
        _tell(hub, key, "gone", f"I prefer {CANARY}")
        _tell(hub, key, "kept", "I prefer plain toast")
        taken = manage("backup", str(safe / "old.sealed"), data=data)
        assert taken.returncode == 0, taken.stderr
        with _client(hub, key) as client:
            erased = client.delete("/api/v1/subjects/gone/memories")
            assert erased.status_code == 200, erased.text
            before = _kept(client, "kept")
    finally:
        hub.end()
    for name in ("erasures.jsonl", "master-keys.json", "secrets.json"):
        shutil.copy(data / name, safe / name)
    shutil.rmtree(data)

    # An empty machine: only what was kept in the safe.
    again = folder / "again"
    again.mkdir(mode=0o700)
    alone = manage("restore", str(safe / "old.sealed"), data=again)
    assert (alone.returncode, "escrow" in alone.stderr) == (1, True), alone.stderr
    shutil.copy(safe / "master-keys.json", again)
    shutil.copy(safe / "secrets.json", again)
    without = manage("restore", str(safe / "old.sealed"), data=again)
    assert (without.returncode, "--ledger" in without.stderr) == (1, True), without.stderr

    ledger = safe / "erasures.jsonl"
    broken = folder / "broken.jsonl"  # names an erasure that can't be done again: nothing may serve
    line = json.loads(ledger.read_text().splitlines()[0])
    broken.write_text(json.dumps(line | {"ending": "of a later version"}) + "\n")
    halfway = manage("restore", str(safe / "old.sealed"), "--ledger", str(broken), data=again)
    assert (halfway.returncode, "this version can't do" in halfway.stderr) == (1, True), halfway.stderr
    refused = manage("serve", data=again, port=free_port())
    assert (refused.returncode, "restore" in refused.stderr) == (1, True), refused.stderr
    assert "Traceback" not in refused.stderr

    began = time.monotonic()
    restored = manage("restore", str(safe / "old.sealed"), "--ledger", str(ledger), data=again)
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert "done again: 1" in restored.stdout
    hub = HubProcess(again)
    try:
        hub.wait_until_it_answers()
        print(f"RTO: {time.monotonic() - began:.1f} s from an empty machine to the first answer")
        with _client(hub, key) as client:
            assert _kept(client, "kept") == before
            assert CANARY not in json.dumps(_kept(client, "gone"))
            found = client.post("/api/v1/recall", json={"subject": "gone", "query": "what does she prefer"})
            assert found.status_code == 200
            assert CANARY not in found.text
        told = manage("verify_audit", data=again)
        assert told.returncode == 0, told.stdout + told.stderr
        assert (again / "erasures.jsonl").read_text().count("\n") == 1, "the ledger goes on where it was"
    finally:
        hub.end()


def _key(data: Path) -> str:
    made = manage(
        "issue_key", "--organisation", "acme", "--name", "helper", "--role", "agent", "--role", "customer_relay",
        data=data,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return made.stdout.split()[-1]


def _client(hub: HubProcess, key: str) -> httpx.Client:
    return httpx.Client(base_url=f"http://127.0.0.1:{hub.port}", headers={"Authorization": f"Bearer {key}"}, timeout=60)


def _kept(client: httpx.Client, subject: str) -> object:
    told = client.get("/api/v1/memories", params={"subject": subject})
    assert told.status_code == 200, told.text
    return told.json()


def _tell(hub: HubProcess, key: str, subject: str, words: str) -> None:
    with _client(hub, key) as client:
        turn = {
            "event_id": f"e-{subject}", "session_id": f"s-{subject}", "subject": subject, "user_input": words,
            "assistant_output": f"Noted: {words}",
        }  # fmt: skip
        told = client.post("/api/v1/turns", json=turn)
        assert told.status_code == 201, told.text
