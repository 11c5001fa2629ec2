"""Which record has the last word about a key? An agent's mapping from keys to sources, as an operator sets it (R36).

The mapping is a JSON object, key → source (or a list of sources, each for one subject):

    {"contact":  {"source": "pushed", "key": "site_contact"},
     "plan":     {"source": "http", "url": "https://crm.example/customers/{subject}", "pointer": "/plan/name",
                  "header": {"name": "Authorization", "prefix": "Bearer ", "environment": "CRM_TOKEN"}},
     "database": {"source": "file", "subject": "shop", "path": "shop/settings.toml", "pattern": "^engine = (.+)$"}}

Agents never set their own: a source is an address the hub calls by itself. A header's secret is named, never given.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction

from accounts.models import Agent
from memoryhub import conf
from memoryhub.errors import Invalid, NotGranted
from memoryhub.governance import audit, subjects
from memoryhub.models import RecordSource, Subject
from memoryhub.providers import addresses, file_record, json_pointer
from memoryhub.providers.records import SUBJECT, FileSource, Header, HttpSource, Source
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import KeyRole, SourceKind

#: What a record's key may look like, also where one is pushed.
KEY: Final = re.compile(r"[^\W\d_][\w.-]{0,99}")

_FIELDS: Final = {
    SourceKind.PUSHED: ({"key"}, set()),
    SourceKind.HTTP: ({"url", "pointer"}, {"header"}),
    SourceKind.FILE: ({"path", "pattern"}, set()),
}
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_NOT_OURS: Final = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "upgrade"}
)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_PLACEHOLDER: Final = re.compile(r"\{[^}]*\}?|\}")


@transaction.atomic
def set_sources(*, agent: Agent, mapping: Mapping[str, Any], by: Principal, now: datetime) -> list[RecordSource]:
    """Replace an agent's whole mapping. Raises Invalid naming each key's faults, NotGranted for anybody but an operator
    or a command.
    """
    if by.agent is not None or not by.roles & {KeyRole.OPERATOR, "system"}:
        raise NotGranted("An operator says where records are read; an agent never does.")
    rows: list[RecordSource] = []
    faults: dict[str, list[str]] = {}
    for key, source in _each(mapping):
        try:
            rows.append(_row(key, source, agent=agent, by=by, now=now))
        except _Fault as fault:
            faults.setdefault(key[:100], []).append(str(fault))
    named = [(row.key, row.subject_id) for row in rows]
    for key in {key for key, subject in named if named.count((key, subject)) > 1}:
        faults.setdefault(key, []).append("It is mapped twice for the same subject.")
    if len(rows) > conf.SOURCES:
        faults["mapping"] = [f"At most {conf.SOURCES} sources."]
    if faults:
        raise Invalid(errors=faults)
    RecordSource.objects.filter(agent=agent).delete()
    RecordSource.objects.bulk_create(rows)
    audit.record(by=by, now=now, action="agent.sources", object_kind="agent", object_id=agent.pk, reason=str(len(rows)))
    return rows


def sources_of(agent: Agent) -> list[RecordSource]:
    """An agent's mapping, by key."""
    return list(RecordSource.objects.filter(agent=agent).select_related("subject").order_by("key", "id"))


def as_source(row: RecordSource) -> Source:
    """The source outside the hub that a row describes; not for pushed ones."""
    if row.kind == SourceKind.FILE:
        return FileSource(row.path, row.pattern)
    return HttpSource(row.url, row.pointer, Header(**row.header) if row.header else None)


def name_of(row: RecordSource) -> str:
    """What to call a source before people: where it stands, without what might be personal in an address."""
    if row.kind == SourceKind.PUSHED:
        return f"record {row.record_key}"
    if row.kind == SourceKind.FILE:
        return f"file {row.path}"
    parts = urlsplit(row.url)
    return f"record {parts.scheme}://{parts.netloc}{parts.path}#{row.pointer}"[:400]


class _Fault(Exception):
    """One thing wrong with one source, as a sentence."""


