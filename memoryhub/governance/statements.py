"""How does a reading become a claim? Its words, its form, its dates, one claim for each item of a list (R1, R13)."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from memoryhub.governance.claims import Claim, Reading
from memoryhub.governance.dates import find_dates, validity, with_absolute_dates
from memoryhub.governance.keys import value_for
from memoryhub.governance.moods import Mood
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Form

_TOKEN = re.compile(r"(?<![\w/.:-])[A-Za-z0-9+/=_-]{32,2000}(?![\w/.:-])")
#: Channels whose text is the person's own words; a dream reads the same words again.
OWN_WORDS = frozenset({Channel.USER_MESSAGE, Channel.USER_PAGE})


@dataclass(frozen=True)
class Speech:
    """What is known of the whole text while its sentences are read."""

    said_at: datetime
    zone: tzinfo
    channel: Channel
    speaker_is_subject: bool
    language: str
    claims_a_right: bool = False  # somewhere in the text

    @property
    def states(self) -> bool:
        """Whether a sentence is a claim for being said: an agent, a curator or a record vouches for its own words."""
        return not self.own_words and self.channel not in UNTRUSTED_CHANNELS

    @property
    def own_words(self) -> bool:
        return self.channel in OWN_WORDS


def whole(sentence: str, speech: Speech) -> Claim:
    return Claim(sentence, sentence, form_of(speech, Mood.ASSERTION))


def claims_of(clause: str, reading: Reading, mood: Mood, speech: Speech) -> list[Claim]:
    """ "I like tea and coffee" is two statements (R1)."""
    value = reading.value or ""
    if reading.key == "likes" and re.search(r",| and | or ", value) and len(value.split()) <= 12:
        negative = value.startswith("not ")
        items = [item.strip() for item in re.split(r",? and |, | or ", value.removeprefix("not ")) if item.strip()]
        where = clause.find(items[0])
        if all(len(item.split()) <= 3 for item in items) and where > 0:
            head = clause[:where]
            return [
                claim_of(
                    head + item,
                    clause,
                    replace(
                        reading,
                        value=f"not {item}" if negative else item,
                        closes=(item if negative else f"not {item}",),
                    ),
                    mood,
                    speech,
                )
                for item in items
            ]
    return [claim_of(clause, clause, reading, mood, speech)]


def claim_of(text: str, quote: str, reading: Reading, mood: Mood, speech: Speech) -> Claim:
    form = Form.IMPLIED if speech.own_words and opaque(text) else reading.form
    claim = Claim(
        text=text.strip(" ,"),
        quote=quote,
        form=form_of(speech, mood, form),
        entity=reading.entity,
        key=reading.key,
        value=reading.value,
        single=reading.single,
        closes=reading.closes,
        ends_key=reading.ends_key,
        either=reading.either,
        durable=reading.durable,
        about_other=reading.about_other,
        category_hint=reading.category_hint,
    )
    return claim if reading.recurring else dated(claim, speech, changed=reading.changed, passing=reading.passing)


def opaque(text: str) -> bool:
    """Whether it holds a long token that nobody reads: what it says can't be told, so a person looks."""
    return any(
        re.search("[A-Z]", token) and re.search("[a-z]", token) and re.search(r"\d", token)
        for token in _TOKEN.findall(text)
    )


def form_of(speech: Speech, mood: Mood, form: Form | None = None) -> Form:
    if mood is Mood.HEDGED:
        return Form.HEDGED
    if speech.channel is Channel.AGENT_INFERENCE:
        return Form.INFERENCE
    return form or Form.ASSERTION


def dated(claim: Claim, speech: Speech, *, changed: bool = False, passing: bool = False) -> Claim:
    """The claim with its relative dates made absolute, and with the time it holds for."""
    if re.search(
        r"(?i)\b(?:birthday|born|anniversary|birth|every|each|\w+day (?:mornings|afternoons|evenings|nights))\b",
        claim.text,
    ):
        return claim  # it comes round again: no one day is meant
    dates = find_dates(claim.text, said_at=speech.said_at, zone=speech.zone)
    if not dates:
        return claim
    begins, ends = validity(dates)
    text = with_absolute_dates(claim.text, dates)
    value = claim.value
    if value and (inside := find_dates(value, said_at=speech.said_at, zone=speech.zone)):
        whole = (
            len(inside) == 1
            and inside[0].relative
            and value[: inside[0].start].strip() == ""
            and value[inside[0].end :].strip() == ""
        )
        value = inside[0].iso if whole else with_absolute_dates(value, inside)
        if (
            not changed
            and claim.key
            and not (begins or ends)
            and inside[-1].begins + timedelta(days=1) >= speech.said_at
            and not claim.key.endswith(("birthday", "anniversary"))
        ):
            ends = inside[-1].ends  # a date that is the whole point passes, and the statement with it
    elif claim.key and claim.key.endswith("_changed"):
        value = dates[0].iso
    if changed and begins is None:
        begins = dates[0].begins
    if passing and ends is None:
        ends = dates[-1].ends
        begins = begins or dates[0].begins
    return replace(claim, text=text, value=value, valid_from=begins, valid_to=ends)


def corrected(fragment: str, before: Claim) -> Claim | None:
    """A correction that is no sentence of its own ("the annual one") under the key of what it corrects."""
    value = value_for(before.key, re.sub(r"(?i)^(?:it is|that is|not [^,]+,|to|in|at|on)[ ]+", "", fragment))
    if not value or len(value.split()) > 6 or before.value is None:
        return None
    text = before.text.replace(before.value, value) if before.value in before.text else f"{before.text} {fragment}"
    return replace(before, text=text, quote=f"{before.quote} {fragment}", value=value)
