"""What waits for a curator, and their decisions: /queue (R92; api.md, curation). The pages call the same verbs."""

import functools
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from rest_framework import serializers

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Moment, Strict, Text, uuid_or_none
from memoryhub.api.pagination import page
from memoryhub.api.shapes import EntryOut, PageQuery, Shape
from memoryhub.api.skills import SkillOut, skills_json
from memoryhub.errors import AlreadyDecided, NotFound
from memoryhub.governance import crowding, decisions, review_queue
from memoryhub.models import Entry, Profile, ReviewItem
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Reason, ReviewState, ReviewType, SkillStatus


class QueueQuery(PageQuery):
    """Filters of the queue."""

    type = Choice(choices=ReviewType.choices, default=None)
    subject = ExternalId(default=None)
    agent = Text(max_length=80, default=None, help_text="slug")
    group = serializers.UUIDField(default=None, help_text="what came from one source that nobody vouched for")
    kind = Choice(choices=Kind.choices, default=None, help_text="of memory; skills and profiles are procedural")
    reason = Choice(choices=Reason.choices, default=None, help_text="why it waits")
    since = Moment(default=None, help_text="waiting since then or later")
    until = Moment(default=None, help_text="waiting since before then")
    state = Choice(choices=ReviewState.choices, default=ReviewState.WAITING)
    snoozed = serializers.BooleanField(default=False, help_text="what rests until a later moment, instead of the rest")


FILTERS: Final = ("type", "subject", "agent", "group", "kind", "reason", "since", "until", "state", "snoozed")


class ApproveIn(Strict):
    text = Text(help_text="edit it first", **OPTIONAL)


class RejectIn(Strict):
    reason = Text(max_length=500)


class WaitingProfileOut(Shape):
    id = serializers.UUIDField()
    agent = serializers.CharField()
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=SkillStatus.choices)
    text = serializers.CharField()
    etag = serializers.CharField()


class GroupOut(Shape):
    """The source of proposals that nobody vouched for, and how many of it wait."""

    id = serializers.UUIDField()
    size = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field by that name


class QueueItemOut(Shape):
    """One thing to decide: an entry, a skill or a profile."""

    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=ReviewType.choices)
    state = serializers.ChoiceField(choices=ReviewState.choices)
    subject = serializers.CharField(allow_null=True)
    agent = serializers.CharField(allow_null=True)
    entry = EntryOut(allow_null=True)
    skill = SkillOut(allow_null=True)
    profile = WaitingProfileOut(allow_null=True)
    rival = serializers.UUIDField(allow_null=True, help_text="the entry in force that it stands against")
    group = GroupOut(allow_null=True)
    why = serializers.CharField()
    reason = serializers.ChoiceField(choices=Reason.choices)
    similar = EntryOut(many=True)
    proposed_by = serializers.CharField()
    waiting_since = serializers.DateTimeField()
    due_at = serializers.DateTimeField(help_text="when it should be decided")
    escalated = serializers.BooleanField(help_text="put before everything else")
    snoozed_until = serializers.DateTimeField(allow_null=True)
    first_yes_by = serializers.CharField(allow_null=True, help_text="of two who have to say yes")
    merged_into = serializers.UUIDField(allow_null=True)
    claimed_by = serializers.CharField(allow_null=True)
    decision_id = serializers.UUIDField(allow_null=True)
    etag = serializers.CharField()


class QueuePageOut(Shape):
    items = QueueItemOut(many=True)
    next = serializers.CharField(allow_null=True)


class DecidedOut(Shape):
    """What a curator did, and what it was done to."""

    id = serializers.UUIDField()
    decision = serializers.ChoiceField(choices=["approved", "first_yes", "rejected", "undone", "claimed", "released"])
    entry = EntryOut(allow_null=True)
    skill = SkillOut(allow_null=True)
    profile = WaitingProfileOut(allow_null=True)
    etag = serializers.CharField()


class Queue(HubView):
    """/queue"""

    @operation("read_queue", query=QueueQuery, answers={200: QueuePageOut})
    def get(self, call: Call) -> Answer:
        """List what waits, first what is due first; the further proposals of one agent's unvouched texts stand back."""
        asked = call.query
        filters = {name: asked[name] for name in FILTERS}
        with call.anywhere():
            found = review_queue.waiting(by=call.by, **filters)
            if call.by.bound_subject:  # what is about nobody, such as a skill, may have been learned from others
                found = found.filter(subject__external_id=call.by.bound_subject)
            render = functools.partial(_items_json, by=call.by)
            return Answer(page(found, order=("place_at", "id"), query=asked, name="queue", render=render))


class QueueItem(HubView):
    """/queue/{id}"""

    @operation("read_queue", answers={200: QueueItemOut})
    def get(self, call: Call, item_id: str) -> Answer:
        """One item, in any state."""
        with call.anywhere():
            item = _item(call, item_id)
            return Answer(_items_json([item], by=call.by)[0], headers={"ETag": item.etag})


class Approve(HubView):
    """/queue/{id}/approve"""

    @operation("decide", body=ApproveIn, optional_body=True, answers={200: DecidedOut}, refusals=(409, 412))
    def post(self, call: Call, item_id: str) -> Answer:
        """Say yes, with an edit if need be. Nobody approves what they, or an agent they own, proposed."""
        return _decide(
            call, item_id, "approved",
            lambda item: decisions.approve(
                item_id=item.pk, by=call.by, now=call.now, text=call.body["text"], etag=call.if_match(item.etag)
            ),
        )  # fmt: skip


