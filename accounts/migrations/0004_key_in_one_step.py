from django.db import migrations

# Every call begins by looking up its key. Presenting the lookup part and reading the row it opens is one statement here:
# the setting that row-level security reads lasts as long as the function runs, whatever transaction it runs in.
KEY = """
CREATE FUNCTION hub_key(presented text) RETURNS SETOF accounts_key LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  before text := coalesce(current_setting('hub.key', true), '');
BEGIN
  PERFORM set_config('hub.key', presented, true);
  RETURN QUERY SELECT * FROM accounts_key WHERE lookup = presented;
  PERFORM set_config('hub.key', before, true);
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_same_organisation")]

    operations = [migrations.RunSQL(KEY, "DROP FUNCTION hub_key(text);")]
