"""Proposing, listing, reading, changing and forgetting entries: /memories (api.md, memories)."""

from typing import Final

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Flag, Fraction, Many, Moment, Strict, Text, uuid_or_none
from memoryhub.api.pagination import page
from memoryhub.api.shapes import EntryDetailOut, EntryOut, EntryPageOut, OutcomeOut, PageQuery, ReceiptOut
from memoryhub.errors import Invalid, NotGranted, Stale
from memoryhub.governance import confirmation, correction, erasure, intake, reading
from memoryhub.models import Entry
from memoryhub.permissions import check_may_touch_authority, role_through
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, KeyRole, Kind, Role, Scope, Sensitivity, Status

#: Which channel a change goes through when the body does not say: the first role the key has.
OWN_CHANNEL: Final = (
    (KeyRole.CUSTOMER_RELAY, Channel.USER_MESSAGE),
    (KeyRole.CURATOR, Channel.CURATOR),
    (KeyRole.SYSTEM_OF_RECORD, Channel.SYSTEM_OF_RECORD),
)


class SourceIn(Strict):
    """Where the words stand."""

    ref = Text(max_length=500, allow_blank=True, **OPTIONAL)
    uri = Text(max_length=2000, allow_blank=True, **OPTIONAL)
    quote = Text(allow_blank=True, **OPTIONAL)


class EpisodeIn(Strict):
    """What an agent did and learnt, in typed fields (R72)."""

    task = Text(allow_blank=True, **OPTIONAL)
    when = Text(allow_blank=True, **OPTIONAL)
    cause = Text(allow_blank=True, **OPTIONAL)
    fix = Text(allow_blank=True, **OPTIONAL)
    evidence = Many(child=Text(max_length=2000), max_length=100, **OPTIONAL)


class ProposalIn(Strict):
    """A text that may hold claims; only subject, text and channel are required."""

    subject = ExternalId()
    text = Text()
    channel = Choice(choices=Channel.choices)
    speaker = ExternalId(**OPTIONAL)
    session_id = ExternalId(**OPTIONAL)
    event_id = ExternalId(**OPTIONAL)
    message_id = ExternalId(**OPTIONAL)
    said_at = Moment(**OPTIONAL)
    source = SourceIn(**OPTIONAL)  # type: ignore[assignment]  # a field by that name
    kind = Choice(choices=Kind.choices, **OPTIONAL)
    category = Choice(choices=Category.choices, **OPTIONAL)
    key = Text(max_length=100, **OPTIONAL)
    value = Text(max_length=2000, **OPTIONAL)
    confidence = Fraction(**OPTIONAL)
    scope = Choice(choices=Scope.choices, **OPTIONAL)
    sensitivity = Choice(choices=Sensitivity.choices, **OPTIONAL)
    expires_at = Moment(**OPTIONAL)
    review_by = Moment(**OPTIONAL)
    episode = EpisodeIn(**OPTIONAL)
    dry_run = Flag(default=False)


class ListQuery(PageQuery):
    """Filters of a list of entries."""

    subject = ExternalId(default=None)
    kind = Choice(choices=Kind.choices, default=None)
    status = Choice(choices=[*Status.choices, (reading.ANY, "any")], default=None, help_text="default: accepted")
    category = Choice(choices=Category.choices, default=None)
    key = Text(max_length=100, default=None)
    q = Text(max_length=1000, default=None, help_text="words to look for; not echoed")
    as_of = Moment(default=None, help_text="what was believed then")
    valid_at = Moment(default=None, help_text="what was true then")


class ChangeIn(Strict):
    """A correction: the statement in new words, or the value alone."""

    text = Text(**OPTIONAL)
    value = Text(max_length=2000, **OPTIONAL)
    channel = Choice(choices=Channel.choices, **OPTIONAL)
    said_at = Moment(**OPTIONAL)


class DisputeIn(Strict):
    reason = Text(max_length=500)


class ReviewByIn(Strict):
    review_by = Moment()


class Memories(HubView):
    """/memories"""

    @operation("propose", body=ProposalIn, answers={200: OutcomeOut})
    def post(self, call: Call) -> Answer:
        """Propose a text: each claim in it goes through the gate and gets one result."""
        sent = call.body
        role = role_through(call.by, sent["channel"])
        subject = call.mentioned(sent["subject"])
        proposal = intake.Proposal(
            subject=subject,
            text=sent["text"],
            channel=Channel(sent["channel"]),
            role=role,
            speaker=call.speaking(sent["speaker"], about=subject),
            session_ref=sent["session_id"] or "",
            event_ref=sent["event_id"] or "",
            message_id=sent["message_id"] or "",
            said_at=sent["said_at"],
            source=intake.Source(**{name: value or "" for name, value in (sent["source"] or {}).items()}),
            kind=Kind(sent["kind"]) if sent["kind"] else None,
            category=Category(sent["category"]) if sent["category"] else None,
            sensitivity=Sensitivity(sent["sensitivity"]) if sent["sensitivity"] else None,
            **{name: sent[name] for name in ("key", "value", "confidence", "scope", "expires_at", "review_by")},
            episode={name: value for name, value in sent["episode"].items() if value} if sent["episode"] else None,
        )  # fmt: skip
        with call.about(subject):
            outcome = intake.propose(proposal=proposal, by=call.by, now=call.now, dry_run=sent["dry_run"])
        return Answer(
            rendering.outcome_json(outcome, dry_run=sent["dry_run"], proposed=True),
            about=subject.pk,
            keep=not sent["dry_run"],
        )

    @operation("read_entries", query=ListQuery, answers={200: EntryPageOut})
    def get(self, call: Call) -> Answer:
        """List entries, newest first. Keys of agents and relays name the subject.

        An agent finds none of a subject that paused, or asked to be forgotten, so that nothing known is used.
        """
        asked = call.query
        with call.anywhere():
            subject = call.named(asked["subject"]) if asked["subject"] else None
            filters = {name: asked[name] for name in ("kind", "status", "category", "key", "q", "as_of", "valid_at")}
            found = reading.entries(wanted=reading.Wanted(subject=subject, **filters), by=call.by)
            return Answer(
                page(found, order=("-recorded_at", "-id"), query=asked, name="memories", render=rendering.entries_json)
            )


