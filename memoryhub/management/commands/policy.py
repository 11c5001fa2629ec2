"""manage.py policy: what may be kept here, what never, how long, how sure, by whom; and signing another (R16, R93)."""

import json
import sys
import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.models import Agent
from memoryhub.errors import Invalid
from memoryhub.governance import access, policy_versions
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_document import written
from memoryhub.management.policy_page import differences, page, signature
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.models import AgentPolicy
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import Kind, PolicyMode, Remembers

_TO_CHANGE = ("mode", "commit_at", "discard_below", "inherit_thresholds", "improves", "remembers")


class Command(BaseCommand):
    help = (
        "Print the policy in force in an organisation, an earlier version, or all that were signed; with --set sign "
        "another. With --agent the same of one agent's own policy."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Django's own --version prints Django's; here it is the policy's.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        shown = parser.add_mutually_exclusive_group()
        shown.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
        shown.add_argument("--markdown", action="store_true", help="print Markdown (the default)")
        parser.add_argument("--version", type=int, dest="number", metavar="N", help="that version instead")
        parser.add_argument("--history", action="store_true", help="every version and what it changed")
        parser.add_argument(
            "--set", dest="file", metavar="FILE", help="a .toml or JSON document; - reads JSON from stdin"
        )
        parser.add_argument("--based-on", type=int, metavar="N", help="refuse if another version is in force by now")
        parser.add_argument("--signed-by", default="", metavar="EMAIL", help="an operator of the organisation")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why, for whoever reads the history")
        parser.add_argument("--dry-run", action="store_true", help="show what would differ; sign nothing")
        agent = parser.add_argument_group("an agent's own policy")
        agent.add_argument("--agent", metavar="SLUG")
        agent.add_argument("--mode", action="append", metavar="KIND=MODE", help="may be given several times")
        agent.add_argument("--commit-at", type=float, metavar="X")
        agent.add_argument("--discard-below", type=float, metavar="X")
        agent.add_argument("--inherit-thresholds", action="store_true", help="the organisation's again")
        agent.add_argument(
            "--remembers", choices=Remembers.values, help="of its finished turns: all, or how they failed"
        )
        agent.add_argument("--improves", metavar="TEXT", help="the decision its memory improves")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            tenant = access.organisation_of(options["organisation"])
            hub = system_principal(tenant.pk, "policy")
            with acting_for(hub, subjects=ALL_SUBJECTS):
                if options["agent"]:
                    self._of_agent(hub, options)
                elif any(options[name] for name in _TO_CHANGE):
                    raise Invalid(errors={"agent": ["These are an agent's: name it with --agent SLUG."]})
                elif options["file"]:
                    self._set(hub, options)
                elif options["history"]:
                    self._history(policy_versions.history(tenant.pk), as_json=options["as_json"])
                else:
                    number = options["number"]
                    policy = (
                        policy_versions.in_force(tenant.pk)
                        if number is None
                        else policy_versions.version_of(tenant.pk, number)
                    )
                    self._show(policy, options)

    def _show(self, policy: Policy, options: dict[str, Any]) -> None:
        if options["as_json"]:
            self._json(_facts(policy))
        else:
            self.stdout.write(page(policy, organisation=options["organisation"]))

    def _history(self, versions: list[Policy], *, as_json: bool) -> None:
        if as_json:
            self._json([_facts(policy) for policy in versions])
            return
        for before, policy in zip([versions[0], *versions], versions, strict=False):
            self.stdout.write(f"version {policy.version}: {signature(policy)}")
            for line in differences(before, policy):
                self.stdout.write(f"    {line}")

    def _set(self, hub: Principal, options: dict[str, Any]) -> None:
        document = _document(options["file"])
        if options["dry_run"]:
            before, after = policy_versions.proposed(document=document, by=hub)
        else:
            by = _signer(hub, options)
            before = policy_versions.proposed(document=document, by=by)[0]
            after = policy_versions.change(
                document=document, reason=options["reason"], by=by, now=timezone.now(), based_on=options["based_on"]
            )
        if options["as_json"]:
            self._json(_facts(after))
            return
        for line in differences(before, after) or ["Nothing would differ."]:
            self.stdout.write(line)
        if not options["dry_run"]:
            self.stdout.write(f"version {after.version} is in force: {signature(after)}")

    def _of_agent(self, hub: Principal, options: dict[str, Any]) -> None:
        agent = access.agent_of(slug=options["agent"], by=hub)
        if any(options[name] not in (None, False) for name in _TO_CHANGE):
            now = timezone.now()
            policy_versions.change_agent(
                agent=agent, by=_signer(hub, options), now=now, modes=_modes(options["mode"] or []),
                thresholds=_thresholds(hub, agent, options), own_thresholds=not options["inherit_thresholds"],
                improves=options["improves"], remembers=_remembers(options["remembers"]),
            )  # fmt: skip
        self._show_agent(hub, agent, as_json=options["as_json"])

    def _show_agent(self, hub: Principal, agent: Agent, *, as_json: bool) -> None:
        own = AgentPolicy.objects.filter(agent=agent).first()
        policy = policy_versions.in_force_for(_acting(hub, agent))
        facts = {
            "agent": agent.slug,
            "modes": {str(kind): str(mode) for kind, mode in policy.modes.items()},
            "commit_at": policy.commit_at,
            "discard_below": policy.discard_below,
            "own_thresholds": own is not None and own.commit_at is not None,
            "remembers": own.remembers if own else Remembers.ALL.value,
            "improves": own.improves if own else "",
            "signed_by": (own.signed_by if own else "") or None,
            "signed_at": own.signed_at.isoformat() if own and own.signed_at else None,
            "organisation_version": policy.version,
        }
        if as_json:
            self._json(facts)
            return
        for name, value in facts.items():
            words = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            self.stdout.write(f"{name}: {'-' if words in (None, '') else words}")

    def _json(self, facts: object) -> None:
        self.stdout.write(json.dumps(facts, indent=2, ensure_ascii=False))


def _facts(policy: Policy) -> dict[str, Any]:
    return {
        "version": policy.version,
        "signed_by": policy.signed_by or None,
        "signed_at": policy.signed_at.isoformat() if policy.signed_at else None,
        "reason": policy.reason or None,
        "document": written(policy),
    }


def _signer(hub: Principal, options: dict[str, Any]) -> Principal:
    if not options["signed_by"]:
        raise Invalid(errors={"signed-by": ["A policy is signed: give --signed-by EMAIL of an operator."]})
    return access.operator_of(organisation=hub.organisation, email=options["signed_by"])


def _acting(hub: Principal, agent: Agent) -> Principal:
    return Principal(hub.organisation, hub.label, agent=agent.pk)


def _modes(named: list[str]) -> dict[Kind, PolicyMode]:
    modes = {}
    for pair in named:
        kind, _, mode = pair.partition("=")
        if kind not in Kind.values or mode not in PolicyMode.values:
            sentence = f"It is KIND=MODE, of {', '.join(Kind.values)} and {', '.join(PolicyMode.values)}."
            raise Invalid(errors={"mode": [sentence]})
        modes[Kind(kind)] = PolicyMode(mode)
    return modes


def _remembers(named: str | None) -> Remembers | None:
    return Remembers(named) if named else None


def _thresholds(hub: Principal, agent: Agent, options: dict[str, Any]) -> tuple[float, float] | None:
    """Both, where one is given: the other as it holds for the agent now."""
    commit_at, discard_below = options["commit_at"], options["discard_below"]
    if commit_at is None and discard_below is None:
        return None
    if options["inherit_thresholds"]:
        raise Invalid(errors={"inherit-thresholds": ["Give thresholds, or take the organisation's, not both."]})
    now = policy_versions.in_force_for(_acting(hub, agent))
    return (
        now.commit_at if commit_at is None else commit_at,
        now.discard_below if discard_below is None else discard_below,
    )


def _document(name: str) -> object:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(errors={"set": [f"The file can't be read: {error}."]}) from error
    try:
        return tomllib.loads(text) if name.endswith(".toml") else json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Invalid(errors={"set": [f"It is no {'TOML' if name.endswith('.toml') else 'JSON'}: {error}."]}) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a field is named twice")
    return table
