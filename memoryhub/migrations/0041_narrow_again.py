"""The web role alters neither the audit trail nor a signed policy: said again, for databases that were put back.

A restore read tables in while the web role had every right to new ones by default, so what 0002 and 0005 had taken from
it was granted again; their triggers refused the statements all the same.
"""

from typing import ClassVar

from django.db import migrations

NARROWED = """
DO $$
DECLARE held record;
BEGIN
  FOR held IN SELECT DISTINCT g.table_name, g.grantee FROM information_schema.role_table_grants g
    WHERE g.table_schema = 'public' AND g.table_name IN ('memoryhub_auditevent', 'memoryhub_policyversion')
      AND g.grantee NOT IN (current_user, 'PUBLIC') AND g.privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE')
      AND g.grantor = current_user
  LOOP
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM %I', held.table_name, held.grantee);
  END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memoryhub", "0040_named_by_staff")]

    operations: ClassVar = [migrations.RunSQL(NARROWED, migrations.RunSQL.noop)]
