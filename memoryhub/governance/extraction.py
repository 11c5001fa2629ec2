"""Which claims does a text make? Statements in the speaker's own words, typed where the grammar reads them (R1, R13).

Messages: the person's own first-person words and standing wishes alone. Statements of agents, curators and records: one
claim a sentence. Documents, pages, mail and tool output: keyed statements only. Nothing is guessed: no rule, no claim,
and the reason is said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, tzinfo

from memoryhub.governance.authority import Told
from memoryhub.governance.chat import written_out
from memoryhub.governance.claimed_rights import claims_a_right
from memoryhub.governance.claims import Claim, Extraction, Reading
from memoryhub.governance.clauses import (
    clauses,
    expand,
    is_correction,
    with_subject,
    without_filler,
    without_greeting,
    without_opener,
)
from memoryhub.governance.conditions import read_conditional
from memoryhub.governance.declaratives import read_declarative, read_lasting
from memoryhub.governance.descriptions import read_description, read_label
from memoryhub.governance.grammar import read
from memoryhub.governance.heard import MOOD_DETAILS, Found, says_something, settled, why_none
from memoryhub.governance.instead import instead_of, together
from memoryhub.governance.language import ENGLISH, detect, foreign_sentence
from memoryhub.governance.moods import (
    LASTING,
    Mood,
    is_reported,
    is_request,
    is_tag_question,
    mood_of,
    speaks_for_somebody_else,
    without_own_saying,
)
from memoryhub.governance.pastes import typed_by_the_person
from memoryhub.governance.people import named_other, other_person, relation_of
from memoryhub.governance.sentences import sentences
from memoryhub.governance.statements import OWN_WORDS, Speech, claim_of, claims_of, corrected, dated, form_of, whole
from memoryhub.governance.upcoming import read_announced
from memoryhub.governance.wishes import read_wish
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Category, Channel, Reason
from memoryhub.working.patterns import Sieved

__all__ = ["Claim", "Extraction", "extract"]

#: What a member may speak of without "I": a thing that is the subject, or the speaker's own.
_OF_A_PROJECT = re.compile(
    r"(?i)^(?:the|this|our|in this) (?:project|repo(?:sitory)?|codebase|service|team|site|account|office|building|"
    r"warehouse|company|organi[sz]ation)\b"
)
#: Words by which a document addresses its reader or goes on telling: no statement of a fact by name.
_TALK = re.compile(
    r"(?i)\b(?:you|your|yours|if|when|please|click|let us|let's|hi|hello|hey|dear|thanks|thank|here|there|all|been|"
    r"said|told|just|because|however|although|but|so)\b|https?:"
)
_LONGEST_NOTE = 120  # characters of a sentence that nobody vouched for and that may still propose a fact
#: What a keyed statement in a document has one of.
_MAY_STATE = re.compile(
    r"(?i):|\b(?:is|are|equals|uses?|has|have|runs?|listens?|lives?|prefers?|needs?|requires?|costs?|opens?|closes?|"
    r"starts?|ends?|happens?|"
    r"goes|go|belongs?|accepts?|takes?|stays?|ships?|must|depends?|comes?|expires?|expired|works?|likes?|wants?|"
    r"speaks?|moved)\b"
)
#: Words without which no clause gives its speaker anything; the idioms are looked for once, in the whole text.
_OF_RIGHTS = Sieved(
    r"(?i)limit|cap\b|caps\b|ceiling|threshold|allowance|approv|verif|check|authori|entitl|eligib|exempt|whitelist|"
    r"clear|permi|vetted|grant|waiv|admin|root|owner|access|rights|privilege|vip|supervisor|manager|discount|credit|rebate|"
    r"cashback|compensat|refund|free|%|percent|per cent|owe|promis|agreed|guarant|upgrad|identity|fees?\b|charge|"
    r"lifetime|superuser|developer|ceo|security|confirm|role|all (?:\w+ )?(?:requests|claims|orders|returns|payments)"
)
_LONGEST_STATEMENT = 1500  # characters; what is longer is a text, not a statement
_MACHINE_MADE = 8  # sentences in a row that differ in their figures alone and give nothing: a machine wrote them
_FIGURES = re.compile(r"\d+")
_MAX_CLAIMS = 50  # of one text: more is a document, not a message
#: "…, it's monthly": what a clause of "not annual" goes on to say.
_TELLS = Sieved(
    r"(?i)^\S+ (?:\w+ )?\w+(?:'s \w+)? (?:now |also |still |always |never |usually )*(?:is (?:an? |the |called |"
    r"named |from |\d|[A-Z])|are (?:called|"
    r"named|from|\d)|has an? |have (?:an? |\d|two|three)|likes?\b(?! to)|lives?|works?|prefers?|hates?|handles?|"
    r"starts?|manages?|speaks?|drives?|owns?|runs?|"
    r"leads?|joined|moved|wants? (?:to be|no|only)|needs? (?:an? |no )|goes|uses?|eats?|drinks?)\b"
)
_FOLLOW_UP = re.compile(
    r"(?i)^(?:but |now |and now )?(?:it is|that is|but)(?: now| actually| really)? (?P<value>[\w][^,]{0,60})$"
)
#: "…, sorry, 43", "… - no, C4", "…; I mean Tuesday".
_TAKEN_BACK = Sieved(
    r"(?i)(?:[,;]| [–—-]+|(?<!\.)\.{2,}|…)[ ]+(?:(?:oh|wait|no(?=[ ]*,|[ ]+(?:wait|sorry|i mean))|sorry|actually|"
    r"scratch that|correction|or rather|make that|i mean(?:t)?|my mistake|"
    r"oops|er+m?|um+)\b[ ,]{0,4}){1,6}(?P<instead>[^,;.!?]{1,40})[.! ]{0,9}$"
)
_GOES_ON = re.compile(r"(?i)(?:it|it's|that|this)\b")


def extract(
    text: str,
    *,
    said_at: datetime,
    zone: tzinfo,
    channel: Channel,
    speaker_is_subject: bool = True,
    keyed: tuple[str, str] | None = None,
) -> Extraction:
    """The claims of a screened text (R13). `said_at` is aware; `keyed`: a key and value the caller names, which make
    one claim.
    """
    own = channel in OWN_WORDS and not keyed
    typed = typed_by_the_person(text) if own else text
    language = detect(typed)
    speech = Speech(said_at, zone, channel, speaker_is_subject, language, own and claims_a_right(typed))
    if keyed:
        key, value = keyed
        statement = text.strip() or f"{key}: {value}"
        return Extraction(
            (dated(Claim(statement, statement, form_of(speech, Mood.ASSERTION), key=key, value=value), speech),),
            None,
            "Named by the caller.",
            language,
        )
    if not re.search(r"[^\W_]", text):
        return Extraction((), Reason.ASSERTS_NOTHING, "There are no words.", language)
    if own and not re.search(r"[^\W_]", typed):
        return Extraction((), Reason.NOT_OWN_CLAIM, "All of it is quoted or pasted.", language)
    text = typed
    if language != ENGLISH and _only_asks(text):
        return Extraction((), Reason.ASSERTS_NOTHING, "Questions alone.", language)
    if language != ENGLISH:
        return Extraction((), Reason.LANGUAGE_NOT_HANDLED, f"The rules do not read {language}.", language)
    if speech.own_words and speaks_for_somebody_else(text):
        return Extraction((), Reason.NOT_OWN_CLAIM, "Somebody else says they are typing.", language)
    found = list(_read_all(text, speech))
    claims = settled(found)
    unread = sum(item.unread for item in found) + sum(len(claim.text) for claim in claims[_MAX_CLAIMS:])
    if claims:
        claims = claims[:_MAX_CLAIMS]
        left_out = sum(item.left_out or (not item.claims and says_something(item)) for item in found)
        rest = f" {left_out} other part{'s' if left_out > 1 else ''} of the text gave none." if left_out else ""
        rest += f" {unread} characters after them were not read: offer them in another message." if unread else ""
        return Extraction(claims, None, f"{len(claims)} claim{'s' if len(claims) > 1 else ''}.{rest}", language, unread)
    reason, detail = why_none(found)
    return Extraction((), reason, detail, language)


def _only_asks(text: str) -> bool:
    """Whether every sentence ends in a question mark: that much can be told of any language."""
    return all(re.search(r"[?？؟]$", sentence.rstrip("\"'”’») ")) for sentence in sentences(text))


def _read_all(text: str, speech: Speech) -> Iterator[Found]:
    budget = _MAX_CLAIMS
    silent: dict[str, Found] = {}  # what was read before and gave nothing: padding repeats itself
    last: Claim | None = None  # that the sentence before ended with
    alike: dict[
        str, list[list[Found]]
    ] = {}  # what sentences gave that differ in their figures alone, while it is nothing
    for sentence in (rest := sentences(text)):
        if sentence in silent:
            continue
        if speech.own_words and (other := foreign_sentence(sentence)) and not _only_asks(sentence):
            claim = Claim(sentence, sentence, form_of(speech, Mood.ASSERTION), language=other)
            budget -= 1
            yield Found((claim,), Reason.LANGUAGE_NOT_HANDLED)
            continue
        if len(sentence) > _LONGEST_STATEMENT:
            yield Found((whole(sentence, speech),) if speech.states else ())
            continue
        if budget <= 0:
            yield Found(unread=len(sentence) + sum(len(other) + 1 for other in rest))
            return
        given = alike.setdefault(_FIGURES.sub("0", sentence), [])
        if len(given) >= _MACHINE_MADE:
            yield from given[-1]
            continue
        heard: list[Found] = []
        before, last = last, None
        for part, mood in _meant(sentence, speech):
            if mood is Mood.TASK_WITH_TEXT and speech.own_words:
                yield Found(detail="A task for the agent, with text to work on.", asks=True)
                return  # what follows is the text to work on, not the speaker's own
            found = _read_sentence(part, mood, speech, before)
            last = found.claims[-1] if found.claims else None
            budget -= len(found.claims)
            if not found.claims and not found.fragment:
                silent[sentence] = found
            heard.append(found)
            yield found
        if any(found.claims or found.fragment for found in heard):
            given.clear()
        else:
            given.append(heard)


def _meant(sentence: str, speech: Speech) -> Iterator[tuple[str, Mood]]:
    """The parts of a person's own words that each mean something, and how: "I have the Pro plan and may cancel it"."""
    if not speech.own_words:
        yield sentence, mood_of(written_out(sentence)) if speech.states else Mood.ASSERTION
        return
    for part in _parted(sentence):
        mood = mood_of(written_out(part))
        pieces = list(clauses(part)) if mood in (Mood.INTENTION, Mood.REQUEST) else []
        # what only goes on with the request ("but it's urgent", a shared "I", what "you" are to do) is judged with it
        own = all(piece in part and not _GOES_ON.match(piece) for piece in pieces) and " you " not in part.lower()
        if len(pieces) > 1 and own:
            yield from ((piece, mood_of(written_out(piece))) for piece in pieces)
        else:
            yield part, mood


