"""How does the demo come in and go away? By the public verbs that everybody uses; nothing is written around them.

It comes in whole or not at all, and only once: filled in again, it changes nothing. The passwords are made up here,
kept in one file of the data folder that nobody else may read, and printed at each start.
"""

import os
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction

from accounts.models import Agent, Organisation, User
from memoryhub.dreams import schedules
from memoryhub.dreams.inbox import FinishedTurn, receive_turn
from memoryhub.errors import NotFound, NotGranted
from memoryhub.governance import (
    access,
    agent_tools,
    decisions,
    intake,
    organisations,
    procedures,
    review_queue,
    subjects,
)
from memoryhub.management import demo_content as content
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import Category, Channel, KeyRole, MemberRole, ReviewType, Role, SubjectKind

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that are mistaken for one another
NOTE = "demo.txt"  # in the data folder; `make run` prints it. Emptied: the demo was dropped and stays away
KEY = "demo-key"  # in the data folder: the demo agent's API key, for trying the API by hand


@dataclass(frozen=True)
class _Cast:
    """Everybody who acts in the demo."""

    organisation: Organisation
    agent: Agent
    hub: Principal
    as_agent: Principal
    as_curator: Principal
    as_record: Principal


def fill(*, folder: Path, now: datetime) -> str:
    """Put the demo in, unless it is there, and return how to sign in. The agent's key is left beside the passwords."""
    with transaction.atomic():
        known = _find()
        note = folder / NOTE
        if known is not None and note.exists() and (kept := note.read_text(encoding="utf-8").strip()):
            return kept
        passwords = {email: _password() for email in (content.OPERATOR, content.CURATOR, content.CUSTOMER)}
        cast = _people(passwords, now=now)
        if known is None:
            _configure(cast, now=now)
            with acting_for(cast.hub, subjects=ALL_SUBJECTS):
                schedules.change(**content.TIMES, by=cast.hub, now=now)
            _tell(cast, now=now)
        text = _how_to_sign_in(passwords)
        _keep(folder / KEY, _agent_key(now=now))
        _keep(note, text)
    return text


def drop(*, folder: Path, now: datetime) -> int | None:
    """Take the demo away for good; how many subjects were erased, None when it was not there."""
    known = _find()
    erased = None
    if known is not None:
        by = system_principal(known.pk, "drop_demo")
        with acting_for(by, subjects=ALL_SUBJECTS):
            erased = organisations.remove_demo(organisation=known, by=by, now=now)
    _keep(folder / NOTE, "")
    _keep(folder / KEY, "")
    return erased


def _find() -> Organisation | None:
    try:
        found = access.organisation_of(content.ORGANISATION)
    except NotFound:
        return None
    if not found.demo:
        raise NotGranted(f"The organisation '{content.ORGANISATION}' is no demonstration, so it is left alone.")
    return found


def _people(passwords: dict[str, str], *, now: datetime) -> _Cast:
    """The organisation, its three logins and the agent, which the operator owns: so the curator may decide about it."""
    organisation = access.organisation_of(content.ORGANISATION, create=True)
    hub = system_principal(organisation.pk, "seed_demo")
    people: dict[str, User] = {}
    for email, role, subject in (
        (content.OPERATOR, MemberRole.OPERATOR, ""),
        (content.CURATOR, MemberRole.CURATOR, ""),
        (content.CUSTOMER, MemberRole.CUSTOMER, content.CUSTOMER_ID),
    ):
        people[email] = access.create_user(
            organisation=content.ORGANISATION,
            email=email,
            password=passwords[email],
            role=role,
            subject=subject,
            now=now,
        )
    with acting_for(hub, subjects=ALL_SUBJECTS):
        organisations.describe(
            organisation=organisation,
            name=content.ORGANISATION_NAME,
            timezone=content.TIMEZONE,
            demo=True,
            by=hub,
            now=now,
        )
        agent = access.ensure_agent(slug=content.AGENT, owner=people[content.OPERATOR], by=hub, now=now)
        organisations.name_agent(agent=agent, name=content.AGENT_NAME, by=hub, now=now)
    curator = people[content.CURATOR]
    return _Cast(
        organisation=organisation,
        agent=agent,
        hub=hub,
        as_agent=Principal(
            organisation.pk, "demo:agent", frozenset({KeyRole.AGENT, KeyRole.CUSTOMER_RELAY}), agent=agent.pk
        ),
        as_curator=Principal(organisation.pk, f"user:{curator.pk}", frozenset({KeyRole.CURATOR}), user=curator.pk),
        as_record=Principal(organisation.pk, "demo:records", frozenset({KeyRole.SYSTEM_OF_RECORD})),
    )