class Memory(HubView):
    """/memories/{id}"""

    @operation("read_entries", answers={200: EntryDetailOut})
    def get(self, call: Call, entry_id: str) -> Answer:
        """One entry with its origin, its lineage and every version of its statement."""
        with call.anywhere():
            entry = reading.entry(entry_id=uuid_or_none(entry_id), by=call.by)
            versions = reading.versions(entry)
            return Answer(rendering.entry_detail_json(entry, versions), headers={"ETag": entry.etag})

    @operation("change_entry", body=ChangeIn, answers={200: OutcomeOut}, refusals=(409, 412))
    def patch(self, call: Call, entry_id: str) -> Answer:
        """Correct a statement: the new version goes through the gate like any other."""
        sent = call.body
        if (sent["text"] is None) == (sent["value"] is None):
            raise Invalid(errors={"text": ["Send either the text or the value."]})
        entry = self._entry(call, entry_id, may_change=True)
        channel = Channel(sent["channel"] or own_channel(call.by))
        proposal = intake.Proposal(
            subject=entry.subject,
            text=sent["text"] if sent["text"] is not None else correction.restated(entry, sent["value"]),
            key=(entry.key or None) if sent["value"] is not None else None,
            value=sent["value"],
            channel=channel,
            role=role_through(call.by, channel),
            said_at=sent["said_at"],
            corrects=entry,
        )
        # A note that one agent keeps for itself is not among what is readable about its subject.
        with call.anywhere() if entry.scope == Scope.AGENT else call.about(entry.subject):
            outcome = intake.propose(proposal=proposal, by=call.by, now=call.now)
        return Answer(rendering.outcome_json(outcome), about=entry.subject_id)

    @operation("erase_entry", answers={200: ReceiptOut}, refusals=(412,))
    def delete(self, call: Call, entry_id: str) -> Answer:
        """Forget one statement in all its versions, with everything derived from it."""
        entry = self._entry(call, entry_id)
        check_may_touch_authority(call.by, entry.category)
        with call.anywhere():
            receipt = erasure.erase_entry(entry=entry, by=call.by, now=call.now)
        return Answer(erasure.as_json(receipt))

    @staticmethod
    def _entry(call: Call, entry_id: str, *, may_change: bool = False) -> Entry:
        """The entry to change, if it is still what the caller read."""
        with call.anywhere():
            entry = reading.entry_to_change(entry_id=uuid_or_none(entry_id), by=call.by)
            if may_change:
                check_may_change(call.by, entry)
        if call.if_match(entry.etag) not in (None, entry.etag):
            raise Stale
        return entry


class Confirm(HubView):
    """/memories/{id}/confirm"""

    @operation("confirm", answers={200: EntryOut}, refusals=(409,))
    def post(self, call: Call, entry_id: str) -> Answer:
        """Say that a statement still holds."""
        with call.anywhere():
            entry = reading.entry(entry_id=uuid_or_none(entry_id), by=call.by)
            check_may_touch_authority(call.by, entry.category)
            role = Role.CUSTOMER if KeyRole.CUSTOMER_RELAY in call.by.roles else Role.CURATOR
            entry = confirmation.confirm(entry=entry, by=call.by, now=call.now, role=role)
        return _entry_answer(entry)


class Dispute(HubView):
    """/memories/{id}/dispute"""

    @operation("dispute", body=DisputeIn, answers={200: EntryOut}, refusals=(409,))
    def post(self, call: Call, entry_id: str) -> Answer:
        """Say that a statement is wrong; a curator looks at it."""
        with call.anywhere():
            entry = reading.entry(entry_id=uuid_or_none(entry_id), by=call.by)
            entry = confirmation.dispute(entry=entry, reason=call.body["reason"], by=call.by, now=call.now)
        return _entry_answer(entry)


class ReviewBy(HubView):
    """/memories/{id}/review-by"""

    @operation("change_entry", body=ReviewByIn, answers={200: EntryOut}, refusals=(409,))
    def post(self, call: Call, entry_id: str) -> Answer:
        """Say when a statement has to be looked at again."""
        with call.anywhere():
            entry = reading.entry(entry_id=uuid_or_none(entry_id), by=call.by)
            check_may_change(call.by, entry)
            check_may_touch_authority(call.by, entry.category)
            entry = confirmation.set_review_by(entry=entry, review_by=call.body["review_by"], by=call.by, now=call.now)
        return _entry_answer(entry)


def check_may_change(by: Principal, entry: Entry) -> None:
    """Raise NotGranted when a key that only speaks for a system of record means to change somebody else's entry."""
    only_records = not by.roles & {KeyRole.CUSTOMER_RELAY, KeyRole.CURATOR}
    if only_records and entry.provenance.channel not in (Channel.SYSTEM_OF_RECORD, Channel.EVIDENCE):
        raise NotGranted("A system of record changes its own entries only.")


def own_channel(by: Principal) -> Channel:
    """The channel a key speaks through when it changes an entry and does not say."""
    return next(channel for role, channel in OWN_CHANNEL if role in by.roles)


def _entry_answer(entry: Entry) -> Answer:
    return Answer(rendering.entry_json(entry), about=entry.subject_id, headers={"ETag": entry.etag})
