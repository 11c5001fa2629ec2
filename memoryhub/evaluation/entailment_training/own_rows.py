"""Conversations of our own making: a wish, question or remark, told truly and told wrong in one point.

What each maker teaches stands in its name; `KINDS_OF_ROWS` weighs them.
"""

import random
from collections.abc import Iterator
from typing import Final

from memoryhub.evaluation.entailment_training import scenes
from memoryhub.evaluation.entailment_training.rows import Row
from memoryhub.evaluation.entailment_training.telling import (
    Filled,
    Maker,
    around,
    filled,
    request,
    row,
    small_talk,
    tell,
    turn,
    twice_told,
    wishes,
)
from memoryhub.evaluation.entailment_training.values import near, third_person

_WISHES: Final = wishes()
_QUESTIONS: Final = twice_told(scenes.QUESTIONS)
_REMARKS: Final = twice_told(scenes.REMARKS)
_WITH_VALUES: Final = [wish for wish in _WISHES if "{" in wish[1].replace("{item}", "")]
_WITH_ENDS: Final = [wish for wish in _WISHES if ":from}" in wish[1]]


def _wish(rng: random.Random, among: list[tuple[str, str, tuple[str, ...]]] = _WISHES) -> Filled:
    return filled(*rng.choice(among), rng)


def said_near_verbatim(rng: random.Random) -> Iterator[Row]:
    """One turn that asks for something: told as it is, or with one point wrong."""
    wish = _wish(rng)
    core, frames = request(wish, rng)
    text, beside = turn(core, rng)
    turns = around([("c", text)], rng, most=1) if rng.random() < 0.35 else [("c", text)]
    told = wish.told if rng.random() < 0.75 else third_person(wish.rewritten())
    yield row(turns, tell(frames, rng, wish=told), True, "wish", rng)
    false: list[tuple[str, str]] = []
    if changed := wish.changed(rng, others=beside):
        false += [("changed", tell(frames, rng, wish=third_person(changed[0])))] * 3
    if (swapped := wish.swapped()) and rng.random() < 0.6:
        false += [("swapped", tell(frames, rng, wish=third_person(swapped)))] * 4
    false += [
        ("negated", tell(scenes.TOLD_REFUSING, rng, wish=told)),
        ("outcome", tell(scenes.TOLD_DONE, rng, wish=told)),
        ("role", tell(scenes.TOLD_OF_AGENT, rng, wish=told)),
        ("other", tell(frames, rng, wish=_wish(rng).told)),
    ]
    for kind, hypothesis in rng.sample(false, rng.choice((1, 1, 2))):
        yield row(turns, hypothesis, False, kind, rng)


def ends_exchanged(rng: random.Random) -> Iterator[Row]:
    """From and to: in order, in the other order of words, and exchanged."""
    wish = _wish(rng, _WITH_ENDS)
    swapped = wish.swapped()
    if swapped is None:
        return
    core, frames = request(wish, rng)
    turns = [("c", turn(core, rng)[0])]
    if rng.random() < 0.3:
        turns = around(turns, rng, most=1)
    yield row(turns, tell(frames, rng, wish=wish.told), True, "ends_kept", rng)
    yield row(turns, tell(frames, rng, wish=third_person(swapped)), False, "swapped", rng)


def taken_back_or_corrected(rng: random.Random) -> Iterator[Row]:
    """A value that a later turn replaces; a wish that a later turn takes back."""
    wish = _wish(rng, _WITH_VALUES)
    core, frames = request(wish, rng)
    first = ("c", turn(core, rng)[0])
    talk = small_talk(rng) if rng.random() < 0.5 else small_talk(rng)[:1]
    if rng.random() < 0.25:
        turns = [first, *talk, ("c", rng.choice(scenes.TAKEN_BACK))]
        yield row(turns, tell(frames, rng, wish=wish.told), False, "taken_back", rng)
        yield row([first, *talk], tell(frames, rng, wish=wish.told), True, "not_taken_back", rng)
        return
    place = rng.choice([place for place in wish.values if not place.startswith("{item")])
    if ":from" in place and rng.random() < 0.7:
        place = place.replace(":from", ":to") if place.replace(":from", ":to") in wish.values else place
    kind, old = wish.values[place]
    new = near(kind, old, rng)
    corrected = third_person(wish.with_values(wish.values | {place: (kind, new)}))
    said = rng.choice(scenes.CORRECTIONS).format(value=new)
    turns = [first, *talk, ("c", said)] if rng.random() < 0.8 else [("c", f"{core} {said}")]
    yield row(turns, tell(frames, rng, wish=wish.told), False, "superseded", rng)
    yield row(turns, tell(frames, rng, wish=corrected), True, "corrected", rng)


