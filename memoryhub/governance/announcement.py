"""Who is about to write? The one place that tells the database that a write command is under way.

Triggers on the governed tables refuse at once what was not announced, and at the end of the transaction whatever no
decision or audit row of that same transaction allows (migration 0007_write_guard). The announcement is no proof of
anything by itself: it makes a forgotten command fail at its first statement, and names the decision that an entry is
written by.
"""

import uuid

from django.db import connection

from accounts.ids import new_id


def announce(command: uuid.UUID | None = None) -> None:
    """Say that what follows in this transaction is a write command: the decision of that id, or a verb of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hub.command', %s, true)", [str(command or new_id())])
