"""What did the person state in these turns that is not known yet? Claims reconciled again, off the hot path (R71).

Every claim met the gate when its turn was received. A dream reads the events' redacted words once more, with the
dreamer's grants and through the same gate; what is known stays as it is. An event whose words are withheld gives
nothing, so a claim refused at turn time never returns; and an event about whose words the gate decided is not read
again, so that no old sentence undoes what came of it since: a correction, a curator's no, an erasure.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from memoryhub.dreams.inbox import REFUSED, withhold
from memoryhub.governance import intake
from memoryhub.governance.authority import Told
from memoryhub.governance.dates import credible
from memoryhub.governance.extraction import extract
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.screening import screen
from memoryhub.governance.sentences import sentences
from memoryhub.governance.treatment import Treatments
from memoryhub.models import Entry, Event, Session
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Op, Reason, Role
from memoryhub.working.nested import Refused

_MARK = re.compile(r"\[[a-z ]{4,30} removed\]")
#: Outcomes that are no news in a report: the words stated nothing to keep.
_SILENT = frozenset({Reason.ASSERTS_NOTHING, Reason.NOT_DURABLE, Reason.RECALLED_NOTE, Reason.NOT_OWN_CLAIM})
#: Refusals that say nothing against the words themselves.
_NO_FAULT_OF_THE_WORDS = frozenset({Reason.DECLINED_BEFORE, Reason.PAUSED, Reason.NOT_GRANTED, Reason.KIND_OFF})


def reconcile(*, session: Session, events: Sequence[Event], by: Principal, now: datetime) -> list[intake.Result]:
    """Offer the claims in these pending events of one session through the gate; what came of each, but for silence.

    `by` is the dreamer acting for the session's agent.
    """
    results: list[intake.Result] = []
    spoken = [event for event in events if not event.withheld and event.user_input]
    known = _known(spoken)
    treatments = in_force(by.organisation).treatments
    for event in spoken:
        if event.external_id in known:
            results += known[event.external_id]
            continue
        text = _readable(event.user_input)
        if text and _may_state(text, event, session, treatments=treatments):
            results += _offer(text, event, session, by=by, now=now)
    return [result for result in results if result.op != Op.DISCARDED or result.reason not in _SILENT]


def _known(events: Sequence[Event]) -> dict[str, list[intake.Result]]:
    """Per event id: what became of its claims when the turn was received, whatever became of them since.

    An event of which nothing was kept is not among them: by now the rules may read more in it.
    """
    decided = {event.external_id: [each for each in event.claims if each["op"] != Op.DISCARDED] for event in events}
    wanted = {each["entry"] for claims in decided.values() for each in claims if each["entry"]}
    entries = {str(entry.pk): entry for entry in Entry.objects.filter(pk__in=wanted).defer("embedding", "search")}
    return {
        event: [
            intake.Result(Op.NOOP, Reason.DUPLICATE, entry, redacted=False, steps=())
            for entry in dict.fromkeys(entries.get(each["entry"] or "") for each in claims)
            if entry is not None
        ]
        for event, claims in decided.items()
        if claims
    }


def _readable(words: str) -> str:
    """The sentences nothing was taken out of: half a sentence is no statement."""
    return "\n".join(sentence for sentence in sentences(words) if not _MARK.search(sentence))


def _may_state(text: str, event: Event, session: Session, *, treatments: Treatments) -> bool:
    """Whether the gate would find anything to decide about: greetings and questions leave no decision in the audit.

    A refusal, and whatever needs a person's eye, is the gate's own to say.
    """
    screening = screen(text, channel=Channel.DREAM, role=Role.DREAMER, treatments=treatments)
    if screening.outcome == "discard":
        return screening.reason not in _SILENT
    if screening.outcome != "pass" or Told(text).claims_authority():
        return True
    speaks_of_itself = event.speaker_id is None or event.speaker_id == session.subject_id
    found = extract(
        screening.text, said_at=credible(event.told_at), zone=event.told_at.tzinfo or UTC, channel=Channel.USER_MESSAGE,
        speaker_is_subject=speaks_of_itself,
    )  # fmt: skip
    return bool(found.claims) or found.reason not in _SILENT


def _offer(text: str, event: Event, session: Session, *, by: Principal, now: datetime) -> Sequence[intake.Result]:
    proposal = intake.Proposal(
        subject=session.subject,
        text=text,
        channel=Channel.DREAM,
        role=Role.DREAMER,
        speaker=event.speaker,
        session_ref=session.external_id,
        event_ref=event.external_id,
        said_at=credible(event.told_at),
        events=(event,),
    )
    results = intake.propose(proposal=proposal, by=by, now=now).results
    if any(result.op == Op.REFUSED and result.reason not in _NO_FAULT_OF_THE_WORDS for result in results):
        # The rules are stricter now than when the turn came in: the words go, as they would have gone then.
        values = tuple(value for result in results for value in result.refused_values)
        withhold(event, note=REFUSED, refused=Refused(values, event.user_input))
    return results
