"""What do the benches store and ask? Statements and questions of our own, by a seed, no statement twice.

Each statement is one that the gate commits as one fact of a person's own (a test says so), so that what is measured is
a write that is kept.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Final

_LIKES: Final = ("I prefer", "I like", "I love", "I enjoy")
_THINGS: Final = (
    "corner tables", "garden chairs", "walnut shelves", "cold buffets", "quiet hotels", "small meeting rooms",
    "mint chocolate", "dark roast coffee", "striped curtains", "felt slippers", "painted bowls", "woollen socks",
    "cinnamon buns", "blue folders", "soft pillows", "upper floors", "vegetarian menus", "thick blankets",
    "wooden desks", "round mirrors", "cherry blossom", "printed maps", "large screens", "bright lamps", "open kitchens",
    "guided tours", "mountain hikes", "detective novels", "jazz concerts", "board games", "rye bread", "lemon cake",
)  # fmt: skip
_OCCASIONS: Final = (
    "when I travel for work", "at weekends", "in winter", "on long journeys", "with my colleagues", "during the fair",
    "after a night shift", "in the summer holidays", "when I visit customers", "before an inspection", "at the lake",
    "when the children are with me", "on the way home", "at the yearly meeting", "in the old building", "in the north",
)  # fmt: skip
_ASKED: Final = (
    "What should we know about {thing} {occasion}?", "Does the person care for {thing}?", "Are {thing} welcome here?",
    "Which wishes are there {occasion}?", "What did they say about {thing}?", "Shall we arrange {thing} this time?",
)  # fmt: skip


def statements(seed: int) -> Iterator[str]:
    """Without end; after all pairings of thing and occasion were used once, a place makes the next ones differ."""
    order = random.Random(seed)
    pairs = list(itertools.product(_THINGS, _OCCASIONS))
    order.shuffle(pairs)
    for lap in itertools.count():
        for thing, occasion in pairs:
            place = f" in hall {lap}" if lap else ""
            yield f"{order.choice(_LIKES)} {thing}{place} {occasion}."


def questions(seed: int) -> Iterator[str]:
    """Without end, about the same things."""
    order = random.Random(seed)
    while True:
        occasion = order.choice(_OCCASIONS).replace("I ", "they ").replace("my ", "their ").replace(" me", " them")
        yield order.choice(_ASKED).format(thing=order.choice(_THINGS), occasion=occasion)
