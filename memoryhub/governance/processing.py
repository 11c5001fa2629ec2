"""What is kept here, why, how long, who may see it, who handles it, and when is it gone from backups? (R5, R12, R93)

The records of processing, drawn from what decides: the policy in force, the numbers of conf.py, the rights of
permissions.py, the settings of this hub. Nothing is written down twice, so it can't be out of date.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from accounts.models import Agent, Organisation
from memoryhub import conf
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_floors import TREATMENTS
from memoryhub.governance.policy_versions import in_force
from memoryhub.models import RecordSource
from memoryhub.permissions import ACTIONS
from memoryhub.vocabulary import Category, KeyRole, SensitiveData, SourceKind, Treatment

AGENTS: Final = 200  # named; more are counted


@dataclass(frozen=True)
class Held:
    """One kind of data: what it is, why it is kept, and for how long (None: until it is erased), counted from when."""

    name: str
    what: str
    why: str
    lifetime: timedelta | None
    since: str = ""


@dataclass(frozen=True)
class Never:
    """A family of sensitive data, what becomes of it by the policy, and whether a policy could keep it at all."""

    family: SensitiveData
    treatment: Treatment
    fixed: bool


@dataclass(frozen=True)
class Seen:
    """Who may see what is kept: a role, and what of it."""

    role: str
    what: str


@dataclass(frozen=True)
class Handler:
    """Who else handles it: an agent, a model, a record, a place; `where` it goes, `outside` of this machine or not."""

    name: str
    what: str
    where: str
    outside: bool


@dataclass(frozen=True)
class Processing:
    """The records of one organisation, as they stand."""

    organisation: Organisation
    policy: Policy
    review_before: timedelta
    statements: tuple[Held, ...]
    around: tuple[Held, ...]
    never: tuple[Never, ...]
    seen: tuple[Seen, ...]
    agents: tuple[Agent, ...]
    more_agents: int
    handlers: tuple[Handler, ...]
    backups: timedelta
    grace: timedelta


#: What each category of statement is kept for; a test holds that there is a line for every one.
WHY: Final[Mapping[Category, tuple[str, str]]] = {
    Category.PREFERENCE: ("what somebody likes", "so that they need not say it again"),
    Category.CONTACT: ("how somebody is reached", "so that they are reached the way they want"),
    Category.ACCOUNT_FACT: ("facts about an account", "so that answers fit the account"),
    Category.PROJECT_FACT: ("facts about a project or site", "so that work on it goes on where it was"),
    Category.POLICY_LIMIT: ("limits that were set", "so that nobody is promised more"),
    Category.ENTITLEMENT: ("rights that were given", "so that they are honoured"),
    Category.IDENTITY: ("who somebody is, verified", "so that others get nothing in their name"),
    Category.INSTRUCTION: ("how somebody wants things done", "so that it is done that way"),
    Category.EPISODE_OUTCOME: ("what happened in a conversation", "so that the next one goes on from there"),
    Category.LESSON: ("how work went", "so that the same mistake is not made twice"),
    Category.GENERAL: ("other statements", "so that they need not be said again"),
}

#: Actions of permissions.ACTIONS that let somebody see what is kept, and what of it.
_SIGHTS: Final = (
    ("recall", "what fits a question, about the person it is asked for"),
    ("read_entries", "statements with where they came from"),
    ("read_queue", "what waits for a person, with what stands beside it"),
    ("read_events", "finished exchanges, without secrets"),
    ("export", "everything about one person, as a file"),
    ("read_audit", "what was done, without words"),
)


def of(organisation: Organisation) -> Processing:
    """The records as they stand now. Called inside acting_for, with every subject in sight or none."""
    policy = in_force(organisation.pk)
    agents = Agent.objects.filter(organisation=organisation).order_by("name", "id")
    named = tuple(agents[: AGENTS + 1])
    return Processing(
        organisation=organisation,
        policy=policy,
        review_before=policy.review_before,
        statements=tuple(
            Held(str(one), *WHY[one], policy.lifetimes[one], "recording or the last confirmation") for one in Category
        ),
        around=_around(),
        never=tuple(Never(one, policy.treatments[one], one in TREATMENTS) for one in SensitiveData),
        seen=_seen(),
        agents=named[:AGENTS],
        more_agents=agents.count() - AGENTS if len(named) > AGENTS else 0,
        handlers=(*_models(), *_records(organisation)),
        backups=timedelta(days=settings.MEMORYHUB_BACKUP_DAYS),
        grace=conf.GRACE,
    )


def changed_at(processing: Processing) -> datetime | None:
    """When the policy was signed that says so; None: as shipped."""
    return processing.policy.signed_at


def _around() -> tuple[Held, ...]:
    """What is kept beside statements, so that they can be made, explained and taken back."""
    return (
        Held(
            "sessions", "the running conversation", "so that it hangs together", conf.SESSION_LIFETIME, "its last turn"
        ),
        Held(
            "events", "finished exchanges, sealed", "to be summed up, and to show where a statement came from",
            conf.EVENT_KEPT, "being summed up",
        ),
        Held(
            "folded", "one line for the conversations of a quarter", "so that their outcome is known later",
            conf.FOLDED_LIFETIME, "the quarter",
        ),
        Held("lapsed", "what lapsed, as history", "to answer what was known when", conf.LAPSED_KEPT, "its lapsing"),
        Held(
            "answers", "answers to programs, sealed", "so that the same request gives the same answer",
            conf.IDEMPOTENCY_KEPT, "the request",
        ),
        Held("page_links", "one-time links", "to open the person's page", conf.PAGE_LINK_LIFETIME, "its making"),
        Held(
            "archives", "files to take along, sealed", "to be fetched by the person", conf.ARCHIVE_KEPT, "being ready"
        ),
        Held("decisions", "what was decided and why, without words", "to explain it", None),
        Held("reads", "who was given what, by ids", "to explain an answer, and to tell the person", None),
        Held("receipts", "that something was erased, in numbers", "to prove it", None),
        Held("audit", "what was done and by whom, without words", "to prove it", None),
    )  # fmt: skip


def _seen() -> tuple[Seen, ...]:
    """Role by role, in the order of the vocabulary; the person themselves comes first and sees all of it."""
    found = [Seen("person", "everything that is kept about them, on their page and as a file")]
    for role in KeyRole:
        sights = [what for action, what in _SIGHTS if role in ACTIONS[action]]
        if sights:
            found.append(Seen(str(role), "; ".join(sights)))
    return tuple(found)


def _models() -> tuple[Handler, ...]:
    """Models that read what is said; those of this machine, and those that a setting names elsewhere."""
    inside = "this machine"
    found = [
        Handler("search model", "finds what fits a question", inside, outside=False),
        Handler("entailment model", "checks that a summary says no more than was said", inside, outside=False),
    ]
    if settings.MEMORYHUB_ENTAILMENT_MODEL == "off":
        found.pop()
    for url, name, what in (
        (settings.MEMORYHUB_EXTRACTOR_URL, "generator", "reads messages in languages the rules do not read"),
        (settings.MEMORYHUB_INTENT_URL, "generator", "puts into one sentence what a conversation was about"),
    ):
        if url:
            found.append(Handler(name, what, _host(url), outside=not _is_here(url)))
    return tuple(found)


def _records(organisation: Organisation) -> tuple[Handler, ...]:
    """Records that have the last word and are asked elsewhere, each place once."""
    urls = RecordSource.objects.filter(organisation=organisation, kind=SourceKind.HTTP).values_list("url", flat=True)
    places = sorted({(_host(url), not _is_here(url)) for url in urls})
    return tuple(
        Handler("record", "is asked what holds now, by the person's id", where, outside) for where, outside in places
    )


def _host(url: str) -> str:
    return urlsplit(url).hostname or "another machine"


def _is_here(url: str) -> bool:
    return _host(url) in ("127.0.0.1", "localhost", "::1")