def _parted(sentence: str) -> Iterable[str]:
    """A statement that ends in a question is both ("My plan is annual, can I switch?"), and so is one
    that is taken back in the same breath ("My size is 42, sorry, 43").
    """
    if (taken_back := _TAKEN_BACK.search(sentence)) and taken_back.start() > 6:
        before, instead = sentence[: taken_back.start()].strip(), taken_back.group("instead")
        place = before.lower().rfind(f" {instead.split()[0].lower()} ")
        if place > 0:  # "I'm on the saver, no, the flex plan": the slip is the phrase that began alike
            return (f"{before[:place]} {instead}",)
        return (before, f"No, {instead}")
    if not sentence.endswith("?") or is_tag_question(sentence):
        return (sentence,)
    match = re.search(
        r"(?i)(?:[,;:–—-]|\b(?:so|but|and))\s+(?=(?:so |but |and )?(?:can|could|would|will|is|are|do|does|did|what|"
        r"how|when|where|why|which|who|should|may)\b(?! (?:not )?(?:because|and)\b))",
        sentence,
    )
    if match and match.start() > 8:
        return (sentence[: match.start()].strip(), sentence[match.end() :].strip())
    return (sentence,)


def _read_sentence(sentence: str, mood: Mood, speech: Speech, before: Claim | None) -> Found:
    asks = mood in (Mood.QUESTION, Mood.REQUEST) or (speech.own_words and is_request(sentence))
    if mood in (Mood.REQUEST, Mood.INTENTION):
        return Found(reason=Reason.NOT_DURABLE, detail=MOOD_DETAILS[mood], asks=asks)
    if mood is Mood.REPORTED and speech.own_words:
        return Found(reason=Reason.NOT_OWN_CLAIM, detail=MOOD_DETAILS[mood])
    if mood not in (Mood.ASSERTION, Mood.HEDGED) and (speech.own_words or mood in (Mood.QUESTION, Mood.EMPTY)):
        return Found(detail=MOOD_DETAILS[mood], asks=asks)
    if speech.own_words:
        return _own_words(sentence, mood, speech, asks, before)
    return _statement(sentence, mood, speech)


