"""What a role may do is told in words: all of it, and nothing that it may not."""

from curation.role_words import HEADINGS, WORDS, told
from memoryhub.permissions import ACTIONS, MEMBER_ROLES
from memoryhub.vocabulary import KeyRole, MemberRole


def test_every_action_has_words() -> None:
    assert set(WORDS) == set(ACTIONS), "Say in curation/role_words.py what the new action lets somebody do."
    assert {kind for kind, _ in WORDS.values()} <= {kind for kind, _ in HEADINGS}
    assert len({words for _, words in WORDS.values()}) == len(WORDS)


def test_each_role_is_told_just_what_it_may() -> None:
    roles = {role.role: role for role in told()}
    assert set(roles) == set(MemberRole.values) | set(KeyRole.values)
    for role, held in MEMBER_ROLES.items():
        if role == MemberRole.CUSTOMER:
            continue
        said = {words for _, part in roles[role].may for words in part}
        assert said == {WORDS[action][1] for action, allowed in ACTIONS.items() if allowed & held}
