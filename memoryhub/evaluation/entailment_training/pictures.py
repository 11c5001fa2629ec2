"""What follows from what is seen in a picture, what does not, and what can't be? Sentences of our own about beings,
what they do, with what and where.

A picture is drawn by chance and told; then told again with words of the same or of wider meaning, with something left
out, as passive or as "there is": that follows. Told with more than was seen, it is open; with an opposite, a denial or
an exchange, it is not so. Both sides may be denied, which turns what follows round. What the words mean: picture_words.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from memoryhub.evaluation.entailment_training import picture_words as words
from memoryhub.evaluation.entailment_training.rows import LABELS, NOT_ENTAILMENT, Row

YES, OPEN, NO = LABELS
_MASS: Final = frozenset({
    "milk", "water", "sauce", "soup", "paint", "dough", "bread", "paper", "piece of wood", "piece of furniture",
})  # fmt: skip
_PLURALS: Final = {
    "man": "men", "woman": "women", "child": "children", "kid": "kids", "person": "people", "fish": "fish",
    "gentleman": "gentlemen", "fisherman": "fishermen", "craftsman": "craftsmen", "sportsperson": "sportspeople",
}  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A word, and what may stand in its place."""

    word: str
    same: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()


@dataclass(frozen=True)
class Picture:
    """What is seen; an empty word where nothing is said of it."""

    being: Word
    doing: Word
    count: str = ""  # "" for one
    of_being: Word = Word("")
    worn: Word = Word("")
    thing: Word = Word("")
    of_thing: Word = Word("")
    place: Word = Word("")
    manner: Word = Word("")


_LEFT_OUT: Final = ("of_being", "worn", "of_thing", "place", "manner")


def _word(line: str) -> Word:
    parts = [tuple(part.strip() for part in column.split(",") if part.strip()) for column in line.split("|")]
    one, same, wider, opposite = parts
    return Word(one[0], same, wider, opposite)


def _table(text: str) -> dict[str, Word]:
    return {(word := _word(line)).word: word for line in text.strip().splitlines()}


_BEINGS, _DOINGS, _PLACES = _table(words.BEINGS), _table(words.DOINGS), _table(words.PLACES)
_OF_BEINGS, _OF_THINGS, _THINGS = _table(words.OF_BEINGS), _table(words.OF_THINGS), _table(words.THINGS)
_WITH_THINGS: Final = [
    (_word(line.partition(":")[0]), tuple(thing.strip() for thing in line.partition(":")[2].split(",")))
    for line in words.DOINGS_WITH_THINGS.replace(":\n", ":").strip().splitlines()
]
_OF_ANIMALS_ALONE: Final = ("running", "walking", "jumping", "sleeping", "sitting", "standing", "swimming")
_OF_EITHER: Final = ("old", "small", "large", "big", "dirty", "clean")  # said of beings and of things
_OF_ANIMAL_DOINGS: Final = ("chasing/chased", "watching/watched")


def drawn(rng: random.Random) -> Picture:
    """A picture by chance."""
    animal = rng.random() < 0.25
    being = _BEINGS[rng.choice(words.ANIMALS if animal else [b for b in _BEINGS if b not in words.ANIMALS])]
    thing = Word("")
    if rng.random() < 0.6 and not animal:
        doing, things = rng.choice(_WITH_THINGS)
        name = rng.choice(things)
        thing = _THINGS.get(name, Word(name))
    elif animal and rng.random() < 0.3:
        doing, things = rng.choice([row for row in _WITH_THINGS if row[0].word in _OF_ANIMAL_DOINGS])
        thing = _THINGS[rng.choice([name for name in things if name in _THINGS])]
    else:
        doing = _DOINGS[rng.choice(_OF_ANIMALS_ALONE if animal else sorted(_DOINGS))]
    manner = rng.choice(words.MANNERS)
    maybe: Callable[[float, Word], Word] = lambda share, word: word if rng.random() < share else Word("")  # noqa: E731
    worn = rng.choice(words.WORN)
    return Picture(
        being,
        doing,
        count=rng.choice(words.COUNTS) if rng.random() < 0.2 else "",
        of_being=maybe(0.4, _OF_BEINGS[rng.choice(words.OF_ANIMALS if animal else words.OF_PEOPLE)]),
        worn=Word("") if animal else maybe(0.3, Word(worn, opposite=(f"no {worn.partition(' ')[2] or worn}",))),
        thing=thing,
        of_thing=maybe(0.35 if thing.word not in {"", *_MASS} else 0.0, _OF_THINGS[rng.choice(sorted(_OF_THINGS))]),
        place=maybe(0.5, _PLACES[rng.choice(sorted(_PLACES))]),
        manner=maybe(0.2, Word(manner[0], tuple(manner[1].split(", ")), (), (manner[2],))),
    )


