"""How are sentences about a customer made from what customers say, true ones and ones that are wrong in one point?

Each maker takes values and gives rows; all chance comes from the generator that is passed in.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.evaluation.entailment_training import scenes
from memoryhub.evaluation.entailment_training.rows import LABELS, NOT_ENTAILMENT, Row
from memoryhub.evaluation.entailment_training.values import near, rewritten, third_person, value

_PLACE: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
_ITEM: Final = "item"


@dataclass(frozen=True)
class Filled:
    """A phrase with its values: `said` in the first person; `values` by place, as (kind, written)."""

    trade: str
    phrase: str
    values: dict[str, tuple[str, str]]
    items: tuple[str, ...]

    @property
    def said(self) -> str:
        return self.with_values(self.values)

    @property
    def told(self) -> str:
        return third_person(self.said)

    def with_values(self, values: dict[str, tuple[str, str]]) -> str:
        return _PLACE.sub(lambda place: values[place[0]][1], self.phrase)

    def changed(self, rng: random.Random, *, others: Sequence[tuple[str, str]] = ()) -> tuple[str, str] | None:
        """(in the first person with one value changed, the kind); from `others` by choice, values said elsewhere."""
        if not self.values:
            return None
        place = rng.choice(list(self.values))
        kind, old = self.values[place]
        elsewhere = [text for other, text in others if other == kind and text.lower() != old.lower()]
        if kind == _ITEM:
            rest = [item for item in self.items if item != old]
            new = rng.choice(rest) if rest else None
        else:
            new = rng.choice(elsewhere) if elsewhere else near(kind, old, rng)
        return (self.with_values(self.values | {place: (kind, new)}), kind) if new else None

    def swapped(self) -> str | None:
        """With the values of `from` and `to` exchanged; None where there are no two."""
        ends = {place.rstrip("}").rpartition(":")[2]: place for place in self.values if ":" in place}
        if set(ends) != {"from", "to"}:
            return None
        one, other = ends["from"], ends["to"]
        if self.values[one][0] != self.values[other][0]:
            return None
        return self.with_values(self.values | {one: self.values[other], other: self.values[one]})

    def rewritten(self) -> str:
        return self.with_values({place: (kind, rewritten(kind, old)) for place, (kind, old) in self.values.items()})


def filled(trade: str, phrase: str, items: Sequence[str], rng: random.Random) -> Filled:
    """`phrase` with values in its places, those of one kind different from each other."""
    values: dict[str, tuple[str, str]] = {}
    used: set[str] = set()
    for place in _PLACE.finditer(phrase):
        if place[0] in values:
            continue
        kind = place[1]
        new = ""
        for _ in range(20):
            new = rng.choice(items) if kind == _ITEM else value(kind, rng)
            if new.lower() not in used:
                break
        used.add(new.lower())
        values[place[0]] = (kind, new)
    return Filled(trade, phrase, values, tuple(items))


def wishes() -> list[tuple[str, str, tuple[str, ...]]]:
    """(trade, phrase, items) of every wish."""
    return [
        (parts[0], parts[1], tuple(item.strip() for item in parts[2].split(",") if item.strip()))
        for line in scenes.WISHES.strip().splitlines()
        if (parts := [part.strip() for part in line.split("|")])
    ]


def twice_told(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """(as said, as told, items) of every question or remark."""
    found = []
    for line in text.strip().splitlines():
        both, _, items = line.partition(" | ")
        said, _, told = both.strip(" |").partition(" => ")
        found.append((said.strip(), told.strip(), tuple(item.strip() for item in items.split(",") if item.strip())))
    return found


def who(rng: random.Random) -> str:
    return rng.choice(scenes.WHO)


def tell(frames: Sequence[str], rng: random.Random, **parts: str) -> str:
    """One of `frames`, filled; the customer under one of their names."""
    name = who(rng)
    sentence = rng.choice(frames)
    inside = name if sentence.startswith("{who}") or name in ("They", "Customer") else name[0].lower() + name[1:]
    if name in ("They", "Customer") and not sentence.startswith("{who} "):
        inside = "the customer" if not sentence.startswith("{who}") else "The customer"
    return sentence.format(who=inside, **parts)


def aside(rng: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """A remark beside the point, and the values in it: what is said of one thing must not be told of another."""
    thing = filled("", rng.choice(scenes.ASIDES), (), rng)
    return thing.said, list(thing.values.values())


def turn(core: str, rng: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """One customer turn around `core`, long or short; and the values said beside it."""
    before: list[str] = [greeting] if (greeting := rng.choice(scenes.GREETINGS)) else []
    after: list[str] = [closing] if (closing := rng.choice(scenes.CLOSINGS)) else []
    values: list[tuple[str, str]] = []
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        said, found = aside(rng)
        values += found
        (before if rng.random() < 0.6 else after).append(said)
    text = " ".join([*before, core, *after])
    if rng.random() < 0.15:
        text = text.lower()
    return text, values


def request(wish: Filled, rng: random.Random) -> tuple[str, Sequence[str]]:
    """A wish as said, and the frames in which it may be told."""
    if rng.random() < 0.3:
        return rng.choice(scenes.ASKING).format(wish=wish.said), scenes.TOLD_ASKING
    return rng.choice(scenes.REQUESTS).format(wish=wish.said), scenes.TOLD


def premise(turns: Sequence[tuple[str, str]], rng: random.Random) -> str:
    """Turns as lines with names; a lone customer turn often without."""
    if len(turns) == 1 and rng.random() < 0.5:
        return turns[0][1]
    customer, agent = rng.choice((("Customer", "Agent"),) * 4 + (("User", "Assistant"),))
    return "\n".join(f"{customer if name == 'c' else agent}: {text}" for name, text in turns)


def small_talk(rng: random.Random) -> list[tuple[str, str]]:
    """An agent's turn and the customer's short answer."""
    asked = filled("", rng.choice(scenes.AGENT_ASKS), (), rng).said
    answered = filled("", rng.choice(scenes.CUSTOMER_ANSWERS), (), rng).said
    return [("a", asked), ("c", answered)]


def around(turns: list[tuple[str, str]], rng: random.Random, *, most: int = 2) -> list[tuple[str, str]]:
    """The same turns with some talk before or after."""
    before = [part for _ in range(rng.choice((0, 0, 1))) for part in small_talk(rng)]
    after = [part for _ in range(rng.randrange(most + 1)) for part in small_talk(rng)]
    return [*before, *turns, *after]


def row(turns: Sequence[tuple[str, str]], hypothesis: str, entailed: bool, kind: str, rng: random.Random) -> Row:
    text = hypothesis if rng.random() < 0.85 else hypothesis.rstrip(".")
    return Row(premise(turns, rng), text, LABELS[0] if entailed else NOT_ENTAILMENT, f"own:{kind}")


Maker = Callable[[random.Random], Iterator[Row]]
