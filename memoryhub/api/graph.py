"""How are things connected? /graph: typed facts as edges, over several hops (R39; api.md)."""

from typing import Any

from rest_framework import serializers

from memoryhub import conf
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import ExternalId, Moment, QueryNumber, Strict, Text
from memoryhub.api.recall import ConflictOut, ItemProvenanceOut, conflicts_json, provenance_json
from memoryhub.api.shapes import Shape
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import reading
from memoryhub.models import Subject
from memoryhub.recall import graph
from memoryhub.recall.filters import Window
from memoryhub.tenancy import ALL_SUBJECTS
from memoryhub.vocabulary import Category, Caution, Kind

MAX_KEYS = 20
FROM = "from"  # a word of Python's own, so such a field is named here and not in the class


class GraphQuery(Strict):
    """Where to begin and how far to go."""

    subject = ExternalId(default=None, help_text="about whom else; what is private to them is read under their rights")
    hops = QueryNumber(default=conf.GRAPH_HOPS, min_value=1, max_value=graph.MAX_HOPS)
    key = Text(max_length=1000, default=None, help_text="only facts under this key; several with commas")
    as_of = Moment(default=None, help_text="what was believed then")
    valid_at = Moment(default=None, help_text="what was true then")

    def get_fields(self) -> dict[str, Any]:
        start = Text(max_length=conf.MAX_EXTERNAL_ID, help_text="a subject's external id, or the name of a thing")
        return {FROM: start, **super().get_fields()}


class NodeOut(Shape):
    """A subject, something that has facts of its own, or a plain value."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=["subject", "thing", "value"])
    name = serializers.CharField()
    subject = serializers.CharField(allow_null=True)


class EdgeOut(Shape):
    """One fact, from what it is about to what its value names; `entry` leads to all that is known of it."""

    entry = serializers.UUIDField()
    to = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()
    text = serializers.CharField()
    subject = serializers.CharField()
    entity = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(choices=Kind.choices)
    category = serializers.ChoiceField(choices=Category.choices)
    provenance = ItemProvenanceOut()
    warnings = serializers.ListField(child=serializers.ChoiceField(choices=Caution.choices))

    def get_fields(self) -> dict[str, Any]:
        return {FROM: serializers.CharField(), **super().get_fields()}


class PathOut(Shape):
    """One way from the start: ids of nodes, and of the entries between them."""

    nodes = serializers.ListField(child=serializers.CharField())
    entries = serializers.ListField(child=serializers.UUIDField())


class GraphOut(Shape):
    recall_id = serializers.UUIDField()
    nodes = NodeOut(many=True)
    edges = EdgeOut(many=True)
    paths = PathOut(many=True)
    conflicts = ConflictOut(many=True)
    truncated = serializers.BooleanField(help_text="there is more than one answer holds: fewer hops or a key narrow it")


class GraphView(HubView):
    """/graph"""

    @operation("read_graph", query=GraphQuery, answers={200: GraphOut})
    def get(self, call: Call) -> Answer:
        """Follow facts from a subject or a thing, over up to four hops, by the filters of recall."""
        asked = call.query
        start = asked[FROM]
        subjects = _subjects(call, start, asked["subject"])
        question = graph.Question(
            start=start,
            subjects=subjects,
            hops=asked["hops"],
            keys=_keys(asked["key"]),
            window=Window(as_of=asked["as_of"], valid_at=asked["valid_at"]),
        )
        bound = bool(call.by.bound_subject)
        if reading.may_read_all(call.by) and not bound and asked["subject"] is None:
            found = graph.explore(question=question, by=call.by, now=call.now, audiences=ALL_SUBJECTS)
        else:
            others = [] if bound else graph.of_all(by=call.by)
            with call.about(*subjects) as audiences:
                found = graph.explore(
                    question=question, by=call.by, now=call.now, audiences=audiences, others=others
                )  # fmt: skip
        return Answer(_graph_json(found))


def _subjects(call: Call, start: str, named: str | None) -> tuple[Subject, ...]:
    """Whose facts are asked for: the start, where it is a subject, and who else is named; a bound key's own always."""
    if named is not None:
        call.named(named)
    names = dict.fromkeys(one for one in (start, named, call.by.bound_subject) if one)
    return tuple(subject for subject in (_known(call, one) for one in names) if subject is not None)


def _known(call: Call, name: str) -> Subject | None:
    """The subject of that external id, if there is one the key may ask for."""
    try:
        return call.named(name)
    except (NotFound, Invalid):
        return None


def _keys(text: str | None) -> tuple[str, ...]:
    keys = tuple(dict.fromkeys(key.strip() for key in (text or "").split(",") if key.strip()))
    if len(keys) > MAX_KEYS:
        raise Invalid(errors={"key": [f"At most {MAX_KEYS} keys."]})
    return keys


def _graph_json(found: graph.Graph) -> dict[str, Any]:
    return {
        "recall_id": str(found.recall_id),
        "nodes": [
            {"id": node.id, "kind": node.kind, "name": node.name, "subject": node.subject} for node in found.nodes
        ],
        "edges": [_edge_json(edge) for edge in found.edges],
        "paths": [{"nodes": list(path.nodes), "entries": list(path.entries)} for path in found.paths],
        "conflicts": conflicts_json(found.conflicts),
        "truncated": found.truncated,
    }


def _edge_json(edge: graph.Edge) -> dict[str, Any]:
    note = edge.note
    return {
        "entry": note.id,
        FROM: edge.source,
        "to": edge.target,
        "key": note.key,
        "value": note.value,
        "text": note.text,
        "subject": note.subject,
        "entity": note.entity or None,
        "kind": str(note.kind),
        "category": str(note.category),
        "provenance": provenance_json(note),
        "warnings": [str(warning) for warning in note.warnings],
    }
