"""Health: what /readyz asks, readably, and how far the work behind the requests is; with what to do (R104)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import resolve, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from curation.fragments import page
from curation.navigation import may_open
from curation.refusals import check_page
from curation.templatetags.hub import age
from curation.visitor import PageRequest
from memoryhub import readiness
from memoryhub.governance import members
from memoryhub.readiness import OK, Behind
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

READERS = "The health of the hub is for operators, curators and auditors of this organisation."

WELL, ADVICE, LATE, ILL = "well", "advice", "late", "ill"  # advice: it works, and could be safer


@dataclass(frozen=True)
class Check:
    """One line: what is asked, how it is, in a sentence, and, where it is not well, what to do about it."""

    name: str
    state: str
    says: str
    to_do: str = ""
    url: str = ""

    @property
    def is_well(self) -> bool:
        return self.state == WELL


_HUB: Final[dict[str, tuple[str, dict[str, str], str]]] = {
    "database": (
        "Database",
        {OK: "It answers."},
        "Look whether PostgreSQL runs and DATABASE_URL reaches it; its log is postgres.log in the data folder.",
    ),
    "migrations": (
        "Migrations",
        {OK: "The tables are as this version expects them.", "pending": "This version expects other tables."},
        "Start the hub again with 'make run', which migrates; or run 'manage.py migrate' as the owner of the tables.",
    ),
    "restore": (
        "Restore",
        {OK: "None is under way.", "unfinished": "One was begun and is not through: erased people may be in it."},
        "Run 'manage.py restore FILE' to its end; until then nothing may be served from this database.",
    ),
    "keys": (
        "Keys",
        {OK: "Those that the people's own keys are wrapped with are there.", "missing": "One of them is missing."},
        "Put back the copy of master-keys.json that is kept in escrow; without it what was sealed can't be read.",
    ),
    "worker": (
        "Worker",
        {OK: "It woke lately.", "silent": "No worker has woken for a while: nothing is dreamt, embedded or sealed."},
        "The launcher restarts one that is silent for 90 seconds. If it stays silent, look at the log of the worker.",
    ),
    "model": (
        "Embedding model",
        {OK: "It is loaded.", "loading": "It is not loaded yet: entries are found by their words alone."},
        "It takes some seconds after a start. If it stays so, is the folder of MEMORYHUB_EMBEDDING_MODEL whole?",
    ),
}


@require_safe
def health(request: PageRequest) -> HttpResponse:
    """Everything at a look, brought up to date every fifteen seconds."""
    check_page(request.principal, "read_dreams", sentence=READERS)
    now = timezone.now()
    hub = readiness.of_hub(now=now)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        behind = readiness.of_organisation(request.principal.organisation, now=now)
        by_password = members.without_second_factor(request.principal.organisation)
    checks = [*_hub(hub), _disk()]
    work = [
        one if not one.url or may_open(request.principal, resolve(urlsplit(one.url).path).url_name or "")
        else replace(one, url="")
        for one in [*_behind(behind, now=now), _signing_in(by_password)]
    ]  # fmt: skip
    context = {
        "section": "health",
        "checks": checks,
        "work": work,
        "unwell": [one for one in (*checks, *work) if one.state in (LATE, ILL)],
        "ready": all(state == OK for state in hub.values()),
        "beat": readiness.last_beat(),
        "embeddings": readiness.embeddings_state(),
        "entailment": readiness.entailment_state(),
        "at": now,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/health/page.html", context, part="checks")


def _hub(states: dict[str, str]) -> list[Check]:
    checks = []
    for key, state in states.items():
        name, words, to_do = _HUB[key]
        well = state == OK
        says = words.get(state, f"It is {state}.")
        checks.append(Check(name, WELL if well else ILL, says, "" if well else to_do))
    return checks


def _disk() -> Check:
    disk = readiness.disk()
    says = f"{filesizeformat(disk.free)} of {filesizeformat(disk.total)} are free under the data folder."
    to_do = "Make room, or move the data folder: when the disk is full, nothing can be written." if disk.is_low else ""
    return Check("Disk", LATE if disk.is_low else WELL, says, to_do)


def _behind(it: Behind, *, now: datetime) -> list[Check]:
    jobs, parked = reverse("curation:job-list"), f"{reverse('curation:job-list')}?state=parked"
    return [
        Check(
            "Jobs", ILL if it.parked else _state(it.due_since, readiness.DUE_WITHIN, now),
            _many(it.due, "job is due", "jobs are due", it.due_since)
            + (f" {it.parked} were given up." if it.parked else ""),
            "Look why, and try them again." if it.parked else "Look whether the worker runs; a rush of work passes.",
            parked if it.parked else jobs,
        ),
        Check(
            "Dreams", ILL if it.set_aside else _state(it.turns_since, readiness.DREAMT_WITHIN, now),
            _many(it.turns, "finished turn waits", "finished turns wait", it.turns_since)
            + (f" {it.set_aside} conversations were set aside." if it.set_aside else ""),
            "Let a dream read them, or set a time at which one begins by itself.", reverse("curation:dream-list"),
        ),
        Check(
            "Curators", _state(it.queue_since, readiness.REVIEWED_WITHIN, now),
            _many(it.queue, "item waits for a person", "items wait for a person", it.queue_since),
            "Somebody should work through the queue: nothing in it is used meanwhile.", reverse("curation:queue-list"),
        ),
        Check(
            "Embeddings", ILL if it.not_embeddable else _state(it.unembedded_since, readiness.EMBEDDED_WITHIN, now),
            _many(it.unembedded, "entry waits to be embedded", "entries wait to be embedded", it.unembedded_since)
            + (f" {it.not_embeddable} could not be." if it.not_embeddable else ""),
            "They are found by their words meanwhile, and tried again every hour; look at the model above.", jobs,
        ),
        Check(
            "Audit trail", _state(it.unsealed_since, readiness.SEALED_WITHIN, now),
            f"{it.links} links. " + (
                f"Reads are sealed until {age(it.unsealed_since)} ago; {it.unsealed} are not yet." if it.unsealed
                else "Every read is sealed into it."
            ),
            "Look whether the worker runs: it seals reads half a minute after they happened.",
            reverse("curation:audit"),
        ),
    ]  # fmt: skip


def _signing_in(by_password: int) -> Check:
    """Whoever decides or operates, and has no second factor: a password that leaked lets anybody decide."""
    if not by_password:
        return Check("Signing in", WELL, "Everybody who decides or operates here has a second step.")
    many = "person who decides or operates signs" if by_password == 1 else "people who decide or operate sign"
    return Check(
        "Signing in", ADVICE, f"{by_password} {many} in without a second step.",
        "They set up an app or a passkey on the page of their account; an operator can ask it of everybody.",
        reverse("curation:member-list"),
    )  # fmt: skip


def _state(since: datetime | None, within: timedelta, now: datetime) -> str:
    return LATE if since is not None and now - since > within else WELL


def _many(number: int, one: str, more: str, since: datetime | None) -> str:
    if not number:
        return f"No {one}."
    return f"{number} {one if number == 1 else more}, the oldest for {age(since)}."