def offered(rng: random.Random) -> Iterator[Row]:
    """What the agent offers is not what the customer asked for, unless they take it."""
    wish, other = _wish(rng), _wish(rng)
    core, _ = request(wish, rng)
    offer = rng.choice(scenes.OFFERS).format(wish=third_person(other.said).replace("their", "your"))
    answer, taken, refused = rng.choice(
        [(text, False, True) for text in scenes.TURNED_DOWN]
        + [(text, False, False) for text in scenes.UNDECIDED]
        + [(text, True, False) for text in scenes.TAKEN] * 2
        + [("", False, False)] * 4
    )
    turns = [("c", turn(core, rng)[0]), ("a", offer), *([("c", answer)] if answer else [])]
    if rng.random() < 0.3:
        turns = turns[1:]
    yield row(turns, tell(scenes.TOLD, rng, wish=other.told), taken, "offer_taken" if taken else "offer", rng)
    if refused:
        yield row(turns, tell(scenes.TOLD_REFUSING, rng, wish=other.told), True, "offer_refused", rng)
    elif taken:
        yield row(turns, tell(scenes.TOLD_REFUSING, rng, wish=other.told), False, "offer_taken_negated", rng)
    elif not answer and len(turns) > 1:
        yield row(turns, tell(scenes.TOLD, rng, wish=wish.told), True, "wish_beside_offer", rng)


def value_of_agent(rng: random.Random) -> Iterator[Row]:
    """A value that only the agent named."""
    wish = _wish(rng, _WITH_VALUES)
    changed = wish.changed(rng)
    if changed is None:
        return
    core, frames = request(wish, rng)
    reply = (
        f"I'm afraid that is not possible. {rng.choice(scenes.OFFERS).format(wish=changed[0].replace('my', 'your'))}"
    )
    answer = rng.choice((*scenes.UNDECIDED, *scenes.TURNED_DOWN))
    turns = [("c", turn(core, rng)[0]), ("a", reply), ("c", answer)][: rng.choice((2, 3))]
    yield row(turns, tell(frames, rng, wish=third_person(changed[0])), False, "value_of_agent", rng)
    yield row(turns, tell(frames, rng, wish=wish.told), True, "wish_beside_value", rng)


def refused(rng: random.Random) -> Iterator[Row]:
    """Not this, but that."""
    one, other = _wish(rng), _wish(rng)
    no = rng.choice(scenes.REFUSALS).format(wish=one.said)
    yes, frames = request(other, rng)
    both = f"{no} {yes}" if rng.random() < 0.5 else f"{yes} {no}"
    turns = [("c", turn(both if rng.random() < 0.7 else no, rng)[0])]
    yield row(turns, tell(scenes.TOLD, rng, wish=one.told), False, "refused_as_wish", rng)
    if rng.random() < 0.6:
        yield row(turns, tell(scenes.TOLD_REFUSING, rng, wish=one.told), True, "refused", rng)
    if both in turns[0][1]:
        yield row(turns, tell(frames, rng, wish=other.told), True, "wish_beside_refusal", rng)


