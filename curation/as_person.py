"""Who acts on a person's own page? The person, bound to their one subject: nobody else's rows are found or changed,
whatever address is typed (R90).
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo

from curation.visitor import PageRequest
from memoryhub.errors import NotGranted
from memoryhub.governance import reading, subjects
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for


@contextmanager
def as_person(request: PageRequest, *, erasing: bool = False) -> Iterator[tuple[Principal, Subject]]:
    """Act as the person remembered, seeing their own rows and those of the groups they belong to.

    While `erasing`, others' rows are seen too: a lesson that loses this person's sessions is judged by all it has left.
    """
    if not request.visitor.subject:
        raise NotGranted("This page belongs to people about whom something is remembered; you are signed in as staff.")
    person = request.visitor.person
    with acting_for(person, subjects=ALL_SUBJECTS):
        subject = subjects.find(external_id=request.visitor.subject, by=person)
        seen = ALL_SUBJECTS if erasing else subjects.readable(subject)
    with acting_for(person, subjects=seen):
        yield person, subject


def own(entry_id: uuid.UUID, person: Principal) -> Entry:
    """The entry, if it is about this person; anybody else's is as absent as one that never was."""
    return reading.entry(entry_id=entry_id, by=person)


def zone_for(request: PageRequest, subject: Subject) -> tzinfo:
    """The person's zone: in it all dates of their page are told."""
    return request.visitor.zone_of(subject.timezone)
