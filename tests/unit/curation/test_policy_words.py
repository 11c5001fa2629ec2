"""What a version of the policy changed is told in the words of its form, never in the names of its fields."""

import re
from dataclasses import replace
from types import MappingProxyType

from curation.policy_form import PolicyForm
from curation.policy_words import changes
from memoryhub.governance.policy import SHIPPED
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode


def test_what_differs_is_called_as_the_form_calls_it() -> None:
    after = replace(
        SHIPPED,
        commit_at=0.9,
        modes=MappingProxyType({**SHIPPED.modes, Kind.EPISODIC: PolicyMode.OFF}),
        member_may_add=frozenset({Category.PREFERENCE}),
        four_eyes=frozenset({FourEyes.SKILLS, FourEyes.POLICY_LIMITS}),
    )
    told = {change.label: (change.before, change.after) for change in changes(SHIPPED, after)}
    assert told["How sure it has to be: Kept without a person from"][1] == "0.9"
    assert told[f"How far each kind goes: {Kind.EPISODIC.label.capitalize()}"][1] == PolicyMode.OFF.label
    before, now = told["Who may write what: Two curators have to say yes to"]
    assert (before, [one.label in now for one in FourEyes]) == ("", [True, True])
    (members,) = (words for label, words in told.items() if label.startswith("Who may write what: A member may add"))
    assert members[1] == Category.PREFERENCE.label


def test_no_name_of_a_field_is_a_name_on_the_page() -> None:
    named = {f"{section.heading}: {one.label}" for section in PolicyForm(SHIPPED).sections for one in section.fields}
    assert not [label for label in named if re.search(r"\w_\w", label)]