def _each(mapping: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(mapping, Mapping):
        raise Invalid(errors={"mapping": ["It has to be an object: key → source."]})
    for key, value in mapping.items():
        for source in value if isinstance(value, list) else [value]:
            yield str(key), source


def _row(key: str, source: Any, *, agent: Agent, by: Principal, now: datetime) -> RecordSource:
    if not KEY.fullmatch(key):
        raise _Fault("A key is a letter and then letters, digits, '_', '-' or '.', 100 at most.")
    if not isinstance(source, Mapping):
        raise _Fault("A source is an object.")
    if source.get("source") not in SourceKind.values:
        raise _Fault(f"'source' is one of: {', '.join(SourceKind.values)}.")
    kind = SourceKind(source["source"])
    needed, optional = _FIELDS[kind]
    given = set(source) - {"source", "subject"}
    if missing := sorted(needed - given):
        raise _Fault(f"It needs {', '.join(missing)}.")
    if unknown := sorted(given - needed - optional):
        raise _Fault(f"There is no such field: {', '.join(map(str, unknown))[:100]}.")
    fields = {name: _text(source, name) for name in needed}
    row = RecordSource(
        organisation_id=by.organisation, agent=agent, key=key, kind=kind, subject=_subject(source, by=by, now=now),
        set_by=by.label[:120], set_at=now,
    )  # fmt: skip
    if kind == SourceKind.PUSHED:
        row.record_key = _checked_key(fields["key"])
    elif kind == SourceKind.HTTP:
        row.url, row.pointer = _url(fields["url"]), _pointer(fields["pointer"])
        row.header = _header(source["header"]) if source.get("header") is not None else None
    else:
        row.path, row.pattern = _path(fields["path"]), _pattern(fields["pattern"])
    return row


def _text(source: Mapping[str, Any], name: str, *, longest: int = 1000) -> str:
    value = source[name]
    if not isinstance(value, str) or len(value) > longest or "\x00" in value:
        raise _Fault(f"'{name}' is a string of at most {longest} characters.")
    return value


def _subject(source: Mapping[str, Any], *, by: Principal, now: datetime) -> Subject | None:
    named = source.get("subject")
    if named is None:
        return None
    try:
        return subjects.ensure(external_id=subjects.check_external_id(named), by=by, now=now)
    except Invalid as error:
        raise _Fault("'subject' is no external id.") from error


def _checked_key(key: str) -> str:
    if not KEY.fullmatch(key):
        raise _Fault("The record's key is a letter and then letters, digits, '_', '-' or '.', 100 at most.")
    return key


def _url(url: str) -> str:
    """Only the path and the query may depend on the subject, and no password stands in an address."""
    _check_placeholders(url, "url")
    if SUBJECT in url.partition("://")[2].partition("/")[0].partition("?")[0]:
        raise _Fault("'{subject}' may stand in the path or the query of 'url', not in its host.")
    try:
        addresses.place_of(url)
    except addresses.AddressRefused as error:
        raise _Fault(f"'url': {error}") from error
    return url


def _pointer(pointer: str) -> str:
    try:
        json_pointer.tokens(pointer)
    except ValueError as error:
        raise _Fault(f"'pointer': {error}.") from error
    return pointer


def _header(header: Any) -> dict[str, str]:
    if not isinstance(header, Mapping) or set(header) - {"name", "prefix", "environment", "file"}:
        raise _Fault("'header' holds name, prefix, and either environment or file.")
    if any(not isinstance(value, str) for value in header.values()):
        raise _Fault("'header' holds strings.")
    name, prefix = header.get("name", ""), header.get("prefix", "")
    variable, file = header.get("environment", ""), header.get("file", "")
    if not _HEADER.fullmatch(name) or name.lower() in _NOT_OURS:
        raise _Fault("'header.name' is not the name of a header that may be set.")
    if len(prefix) > 40 or not prefix.isascii() or (prefix and not prefix.isprintable()):
        raise _Fault("'header.prefix' is at most 40 plain characters, such as 'Bearer '.")
    if bool(variable) == bool(file):
        raise _Fault("'header' names the environment variable or the file that holds the secret, one of the two.")
    if variable and (not _VARIABLE.fullmatch(variable) or variable.startswith(("MEMORYHUB_", "DATABASE_"))):
        raise _Fault("'header.environment' is the name of a variable, and none of the hub's own.")
    if file and (not file.startswith("/") or "\x00" in file or len(file) > 1000):
        raise _Fault("'header.file' is the whole path of a file.")
    return {"name": name, "prefix": prefix, "environment": variable, "file": file}


def _path(path: str) -> str:
    if not path.strip() or not path.isprintable():
        raise _Fault("'path' is the path of a file inside an allowed folder.")
    _check_placeholders(path, "path")
    return path


def _pattern(pattern: str) -> str:
    try:
        file_record.compiled(pattern)
    except ValueError as error:
        raise _Fault(f"'pattern': {error}.") from error
    return pattern


def _check_placeholders(text: str, name: str) -> None:
    if any(found != SUBJECT for found in _PLACEHOLDER.findall(text)):
        raise _Fault(f"The only placeholder in '{name}' is {SUBJECT}.")
