"""Is a line of an exported file what it has to be? Its fields, each of its type, before anything is written (R114)."""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance.dates import faults_of
from memoryhub.governance.subjects import check_external_id
from memoryhub.governance.transfer import FILE_FORMAT, FORMAT, Document
from memoryhub.vocabulary import Category, Channel, Kind, Role, Scope, Sensitivity, Status, SubjectKind

MAX_LINE: Final = 1024 * 1024  # bytes
SHOWN: Final = 20  # faults that are told; of more, how many

Check = Callable[[Any], str]


@dataclass(frozen=True)
class Line:
    """One line that can be read: its number in the file, and what it says."""

    number: int
    document: Document


def read(rows: Iterable[str]) -> list[Line]:
    """All lines of a file in the hub's own format. Raises Invalid that names every line that can't be read: then
    nothing of the file is taken in.
    """
    found, faults = documents(rows)
    for line in found:
        if fault := fault_of(line.document):
            faults[line.number] = fault
    ids: dict[str, int] = {}
    for line in found:
        if line.number in faults or "id" not in line.document:  # a memory file is known by its name
            continue
        if (first := ids.setdefault(line.document["id"], line.number)) != line.number:
            faults[line.number] = f"its id stands on line {first} already"
    refuse(faults)
    return found


def documents(rows: Iterable[str]) -> tuple[list[Line], dict[int, str]]:
    """Every line that is a JSON object, and what is wrong with the others."""
    found, faults = [], {}
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        try:
            document = json.loads(row) if len(row.encode("utf-8", "surrogatepass")) <= MAX_LINE else None
        except (ValueError, RecursionError):
            faults[number] = "it is no JSON"
            continue
        if isinstance(document, dict):
            found.append(Line(number, document))
        else:
            faults[number] = f"it is no JSON object of at most {MAX_LINE // 1024} KB"
    return found, faults


def refuse(faults: Mapping[int, str]) -> None:
    """Raise Invalid where there are any."""
    if not faults:
        return
    told = {f"line {number}": [f"{fault}."] for number, fault in sorted(faults.items())[:SHOWN]}
    if len(faults) > SHOWN:
        told["and"] = [f"{len(faults) - SHOWN} more lines."]
    raise Invalid("The file can't be read; nothing was taken in.", errors=told)


def fault_of(document: Document) -> str:
    """What is wrong with a line, by the name of its field; empty when nothing is. Its words are not repeated."""
    if document.get("format") == FILE_FORMAT:
        return _faults(document, FILE)
    if document.get("format") != FORMAT:
        return f"its format is not {FORMAT}"
    return (
        _faults(document, FIELDS)
        or _faults(document["about"], ABOUT, "about.")
        or _faults(document["provenance"], PROVENANCE, "provenance.")
        or _odd(document)
    )


def _faults(document: Document, fields: Mapping[str, Check], prefix: str = "") -> str:
    for name, check in fields.items():
        if name not in document:
            return f"{prefix}{name} is missing"
        if fault := check(document[name]):
            return f"{prefix}{name} {fault}"
    unknown = sorted(str(name) for name in set(document) - set(fields) - {"seal"})
    return f"it has {len(unknown)} unknown field{'s' if len(unknown) > 1 else ''}" if unknown else ""


def _odd(document: Document) -> str:
    if (document["last_confirmed_at"] is None) != (document["confirmed_by"] == ""):
        return "last_confirmed_at and confirmed_by go together"
    if document["valid_to"] is not None and moment(document["valid_to"]) < moment(document["valid_from"]):
        return "valid_to is before valid_from"
    shared = document["scope"] in (Scope.AGENT, Scope.ORGANISATION)
    if (document["audience"] is None) != shared:
        return "audience and scope don't go together"
    if document["scope"] == Scope.SUBJECT and document["audience"] != document["subject"]:
        return "audience is not the subject, though its scope is"
    if document["scope"] == Scope.AGENT and document["agent"] is None:
        return "agent is missing, though its scope is that agent"
    if document["id"] in (document["supersedes"], *document["derived_from"]):
        return "it names itself as its source"
    return ""


