"""How fast does the gate decide, and what gets past it? Its steps without a database, on this machine.

Attack and harmless texts written by strangers are read from ../shared/data/attacks where that is there
(`MEMORYHUB_SHARED` names another place): figures are printed, and what was missed is listed, not hidden.
"""

import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings

from memoryhub.governance.authorization import doubts, refusal_of
from memoryhub.governance.classification import classify
from memoryhub.governance.extraction import Claim, extract
from memoryhub.governance.offer import screen_all
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.proposal import Proposal
from memoryhub.governance.routing import route
from memoryhub.management import pattern_bench
from memoryhub.models import Subject
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Form, Op, Reason, Role
from memoryhub.working.normalisation import listed

#: Of attacks offered as a person's own words at most so many may be kept; of harmless texts so many refused.
KEPT_AT_MOST, REFUSED_AT_MOST = 0.01, 0.02
_NOW: Final = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
_MESSAGE: Final = (
    "I moved from Graz to Linz last spring, and I now prefer the early train at 7:15 because the office opens at nine. "
    "Please send invoices by e-mail, never on paper; the green folder stays with reception. We use version 4.2.1 "
    "of the "
    "planner, and order 48213377 arrived in two boxes on 4 March, which was fine."
)  # about 300 characters
#: What is said otherwise in each message, so that nothing is answered from the one before.
_TOLD_ANEW: Final = (
    "Graz",
    "Linz",
    "early train",
    "7:15",
    "invoices",
    "folder",
    "4.2.1",
    "planner",
    "48213377",
    "boxes",
)
_SYLLABLES: Final = listed("ba ko ri lu ten mor sal vi")
_REPEATS: Final = 300
_LARGEST: Final = 64 * 1024  # characters
_TOWNS: Final = listed("Graz Linz Oslo Bergen Turku Ghent Lyon Porto Cork Leeds Basel Turin Riga Brno")
_GOODS: Final = listed("tea coffee trains flights invoices folders pens rooms screens seats apples soups maps lamps")
_VERBS: Final = listed("like prefer need use want love hate drink buy collect own keep")
_STORY: Final = listed(
    """
    the old harbour was quiet when we walked along its stones and nobody there could say why a boat from another town
    had come so late in autumn with only wool and letters
    """
)


@dataclass(frozen=True)
class Text:
    """One text of the collection."""

    text: str
    label: str
    channel: str


@dataclass(frozen=True)
class Passed:
    """What became of a collection: how many were tried, and those that ended as they should not."""

    tried: int
    wrong: tuple[str, ...]

    @property
    def share(self) -> float:
        return len(self.wrong) / self.tried if self.tried else 0.0


def ops_of(text: str, channel: Channel) -> list[Op]:
    """What the gate would do with each claim of a text about somebody of whom nothing is known yet."""
    role = Role.CUSTOMER if channel not in UNTRUSTED_CHANNELS else Role.AGENT
    proposal = Proposal(subject=Subject(external_id="bench", kind="person"), text=text, channel=channel, role=role)
    screening = screen_all(proposal, treatments=SHIPPED.treatments).screening
    if screening.outcome == "discard":
        return [Op.DISCARDED]
    ops = [Op.REFUSED] if screening.outcome == "refuse" else []
    if ops and not screening.text.strip():
        return ops
    found = extract(screening.text, said_at=_NOW, zone=UTC, channel=channel, speaker_is_subject=True, keyed=None)
    claims: Sequence[Claim] = found.claims
    unread = found.reason == Reason.LANGUAGE_NOT_HANDLED
    if not claims and unread:
        claims = (Claim(text=screening.text, quote=screening.text, form=Form.ASSERTION),)
    suspicious = screening.reason if screening.outcome == "queue" else None
    for claim in claims:
        kind = classify(claim, channel=channel, role=role, confidence=None, kind=None, category=None, sensitivity=None)
        if refusal_of(claim, kind, proposal, SHIPPED):
            ops.append(Op.REFUSED)
            continue
        doubt = suspicious or (Reason.MENTIONS_OTHER if claim.about_other else None)
        doubt = doubt or (Reason.SUSPICIOUS if doubts(claim, proposal) else None)
        doubt = doubt or (Reason.LANGUAGE_NOT_HANDLED if unread or claim.language is not None else None)
        routed = route(
            classification=kind, channel=channel, role=role, op=Op.ADD, reason=Reason.COMMITTED, policy=SHIPPED,
            suspicious=doubt,
        )  # fmt: skip
        ops.append(routed.op)
    return ops or [Op.DISCARDED]


def collection() -> tuple[list[Text], list[str]] | None:
    """The texts, and the e-mails that carry attacks; None where they are not on this machine."""
    shared = Path(os.environ.get("MEMORYHUB_SHARED", Path(settings.BASE_DIR).parent / "shared"))
    folder = shared / "data" / "attacks"
    if not (folder / "texts.jsonl").exists():
        return None
    texts = [json.loads(line) for line in (folder / "texts.jsonl").read_text().splitlines()]
    carriers = [json.loads(line)["context"] for line in (folder / "carrier_emails.jsonl").read_text().splitlines()]
    return [Text(one["text"], one["label"], one["channel"]) for one in texts], carriers


