"""What do retrieval sets hold? Four formats, read into one shape: collections of passages, and questions with the
passages that answer them.

LoCoMo (long conversations, questions in five categories), XQuAD (paragraphs and questions) and Cranfield (abstracts and
queries with graded relevance). Files are read, never kept: their licences differ. The fourth is our own
(sets/everyday.json): what agents remember in everyday work, with questions that nothing there answers.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from memoryhub.errors import Invalid
from memoryhub.vocabulary import Kind

_TURN = re.compile(r"D:?(\d+):(\d+)")
_ADVERSARIAL: Final = "5"  # evidence is what the other person said; reported apart, never in an average
#: Cranfield's codes: 1 answers completely … 4 is of minimum interest (cranqrel.readme).
_GRADES: Final = {"1": 4, "2": 3, "3": 2, "4": 1}


@dataclass(frozen=True)
class Passage:
    """One text to be found: who said it, when, and in which conversation, where the set tells."""

    ref: str
    text: str
    speaker: str = ""
    said_at: datetime | None = None
    session: str = ""
    kind: Kind = Kind.EPISODIC
    key: str | None = None


@dataclass(frozen=True)
class Question:
    """One question; `answers` maps passages to how relevant they are: none, where nothing answers it. `counts`: whether
    it belongs in the average.
    """

    text: str
    category: str
    answers: Mapping[str, int]
    counts: bool = True


@dataclass(frozen=True)
class Collection:
    """What is stored for one subject, and what is asked about it."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...] = field(repr=False)


def read(dataset: str, path: Path) -> list[Collection]:
    """The collections of `path`. Raises Invalid for a set that is not known or a file that is not in its form."""
    reader = READERS.get(dataset)
    if reader is None:
        raise Invalid(errors={"dataset": [f"One of: {', '.join(READERS)}."]})
    try:
        found = list(reader(path))
        if not found:
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise Invalid(errors={"file": [f"{path} is not a {dataset} file ({type(error).__name__})."]}) from error
    return found


def _locomo(path: Path) -> Iterator[Collection]:
    for number, item in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        passages = tuple(_turns(item["conversation"]))
        known = {passage.ref for passage in passages}
        questions = []
        for asked in item["qa"]:
            named = [f"D{int(a)}:{int(b)}" for text in asked["evidence"] for a, b in _TURN.findall(text)]
            answers = dict.fromkeys((ref for ref in named if ref in known), 1)
            category = str(asked["category"])
            if answers:
                questions.append(Question(asked["question"], category, answers, counts=category != _ADVERSARIAL))
        yield Collection(str(item.get("sample_id", number)), passages, tuple(questions))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Passage]:
    number = 1
    while f"session_{number}" in conversation:
        began = datetime.strptime(f"{conversation[f'session_{number}_date_time']} +0000", "%I:%M %p on %d %B, %Y %z")
        for place, turn in enumerate(conversation[f"session_{number}"]):
            yield Passage(
                turn["dia_id"], turn["text"], turn["speaker"], began + timedelta(seconds=place),
                f"session-{number}",
            )  # fmt: skip
        number += 1


def _xquad(path: Path) -> Iterator[Collection]:
    paragraphs = [
        each for article in json.loads(path.read_text(encoding="utf-8"))["data"] for each in article["paragraphs"]
    ]
    passages = tuple(Passage(str(number), each["context"]) for number, each in enumerate(paragraphs))
    questions = tuple(
        Question(asked["question"], "all", {str(number): 1})
        for number, each in enumerate(paragraphs)
        for asked in each["qas"]
    )
    yield Collection(path.stem, passages, questions)


def _cranfield(path: Path) -> Iterator[Collection]:
    folder = path if path.is_dir() else path.parent
    passages = tuple(
        Passage(number, text) for number, text in _smart((folder / "cran.all.1400").read_text(encoding="latin-1"))
    )
    known = {passage.ref for passage in passages}
    answers: dict[str, dict[str, int]] = {}
    for line in (folder / "cranqrel").read_text().splitlines():
        asked, passage, code = line.split()[:3]
        if passage in known and code in _GRADES:
            answers.setdefault(asked, {})[passage] = _GRADES[code]
    texts = [text for _, text in _smart((folder / "cran.qry").read_text(encoding="latin-1"))]
    # Judgements count the queries from 1 in order; the numbers in the file of queries have gaps.
    questions = tuple(
        Question(text, "all", answers[str(place)]) for place, text in enumerate(texts, 1) if str(place) in answers
    )
    yield Collection("cranfield", passages, questions)


def _everyday(path: Path) -> Iterator[Collection]:
    for item in json.loads(path.read_text(encoding="utf-8"))["collections"]:
        passages = tuple(
            Passage(
                each["ref"], each["text"], each.get("speaker", ""),
                datetime.fromisoformat(each["said_at"]) if "said_at" in each else None,
                each.get("session", ""), Kind(each["kind"]), each.get("key"),
            )
            for each in item["passages"]
        )  # fmt: skip
        questions = tuple(
            Question(each["text"], each["kind"], dict.fromkeys(each["answers"], 1), counts=bool(each["answers"]))
            for each in item["questions"]
        )
        yield Collection(item["name"], passages, questions)


def _smart(text: str) -> Iterator[tuple[str, str]]:
    """Number and words (.W) of every record of a SMART file; records without words are left out."""
    for record in re.split(r"(?m)^\.I +", text)[1:]:
        number, _, rest = record.partition("\n")
        words = " ".join(re.split(r"(?m)^\.[A-Z]\s*$", rest.partition(".W\n")[2])[0].split())
        if words:
            yield str(int(number)), words


READERS: Final[Mapping[str, Callable[[Path], Iterator[Collection]]]] = {
    "locomo": _locomo, "xquad": _xquad, "cranfield": _cranfield, "everyday": _everyday,
}  # fmt: skip
