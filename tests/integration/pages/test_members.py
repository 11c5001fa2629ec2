"""Members on a page: who comes in, in which role, and goes; never so that nobody is left who can change it."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Key, Membership, User
from memoryhub.governance import access, members
from memoryhub.models import AuditEvent
from memoryhub.vocabulary import MemberRole
from tests.factories.second_factors import give_app
from tests.factories.turns import all_of
from tests.factories.visitors import PASSWORD, Visitors, join, make_visitors
from tests.integration.pages.conftest import SignedIn

LIST = "/members/"
NEW = "three grey herons by the weir"


def home(person: User) -> str:
    return f"{LIST}{person.pk}/"


def roles_of(visitors: Visitors, person: User) -> set[str]:
    with all_of(visitors.ground):
        return set(Membership.objects.filter(user=person).values_list("role", flat=True))


def role_of(visitors: Visitors, person: User, role: str) -> Membership:
    with all_of(visitors.ground):
        return Membership.objects.get(user=person, role=role)


def link_in(page: bytes) -> str:
    return re.search(r">http://testserver(/welcome/[^<]+)</textarea>", page.decode())[1]


def fault_in(page: bytes) -> str:
    return re.search(r'role="alert"[^>]*>([^<]*)<', page.decode())[1]


def last(visitors: Visitors, count: int) -> list[tuple[str, str]]:
    with all_of(visitors.ground):
        rows = AuditEvent.objects.order_by("-seq").values_list("action", "reason")[:count]
        return list(reversed(rows))


@pytest.fixture
def client(visitors: Visitors, signed_in: SignedIn) -> Client:
    return signed_in(visitors.olu)


def test_the_list_says_who_is_what_and_costs_the_same_for_many(visitors: Visitors, client: Client) -> None:
    give_app(visitors.cal)
    client.get(LIST)
    with CaptureQueriesContext(connection, ) as few:  # fmt: skip
        page = client.get(LIST).content.decode()
    for person in (visitors.cal, visitors.olu, visitors.mira_user):
        assert person.email in page
    assert "is mira" in page
    assert page.count("<span>second step</span>") == 1
    for number in range(12):
        join(visitors.ground, User.objects.create_user(f"p{number}-{visitors.ground.organisation.slug}@x.example"),
             "auditor")  # fmt: skip
    with CaptureQueriesContext(connection) as many:
        client.get(LIST)
    assert len(many) == len(few)


def test_somebody_is_let_in_by_a_link_that_sets_a_password_once(visitors: Visitors, client: Client) -> None:
    answer = client.post(f"{LIST}add/", {"email": "New@x.example", "role": "curator"})
    assert answer.status_code == 201
    link, person = link_in(answer.content), User.objects.get(email="new@x.example")
    assert roles_of(visitors, person) == {"curator"}
    assert last(visitors, 3) == [("user.add", ""), ("member.add", "curator"), ("user.link_make", "")]
    for _ in range(2):  # a mail scanner looks, and uses nothing up
        assert "new@x.example" in Client().get(link).content.decode()
    weak = Client().post(link, {"password": "short", "again": "short"})
    assert (weak.status_code, "too short" in weak.content.decode()) == (422, True)
    assert Client().post(link, {"password": NEW, "again": NEW})["Location"] == "/sign-in/"
    for again in (Client().get(link), Client().post(link, {"password": PASSWORD, "again": PASSWORD})):
        assert again.status_code == 404
        assert "does not work any more" in again.content.decode()
        assert "new@x.example" not in again.content.decode()
    inside = Client()
    inside.post("/sign-in/", {"username": "new@x.example", "password": NEW})
    assert inside.get("/queue/").status_code == 200
    assert last(visitors, 1) == [("user.password", "")]


def test_what_is_wrong_with_a_link_is_not_told_apart(visitors: Visitors, client: Client, monkeypatch) -> None:
    link = link_in(client.post(f"{home(visitors.cal)}link/").content)
    token = link.split("/")[2]
    pages = {Client().get(link[:-9] + "AAAAAAAA/").content, Client().get("/welcome/nonsense/").content}
    client.post(f"{home(visitors.cal)}end/")  # who left comes in by no link
    pages.add(Client().get(link).content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.signing.time.time", lambda: timezone.now().timestamp() + 3 * 86400 + 1)
        assert members.invited(token) is None
    assert len({re.sub(rb'name="csrf[^>]*>', b"", page) for page in pages}) == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"email": "nobody"}, "It is no e-mail address."),
        ({"email": ""}, "Type their e-mail address."),
        ({"role": "king"}, "Choose a role."),
        ({"role": "customer"}, "is named by the id of the person they are"),
        ({"subject": "mira"}, "A customer, and nobody else"),
        ({"role": "customer", "subject": ".."}, "It may not be blank"),
    ],
)
def test_what_can_t_be_is_said_at_its_field(
    visitors: Visitors, client: Client, fields: dict[str, str], sentence: str
) -> None:
    before = User.objects.count()
    answer = client.post(f"{LIST}add/", {"email": "new@x.example", "role": "curator"} | fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert User.objects.count() == before


def test_a_role_is_given_and_taken_away_from_the_next_page_on(
    visitors: Visitors, client: Client, signed_in: SignedIn, settings
) -> None:
    cal = signed_in(visitors.cal)
    assert client.post(f"{home(visitors.cal)}roles/", {"role": "auditor"}).status_code == 303
    assert cal.get("/audit/").status_code == 200
    access.issue_key(
        organisation=visitors.ground.organisation.slug, name="own", roles=["curator"], user=visitors.cal.email,
        now=timezone.now(), pepper=settings.MEMORYHUB_KEY_PEPPER,
    )  # fmt: skip
    role = role_of(visitors, visitors.cal, MemberRole.CURATOR)
    assert client.post(f"{home(visitors.cal)}roles/{role.pk}/end/").status_code == 303
    assert cal.get("/queue/").status_code == 403
    assert roles_of(visitors, visitors.cal) == {"auditor"}
    with all_of(visitors.ground):
        assert Key.objects.get(user=visitors.cal).revoked_at is not None
    assert last(visitors, 2) == [("member.end", "curator"), ("key.revoke", "")]
    assert client.post(f"{home(visitors.cal)}roles/{role.pk}/end/").status_code == 404


def test_whoever_leaves_is_signed_out_and_finds_no_page(
    visitors: Visitors, client: Client, signed_in: SignedIn
) -> None:
    cal = signed_in(visitors.cal)
    assert client.post(f"{home(visitors.cal)}end/")["Location"] == LIST
    assert cal.get("/queue/")["Location"].startswith("/sign-in/")
    assert client.get(home(visitors.cal)).status_code == 404


def test_an_operator_signs_somebody_out_everywhere(visitors: Visitors, client: Client, signed_in: SignedIn) -> None:
    one, two = signed_in(visitors.cal), signed_in(visitors.cal)
    assert "signed in in 2 places now" in client.get(home(visitors.cal)).content.decode()
    client.post(f"{home(visitors.cal)}sessions/end/")
    assert {one.get("/queue/").status_code, two.get("/queue/").status_code} == {302}


def test_the_last_operator_stays(visitors: Visitors, client: Client) -> None:
    role = role_of(visitors, visitors.olu, MemberRole.OPERATOR)
    for path in (f"{home(visitors.olu)}end/", f"{home(visitors.olu)}roles/{role.pk}/end/"):
        refused = client.post(path)
        assert refused.status_code == 422
        assert fault_in(refused.content) == members.LAST_OPERATOR
    visitors.dee.is_active = False
    visitors.dee.save()
    join(visitors.ground, visitors.dee, "operator")
    assert client.post(f"{home(visitors.olu)}end/").status_code == 422  # who can't sign in is none
    join(visitors.ground, visitors.cal, "operator")
    assert client.post(f"{home(visitors.olu)}roles/{role.pk}/end/").status_code == 303
    assert client.get(LIST).status_code in (302, 403)


def test_only_operators_change_and_only_auditors_look_besides(visitors: Visitors, signed_in: SignedIn) -> None:
    auditor = User.objects.create_user(f"aud-{visitors.ground.organisation.slug}@x.example", PASSWORD)
    join(visitors.ground, auditor, "auditor")
    watching = signed_in(auditor)
    assert watching.get(LIST).status_code == watching.get(home(visitors.cal)).status_code == 200
    for who in (watching, signed_in(visitors.cal), signed_in(visitors.mira_user)):
        for path, form in (
            (f"{LIST}add/", {"email": "n@x.example", "role": "operator"}), (f"{home(visitors.cal)}end/", {}),
            (f"{home(visitors.cal)}link/", {}), (f"{home(visitors.cal)}sessions/end/", {}),
            (f"{home(visitors.cal)}second-factor/end/", {}), (f"{LIST}second-factor/", {"second_factor": "required"}),
            (f"{home(visitors.cal)}roles/", {"role": "operator"}),
        ):  # fmt: skip
            assert who.post(path, form).status_code == 403, path
    assert signed_in(visitors.cal).get(LIST).status_code == 403
    assert not User.objects.filter(email="n@x.example").exists()


def test_people_of_another_organisation_are_not_there(visitors: Visitors, client: Client) -> None:
    other = make_visitors()
    assert other.cal.email not in client.get(LIST).content.decode()
    role = role_of(other, other.cal, MemberRole.CURATOR)
    assert client.get(home(other.cal)).status_code == 404
    for path in ("end/", "link/", "sessions/end/", "second-factor/end/", f"roles/{role.pk}/end/"):
        assert client.post(f"{home(other.cal)}{path}").status_code == 404, path
    assert client.post(f"{home(other.cal)}roles/", {"role": "auditor"}).status_code == 404
    assert client.post(f"{home(visitors.cal)}roles/{role.pk}/end/").status_code == 404
    assert roles_of(other, other.cal) == {"curator"}


def test_no_operator_gets_into_an_account_that_opens_another_organisation(visitors: Visitors, client: Client) -> None:
    other = make_visitors()
    refused = client.post(f"{LIST}add/", {"email": other.cal.email, "role": "curator"})
    assert (refused.status_code, "in another organisation of this hub" in refused.content.decode()) == (422, True)
    invited = link_in(client.post(f"{LIST}add/", {"email": "both@x.example", "role": "curator"}).content)
    join(other.ground, User.objects.get(email="both@x.example"), "operator")  # as whoever runs the hub would
    assert Client().post(invited, {"password": NEW, "again": NEW}).status_code == 404
    both = User.objects.get(email="both@x.example")
    for path in ("link/", "second-factor/end/"):
        answer = client.post(f"{home(both)}{path}")
        assert (answer.status_code, fault_in(answer.content)) == (422, members.NOT_YOURS)
    assert client.post(f"{home(both)}end/").status_code == 303
    assert roles_of(other, both) == {"operator"}


def test_roles_are_told_in_words_with_what_the_policy_says(visitors: Visitors, signed_in: SignedIn) -> None:
    for person, may_sign in ((visitors.olu, True), (visitors.cal, False)):
        page = signed_in(person).get("/roles/").content.decode()
        assert "decide what waits" in page
        assert "make agents, and make and end their keys" in page
        assert ('href="/policy/change/"' in page) == may_sign
    assert signed_in(visitors.mira_user).get("/roles/").status_code == 403
