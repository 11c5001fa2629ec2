"""How do figures of one run compare? Calls in turn, so that whatever the machine does besides hits all alike.

Each round calls every one once, in an order of its own: who comes first, and after whom, evens out. A ratio is of
medians; beside it stands how far it would move if other rounds of the same run had been drawn (bootstrap, 95 %).
"""

import math
import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

_DRAWS: Final = 500
Timings = dict[str, list[float]]


@dataclass(frozen=True)
class Spread:
    """Milliseconds of one kind of call."""

    calls: int
    p50: float
    p95: float
    least: float


@dataclass(frozen=True)
class Ratio:
    """How many times as long, by the medians; in 95 of 100 runs like this between `low` and `high`."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Goal:
    """A figure beside its bound: at most that, or at least."""

    name: str
    value: float
    bound: float
    unit: str = ""
    aim: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    @property
    def line(self) -> str:
        aim = f", aim {self.aim:g}" if self.aim is not None else ""
        verdict = "met" if self.met else "MISSED"
        bound = f"at least {self.bound:g}" if self.at_least else f"{self.bound:g}"
        return f"{self.name:<52} {self.value:>9.2f} {self.unit:<3} goal {bound}{aim}: {verdict}"


def rounds(names: Sequence[str], times: int, *, seed: int) -> Iterator[list[str]]:
    """`times` rounds with every name once each, in an order of their own that the seed decides."""
    order = random.Random(seed)
    for _ in range(times):
        yield order.sample(list(names), len(names))


def run(calls: Mapping[str, Callable[[int], float]], *, times: int, warm_up: int, seed: int) -> Timings:
    """Milliseconds of each call by name, in the order of the rounds; each is told the number of its round. The first
    `warm_up` rounds are not counted.
    """
    found: Timings = {name: [] for name in calls}
    for number, names in enumerate(rounds(list(calls), warm_up + times, seed=seed)):
        for name in names:
            took = calls[name](number)
            if number >= warm_up:
                found[name].append(took)
    return found


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed (nearest rank)."""
    if not values or not 0 < share <= 1:
        raise ValueError("a quantile needs values and a share above 0, up to 1")
    return sorted(values)[math.ceil(share * len(values)) - 1]


def spread(values: Sequence[float]) -> Spread:
    """Median, 95th percentile and best of one kind of call."""
    return Spread(len(values), statistics.median(values), quantile(values, 0.95), min(values))


def ratio(ours: Sequence[float], theirs: Sequence[float], *, seed: int) -> Ratio:
    """Of rounds that belong together: `ours[n]` and `theirs[n]` were measured in one round."""
    if len(ours) != len(theirs) or not ours:
        raise ValueError("a ratio needs as many rounds of one as of the other")
    order, places = random.Random(seed), range(len(ours))
    drawn = []
    for _ in range(_DRAWS):
        sample = order.choices(places, k=len(ours))
        drawn.append(statistics.median(ours[at] for at in sample) / statistics.median(theirs[at] for at in sample))
    value = statistics.median(ours) / statistics.median(theirs)
    return Ratio(value, quantile(drawn, 0.025), quantile(drawn, 0.975))


def table(timings: Timings) -> list[str]:
    """One line a kind of call."""
    lines = [f"{'ms':<52} {'p50':>9} {'p95':>9} {'best':>9} {'calls':>6}"]
    for name, values in timings.items():
        each = spread(values)
        lines.append(f"{name:<52} {each.p50:>9.2f} {each.p95:>9.2f} {each.least:>9.2f} {each.calls:>6}")
    return lines


def as_json(timings: Timings, ratios: Mapping[str, Ratio], goals: Sequence[Goal]) -> dict[str, Any]:
    """Everything that is printed, for a file."""
    return {
        "milliseconds": {name: asdict(spread(values)) for name, values in timings.items()},
        "ratios": {name: asdict(each) for name, each in ratios.items()},
        "goals": [asdict(goal) | {"met": goal.met} for goal in goals],
    }
