"""Who takes part in a story, and what was configured before it begins? Keys, an agent's policy and its sources.

Made by the public verbs that the commands use too; nothing is written around them.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import access, policy_versions, record_sources
from memoryhub.management.story import PARTS, Story
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import Kind, MemberRole, PolicyMode, Remembers


def prepare(story: Story, *, organisation: str, files: bool, now: datetime) -> dict[str, str]:
    """Make the organisation's agent, people, policy and sources as the story wants them; the key of each part.

    `files`: whether the hub may read the story's files; without, no source is mapped to them.
    """
    _check_fresh(story.agent, organisation)
    owner, curator = f"owner@{organisation}.example", f"curator@{organisation}.example"
    for email, role in ((owner, MemberRole.OPERATOR), (curator, MemberRole.CURATOR)):
        access.create_user(
            organisation=organisation, email=email, password=uuid.uuid4().hex, role=role, now=now
        )  # fmt: skip
    people = {"curator": curator, "operator": owner}
    keys = {}
    for part, (roles, person) in PARTS.items():
        name = story.agent if "agent" in roles else f"{story.agent}-{part}"
        keys[part] = access.issue_key(
            organisation=organisation, name=name, roles=roles, user=people[part] if person else "",
            pepper=settings.MEMORYHUB_KEY_PEPPER, now=now,
        ).text  # fmt: skip
    _configure(story.agent, story.setup, organisation=organisation, owner=owner, files=files, now=now)
    return keys


def _check_fresh(slug: str, organisation: str) -> None:
    """Raise Invalid where the story was played before: a second time would find what the first one left."""
    try:
        hub = system_principal(access.organisation_of(organisation).pk, access.BY_COMMAND)
        with acting_for(hub, subjects=ALL_SUBJECTS):
            access.agent_of(slug=slug, by=hub)
    except NotFound:
        return
    raise Invalid(errors={"organisation": [f"'{slug}' played in '{organisation}' before; name another."]})


def _configure(
    slug: str, setup: Mapping[str, Any], *, organisation: str, owner: str, files: bool, now: datetime
) -> None:
    tenant = access.organisation_of(organisation)
    hub = system_principal(tenant.pk, access.BY_COMMAND)
    with acting_for(hub, subjects=ALL_SUBJECTS):
        agent = access.agent_of(slug=slug, by=hub)
        operator = access.operator_of(organisation=tenant.pk, email=owner)
        policy_versions.change_agent(
            agent=agent, by=operator, now=now, improves=setup.get("improves"),
            modes={Kind(kind): PolicyMode(mode) for kind, mode in setup.get("modes", {}).items()},
            remembers=Remembers(setup.get("remembers", Remembers.ALL)),
        )  # fmt: skip
        if files and setup.get("sources"):
            record_sources.set_sources(agent=agent, mapping=setup["sources"], by=hub, now=now)
