"""What differs between two versions of the policy, in the words that its form has for it? (R15, R92)"""

from dataclasses import dataclass

from curation.policy_form import PolicyForm
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_document import difference


@dataclass(frozen=True)
class Change:
    """One field: what it is called, what it said and what it says; empty for nothing."""

    label: str
    before: str
    after: str


def changes(before: Policy, after: Policy) -> list[Change]:
    """Field by field, in the order of the document."""
    form = PolicyForm(after)
    known = {field.path: (section, field) for section in form.sections for field in section.fields}
    told = []
    for path, old, new in difference(before, after):
        section, field = known[path]
        words = {str(value): str(label) for value, label in field.choices}
        label = f"{section.heading}: {field.label}"
        told.append(Change(label, _said(old, words, field.look), _said(new, words, field.look)))
    return told


def _said(value: str, words: dict[str, str], look: str) -> str:
    """A value as it is called; of several, each."""
    if look == "many":
        return ", ".join(words.get(one, one) for one in value.split(", ") if one)
    return words.get(value, value)
