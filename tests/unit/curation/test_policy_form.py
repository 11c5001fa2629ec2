"""The form of a policy holds all of it: what a policy can say can be set on the page."""

from django.http import QueryDict

from curation.policy_form import PolicyForm
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_document import written


def sent(form: PolicyForm) -> QueryDict:
    """The form as a browser sends it back untouched."""
    typed = QueryDict(mutable=True)
    for one in form.fields:
        typed.setlist(one.path, list(one.value) if one.look == "many" else [str(one.value).replace("\n", "\r\n")])
    return typed


def test_untouched_it_says_what_is_in_force() -> None:
    form = PolicyForm(SHIPPED)
    assert form.document == written(SHIPPED)
    assert PolicyForm(SHIPPED, sent(form)).document == written(SHIPPED)


def test_a_fault_stands_at_its_field_or_above_all() -> None:
    form = PolicyForm(SHIPPED)
    form.tell({"lifetimes.lesson": ["Too long."], "reason": ["Say why."], "elsewhere": ["What?"]})
    assert [section.name for section in form.sections if section.faulty] == ["long"]
    assert (form.reason_faults, form.other_faults) == (["Say why."], ["What?"])


def test_what_is_no_number_stays_what_was_typed() -> None:
    typed = sent(PolicyForm(SHIPPED))
    typed["commit_at"], typed["untrusted_claims_per_call"] = "much", "1.5"
    document = PolicyForm(SHIPPED, typed).document
    assert (document["commit_at"], document["untrusted_claims_per_call"]) == ("much", "1.5")
