"""What could a test leave behind for the next one of its process? Found by looking before and after each test."""

import os
import threading
from concurrent.futures import thread as pools
from typing import Any

from django.utils import timezone, translation

from memoryhub.providers import embeddings, entailment


def held() -> dict[str, Any]:
    """What all tests of a process share, by name."""
    return {
        "the environment": dict(os.environ),
        "the current folder": os.getcwd(),
        "the time zone": timezone.get_current_timezone_name(),
        "the language": translation.get_language(),
        "the embedder": embeddings._chosen.known,
        "the entailment checker": entailment._chosen.known,
        # Of pools nobody has to wait for: they do what they were given and end with their pool.
        "threads": {each for each in threading.enumerate() if not (each.daemon or each in pools._threads_queues)},
    }


def faults(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """A sentence for each thing that is not as it was. What a process chooses for itself, once, is none."""
    environment = "the environment"
    names = before[environment].keys() | after[environment].keys()
    changed = [name for name in sorted(names) if before[environment].get(name) != after[environment].get(name)]
    found = [f"the environment is changed: {name}" for name in changed if name != "PYTEST_CURRENT_TEST"]
    found += [f"still running: {thread.name}" for thread in after["threads"] - before["threads"] if thread.is_alive()]
    others = [name for name in before if name not in (environment, "threads") and before[name] is not None]
    return found + [
        f"{name} is {after[name]!r} and was {before[name]!r}" for name in others if before[name] != after[name]
    ]