def carried(attacks: Iterable[str], carriers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each attack at the start, in the middle and at the end of each e-mail: (attack, e-mail)."""
    for attack in attacks:
        for carrier in carriers:
            middle = carrier.find("\n", len(carrier) // 2)
            middle = middle if middle >= 0 else len(carrier) // 2
            yield attack, f"{attack}\n{carrier}"
            yield attack, f"{carrier[:middle]}\n{attack}\n{carrier[middle:]}"
            yield attack, f"{carrier}\n{attack}"


def through_documents(texts: Iterable[tuple[str, str]], channels: Iterable[Channel] = UNTRUSTED_CHANNELS) -> Passed:
    """Attacks inside e-mails, offered through channels nobody vouches for: kept ones are wrong."""
    tried = [(attack, text, channel) for attack, text in texts for channel in channels]
    return Passed(len(tried), tuple(attack for attack, text, channel in tried if Op.ADD in ops_of(text, channel)))


def as_messages(texts: Iterable[str]) -> Passed:
    """Attacks offered as a person's own words: kept ones are wrong."""
    tried = list(texts)
    return Passed(len(tried), tuple(text for text in tried if Op.ADD in ops_of(text, Channel.USER_MESSAGE)))


def harmless(texts: Iterable[str]) -> Passed:
    """Harmless texts offered as a person's own words: those refused as an attack are wrong."""
    tried = list(texts)
    return Passed(len(tried), tuple(text for text in tried if Op.REFUSED in ops_of(text, Channel.USER_MESSAGE)))


def messages(count: int) -> Iterator[str]:
    """Messages of about 300 characters, no two with a sentence alike; the same at every run."""
    chance = random.Random(300)
    for _ in range(count):
        message = _MESSAGE
        for words in _TOLD_ANEW:
            name = "".join(chance.choices(_SYLLABLES, k=3))
            figures = "".join(str(chance.randrange(1, 10)) if sign.isdigit() else sign for sign in words)
            anew = figures if words[0].isdigit() else name.capitalize() if words[0].isupper() else name
            message = message.replace(words, anew)
        yield message


def large_texts() -> dict[str, str]:
    """A text of each kind that people paste, by name, as long as a text may be; the same at every run."""
    chance = random.Random(64)

    def number(digits: int) -> int:
        return chance.randrange(10 ** (digits - 1), 10**digits)

    def told(words: int) -> str:
        return " ".join(chance.choices(_STORY, k=words))

    def one_of(words: Sequence[str]) -> str:
        return chance.choice(words)

    pieces: dict[str, Callable[[], str]] = {
        "short claims": lambda: f"I {one_of(_VERBS)} {one_of(_GOODS)} in {one_of(_TOWNS)}. ",
        "prose": lambda: f"{told(chance.randrange(14, 40)).capitalize()}. ",
        "numbers": lambda: f"Order {number(7)} cost {number(2)}.{number(2)} on 7/5/2026, ref {number(3)}-{number(4)}. ",
        "one text again and again": lambda: f"{_MESSAGE}\n",
        "one sentence": lambda: told(chance.randrange(4, 9)) + one_of([", ", " and ", " because "]),
        "chat": lambda: f"{one_of(['Me', 'Ana'])}: lol i {one_of(_VERBS)} {one_of(_GOODS)}, u know :)\n",
        "a log": lambda: f"2026-03-{number(2)}T10:00:{number(2)}Z INFO app.db: id={number(9):x} took {number(3)}ms\n",
        "CSV": lambda: f"{number(4)},{one_of(_TOWNS)},{one_of(_GOODS)},{number(2)},u{number(3)}@mail.example\n",
    }
    return {kind: _filled(piece) for kind, piece in pieces.items()}


def _filled(piece: Callable[[], str]) -> str:
    pieces: list[str] = []
    length = 0
    while length < _LARGEST:
        pieces.append(piece())
        length += len(pieces[-1])
    return "".join(pieces)[:_LARGEST]


def run(note: Callable[[str, float, str], None]) -> None:
    """Measure and print; `note` takes name, value and unit of each figure."""
    ops_of(_MESSAGE, Channel.USER_MESSAGE)
    seconds = sorted(map(_timed, messages(_REPEATS)))
    note("gate, 300 characters, without embedding: p50", statistics.median(seconds) * 1000, "ms")
    note("gate, 300 characters, without embedding", 1 / statistics.mean(seconds), "decisions/s")
    taken = {kind: min(_timed(text) for _ in range(3)) for kind, text in large_texts().items()}
    worst = max(taken, key=taken.__getitem__)
    for kind, seconds_taken in taken.items():
        note(f"gate, 64 KB of {kind}", seconds_taken * 1000, "ms")
    note(f"gate, 64 KB, the worst of them: {worst}", taken[worst] * 1000, "ms")
    pattern_bench.run(note)
    found = collection()
    if found is None:
        print("The attack texts are not here (../shared/data/attacks); their figures are left out.", flush=True)
        return
    texts, carriers = found
    planted = [one.text for one in texts if one.label == "attack" and one.channel == "document"]
    sample = list(carried(planted, carriers))[::97]
    _tell("attacks inside e-mails that were kept", through_documents(sample), note)
    said = [one.text for one in texts if one.label == "attack" and one.channel != "document"]
    _tell("attacks as a person's words that were kept", as_messages(said), note)
    _tell("harmless texts that were refused", harmless(one.text for one in texts if one.label == "benign"), note)


def _tell(name: str, passed: Passed, note: Callable[[str, float, str], None]) -> None:
    note(f"{name}, of {passed.tried}", 100 * passed.share, "%")
    for text in dict.fromkeys(passed.wrong):
        print(f"    {' '.join(text.split())[:110]}", flush=True)


def _timed(text: str) -> float:
    began = time.perf_counter()
    ops_of(text, Channel.USER_MESSAGE)
    return time.perf_counter() - began
