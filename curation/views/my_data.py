"""What may I take along, what was removed, and how do I leave? One person's own data as a whole (R90, R91).

The archive is put together by a job and waits seven days; asking for it, fetching it and forgetting everything need
fresh proof of who asks.
"""

import uuid
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import step_up
from curation.as_person import as_person, zone_for
from curation.days import at_time, in_their_language, language_of, on_day, time_left
from curation.forms import FORGET_WORD, ForgetEverythingForm
from curation.fragments import done, page, posted
from curation.plain_words import ENDED, receipt
from curation.visitor import PageRequest
from memoryhub import conf
from memoryhub.errors import NotFound
from memoryhub.governance import archives, closing, erasure, grace, receipts
from memoryhub.governance.export_left_out import LEFT_OUT
from memoryhub.models.archive import ArchiveState

PLACE: Final = "curation:my-data"
POLLED: Final = 3  # seconds between two looks at what is being put together
RECEIPTS: Final = 50  # newest first; all of them are in the file
FILE: Final = "what-is-remembered.zip"


@in_their_language
@require_safe
def my_data(request: PageRequest) -> HttpResponse:
    """What can be taken along, what was removed, and forgetting everything."""
    return _shown(request)


@require_POST
@step_up.required
@in_their_language
def ask_for_archive(request: PageRequest) -> HttpResponse:
    """Have everything put together."""
    with as_person(request) as (person, subject):
        archives.ask(subject=subject, by=person, now=timezone.now(), language=language_of(request))
    return done(request, "We put everything together now. It is on this page in a moment.", url=reverse(PLACE))


@require_safe
@step_up.required
@in_their_language
def fetch_archive(request: PageRequest, archive_id: uuid.UUID) -> HttpResponse:
    """The zip itself, for seven days."""
    with as_person(request) as (person, subject):
        content = archives.fetch(archive_id=archive_id, subject=subject, by=person, now=timezone.now())
    response = HttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{FILE}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
@in_their_language
def forget_everything(request: PageRequest) -> HttpResponse:
    """All of it goes, after a word is typed: in seven days, in which the person may change their mind, or now."""
    form = ForgetEverythingForm(posted(request))
    with as_person(request) as (_, subject):
        zone, going, account = zone_for(request, subject), grace.of(subject), closing.has_account(subject)
    context: dict[str, Any] = {
        "section": "mine",
        "form": form,
        "word": FORGET_WORD,
        "days": conf.GRACE.days,
        "going": going,
        "account": account,
    }
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        with timezone.override(zone):
            return page(request, "curation/my_memory/forget_everything.html", context, status=status)
    if form.cleaned_data["when"] == "later":
        with as_person(request, erasing=True) as (person, subject):
            pending = grace.ask(subject=subject, by=person, now=timezone.now())
        return done(
            request, f"Everything is forgotten on {at_time(pending.due_at, zone)}. Until then nothing is used or kept.",
            url=reverse("curation:my-memory"),
        )  # fmt: skip
    with as_person(request, erasing=True) as (person, subject):
        receipted = erasure.erase_subject(subject=subject, by=person, now=timezone.now())
    context |= {"receipt": receipted, "removed": receipt(receipted.removed), "backups": _backups_until(receipted, zone)}
    with timezone.override(zone):
        return page(request, "curation/my_memory/forgotten.html", context)


@in_their_language
@require_POST
def keep_after_all(request: PageRequest) -> HttpResponse:
    """The person changed their mind before everything was forgotten."""
    with as_person(request) as (person, subject):
        if grace.of(subject) is None:
            sentence, warning = "Nothing was going to be forgotten, so nothing had to change.", True
        else:
            grace.cancel(subject=subject, by=person, now=timezone.now())
            sentence, warning = (
                "Nothing is forgotten. What is known is used again, and remembering is as it was.",
                False,
            )
    return done(request, sentence, url=reverse("curation:my-memory"), warning=warning)


def _shown(request: PageRequest) -> HttpResponse:
    now = timezone.now()
    context: dict[str, Any] = {
        "section": "mine",
        "tab": "data",
        "left_out": LEFT_OUT,
        "kept_days": conf.ARCHIVE_KEPT.days,
    }
    try:
        with as_person(request) as (_, subject):
            zone = zone_for(request, subject)
            archive, going = archives.of(subject, now=now), grace.of(subject)
            context |= {
                "archive": archive,
                "waits": archive is not None and archive.state == ArchiveState.WAITING,
                "until": at_time(archive.expires_at, zone) if archive else "",
                "left": time_left(archive.expires_at) if archive else "",
                "seconds": POLLED,
                "going": going,
                "receipts": [
                    {
                        "receipt": one,
                        "what": ENDED.get(one.ending, "Something"),
                        "when": at_time(one.erased_at, zone),
                        "removed": receipt(one.removed),
                        "backups": _backups_until(one, zone),
                    }
                    for one in receipts.of(subject)[:RECEIPTS]
                ],
            }
    except NotFound:  # nobody has mentioned them yet
        zone = request.visitor.zone_of()
        context["nobody"] = True
    with timezone.override(zone):
        return page(request, "curation/my_memory/data.html", context, part="archive")


def _backups_until(receipted: Any, zone: Any) -> str:
    """The day by which no backup holds it any more."""
    return on_day(receipted.backups_until or receipted.erased_at, zone)
