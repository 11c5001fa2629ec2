"""How much of what must never be kept is found, and how much harmless text is mistaken for it? (S12)"""

import pytest

from memoryhub.vocabulary import SensitiveData
from memoryhub.working.redaction import find
from tests.factories.benign import lines
from tests.factories.sensitive import KINDS, Item, items

CAUGHT, MISTAKEN = 0.995, 0.01


def _is_caught(item: Item) -> bool:
    """Whether every letter and figure of the value is inside findings of its own family, or taken for a secret."""
    start = item.text.index(item.value)
    needed = {place for place in range(start, start + len(item.value)) if item.text[place].isalnum()}
    if item.kind == "connection string":  # the password in it, and not the host
        scheme, at = item.value.index("://") + 3, item.value.rindex("@")
        needed = set(range(start + item.value.index(":", scheme) + 1, start + at))
    for finding in find(item.text):
        if finding.family in (item.family, SensitiveData.SECRET):
            needed -= set(range(finding.start, finding.end))
    return not needed


def _measure(count: int, seed: int) -> None:
    missed = [item for item in items(count, seed=seed) if not _is_caught(item)]
    mistaken = [line for line in lines(count, seed=seed) if find(line)]
    print(f"{count} tried, {len(missed)} missed, {len(mistaken)} mistaken")
    assert len(missed) <= (1 - CAUGHT) * count, [(item.kind, item.text) for item in missed][:20]
    assert len(mistaken) <= MISTAKEN * count, mistaken[:20]


def test_the_sample_holds_at_least_thirty_kinds():
    assert len(KINDS) >= 30


def test_nearly_all_of_it_is_found_and_hardly_anything_mistaken():
    _measure(600, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_of_thousands_nearly_all_are_found_and_hardly_any_mistaken(seed):
    _measure(4000, seed=100 + seed)


@pytest.mark.parametrize("spelling", ["".join, "\u200b".join, "\u2060".join])
def test_hidden_characters_in_a_value_hide_nothing(spelling):
    missed = []
    for item in items(len(KINDS), seed=3):
        if item.family == SensitiveData.GOVERNMENT_ID and item.value.isdigit():
            text = item.text.replace(item.value, spelling(item.value))
            if not find(text):
                missed.append(text)
    assert not missed
