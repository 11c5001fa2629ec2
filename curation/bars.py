"""How does a score look? Each signal as a bar from 0 to 1, with the number and what it adds beside it (R32, R38)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memoryhub import conf

#: The six signals in the order of their weight, and what each of them measures.
LABELS: Final = {
    "relevance": ("Relevance", "how well it answers the question"),
    "recency": ("Recency", "how lately it was said or confirmed"),
    "importance": ("Importance", "how much its category matters"),
    "authority": ("Authority", "how far its source is to be believed"),
    "frequency": ("Frequency", "how often it was reported useful"),
    "validity": ("Validity", "whether it holds now"),
}


@dataclass(frozen=True)
class Bar:
    """One signal: its `value` from 0 to 1, and what it `adds` to the score under the six-signal profile."""

    name: str
    label: str
    meaning: str
    value: float
    adds: float

    @property
    def width(self) -> int:
        """Of the filled part, in hundredths."""
        return width_of(self.value)


def width_of(share: float) -> int:
    """How wide a bar is for a share from 0 to 1, in hundredths; anything above nothing is to be seen."""
    return max(1, round(100 * min(1.0, share))) if share > 0 else 0


def bars(signals: Mapping[str, object]) -> list[Bar]:
    """The bars of one score; a signal that was not kept, or is no number, is left out."""
    found = []
    for name, (label, meaning) in LABELS.items():
        value = signals.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:  # NaN is no number
            found.append(Bar(name, label, meaning, float(value), conf.WEIGHTS[name] * float(value)))
    return found
