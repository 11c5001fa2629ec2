"""Which of a model's proposals stand in the message? Those that are its words, and nothing else (R13).

The model is taken for a stranger who may lie: a claim is believed only as far as its quote is a verbatim part of one
statement of the message, its value stands in that quote, numbers, units and polarity included, and its key is one the
hub could have given. What is kept is cut out of the message, never copied from the model. Pure; what passes here goes
through the rest of the gate as any other claim does.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from memoryhub import conf
from memoryhub.governance.claims import Claim
from memoryhub.governance.keys import TOOL_DOMAINS, snake
from memoryhub.governance.language import may_be
from memoryhub.governance.negations import Polarity, polarity
from memoryhub.governance.pastes import typed_by_the_person
from memoryhub.governance.people import named_other
from memoryhub.governance.sentences import sentences
from memoryhub.providers.claim_model import Heard, ModelClaim
from memoryhub.vocabulary import Form
from memoryhub.working.normalisation import align, listed, tidy

_KEY: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+){0,5}")
_LONGEST_KEY: Final = 64
_NOT: Final = re.compile(r"(?i)not +")
#: Keys of which a person has one; under any other key values stand beside each other, so that none is lost.
_ONE: Final = frozenset(
    listed(
        """
        name first_name last_name full_name preferred_name birthday birthplace nationality gender pronouns age city
        country home_town address delivery_address billing_address email phone job employer role branch plan
        membership account_number customer_number time_zone language diet marital_status
        """
    )
) | {key for key, _ in TOOL_DOMAINS}
#: Scripts that write words, or a word and its particle, without a space between.
_UNSPACED: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uf900-\ufaff]"
)
#: What a number is not to be parted from.
_UNIT: Final = re.compile(r"(?i) ?(?:[%°€$£¥]|(?:[kcm]?[glm]|[kc]?m[²2]|kwh?|h|min|eur|usd|gbp|mph|lbs?|oz)(?!\w))")
_ASKS: Final = re.compile("[?？؟]")
_WORD: Final = re.compile(r"[^\W_]+")
_LEFT_OVER: Final = 3  # words of a sentence that no quote covers: from here on they may state something
_STATES: Final = 2  # words of a whole sentence that may
_DENSE: Final = 6  # letters that count as so many words where words are not written apart


@dataclass(frozen=True)
class Judged:
    """The claims that stand in the message; `detail`: what was proposed and dropped, in plain words without content."""

    claims: tuple[Claim, ...]
    detail: str


def shown(text: str) -> str:
    """What a model is shown of a screened message: what the person typed, questions left out; "" where nothing is
    left.
    """
    return "\n".join(sentence for sentence in _statements(text) if not _ASKS.search(sentence))


def judge(heard: Heard, *, text: str, language: str) -> Judged:
    """Hold proposals against the screened message they are about; at most conf.EXTRACTOR_CLAIMS are taken."""
    kept: dict[tuple[str | None, str], Claim] = {}
    dropped: Counter[str] = Counter()
    if heard.formless:
        dropped["not in the form asked for"] = heard.formless
    statements = [_Copy.of(sentence) for sentence in _statements(text) if not _ASKS.search(sentence)]
    for proposed in heard.claims:
        if len(kept) >= conf.EXTRACTOR_CLAIMS:
            dropped["more than one message has"] += 1
            continue
        found = _claim(proposed, statements, language)
        if isinstance(found, str):
            dropped[found] += 1
        elif kept.setdefault((found.key, found.value or found.quote), found) is not found:
            dropped["said twice"] += 1
    claims = tuple(kept.values())
    detail = f"A model: {len(heard.claims) + heard.formless} proposed"
    for why, count in dropped.items():
        detail += f", {count} dropped: {why}"
    return Judged(claims, f"{detail}.")


def uncovered(text: str, quotes: Iterable[str], *, without: Iterable[str] = ()) -> str:
    """The statements of a message that may say more than these parts of it do, whole and in order; "" where none is.
    Statements that hold any of the words in `without` are left out.
    """
    folded = sorted({_Copy.of(quote).text for quote in quotes} - {""}, key=len, reverse=True)
    barred = [_Copy.of(words).text for words in without]
    left = [sentence for sentence in _statements(text) if not _holds(sentence, barred)]
    return "\n".join(sentence for sentence in left if _says_more(_Copy.of(sentence), folded))


def holds(words: str, others: Iterable[str]) -> bool:
    """Whether any of these other words stand in the words, as they are compared."""
    return _holds(words, [_Copy.of(other).text for other in others])


def _holds(words: str, folded: Sequence[str]) -> bool:
    text = _Copy.of(words).text
    return any(part in text for part in folded if part)


def _says_more(sentence: "_Copy", quotes: Sequence[str]) -> bool:
    left = sentence
    for quote in quotes:
        while (span := left.find(quote)) is not None:
            left = left.without(*span)
    return _size(left.text) >= (_STATES if left is sentence else _LEFT_OVER)


def _size(text: str) -> int:
    dense = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + dense * _LEFT_OVER // _DENSE


def _statements(text: str) -> Iterator[str]:
    """The sentences that the person typed, but for questions."""
    for sentence in sentences(typed_by_the_person(text)):
        if not _ASKS.search(sentence.rstrip("\"'”’») ")[-1:]):
            yield sentence


def _claim(proposed: ModelClaim, statements: Sequence["_Copy"], language: str) -> Claim | str:
    """The claim in the message's own words, or why it is none."""
    wanted = _Copy.of(proposed.quote[: conf.EXTRACTOR_QUOTE * 2]).text.strip(" .,;:!…。！،")
    if not _WORD.search(wanted):
        return "no quote"
    if len(wanted) > conf.EXTRACTOR_QUOTE:
        return "quote too long for one statement"
    found = next(((copy, span) for copy in statements if (span := copy.find(wanted))), None)
    if found is None:
        return "quote not in the message"
    copy, (start, end) = found
    quote = copy.cut(start, end)
    says = partial(polarity, language=language, perhaps=may_be(copy.text))
    beside = says(f"{copy.text[:start]} {copy.text[end:]}")
    if beside is not Polarity.AFFIRMS or says(copy.text) is not says(quote):
        return "a negation may stand beside the quote"
    if proposed.about_other or named_other(copy.original):
        return Claim(
            quote, quote, Form.INFERENCE, about_other=True, language=language
        )  # never a fact about the subject
    key = snake(proposed.key) if _KEY.fullmatch(proposed.key) and len(proposed.key) <= _LONGEST_KEY else ""
    if not key:
        return "key not in the hub's form"
    value = _value(proposed.value, quote, says)
    if value is None:
        return "value not in the quote"
    if isinstance(value, Polarity):
        return "quote and value differ in negation"
    text, negated = value
    one = not negated and (key in _ONE or key.startswith(("preferred_", "favourite_")))
    return Claim(quote, quote, Form.INFERENCE, key=key, value=text, single=one, language=language)


