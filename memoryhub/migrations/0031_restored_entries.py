"""What an import brings back may begin put aside or declined, under a decision like any other entry (docs/adr/0028)."""

from django.db import migrations

#: How an entry may begin under what the decision says of it; before, put aside and declined were no beginnings.
BEGINNINGS = {
    "ADD": ("accepted", "expired", "archived"),
    "UPDATE": ("accepted", "expired"),
    "QUEUED": ("proposed", "disputed"),
    "NOOP": ("replaced", "rejected"),
}
BEFORE = {
    "ADD": ("accepted", "expired"),
    "UPDATE": ("accepted", "expired"),
    "QUEUED": ("proposed", "disputed"),
    "NOOP": ("replaced",),
}


def begins(table: dict[str, tuple[str, ...]]) -> str:
    """The function that says whether an entry may begin like that."""
    cases = " ".join(f"WHEN '{op}' THEN ARRAY{list(statuses)}" for op, statuses in table.items())
    return (
        "CREATE OR REPLACE FUNCTION hub_entry_begins(op text, status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS"
        f" $$ SELECT status = ANY (CASE op {cases} END) $$;"
    )


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0030_members_leave")]

    operations = [migrations.RunSQL(begins(BEGINNINGS), begins(BEFORE))]
