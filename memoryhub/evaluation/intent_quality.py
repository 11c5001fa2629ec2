"""Which sentence does each session get, and is it true? What the intent of R72 is measured on.

Sessions come from our own set (sets/intent-sessions.jsonl: many trades, with changes of mind, declined offers, third
persons, negations, quotations, irony, attacks, and nothing asked at all), or from recorded turns (one POST /turns body
a line). A person's verdicts on sentences (sets/intent-verdicts.jsonl) are put beside them; a sentence that nobody has
read yet counts as unread, never as true. Of recorded sessions the verdict holds a hash, not the words.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memoryhub.dreams import intent
from memoryhub.errors import Invalid
from memoryhub.providers import embeddings, entailment

SETS: Final = Path(__file__).parent / "sets"
OWN: Final = SETS / "intent-sessions.jsonl"
VERDICTS: Final = SETS / "intent-verdicts.jsonl"
#: Sentences over our own sessions that somebody labelled by hand: on them the thresholds were set.
THRESHOLDS: Final = (*(step / 20 for step in range(1, 20)), 0.97, 0.99)


@dataclass(frozen=True)
class Talk:
    """What the customer said in one session, turn by turn; `true` and `false`: sentences labelled by hand."""

    ref: str
    turns: tuple[str, ...]
    domain: str = ""
    kind: str = ""
    true: tuple[str, ...] = ()
    false: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """One session's sentence ("" for silence), and a reader's verdict on it: None where nobody has read it."""

    ref: str
    sentence: str
    on_the_turn: float
    on_the_whole: float
    verdict: bool | None
    why: str

    def as_json(self) -> dict[str, Any]:
        scores = {"turn": round(self.on_the_turn, 3), "whole": round(self.on_the_whole, 3)}
        return {"session": self.ref, "sentence": self.sentence, **scores, "true": self.verdict, "why": self.why}


@dataclass
class Figures:
    """What came of all sessions."""

    lines: list[Line] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        told = [line for line in self.lines if line.sentence]
        true = sum(line.verdict is True for line in told)
        false = sum(line.verdict is False for line in told)
        return {
            "sessions": len(self.lines),
            "sentences": len(told),
            "share_with_a_sentence": round(len(told) / max(1, len(self.lines)), 3),
            "read_true": true,
            "read_false": false,
            "unread": len(told) - true - false,
            "share_true_of_read": round(true / (true + false), 3) if true + false else None,
        }


def talks(path: Path | None = None) -> list[Talk]:
    """The sessions of a file: our own set where none is named, else recorded turns or a set in its form.

    Raises Invalid.
    """
    path = path or OWN
    path = path / "turns.jsonl" if path.is_dir() else path
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return list(_own(rows) if rows and "turns" in rows[0] else _recorded(rows))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Invalid(errors={"sessions": [f"{path} holds no sessions ({type(error).__name__})."]}) from error


def measure(
    found: Iterable[Talk], *, entails: intent.Entails | None = None, said: Callable[[Line], object] = str
) -> Figures:
    """Compose for every session. `entails`: another model than the hub's own."""
    figures, verdicts = Figures(), _verdicts()
    for talk in found:
        wanted = intent.of(talk.turns, embed=embeddings.embedder().embed, entails=entails or entailment.entails)
        sentence = wanted.sentence if wanted else ""
        verdict, why = verdicts.get((talk.ref, hashed(sentence)), (None, ""))
        scores = (wanted.on_the_turn, wanted.on_the_whole) if wanted else (0.0, 0.0)
        line = Line(talk.ref, sentence, *scores, verdict, why)
        figures.lines.append(line)
        said(line)
    return figures


@dataclass(frozen=True)
class Bar:
    """What one threshold, on the turn and on the whole, keeps of the sentences labelled by hand."""

    at: float
    true_kept: float
    false_kept: float
    precision: float

    def as_json(self) -> dict[str, float]:
        return {name: round(value, 3) for name, value in vars(self).items()}


def bars(found: Sequence[Talk], *, entails: intent.Entails | None = None) -> list[Bar]:
    """By threshold, what the model does to labelled sentences: best turn and whole, as a dream asks."""
    labelled = [(talk, sentence, label) for talk in found for sentence, label in _labelled(talk)]
    scores = [_score(talk.turns, sentence, entails or entailment.entails) for talk, sentence, _ in labelled]
    told = list(zip(scores, (label for _, _, label in labelled), strict=True))
    return [_bar(at, told) for at in THRESHOLDS]


def _labelled(talk: Talk) -> list[tuple[str, bool]]:
    return [*((sentence, True) for sentence in talk.true), *((sentence, False) for sentence in talk.false)]


def _score(turns: Sequence[str], sentence: str, entails: intent.Entails) -> float:
    carried = entails([(intent.as_said(turn), sentence) for turn in turns])
    best = max(range(len(turns)), key=carried.__getitem__)
    return min(carried[best], *entails([(premise, sentence) for premise in intent.whole(turns, best)]))


def _bar(at: float, told: Sequence[tuple[float, bool]]) -> Bar:
    kept = [label for score, label in told if score >= at]
    true, false = sum(label for _, label in told), sum(not label for _, label in told)
    return Bar(at, sum(kept) / max(1, true), (len(kept) - sum(kept)) / max(1, false), sum(kept) / max(1, len(kept)))


def believe_all(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Instead of a model: what the checks alone let through."""
    return [1.0] * len(pairs)


def hashed(sentence: str) -> str:
    return hashlib.sha256(sentence.encode()).hexdigest()[:16]


def _own(rows: Sequence[dict[str, Any]]) -> Iterator[Talk]:
    for row in rows:
        turns = tuple(str(turn["customer"]) for turn in row["turns"])
        labelled = (tuple(row.get("true", ())), tuple(row.get("false", ())))
        yield Talk(row["id"], turns, row["domain"], row["kind"], *labelled)


def _recorded(rows: Sequence[dict[str, Any]]) -> Iterator[Talk]:
    sessions: dict[str, list[str]] = {}
    for row in rows:
        sessions.setdefault(row["session_id"], []).append("" if row.get("quarantined") else row["user_input"])
    for ref, turns in sessions.items():
        yield Talk(ref, tuple(turns))


def _verdicts() -> dict[tuple[str, str], tuple[bool, str]]:
    if not VERDICTS.is_file():
        return {}
    rows = (json.loads(line) for line in VERDICTS.read_text(encoding="utf-8").splitlines() if line.strip())
    return {(row["session"], row["sentence"]): (row["true"], row.get("why", "")) for row in rows}
