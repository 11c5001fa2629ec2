"""What would an agent be given for this question? Recall and context as a person tries them out (R38, R92).

It is the same call as `POST /recall` and `POST /context` make, as the agent (so under its rights, its policy and its
records) or as the person themselves. It is a read: it is logged with who looked, as which agent and for whom (R37), and
counts as a look by a person, never as something an agent was given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from accounts.models import Agent
from memoryhub.context import builder
from memoryhub.errors import Invalid
from memoryhub.governance import checked_recall
from memoryhub.models import Entry, Session
from memoryhub.permissions import can_do, check_may
from memoryhub.recall import read_log, search
from memoryhub.recall.filters import readers
from memoryhub.recall.named import Named, look_up
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole, RecallProfile
from memoryhub.working.redaction import NEVER_ASKED, redact

SHOWN = 50  # of the candidates, best first, whose words are looked up


@dataclass(frozen=True)
class Asked:
    """What would be given. `recalled` holds the explanation; `words` are the candidates' entries by id, also of those
    that were dropped; `paused` are subjects whose memory is not used while remembering is paused.
    """

    recalled: search.Recalled
    words: Mapping[str, Entry] = field(repr=False)
    paused: tuple[str, ...] = ()

    @property
    def weighed(self) -> bool:
        """Whether a score is the weighed sum of its signals: not so under the other profile (R32)."""
        return (self.recalled.explain or {}).get("profile") == RecallProfile.GOVERNED


def ask(
    *, subjects: Sequence[str], text: str, agent: Agent | None, by: Principal, now: datetime, **limits: Any
) -> Asked:
    """One question about these external ids; `limits` are further fields of a Query. Raises NotGranted unless `by` may
    try things out, Invalid for a subject nobody knows and as search.find does.
    """
    acting = _acting(by, agent)
    text = redact(text, families=NEVER_ASKED).text
    meaning = search.begin(text)
    with acting_for(acting, subjects=ALL_SUBJECTS):
        known = _known(subjects, by=acting)
        with acting_for(acting, subjects=readers(known.subjects), savepoint=False):
            query = search.Query(
                subjects=known.subjects, text=text, known=known, meaning=meaning, explain=True, **limits
            )
            recalled = checked_recall.recall(query=query, by=acting, now=now, purpose=read_log.TRIED)
            ids = [one["id"] for one in candidates_of(recalled)[:SHOWN]]
            rows = Entry.objects.filter(pk__in=ids).select_related("subject").defer("embedding", "search")
            words = {str(entry.pk): entry for entry in rows}
    paused = [one.external_id for one in known.subjects if one.paused_at is not None and not one.use_existing]
    return Asked(recalled, words, tuple(paused))


def candidates_of(recalled: search.Recalled) -> list[dict[str, Any]]:
    """The explained candidates, best first."""
    explained: Any = recalled.explain or {}
    return list(explained.get("candidates", ()))


def build(
    *,
    subjects: Sequence[str],
    text: str,
    agent: Agent,
    signals: Sequence[str],
    session_id: str,
    token_budget: int | None,
    by: Principal,
    now: datetime,
) -> builder.Context:
    """The whole memory part of a prompt. Working memory is shown to who may read sessions. Raises as `ask` does."""
    acting = _acting(by, agent)
    text = redact(text, families=NEVER_ASKED).text
    meaning = search.begin(text)
    parts = [part for part in builder.PARTS if part != "working" or can_do(by, "read_session")]
    with acting_for(acting, subjects=ALL_SUBJECTS):
        known = _known(subjects, by=acting)
        with acting_for(acting, subjects=readers(known.subjects), savepoint=False):
            session = _session(session_id, agent, known) if session_id and "working" in parts else None
            request = builder.ContextRequest(
                agent=agent, known=known, session=session, query=text, meaning=meaning, signals=tuple(signals),
                token_budget=token_budget, parts=tuple(parts), purpose=read_log.TRIED,
            )  # fmt: skip
            return builder.build(request=request, by=acting, now=now)


def _acting(by: Principal, agent: Agent | None) -> Principal:
    """The agent as the person tries it; without one, the person with their own rights."""
    check_may(by, "try_out")
    return by if agent is None else replace(by, roles=frozenset({KeyRole.AGENT}), agent=agent.pk)


def _session(external_id: str, agent: Agent, known: Named) -> Session:
    """A running session of the agent about one of the subjects. Raises Invalid."""
    session = Session.objects.filter(external_id=external_id, agent=agent, subject__in=known.subjects).first()
    if session is None:
        raise Invalid(errors={"session_id": ["This agent has no session of that id about them."]})
    return session


def _known(names: Sequence[str], *, by: Principal) -> Named:
    known = look_up(names, by=by)
    there = {subject.external_id for subject in known.subjects}
    missing = [name for name in dict.fromkeys(names) if name not in there]
    if missing or not there:
        fault = f"Nobody is known by this id: {', '.join(missing)}." if missing else "Name at least one subject."
        raise Invalid(fault, errors={"subjects": [fault]})
    return known
