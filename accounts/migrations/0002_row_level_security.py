from django.db import migrations

from accounts.row_security import DROP_FUNCTIONS, FUNCTIONS, OWN_ORGANISATION, protect, unprotect

# Each row that must be found before an organisation is known is found by the one value the caller presents.
TENANT = {
    "accounts_organisation": (
        "id = (SELECT hub_organisation()) OR slug = nullif(current_setting('hub.slug', true), '')"
        " OR (SELECT hub_worker())"
    ),
    "accounts_membership": f"{OWN_ORGANISATION} OR user_id = (SELECT hub_user())",
    "accounts_agent": OWN_ORGANISATION,
    "accounts_key": f"{OWN_ORGANISATION} OR lookup = nullif(current_setting('hub.key', true), '')",
    "accounts_pagelink": f"{OWN_ORGANISATION} OR digest = nullif(current_setting('hub.link', true), '')",
}


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        *[migrations.RunSQL(protect(table, tenant=tenant), unprotect(table)) for table, tenant in TENANT.items()],
    ]
