"""How well does recall find what answers a question? Public sets through the product's own verbs: stored through the
gate, asked through recall, erased afterwards.

Recall at 5 and 10: the share of a question's answers among the first items. nDCG at 10 with the set's own grades. For
sets with questions that nothing answers, the abstention curve: what each relevance bar would keep and what it would
leave unsaid (R33).
"""

import math
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean
from typing import Any, Final

from memoryhub.evaluation.datasets import Collection, Question
from memoryhub.governance import access, checked_recall, intake, organisations, subjects
from memoryhub.governance.proposal import Proposal
from memoryhub.models import Subject
from memoryhub.recall import search
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, KeyRole, Kind, Role, SubjectKind

GIVEN: Final = 10
AT_ONCE: Final = 50  # passages a transaction
#: Who passes a passage on, and how: what happened as it was said, facts as they were approved.
SAID: Final = {
    Kind.EPISODIC: (Role.OPERATOR, Channel.USER_MESSAGE), Kind.SEMANTIC: (Role.CURATOR, Channel.CURATOR),
}  # fmt: skip
BARS: Final = tuple(step / 20 for step in range(17))  # of relevance, for the curve


@dataclass
class Figures:
    """What came of the questions, by category; `empty` counts those for which word search found nothing."""

    by_category: dict[str, list[tuple[float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    counted: list[tuple[float, float, float]] = field(default_factory=list)
    best: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # relevance of what would decide
    empty: int = 0
    kept: int = 0
    offered: int = 0

    def as_json(self) -> dict[str, Any]:
        """As api.md has it, with how many of the passages the gate let in."""
        return {
            "questions": len(self.counted),
            **_means(self.counted),
            "by_category": {
                name: {"questions": len(rows), **_means(rows)} for name, rows in sorted(self.by_category.items())
            },
            "lexical_empty": self.empty,
            "passages": {"offered": self.offered, "kept": self.kept},
            **({"abstention": self.curve()} if self.best.keys() - self.by_category.keys() else {}),
        }

    def curve(self) -> list[dict[str, float]]:
        """By bar and category: the share of questions whose answer passes it, and of the others the share for which
        nothing does.
        """
        return [
            {"bar": bar}
            | {
                name: round(fmean((one >= bar) == (name in self.by_category) for one in found), 3)
                for name, found in sorted(self.best.items())
            }
            for bar in BARS
        ]


def measure(
    collections: Iterable[Collection], *, now: datetime, said: Callable[[str], None] = lambda _: None
) -> Figures:
    """Store, ask and erase, in an organisation of its own; `said` is told about progress."""
    slug = f"bench-{uuid.uuid4().hex[:8]}"
    organisation = access.organisation_of(slug, create=True)
    operator = Principal(organisation.pk, "bench", frozenset({KeyRole.OPERATOR}))
    figures = Figures()
    try:
        for collection in collections:
            said(f"{collection.name}: {len(collection.passages)} passages, {len(collection.questions)} questions")
            refs = _store(collection, by=operator, now=now, figures=figures)
            _ask(collection, refs, by=operator, now=now, figures=figures)
    finally:
        with acting_for(operator, subjects=ALL_SUBJECTS):
            organisations.describe(
                organisation=organisation, name=slug, timezone="UTC", demo=True, by=operator, now=now
            )
            organisations.remove_demo(organisation=organisation, by=operator, now=now)
    return figures


def ndcg(given: Sequence[str], answers: Mapping[str, int], at: int = GIVEN) -> float:
    """Discounted gain of the first `at`, as a share of the best order's."""
    gains = [answers.get(ref, 0) for ref in given[:at]]
    best = sorted(answers.values(), reverse=True)[:at]
    return _discounted(gains) / _discounted(best) if best else 0.0


def recall_at(given: Sequence[str], answers: Mapping[str, int], at: int) -> float:
    """The share of the answers among the first `at`."""
    return len(answers.keys() & set(given[:at])) / len(answers)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def _means(rows: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    names = ("recall@5", "recall@10", "ndcg@10")
    return {name: round(fmean(row[at] for row in rows), 4) if rows else 0.0 for at, name in enumerate(names)}


def _store(collection: Collection, *, by: Principal, now: datetime, figures: Figures) -> dict[str, str]:
    """Every passage as what happened, through the gate; entry id → passage."""
    refs: dict[str, str] = {}
    with acting_for(by, subjects=ALL_SUBJECTS):
        subject = subjects.ensure(external_id=collection.name, by=by, now=now, kind=SubjectKind.PROJECT)
        speakers = {
            name: subjects.ensure(external_id=name, by=by, now=now)
            for name in {passage.speaker for passage in collection.passages if passage.speaker}
        }
    for start in range(0, len(collection.passages), AT_ONCE):
        with acting_for(by, subjects=ALL_SUBJECTS):
            for passage in collection.passages[start : start + AT_ONCE]:
                role, channel = SAID[passage.kind]
                proposal = Proposal(
                    subject=subject, text=passage.text, channel=channel, role=role,
                    speaker=speakers.get(passage.speaker), kind=passage.kind, key=passage.key, said_at=passage.said_at,
                    session_ref=passage.session, message_id=passage.ref,
                )  # fmt: skip
                outcome = intake.propose(proposal=proposal, by=by, now=now)
                figures.offered += 1
                for result in outcome.results:
                    if result.entry is not None and str(result.entry.pk) not in refs:
                        refs[str(result.entry.pk)] = passage.ref
                        figures.kept += 1
    return refs


def _ask(collection: Collection, refs: Mapping[str, str], *, by: Principal, now: datetime, figures: Figures) -> None:
    with acting_for(by, subjects=ALL_SUBJECTS):
        subject = subjects.find(external_id=collection.name, by=by)
    for question in collection.questions:
        found = _recalled(question, subject, by=by, now=now)
        seen: Any = (found.explain or {}).get("candidates", ())
        near = {refs[each["id"]]: each["relevance"] for each in seen if each["id"] in refs}
        wanted = [near[ref] for ref in question.answers if ref in near] if question.answers else near.values()
        figures.best[question.category].append(max(wanted, default=0.0))
        figures.empty += not any(each["words"] for each in seen)
        if not question.answers:
            continue
        given = [refs[item.note.id] for item in found.items if item.note.id in refs]
        row = (
            recall_at(given, question.answers, 5),
            recall_at(given, question.answers, GIVEN),
            ndcg(given, question.answers),
        )
        figures.by_category[question.category].append(row)
        if question.counts:
            figures.counted.append(row)


def _recalled(question: Question, subject: Subject, *, by: Principal, now: datetime) -> search.Recalled:
    query = search.Query(subjects=(subject,), text=question.text, limit=GIVEN, min_relevance=0.0, explain=True)
    with acting_for(by, subjects=subjects.readable(subject)):
        return checked_recall.recall(query=query, by=by, now=now, purpose="bench")