def moment(text: str) -> datetime:
    """A time of a line."""
    return datetime.fromisoformat(text)


def _text(most: int, *, blank: bool = True) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or "\0" in value:
            return "is no text"
        if len(value) > most or _has_surrogates(value):
            return f"has more than {most} characters, or is no Unicode"
        return "" if blank or value.strip() else "is blank"

    return check


def _has_surrogates(value: str) -> bool:
    return any(0xD800 <= ord(character) <= 0xDFFF for character in value)


def _word(words: Any) -> Check:
    return lambda value: "" if isinstance(value, str) and value in words.values else "is none of its words"


def _or_none(check: Check) -> Check:
    return lambda value: "" if value is None else check(value)


def _many(check: Check) -> Check:
    def every(value: Any) -> str:
        if not isinstance(value, list) or len(value) > 10_000:
            return "is no list"
        return next((fault for one in value if (fault := check(one))), "")

    return every


def _id(value: Any) -> str:
    try:
        return "" if isinstance(value, str) and str(uuid.UUID(value)) == value else "is no id"
    except ValueError:
        return "is no id"


def _time(value: Any) -> str:
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        return "is no time with a zone"
    return "is out of this age" if faults_of(at) else ""


def _number(most: float, *, whole: bool = False) -> Check:
    def check(value: Any) -> str:
        right = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
        return "" if right and 0 <= value <= most else f"is no number from 0 to {most}"

    return check


def _external(value: Any) -> str:
    try:
        check_external_id(value)
    except Invalid:
        return "is no id of a subject"
    return ""


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "is neither true nor false"


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else "is no object"


_slug = _text(80, blank=False)

FIELDS: Final[dict[str, Check]] = {
    "format": _text(40), "id": _id, "subject": _external, "about": _object, "scope": _word(Scope),
    "audience": _or_none(_external), "agent": _or_none(_slug), "kind": _word(Kind), "category": _word(Category),
    "text": _text(conf.MAX_TEXT_BYTES, blank=False), "entity": _text(200), "key": _text(100),
    "value": _text(conf.MAX_TEXT_BYTES), "single": _flag, "episode": _or_none(_object), "language": _text(8),
    "status": _word(Status), "contested": _flag, "sensitivity": _word(Sensitivity), "confidence": _number(1),
    "importance": _number(1), "authority": _number(1), "valid_from": _time, "valid_to": _or_none(_time),
    "recorded_at": _time, "recorded_until": _or_none(_time), "last_confirmed_at": _or_none(_time),
    "confirmed_by": _text(100), "review_by": _or_none(_time), "expires_at": _time,
    "use_count": _number(1_000_000, whole=True), "last_used_at": _or_none(_time), "supersedes": _or_none(_id),
    "derived_from": _many(_id), "events": _many(_text(200, blank=False)), "provenance": _object,
}  # fmt: skip
FILE: Final[dict[str, Check]] = {
    "format": _text(40), "subject": _external, "path": _text(200, blank=False), "lines": _many(_id), "made_at": _time,
    "changed_at": _time,
}  # fmt: skip
ABOUT: Final[dict[str, Check]] = {
    "kind": _word(SubjectKind), "display_name": _text(200), "timezone": _text(64), "account": _or_none(_external),
    "members": _many(_external), "paused": _flag, "use_existing": _flag, "never_keep": _many(_text(200, blank=False)),
}  # fmt: skip
PROVENANCE: Final[dict[str, Check]] = {
    "role": _word(Role), "channel": _word(Channel), "speaker": _or_none(_external), "agent": _or_none(_slug),
    "session_id": _text(200), "event_id": _text(200), "message_id": _text(200), "ref": _text(500),
    "uri": _text(2000), "quote": _text(conf.MAX_TEXT_BYTES), "verified_by": _text(500), "said_at": _time,
    "recorded_at": _time,
}  # fmt: skip
