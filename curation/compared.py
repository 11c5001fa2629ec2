"""Which two versions of a skill or a profile are held against each other, and what differs? For its page (R92)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from curation.differences import Part, by_words


class Numbered(Protocol):
    """A version of anything that is versioned."""

    @property
    def pk(self) -> object: ...
    @property
    def number(self) -> int: ...


V = TypeVar("V", bound=Numbered)


@dataclass(frozen=True)
class Comparison(Generic[V]):
    """The older and the newer one in the order they were asked for, and the parts of both texts in reading order."""

    old: V
    new: V
    changes: Sequence[Part]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return all(part.kind == "same" for part in self.changes)


def comparison(
    versions: Sequence[V], *, shown: V, old: str, new: str, text_of: Callable[[V], str]
) -> Comparison[V] | None:
    """Two versions by their numbers as somebody typed them into the address. What is no version there: the one shown
    against the one before it. None where there is nothing to compare with.
    """
    by_number = {str(version.number): version for version in versions}
    after = by_number.get(new, shown)
    before = by_number.get(old) or _before(versions, after)
    if before is None or before.pk == after.pk:
        return None
    return Comparison(before, after, by_words(text_of(before), text_of(after)))


def _before(versions: Sequence[V], shown: V) -> V | None:
    earlier = [version for version in versions if version.number < shown.number]
    return max(earlier, key=lambda version: version.number, default=None)
