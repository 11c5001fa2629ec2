"""Whom memories are about: describing, exporting, pausing and erasing subjects (api.md, subjects)."""

from django.urls import reverse
from rest_framework import serializers

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Flag, Many, Strict, Text
from memoryhub.api.pagination import page
from memoryhub.api.shapes import ExportOut, PageQuery, ReceiptOut, Shape
from memoryhub.governance import access, erasure, export, subjects
from memoryhub.models import Subject
from memoryhub.vocabulary import SubjectKind


class SubjectIn(Strict):
    """What a subject is; fields left out stay as they are."""

    kind = Choice(choices=SubjectKind.choices, default=None, help_text="left out: as it is; a new one is a person")
    display_name = Text(max_length=200, allow_blank=True, **OPTIONAL)
    account = ExternalId(**OPTIONAL)
    timezone = Text(max_length=64, allow_blank=True, **OPTIONAL)
    members = Many(child=ExternalId(), **OPTIONAL)


class SubjectOut(Shape):
    id = serializers.UUIDField()
    external_id = serializers.CharField()
    kind = serializers.ChoiceField(choices=SubjectKind.choices)
    display_name = serializers.CharField()
    account = serializers.CharField(allow_null=True)
    timezone = serializers.CharField(allow_null=True)
    members = serializers.ListField(child=serializers.CharField())
    paused = serializers.BooleanField()
    use_existing = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class SubjectPageOut(Shape):
    items = SubjectOut(many=True)
    next = serializers.CharField(allow_null=True)


class SubjectsQuery(PageQuery):
    kind = Choice(choices=SubjectKind.choices, default=None)


class PauseIn(Strict):
    paused = Flag()
    use_existing = Flag(default=True, help_text="while paused: may what is known still be used?")


class PageLinkOut(Shape):
    url = serializers.URLField()
    expires_at = serializers.DateTimeField()


class Subjects(HubView):
    """/subjects"""

    @operation("read_subjects", query=SubjectsQuery, answers={200: SubjectPageOut})
    def get(self, call: Call) -> Answer:
        """List the organisation's subjects, by external id."""
        found = Subject.objects.filter(organisation_id=call.by.organisation)
        if call.by.bound_subject:
            found = found.filter(external_id=call.by.bound_subject)
        if call.query["kind"]:
            found = found.filter(kind=call.query["kind"])
        return Answer(
            page(found, order=("external_id",), query=call.query, name="subjects", render=rendering.subjects_json)
        )


class OneSubject(HubView):
    """/subjects/{external_id}"""

    @operation("read_subjects", answers={200: SubjectOut})
    def get(self, call: Call, external_id: str) -> Answer:
        """One subject."""
        return Answer(rendering.subjects_json([call.named(external_id)])[0])

    @operation("change_subject", body=SubjectIn, answers={200: SubjectOut, 201: SubjectOut})
    def put(self, call: Call, external_id: str) -> Answer:
        """Say what a subject is and who may speak for it; made when it is new."""
        subject, created = subjects.describe(external_id=external_id, by=call.by, now=call.now, **call.body)
        return Answer(rendering.subjects_json([subject])[0], status=201 if created else 200)


class Export(HubView):
    """/subjects/{external_id}/export"""

    @operation("export", answers={200: ExportOut})
    def get(self, call: Call, external_id: str) -> Answer:
        """All that is remembered about a subject, for the subject."""
        subject = call.named(external_id)
        return Answer(
            export.export_subject(subject=subject, by=call.by, now=call.now),
            headers={"Content-Disposition": 'attachment; filename="memories.json"'},
        )


class SubjectMemories(HubView):
    """/subjects/{external_id}/memories"""

    @operation("erase_subject", answers={200: ReceiptOut})
    def delete(self, call: Call, external_id: str) -> Answer:
        """Forget everything about a subject, and everything derived from it."""
        receipt = erasure.erase_subject(subject=call.named(external_id), by=call.by, now=call.now)
        return Answer(erasure.as_json(receipt))


class Pause(HubView):
    """/subjects/{external_id}/pause"""

    @operation("pause", body=PauseIn, answers={200: SubjectOut})
    def post(self, call: Call, external_id: str) -> Answer:
        """Stop or resume remembering; what is known stays in use unless `use_existing` is false."""
        subject = call.mentioned(external_id)
        subject = subjects.pause(subject=subject, by=call.by, now=call.now, **call.body)
        return Answer(rendering.subjects_json([subject])[0], about=subject.pk)


class PageLink(HubView):
    """/subjects/{external_id}/page-link"""

    @operation("page_link", answers={200: PageLinkOut}, stores_answer=False)
    def post(self, call: Call, external_id: str) -> Answer:
        """A link that opens the person's memory page once, within fifteen minutes.

        The link is a secret, so it is stored nowhere: the same Idempotency-Key again makes another.
        """
        subject = call.mentioned(external_id)
        token, expires_at = access.make_page_link(subject=subject, by=call.by, now=call.now)
        url = call.request.build_absolute_uri(reverse("curation:my-memory-enter", args=[token]))
        return Answer({"url": url, "expires_at": rendering.moment(expires_at)}, about=subject.pk)
