"""Two at the same moment: a one-time link opens for one, a set-password link sets one, and an operator is left."""

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import Membership, User
from memoryhub.errors import Invalid
from memoryhub.governance import access, members
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole, MemberRole
from tests.factories.visitors import Visitors, join, make_visitors

AT_ONCE = 4


@pytest.fixture
def visitors(committed_db: None) -> Iterator[Visitors]:
    with using(HashingEmbedder()):
        yield make_visitors()


def together(*calls: Callable[[], object]) -> list[object]:
    """What each answers when all begin at the same moment, each with a connection of its own."""
    ready, answers = threading.Barrier(len(calls)), list[object]([None] * len(calls))

    def run(place: int) -> None:
        try:
            ready.wait(timeout=30)
            answers[place] = calls[place]()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


def test_a_one_time_link_opens_for_one_of_many_at_once(visitors: Visitors) -> None:
    by = visitors.ground.as_agent
    with acting_for(by, subjects=ALL_SUBJECTS):
        token, _ = access.make_page_link(subject=visitors.mira, by=by, now=timezone.now())
    clients = [Client() for _ in range(AT_ONCE)]
    answers = together(*(lambda c=client: c.post(f"/me/enter/{token}/").status_code for client in clients))
    assert sorted(answers) == [302, *[404] * (AT_ONCE - 1)]
    assert sorted(client.get("/me/").status_code for client in clients) == [200, *[302] * (AT_ONCE - 1)]


def test_a_set_password_link_sets_one_of_many_at_once(visitors: Visitors) -> None:
    by = Principal(visitors.ground.organisation.pk, f"user:{visitors.olu.pk}", frozenset({KeyRole.OPERATOR}),
                   user=visitors.olu.pk)  # fmt: skip
    with acting_for(by, subjects=ALL_SUBJECTS):
        token = members.new_link(person=visitors.cal, by=by, now=timezone.now())
    words = [f"herons by the weir {number}" for number in range(AT_ONCE)]
    answers = together(
        *(lambda w=word: members.accept(token=token, password=w, now=timezone.now()) is not None for word in words)
    )
    assert sorted(answers) == [*[False] * (AT_ONCE - 1), True]
    assert User.objects.get(pk=visitors.cal.pk).check_password(words[answers.index(True)])


def test_of_two_operators_who_end_each_other_one_is_left(visitors: Visitors) -> None:
    join(visitors.ground, visitors.cal, "operator")
    organisation = visitors.ground.organisation.pk

    def ends(one: User, other: User) -> bool:
        by = Principal(organisation, f"user:{one.pk}", frozenset({KeyRole.OPERATOR}), user=one.pk)
        try:
            with acting_for(by, subjects=ALL_SUBJECTS):
                members.end(person=other, by=by, now=timezone.now())
        except Invalid:
            return False
        return True

    ended = together(lambda: ends(visitors.olu, visitors.cal), lambda: ends(visitors.cal, visitors.olu))
    assert sorted(ended) == [False, True]
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Membership.objects.filter(organisation_id=organisation, role=MemberRole.OPERATOR).count() == 1
