from django.db import migrations

from accounts.row_security import any_organisation, same_organisation

AGENT, SUBJECT = "accounts_agent", "memoryhub_subject"
ENTRY, SESSION, SKILL = "memoryhub_entry", "memoryhub_session", "memoryhub_skill"

#: Every reference from one tenant's row to another: table → column → parent.
REFERENCES = {
    "memoryhub_agenttool": {"agent_id": AGENT},
    "memoryhub_agentsignal": {"agent_id": AGENT},
    "memoryhub_agentpolicy": {"agent_id": AGENT},
    "memoryhub_profile": {"agent_id": AGENT},
    "memoryhub_skill": {"agent_id": AGENT},
    "memoryhub_skillevidence": {"skill_id": SKILL, "subject_id": SUBJECT},
    "memoryhub_subject": {"account_id": SUBJECT},
    "memoryhub_subjectmember": {"group_id": SUBJECT, "person_id": SUBJECT},
    "memoryhub_session": {"agent_id": AGENT, "subject_id": SUBJECT},
    "memoryhub_turn": {"session_id": SESSION, "subject_id": SUBJECT},
    "memoryhub_offload": {"session_id": SESSION, "subject_id": SUBJECT},
    "memoryhub_dream": {"agent_id": AGENT},
    "memoryhub_dreamoperation": {
        "dream_id": "memoryhub_dream", "subject_id": SUBJECT, "entry_id": ENTRY, "skill_id": SKILL,
    },
    "memoryhub_event": {
        "agent_id": AGENT, "session_id": SESSION, "subject_id": SUBJECT, "speaker_id": SUBJECT,
        "dream_id": "memoryhub_dream",
    },
    "memoryhub_decision": {"subject_id": SUBJECT, "agent_id": AGENT},
    "memoryhub_entry": {"subject_id": SUBJECT, "audience_id": SUBJECT, "agent_id": AGENT, "supersedes_id": ENTRY},
    "memoryhub_provenance": {"entry_id": ENTRY, "speaker_id": SUBJECT, "agent_id": AGENT},
    "memoryhub_lineage": {"child_id": ENTRY, "parent_id": ENTRY, "event_id": "memoryhub_event"},
    "memoryhub_recall": {"subject_id": SUBJECT, "agent_id": AGENT},
    "memoryhub_record": {"subject_id": SUBJECT},
    "memoryhub_recordsource": {"agent_id": AGENT, "subject_id": SUBJECT},
    "memoryhub_recordreading": {"source_id": "memoryhub_recordsource", "subject_id": SUBJECT},
    "memoryhub_evidence": {"subject_id": SUBJECT},
    "memoryhub_backing": {"evidence_id": "memoryhub_evidence", "entry_id": ENTRY},
    "memoryhub_idempotentrequest": {"api_key_id": "accounts_key", "subject_id": SUBJECT},
    "memoryhub_reviewitem": {
        "subject_id": SUBJECT, "entry_id": ENTRY, "skill_id": SKILL, "profile_id": "memoryhub_profile",
        "rival_id": ENTRY, "decision_id": "memoryhub_decision", "agent_id": AGENT,
    },
}  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0007_write_guard"), ("accounts", "0003_same_organisation")]

    operations = [
        migrations.RunSQL(same_organisation(table, column, parent), any_organisation(table, column))
        for table, references in REFERENCES.items()
        for column, parent in references.items()
    ]
