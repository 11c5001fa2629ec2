"""Every page about memory, on one screen."""

from django.urls import path

from curation.views import (
    dashboard,
    dreams,
    gallery,
    home,
    memories,
    my_memory,
    playground,
    preferences,
    profiles,
    queue,
    queue_item,
    queue_verbs,
    queue_views,
    recalls,
    skills,
    subjects,
    upkeep,
)

app_name = "curation"

urlpatterns = [
    path("", home.home, name="home"),
    path("no-place/", home.no_place, name="no-place"),
    path("organisation/", home.choose_organisation, name="choose-organisation"),
    # How is the hub doing?
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("dashboard/figures.csv", dashboard.figures_csv, name="dashboard-csv"),
    # How somebody likes to work, and every component and state
    path("preferences/", preferences.preferences, name="preferences"),
    path("gallery/", gallery.gallery, name="gallery"),
    # What waits for a curator, and one item of it
    path("queue/", queue.queue_list, name="queue-list"),
    path("queue/one-by-one/", queue.queue_focus, name="queue-focus"),
    path("queue/views/", queue_views.queue_views, name="queue-views"),
    path("queue/views/<uuid:view_id>/remove/", queue_views.queue_view_remove, name="queue-view-remove"),
    path("queue/counts/", queue.queue_counts, name="queue-counts"),
    path("queue/groups/<uuid:group>/reject/", queue.queue_reject_group, name="queue-reject-group"),
    path("queue/<uuid:item_id>/", queue_item.queue_item, name="queue-item"),
    path("queue/<uuid:item_id>/approve/", queue_verbs.queue_approve, name="queue-approve"),
    path("queue/<uuid:item_id>/reject/", queue_verbs.queue_reject, name="queue-reject"),
    path("queue/<uuid:item_id>/undo/", queue_verbs.queue_undo, name="queue-undo"),
    path("queue/<uuid:item_id>/claim/", queue_verbs.queue_claim, name="queue-claim"),
    path("queue/<uuid:item_id>/release/", queue_verbs.queue_release, name="queue-release"),
    path("queue/<uuid:item_id>/heartbeat/", queue_item.queue_heartbeat, name="queue-heartbeat"),
    path("queue/<uuid:item_id>/snooze/", queue_verbs.queue_snooze, name="queue-snooze"),
    path("queue/<uuid:item_id>/wake/", queue_verbs.queue_wake, name="queue-wake"),
    path("queue/<uuid:item_id>/escalate/", queue_verbs.queue_escalate, name="queue-escalate"),
    path("queue/<uuid:item_id>/note/", queue_verbs.queue_note, name="queue-note"),
    # What is remembered, and one memory
    path("memories/", memories.memory_list, name="memory-list"),
    path("memories/<uuid:entry_id>/", memories.memory_item, name="memory-item"),
    path("memories/<uuid:entry_id>/confirm/", memories.confirm, name="memory-confirm"),
    path("memories/<uuid:entry_id>/correct/", memories.correct, name="memory-correct"),
    path("memories/<uuid:entry_id>/dispute/", memories.dispute, name="memory-dispute"),
    path("memories/<uuid:entry_id>/review-by/", memories.review_by, name="memory-review-by"),
    path("memories/<uuid:entry_id>/erase/", memories.erase, name="memory-erase"),
    # Whom memories are about
    path("subjects/", subjects.subject_list, name="subject-list"),
    path("subjects/<uuid:subject_id>/", subjects.subject_item, name="subject-item"),
    # How agents act
    path("skills/", skills.skill_list, name="skill-list"),
    path("skills/import/", skills.skill_import, name="skill-import"),
    path("skills/<uuid:skill_id>/", skills.skill_item, name="skill-item"),
    path("skills/<uuid:skill_id>/SKILL.md", skills.skill_file, name="skill-file"),
    path("skills/<uuid:skill_id>/retire/", skills.skill_retire, name="skill-retire"),
    path("skills/<uuid:skill_id>/bring-back/", skills.skill_bring_back, name="skill-bring-back"),
    path("profiles/<slug:agent>/", profiles.profile_item, name="profile-item"),
    path("profiles/<slug:agent>/AGENT.md", profiles.profile_file, name="profile-file"),
    path("profiles/<slug:agent>/propose/", profiles.profile_propose, name="profile-propose"),
    path("profiles/<slug:agent>/retire/", profiles.profile_retire, name="profile-retire"),
    path("profiles/<slug:agent>/bring-back/", profiles.profile_bring_back, name="profile-bring-back"),
    # Why did the agent think that?
    path("recalls/", recalls.recall_list, name="recall-list"),
    path("recalls/<uuid:recall_id>/", recalls.recall_detail, name="recall-detail"),
    # To try, not to keep
    path("playground/", playground.message, name="playground"),
    path("playground/turn/", playground.turn, name="playground-turn"),
    path("playground/question/", playground.query, name="playground-query"),
    path("playground/context/", playground.context, name="playground-context"),
    # Consolidation
    path("dreams/", dreams.dream_list, name="dream-list"),
    path("dreams/upkeep/", upkeep.overview, name="upkeep"),
    path("dreams/upkeep/try-again/", upkeep.try_again, name="upkeep-try-again"),
    path("dreams/upkeep/jobs/<uuid:job_id>/retry/", upkeep.retry_job, name="upkeep-retry-job"),
    path("dreams/upkeep/<slug:chore>/run/", upkeep.run_chore, name="upkeep-run"),
    path("dreams/<uuid:dream_id>/", dreams.dream_detail, name="dream-detail"),
    # What I remember about you: one person, their own memories
    path("me/", my_memory.my_memory, name="my-memory"),
    path("me/enter/<str:token>/", my_memory.enter, name="my-memory-enter"),
    path("me/memories/<uuid:entry_id>/still-true/", my_memory.still_true, name="my-memory-still-true"),
    path("me/questions/<uuid:question_id>/answer/", my_memory.answer, name="my-memory-answer"),
    path("me/memories/<uuid:entry_id>/correct/", my_memory.correct, name="my-memory-correct"),
    path("me/memories/<uuid:entry_id>/forget/", my_memory.forget, name="my-memory-forget"),
    path("me/memories/<uuid:entry_id>/dispute/", my_memory.dispute, name="my-memory-dispute"),
    path("me/pause/", my_memory.pause, name="my-memory-pause"),
    path("me/forget-everything/", my_memory.forget_everything, name="my-memory-forget-everything"),
    path("me/download/", my_memory.download, name="my-memory-download"),
]