def _value(proposed: str, quote: str, says: Callable[[str], Polarity]) -> tuple[str, bool] | Polarity | None:
    """The value in the quote's own words and whether it denies; None where it does not stand there, UNCLEAR where one
    of the two denies and the other does not, or it can't be told.
    """
    wanted = _Copy.of(proposed[: conf.EXTRACTOR_VALUE * 2]).text.strip(" .,;:!…。！،")
    marked = _NOT.match(wanted)
    if marked:
        wanted = wanted[marked.end() :]
    if not _WORD.search(wanted) or len(wanted) > conf.EXTRACTOR_VALUE:
        return None
    copy = _Copy.of(quote)
    span = copy.find(wanted, any_case=True)
    if span is None:
        return None
    said, told = says(quote), says(wanted)
    denies = bool(marked) or told is Polarity.DENIES
    if Polarity.UNCLEAR in (said, told) or denies != (said is Polarity.DENIES) or (marked and told is Polarity.DENIES):
        return Polarity.UNCLEAR
    value = copy.cut(*span)
    return (f"not {value}" if marked else value), denies


@dataclass(frozen=True)
class _Copy:
    """A text, and its copy for comparing: composed, compatibility forms and digits folded, one space between words.
    Look-alike letters stay what they are.
    """

    original: str
    text: str
    origin: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "_Copy":
        original = tidy(text)
        aligned = align(original)
        pieces: list[str] = []
        origin: list[int] = []
        for index, character in enumerate(aligned.text):
            space = character.isspace()
            if space and (not pieces or pieces[-1] == " "):
                continue
            pieces.append(" " if space else character)
            origin.append(aligned.origin[index])
        return cls(original, "".join(pieces).rstrip(), tuple(origin))

    def find(self, wanted: str, *, any_case: bool = False) -> tuple[int, int] | None:
        """Where the wanted words first stand whole: no word, number or amount is cut."""
        for match in re.finditer(re.escape(wanted), self.text, re.IGNORECASE if any_case else 0):
            if not _cuts_before(self.text, match.start()) and not _cuts_after(self.text, match.end()):
                return match.span()
        return None

    def without(self, start: int, end: int) -> "_Copy":
        """The copy with a gap in place of these words."""
        return _Copy(self.original, f"{self.text[:start]}\n{self.text[end:]}", ())

    def cut(self, start: int, end: int) -> str:
        """The original's words at a place in the copy."""
        return self.original[self.origin[start] : self.origin[end - 1] + 1].strip()


def _cuts_before(text: str, start: int) -> bool:
    if start == 0:
        return False
    before, first = text[start - 1], text[start]
    if _joined(before, first):
        return True
    earlier = text[start - 2] if start > 1 else " "
    if first.isdigit() and before in "€$£¥":
        return True
    if first.isdigit():
        return before in "+-" if not earlier.isalnum() else before in ".,:/'" and earlier.isdigit()
    return False


def _cuts_after(text: str, end: int) -> bool:
    if end == len(text):
        return False
    last, after = text[end - 1], text[end]
    if _joined(last, after):
        return True
    later = text[end + 1] if end + 1 < len(text) else " "
    return last.isdigit() and bool(_UNIT.match(text, end) or (after in ".,:/'-" and later.isdigit()))


def _joined(one: str, other: str) -> bool:
    """Whether two neighbours belong to one word or number."""
    if not (_of_a_word(one) and _of_a_word(other)):
        return False
    return (one.isdigit() and other.isdigit()) or not (_UNSPACED.match(one) or _UNSPACED.match(other))


def _of_a_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")
