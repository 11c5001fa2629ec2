"""Every path under /api/v1/, on one screen (api.md)."""

from django.urls import URLPattern, path, re_path, register_converter

from memoryhub.api import (
    agents,
    audit,
    context,
    decisions,
    docs,
    dreams,
    evidence,
    graph,
    memories,
    queue,
    recall,
    records,
    session_search,
    sessions,
    skills,
    subjects,
    turns,
)
from memoryhub.api.paths import ExternalIdConverter
from memoryhub.api.problems import unknown_path

register_converter(ExternalIdConverter, "segment")

app_name = "api"

urlpatterns: list[URLPattern] = [
    path("subjects", subjects.Subjects.as_view()),
    path("subjects/<segment:external_id>", subjects.OneSubject.as_view()),
    path("subjects/<segment:external_id>/export", subjects.Export.as_view()),
    path("subjects/<segment:external_id>/memories", subjects.SubjectMemories.as_view()),
    path("subjects/<segment:external_id>/pause", subjects.Pause.as_view()),
    path("subjects/<segment:external_id>/page-link", subjects.PageLink.as_view()),
    path("memories", memories.Memories.as_view()),
    path("memories/<segment:entry_id>", memories.Memory.as_view()),
    path("memories/<segment:entry_id>/confirm", memories.Confirm.as_view()),
    path("memories/<segment:entry_id>/dispute", memories.Dispute.as_view()),
    path("memories/<segment:entry_id>/review-by", memories.ReviewBy.as_view()),
    path("records/<segment:external_id>", records.Records.as_view()),
    path("evidence", evidence.EvidenceView.as_view()),
    path("decisions/<segment:decision_id>", decisions.Decision.as_view()),
    path("recall", recall.RecallView.as_view()),
    path("recalls/<segment:recall_id>", recall.Read.as_view()),
    path("recalls/<segment:recall_id>/used", recall.Used.as_view()),
    path("graph", graph.GraphView.as_view()),
    path("context", context.ContextView.as_view()),
    path("turns", turns.Turns.as_view()),
    path("turns:batch", turns.TurnBatch.as_view()),
    path("sessions/search", session_search.SessionSearch.as_view()),  # before a session of that id
    path("sessions/<segment:session_id>", sessions.OneSession.as_view()),
    path("sessions/<segment:session_id>/state", sessions.State.as_view()),
    path("sessions/<segment:session_id>/current", sessions.Current.as_view()),
    path("sessions/<segment:session_id>/offload", sessions.Offloads.as_view()),
    path("sessions/<segment:session_id>/offload/<segment:handle>", sessions.OneOffload.as_view()),
    path("sessions/<segment:session_id>/strike", sessions.Strike.as_view()),
    path("sessions/<segment:session_id>/end", sessions.End.as_view()),
    path("dreams", dreams.Dreams.as_view()),
    path("dreams/<segment:dream_id>", dreams.OneDream.as_view()),
    path("events", dreams.Events.as_view()),
    path("agents/me", agents.Me.as_view()),
    path("agents/me/profile", agents.MyProfile.as_view()),
    path("agents/me/tools", agents.MyTools.as_view()),
    path("agents/me/signals", agents.MySignals.as_view()),
    path("skills", skills.Skills.as_view()),
    path("skills/<segment:name>", skills.OneSkill.as_view()),
    path("queue", queue.Queue.as_view()),
    path("queue/<segment:item_id>", queue.QueueItem.as_view()),
    path("queue/<segment:item_id>/approve", queue.Approve.as_view()),
    path("queue/<segment:item_id>/reject", queue.Reject.as_view()),
    path("queue/<segment:item_id>/undo", queue.Undo.as_view()),
    path("queue/<segment:item_id>/claim", queue.Claim.as_view()),
    path("queue/<segment:item_id>/release", queue.Release.as_view()),
    path("audit", audit.Audit.as_view()),
    path("audit/verify", audit.Verify.as_view()),
    path("openapi.json", docs.openapi, name="openapi"),
    re_path(r"^", unknown_path),
]
