"""Agents on a page: who looks and changes, keys that are shown once, a policy that is signed, and what was proposed."""

import logging
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.ids import new_id
from accounts.models import Agent, Key
from memoryhub.governance import access, agent_keys, decisions
from memoryhub.governance.policy_versions import in_force_for
from memoryhub.models import AgentPolicy, AgentSignal, AuditEvent
from memoryhub.operations.callers import principal_of
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Kind, PolicyMode
from tests.factories.ground import NOW
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors, conclude, make_visitors, offer_skill
from tests.integration.pages.conftest import SignedIn

LIST = "/agents/"
PEPPER = "pepper"
HOSTILE = "<script>alert(1)</script>\u202eevil"


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def home(visitors: Visitors) -> str:
    return f"{LIST}{visitors.ground.agent.pk}/"


def key_in(page: bytes) -> str:
    """The key that an answer shows."""
    return "mhk_" + page.decode().split(">mhk_", 1)[1].split("<", 1)[0]


def make_key(client: Client, visitors: Visitors, **fields: str) -> str:
    response = client.post(f"{home(visitors)}keys/", {"lifetime": str(90 * 86400), **fields})
    assert response.status_code == 201
    return key_in(response.content)


def test_an_agent_made_on_the_page_only_proposes(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    response = client.post(LIST, {"name": "Night desk", "slug": "night-desk", "owner": str(visitors.cal.pk)})
    assert response.status_code == 303
    with all_of(visitors.ground):
        agent = Agent.objects.get(slug="night-desk")
        assert (agent.name, agent.owner_id) == ("Night desk", visitors.cal.pk)
        policy = in_force_for(Principal(visitors.ground.organisation.pk, "x", agent=agent.pk))
        assert set(policy.modes.values()) == {PolicyMode.PROPOSE_ONLY}
        done = AuditEvent.objects.filter(object_id=str(agent.pk)).order_by("seq")
        assert list(done.values_list("action", flat=True)) == ["agent.add", "policy.agent"]
    assert response["Location"] == f"{LIST}{agent.pk}/"
    assert "A person confirms everything" in text(client, response["Location"])


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        ({"name": "Desk", "slug": "helper"}, "There is an agent with this slug already."),
        ({"name": "Desk", "slug": "a desk"}, "letters, digits"),
        ({"name": "", "slug": "desk"}, "Give it a name."),
        ({"name": "Desk\u202e", "slug": "desk"}, "printable"),
        ({"name": "Desk", "slug": "desk", "owner": str(new_id())}, "no curator or operator"),
    ],
)
def test_what_can_be_no_agent_is_said_at_its_field_and_what_was_typed_stays(
    visitors: Visitors, signed_in: SignedIn, sent: dict[str, str], word: str
) -> None:
    response = signed_in(visitors.olu).post(LIST, sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert word in page
    assert f'value="{sent["slug"]}"' in page
    with all_of(visitors.ground):
        assert Agent.objects.count() == 1


def test_a_new_key_is_shown_once_and_kept_nowhere(
    visitors: Visitors, signed_in: SignedIn, caplog: pytest.LogCaptureFixture
) -> None:
    client = signed_in(visitors.olu)
    with caplog.at_level(logging.DEBUG):
        response = client.post(f"{home(visitors)}keys/", {"lifetime": "0", "relay": "on"})
    shown = key_in(response.content)
    assert response["Cache-Control"] == "no-store"
    principal = principal_of(shown, now=timezone.now())
    assert principal is not None
    assert (principal.agent, sorted(principal.roles)) == (visitors.ground.agent.pk, ["agent", "customer_relay"])
    secret = shown[12:]
    assert secret not in text(client, home(visitors))
    assert secret not in str(dict(client.session))
    assert secret not in caplog.text
    assert not list(get_messages(response.wsgi_request))
    with all_of(visitors.ground):
        assert not any(secret in str(row) for row in AuditEvent.objects.values_list())
        assert not any(secret in str(row) for row in Key.objects.values_list())


def test_a_key_of_limited_reach_and_life(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    principal = principal_of(make_key(client, visitors, subject="mira"), now=timezone.now())
    assert principal is not None
    assert (principal.bound_subject, list(principal.roles)) == ("mira", ["agent"])
    with all_of(visitors.ground):
        key = Key.objects.get()
        assert key.expires_at is not None
        assert key.expires_at - timezone.now() > timedelta(days=89)
    refused = client.post(f"{home(visitors)}keys/", {"lifetime": "0", "subject": ".."})
    assert refused.status_code == 422
    assert client.post(f"{home(visitors)}keys/", {"lifetime": "5"}).status_code == 422
    with all_of(visitors.ground):
        assert Key.objects.count() == 1


def test_a_replaced_key_works_on_until_the_overlap_is_over(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    old = make_key(client, visitors, relay="on")
    with all_of(visitors.ground):
        pk = Key.objects.get().pk
    new = key_in(client.post(f"{home(visitors)}keys/{pk}/rotate/", {"overlap": "3600"}).content)
    now = timezone.now()
    for moment, works in ((now, True), (now + timedelta(hours=2), False)):
        assert (principal_of(old, now=moment) is not None) is works
    successor = principal_of(new, now=now + timedelta(hours=2))
    assert successor is not None
    assert successor.roles == {"agent", "customer_relay"}
    at_once = key_in(client.post(f"{home(visitors)}keys/{successor.key}/rotate/", {"overlap": "0"}).content)
    assert principal_of(new, now=timezone.now()) is None
    assert principal_of(at_once, now=timezone.now()) is not None
    again = client.post(f"{home(visitors)}keys/{successor.key}/rotate/", {"overlap": "0"})
    assert again.status_code == 422
    assert "ended already" in again.content.decode()


def test_a_revoked_key_ends_at_once_and_says_so(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    key = make_key(client, visitors)
    with all_of(visitors.ground):
        pk = Key.objects.get().pk
    for _ in range(2):
        assert client.post(f"{home(visitors)}keys/{pk}/revoke/").status_code == 303
    assert principal_of(key, now=timezone.now()) is None
    assert "Revoked" in text(client, home(visitors))
    with all_of(visitors.ground):
        assert AuditEvent.objects.filter(action="key.revoke", object_id=str(pk)).count() == 1


def test_a_key_with_other_roles_is_not_replaced_here(visitors: Visitors, signed_in: SignedIn) -> None:
    """Else an operator would hand themselves the word of a system of record."""
    ground = visitors.ground
    with all_of(ground):
        access.mint(
            name="helper", roles=["agent", "system_of_record"], agent=ground.agent, person=None, by=ground.as_hub,
            now=NOW, pepper=PEPPER,
        )  # fmt: skip
        pk = Key.objects.get().pk
    client = signed_in(visitors.olu)
    assert f"keys/{pk}/rotate/" not in text(client, home(visitors))
    assert client.post(f"{home(visitors)}keys/{pk}/rotate/", {"overlap": "0"}).status_code == 422


def test_an_operator_signs_how_far_the_memory_goes(visitors: Visitors, signed_in: SignedIn) -> None:
    client, ground = signed_in(visitors.olu), visitors.ground
    sent = {
        "episodic": "rules", "semantic": "propose_only", "procedural": "off", "commit_at": "0.9", "discard_below": "0.4",
        "remembers": "all", "improves": "Whether a refund is offered",
    }  # fmt: skip
    assert client.post(f"{home(visitors)}policy/", sent).status_code == 303
    with all_of(ground):
        policy = in_force_for(ground.as_agent)
        assert (policy.modes[Kind.SEMANTIC], policy.commit_at) == (PolicyMode.PROPOSE_ONLY, 0.9)
    page = text(client, home(visitors))
    assert "Whether a refund is offered" in page
    assert visitors.olu.email in page
    back = client.post(f"{home(visitors)}policy/", sent | {"commit_at": "", "discard_below": ""})
    assert back.status_code == 303
    with all_of(ground):
        assert AgentPolicy.objects.get().commit_at is None


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"commit_at": "0.2", "discard_below": "0.1"}, "a guess is not a fact"),
        ({"commit_at": "0.9"}, "Both, or none"),
        ({"commit_at": "a lot", "discard_below": "0.1"}, "A number from 0 to 1"),
        ({"semantic": "always"}, "Choose one of those that are offered."),
        ({"improves": " "}, "Say which decision"),
    ],
)
def test_an_agent_s_policy_below_a_floor_is_refused_in_words(
    visitors: Visitors, signed_in: SignedIn, change: dict[str, str], word: str
) -> None:
    sent = {"episodic": "rules", "semantic": "rules", "procedural": "rules", "remembers": "all", "improves": "routes"}
    response = signed_in(visitors.olu).post(f"{home(visitors)}policy/", sent | change)
    page = response.content.decode()
    assert response.status_code == 422
    assert word in page
    for name, value in change.items():
        assert value.strip() in page or name == "semantic"  # a choice that there is none of is shown as none
    with all_of(visitors.ground):
        assert AgentPolicy.objects.get().signed_by == ""


