"""What may be kept, what never, how long, how sure, by whom? One value that every step of the gate is given.

The rules are code; what they are measured against is this policy, and it is data: an organisation signs versions of its
own (policy_versions.py), none of which can go under the floors (policy_floors.py). `SHIPPED` is version 0, in force
until somebody signs another, made of the tables in conf.py and permissions.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from memoryhub import conf
from memoryhub.permissions import GRANTS, MEMBER_MAY_ADD
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode, Role, SensitiveData, Treatment

_STRICTEST_FIRST = list(PolicyMode)


@dataclass(frozen=True)
class Policy:
    """One version of an organisation's policy; frozen, so that a decision is judged by one policy from end to end.

    `treatments`: what becomes of sensitive data (R12). `lifetimes` and `review_before`: when an entry lapses, and how
    long before that a person should look (R5). `commit_at`, `discard_below`: confidences, 0 to 1; `modes`: how far each
    kind goes (R16). `untrusted_claims`: how many claims of one unvouched text are looked at; `grants`: which role may
    write what, as `memory:<kind>:<op>:<category>`; `member_may_add`: what a member may say about their group (R15).
    `four_eyes`: for what two curators have to say yes (R92).
    `failures_only`: of this agent's turns only how they failed is kept (R79); an agent's own policy says so.
    """

    version: int
    treatments: Mapping[SensitiveData, Treatment]
    lifetimes: Mapping[Category, timedelta]
    review_before: timedelta
    commit_at: float
    discard_below: float
    untrusted_claims: int
    modes: Mapping[Kind, PolicyMode]
    grants: Mapping[Role, frozenset[str]]
    member_may_add: frozenset[Category]
    signed_by: str = ""
    signed_at: datetime | None = None
    reason: str = ""
    failures_only: bool = False
    four_eyes: frozenset[FourEyes] = frozenset()

    def lapses_at(self, category: str, *, now: datetime) -> datetime:
        """When an entry of this category lapses, recorded or confirmed now (R5)."""
        return now + self.lifetimes[Category(category)]

    def review_by(self, expires_at: datetime, *, now: datetime) -> datetime:
        """When a person should look at an entry again: some time before it lapses, never in the past (R5)."""
        return max(now, expires_at - self.review_before)

    def narrowed(
        self,
        *,
        modes: Mapping[Kind, PolicyMode],
        commit_at: float | None,
        discard_below: float | None,
        failures_only: bool = False,
    ) -> "Policy":
        """The policy as far as one agent's own goes (R16): its thresholds where it has some, and no mode further than
        either of the two allows. What only remembers failures holds nothing for true (R79).
        """
        if failures_only:
            modes = {**modes, Kind.SEMANTIC: PolicyMode.OFF}
        narrower = {kind: min(modes[kind], self.modes[kind], key=_STRICTEST_FIRST.index) for kind in Kind}
        return replace(
            self,
            modes=MappingProxyType(narrower),
            commit_at=self.commit_at if commit_at is None else commit_at,
            discard_below=self.discard_below if discard_below is None else discard_below,
            failures_only=failures_only,
        )


#: Version 0: what holds until somebody signs another.
SHIPPED: Final = Policy(
    version=0,
    treatments=MappingProxyType({SensitiveData(name): Treatment(how) for name, how in conf.TREATMENT.items()}),
    lifetimes=MappingProxyType({Category(name): lifetime for name, lifetime in conf.LIFETIME.items()}),
    review_before=conf.REVIEW_BEFORE_EXPIRY,
    commit_at=conf.COMMIT_AT,
    discard_below=conf.DISCARD_BELOW,
    untrusted_claims=conf.UNTRUSTED_CLAIMS_PER_CALL,
    modes=MappingProxyType(dict.fromkeys(Kind, PolicyMode.RULES)),
    grants=MappingProxyType({Role(name): patterns for name, patterns in GRANTS.items()}),
    member_may_add=MEMBER_MAY_ADD,
)
