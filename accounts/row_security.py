"""The SQL behind row-level security: who may see a row, said once, for migrations of every app (R30).

Identity is set per transaction by memoryhub/tenancy.py as `hub.…` settings; an absent or empty setting matches
nothing, so a forgotten identity reads nothing. Sub-selects make PostgreSQL evaluate a setting once per statement.
"""

FUNCTIONS = """
CREATE FUNCTION hub_organisation() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('hub.organisation', true), '')::uuid $$;
CREATE FUNCTION hub_agent() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('hub.agent', true), '')::uuid $$;
CREATE FUNCTION hub_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('hub.user', true), '')::uuid $$;
CREATE FUNCTION hub_all_subjects() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT coalesce(current_setting('hub.subjects', true), '') = '*' $$;
CREATE FUNCTION hub_subjects() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN coalesce(current_setting('hub.subjects', true), '') IN ('', '*') THEN '{}'::uuid[]
            ELSE string_to_array(current_setting('hub.subjects', true), ',')::uuid[] END $$;
CREATE FUNCTION hub_worker() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT coalesce(current_setting('hub.worker', true), '') = 'on' $$;
"""

DROP_FUNCTIONS = """
DROP FUNCTION hub_organisation(); DROP FUNCTION hub_agent(); DROP FUNCTION hub_user();
DROP FUNCTION hub_all_subjects(); DROP FUNCTION hub_subjects(); DROP FUNCTION hub_worker();
"""

OWN_ORGANISATION = "organisation_id = (SELECT hub_organisation())"


def subject_is_readable(column: str) -> str:
    """The condition that a row about the subject in `column` may be seen."""
    return f"((SELECT hub_all_subjects()) OR {column} = ANY ((SELECT hub_subjects())::uuid[]))"


def protect(table: str, *, tenant: str = OWN_ORGANISATION, subject: str | None = None) -> str:
    """SQL that forces row-level security on `table`: its tenant's rows only, narrowed to readable subjects."""
    sql = (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; ALTER TABLE {table} FORCE ROW LEVEL SECURITY;"
        f"CREATE POLICY {table}_tenant ON {table} USING ({tenant}) WITH CHECK ({tenant});"
    )
    if subject:
        sql += f"CREATE POLICY {table}_subject ON {table} AS RESTRICTIVE USING ({subject}) WITH CHECK ({subject});"
    return sql


def unprotect(table: str) -> str:
    """The reverse of `protect`, for migrations."""
    return (
        f"DROP POLICY IF EXISTS {table}_subject ON {table}; DROP POLICY {table}_tenant ON {table};"
        f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;"
    )


def same_organisation(table: str, column: str, parent: str) -> str:
    """SQL that keeps a reference inside its organisation: `column` of `table` names a row of `parent` of the same one.

    Foreign keys are checked past row-level security, so the one that Django makes would accept another tenant's row.
    This one is checked at the end of the transaction like Django's, which goes on deleting and emptying by itself.
    """
    return (
        f"CREATE UNIQUE INDEX IF NOT EXISTS {parent}_of_organisation ON {parent} (organisation_id, id);"
        f"ALTER TABLE {table} ADD CONSTRAINT {_own(table, column)} FOREIGN KEY (organisation_id, {column})"
        f" REFERENCES {parent} (organisation_id, id) DEFERRABLE INITIALLY DEFERRED;"
    )


def any_organisation(table: str, column: str) -> str:
    """The reverse of `same_organisation`, for migrations; the parent's index stays for the others that use it."""
    return f"ALTER TABLE {table} DROP CONSTRAINT {_own(table, column)};"


def _own(table: str, column: str) -> str:
    return f"{table}_{column}_own"
