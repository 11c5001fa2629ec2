"""Who was given what is kept about a person, in the words of the log? For that person's own page (R37, R90).

Told are the recalls of agents and the looks of people on a page; a measurement of the hub is neither.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection

from memoryhub.models import Subject
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

MEASURED: Final = "bench"
LOOKED_THROUGH: Final = 1000  # newest recalls, and newest looks, about one person

#: The newest recalls about a person and the newest looks among whose subjects they are; of these, what gave an entry.
_GIVEN: Final = """
WITH log AS (
  (SELECT id, agent_id, false AS looked, created_at, items FROM memoryhub_recall
    WHERE organisation_id = %(organisation)s AND subject_id = %(subject)s
      AND NOT (purpose = ANY (%(looks)s::text[]) OR purpose = %(measured)s)
    ORDER BY created_at DESC, id DESC LIMIT %(through)s)
  UNION ALL
  (SELECT id, agent_id, true AS looked, created_at, items FROM memoryhub_recall
    WHERE organisation_id = %(organisation)s AND purpose = ANY (%(looks)s::text[])
      AND subjects @> ARRAY[%(subject)s::uuid]
    ORDER BY id DESC LIMIT %(through)s)
), given AS (
  SELECT DISTINCT log.id, agent_id, looked, created_at, item ->> 'id' AS entry
    FROM log, jsonb_array_elements(items) AS item WHERE item ->> 'id' = ANY (%(wanted)s::text[])
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY entry ORDER BY created_at DESC, id DESC) AS place FROM given
)
SELECT entry, name, looked, placed.created_at FROM placed LEFT JOIN accounts_agent AS agent ON agent.id = agent_id
  WHERE %(most)s::int IS NULL OR place <= %(most)s::int ORDER BY placed.created_at DESC, placed.id DESC
"""


@dataclass(frozen=True)
class Reading:
    """One time that something was given: through which agent, or to whom it was shown on a page (`looked`)."""

    agent: str
    looked: bool
    at: datetime


def of_person(
    subject: Subject, *, entries: Collection[uuid.UUID], by: Principal, most: int | None = None
) -> Mapping[uuid.UUID, Sequence[Reading]]:
    """For each of these entries about the person who read it, newest first, at most `most` of each; what nobody read
    is left out. One query, however many entries: what was given besides is not even read out of the log.

    A list that staff looked at names the person beside others, so the log is read as a whole: no more is told of a row
    than that it gave an entry of theirs.
    """
    wanted = [str(entry) for entry in entries]
    if not wanted:
        return {}
    found: dict[uuid.UUID, list[Reading]] = {}
    with acting_for(by, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        cursor.execute(
            _GIVEN,
            {
                "organisation": subject.organisation_id, "subject": subject.pk, "wanted": wanted,
                "looks": sorted(read_log.LOOKS), "measured": MEASURED, "through": LOOKED_THROUGH, "most": most,
            },
        )  # fmt: skip
        for entry, agent, looked, at in cursor.fetchall():
            found.setdefault(uuid.UUID(entry), []).append(Reading(agent or "", looked, at))
    return found
