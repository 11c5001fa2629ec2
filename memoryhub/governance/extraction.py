"""Which claims does a text make? Statements in the speaker's own words, typed where the grammar reads them (R1, R13).

Messages: the person's own first-person words and standing wishes alone. Statements of agents, curators and records: one claim a
sentence. Documents, pages, mail and tool output: keyed statements only. Nothing is guessed: no rule, no claim, and the reason is said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from memoryhub.governance.claims import Claim, Extraction, Reading
from memoryhub.governance.clauses import clauses, expand, is_correction, without_filler
from memoryhub.governance.dates import find_dates, validity, with_absolute_dates
from memoryhub.governance.descriptions import read_description, read_label
from memoryhub.governance.grammar import read
from memoryhub.governance.keys import value_for
from memoryhub.governance.language import ENGLISH, detect
from memoryhub.governance.moods import Mood, is_request, mood_of, speaks_for_somebody_else, without_own_saying
from memoryhub.governance.people import named_other, other_person, relation_of
from memoryhub.governance.sentences import sentences
from memoryhub.governance.wishes import read_wish
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Form, Reason

__all__ = ["Claim", "Extraction", "extract"]

#: Channels whose text is the person's own words; a dream reads the same words again.
_OWN_WORDS = frozenset({Channel.USER_MESSAGE, Channel.USER_PAGE})
#: What a member may speak of without "I": a thing that is the subject, or the speaker's own.
_OF_A_PROJECT = re.compile(r"(?i)^(?:the|this|our|in this) (?:project|repo(?:sitory)?|codebase|service|team|site|account|office|building|warehouse|company|organi[sz]ation)\b")
_MAX_CLAIMS = 50  # of one text: more is a document, not a message
#: "…, it's monthly": what a clause of "not annual" goes on to say.
_FOLLOW_UP = re.compile(r"(?i)^(?:but |now |and now )?(?:it is|that is|but)(?: now| actually| really)? (?P<value>[\w][^,]{0,60})$")
_IDENTIFIER_KEY = re.compile(r"(?:_number|_id|_reference|_code|^reference|^id|user_name|username)$")


@dataclass(frozen=True)
class _Speech:
    """What is known of the whole text while its sentences are read."""

    said_at: datetime
    zone: tzinfo
    channel: Channel
    speaker_is_subject: bool
    language: str

    @property
    def own_words(self) -> bool:
        return self.channel in _OWN_WORDS


@dataclass(frozen=True)
class _Found:
    """What one sentence gave: claims, or the reason why none."""

    claims: tuple[Claim, ...] = ()
    reason: Reason = Reason.ASSERTS_NOTHING
    detail: str = ""
    corrects: bool = False
    asks: bool = False
    fragment: str = ""


def extract(
    text: str,
    *,
    said_at: datetime,
    zone: tzinfo,
    channel: Channel,
    speaker_is_subject: bool = True,
    keyed: tuple[str, str] | None = None,
) -> Extraction:
    """The claims of a screened text (R13). `said_at` is aware; `keyed`: a key and value the caller names, which make one claim."""
    language = detect(text)
    speech = _Speech(said_at, zone, channel, speaker_is_subject, language)
    if keyed:
        key, value = keyed
        statement = text.strip() or f"{key}: {value}"
        return Extraction((_dated(Claim(statement, statement, _form(speech, Mood.ASSERTION), key=key, value=value), speech),), None, "Named by the caller.", language)
    if not re.search(r"[^\W_]", text):
        return Extraction((), Reason.ASSERTS_NOTHING, "There are no words.", language)
    if language != ENGLISH and _only_asks(text):
        return Extraction((), Reason.ASSERTS_NOTHING, "Questions alone.", language)
    if language != ENGLISH:
        return Extraction((), Reason.LANGUAGE_NOT_HANDLED, f"The rules do not read {language}.", language)
    if speech.own_words and speaks_for_somebody_else(text):
        return Extraction((), Reason.NOT_OWN_CLAIM, "Somebody else says they are typing.", language)
    found = list(_read_all(text, speech))
    claims = _settled(found)[:_MAX_CLAIMS]
    if claims:
        return Extraction(claims, None, f"{len(claims)} claim{'s' if len(claims) > 1 else ''}.", language)
    reason, detail = _why_none(found)
    return Extraction((), reason, detail, language)


def _only_asks(text: str) -> bool:
    """Whether every sentence ends in a question mark: that much can be told of any language."""
    return all(re.search(r"[?？؟]$", sentence.rstrip("\"'”’») ")) for sentence in sentences(text))


def _read_all(text: str, speech: _Speech) -> Iterator[_Found]:
    for sentence in sentences(text):
        for part in _parted(sentence) if speech.own_words else (sentence,):
            mood = mood_of(part) if speech.own_words or speech.channel not in UNTRUSTED_CHANNELS else Mood.ASSERTION
            if mood is Mood.TASK_WITH_TEXT and speech.own_words:
                yield _Found(detail="A task for the agent, with text to work on.", asks=True)
                return  # what follows is the text to work on, not the speaker's own
            yield _read_sentence(part, mood, speech)


def _parted(sentence: str) -> Iterable[str]:
    """A statement that ends in a question is both: "My plan is annual, can I switch?" """
    if not sentence.endswith("?"):
        return (sentence,)
    match = re.search(
        r"(?i)(?:[,;:–—-]|\b(?:so|but|and))\s+(?=(?:so |but |and )?(?:can|could|would|will|is|are|do|does|did|what|how|when|where|why|which|who|should|may)\b(?! (?:not )?(?:because|and)\b))", sentence
    )
    if match and match.start() > 8:
        return (sentence[: match.start()].strip(), sentence[match.end() :].strip())
    return (sentence,)


_MOOD_DETAILS = {
    Mood.EMPTY: "A greeting or an acknowledgement.",
    Mood.QUESTION: "A question.",
    Mood.HYPOTHETICAL: "A supposition.",
    Mood.IRONY: "It reads like irony.",
    Mood.REPORTED: "Somebody else's words.",
    Mood.REQUEST: "A request for this moment.",
    Mood.INTENTION: "An intention, not a fact.",
    Mood.TASK_WITH_TEXT: "A task for the agent.",
}


def _read_sentence(sentence: str, mood: Mood, speech: _Speech) -> _Found:
    asks = mood in (Mood.QUESTION, Mood.REQUEST) or (speech.own_words and is_request(sentence))
    if mood in (Mood.REQUEST, Mood.INTENTION):
        return _Found(reason=Reason.NOT_DURABLE, detail=_MOOD_DETAILS[mood], asks=asks)
    if mood is Mood.REPORTED and speech.own_words:
        return _Found(reason=Reason.NOT_OWN_CLAIM, detail=_MOOD_DETAILS[mood])
    if mood not in (Mood.ASSERTION, Mood.HEDGED) and (speech.own_words or mood in (Mood.QUESTION, Mood.EMPTY)):
        return _Found(detail=_MOOD_DETAILS[mood], asks=asks)
    if speech.own_words:
        return _own_words(sentence, mood, speech, asks)
    return _statement(sentence, mood, speech)


def _own_words(sentence: str, mood: Mood, speech: _Speech, asks: bool) -> _Found:
    """A sentence of a message: first-person clauses, labels and standing wishes; the rest asserts nothing."""
    corrects = is_correction(sentence)
    opening = without_filler(expand(sentence))
    if label := read_label(opening, strict=True):
        return _Found((_claim(sentence, sentence, label, mood, speech),), corrects=corrects)
    claims: list[Claim] = []
    reason, detail = Reason.ASSERTS_NOTHING, "No statement about the speaker."
    for clause in clauses(sentence):
        if claims and claims[-1].value and (follow := _FOLLOW_UP.match(expand(clause))) and (better := _corrected(follow.group("value"), claims[-1])):
            claims[-1] = replace(better, text=f"{claims[-1].text}, {clause}", closes=claims[-1].closes or (claims[-1].value,))
            continue
        words = without_filler(without_own_saying(expand(clause)))
        reading = _read_clause(words, sentence, speech)
        if reading is None:
            other = other_person(clause)
            if other:
                reason, detail = Reason.NOT_OWN_CLAIM, "It is about somebody else."
            continue
        if not reading.durable:
            if reason is Reason.ASSERTS_NOTHING:
                reason, detail = Reason.NOT_DURABLE, "It matters only for this moment."
            continue
        claims += _split_list(clause, reading, mood, speech)
    if corrects and not claims:
        return _Found(reason=reason, detail="It corrects something said elsewhere.", corrects=True, fragment=opening)
    return _Found(tuple(claims), reason, detail, corrects, asks)


def _read_clause(words: str, sentence: str, speech: _Speech) -> Reading | None:
    if relation := relation_of(words):
        return Reading(entity=relation, about_other=True) if named_other(sentence) or re.search(r"(?i)\b(?:is|are|has|have|likes?|lives?|works?|prefers?|handles?|starts?|needs?|wants?|\w+s)\b", words) else None
    reading = read(words) or read_wish(words)
    if reading is None and not speech.speaker_is_subject:
        reading = read_description(words)
    if reading and not speech.speaker_is_subject and re.match(r"(?i)(?:i|my)\b", words):
        return None  # of themselves, not of the project they speak about
    if reading is None and (speech.channel is Channel.USER_PAGE or _OF_A_PROJECT.match(words)):
        reading = read_description(words)
    return reading


def _statement(sentence: str, mood: Mood, speech: _Speech) -> _Found:
    """A sentence that is itself the statement; from text nobody vouched for only where it is keyed."""
    opening = without_filler(expand(sentence))
    untrusted = speech.channel in UNTRUSTED_CHANNELS
    reading = read_label(opening, strict=untrusted) or read_description(opening) if opening else None
    if untrusted:
        if reading is None or reading.key is None or reading.value is None or not reading.durable:
            return _Found(reason=Reason.NOT_OWN_CLAIM, detail="Text nobody vouched for states no fact by name.")
        return _Found((_claim(sentence, sentence, reading, mood, speech),))
    if reading is None or not reading.durable:
        reading = Reading()
    return _Found((_claim(sentence, sentence, reading, mood, speech),))


def _split_list(clause: str, reading: Reading, mood: Mood, speech: _Speech) -> list[Claim]:
    """ "I like tea and coffee" is two statements (R1)."""
    value = reading.value or ""
    if reading.key == "likes" and re.search(r",| and | or ", value) and len(value.split()) <= 12:
        negative = value.startswith("not ")
        items = [item.strip() for item in re.split(r",? and |, | or ", value.removeprefix("not ")) if item.strip()]
        where = clause.find(items[0])
        if all(len(item.split()) <= 3 for item in items) and where > 0:
            head = clause[:where]
            return [
                _claim(head + item, clause, replace(reading, value=f"not {item}" if negative else item, closes=(item if negative else f"not {item}",)), mood, speech)
                for item in items
            ]
    return [_claim(clause, clause, reading, mood, speech)]


def _claim(text: str, quote: str, reading: Reading, mood: Mood, speech: _Speech) -> Claim:
    claim = Claim(
        text=text.strip(" ,"), quote=quote, form=_form(speech, mood, reading.form), entity=reading.entity, key=reading.key, value=reading.value, single=reading.single,
        closes=reading.closes, ends_key=reading.ends_key, durable=reading.durable, about_other=reading.about_other, category_hint=reading.category_hint,
    )  # fmt: skip
    return _dated(claim, speech, changed=reading.changed)


def _form(speech: _Speech, mood: Mood, form: Form | None = None) -> Form:
    if mood is Mood.HEDGED:
        return Form.HEDGED
    if speech.channel is Channel.AGENT_INFERENCE:
        return Form.INFERENCE
    return form or Form.ASSERTION


def _dated(claim: Claim, speech: _Speech, *, changed: bool = False) -> Claim:
    """The claim with its relative dates made absolute, and with the time it holds for."""
    if re.search(r"(?i)\b(?:birthday|born|anniversary|birth|every|each)\b", claim.text):
        return claim  # it comes round again: no one day is meant
    dates = find_dates(claim.text, said_at=speech.said_at, zone=speech.zone)
    if not dates:
        return claim
    begins, ends = validity(dates)
    text = with_absolute_dates(claim.text, dates)
    value = claim.value
    if value and (inside := find_dates(value, said_at=speech.said_at, zone=speech.zone)):
        whole = len(inside) == 1 and inside[0].relative and value[: inside[0].start].strip() == "" and value[inside[0].end :].strip() == ""
        value = inside[0].iso if whole else with_absolute_dates(value, inside)
        if not changed and claim.key and not (begins or ends) and inside[-1].begins >= speech.said_at - timedelta(days=1) and not claim.key.endswith(("birthday", "anniversary")):
            ends = inside[-1].ends  # a date that is the whole point passes, and the statement with it
    elif claim.key and claim.key.endswith("_changed"):
        value = dates[0].iso
    if changed and begins is None:
        begins = dates[0].begins
    return replace(claim, text=text, value=value, valid_from=begins, valid_to=ends)


def _settled(found: list[_Found]) -> tuple[Claim, ...]:
    """The claims of the whole message: corrections take back what stands before them, identifiers of a request are left out."""
    asks = any(item.asks for item in found)
    kept: list[Claim] = []
    for item in found:
        if item.fragment and kept and kept[-1].key and (instead := _corrected(item.fragment, kept[-1])):
            kept[-1] = instead
            continue
        for claim in item.claims:
            if asks and claim.key and _IDENTIFIER_KEY.search(claim.key):
                continue
            earlier = [other for other in kept if claim.single and claim.key and (other.entity, other.key) == (claim.entity, claim.key)]
            if earlier:
                kept = [other for other in kept if other not in earlier]
                closes = dict.fromkeys((*claim.closes, *(value for other in earlier for value in other.closes if value != claim.value)))
                claim = replace(claim, closes=tuple(closes))
            kept.append(claim)
    return tuple(dict.fromkeys(kept))


def _why_none(found: list[_Found]) -> tuple[Reason, str]:
    """The most telling reason of all the sentences: somebody else's claim, then what passes, then nothing said."""
    for reason in (Reason.NOT_OWN_CLAIM, Reason.NOT_DURABLE):
        for item in found:
            if item.reason is reason:
                return reason, item.detail
    dropped = next((item for item in found if item.claims), None)
    if dropped:
        return Reason.NOT_DURABLE, "The identifiers belong to this request alone."
    return Reason.ASSERTS_NOTHING, next((item.detail for item in found if item.detail), "It states nothing that could be remembered.")


def _corrected(fragment: str, before: Claim) -> Claim | None:
    """A correction that is no sentence of its own ("the annual one") under the key of what it corrects."""
    value = value_for(before.key, re.sub(r"(?i)^(?:it is|that is|not [^,]+,|to|in|at|on)[ ]+", "", fragment))
    if not value or len(value.split()) > 6 or before.value is None:
        return None
    text = before.text.replace(before.value, value) if before.value in before.text else f"{before.text} {fragment}"
    return replace(before, text=text, quote=f"{before.quote} {fragment}", value=value)