def signals(*rows: dict[str, str]) -> dict[str, str]:
    sent = {"signals-TOTAL_FORMS": str(len(rows)), "signals-INITIAL_FORMS": "0"}
    for number, row in enumerate(rows):
        sent |= {f"signals-{number}-{name}": value for name, value in row.items()}
    return sent


def test_signals_are_set_by_an_operator_or_the_owner(visitors: Visitors, signed_in: SignedIn) -> None:
    offer_skill(visitors.ground)  # declares find_booking, read only
    row = {"kind": "late", "wording": "It is often late: {value}", "tools": "find_booking", "prefetch": "find_booking"}
    for user in (visitors.olu, visitors.ada):
        response = signed_in(user).post(f"{home(visitors)}signals/", signals(row, {}))
        assert response.status_code == 303
        with all_of(visitors.ground):
            (one,) = AgentSignal.objects.all()
            assert (one.kind, one.tools, one.prefetch) == ("late", ["find_booking"], ["find_booking"])
    assert signed_in(visitors.cal).post(f"{home(visitors)}signals/", signals(row)).status_code == 403


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([{"kind": "late", "tools": "send_plane"}], "no tool of this agent"),
        ([{"kind": "late"}, {"kind": "late"}], "named once"),
        ([{"wording": "Something recurs"}], "Name the kind"),
        ([{"kind": "k" * 101}], "Keep it within 100 characters"),
    ],
)
def test_signals_that_can_t_be_are_refused_and_stay_typed(
    visitors: Visitors, signed_in: SignedIn, rows: list[dict[str, str]], word: str
) -> None:
    response = signed_in(visitors.olu).post(f"{home(visitors)}signals/", signals(*rows))
    page = response.content.decode()
    assert response.status_code == 422
    assert word in page
    assert next(iter(rows[0].values())) in page
    with all_of(visitors.ground):
        assert not AgentSignal.objects.exists()


