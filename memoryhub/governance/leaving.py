"""Which of what is known did somebody leave? "I left Halden" ends a home or a job; the words alone don't say (R13)."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from memoryhub.governance.claims import Claim
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry, Subject
from memoryhub.vocabulary import Status


def told_apart(claim: Claim, *, subject: Subject, now: datetime) -> Claim:
    """The claim under the key under which what it ends is in force. Where that is none of them, or several, it stays a
    statement without a key: a person is asked, and nobody's employer is called into doubt for a town.
    """
    if not claim.either:
        return claim
    ended = {normalised(value): value for value in claim.closes}
    open_now = Q(valid_to__isnull=True) | Q(valid_to__gt=now)
    held = Entry.objects.filter(
        open_now, subject=subject, entity=claim.entity, key__in=claim.either, status=Status.ACCEPTED
    ).values_list("key", "value")
    found = {key: ended[normalised(value)] for key, value in held if normalised(value) in ended}
    if len(found) != 1:
        return claim
    ((key, value),) = found.items()
    return replace(claim, key=key, value=f"not {value}", single=False, either=())
