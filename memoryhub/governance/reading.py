"""Which entries does a reader ask for, without ranking? Lists, single entries and the versions of a statement.

Recall ranks what an agent needs now; this shows what is kept, to people and to programs that act for them.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.db.models import Q, QuerySet

from memoryhub.errors import Invalid, NotFound
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Decision, Entry, Subject
from memoryhub.recall.filters import looking_back, open_to
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import KeyRole, Scope, Status

#: Who may list entries of the whole organisation, whoever they are about (api.md, roles of keys).
READS_ALL = frozenset({KeyRole.CURATOR, KeyRole.OPERATOR})
#: What once was in force: what a look back in time may show (R3).
HELD = (Status.ACCEPTED, Status.REPLACED, Status.EXPIRED, Status.ARCHIVED)
ANY = "any"


@dataclass(frozen=True)
class Wanted:
    """The filters of a list. `status` None: what is accepted, or what held at `as_of` or `valid_at`.

    `q`: words; `sought`: words, or the exact id of an entry or of where it came from. `agent`: a slug. `contested`:
    what somebody disputes. `stale_at`: past its review date at that moment (R34). `since`: recorded then or later.
    """

    subject: Subject | None = None
    kind: str | None = None
    status: str | None = None
    category: str | None = None
    key: str | None = None
    q: str | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None
    sought: str | None = None
    agent: str | None = None
    sensitivity: str | None = None
    channel: str | None = None
    contested: bool = False
    stale_at: datetime | None = None
    since: datetime | None = None


def may_read_all(by: Principal) -> bool:
    """Whether the principal may read entries without naming a subject."""
    return bool(READS_ALL & by.roles)


def entries(*, wanted: Wanted, by: Principal) -> QuerySet[Entry]:
    """The entries that fit. Raises Invalid when the reader has to name a subject and did not."""
    if wanted.subject is None and not may_read_all(by):
        raise Invalid(errors={"subject": ["Name the subject whose entries you want."]})
    found = open_to(_readable(by), by=by)
    if wanted.subject is not None:
        found = found.filter(subject=wanted.subject)
    for field in ("kind", "category", "key", "sensitivity"):
        if (value := getattr(wanted, field)) is not None:
            found = found.filter(**{field: value})
    looks_back = wanted.as_of is not None or wanted.valid_at is not None
    if wanted.status is None:
        found = found.filter(status__in=HELD) if looks_back else found.filter(status=Status.ACCEPTED)
    elif wanted.status != ANY:
        found = found.filter(status=wanted.status)
    if looks_back:
        found = found.filter(looking_back(as_of=wanted.as_of, valid_at=wanted.valid_at))
    found = _narrowed(found, wanted)
    return _with_words(found, wanted.q) if wanted.q else found


def entry(*, entry_id: uuid.UUID | None, by: Principal) -> Entry:
    """One entry in any status. Raises NotFound when absent, not the reader's, or at rest for an agent (R90)."""
    return _one(open_to(_readable(by), by=by), entry_id)


def entry_to_change(*, entry_id: uuid.UUID | None, by: Principal) -> Entry:
    """One entry as it is while nobody else can change it: its subject is locked until the transaction ends. Raises
    NotFound. It is found at rest too: whoever may change or erase it acts for the person, and is shown none of it.
    """
    lock(_one(_readable(by), entry_id).subject_id)
    return _one(_readable(by), entry_id)


def versions(entry: Entry) -> list[Entry]:
    """Every version of an entry's statement, oldest first: what it superseded, and what superseded it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH RECURSIVE back(id, supersedes_id) AS (
                SELECT id, supersedes_id FROM memoryhub_entry WHERE id = %(id)s
                UNION SELECT e.id, e.supersedes_id FROM memoryhub_entry e JOIN back ON e.id = back.supersedes_id
            ), forth(id) AS (
                SELECT %(id)s::uuid
                UNION SELECT e.id FROM memoryhub_entry e JOIN forth ON e.supersedes_id = forth.id
            )
            SELECT id FROM back UNION SELECT id FROM forth
            """,
            {"id": str(entry.pk)},
        )
        ids = [row[0] for row in cursor.fetchall()]
    rows = Entry.objects.filter(pk__in=ids).select_related("subject", "provenance__speaker", "provenance__agent")
    return list(rows.order_by("valid_from", "recorded_at", "id"))


def decision(*, decision_id: uuid.UUID | None, by: Principal) -> Decision:
    """One decision of the gate; an agent sees its own. Raises NotFound."""
    rows = Decision.objects.filter(organisation_id=by.organisation).select_related("subject", "agent")
    if not by.roles & {KeyRole.CURATOR, KeyRole.OPERATOR, KeyRole.AUDITOR} and by.agent is not None:
        rows = rows.filter(agent_id=by.agent)
    row = rows.filter(pk=decision_id).first() if decision_id is not None else None
    if row is None or (by.bound_subject and (row.subject is None or row.subject.external_id != by.bound_subject)):
        raise NotFound
    return row


def _one(rows: QuerySet[Entry], entry_id: uuid.UUID | None) -> Entry:
    found = rows.filter(pk=entry_id).select_related("subject", "provenance__speaker").first() if entry_id else None
    if found is None:
        raise NotFound
    return found


def _readable(by: Principal) -> QuerySet[Entry]:
    """Narrower than row-level security: of agents' notes the own ones, for a bound key the one subject."""
    found = Entry.objects.filter(organisation_id=by.organisation)
    if not may_read_all(by):
        found = found.exclude(Q(scope=Scope.AGENT) & ~Q(agent_id=by.agent))
    if by.bound_subject:
        found = found.filter(subject__external_id=by.bound_subject)
    return found


def _narrowed(found: QuerySet[Entry], wanted: Wanted) -> QuerySet[Entry]:
    """What a person who browses narrows a list to."""
    if wanted.agent:
        found = found.filter(Q(agent__slug=wanted.agent) | Q(provenance__agent__slug=wanted.agent))
    if wanted.channel:
        found = found.filter(provenance__channel=wanted.channel)
    if wanted.contested:
        found = found.filter(contested=True)
    if wanted.stale_at:
        found = found.filter(review_by__lte=wanted.stale_at)
    if wanted.since:
        found = found.filter(recorded_at__gte=wanted.since)
    return found.filter(_words(wanted.sought) | _ids(wanted.sought)) if wanted.sought else found


def _ids(text: str) -> Q:
    """Entries that are called so, or came from what is called so."""
    named = Q(key=text) | Q(subject__external_id=text)
    for field in ("session_ref", "event_ref", "message_id", "ref", "uri"):
        named |= Q(**{f"provenance__{field}": text})
    try:
        return named | Q(pk=uuid.UUID(text))
    except ValueError:
        return named


def _with_words(found: QuerySet[Entry], text: str) -> QuerySet[Entry]:
    return found.filter(_words(text))


def _words(text: str) -> Q:
    """Entries with all the words, or with the text as it stands: identifiers are no words."""
    both = SearchQuery(text, config="english") | SearchQuery(text, config="simple")
    return Q(search=both) | Q(content__icontains=text) | Q(value__icontains=text)