def test_what_it_proposed_and_how_that_was_decided_is_counted(visitors: Visitors, signed_in: SignedIn) -> None:
    declined = conclude(visitors.ground, visitors.mira, "She likes window seats.")
    offer_skill(visitors.ground)
    response = signed_in(visitors.cal).get(home(visitors))
    counts = {one.type: (one.waiting, one.decided) for one in response.context["proposed"]}
    assert counts == {"fact": (1, []), "skill": (1, [])}
    page = response.content.decode()
    with acting_for(visitors.ground.as_cal, subjects=ALL_SUBJECTS):
        decisions.reject(item_id=declined.pk, reason="It is not true", by=visitors.ground.as_cal, now=NOW)
    (fact, _) = signed_in(visitors.cal).get(home(visitors)).context["proposed"]
    assert (fact.waiting, fact.decided) == (0, [("rejected", 1)])
    assert "find_booking" in page
    assert "Read only" in page


def test_curators_look_and_change_nothing_and_others_do_not_look(visitors: Visitors, signed_in: SignedIn) -> None:
    curator = signed_in(visitors.cal)
    page = text(curator, home(visitors))
    for word in ("Make a key", "Sign another", "Change them"):
        assert word not in page
    assert "Make an agent" not in text(curator, LIST)
    writes = [LIST, *(f"{home(visitors)}{name}/" for name in ("keys", "policy", "signals", f"keys/{new_id()}/rotate"))]
    for path in writes:
        assert curator.post(path, {"slug": "x", "name": "x", "lifetime": "0", "overlap": "0"}).status_code == 403
    with all_of(visitors.ground):
        assert not Key.objects.exists()
    for path in (LIST, home(visitors)):
        assert signed_in(visitors.mira_user).get(path).status_code == 403