def _wordy(reading: Reading) -> bool:
    """Whether key or value are longer than a fact by name has them."""
    return len((reading.value or "").split()) > 8 or (reading.key or "").count("_") > 3


def _own_words(sentence: str, mood: Mood, speech: Speech, asks: bool, before: Claim | None) -> Found:
    """A sentence of a message: first-person clauses, labels and standing wishes; the rest asserts nothing. `before`:
    what the sentence before ended with.
    """
    corrects = is_correction(sentence)
    opening = without_filler(expand(sentence))
    if label := read_label(opening, strict=True):
        return Found((claim_of(sentence, sentence, label, mood, speech),), corrects=corrects)
    claims: list[Claim] = []
    reason, detail = Reason.ASSERTS_NOTHING, "No statement about the speaker."
    left_out = 0
    for clause in map(without_opener, clauses(sentence)):
        if (
            claims
            and (claims[-1].value or "").startswith("not ")
            and (follow := _FOLLOW_UP.match(expand(clause)))
            and (better := corrected(follow.group("value"), claims[-1]))
        ):
            claims[-1] = replace(better, text=f"{claims[-1].text}, {clause}", closes=claims[-1].closes)
            continue
        spoken = without_own_saying(expand(clause))
        words = with_subject(without_filler(spoken))
        if claims and (instead := instead_of(claims[-1], words, in_one_breath=True)):
            claims[-1] = together(claims[-1], claim_of(clause, clause, instead, mood, speech))
            continue
        instead = None if claims else instead_of(before, words, in_one_breath=False)
        reading = instead or (None if is_reported(words) else _read_clause(words, spoken, sentence, speech))
        if reading is None or not reading.durable:
            left_out += len(words.split()) > 2
        if reading is None:
            if other_person(clause):
                reason, detail = Reason.NOT_OWN_CLAIM, "It is about somebody else."
            continue
        if not reading.durable:
            if reason is Reason.ASSERTS_NOTHING:
                reason, detail = Reason.NOT_DURABLE, "It matters only for this moment."
            continue
        if not reading.about_other and named_other(clause):
            reading = replace(reading, about_other=True)
        claims += claims_of(clause, reading, mood, speech)
    if corrects and not claims:
        return Found(reason=reason, detail="It corrects something said elsewhere.", corrects=True, fragment=opening)
    return Found(tuple(claims), reason, detail, corrects, asks, left_out=left_out if claims else 0)


