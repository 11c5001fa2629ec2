"""Where in earlier sessions was this spoken of? /sessions/search (api.md, turns and sessions)."""

import uuid
from datetime import datetime
from typing import Any, Final

from rest_framework import serializers

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import ExternalId, Text
from memoryhub.api.pagination import cursor_to, place_of
from memoryhub.api.shapes import PageQuery, Shape
from memoryhub.errors import NotFound
from memoryhub.models import Subject
from memoryhub.recall import session_search
from memoryhub.recall.session_search import Hit, Place
from memoryhub.working.redaction import NEVER_ASKED, redact

NAME: Final = "session_search"


class SearchQuery(PageQuery):
    """Whose sessions, and which words."""

    subject = ExternalId()
    q = Text(allow_blank=True, help_text="words to look for; not echoed")


class HitOut(Shape):
    """A session that speaks of it: in its summary, which is an entry, or in an event."""

    session_id = serializers.CharField()
    where = serializers.ChoiceField(choices=["summary", "event"])
    excerpt = serializers.CharField()
    at = serializers.DateTimeField()
    entry = serializers.UUIDField(allow_null=True)
    event_id = serializers.CharField(allow_null=True)


class HitPageOut(Shape):
    recall_id = serializers.UUIDField()
    items = HitOut(many=True)
    next = serializers.CharField(allow_null=True)


class SessionSearch(HubView):
    """/sessions/search"""

    @operation("read_session", query=SearchQuery, answers={200: HitPageOut})
    def get(self, call: Call) -> Answer:
        """Search the summaries of a subject's sessions and the events not yet pruned; an agent searches its own."""
        asked = call.query
        after = _place(place_of(query=asked, name=NAME, count=len(Place._fields)))
        text = redact(asked["q"], families=NEVER_ASKED).text
        subject = _known(call, asked["subject"])
        if subject is None:
            read = session_search.log(subjects=[], text=text, hits=[], by=call.by, now=call.now)
            return Answer(_page_json([], read, asked))
        with call.about(subject) as audiences:
            hits, read = session_search.search(
                subject=subject, text=text, by=call.by, now=call.now, audiences=audiences, after=after,
                limit=asked["limit"] + 1,
            )  # fmt: skip
        return Answer(_page_json(hits, read, asked), about=subject.pk)


def _known(call: Call, external_id: str) -> Subject | None:
    """Nobody who is unknown has sessions; a key that is bound to somebody else may not even ask."""
    try:
        return call.named(external_id)
    except NotFound:
        if call.by.bound_subject not in ("", external_id):
            raise
        return None


def _place(values: list[str] | None) -> Place | None:
    return Place(int(values[0]), datetime.fromisoformat(values[1]), uuid.UUID(values[2])) if values else None


def _page_json(hits: list[Hit], read: uuid.UUID, asked: dict[str, Any]) -> dict[str, Any]:
    shown = hits[: asked["limit"]]
    more = len(hits) > len(shown)
    return {
        "recall_id": str(read),
        "items": [
            {
                "session_id": hit.session,
                "where": "summary" if hit.event is None else "event",
                "excerpt": hit.excerpt,
                "at": rendering.moment(hit.place.at),
                "entry": str(hit.place.id) if hit.event is None else None,
                "event_id": hit.event,
            }
            for hit in shown
        ],
        "next": cursor_to(shown[-1].place, query=asked, name=NAME) if more else None,
    }
