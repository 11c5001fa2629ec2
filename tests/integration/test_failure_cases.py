"""The failure cases kept beside the repository, played over REST against a whole hub by their own runner.

A failing case stands for a kind of fault: it is put right at the rule behind it, never by its words.
"""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.integration.hub_process import ROOT, HubProcess, environment

SHARED = Path(os.environ.get("MEMORYHUB_SHARED", Path(settings.BASE_DIR).parent / "shared"))
CASES = SHARED / "cases" / "cases.jsonl"
RUNNER = SHARED / "cases" / "run_cases.py"
#: What the gate, recall and dreams answer for.
THEMES = (
    "assertion", "negation", "change", "attribution", "time", "dedup", "language", "size", "authority", "concurrency",
    "poisoning", "obfuscation", "secrets", "pii", "overblocking", "recall", "search", "isolation", "rendering",
    "skills", "dream",
)  # fmt: skip

pytestmark = pytest.mark.skipif(
    not (CASES.is_file() and RUNNER.is_file()),
    reason=f"the failure cases and their runner are not at {CASES.parent}; set MEMORYHUB_SHARED",
)


@functools.cache
def of_these_themes() -> list[dict[str, Any]]:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [case for case in cases if case["theme"] in THEMES]


def dreams(case: dict[str, Any]) -> bool:
    """Whether a step is a dream, which the runner runs as a command: one to several seconds each."""
    return '"op": "dream"' in json.dumps(case["input"]["steps"])


def play(hub: HubProcess, cases: list[dict[str, Any]], verdicts: Path) -> list[dict[str, Any]]:
    """Every case's verdict, in the runner's own words."""
    ran = subprocess.run(
        [
            sys.executable, str(RUNNER), "--url", f"http://127.0.0.1:{hub.port}",
            "--manage", f"{sys.executable} {ROOT / 'manage.py'}",
            "--only", ",".join(case["id"] for case in cases), "--json", str(verdicts), str(CASES),
        ],
        env=environment(hub.data, hub.port), text=True, capture_output=True, timeout=900, check=False,
    )  # fmt: skip
    assert ran.returncode in (0, 1), f"the runner could not start: {ran.stderr}"
    played: list[dict[str, Any]] = json.loads(verdicts.read_text(encoding="utf-8"))
    assert {one["id"] for one in played} == {case["id"] for case in cases}
    return played


def check(played: list[dict[str, Any]]) -> None:
    failed = [f"{one['id']} ({one['theme']}): {one['why']}" for one in played if one["verdict"] == "FAIL"]
    assert not failed, "\n".join([f"{len(failed)} of {len(played)} cases failed:", *failed])
    assert any(one["verdict"] == "pass" for one in played)


def test_no_case_of_these_themes_fails(hub: HubProcess, tmp_path: Path) -> None:
    check(play(hub, [case for case in of_these_themes() if not dreams(case)], tmp_path / "verdicts.json"))


@pytest.mark.long
def test_no_case_fails_whose_words_a_dream_reads_again(hub: HubProcess, tmp_path: Path) -> None:
    check(play(hub, [case for case in of_these_themes() if dreams(case)], tmp_path / "verdicts.json"))
