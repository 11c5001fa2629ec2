from django.db import migrations

from accounts.row_security import any_organisation, same_organisation


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_row_level_security")]

    operations = [
        migrations.RunSQL(
            same_organisation("accounts_key", "agent_id", "accounts_agent"),
            any_organisation("accounts_key", "agent_id"),
        )
    ]
