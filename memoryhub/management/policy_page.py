"""What does a policy say, in words and tables? Drawn for docs/policy.md and for an organisation's own version alike."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_document import difference, told
from memoryhub.governance.policy_floors import (
    COMMIT_AT,
    LIFETIME,
    REVIEW_BEFORE,
    STANDING,
    TREATMENTS,
    UNTRUSTED_CLAIMS,
)
from memoryhub.governance.policy_tables import ANY, granted
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode, Reason, SensitiveData, Treatment

EXAMPLE = """\
commit_at = 0.9                      # confidence; between it and discard_below a person is asked
untrusted_claims_per_call = 1
member_may_add = ["preference"]

[treatments]
contact = "queue"

[lifetimes]
preference = "26 weeks"              # hours, days or weeks

[modes]
episodic = "propose_only"

[grants]                             # of a role that is named, all are
agent = ["memory:semantic:add:preference", "memory:episodic:add:episode_outcome"]
"""

SHIPPED_HEAD = """\
# The policy, as shipped

Drawn from the tables themselves by `manage.py draw_policy`; a test fails when the two differ. This is version 0, in
force until an operator signs another; `manage.py policy --organisation SLUG` prints the one in force somewhere.
"""

CHANGING = f"""\
## Changing it

A change is a JSON or TOML document that names what is to differ; all else stays. An operator signs it, and it holds for
the very next write of every process. What was signed is never altered: each change is a version of its own, and every
decision names the version it was judged by.

```toml
{EXAMPLE}```

    manage.py policy --organisation SLUG --set FILE --signed-by EMAIL --reason TEXT --dry-run
    manage.py policy --organisation SLUG --set FILE --signed-by EMAIL --reason TEXT
    manage.py policy --organisation SLUG --history

An agent has a policy of its own beneath it: how far each kind goes, thresholds where they differ, which decision the
memory improves, signed like the rest. Made with `issue_key` it follows the rules; without one it only proposes.

    manage.py policy --organisation SLUG --agent SLUG --mode semantic=propose_only --improves TEXT --signed-by EMAIL
"""


def shipped_page(policy: Policy) -> str:
    """docs/policy.md: the shipped policy, its floors, how to change it, and every reason the gate gives."""
    return "\n".join([SHIPPED_HEAD, *_tables(policy), *_floors(), CHANGING, *_reasons()])


def page(policy: Policy, *, organisation: str) -> str:
    """One version of an organisation's policy."""
    return "\n".join(
        [f"# The policy of {organisation}, version {policy.version}\n", signature(policy), "", *_tables(policy)]
    )


def signature(policy: Policy) -> str:
    """Who signed it, when and why."""
    if policy.signed_at is None:
        return "As shipped; nobody signed another."
    return f"Signed by {policy.signed_by} on {policy.signed_at:%Y-%m-%d %H:%M} UTC: {policy.reason}"


def differences(before: Policy, after: Policy) -> list[str]:
    """What differs, a line each."""
    return [f"{path}: {old or '(nothing)'} → {new or '(nothing)'}" for path, old, new in difference(before, after)]


def _tables(policy: Policy) -> Iterator[str]:
    yield "## What becomes of sensitive data\n"
    yield _table(
        ("Data", "What it is", "Treatment", "Which means"),
        [
            (f"`{family}`", family.label, f"**{policy.treatments[family]}**", policy.treatments[family].label)
            for family in SensitiveData
        ],
    )
    yield "## How long it is kept\n"
    yield "Counted from recording or from the last confirmation, never from when it was said. A claim that ends sooner"
    yield f"by its own words ends then. A person should look again {told(policy.review_before)} before.\n"
    yield _table(("Category", "Lifetime"), [(f"`{one}`", told(policy.lifetimes[one])) for one in Category])
    yield "## How sure it has to be\n"
    yield _table(
        ("Field", "Value", "Which means"),
        [
            ("`commit_at`", f"{policy.commit_at}", "at this confidence and above the rules keep it"),
            ("`discard_below`", f"{policy.discard_below}", "below it is dropped; between the two a person is asked"),
            (
                "`untrusted_claims_per_call`",
                f"{policy.untrusted_claims}",
                "claims of one document, page, e-mail or tool output that are put before a person",
            ),
        ],
    )
    yield "## How far each kind goes\n"
    yield _table(
        ("Kind", "What it states", "Mode", "Which means"),
        [(f"`{kind}`", kind.label, f"**{policy.modes[kind]}**", policy.modes[kind].label) for kind in Kind],
    )
    yield "## Who may write what\n"
    yield "Asked after classifying, of `memory:<kind>:<op>:<category>`: `add` for every claim, `update` where it"
    yield "replaces what is in force, `approve` of a curator. Reading, deleting and erasing follow the roles of keys.\n"
    yield _table(("Role", "Kind", "May", "About"), list(_granted(policy)))
    members = ", ".join(f"`{one}`" for one in sorted(policy.member_may_add)) or "nothing"
    yield f"A member may add {members} about their project, site, team or account; all else they say of it queues.\n"
    yield "## What needs two people\n"
    two = ", ".join(f"`{one}` ({one.label})" for one in sorted(policy.four_eyes)) or "nothing"
    yield f"Two curators, neither of whom proposed it, say yes to: {two}. `four_eyes` takes {_classes()}.\n"


def _classes() -> str:
    return " and ".join(f"`{one}` ({one.label})" for one in FourEyes)


def _granted(policy: Policy) -> Iterator[tuple[str, str, str, str]]:
    for line in granted(policy):
        ops, categories = (", ".join(map(_any, names)) for names in (line.ops, line.categories))
        yield line.role.label, _any(line.kind), ops, categories


def _any(name: str) -> str:
    return "any" if name == ANY else f"`{name}`"


def _floors() -> Iterator[str]:
    yield "## What no policy changes\n"
    yield _table(
        ("Field", "Within", "Because"),
        [
            *((f"`treatments.{one}`", f"{floor.least} or stricter", floor.why) for one, floor in TREATMENTS.items()),
            ("`lifetimes`", _range(LIFETIME[0], LIFETIME[1]), LIFETIME[2]),
            ("`review_before`", _range(REVIEW_BEFORE[0], REVIEW_BEFORE[1]), REVIEW_BEFORE[2]),
            ("`commit_at`", f"{COMMIT_AT[0]} to {COMMIT_AT[1]}, above `discard_below`", COMMIT_AT[2]),
            ("`untrusted_claims_per_call`", f"{UNTRUSTED_CLAIMS[0]} to {UNTRUSTED_CLAIMS[1]}", UNTRUSTED_CLAIMS[2]),
        ],
    )
    yield f"Treatments from mildest to strictest: {', '.join(f'`{one}`' for one in Treatment)}."
    yield f"Modes from strictest to mildest: {', '.join(f'`{one}`' for one in PolicyMode)}.\n"
    yield "\n".join(f"- {sentence}" for sentence in STANDING)
    yield ""


def _reasons() -> Iterator[str]:
    yield "## Every reason the gate gives\n"
    yield "`reason` of a result, and the sentence that goes with it as `message`.\n"
    yield _table(("Reason", "Sentence"), [(f"`{reason}`", reason.label) for reason in Reason]).rstrip("\n")
    yield ""


def _range(shortest: timedelta, longest: timedelta) -> str:
    return f"{told(shortest)} to {told(longest)}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"