class Reject(HubView):
    """/queue/{id}/reject"""

    @operation("decide", body=RejectIn, answers={200: DecidedOut}, refusals=(409, 412))
    def post(self, call: Call, item_id: str) -> Answer:
        """Say no, with a reason; the same claim does not come back without new evidence."""
        return _decide(
            call, item_id, "rejected",
            lambda item: decisions.reject(
                item_id=item.pk, reason=call.body["reason"], by=call.by, now=call.now, etag=call.if_match(item.etag)
            ),
        )  # fmt: skip


class Undo(HubView):
    """/queue/{id}/undo"""

    @operation("decide", answers={200: DecidedOut}, refusals=(409, 412))
    def post(self, call: Call, item_id: str) -> Answer:
        """Take a decision back while nothing has been built on it."""
        return _decide(call, item_id, "undone", lambda item: decisions.undo(item_id=item.pk, by=call.by, now=call.now))


class Claim(HubView):
    """/queue/{id}/claim"""

    @operation("decide", answers={200: DecidedOut}, refusals=(409,))
    def post(self, call: Call, item_id: str) -> Answer:
        """Say that you are looking at it, for ten minutes; nothing is locked."""
        return _decide(
            call, item_id, "claimed", lambda item: decisions.claim(item_id=item.pk, by=call.by, now=call.now)
        )


class Release(HubView):
    """/queue/{id}/release"""

    @operation("decide", answers={200: DecidedOut}, refusals=(409,))
    def post(self, call: Call, item_id: str) -> Answer:
        """Let go of a claimed item."""
        return _decide(
            call, item_id, "released", lambda item: decisions.release(item_id=item.pk, by=call.by, now=call.now)
        )


def _decide(call: Call, item_id: str, word: str, verb: Callable[[ReviewItem], ReviewItem]) -> Answer:
    with call.anywhere():
        known = _item(call, item_id)
        try:
            item = verb(known)
        except AlreadyDecided as error:
            raise AlreadyDecided(error.detail, **_decided(review_queue.get(item_id=known.pk, by=call.by))) from error
        body = {
            "id": str(item.pk),
            "decision": "first_yes" if word == "approved" and item.state == ReviewState.WAITING else word,
            "entry": rendering.entry_json(item.entry) if item.entry else None,
            "skill": skills_json([item.skill])[0] if item.skill else None,
            "profile": _profile_json(item.profile) if item.profile else None,
            "etag": item.etag,
        }
    return Answer(body, about=item.subject_id, headers={"ETag": item.etag})


def _decided(item: ReviewItem) -> dict[str, Any]:
    """What somebody decided first, for the body of a 409."""
    return {
        "id": str(item.pk),
        "decision": item.state,
        "decided_at": rendering.moment(item.decided_at),
        "decided_by": item.decided_by.email if item.decided_by else None,
        "reason": item.decided_reason,
        "etag": item.etag,
    }


def _items_json(items: list[ReviewItem], *, by: Principal) -> list[dict[str, Any]]:
    sizes = crowding.sizes((item.group for item in items), by=by)
    similar = {item.pk: review_queue.similar_to(item) for item in items}
    wanted: dict[Any, Entry] = {item.entry.pk: item.entry for item in items if item.entry}
    wanted |= {entry.pk: entry for found in similar.values() for entry in found}
    entries = dict(zip(wanted, rendering.entries_json(list(wanted.values())), strict=True))
    skills = {skill["id"]: skill for skill in skills_json([item.skill for item in items if item.skill])}
    return [
        {
            "id": str(item.pk),
            "type": item.type,
            "state": item.state,
            "subject": item.subject.external_id if item.subject else None,
            "agent": item.agent.slug if item.agent else None,
            "entry": entries[item.entry.pk] if item.entry else None,
            "skill": skills[str(item.skill_id)] if item.skill_id else None,
            "profile": _profile_json(item.profile) if item.profile else None,
            "rival": str(item.rival_id) if item.rival_id else None,
            "group": _group_json(item, sizes),
            "why": item.why,
            "reason": item.reason,
            "similar": [entries[entry.pk] for entry in similar[item.pk]],
            "proposed_by": _proposer(item),
            "waiting_since": rendering.moment(item.waiting_since),
            "due_at": rendering.moment(item.due_at),
            "escalated": item.escalated_at is not None,
            "snoozed_until": rendering.moment(item.snoozed_until),
            "first_yes_by": item.first_yes_by.email if item.first_yes_by else None,
            "merged_into": str(item.merged_into_id) if item.merged_into_id else None,
            "claimed_by": item.claimed_by.email if item.claimed_by else None,
            "decision_id": str(item.decision_id) if item.decision_id else None,
            "etag": item.etag,
        }
        for item in items
    ]


def _group_json(item: ReviewItem, sizes: Mapping[uuid.UUID, int]) -> dict[str, Any] | None:
    if item.group is None:
        return None
    return {"id": str(item.group), "size": sizes.get(item.group, 0), "source": item.group_source}


def _proposer(item: ReviewItem) -> str:
    if item.proposer:
        return item.proposer.email
    if item.agent:
        return item.agent.slug
    return item.entry.provenance.role if item.entry else "memory hub"


def _profile_json(profile: Profile) -> dict[str, Any]:
    return {
        "id": str(profile.pk),
        "agent": profile.agent.slug,
        "version": profile.number,
        "status": profile.status,
        "text": profile.text,
        "etag": profile.etag,
    }


def _item(call: Call, item_id: str) -> ReviewItem:
    """The item of that id; for a bound key only when it is about its subject. Raises NotFound."""
    known = uuid_or_none(item_id)
    if known is None:
        raise NotFound
    item = review_queue.get(item_id=known, by=call.by)
    if call.by.bound_subject and (item.subject is None or item.subject.external_id != call.by.bound_subject):
        raise NotFound
    return item