def asked(rng: random.Random) -> Iterator[Row]:
    """A question: told as one, told with a value changed, told as a wish."""
    said, told, items = rng.choice(_QUESTIONS)
    question = filled("question", said, items, rng)
    answer = question.with_values
    text, beside = turn(question.said, rng)
    turns = around([("c", text)], rng, most=1) if rng.random() < 0.3 else [("c", text)]
    retold = Filled("question", told, question.values, items)
    yield row(turns, tell(scenes.TOLD_QUESTION, rng, what=retold.said), True, "asked", rng)
    false = [("asked_as_said", tell(scenes.TOLD_REMARK, rng, what=third_person(answer(question.values).rstrip("?"))))]
    if changed := retold.changed(rng, others=beside):
        false += [("asked_changed", tell(scenes.TOLD_QUESTION, rng, what=changed[0]))] * 3
    if swapped := retold.swapped():
        false += [("asked_swapped", tell(scenes.TOLD_QUESTION, rng, what=swapped))] * 3
    other = filled("", *rng.choice(_QUESTIONS)[1:], rng)
    false += [("asked_other", tell(scenes.TOLD_QUESTION, rng, what=other.said))]
    false += [("asked_as_wish", tell(scenes.TOLD, rng, wish=_wish(rng).told))]
    for kind, hypothesis in rng.sample(false, 1):
        if other.phrase != told or kind != "asked_other":
            yield row(turns, hypothesis, False, kind, rng)


def remarked(rng: random.Random) -> Iterator[Row]:
    """Something said about themselves: as it is, with a value changed, or turned round."""
    said, told, items = rng.choice(_REMARKS)
    remark = filled("remark", said, items, rng)
    core = remark.said
    if rng.random() < 0.5:
        core = f"{core} {request(_wish(rng), rng)[0]}"
    text, beside = turn(core, rng)
    retold = Filled("remark", told, remark.values, items)
    yield row([("c", text)], tell(scenes.TOLD_REMARK, rng, what=retold.said), True, "said", rng)
    false = [("said_by_agent", f"The agent said that {retold.said}.")]
    if changed := retold.changed(rng, others=beside):
        false += [("said_changed", tell(scenes.TOLD_REMARK, rng, what=changed[0]))] * 3
    if swapped := retold.swapped():
        false += [("said_swapped", tell(scenes.TOLD_REMARK, rng, what=swapped))] * 4
    for verb, denied in (
        (" is ", " is not "),
        (" are ", " are not "),
        (" were ", " were not "),
        (" had ", " had not "),
    ):
        if verb in retold.said and " not " not in retold.said:
            false += [("said_negated", tell(scenes.TOLD_REMARK, rng, what=retold.said.replace(verb, denied, 1)))] * 2
            break
    kind, hypothesis = rng.choice(false)
    yield row([("c", text)], hypothesis, False, kind, rng)


def two_wishes(rng: random.Random) -> Iterator[Row]:
    """Two things asked for in one turn or two: each is told truly, a mix of their values is not."""
    one = _wish(rng, _WITH_VALUES)
    other = filled(*rng.choice(_WITH_VALUES), rng)
    first, frames = request(one, rng)
    second, frames_of_second = request(other, rng)
    turns = [("c", f"{first} {rng.choice(('Also, ', 'And ', 'Besides, ', ''))}{second}")]
    if rng.random() < 0.4:
        turns = [("c", first), *small_talk(rng)[:1], ("c", second)]
    yield row(turns, tell(frames, rng, wish=one.told), True, "first_of_two", rng)
    yield row(turns, tell(frames_of_second, rng, wish=other.told), True, "second_of_two", rng)
    if changed := one.changed(rng, others=list(other.values.values())):
        yield row(turns, tell(frames, rng, wish=third_person(changed[0])), False, "value_of_other_wish", rng)
    if changed := other.changed(rng, others=list(one.values.values())):
        yield row(turns, tell(frames_of_second, rng, wish=third_person(changed[0])), False, "value_of_other_wish", rng)


KINDS_OF_ROWS: Final[tuple[tuple[Maker, int], ...]] = (
    (said_near_verbatim, 10),
    (ends_exchanged, 4),
    (taken_back_or_corrected, 4),
    (offered, 4),
    (value_of_agent, 2),
    (refused, 3),
    (asked, 4),
    (remarked, 3),
    (two_wishes, 2),
)


def rows(count: int, *, seed: int) -> list[Row]:
    """About `count` rows, the same for the same seed."""
    rng = random.Random(seed)
    makers, weights = zip(*KINDS_OF_ROWS, strict=True)
    found: list[Row] = []
    while len(found) < count:
        found += rng.choices(makers, weights)[0](rng)
    return found
