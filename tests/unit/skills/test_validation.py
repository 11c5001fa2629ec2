"""A skill has to fit its agent: its tools, and the room for procedures (R81)."""

import pytest

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.skills.validation import ToolSpec, budget_fault, check, check_set

TOOLS = (ToolSpec("look_up_bike", False), ToolSpec("list_repairs", False), ToolSpec("order_part", True))
BUDGET = conf.PROCEDURE_TOKEN_BUDGET


def skill(body: str = "Look first.", name: str = "replace-chain", **fields: tuple[str, ...]) -> SkillDocument:
    return SkillDocument(name, "Replace a worn chain.", body=body, **fields)  # type: ignore[arg-type]


def faults(
    doc: SkillDocument, *, profile_tokens: int = 0, other_skill_tokens: tuple[int, ...] = ()
) -> dict[str, list[str]]:
    try:
        check(
            doc,
            tools=TOOLS,
            profile_tokens=profile_tokens,
            other_skill_tokens=other_skill_tokens,
            count_tokens=lambda text: len(text.split()),
        )
    except Invalid as refusal:
        return refusal.errors
    return {}


def test_a_skill_of_offered_tools_with_read_only_prefetches_fits() -> None:
    assert faults(skill(tools=("look_up_bike", "order_part"), prefetch=("look_up_bike", "list_repairs"))) == {}


def test_a_tool_the_agent_does_not_offer_is_named() -> None:
    assert faults(skill(tools=("look_up_bike", "fly_there"))) == {"tools": ["The agent offers no tool 'fly_there'."]}


def test_an_unknown_prefetch_is_named() -> None:
    assert "'fly_there'" in faults(skill(prefetch=("fly_there",)))["prefetch"][0]


def test_a_prefetch_with_side_effects_is_named_even_when_the_skill_may_use_it() -> None:
    found = faults(skill(tools=("order_part",), prefetch=("order_part",)))
    assert list(found) == ["prefetch"]
    assert "'order_part' has side effects" in found["prefetch"][0]


def test_all_faults_are_told_at_once() -> None:
    doc = skill("word " * (BUDGET + 1), tools=("a", "b"), prefetch=("c", "order_part"))
    found = faults(doc)
    assert {field: len(sentences) for field, sentences in found.items()} == {"tools": 2, "prefetch": 2, "body": 1}


@pytest.mark.parametrize(
    ("profile", "others", "fits"),
    [
        (BUDGET - 2, (), True),  # the skill itself takes two
        (BUDGET - 1, (), False),
        (0, (BUDGET - 13, 7, 6), True),  # only the three largest count
        (0, (BUDGET - 13, 7, 6, 5, 4, 3), True),
        (0, (BUDGET - 12, 7, 6), False),
        (0, (BUDGET - 7, 8), False),
        (1, (BUDGET - 2 - 7, 5, 2), True),
        (1, (BUDGET - 2 - 7, 7), False),
    ],
)
def test_the_profile_and_the_three_largest_skills_share_a_budget(
    profile: int, others: tuple[int, ...], fits: bool
) -> None:
    assert ("body" not in faults(skill(), profile_tokens=profile, other_skill_tokens=others)) is fits


def test_the_budget_sentence_says_how_much_is_taken() -> None:
    assert f"{BUDGET + 1} tokens" in (budget_fault(1, [BUDGET]) or "")


def test_a_smaller_tool_list_names_the_skills_that_would_break() -> None:
    docs = [skill(tools=("order_part",)), skill(name="true-wheel", tools=("look_up_bike",), prefetch=("look_up_bike",))]
    with pytest.raises(Invalid) as refusal:
        check_set(docs, tools=TOOLS[2:], profile_tokens=BUDGET, count_tokens=len)
    assert refusal.value.code == "invalid_skill"
    assert set(refusal.value.errors) == {"true-wheel", "profile"}
    assert len(refusal.value.errors["true-wheel"]) == 2


def test_a_set_that_fits_is_accepted() -> None:
    check_set([skill(tools=("order_part",))] * 5, tools=TOOLS, profile_tokens=BUDGET - 33, count_tokens=len)
    check_set([], tools=(), profile_tokens=0, count_tokens=len)