def _configure(cast: _Cast, *, now: datetime) -> None:
    """Tools, signals, profile and the refund skill: offered by the agent, approved by the curator."""
    before = now - timedelta(days=12)
    with acting_for(cast.as_agent, subjects=ALL_SUBJECTS):
        descriptions = {tool.name: words for tool, words in content.TOOLS}
        tools = [tool for tool, _ in content.TOOLS]
        agent_tools.set_tools(agent=cast.agent, tools=tools, descriptions=descriptions, by=cast.as_agent, now=before)
        agent_tools.set_signals(agent=cast.agent, signals=content.SIGNALS, by=cast.as_agent, now=before)
        procedures.propose_profile(text=content.PROFILE, agent=cast.agent, by=cast.as_agent, now=before)
        procedures.propose_skill(document=content.REFUND_SKILL, agent=cast.agent, by=cast.as_agent, now=before)
    with acting_for(cast.as_curator, subjects=ALL_SUBJECTS):
        waiting = review_queue.waiting(by=cast.as_curator, agent=content.AGENT)
        for item in list(waiting.filter(type__in=[ReviewType.PROFILE, ReviewType.SKILL])):
            decisions.approve(item_id=item.pk, by=cast.as_curator, now=before + timedelta(days=1))


def _tell(cast: _Cast, *, now: datetime) -> None:
    """What the customers said and were refused, what the shop's system knows, and what the agent concluded."""
    with acting_for(cast.as_agent, subjects=ALL_SUBJECTS):
        for customer in content.CUSTOMERS:
            for turn in customer.turns:
                _post(turn, customer, cast, now=now)
        for external_id, text in content.CONCLUSIONS:
            _propose(
                external_id, text, Channel.AGENT_INFERENCE, Role.AGENT, by=cast.as_agent, now=now - timedelta(hours=20)
            )
    with acting_for(cast.as_record, subjects=ALL_SUBJECTS):
        for external_id, text, category in content.RECORDS:
            _propose(
                external_id, text, Channel.SYSTEM_OF_RECORD, Role.SYSTEM_OF_RECORD, by=cast.as_record,
                now=now - timedelta(days=10), category=category,
            )  # fmt: skip


def _post(turn: content.Turn, customer: content.Customer, cast: _Cast, *, now: datetime) -> None:
    said_at = (now - timedelta(days=turn.days_ago)).replace(hour=turn.hour, minute=12)
    subject, _ = subjects.describe(
        external_id=customer.external_id, kind=SubjectKind.PERSON, display_name=customer.name,
        timezone=customer.timezone, by=cast.as_agent, now=said_at,
    )  # fmt: skip
    finished = FinishedTurn(
        event_id=f"{turn.session}-1", session_id=turn.session, user_input=turn.said, assistant_output=turn.answered,
        occurred_at=said_at, actions=turn.actions, observations=turn.observations, signals=turn.signals,
        scope=turn.scope,
    )  # fmt: skip
    receive_turn(turn=finished, agent=cast.agent, subject=subject, speaker=None, by=cast.as_agent, now=said_at)


def _propose(
    external_id: str,
    text: str,
    channel: Channel,
    role: Role,
    *,
    by: Principal,
    now: datetime,
    category: Category | None = None,
) -> None:
    subject = subjects.find(external_id=external_id, by=by)
    proposal = intake.Proposal(subject=subject, text=text, channel=channel, role=role, category=category)
    intake.propose(proposal=proposal, by=by, now=now)


def _agent_key(*, now: datetime) -> str:
    """A key with which the demo's agent may be played from a shell."""
    return access.issue_key(
        organisation=content.ORGANISATION,
        name=content.AGENT,
        roles=(KeyRole.AGENT, KeyRole.CUSTOMER_RELAY),
        pepper=settings.MEMORYHUB_KEY_PEPPER,
        now=now,
    ).text


def _password() -> str:
    """Twelve characters in three groups: 59 random bits that can be typed."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def _how_to_sign_in(passwords: dict[str, str]) -> str:
    who = (
        ("operator", content.OPERATOR, "starts a dream"),
        ("curator", content.CURATOR, "decides what waits"),
        ("customer", content.CUSTOMER, "sees what is remembered about her"),
    )
    rows = [f"  {role:<9} {email:<24} {passwords[email]}   {does}" for role, email, does in who]
    return "\n".join(
        [
            "Demo: a shop's support assistant, and three customers who were refused the same thing. Sign in as:",
            *rows,
            "Press “Dream now” as the operator, then open the queue as the curator. manage.py drop_demo removes it.",
        ]
    )


def _keep(note: Path, text: str) -> None:
    """Only its owner may read it: it holds passwords."""
    with os.fdopen(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(f"{text}\n" if text else "")
