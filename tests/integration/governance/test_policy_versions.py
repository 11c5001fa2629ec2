"""A policy is signed, holds for the very next write everywhere, and what was signed is never altered (R5, R12, R15, R16)."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.ids import new_id
from accounts.models import Agent
from memoryhub.errors import Invalid, NotFound, NotGranted, PolicyUnusable, Stale
from memoryhub.governance import confirmation, decisions, policy_versions, procedures
from memoryhub.governance.intake import Proposal, Result, propose
from memoryhub.governance.policy import SHIPPED, Policy
from memoryhub.governance.policy_document import written
from memoryhub.models import AgentPolicy, AuditEvent, Decision, Entry, PolicyVersion, ReviewItem, Subject
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Kind, Op, PolicyMode, Reason, ReviewState, Role, Treatment
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.governance.conftest import Say

INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
DOCUMENT = {"channel": Channel.DOCUMENT, "role": Role.AGENT}


def sign(ground: Ground, document: object, *, by: Principal | None = None, **more: Any) -> Policy:
    who = by or ground.as_operator
    with acting_for(who, subjects=ALL_SUBJECTS):
        return policy_versions.change(document=document, reason="The audit asked for it", by=who, now=NOW, **more)


def in_force(ground: Ground) -> Policy:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return policy_versions.in_force(ground.organisation.pk)


def sign_agent(ground: Ground, **wishes: Any) -> AgentPolicy:
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        return policy_versions.change_agent(agent=ground.agent, by=ground.as_operator, now=NOW, **wishes)


def only(say: Say, text: str, **wishes: Any) -> Result:
    (result,) = say(text, **wishes).results
    return result


# Versions ------------------------------------------------------------------------------------------------------------


def test_until_somebody_signs_the_shipped_policy_is_in_force(ground: Ground) -> None:
    assert in_force(ground) == SHIPPED


def test_a_change_is_signed_dated_explained_and_audited(ground: Ground) -> None:
    signed = sign(ground, {"commit_at": 0.95})
    assert in_force(ground) == signed
    assert (signed.version, signed.commit_at, signed.signed_at) == (1, 0.95, NOW)
    assert (signed.signed_by.split("-")[0], signed.reason) == ("olu", "The audit asked for it")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        row = AuditEvent.objects.get(action="policy.change")
    assert (row.actor, row.reason, row.object_kind) == (ground.as_operator.label, "version 1", "policy")


def test_a_change_keeps_what_earlier_ones_changed(ground: Ground) -> None:
    sign(ground, {"commit_at": 0.95})
    second = sign(ground, {"untrusted_claims_per_call": 1})
    assert (second.version, second.commit_at, second.untrusted_claims) == (2, 0.95, 1)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert [one.commit_at for one in policy_versions.history(ground.organisation.pk)] == [0.8, 0.95, 0.95]
        assert policy_versions.version_of(ground.organisation.pk, 0) == SHIPPED
        assert policy_versions.version_of(ground.organisation.pk, 1).untrusted_claims == 3
        with pytest.raises(NotFound, match="no version 3"):
            policy_versions.version_of(ground.organisation.pk, 3)


def test_a_version_is_kept_whole_so_that_it_says_the_same_under_later_defaults(ground: Ground) -> None:
    sign(ground, {"commit_at": 0.95})
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        document = PolicyVersion.objects.get().document
    assert document == {**written(SHIPPED), "commit_at": 0.95}


@pytest.mark.parametrize("who", ["as_agent", "as_cal", "as_record", "as_hub"])
def test_only_an_operator_signs(ground: Ground, who: str) -> None:
    with pytest.raises(NotGranted):
        sign(ground, {"commit_at": 0.95}, by=getattr(ground, who))
    assert in_force(ground) == SHIPPED


def test_an_operator_s_key_without_a_person_signs_nothing(ground: Ground) -> None:
    nameless = Principal(ground.organisation.pk, "key:ops", frozenset({"operator"}))
    with pytest.raises(NotGranted, match="named operator"):
        sign(ground, {"commit_at": 0.95}, by=nameless)


@pytest.mark.parametrize("document", [{"commit_at": 0.2}, {"colour": "red"}, {"commit_at": 0.8}, {}])
def test_what_can_t_be_signed_changes_nothing(ground: Ground, document: object) -> None:
    with pytest.raises(Invalid):
        sign(ground, document)
    assert in_force(ground) == SHIPPED


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 501])
def test_a_change_says_why_in_a_few_words(ground: Ground, reason: str) -> None:
    with pytest.raises(Invalid) as caught, acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        policy_versions.change(document={"commit_at": 0.9}, reason=reason, by=ground.as_operator, now=NOW)
    assert list(caught.value.errors) == ["reason"]


def test_a_secret_in_a_reason_is_not_kept(ground: Ground) -> None:
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        signed = policy_versions.change(
            document={"commit_at": 0.9},
            reason="asked by ops, the password is walrus77!",
            by=ground.as_operator,
            now=NOW,
        )
    assert "walrus77" not in signed.reason


def test_a_change_based_on_a_version_that_is_no_longer_in_force_is_stale(ground: Ground) -> None:
    sign(ground, {"commit_at": 0.95}, based_on=0)
    with pytest.raises(Stale):
        sign(ground, {"commit_at": 0.9}, based_on=0)
    assert sign(ground, {"commit_at": 0.9}, based_on=1).version == 2


def test_one_organisation_s_policy_is_not_another_s(ground: Ground) -> None:
    other = make_ground()
    sign(ground, {"commit_at": 0.95})
    assert in_force(other) == SHIPPED
    with acting_for(other.as_hub, subjects=ALL_SUBJECTS):
        assert policy_versions.in_force(ground.organisation.pk) == SHIPPED  # unseen, not merely unasked
        assert PolicyVersion.objects.count() == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memoryhub_policyversion SET reason = 'other'", "DELETE FROM memoryhub_policyversion",
        "TRUNCATE memoryhub_policyversion",
    ],
)  # fmt: skip
def test_a_signed_version_can_t_be_altered(ground: Ground, statement: str) -> None:
    sign(ground, {"commit_at": 0.95})
    with pytest.raises(DatabaseError), acting_for(ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        cursor.execute(statement)
    assert in_force(ground).commit_at == 0.95


def smuggle(ground: Ground, document: dict[str, Any]) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        row = PolicyVersion.objects.create(
            organisation_id=ground.organisation.pk, version=1, document=document, signed_by="nobody@example.org",
            signer=new_id(), signed_at=NOW, reason="past the verb",
        )  # fmt: skip
        ground.vouch("policy.change", "policy", row.pk)


def test_a_version_below_a_floor_is_not_obeyed_and_nothing_is_written_under_it(say: Say, ground: Ground) -> None:
    smuggle(ground, {**written(SHIPPED), "treatments": {"secret": "keep"}})
    with pytest.raises(PolicyUnusable):
        say("I prefer tea")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.count() == 0
    assert sign(ground, {"commit_at": 0.9}).version == 2  # the way out
    assert say("I prefer tea").results[0].op == Op.ADD


# What a change does --------------------------------------------------------------------------------------------------


def test_every_decision_names_the_version_it_was_judged_by_for_good(say: Say, ground: Ground) -> None:
    before = say("I prefer tea").decision_id
    sign(ground, {"commit_at": 0.95})
    after = say("I prefer figs").decision_id
    sign(ground, {"commit_at": 0.9})
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        versions = dict(Decision.objects.values_list("pk", "policy_version"))
    assert (versions[before], versions[after]) == (0, 1)


def test_thresholds_of_the_policy_decide(say: Say, ground: Ground) -> None:
    sign(ground, {"commit_at": 0.95})
    assert (only(say, "I prefer tea").op, only(say, "I prefer figs").reason) == (Op.QUEUED, Reason.LOW_CONFIDENCE)
    sign(ground, {"discard_below": 0.91})
    assert only(say, "I prefer dates").op == Op.DISCARDED


@pytest.mark.parametrize(
    ("mode", "op", "reason"),
    [("off", Op.DISCARDED, Reason.KIND_OFF), ("propose_only", Op.QUEUED, Reason.PROPOSE_ONLY)],
)
def test_modes_of_the_policy_decide_even_for_an_agent_that_follows_the_rules(
    say: Say, ground: Ground, mode: str, op: Op, reason: Reason
) -> None:
    sign(ground, {"modes": {"semantic": mode}})
    result = only(say, "I prefer tea")
    assert (result.op, result.reason) == (op, reason)


def test_treatments_of_the_policy_decide(say: Say, ground: Ground) -> None:
    text = "My phone number is +47 22 12 34 56"
    assert only(say, text).op == Op.ADD
    sign(ground, {"treatments": {"contact": "refuse"}})
    assert only(say, "My phone number is +47 22 65 43 21").op == Op.REFUSED


def test_grants_of_the_policy_decide(say: Say, ground: Ground) -> None:
    sign(ground, {"grants": {"customer": ["memory:semantic:add:contact"]}})
    result = only(say, "I prefer tea")
    assert (result.op, result.reason) == (Op.REFUSED, Reason.NOT_GRANTED)


def test_replacing_what_is_in_force_needs_the_grant_for_it(say: Say, ground: Ground) -> None:
    sign(ground, {"grants": {"customer": ["memory:semantic:add:*"]}})
    assert only(say, "I live in Lisbon").op == Op.ADD
    moved = only(say, "I live in Porto", now=NOW + timedelta(days=1))
    assert (moved.op, moved.reason, moved.entry) == (Op.REFUSED, Reason.NOT_GRANTED, None)
    assert moved.refused_values
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert list(Entry.objects.values_list("value", "status")) == [("Lisbon", "accepted")]


def test_what_a_member_may_add_is_the_policy_s(say: Say, ground: Ground, asha: Subject) -> None:
    team = ground.subject("crew", kind="project")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        team.memberships.create(organisation=ground.organisation, person=asha)
        ground.vouch("subject.describe", "subject", team.pk)
    spoken = {"subject": team, "speaker": asha}
    assert only(say, "We use pnpm, not npm", dry_run=True, **spoken).op == Op.ADD
    sign(ground, {"member_may_add": ["preference"]})
    assert only(say, "We use pnpm, not npm", **spoken).reason == Reason.BEYOND_MEMBERSHIP


def test_claims_of_a_document_are_as_many_as_the_policy_lets_through(say: Say, ground: Ground) -> None:
    text = "The customer's city is Graz. The customer prefers tea. The customer likes figs. The customer works at Voss."
    assert len(say(text, dry_run=True, **DOCUMENT).results) == 3
    sign(ground, {"untrusted_claims_per_call": 1})
    assert len(say(text, **DOCUMENT).results) == 1


def test_lifetimes_of_the_policy_count_when_recorded_confirmed_and_approved(say: Say, ground: Ground) -> None:
    sign(ground, {"lifetimes": {"preference": "10 days"}, "review_before": "2 days"})
    entry = only(say, "I prefer tea").entry
    assert entry is not None
    assert (entry.expires_at - NOW, entry.expires_at - entry.review_by) == (timedelta(days=10), timedelta(days=2))
    later = NOW + timedelta(days=3)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        entry = confirmation.confirm(entry=entry, by=ground.as_agent, now=later)
    assert entry.expires_at == later + timedelta(days=10)
    waiting = only(say, "The customer prefers short calls", category="preference", **INFERENCE).entry
    assert waiting is not None
    sign(ground, {"lifetimes": {"preference": "30 days"}})
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        item = ReviewItem.objects.get(entry=waiting)
        approved = decisions.approve(item_id=item.pk, by=ground.as_cal, now=later).entry
    assert approved is not None
    assert (approved.expires_at, approved.review_by) == (later + timedelta(days=30), later + timedelta(days=28))


def test_a_policy_that_lets_no_curator_approve_stops_approving(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    sign(ground, {"grants": {"curator": ["memory:*:add:*", "memory:*:update:*"]}})
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        item = ReviewItem.objects.get(state=ReviewState.WAITING)
    with pytest.raises(NotGranted, match="policy"), acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        decisions.approve(item_id=item.pk, by=ground.as_cal, now=NOW)


def test_skills_meet_the_policy_too(ground: Ground) -> None:
    skill = SkillDocument(name="call-back", description="Call people back", body="## Procedure\nCall +47 22 12 34 56.")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        offered = procedures.propose_skill(document=skill, agent=ground.agent, by=ground.as_agent, now=NOW)
    assert offered.op == Op.QUEUED
    sign(ground, {"grants": {"agent": ["memory:semantic:add:*"]}})
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        refused = procedures.propose_skill(document=skill, agent=ground.agent, by=ground.as_agent, now=NOW)
        assert Decision.objects.filter(policy_version=1).count() == 1
    assert (refused.op, refused.reason) == (Op.REFUSED, Reason.NOT_GRANTED)


# An agent's own ------------------------------------------------------------------------------------------------------


def test_an_agent_s_policy_is_signed_and_says_what_it_improves(ground: Ground) -> None:
    own = sign_agent(ground, modes={Kind.SEMANTIC: PolicyMode.PROPOSE_ONLY}, improves="which berth to offer")
    assert (own.semantic, own.episodic, own.improves, own.signed_at) == (
        "propose_only",
        "rules",
        "which berth to offer",
        NOW,
    )
    assert own.signed_by.startswith("olu")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        signed = AuditEvent.objects.filter(action="policy.agent").latest("seq")
        assert (signed.actor, signed.object_id) == (ground.as_operator.label, str(ground.agent.pk))


def test_an_agent_s_own_policy_decides(say: Say, ground: Ground) -> None:
    sign_agent(ground, modes={Kind.SEMANTIC: PolicyMode.PROPOSE_ONLY})
    assert only(say, "I prefer tea").reason == Reason.PROPOSE_ONLY
    sign_agent(ground, modes={Kind.SEMANTIC: PolicyMode.RULES}, thresholds=(0.99, 0.95))
    assert only(say, "I prefer figs").reason == Reason.LOW_CONFIDENCE
    sign_agent(ground, thresholds=(0.5, 0.1))
    assert only(say, "I think I prefer dates").op == Op.ADD
    sign_agent(ground, own_thresholds=False)
    assert only(say, "I think I prefer jazz").op == Op.QUEUED


@pytest.mark.parametrize("thresholds", [(0.4, 0.1), (0.8, 0.8), (1.1, 0.2), (0.8, -0.1)])
def test_an_agent_s_thresholds_stand_on_the_same_floors(ground: Ground, thresholds: tuple[float, float]) -> None:
    with pytest.raises(Invalid):
        sign_agent(ground, thresholds=thresholds)


def test_an_agent_s_policy_is_signed_by_an_operator_alone(ground: Ground) -> None:
    for who in (ground.as_agent, ground.as_cal):
        with pytest.raises(NotGranted), acting_for(who, subjects=ALL_SUBJECTS):
            policy_versions.change_agent(agent=ground.agent, by=who, now=NOW, improves="x")


def test_an_agent_without_a_policy_of_its_own_only_proposes(say: Say, ground: Ground) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        young = Agent.objects.create(organisation=ground.organisation, slug="young", name="Young")
        ground.vouch("agent.add", "agent", young.pk)
    by = Principal(ground.organisation.pk, "agent:young", frozenset({"agent", "customer_relay"}), agent=young.pk)
    assert only(say, "I prefer tea", by=by).reason == Reason.PROPOSE_ONLY
    nobody = Principal(ground.organisation.pk, "key:desk", frozenset({"customer_relay"}))
    assert only(say, "I prefer figs", by=nobody).op == Op.ADD


def test_half_a_pair_of_thresholds_is_refused_by_the_database(ground: Ground) -> None:
    for half in ({"commit_at": 0.9}, {"discard_below": 0.2}):
        with pytest.raises(DatabaseError), acting_for(ground.as_hub, subjects=ALL_SUBJECTS), transaction.atomic():
            AgentPolicy.objects.filter(agent=ground.agent).update(**half)


# In parallel ---------------------------------------------------------------------------------------------------------


class TestAcrossConnections:
    """Really committed, from several connections."""

    @pytest.fixture
    def ground(self, committed_db: None) -> Iterator[Ground]:  # instead of the one that is rolled back
        return make_ground()

    @pytest.fixture
    def asha(self, ground: Ground) -> Subject:
        return ground.subject("asha")

    def test_a_change_holds_for_the_very_next_write_of_another_connection(self, ground: Ground, asha: Subject) -> None:
        def write(text: str) -> Op:
            proposal = Proposal(subject=asha, text=text, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER)
            with acting_for(ground.as_agent, subjects=[asha.pk]):
                return propose(proposal=proposal, by=ground.as_agent, now=NOW).results[0].op

        elsewhere = Elsewhere(lambda text: write(text))
        assert elsewhere("I prefer tea") == Op.ADD
        sign(ground, {"modes": {"semantic": "off"}})
        assert elsewhere("I prefer figs") == Op.DISCARDED
        sign(ground, {"modes": {"semantic": "rules"}})
        assert elsewhere("I prefer dates") == Op.ADD
        elsewhere.close()

    def test_of_two_who_change_the_same_version_one_signs_and_the_other_is_told(self, ground: Ground) -> None:
        ready = threading.Barrier(6)
        signed: list[int] = []
        stale: list[str] = []

        def change(share: float) -> None:
            try:
                with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
                    based_on = policy_versions.in_force(ground.organisation.pk).version
                    ready.wait(120)
                    signed.append(
                        policy_versions.change(
                            document={"commit_at": share},
                            reason="race",
                            by=ground.as_operator,
                            now=NOW,
                            based_on=based_on,
                        ).version
                    )
            except Stale as error:
                stale.append(error.detail)
            finally:
                connection.close()

        threads = [threading.Thread(target=change, args=(0.6 + number / 50,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(600)
        assert (signed, len(stale)) == ([1], 5)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert PolicyVersion.objects.count() == 1
            assert AuditEvent.objects.filter(action="policy.change").count() == 1


class Elsewhere:
    """One other thread with a connection of its own that stays open between calls, like another process's."""

    def __init__(self, work: Any) -> None:
        self.work, self.asked, self.answer = work, threading.Semaphore(0), threading.Semaphore(0)
        self.text: str | None = None
        self.found: Any = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def __call__(self, text: str) -> Any:
        self.text = text
        self.asked.release()
        assert self.answer.acquire(timeout=120)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def close(self) -> None:
        self.text = None
        self.asked.release()
        self.thread.join(600)

    def _run(self) -> None:
        while self.asked.acquire(timeout=600) and self.text is not None:
            try:
                self.found = self.work(self.text)
            except Exception as error:
                self.found = error
            self.answer.release()
        connection.close()


def test_treatments_are_ordered_as_the_floors_read_them() -> None:
    assert list(Treatment) == ["keep", "queue", "redact", "refuse"]