def test_agents_and_keys_of_others_are_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    elsewhere = make_visitors()
    make_key(signed_in(elsewhere.olu), elsewhere)
    with all_of(elsewhere.ground):
        pk = Key.objects.get().pk
    client = signed_in(visitors.olu)
    assert client.get(home(elsewhere)).status_code == 404
    for path in ("keys/", f"keys/{pk}/revoke/", f"keys/{pk}/rotate/", "policy/", "signals/"):
        assert client.post(f"{home(elsewhere)}{path}", {"lifetime": "0", "overlap": "0"}).status_code == 404
    for path in (f"keys/{pk}/revoke/", f"keys/{pk}/rotate/"):
        assert client.post(f"{home(visitors)}{path}", {"overlap": "0"}).status_code == 404
    with all_of(elsewhere.ground):
        assert agent_keys.is_alive(Key.objects.get(), now=timezone.now())


def test_hostile_words_of_an_agent_are_shown_and_do_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    with all_of(ground):
        ground.vouch("agent.name", "agent", ground.agent.pk)
        ground.vouch("agent.signals", "agent", ground.agent.pk)
        Agent.objects.filter(pk=ground.agent.pk).update(name=HOSTILE)
        AgentSignal.objects.create(
            organisation=ground.organisation, agent=ground.agent, kind="k", wording=HOSTILE, tools=[HOSTILE]
        )
    for user in (visitors.olu, visitors.cal):
        for path in (LIST, home(visitors)):
            page = text(signed_in(user), path)
            assert "<script>alert" not in page
            assert "U+202E" in page


def test_queries_grow_neither_with_agents_nor_with_what_one_has(visitors: Visitors, signed_in: SignedIn) -> None:
    client, ground = signed_in(visitors.olu), visitors.ground

    def asked(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            text(client, path)
        return len(queries)

    make_key(client, visitors)
    conclude(ground, visitors.mira, "She likes window seats.")
    before = [asked(path) for path in (LIST, home(visitors))]
    with all_of(ground):
        for number in range(12):
            access.ensure_agent(slug=f"helper-{number}", by=ground.as_hub, now=NOW)
            agent_keys.issue(
                agent=ground.agent, relay=False, lifetime=None, by=ground.as_operator, now=NOW, pepper=PEPPER
            )
    assert [asked(path) for path in (LIST, home(visitors))] == before


def test_a_form_that_is_sent_twice_makes_one_key(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    shown = client.get(home(visitors))
    before, data = shown.context["alive"], {"lifetime": str(90 * 86400), "once": shown.context["once"]}
    assert f'name="once" value="{data["once"]}"' in shown.content.decode()
    assert client.post(f"{home(visitors)}keys/", {**data, "lifetime": "5"}).status_code == 422  # spends nothing
    assert client.post(f"{home(visitors)}keys/", data).status_code == 201
    again = client.post(f"{home(visitors)}keys/", data, follow=True)
    assert "no second one was" in again.content.decode()
    assert again.context["alive"] == before + 1
    assert again.context["once"] != data["once"]
    (key, *_) = [one.pk for one in agent_keys_of(visitors)]
    sent = {"overlap": "3600", "once": shown.context["once"]}
    assert client.post(f"{home(visitors)}keys/{key}/rotate/", sent).status_code == 201
    replaced = client.post(f"{home(visitors)}keys/{key}/rotate/", sent, follow=True)
    assert "no second one was" in replaced.content.decode()
    assert replaced.context["alive"] == before + 2


def agent_keys_of(visitors: Visitors) -> list[Key]:
    with all_of(visitors.ground):
        return list(Key.objects.filter(agent=visitors.ground.agent).order_by("-created_at"))
