"""Relations, names and pronouns tell whom a sentence is about (R12, R13)."""

import pytest

from memoryhub.governance.people import named_other, other_person, own_contact, relation_of, speaks_of_money, works_with


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("My brother lives in Graz.", "brother"),
        ("Call my landlord about it.", "landlord"),
        ("She moved last week.", "she"),
        ("Ingrid handles the orders.", "Ingrid"),
        ("I live in Graz.", None),
        ("We lease a Ford van.", None),
        ("Returns handles the rest.", None),
        ("My dog sleeps late.", None),
    ],
)
def test_another_person_is_noticed(sentence, other):
    assert other_person(sentence) == other


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("My colleague Ingrid signs for parcels.", True),
        ("Our accountant is called Bodil.", True),
        ("Contact: Bodil Aas", True),
        ("My colleagues sign for parcels.", False),
        ("My friend Monday is not a name.", False),
        ("I prefer Fridays.", False),
    ],
)
def test_a_name_with_a_relation_is_noticed(sentence, named):
    assert named_other(sentence) is named


def test_a_clause_that_begins_with_a_relation_is_about_that_person():
    assert relation_of("my older sister likes tulips") == "sister"
    assert relation_of("I like my sister") is None


def test_work_relations_money_and_own_contacts_are_told_apart():
    assert works_with("my line manager is away")
    assert not works_with("my uncle is away")
    assert speaks_of_money("She earns 40k a year")
    assert own_contact("My number is below")
    assert not own_contact("Her number is below")
