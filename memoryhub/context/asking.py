"""What should somebody be asked before it lapses, whatever they came for? (R77)

A recall asks about the notes it gives. A prompt also carries what nobody would recall today: facts of its subjects past
their review date, those that have waited longest first. Whoever answers closes the question: by saying so in a turn, on
their page, or by the agent's confirming it.
"""

from collections.abc import Collection
from datetime import datetime

from memoryhub import conf
from memoryhub.models import Entry
from memoryhub.recall.candidates import rows_of
from memoryhub.recall.filters import in_use
from memoryhub.recall.rendering import Reminder, reminders
from memoryhub.recall.search import Query, notes_of, within
from memoryhub.tenancy import Principal


def questions(query: Query, *, asked: Collection[str], by: Principal, now: datetime) -> tuple[Reminder, ...]:
    """Questions about facts of the subjects themselves, beside those already asked; a few in all. `query`: what may be
    read, as for the prompt's own facts.
    """
    room = conf.CONFIRMATIONS_IN_CONTEXT - len(asked)
    subjects = {subject.pk: subject for subject in in_use(query.subjects)}
    if room <= 0 or not subjects:
        return ()
    due = within(query, by=by, now=now).filter(subject__in=subjects, review_by__lte=now, contested=False)
    ids = list(due.exclude(pk__in=asked).order_by("review_by", "pk").values_list("pk", flat=True)[:room])
    if not ids:
        return ()
    found = {row.id: row for row in rows_of(Entry.objects.filter(pk__in=ids))}
    notes = notes_of([found[id] for id in ids if id in found], known=list(subjects.values()), speakers={}, now=now)
    return reminders(list(notes.values()))
