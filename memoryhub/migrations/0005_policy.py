from django.db import migrations, models

from accounts.ids import new_id
from accounts.row_security import protect, unprotect

# A signed version stays as it was signed, even for the table's owner; the web role loses the rights as well.
NEVER_ALTERED = """
CREATE FUNCTION hub_refuse_policy_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'a signed policy is never altered; sign another version'
           USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER policy_never_altered BEFORE UPDATE OR DELETE OR TRUNCATE ON memoryhub_policyversion
  FOR EACH STATEMENT EXECUTE FUNCTION hub_refuse_policy_change();
DO $$
DECLARE grantee text;
BEGIN
  FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
    WHERE g.table_name = 'memoryhub_policyversion' AND g.grantee <> current_user
  LOOP
    IF grantee = 'PUBLIC' THEN
      REVOKE UPDATE, DELETE, TRUNCATE ON memoryhub_policyversion FROM PUBLIC;
    ELSE
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON memoryhub_policyversion FROM %I', grantee);
    END IF;
  END LOOP;
END $$;
"""
ALTERED = "DROP TRIGGER policy_never_altered ON memoryhub_policyversion; DROP FUNCTION hub_refuse_policy_change();"

# Nobody could set an agent's thresholds so far: those that equal the defaults are the organisation's. The owner is held
# by row-level security too, and a migration has no identity.
FOLLOW_THE_ORGANISATION = """
ALTER TABLE memoryhub_agentpolicy NO FORCE ROW LEVEL SECURITY;
UPDATE memoryhub_agentpolicy SET commit_at = NULL, discard_below = NULL WHERE commit_at = 0.8 AND discard_below = 0.3;
ALTER TABLE memoryhub_agentpolicy FORCE ROW LEVEL SECURITY;
"""
SPELLED_OUT = """
ALTER TABLE memoryhub_agentpolicy NO FORCE ROW LEVEL SECURITY;
UPDATE memoryhub_agentpolicy SET commit_at = 0.8, discard_below = 0.3 WHERE commit_at IS NULL;
ALTER TABLE memoryhub_agentpolicy FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("memoryhub", "0004_personal_data_reason"),
    ]

    operations = [
        migrations.CreateModel(
            name="PolicyVersion",
            fields=[
                ("id", models.UUIDField(default=new_id, editable=False, primary_key=True, serialize=False)),
                ("organisation_id", models.UUIDField()),
                ("version", models.PositiveIntegerField()),
                ("document", models.JSONField()),
                ("signed_by", models.CharField(help_text="the signer's address at the time", max_length=254)),
                ("signer", models.UUIDField(help_text="their id")),
                ("signed_at", models.DateTimeField()),
                ("reason", models.CharField(max_length=500)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="agentpolicy",
            name="agent_policy_thresholds_ordered",
        ),
        migrations.AddField(
            model_name="decision",
            name="policy_version",
            field=models.PositiveIntegerField(default=0, help_text="of the policy it was judged by; 0: as shipped"),
        ),
        migrations.AlterField(
            model_name="agentpolicy",
            name="commit_at",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="agentpolicy",
            name="discard_below",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.RunSQL(FOLLOW_THE_ORGANISATION, SPELLED_OUT),
        migrations.AddConstraint(
            model_name="agentpolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("commit_at__isnull", True), ("discard_below__isnull", True)),
                    models.Q(
                        ("commit_at__isnull", False),
                        ("commit_at__lte", 1),
                        ("discard_below__gte", 0),
                        ("discard_below__isnull", False),
                        ("discard_below__lte", models.F("commit_at")),
                    ),
                    _connector="OR",
                ),
                name="agent_policy_thresholds_ordered",
            ),
        ),
        migrations.AddConstraint(
            model_name="policyversion",
            constraint=models.UniqueConstraint(fields=("organisation_id", "version"), name="policy_version_once"),
        ),
        migrations.AddConstraint(
            model_name="policyversion",
            constraint=models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="policy_version_from_1"),
        ),
        migrations.AddConstraint(
            model_name="policyversion",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("signed_by", ""), _negated=True), models.Q(("reason", ""), _negated=True)),
                name="policy_signed_and_explained",
            ),
        ),
        migrations.RunSQL(protect("memoryhub_policyversion"), unprotect("memoryhub_policyversion")),
        migrations.RunSQL(NEVER_ALTERED, ALTERED),
    ]