# Steps: another picture, and what is then true of it.


def _put(picture: Picture, part: str, word: str | Word) -> Picture:
    put: dict[str, Any] = {part: Word(word) if isinstance(word, str) else word}
    return replace(picture, **put)


def _parts(picture: Picture, having: str) -> list[str]:
    return [
        one.name
        for one in fields(picture)
        if one.name != "count" and getattr(picture, one.name).word and getattr(getattr(picture, one.name), having)
    ]


def same(picture: Picture, rng: random.Random) -> Picture:
    """A word of the same meaning in the place of one."""
    if not (parts := _parts(picture, "same")):
        return picture
    part = rng.choice(parts)
    old = getattr(picture, part)
    return _put(picture, part, Word(rng.choice(old.same), (), old.wider, old.opposite))


def wider(picture: Picture, rng: random.Random) -> Picture | None:
    """Less is said: a wider word, or one left out. None where no less can be said."""
    ways: list[Picture] = [_put(picture, part, "") for part in _LEFT_OUT if getattr(picture, part).word]
    ways += [_put(picture, part, rng.choice(getattr(picture, part).wider)) for part in _parts(picture, "wider")]
    if picture.count in words.COUNTS:
        ways.append(replace(picture, count="some"))
    return rng.choice(ways) if ways else None


def broken(picture: Picture, rng: random.Random) -> tuple[Picture, str, str] | None:
    """(not what is seen, its label, its kind)."""
    ways: list[tuple[Picture, str, str]] = []
    for part in _parts(picture, "opposite"):
        label = NOT_ENTAILMENT if part in ("being", "thing", "doing") else NO
        opposite = _put(picture, part, rng.choice(getattr(picture, part).opposite))
        ways += [(opposite, label, f"opposite_{part}")] * (2 if part == "doing" else 1)
    if picture.thing.word in (*words.ANIMALS, "child") and not picture.count and picture.being.word in _BEINGS:
        turned = replace(picture, being=picture.thing, thing=picture.being, of_being=Word(""), of_thing=Word(""))
        ways += [(turned, NOT_ENTAILMENT, "exchanged")] * 3
    if picture.of_thing.word in _OF_EITHER and picture.of_thing.word != picture.of_being.word:
        moved = replace(picture, of_being=picture.of_thing, of_thing=Word(""))
        ways.append((moved, NOT_ENTAILMENT, "of_the_other"))
    if picture.count in words.COUNTS:
        other = rng.choice([count for count in words.COUNTS if count != picture.count])
        ways += [(replace(picture, count=other), NOT_ENTAILMENT, "other_count")] * 2
    return rng.choice(ways) if ways else None


def more(picture: Picture, rng: random.Random) -> Picture | None:
    """Something added that was not seen."""
    other = drawn(rng)
    free = [part for part in _LEFT_OUT if not getattr(picture, part).word and getattr(other, part).word]
    free = [part for part in free if part != "of_thing" or picture.thing.word]
    free = [part for part in free if part not in ("worn", "of_being") or picture.being.word not in words.ANIMALS]
    return _put(picture, part := rng.choice(free), getattr(other, part)) if free else None


# Telling.


def _a(phrase: str) -> str:
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


