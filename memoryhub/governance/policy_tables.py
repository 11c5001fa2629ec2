"""Who may write what, as a table a person can read: for the page of a policy, and for docs/policy.md (R15)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memoryhub.governance.policy import Policy
from memoryhub.permissions import GRANTED_OPS
from memoryhub.vocabulary import Category, Kind, Role

ANY = "*"


@dataclass(frozen=True)
class Granted:
    """One line: `role` may do `ops` to memories of `kind` about `categories`; "*" stands for any."""

    role: Role
    kind: str
    ops: tuple[str, ...]
    categories: tuple[str, ...]


def granted(policy: Policy) -> Iterator[Granted]:
    """A policy's grants, role by role; operations on the same categories share a line."""
    for role in Role:
        split = [tuple(pattern.split(":")[1:]) for pattern in policy.grants[role]]
        for kind in _in_order({kind for kind, _, _ in split}, Kind.values):
            about = {
                op: tuple(_in_order({one for k, o, one in split if (k, o) == (kind, op)}, Category.values))
                for op in _in_order({o for k, o, _ in split if k == kind}, GRANTED_OPS)
            }
            for categories, ops in groupby(sorted(about, key=lambda op: about[op]), key=lambda op: about[op]):
                yield Granted(role, kind, tuple(_in_order(ops, GRANTED_OPS)), categories)


def _in_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: order.index(name) if name in order else -1)
