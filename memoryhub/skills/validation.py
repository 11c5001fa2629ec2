"""Does a skill fit its agent? Checked whenever a skill, a profile or a tool list is saved (R81)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import nlargest

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.skills.skillmd import SkillDocument

#: Tokens of a text, as the deployment counts them.
TokenCounter = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool an agent offers, and whether using it changes anything outside (spec section 1)."""

    name: str
    side_effects: bool


def check(
    doc: SkillDocument,
    *,
    tools: Sequence[ToolSpec],
    profile_tokens: int,
    other_skill_tokens: Sequence[int],
    count_tokens: TokenCounter,
) -> None:
    """Refuse one skill that does not fit its agent (R81).

    `other_skill_tokens` are the bodies of the agent's other active skills, without an older version of this one.
    Raises `Invalid` with code "invalid_skill"; each field lists its faults.
    """
    faults = tool_faults(doc, tools)
    over = budget_fault(profile_tokens, [count_tokens(doc.body), *other_skill_tokens])
    if over:
        faults["body"] = [over]
    _refuse(faults)


def check_set(
    docs: Sequence[SkillDocument], *, tools: Sequence[ToolSpec], profile_tokens: int, count_tokens: TokenCounter
) -> None:
    """Refuse a profile or a tool list under which the agent's active skills would no longer fit (R81).

    Raises `Invalid` with code "invalid_skill": skills at fault under their own names, the budget under "profile".
    """
    faults: dict[str, list[str]] = {}
    for doc in docs:
        for sentences in tool_faults(doc, tools).values():
            faults.setdefault(doc.name, []).extend(sentences)
    over = budget_fault(profile_tokens, [count_tokens(doc.body) for doc in docs])
    if over:
        faults.setdefault("profile", []).append(over)
    _refuse(faults)


def tool_faults(doc: SkillDocument, tools: Sequence[ToolSpec]) -> dict[str, list[str]]:
    """Tools that the agent lacks, and prefetches that would act before anybody decided to (R81)."""
    side_effects = {tool.name: tool.side_effects for tool in tools}
    faults: dict[str, list[str]] = {}
    for name in doc.tools:
        if name not in side_effects:
            faults.setdefault("tools", []).append(f"The agent offers no tool '{name}'.")
    for name in doc.prefetch:
        if name not in side_effects:
            faults.setdefault("prefetch", []).append(f"The agent offers no tool '{name}'.")
        elif side_effects[name]:
            faults.setdefault("prefetch", []).append(
                f"'{name}' has side effects; only read-only tools run ahead of the model."
            )
    return faults


def budget_fault(profile_tokens: int, skill_tokens: Sequence[int]) -> str | None:
    """The sentence for a profile that with the largest skills passes the budget, or None (R81)."""
    total = profile_tokens + sum(nlargest(conf.ACTIVE_SKILLS, skill_tokens))
    if total <= conf.PROCEDURE_TOKEN_BUDGET:
        return None
    return (
        f"The profile and the {conf.ACTIVE_SKILLS} largest skills take {total} tokens; "
        f"the budget is {conf.PROCEDURE_TOKEN_BUDGET}. Shorten one of them."
    )


def _refuse(faults: dict[str, list[str]]) -> None:
    if faults:
        raise Invalid("The skill does not fit its agent.", errors=faults, code="invalid_skill")