_OF_ONE: Final = re.compile(r"^(?:is|\w+s)\b")  # the verb of one


def _of_many(verb: re.Match[str]) -> str:
    one = verb[0]
    return "are" if one == "is" else one.removesuffix("es" if one.endswith(("shes", "ches")) else "s")


def _many(phrase: str) -> str:
    """The plural of the noun that a phrase is about."""
    for link in (" who ", " on ", " in ", " that ", " of "):
        if link in phrase:
            head, _, rest = phrase.partition(link)
            return f"{_many(head)}{link}{_OF_ONE.sub(_of_many, rest) if link == ' who ' else rest}"
    first, space, last = phrase.rpartition(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last.endswith("y") and last[-2] not in "aeiou":
        last = f"{last[:-1]}ies"
    else:
        last = f"{last}es" if last.endswith(("s", "x", "ch", "sh")) else f"{last}s"
    return f"{first}{space}{last}"


def _whom(picture: Picture, rng: random.Random, *, article: str) -> str:
    """The being as told, with what is said of it. `article`: a, the or no."""
    noun = _many(picture.being.word) if picture.count else picture.being.word
    of, after = picture.of_being.word, ""
    if of and (" " in of or rng.random() < 0.15) and " who " not in noun:
        after, of = f" who {'are' if picture.count else 'is'} {of}", ""
    phrase = f"{of} {noun}" if of else noun
    if picture.worn.word:
        how = rng.choice((" in ", " wearing ")) if not picture.worn.word.startswith("no ") else " wearing "
        after = f"{how}{picture.worn.word}" if not after else f"{after} and in {picture.worn.word}"
    if article == "no":
        return f"no {phrase}{after}"
    if picture.count:
        return f"{'the ' if article == 'the' and picture.count != 'some' else ''}{picture.count} {phrase}{after}"
    return f"the {phrase}{after}" if article == "the" else f"{_a(phrase)}{after}"


def _what(picture: Picture, article: str) -> str:
    if not picture.thing.word:
        return ""
    phrase = f"{picture.of_thing.word} {picture.thing.word}".strip()
    if article == "the":
        return f"the {phrase}"
    return f"some {phrase}" if picture.thing.word in _MASS and " of " not in phrase else _a(phrase)


def told(picture: Picture, rng: random.Random, *, denied: bool = False, wholly: bool = False) -> str:
    """A sentence. `denied`: that it is not so; `wholly`: of nobody and nothing of the kind."""
    active, _, passive = picture.doing.word.partition("/")
    article = "the" if rng.random() < 0.3 and not wholly else "a"
    thing = _what(picture, "the" if rng.random() < 0.15 and not wholly else "a")
    rest = " ".join(part for part in (picture.manner.word, picture.place.word) if part)
    are = "are" if picture.count else "is"
    way = rng.random()
    if denied and (wholly or way < 0.35):
        many = replace(picture, count="")
        start = "there is no" if rng.random() < 0.7 else "no"
        whom = _whom(many, rng, article="no")
        text = f"{'there is ' if start != 'no' else ''}{whom} {'is ' if start == 'no' else ''}{active} {thing} {rest}"
    elif thing and passive and way < (0.6 if denied else 0.3):
        text = f"{thing} is {'not ' if denied else ''}being {passive} by {_whom(picture, rng, article=article)} {rest}"
    elif way < 0.45 and not denied:
        text = f"there {are} {_whom(picture, rng, article='a')} {active} {thing} {rest}"
    else:
        text = f"{_whom(picture, rng, article=article)} {are} {'not ' if denied else ''}{active} {thing} {rest}"
    text = " ".join(text.split())
    return f"{text[0].upper()}{text[1:]}{'.' if rng.random() < 0.5 else ''}"


def rows(count: int, *, seed: int) -> list[Row]:
    """About `count` rows, the same for the same seed."""
    rng = random.Random(seed)
    made: list[Row] = []
    while len(made) < count:
        made += _rows(rng)
    return made


def _rows(rng: random.Random) -> Iterator[Row]:
    """Of one picture: what follows, and two or three of what does not."""
    picture = drawn(rng)
    follows = picture
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        follows = same(follows, rng)
    less = follows
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        less = wider(less, rng) or less

    def row(one: str, other: str, label: str, kind: str) -> Row:
        return Row(one, other, label, f"pictures:{kind}")

    seen = told(picture, rng)
    yield row(seen, told(less, rng), YES, "follows" if less != follows else "same")
    others: list[Callable[[], Row | None]] = [
        lambda: row(told(less, rng), told(follows, rng), OPEN, "narrower") if less != follows else None,
        lambda: row(seen, told(added, rng), OPEN, "added") if (added := more(less, rng)) else None,
        lambda: row(seen, told(wrong[0], rng), *wrong[1:]) if (wrong := broken(less, rng)) else None,
        lambda: row(seen, told(wrong[0], rng), *wrong[1:]) if (wrong := broken(follows, rng)) else None,
        lambda: row(told(wrong[0], rng), told(less, rng), *wrong[1:]) if (wrong := broken(less, rng)) else None,
        lambda: row(seen, told(less, rng, denied=True), NO, "denied"),
        lambda: row(told(less, rng, denied=True), seen, NO, "denied"),
        lambda: row(seen, told(_other_doing(less, picture, rng), rng), NOT_ENTAILMENT, "other_doing"),
        lambda: row(seen, told(drawn(rng), rng), OPEN, "unrelated"),
        lambda: _both_denied(picture, follows, less, rng),
        lambda: _two(picture, less, rng),
    ]
    for make in rng.sample(others, rng.choice((1, 1, 2))):
        if made := make():
            yield made


def _other_doing(less: Picture, seen: Picture, rng: random.Random) -> Picture:
    """The same beings at something that is not what they were seen doing, however that is called."""
    called = {seen.doing.word, *seen.doing.same, *seen.doing.wider, less.doing.word}
    other = drawn(rng)
    while called & {other.doing.word, *other.doing.same}:
        other = drawn(rng)
    return replace(less, doing=other.doing, thing=other.thing, of_thing=other.of_thing)


def _both_denied(picture: Picture, follows: Picture, less: Picture, rng: random.Random) -> Row:
    """Denied on both sides: that nothing of a wider kind is there says it of the narrower, not the other way."""
    if rng.random() < 0.3:
        one, other, label = picture, _other_doing(less, picture, rng), OPEN
    elif rng.random() < 0.4 or less == follows:
        one, other, label = picture, follows, YES
    else:
        one, other, label = (less, picture, YES) if rng.random() < 0.5 else (picture, less, OPEN)
    whole = one != picture or label == OPEN
    return Row(
        told(replace(one, count=""), rng, denied=True, wholly=whole),
        told(replace(other, count=""), rng, denied=True, wholly=whole),
        label, "pictures:both_denied",
    )  # fmt: skip


def _two(picture: Picture, less: Picture, rng: random.Random) -> Row:
    """Two things seen at once: either follows, and both in the other order; with one of them wrong it does not."""
    beside = drawn(rng)

    def both(one: Picture, other: Picture) -> str:
        first, second = told(one, rng).rstrip("."), told(other, rng)
        return f"{first} and {second[0].lower()}{second[1:]}"

    seen = both(picture, beside)
    way = rng.random()
    if way < 0.25:
        return Row(seen, told(less if rng.random() < 0.5 else same(beside, rng), rng), YES, "pictures:one_of_two")
    if way < 0.5:
        return Row(seen, both(same(beside, rng), less), YES, "pictures:both")
    if way < 0.7:
        return Row(told(picture, rng), both(less, beside), OPEN, "pictures:second_added")
    if wrong := broken(beside, rng):
        return Row(seen, both(less, wrong[0]), NOT_ENTAILMENT, "pictures:second_wrong")
    return Row(seen, both(less, _other_doing(beside, beside, rng)), NOT_ENTAILMENT, "pictures:second_other")
