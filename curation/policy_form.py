"""How is an organisation's policy changed on a page? Fields that make the document which the policy verbs read.

Nothing is judged here: what the fields say becomes a document, and the verb's faults come back to the fields by path
(governance/policy_document.py, policy_floors.py), so that a page, a file and the API are refused in the same words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from memoryhub.governance import policy_floors
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_document import Document, written
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode, Role, SensitiveData, Treatment

Choices = Sequence[tuple[str, str]]

_TREATMENTS: Choices = [(one.value, one.label) for one in Treatment]
_MODES: Choices = [(one.value, one.label) for one in PolicyMode]


@dataclass
class Field:
    """One thing to set: `path` is its place in the document and its name in the form."""

    path: str
    label: str
    value: Any
    look: str  # choice, text, lines or many
    choices: Choices = ()
    hint: str = ""
    faults: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return "policy-" + self.path.replace(".", "-")


@dataclass
class Section:
    """Fields under one heading."""

    name: str
    heading: str
    lead: str
    fields: list[Field]

    @property
    def faulty(self) -> bool:
        return any(one.faults for one in self.fields)


class PolicyForm:
    """A policy as fields: as it is in force, or as it was typed."""

    def __init__(self, base: Policy, typed: QueryDict | None = None) -> None:
        document = written(base)
        self.based_on = str(base.version)
        self.reason = ""
        self.other_faults: list[str] = []
        self.reason_faults: list[str] = []
        self.sections = _sections(document)
        if typed is not None:
            self.based_on = typed.get("based_on", "")[:20]
            self.reason = typed.get("reason", "")
            for one in self.fields:
                if one.look == "many":
                    one.value = typed.getlist(one.path)
                else:
                    one.value = typed.get(one.path, one.value)

    @property
    def fields(self) -> Iterator[Field]:
        for section in self.sections:
            yield from section.fields

    @property
    def faulty(self) -> bool:
        return bool(self.other_faults or self.reason_faults or any(section.faulty for section in self.sections))

    @property
    def document(self) -> Document:
        """What was typed, as the policy verbs read it; what is no number stays text, which they refuse in words."""
        document: Document = {}
        for one in self.fields:
            table, _, name = one.path.partition(".")
            value = _read(one)
            if name:
                document.setdefault(table, {})[name] = value
            else:
                document[table] = value
        return document

    @property
    def base_version(self) -> int | None:
        return int(self.based_on) if self.based_on.isascii() and self.based_on.isdigit() else None

    def tell(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Put each fault at its field, or above all of them where there is none."""
        known = {one.path: one for one in self.fields}
        for path, sentences in errors.items():
            if path in known:
                known[path].faults += sentences
            elif path == "reason":
                self.reason_faults += sentences
            else:
                self.other_faults += sentences


def _read(one: Field) -> Any:
    if one.look == "many":
        return list(one.value)
    text = str(one.value).replace("\r\n", "\n")
    if one.look == "lines":
        return [line.strip() for line in text.split("\n") if line.strip()]
    if one.path in ("commit_at", "discard_below"):
        return _number(text, float)
    if one.path == "untrusted_claims_per_call":
        return _number(text, int)
    return text.strip()


def _number(text: str, kind: type[int] | type[float]) -> int | float | str:
    try:
        return kind(text.strip())
    except (ValueError, OverflowError):
        return text


def _sections(document: Document) -> list[Section]:
    return [
        Section(
            "kinds", "How far each kind goes", "",
            [Field(f"modes.{one}", one.label.capitalize(), document["modes"][one], "choice", _MODES) for one in Kind],
        ),
        Section(
            "sure", "How sure it has to be", "",
            [
                Field("commit_at", "Kept without a person from", document["commit_at"], "text", hint="0.5 to 1.0"),
                Field(
                    "discard_below", "Dropped below", document["discard_below"], "text",
                    hint="Between the two a person is asked.",
                ),
                Field(
                    "untrusted_claims_per_call", "Claims of one document, page or e-mail that are put before a person",
                    document["untrusted_claims_per_call"], "text",
                ),
            ],
        ),
        Section(
            "sensitive", "What becomes of sensitive data", "",
            [
                Field(
                    f"treatments.{one}", one.label.capitalize(), document["treatments"][one], "choice", _TREATMENTS,
                    hint=f"At least: {floor.least.label}." if (floor := policy_floors.TREATMENTS.get(one)) else "",
                )
                for one in SensitiveData
            ],
        ),
        Section(
            "long", "How long it is kept", "A number of hours, days or weeks, such as “26 weeks”.",
            [
                *(
                    Field(f"lifetimes.{one}", one.label.capitalize(), document["lifetimes"][one], "text")
                    for one in Category
                ),
                Field("review_before", "Somebody looks again before it lapses", document["review_before"], "text"),
            ],
        ),
        Section(
            "grants", "Who may write what", "One grant a line: memory:<kind>:<op>:<category>, each by its name or *.",
            [
                *(
                    Field(f"grants.{one}", one.label.capitalize(), "\n".join(document["grants"][one]), "lines")
                    for one in Role
                ),
                Field(
                    "member_may_add", "A member may add, about their project, site, team or account",
                    document["member_may_add"], "many", [(one.value, one.label) for one in Category],
                ),
                Field(
                    "four_eyes", "Two curators have to say yes to", document["four_eyes"], "many",
                    [(one.value, one.label) for one in FourEyes],
                ),
            ],
        ),
    ]  # fmt: skip
