"""How does a reference agent work, end to end? A story in a file, told step by step against a hub's own API (spec 13).

A story is JSON: who takes part, then steps. A step is one call (`"by"`, `"call": "POST /turns"`, `"body"`), a dream
(`"dream": true`) or a file that changes (`"file"`, `"text"`), with a sentence that says what is seen (`"tell"`) and
what must hold (`"expect"`): a path into the answer with its value, or `{"days": 183}` for a moment so many days ahead,
`{"has": "..."}` for a part of a text, `{"count": 3}` for a list; `contains` and `lacks` speak of the whole answer.
`"save": {"item": "items.0.id"}` names a value, `$item` uses it later.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from memoryhub.errors import HubError

FOLDER: Final = Path(__file__).parent / "stories"
#: Roles of the keys of those who take part, and whether a person stands behind one.
PARTS: Final[dict[str, tuple[tuple[str, ...], bool]]] = {
    "agent": (("agent", "customer_relay"), False),
    "owner": (("agent", "operator"), False),
    "record": (("system_of_record",), False),
    "curator": (("curator",), True),
    "operator": (("operator",), True),
}

Answer = tuple[int, Any]
#: (part, method, path, body) → status and parsed body of the answer.
Caller = Callable[[str, str, str, Any], Answer]


class NotAsTold(HubError):
    """A step of a story ended otherwise than it says."""

    code = "not_as_told"


@dataclass(frozen=True)
class Story:
    """One story as its file holds it; `agent` is the slug, `needs_files` whether the hub has to read some."""

    name: str
    title: str
    agent: str
    setup: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]

    @property
    def needs_files(self) -> bool:
        return any("file" in step for step in self.steps)


@dataclass
class Stage:
    """Where a story is played: how its calls are made, its dreams dreamt, its files written; what it saved so far.

    `prefix` stands before every id of the story, so that it can be played again in the same organisation. Without
    `folder` the steps that need files are left out.
    """

    call: Caller
    dream: Callable[[], Mapping[str, Any]]
    folder: Path | None
    prefix: str
    say: Callable[[str], None]
    saved: dict[str, str] = field(default_factory=dict)


def names() -> list[str]:
    """The stories there are, in their order."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Story:
    """The story of that name (names())."""
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Story(name, told["title"], told["agent"], told.get("setup", {}), tuple(told["steps"]))


def play(story: Story, stage: Stage) -> int:
    """Play every step; how many. Raises NotAsTold at the first that ends otherwise than the story says."""
    stage.say(story.title)
    played = 0
    for number, step in enumerate(story.steps, 1):
        if stage.folder is None and (step.get("needs") == "files" or "file" in step):
            stage.say(f"  {number:>2}. (left out: no folder for files) {step.get('tell', '')}")
            continue
        answer = _done(step, stage)
        for fault in _faults(step.get("expect", {}), answer, stage):
            raise NotAsTold(f"{story.name}, step {number} ({step.get('tell', '')}): {fault}")
        for name, path in step.get("save", {}).items():
            stage.saved[name] = str(_at(answer, path))
        if step.get("tell"):
            stage.say(f"  {number:>2}. {step['tell']}")
        played += 1
    return played


def _done(step: Mapping[str, Any], stage: Stage) -> Any:
    if "file" in step:
        assert stage.folder is not None
        path = stage.folder / _filled(step["file"], stage)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step["text"], encoding="utf-8")
        return {}
    if step.get("dream"):
        return stage.dream()
    method, _, path = _filled(step["call"], stage).partition(" ")
    status, body = stage.call(step["by"], method, path, _filled(step.get("body"), stage))
    if status != step.get("status", status if status < 400 else 200):
        raise NotAsTold(f"{method} {path} was answered with {status}: {str(body)[:300]}")
    return body


def _filled(value: Any, stage: Stage) -> Any:
    """A step's text with `$name` as what was saved, and `~` before an id as the prefix."""
    if isinstance(value, str):
        named = re.sub(r"\$(\w+)", lambda match: stage.saved.get(match[1], match[0]), value)
        return re.sub(r"~(?=\w)", stage.prefix, named)
    if isinstance(value, list):
        return [_filled(each, stage) for each in value]
    if isinstance(value, dict):
        return {name: _filled(each, stage) for name, each in value.items()}
    return value


def _faults(expected: Mapping[str, Any], answer: Any, stage: Stage) -> list[str]:
    faults = []
    whole = json.dumps(answer, ensure_ascii=False, default=str)
    for path, wanted in expected.items():
        if path in ("contains", "lacks"):
            words = [_filled(each, stage) for each in wanted]
            faults += [f"{path} not {each!r}" for each in words if (each in whole) != (path == "contains")]
        elif not _holds(found := _at(answer, path), _filled(wanted, stage)):
            faults.append(f"{path} is {str(found)[:300]!r}, not {wanted!r}")
    return faults


def _holds(found: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict):
        return bool(found == wanted)
    if "days" in wanted:
        ahead = datetime.fromisoformat(str(found)) - datetime.now().astimezone()
        return abs(ahead - timedelta(days=wanted["days"])) < timedelta(days=1)
    if "has" in wanted:
        return wanted["has"] in str(found)
    return isinstance(found, list) and len(found) == wanted["count"]


def _at(answer: Any, path: str) -> Any:
    """What stands at a dotted path; `*` gathers from every element of a list; None where there is nothing."""
    found = answer
    steps = path.split(".")
    for place, step in enumerate(steps):
        if step == "*":
            rest = ".".join(steps[place + 1 :])
            return [_at(each, rest) if rest else each for each in found or []]
        if isinstance(found, list):
            found = found[int(step)] if step.isdigit() and int(step) < len(found) else None
        else:
            found = found.get(step) if isinstance(found, dict) else None
    return found