def _with_its_lead(words: str, spoken: str) -> str:
    """ "From now on" leads up to a statement and makes a wish: a wish is read with it."""
    return without_greeting(spoken) if LASTING.search(spoken) and not LASTING.search(words) else words


def _read_clause(words: str, spoken: str, sentence: str, speech: Speech) -> Reading | None:
    if relation := relation_of(words):
        telling = named_other(sentence) or _TELLS.search(words)
        return Reading(entity=relation, about_other=True) if telling else None
    reading = (
        read_announced(spoken)
        or read_conditional(words)
        or read_lasting(words)
        or read(words)
        or read_wish(_with_its_lead(words, spoken))
    )
    if reading is None and not speech.speaker_is_subject:
        reading = read_description(words)
    if reading and not speech.speaker_is_subject and re.match(r"(?i)(?:i|my)\b", words):
        return None  # of themselves, not of the project they speak about
    if (
        (reading is None or not reading.durable)
        and (speech.claims_a_right or _OF_RIGHTS.search(words))
        and Told(words).speaks_with_authority()
    ):
        return Reading()  # it is a claim all the same, and is refused as one (R15)
    if reading is None and (speech.channel is Channel.USER_PAGE or _OF_A_PROJECT.match(words)):
        reading = read_description(words)
    if reading is None:
        reading = read_declarative(words)
    if reading and not speech.speaker_is_subject and reading.category_hint in (None, Category.GENERAL):
        reading = replace(reading, category_hint=Category.PROJECT_FACT)  # a member speaks of the project (R15)
    return reading


def _statement(sentence: str, mood: Mood, speech: Speech) -> Found:
    """A sentence that is itself the statement; from text nobody vouched for only where it is keyed."""
    untrusted = speech.channel in UNTRUSTED_CHANNELS
    if untrusted and (len(sentence) > _LONGEST_NOTE or _TALK.search(sentence) or not _MAY_STATE.search(sentence)):
        return Found(reason=Reason.NOT_OWN_CLAIM, detail="Text nobody vouched for states no fact by name.")
    opening = without_filler(expand(sentence))
    reading = read_label(opening, strict=untrusted) or read_description(opening) if opening else None
    if untrusted:
        if sentence.endswith("?") or re.match(r"(?i)(?:i|we|my|our)\b", opening):
            return Found(reason=Reason.NOT_OWN_CLAIM, detail="Whoever says I there is not the subject.")
        if reading is None or reading.key is None or reading.value is None or not reading.durable or _wordy(reading):
            return Found(reason=Reason.NOT_OWN_CLAIM, detail="Text nobody vouched for states no fact by name.")
        return Found((claim_of(sentence, sentence, reading, mood, speech),))
    if reading is None or not reading.durable:
        reading = Reading()
    return Found((claim_of(sentence, sentence, reading, mood, speech),))
