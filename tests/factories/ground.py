"""The ground most tests stand on: an organisation, an agent with its owner, curators, and the principals behind them."""

from dataclasses import dataclass
from datetime import UTC, datetime

from accounts.ids import new_id
from accounts.models import Agent, Organisation, User
from memoryhub.governance import access, audit, organisations, subjects
from memoryhub.models import Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Ground:
    """One organisation and who acts in it: Ada owns the agent, Cal and Dee curate, Olu operates."""

    organisation: Organisation
    agent: Agent
    ada: User
    as_agent: Principal
    as_ada: Principal
    as_cal: Principal
    as_dee: Principal
    as_record: Principal
    as_operator: Principal
    as_hub: Principal

    def vouch(self, action: str, kind: str, about: object) -> None:
        """The audit row of a verb for what a test writes past it; the database asks for one (docs/adr/0010)."""
        audit.record(by=self.as_hub, now=NOW, action=action, object_kind=kind, object_id=about)

    def subject(self, external_id: str = "", kind: str = "person") -> Subject:
        with acting_for(self.as_hub, subjects=ALL_SUBJECTS):
            return subjects.ensure(
                external_id=external_id or f"s-{new_id().hex[-8:]}", by=self.as_hub, now=NOW, kind=kind
            )


def make_ground() -> Ground:
    """A fresh organisation; call it inside a test with database access."""
    key = new_id()
    organisation = Organisation(slug=f"org-{key.hex}", name="Test")
    hub = system_principal(organisation.pk, "test")
    people = [User.objects.create_user(f"{name}-{key.hex}@example.org") for name in ("ada", "cal", "dee", "olu")]
    ada, cal, dee, olu = people
    with acting_for(hub, subjects=ALL_SUBJECTS):
        organisation.save(force_insert=True)
        agent = access.ensure_agent(slug="helper", owner=ada, by=hub, now=NOW)
        organisations.name_agent(agent=agent, name="Helper", by=hub, now=NOW)

    def person(user: User, role: str) -> Principal:
        return Principal(organisation.pk, f"user:{user.pk}", frozenset({role}), user=user.pk)

    return Ground(
        organisation=organisation,
        agent=agent,
        ada=ada,
        as_agent=Principal(organisation.pk, "agent:helper", frozenset({"agent", "customer_relay"}), agent=agent.pk),
        as_ada=person(ada, "curator"),
        as_cal=person(cal, "curator"),
        as_dee=person(dee, "curator"),
        as_record=Principal(organisation.pk, "key:record", frozenset({"system_of_record"})),
        as_operator=person(olu, "operator"),
        as_hub=hub,
    )
