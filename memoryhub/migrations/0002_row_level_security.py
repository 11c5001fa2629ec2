from django.db import migrations

from accounts.row_security import OWN_ORGANISATION, protect, subject_is_readable, unprotect

OF_SUBJECT = subject_is_readable("subject_id")
OF_SUBJECT_OR_NONE = f"(subject_id IS NULL OR {OF_SUBJECT})"
OF_ENTRY = (
    f"({subject_is_readable('audience_id')} OR scope = 'organisation'"
    " OR (scope = 'agent' AND agent_id = (SELECT hub_agent())))"
)


def visible_entry(column: str) -> str:
    """A row of an entry is seen where the entry is: the sub-select is under the entry table's own policies."""
    return f"((SELECT hub_all_subjects()) OR EXISTS (SELECT 1 FROM memoryhub_entry e WHERE e.id = {column}))"


SUBJECT = {
    "memoryhub_subject": subject_is_readable("id"),
    "memoryhub_subjectmember": f"({subject_is_readable('group_id')} OR {subject_is_readable('person_id')})",
    "memoryhub_entry": OF_ENTRY,
    "memoryhub_provenance": visible_entry("entry_id"),
    "memoryhub_lineage": visible_entry("child_id"),
    "memoryhub_decision": OF_SUBJECT_OR_NONE,
    "memoryhub_reviewitem": OF_SUBJECT_OR_NONE,
    "memoryhub_skillevidence": OF_SUBJECT_OR_NONE,
    "memoryhub_session": OF_SUBJECT,
    "memoryhub_turn": OF_SUBJECT,
    "memoryhub_offload": OF_SUBJECT,
    "memoryhub_event": OF_SUBJECT,
    "memoryhub_dreamoperation": OF_SUBJECT_OR_NONE,
    "memoryhub_recall": OF_SUBJECT_OR_NONE,
    "memoryhub_idempotentrequest": None,
    "memoryhub_erasure": None,
    "memoryhub_agenttool": None,
    "memoryhub_agentsignal": None,
    "memoryhub_agentpolicy": None,
    "memoryhub_profile": None,
    "memoryhub_skill": None,
    "memoryhub_dream": None,
    "memoryhub_auditevent": None,
    "memoryhub_audithead": None,
    "memoryhub_job": None,
}
TENANT = {"memoryhub_job": f"{OWN_ORGANISATION} OR (SELECT hub_worker())"}

# Append-only even for the table's owner (R103); the web role loses the right as well.
APPEND_ONLY = """
CREATE FUNCTION hub_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON memoryhub_auditevent
  FOR EACH STATEMENT EXECUTE FUNCTION hub_refuse_change();
DO $$
DECLARE grantee text;
BEGIN
  FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
    WHERE g.table_name = 'memoryhub_auditevent' AND g.grantee <> current_user
  LOOP
    IF grantee = 'PUBLIC' THEN
      REVOKE UPDATE, DELETE, TRUNCATE ON memoryhub_auditevent FROM PUBLIC;
    ELSE
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON memoryhub_auditevent FROM %I', grantee);
    END IF;
  END LOOP;
END $$;
"""
NOT_APPEND_ONLY = "DROP TRIGGER audit_append_only ON memoryhub_auditevent; DROP FUNCTION hub_refuse_change();"

# Private can never be widened by an update (spec section 1), whoever asks.
NEVER_WIDENED = """
CREATE FUNCTION hub_refuse_widening() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the readers of an entry can''t be changed' USING ERRCODE = 'check_violation'; END $$;
CREATE TRIGGER entry_never_widened BEFORE UPDATE ON memoryhub_entry FOR EACH ROW
  WHEN (OLD.scope IS DISTINCT FROM NEW.scope OR OLD.audience_id IS DISTINCT FROM NEW.audience_id
        OR OLD.subject_id IS DISTINCT FROM NEW.subject_id OR OLD.organisation_id IS DISTINCT FROM NEW.organisation_id)
  EXECUTE FUNCTION hub_refuse_widening();
"""
WIDENED = "DROP TRIGGER entry_never_widened ON memoryhub_entry; DROP FUNCTION hub_refuse_widening();"


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0001_initial"), ("accounts", "0002_row_level_security")]

    operations = [
        *[
            migrations.RunSQL(
                protect(table, tenant=TENANT.get(table, OWN_ORGANISATION), subject=subject), unprotect(table)
            )
            for table, subject in SUBJECT.items()
        ],
        migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY),
        migrations.RunSQL(NEVER_WIDENED, WIDENED),
    ]
