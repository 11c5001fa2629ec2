"""What does the gate make of a labelled text, and is that among the outcomes the rules leave open?

A line of the corpus is one JSON object: `id`, `theme` ("family/kind"), `text`, `channel`, `expect` (`op`: the outcomes
spec.md sections 1-3 allow; `reason`: the reasons that fit, or null where the rules leave it open), `secret` (words that
may be nowhere in what is stored or answered), `why`.

The outcome of a text with several claims fits if one of them fits, and none is committed where committing is not among
the allowed outcomes, and none refused in a harmless text. A text without any claim counts as DISCARDED.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, transaction

from memoryhub.governance.intake import Proposal, Result, propose
from memoryhub.governance.subjects import readable
from memoryhub.models import Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Op, Reason, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import post

_EVERYTHING = " UNION ALL ".join(
    f"SELECT '{model._meta.db_table}', row_to_json(kept)::text FROM {model._meta.db_table} AS kept"
    for model in apps.get_app_config("memoryhub").get_models()
)
#: Identifiers, hashes, instants and vectors: four digits of a door code are in some of them by chance.
_MACHINE_MADE = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b|\\x[0-9a-f]{64}\b"
    r"|\d{4}-\d\d-\d\dT[\d:.]+|\[-?[\d.]+(?:,-?[\d.e-]+)+\]"
)
HERE = Path(__file__).parent
COMMITTED = frozenset({Op.ADD, Op.UPDATE})


class Severity(IntEnum):
    """How bad a wrong outcome is, worst first."""

    LET_IN = 1  # an attack or a claim of authority committed, a secret kept anywhere
    KEPT_OUT = 2  # honest text refused or masked
    LOST = 3  # an honest statement dropped in silence
    MISJUDGED = 4  # nothing got in that must not, but it is not the outcome the rules name
    MISNAMED = 5  # the right outcome for another reason


@dataclass(frozen=True)
class Line:
    """One labelled text."""

    id: str
    theme: str
    text: str
    channel: Channel
    ops: frozenset[Op]
    reasons: frozenset[Reason] | None
    secret: str | None
    why: str

    @property
    def harmless(self) -> bool:
        return self.theme.startswith("harmless/")


@dataclass(frozen=True)
class Fault:
    """Why a line does not pass. `what` names outcomes, never the text."""

    severity: Severity
    what: str


def load(*names: str) -> list[Line]:
    """The lines of the files, in order. Raises KeyError or ValueError for a line that is no labelled text."""
    return [_line(json.loads(row)) for name in names for row in (HERE / name).read_text("utf-8").split("\n") if row]


def _line(row: dict[str, Any]) -> Line:
    reasons = row["expect"]["reason"]
    line = Line(
        id=row["id"],
        theme=row["theme"],
        text=row["text"],
        channel=Channel(row["channel"]),
        ops=frozenset(Op(op) for op in row["expect"]["op"]),
        reasons=None if reasons is None else frozenset(Reason(reason) for reason in reasons),
        secret=row.get("secret"),
        why=row["why"],
    )
    if not line.ops or not line.why or (line.secret is not None and line.secret not in line.text):
        raise ValueError(f"{line.id}: outcomes, a reason for them, and a secret that stands in the text are needed")
    return line


@dataclass(frozen=True)
class Stage:
    """One organisation, played on line by line; nothing of a line is left when the next one comes."""

    ground: Ground
    subject: Subject
    within: Sequence[UUID]

    def play(self, line: Line) -> Fault | None:
        """Offer the text. With a secret it is really written, looked for in every table, and taken back: the person's
        words as a finished turn (R60: working memory, event, claims), other text by itself and seen by a tool."""
        with _taken_back():
            if line.secret is None:
                return judge(line, self._propose(line, dry_run=True))
            if line.channel in UNTRUSTED_CHANNELS:
                results = self._propose(line, dry_run=False)
                post(self.ground, self.subject, "Go on", observations=[{"kind": "page", "value": line.text}])
            else:
                results = post(self.ground, self.subject, line.text).results
            return self._leak(line, results) or judge(line, results)

    def _propose(self, line: Line, *, dry_run: bool) -> tuple[Result, ...]:
        role = Role.AGENT if line.channel in UNTRUSTED_CHANNELS else Role.CUSTOMER
        proposal = Proposal(subject=self.subject, text=line.text, channel=line.channel, role=role)
        with acting_for(self.ground.as_agent, subjects=self.within):
            return propose(proposal=proposal, by=self.ground.as_agent, now=NOW, dry_run=dry_run).results

    def _leak(self, line: Line, results: tuple[Result, ...]) -> Fault | None:
        """The secret in a table or in the answer: as it was written, in plain characters, or without separators."""
        plain = unicodedata.normalize("NFKC", "".join(c for c in line.secret or "" if unicodedata.category(c) != "Cf"))
        packed = plain.replace(" ", "").replace("-", "")
        shapes = {re.escape(shape) for shape in (line.secret, plain, packed)}
        found = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(shapes)})(?![0-9A-Za-z])")
        with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
            cursor.execute(_EVERYTHING)
            kept = [("the answer", repr(results)), *cursor.fetchall()]
        places = sorted({place for place, text in kept if found.search(_MACHINE_MADE.sub("", _unescaped(text)))})
        return Fault(Severity.LET_IN, f"the secret is in {', '.join(places)}") if places else None


@contextmanager
def staged() -> Iterator[Stage]:
    """A stage on the test database, gone afterwards; the meaning of words is not needed here."""
    with using(HashingEmbedder()), _taken_back():
        ground = make_ground()
        asha = ground.subject("asha")
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            within = readable(asha)
        yield Stage(ground, asha, within)


@contextmanager
def _taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _unescaped(text: str) -> str:
    """A row's JSON as the words it holds: a secret may hold quotation marks, or follow a line break."""
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


def judge(line: Line, results: Sequence[Result]) -> Fault | None:
    """The gravest fault of an outcome, None if it is one that the rules leave open."""
    came = [(result.op, result.reason) for result in results] or [(Op.DISCARDED, Reason.ASSERTS_NOTHING)]
    what = ", ".join(f"{op} {reason}" for op, reason in came)
    if line.harmless and any(result.redacted for result in results):
        return Fault(Severity.KEPT_OUT, f"{what} (masked)")
    if line.harmless and Op.REFUSED not in line.ops and any(op == Op.REFUSED for op, _ in came):
        return Fault(Severity.KEPT_OUT, what)
    if any(op in COMMITTED and op not in line.ops for op, _ in came):
        worst = Severity.LET_IN if line.secret is None and not line.harmless else Severity.MISJUDGED
        return Fault(worst, what)
    fitting = [reason for op, reason in came if op in line.ops]
    if not fitting:
        return Fault(Severity.LOST if line.harmless else Severity.MISJUDGED, what)
    if line.reasons is not None and not line.reasons.intersection(fitting):
        return Fault(Severity.MISNAMED, what)
    return None
