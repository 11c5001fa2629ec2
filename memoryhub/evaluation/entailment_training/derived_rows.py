"""What more do the training files teach? Customer turns told near-verbatim, and captions changed in a word.

Only premises of `train_*` files come in here. A sentence is made of the turn's own words, in the third person; a wrong
one differs in one value, in the order of from and to, in its polarity, in who wants it, or claims that it was done.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memoryhub.evaluation.entailment_training import scenes
from memoryhub.evaluation.entailment_training.rows import LABELS, NOT_ENTAILMENT, Row
from memoryhub.evaluation.entailment_training.telling import tell
from memoryhub.evaluation.entailment_training.values import near, third_person

_NAMED: Final = re.compile(r"(?:^|\s)(customer|user|client|agent|assistant|support):\s*", re.IGNORECASE)
_OF_CUSTOMER: Final = frozenset({"customer", "user", "client"})
_REST: Final = r"\s+([a-z][^.?!\n]{7,110})"
_WISH: Final = re.compile(
    r"\b(?:i(?:'d| would) (?:like|love|prefer) to|i want to|i need to|i wish to|i(?:'m| am) looking to|"
    r"i(?:'m| am) (?:trying|hoping) to|i was hoping to|i have to|i wanted to|help me(?: to)?|can i|could i)" + _REST,
    re.IGNORECASE,
)
_OF_AGENT: Final = re.compile(
    r"\b(?:can you|could you|would you|please)(?: please)?(?: help me)?" + _REST, re.IGNORECASE
)
_THING: Final = re.compile(
    r"\b(?:i(?:'m| am) looking for|i need|i want|i(?:'d| would) like|i(?:'m| am) searching for)\s+"
    r"((?!to\b|you\b|that\b|it\b)[a-z][^.?!\n]{5,110})",
    re.IGNORECASE,
)
_TOLD_OF_AGENT: Final = (
    "{who} asked the agent to {wish}.", "{who} wanted the agent to {wish}.",
    "{who} asked whether the agent could {wish}.", "{who} requested that the agent {wish}.", "{who} asked to {wish}.",
)  # fmt: skip
_TOLD_THING: Final = (
    "{who} asked for {wish}.", "{who} wanted {wish}.", "{who} was looking for {wish}.", "{who} needed {wish}.",
    "{who} requested {wish}.", "{who} would like {wish}.",
)  # fmt: skip
_NOT_THING: Final = ("{who} did not want {wish}.", "{who} said they did not need {wish}.", "{who} turned down {wish}.")
_DONE_THING: Final = (
    "{who} got {wish}.",
    "{who} received {wish}.",
    "{who} already had {wish}.",
    "{who} was refused {wish}.",
)
_AGENT_THING: Final = ("The agent wanted {wish}.", "The agent offered {wish}.", "The agent asked {who} for {wish}.")

_VALUE: Final = re.compile(
    r"(?<!\d)\$?\d[\d:,.]{0,20}(?:\s?[ap]m|th|st|nd|rd)?\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|today|tomorrow|morning|afternoon|evening)\b|"
    r"\b[A-Z][a-z]{1,30}(?: [A-Z][a-z]{1,30}){0,7}\b"
)
_ENDS: Final = re.compile(
    r"\bfrom ((?:[\w'$.,:-]+ ){0,3}?[\w'$.:-]+) (?:to|until) ((?:[\w'$:-]+)(?: [A-Z][\w'-]+){0,2})"
)


def customer_turns(premise: str) -> list[str]:
    """What the customer says in an excerpt; a line without a name is theirs."""
    if not _NAMED.search(premise):
        return [line.strip() for line in premise.split("\n") if line.strip()]
    parts = _NAMED.split(premise)
    named = [(parts[place].lower(), parts[place + 1].strip()) for place in range(1, len(parts) - 1, 2)]
    return [text.split("\n")[0].strip() for name, text in named if name in _OF_CUSTOMER]


def near_verbatim(rows: Iterable[Row], count: int, *, seed: int) -> list[Row]:
    """About `count` rows over single customer turns of these rows."""
    rng = random.Random(seed)
    by_domain: dict[str, set[str]] = {}
    for one in rows:
        domain = ":".join((one.source.split(":")[0], one.source.split(":")[-1]))
        by_domain.setdefault(domain, set()).update(turn for turn in customer_turns(one.premise) if len(turn) < 400)
    asked = [
        (domain, turn, *found)
        for domain, turns in sorted(by_domain.items())
        for turn in sorted(turns)
        if (found := _requested(turn))
    ]
    rng.shuffle(asked)
    values = sorted({value for _, _, _, phrase in asked for value in _VALUE.findall(phrase)})
    made: list[Row] = []
    for domain, turn, kind, phrase in asked:
        if len(made) >= count:
            break
        other = next((p for d, t, k, p in rng.sample(asked, 30) if k == kind and t != turn and _apart(p, turn)), None)
        made += _told(turn, kind, phrase, domain, values, other, rng)
    return made


def _requested(turn: str) -> tuple[str, str] | None:
    for kind, pattern in (("wish", _WISH), ("agent", _OF_AGENT), ("thing", _THING)):
        if (found := pattern.search(turn)) and "not" not in turn[: found.start()].lower().split()[-3:]:
            return kind, found[1].strip(" ,;")
    return None


def _apart(phrase: str, turn: str) -> bool:
    words = set(re.findall(r"\w{4,}", phrase.lower()))
    return len(words & set(re.findall(r"\w{4,}", turn.lower()))) <= len(words) / 3


def _told(
    turn: str, kind: str, phrase: str, domain: str, values: Sequence[str], other: str | None, rng: random.Random
) -> Iterator[Row]:
    yes, no, done, agent = {
        "wish": (scenes.TOLD, scenes.TOLD_REFUSING, scenes.TOLD_DONE, scenes.TOLD_OF_AGENT),
        "agent": (_TOLD_OF_AGENT, scenes.TOLD_REFUSING, scenes.TOLD_DONE, scenes.TOLD_OF_AGENT),
        "thing": (_TOLD_THING, _NOT_THING, _DONE_THING, _AGENT_THING),
    }[kind]
    premise = turn if rng.random() < 0.5 else f"{rng.choice(('Customer', 'Customer', 'User'))}: {turn}"
    told = third_person(phrase)
    if rng.random() < 0.25 and " and " in told and len(told.split(" and ")[0]) > 12:
        told = told.split(" and ")[0]

    def row(hypothesis: str, entailed: bool, what: str) -> Row:
        return Row(premise, hypothesis, LABELS[0] if entailed else NOT_ENTAILMENT, f"turns:{what}:{domain}")

    yield row(tell(yes, rng, wish=told), True, f"told_{kind}")
    false = [
        ("negated", tell(no, rng, wish=told)),
        ("outcome", tell(done, rng, wish=told)),
        ("role", tell(agent, rng, wish=told)),
    ]
    if changed := _with_another_value(phrase, turn, values, rng):
        false += [("changed", tell(yes, rng, wish=third_person(changed)))] * 5
    if (ends := _ENDS.search(phrase)) and ends[1].lower() != ends[2].lower():
        exchanged = (
            phrase[: ends.start(1)] + ends[2] + phrase[ends.end(1) : ends.start(2)] + ends[1] + phrase[ends.end(2) :]
        )
        false += [("swapped", tell(yes, rng, wish=third_person(exchanged)))] * 8
    if other:
        false += [("other", tell(yes, rng, wish=third_person(other)))] * 2
        false += [("added", tell(yes, rng, wish=f"{told} and {third_person(other)}"))]
    what, hypothesis = rng.choice(false)
    yield row(hypothesis, False, what)


def _with_another_value(phrase: str, turn: str, values: Sequence[str], rng: random.Random) -> str | None:
    found = [match for match in _VALUE.finditer(phrase) if match[0] not in ("I", "May I")]
    if not found:
        return None
    at = rng.choice(found)
    if at[0][0] in "$0123456789":
        new = near("code", at[0], rng)
    else:
        alike = [
            value for value in rng.sample(values, min(60, len(values))) if value[0].isupper() == at[0][0].isupper()
        ]
        alike = [value for value in alike if value[0].isalpha() and value.lower() not in turn.lower()]
        if not alike:
            return None
        new = alike[0]
    return phrase[: at.start()] + new + phrase[at.end() :]


_OPPOSITES: Final = (
    ("sitting", "standing"), ("inside", "outside"), ("indoors", "outdoors"), ("man", "woman"), ("boy", "girl"),
    ("up", "down"), ("young", "old"), ("black", "white"), ("big", "small"), ("large", "small"), ("asleep", "awake"),
    ("running", "resting"), ("men", "women"), ("boys", "girls"), ("alone", "together"), ("empty", "full"),
    ("smiling", "crying"), ("day", "night"), ("front", "back"), ("jumping", "lying"), ("walking", "sleeping"),
    ("climbing", "descending"), ("wet", "dry"), ("eating", "cooking"), ("playing", "cleaning"),
    ("holding", "dropping"), ("riding", "repairing"), ("summer", "winter"),
)  # fmt: skip
_WIDER: Final = (
    ("man", "person"), ("woman", "person"), ("men", "people"), ("women", "people"), ("boy", "child"), ("girl", "child"),
    ("boys", "children"), ("girls", "children"), ("dog", "animal"), ("dogs", "animals"), ("guitar", "instrument"),
    ("bike", "vehicle"), ("bicycle", "vehicle"), ("car", "vehicle"), ("shirt", "garment"), ("beach", "shore"),
    ("running", "moving"), ("walking", "moving"), ("soccer", "a sport"), ("kids", "children"), ("street", "road"),
)  # fmt: skip
_PREPOSITIONS: Final = (
    " on ",
    " under ",
    " near ",
    " behind ",
    " in front of ",
    " inside ",
    " over ",
    " away from ",
    " beside ",
)
_DOING: Final = re.compile(r"\b(is|are) (\w+ing)\b")
_DRESSED: Final = re.compile(r"(?<=\w) (?:in|wearing|with) (?:a|an|the) [\w ]{3,30}?(?= (?:is|are) \w+ing)")


def changed_captions(rows: Iterable[Row], count: int, *, seed: int) -> list[Row]:
    """About `count` rows over single sentences of these rows: one word wider, opposite, exchanged or denied."""
    rng = random.Random(seed)
    sentences = sorted({text for row in rows for text in (row.premise, row.hypothesis) if 4 <= len(text.split()) <= 16})
    rng.shuffle(sentences)
    doings = sorted({found[2] for text in sentences if (found := _DOING.search(text))})
    made: list[Row] = []
    for text in sentences:
        if len(made) >= count:
            break
        choices = list(_changes(text, doings, rng))
        chosen = rng.sample(choices, min(2, len(choices)))
        made += [Row(one, other, label, f"captions:{kind}") for one, other, label, kind in chosen]
    return made


def _changes(text: str, doings: Sequence[str], rng: random.Random) -> Iterator[tuple[str, str, str, str]]:
    yes, neutral, no = LABELS
    the = re.sub(r"^(?:A|An) ", "The ", text)
    if the != text:
        yield (text, the, yes, "article") if rng.random() < 0.5 else (the, text, yes, "article")
    if dressed := _DRESSED.search(text):
        bare = text[: dressed.start()] + text[dressed.end() :]
        yield text, bare, yes, "detail_left_out"
        yield bare, text, neutral, "detail_added"
    for one, other in _OPPOSITES:
        for word, new in ((one, other), (other, one)):
            if re.search(rf"\b{word}\b", text):
                yield text, re.sub(rf"\b{word}\b", new, text, count=1), no, "opposite"
    for narrow, wide in _WIDER:
        if re.search(rf"\b{narrow}\b", text):
            wider = re.sub(rf"\b{narrow}\b", wide, text, count=1)
            yield text, wider, yes, "wider"
            yield wider, text, neutral, "narrower"
    if doing := _DOING.search(text):
        denied = f"{text[: doing.end(1)]} not{text[doing.end(1) :]}"
        yield (text, denied, no, "denied") if rng.random() < 0.5 else (denied, text, no, "denied")
        yield text, f"{text[: doing.start(2)]}{rng.choice(doings)}{text[doing.end(2) :]}", NOT_ENTAILMENT, "other_doing"
        if found := re.match(r"(?:A|An|The|One) (\w+)\b", text):
            yield text, f"There is no {found[1]} {text[doing.start(2) :]}", no, "there_is_no"
            ends = re.search(r"\b(?:a|an|the) (\w+)[.]?$", text)
            if ends and ends[1] != found[1]:
                turned = text[: found.start(1)] + ends[1] + text[found.end(1) : ends.start(1)] + found[1]
                yield text, turned + text[ends.end(1) :], NOT_ENTAILMENT, "exchanged"
    for preposition in _PREPOSITIONS:
        if preposition in text:
            new = rng.choice([other for other in _PREPOSITIONS if other != preposition])
            yield text, text.replace(preposition, new, 1), NOT_ENTAILMENT, "preposition"
