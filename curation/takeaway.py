"""What does a person read in the file they take along? A page that opens anywhere, beside the data for programs (R90).

The job that puts the archive together (governance/archives.py) ends here, because plain words are this package's.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import timezone, translation

from curation import plain_rules
from curation.days import ENGLISH, at_time
from curation.plain_refusals import refusals_of, unwanted_of
from curation.plain_words import receipt, remembered, told_of
from curation.remembering import LIVING
from memoryhub import conf, jobs
from memoryhub.governance import archives, processing
from memoryhub.governance.read_by import of_person
from memoryhub.governance.receipts import of as receipts_of
from memoryhub.governance.zones import first_of
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import system_principal
from memoryhub.vocabulary import Kind

log = logging.getLogger(__name__)

PAGE: Final = "curation/takeaway/page.html"


def run_job(claim: jobs.Claim) -> None:
    """Put the archive together that a claim is about; given up after the last try, its person reads so."""
    try:
        archives.build(claim, readable=readable, now=timezone.now())
    except Exception:
        if claim.token >= conf.JOB_CLAIMS:
            archives.give_up(claim, now=timezone.now())
        raise


def readable(told: Mapping[str, Any], subject: Subject, language: str) -> str:
    """The page for people. Called inside the transaction in which the data was read."""
    now = timezone.now()
    zone = first_of(subject.timezone, subject.organisation.timezone)
    by = system_principal(subject.organisation_id, archives.JOB)
    with translation.override(language or ENGLISH), timezone.override(zone):
        entries = _entries(subject)
        read = of_person(subject, entries=[entry.pk for entry in entries], by=by)
        shown = [
            (remembered(entry, zone=zone), [told_of(one, zone=zone) for one in read.get(entry.pk, ())])
            for entry in entries
        ]  # fmt: skip
        held = processing.of(subject.organisation)
        context = {
            "organisation": subject.organisation.name,
            "subject": subject,
            "made": at_time(now, zone),
            "facts": [one for one in shown if _is_now(one[0].entry) and one[0].entry.kind != Kind.EPISODIC],
            "talks": [one for one in shown if _is_now(one[0].entry) and one[0].entry.kind == Kind.EPISODIC],
            "history": [one for one in shown if not _is_now(one[0].entry)],
            "refusals": refusals_of(subject, now=now, zone=zone),
            "unwanted": unwanted_of(subject),
            "said": [(at_time(_moment(event["at"]), zone), event) for event in told["events"]],
            "questions": told["questions"],
            "receipts": [(at_time(one.erased_at, zone), receipt(one.removed)) for one in receipts_of(subject)],
            "left_out": told["not_included"],
            "statements": plain_rules.statements(held),
            "around": plain_rules.around(held),
            "data": archives.DATA,
            "schema": archives.SCHEMA,
        }
        return render_to_string(PAGE, context)


def _entries(subject: Subject) -> list[Entry]:
    rows = Entry.objects.filter(subject=subject).select_related("subject", "provenance__speaker", "provenance__agent")
    return list(rows.defer("embedding", "search").order_by("-recorded_at", "-id"))


def _is_now(entry: Entry) -> bool:
    """Whether it is in force or waits for a look; what ended is history."""
    now = timezone.now()
    return entry.status in LIVING and entry.expires_at > now and (entry.valid_to is None or entry.valid_to > now)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
