"""What recurs in many episodes? When enough of them came together, one statement over them is proposed (R77).

It counts, and says nothing else: each sentence that was told in several episodes, without its particulars, and in how
many. A person looks before it is in force; it weighs no more than its sources, which it lists, and lapses with the
first of them. An episode is reflected on once, whatever became of the statement.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import Count, Q

from memoryhub import conf
from memoryhub.dreams.housekeeping.deeds import BATCH, Did, did
from memoryhub.dreams.housekeeping.folding import is_a_fold
from memoryhub.dreams.housekeeping.telling import told_by, without_particulars
from memoryhub.governance import intake
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.zones import zone_of
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Deed, Kind, Op, Role, Status

REFLECTION: Final = "reflection"  # how the origin of such a statement begins
_MOST: Final = 10  # that one episode can add to the sum


def importance_of(entry: Entry) -> int:
    """On the scale 1 to 10 of R32's second profile."""
    return round(1 + 9 * entry.importance)


def _new() -> Q:
    """Episodes no reflection is drawn from yet, and that are none themselves."""
    made = Q(provenance__ref__startswith=f"{REFLECTION} ", provenance__role=Role.DREAMER)
    episodes = Q(kind=Kind.EPISODIC, category=Category.EPISODE_OUTCOME, status=Status.ACCEPTED, contested=False)
    return episodes & ~made & ~is_a_fold() & ~Q(derived__child__provenance__ref__startswith=f"{REFLECTION} ")


def due(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with so many new episodes that their importance may pass conf.REFLECT_AT."""
    entries = Entry.objects.filter(
        _new(), organisation_id=organisation, expires_at__gt=now, subject__paused_at__isnull=True
    )
    if after is not None:
        entries = entries.filter(subject_id__gt=after)
    enough = conf.REFLECT_AT // _MOST
    many = entries.values("subject_id").annotate(count=Count("pk", distinct=True)).filter(count__gte=enough)
    return list(many.order_by("subject_id").values_list("subject_id", flat=True)[:BATCH])


def reflect(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Propose what recurs for one subject, agent by agent and reader by reader."""
    lock(subject)
    about = Subject.objects.select_related("organisation").get(pk=subject)
    rows = Entry.objects.filter(_new(), subject=about, expires_at__gt=now).select_related("provenance").distinct()
    groups: dict[tuple[uuid.UUID | None, str], list[Entry]] = {}
    for entry in rows.defer("embedding", "search").order_by("valid_from", "pk"):
        groups.setdefault((entry.agent_id, entry.scope), []).append(entry)
    done = []
    for (agent, scope), episodes in groups.items():
        if sum(importance_of(entry) for entry in episodes) <= conf.REFLECT_AT:
            continue
        proposed = _propose(episodes[: conf.REFLECT_SOURCES], about, scope=scope, by=replace(by, agent=agent), now=now)
        if proposed is not None:
            done.append(did(Deed.PROPOSED, proposed))
    return done, False


def _propose(episodes: Sequence[Entry], subject: Subject, *, scope: str, by: Principal, now: datetime) -> Entry | None:
    text = statement(episodes, subject)
    if not text:
        return None
    proposal = intake.Proposal(
        subject=subject,
        text=text,
        channel=Channel.DREAM,
        role=Role.DREAMER,
        kind=Kind.EPISODIC,
        category=Category.EPISODE_OUTCOME,
        said_at=max(entry.valid_from for entry in episodes),
        scope=scope,
        source=intake.Source(ref=f"{REFLECTION} over {len(episodes)} episodes"),
        derived_from=tuple(episodes),
        reflects=True,
    )
    (result,) = intake.propose(proposal=proposal, by=by, now=now).results
    return result.entry if result.op == Op.QUEUED else None


def statement(episodes: Sequence[Entry], subject: Subject) -> str:
    """What recurs, in how many episodes, and over which days; "" where nothing does."""
    zone = zone_of(subject)
    told = [told_by(entry, zone=zone) for entry in episodes]
    counted: Counter[str] = Counter()
    for one in told:
        counted.update({bare for sentence in one.sentences if (bare := without_particulars(sentence))})
    recurring = [(words, count) for words, count in counted.items() if count >= conf.REFLECT_SESSIONS]
    recurring.sort(key=lambda pair: (-pair[1], pair[0]))
    if not recurring:
        return ""
    first, last = min(one.first for one in told), max(one.last for one in told)
    named = "; ".join(f'"{words}" in {count}' for words, count in recurring[: conf.REFLECT_NAMED])
    return f"From {first.isoformat()} to {last.isoformat()}, in {len(told)} episodes: {named}."
