"""What did the customer want? One sentence, built from the customer's own request, or none (R72).

The request is found by its grammar (`requests`) and chosen by its weight and by how near it is to the whole session;
its verb, object and values are copied into the third person (`third_person`). It is kept only if no check objects
(`intent_checks`) and the entailment model finds it in the turn that carries it and in all that the customer said.
Silence is a good answer. The same turns always give the same sentence (R75).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.dreams import requests
from memoryhub.dreams.copied_words import content_of
from memoryhub.dreams.intent_checks import SUBJECT, Draft, first_fault
from memoryhub.dreams.request_frames import DONE, is_vague
from memoryhub.dreams.requests import Request
from memoryhub.dreams.third_person import third_person

#: Texts to vectors of length one, in order (providers/embeddings.py).
Embed = Callable[[Sequence[str]], list[list[float]]]
#: Of (premise, hypothesis) pairs the probability that the first entails the second (providers/entailment.py).
Entails = Callable[[Sequence[tuple[str, str]]], list[float]]

#: Set on the labelled pairs of evaluation/sets/intent-sessions.jsonl, never on recorded sessions (docs/intent.md).
ON_THE_TURN: Final = 0.7
ON_THE_WHOLE: Final = 0.7
ASKED: Final = 6  # drafts shown to the model, best first
NEARNESS: Final = 0.5  # how much being near the whole session weighs beside the form of the request
FULL: Final = 0.15  # how much a sentence that says more weighs
LATER: Final = 0.06  # what each later turn loses: people begin with what they came for
WINDOW: Final = 900  # characters of one premise: what the model reads of it


@dataclass(frozen=True)
class Intent:
    """A sentence that passed: the place of the turn that carries it, and what the model made of it."""

    sentence: str
    turn: int
    on_the_turn: float
    on_the_whole: float


def of(turns: Sequence[str], *, embed: Embed, entails: Entails, proposals: Sequence[str] = ()) -> Intent | None:
    """The sentence for a session, from its customer's turns in order; "" stands for a turn whose words may not be used.

    `proposals`: sentences of a generator, tried first; they pass the same checks, or are dropped.
    Raises ModelUnavailable where nothing can be embedded.
    """
    drafts = [*_believable(proposals, turns), *composed(turns, embed=embed)][:ASKED]
    premises = [(as_said(draft.turns[draft.turn]), *whole(draft.turns, draft.turn)) for draft in drafts]
    pairs = [(premise, draft.sentence) for draft, those in zip(drafts, premises, strict=True) for premise in those]
    scores = iter(entails(pairs) if pairs else ())
    for draft, those in zip(drafts, premises, strict=True):
        on_the_turn, *on_the_whole = [next(scores) for _ in those]
        if on_the_turn >= ON_THE_TURN and min(on_the_whole) >= ON_THE_WHOLE:
            return Intent(draft.sentence, draft.turn, on_the_turn, min(on_the_whole))
    return None


def composed(turns: Sequence[str], *, embed: Embed) -> list[Draft]:
    """Every sentence that no check objects to, the likeliest first; of each request the fullest that passes."""
    found = []
    for request in requests.read(turns):
        passing = (draft for draft in drafts_of(request, turns) if not first_fault(draft))
        if (draft := next(passing, None)) is not None:
            found.append((request.weight, draft))
    if len(found) < 2:
        return [draft for _, draft in found]
    near = _nearness([draft.sentence for _, draft in found], turns, embed)
    scores = [
        round(weight + NEARNESS * nearness - LATER * draft.turn + FULL * _fullness(draft), 6)
        for (weight, draft), nearness in zip(found, near, strict=True)
    ]
    return [found[place][1] for place in sorted(range(len(found)), key=lambda place: (-scores[place], place))]


def _believable(proposals: Sequence[str], turns: Sequence[str]) -> Iterator[Draft]:
    """Each proposal as a telling of the request it shares most words with, where no check objects."""
    found = requests.read(turns) if proposals else []
    for sentence in proposals:
        shared = {place: len(content_of(sentence) & content_of(request.clause)) for place, request in enumerate(found)}
        nearest = max(shared, key=shared.__getitem__, default=None)
        if nearest is not None and shared[nearest]:
            draft = _draft(sentence, found[nearest], turns)
            if not first_fault(draft):
                yield draft


def _draft(sentence: str, request: Request, turns: Sequence[str]) -> Draft:
    rest_of_turn = f"{request.rest} {turns[request.turn][request.after :]}".strip()
    return Draft(sentence, request.clause, request.turn, tuple(turns), (rest_of_turn, *turns[request.turn + 1 :]))


def drafts_of(request: Request, turns: Sequence[str]) -> Iterator[Draft]:
    """The request told in full, then with less and less behind it; nothing here is checked."""
    for words in shortened(request.words):
        told = third_person(words)
        if told is not None:
            yield _draft(f"{SUBJECT} {request.lead} {told}.", request, turns)


#: Where a phrase begins that may go: what is left is then less, and still true.
_BOUNDARY = re.compile(
    r"(?i)\s{1,9}(?=(?:from|on|for|at|in|by|with|until|till|before|after|starting|since|under|via|near|between|to(?= "
    r"(?:the|a|an|my|our|\d|(?-i:[A-Z])|[a-z]{1,60}day)))\s)"
    rf"|\s{{1,9}}(?=and (?:also )?(?:{DONE})\b)"
)
_ENOUGH = re.compile(
    r"(?i)\b(?:a|an|the|my|our|their|some|any|another|more|\d{1,60}|two|three|all|both|refund)\b (?:\w{1,60} "
    r"){0,12}\S{1,80}"
)
_PAIR = re.compile(r"(?i)\s{1,9}(?:from|between)\s{1,9}\S{1,80}(?:\s{1,9}\S{1,80}){0,3}$")
#: What can't be the end: it would lack what it leads to.
_LEFT_OPEN = re.compile(
    r"(?i)(?:\b(?:a|an|the|my|our|of|to|for|from|on|at|in|by|with|within|about|into|off|and|or|is|are|was|be|been|"
    r"that|if|whether|how|what|"
    r"which|not|i|we|me|way|chance|possibility|able|number|no|ids?|any|some|more|than|sure)|'s)$"
)
#: A clause of its own: nothing behind it is only an addition.
_CLAUSE = re.compile(
    r"(?i)\b(?:if|whether|how|what|why|where|when|which|who|that|because|while|than|i|we|is|are|was|were)\b"
)


#: The number of a contract or order behind its name.
_IDS = re.compile(r"(?i)(?<=[a-z])(?: (?:number|no\.?|id|ref(?:erence)?))?:? #?(?=[\w-]*\d)[\w-]{4,}$")


def shortened(words: str) -> Iterator[str]:
    """The words, then the words without their last phrase, and so on, while an object is left."""
    yield words
    for match in reversed(list(_BOUNDARY.finditer(words))):
        shorter = words[: match.start()]
        if re.match(r"(?i)\s+(?:to|until|till|and)\s", words[match.start() :]):
            shorter = _PAIR.sub("", shorter)
        if (
            _ENOUGH.search(shorter)
            and not _LEFT_OPEN.search(shorter)
            and not _CLAUSE.search(shorter)
            and not is_vague(shorter)
        ):
            yield shorter.strip(" ,")
    nameless = _IDS.sub("", words)
    if nameless != words and _ENOUGH.search(nameless) and not _LEFT_OPEN.search(nameless):
        yield nameless


def _nearness(told: Sequence[str], turns: Sequence[str], embed: Embed) -> list[float]:
    """How near each sentence is to the session as a whole, as cosine."""
    whole, *vectors = embed([" ".join(turn for turn in turns if turn)[:WINDOW], *told])
    return [sum(a * b for a, b in zip(vector, whole, strict=True)) for vector in vectors]


def _fullness(draft: Draft) -> float:
    """0..1: "their booking" says less than "their booking for Leeds"."""
    return min(len(draft.told.split()), 12) / 12


def as_said(turn: str) -> str:
    """One turn as a premise."""
    return f"Customer: {' '.join(turn.split())}"


def whole(turns: Sequence[str], carrying: int) -> list[str]:
    """All that the customer said, as premises the model can read to their end: each holds the turn that carries it."""
    lines = [as_said(turn) for turn in turns if turn.strip()]
    everything = "\n".join(lines)
    if len(everything) <= WINDOW:
        return [everything]
    first = as_said(turns[carrying])
    windows, lines = [], [as_said(turn) for turn in turns[carrying + 1 :] if turn.strip()]
    window = first
    for line in lines:
        if len(window) + len(line) > WINDOW and window != first:
            windows.append(window)
            window = first
        window = f"{window}\n{line}"
    return [*windows, window]
