"""Whom does a question name, and what has to be known of them before anything is searched? One round trip (R30)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memoryhub.models import Subject
from memoryhub.recall import crowds, planned
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import RecallProfile

_COLUMNS: Final = tuple(field.attname for field in Subject._meta.concrete_fields)

_LOOK_UP: Final = planned.statement(f"""
SELECT {", ".join(f"subject.{name}" for name in _COLUMNS)}, groups,
  {crowds.HAS_CROWD.format(audiences="groups || subject.id || subject.account_id")},
  (SELECT recall_profile FROM memoryhub_agentpolicy WHERE agent_id = %(agent)s)
FROM memoryhub_subject AS subject,
  LATERAL (SELECT ARRAY(SELECT group_id FROM memoryhub_subjectmember WHERE person_id = subject.id) AS groups) AS member
WHERE organisation_id = %(organisation)s AND external_id = ANY (%(names)s::text[])
""")


@dataclass(frozen=True)
class Named:
    """The subjects of a question with their groups, in the order they were named, whether one of their audiences has a
    crowd (crowds.py), and by what the asking agent's policy ranks.
    """

    subjects: tuple[Subject, ...]
    crowded: bool
    profile: RecallProfile


def look_up(names: Iterable[str], *, by: Principal) -> Named:
    """Those of these external ids that are known, each once; to a key that is bound to one of them, that one."""
    wanted = [name for name in dict.fromkeys(names) if by.bound_subject in ("", name)]
    rows = planned.ask(_LOOK_UP, {"organisation": by.organisation, "agent": by.agent, "names": wanted})
    found = {}
    for *columns, groups, crowded, profile in rows:
        subject = Subject.from_db("default", _COLUMNS, columns)
        subject.known_groups = groups
        found[subject.external_id] = (subject, crowded, profile)
    there = [found[name] for name in wanted if name in found]
    return Named(
        subjects=tuple(subject for subject, *_ in there),
        crowded=any(crowded for *_, crowded, _ in there),
        profile=RecallProfile(next((profile for *_, profile in there if profile), RecallProfile.GOVERNED)),
    )
