"""What do the exports of mem0, Zep and Letta say? Each of their memories as a text for the gate (R114).

What another system kept is what its model concluded: it is offered as an agent's inference, which waits for a person,
with the day it was said and where it came from. What was over there is not offered. Files are JSON, or JSON Lines.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance.dates import faults_of
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.models import Subject
from memoryhub.vocabulary import Channel, Role

#: Where the lists of memories are, in what each of them exports as one document.
_LISTS: Final = {
    "mem0": ("results", "memories"),
    "zep": ("edges", "facts", "results"),
    "letta": ("passages", "archival_memory", "blocks", "core_memory"),
}
_HUMAN: Final = "human"  # Letta's block about the person; the others are about the agent


@dataclass(frozen=True)
class Memory:
    """One memory of another system: whose, its words, when it was said, its id there, and whether it was over."""

    number: int
    subject: str
    text: str
    said_at: datetime | None
    ref: str
    over: bool = False

    def proposal(self, subject: Subject) -> Proposal:
        """As it is offered to the gate."""
        return Proposal(
            subject=subject, text=self.text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT, said_at=self.said_at,
            source=Source(ref=self.ref),
        )  # fmt: skip


def read(text: str, *, system: str, subject: str) -> list[Memory]:
    """The memories of a file; `subject`: whose they are, where the file does not say. Raises Invalid by line."""
    found, faults = [], {}
    for number, row in _rows(text, system):
        try:
            found += list(_READERS[system](number, row, subject))
        except ValueError as error:
            faults[number] = str(error)
    if faults:
        raise Invalid(
            "The file can't be read; nothing was taken in.",
            errors={f"line {number}": [f"{fault}."] for number, fault in sorted(faults.items())[:20]},
        )
    return found


def _rows(text: str, system: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each memory with a number: of its line in JSON Lines, of its place in one document."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        rows: list[Any] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                rows.append((number, _parsed(line, number)))
    else:
        rows = list(enumerate(_listed(whole, system), start=1))
    for number, row in rows:
        if not isinstance(row, dict):
            raise Invalid(errors={f"line {number}": ["it is no JSON object."]})
        yield number, row


def _parsed(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Invalid(errors={f"line {number}": ["it is no JSON."]}) from error


def _listed(whole: Any, system: str) -> list[Any]:
    """The memories in a document: itself a list, or lists in it, also one level down (an agent file holds agents)."""
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, dict):
        raise Invalid(errors={"file": ["it holds neither a list nor an object."]})
    found: list[Any] = []
    for name in _LISTS[system]:
        if isinstance(whole.get(name), list):
            found += [_whose(one, whole) for one in whole[name]]
    for agent in whole.get("agents", []) if isinstance(whole.get("agents"), list) else []:
        if isinstance(agent, dict):
            found += _listed({**agent, "agents": []}, system) if set(agent) & set(_LISTS[system]) else []
    return found or ([whole] if not set(whole) & set(_LISTS[system]) and "agents" not in whole else [])


def _whose(row: Any, whole: Mapping[str, Any]) -> Any:
    """A memory with the user of the whole document, where it names none itself."""
    if isinstance(row, dict) and isinstance(whole.get("user_id"), str):
        return {"user_id": whole["user_id"], **row}
    return row


def _of_mem0(number: int, row: Mapping[str, Any], subject: str) -> Iterator[Memory]:
    said = _words(row, "memory", "text")
    yield Memory(
        number, _subject(row, subject), said, _time(row, "updated_at", "created_at"), _ref("mem0", row.get("id"))
    )


def _of_zep(number: int, row: Mapping[str, Any], subject: str) -> Iterator[Memory]:
    said = _words(row, "fact", "text")
    over = _time(row, "invalid_at") or _time(row, "expired_at")
    yield Memory(
        number, _subject(row, subject), said, _time(row, "valid_at", "created_at"), _ref("zep", row.get("uuid")),
        over=over is not None and over <= datetime.now(UTC),
    )  # fmt: skip


def _of_letta(number: int, row: Mapping[str, Any], subject: str) -> Iterator[Memory]:
    """A passage is one memory; the block about the person holds one a line."""
    if "label" not in row:
        said = _words(row, "text")
        yield Memory(number, _subject(row, subject), said, _time(row, "created_at"), _ref("letta", row.get("id")))
        return
    if row["label"] != _HUMAN:
        return
    for line in _words(row, "value").splitlines():
        if line.strip(" -*\t"):
            at = _time(row, "updated_at", "created_at")
            yield Memory(number, _subject(row, subject), line.strip(" -*\t"), at, _ref("letta", row.get("id")))


_READERS: Final[dict[str, Callable[[int, Mapping[str, Any], str], Iterator[Memory]]]] = {
    "mem0": _of_mem0, "zep": _of_zep, "letta": _of_letta,
}  # fmt: skip
SYSTEMS: Final[Sequence[str]] = tuple(_READERS)


def _words(row: Mapping[str, Any], *names: str) -> str:
    for name in names:
        if isinstance(row.get(name), str) and row[name].strip():
            words: str = row[name]
            if len(words.encode("utf-8", "surrogatepass")) > conf.MAX_TEXT_BYTES:
                raise ValueError(f"its {name} has more than {conf.MAX_TEXT_BYTES // 1024} KB")
            return words
    raise ValueError(f"it has no {names[0]}")


def _subject(row: Mapping[str, Any], subject: str) -> str:
    named = row.get("user_id")
    if subject:
        return subject
    if isinstance(named, str) and named:
        return named
    raise ValueError("it does not say whose it is; name the subject with --subject")


def _time(row: Mapping[str, Any], *names: str) -> datetime | None:
    for name in names:
        value = row.get(name)
        if value is None:
            continue
        try:
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            at = None
        if at is None:
            raise ValueError(f"its {name} is no time")
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        if faults_of(at):
            raise ValueError(f"its {name} is out of this age")
        return at
    return None


def _ref(system: str, named: object) -> str:
    return f"{system} {named}"[:200] if isinstance(named, str) and named else system
