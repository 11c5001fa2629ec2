"""What is announced for a day to come? "I'm moving to Oslo next month", "From July I'll work at Halden" (R13, R14).

A plan with a day is worth a curator's look and holds from that day; a plan without one is an intention, no fact.
"""

import re
from dataclasses import replace

from memoryhub.governance import changes
from memoryhub.governance.claims import Reading
from memoryhub.governance.coming import COMING
from memoryhub.governance.grammar import read
from memoryhub.governance.lexicon import TRANSACTION
from memoryhub.vocabulary import Category, Form

_LEAD = re.compile(
    r"(?i)^(?:from|starting|as of|for|during|over|until|on|in|next|this|tomorrow|tonight)\b[^,]{0,40}?,? (?=(?:i|we|"
    r"my|our|please|deliver|send|leave|use|call|ring|do not) )"
)
_DO = re.compile(
    r"(?i)^(?:please |kindly )*(?:do not |only )?(?:deliver|send|leave|use|call|ring|text|e-?mail|contact|address|"
    r"forward)\b(?! (?:it|this|that)\b)"
)
_MOVING = re.compile(
    r"(?i)^(?:i|we) (?:am|are|will be|will|am going to|are going to)[ ](?:also |now |finally |probably )?(?:moving|"
    r"relocating|move|"
    r"relocate)(?: (?:house|home|back|over|down|up|out))?(?: from (?P<from>[^,]+?))?(?: over| back)? to (?P<to>.+?)"
    r"(?: from (?P<from2>[^,]+))?[.!]{0,40}$"
)
_SWITCHING = re.compile(
    r"(?i)^(?:i|we) (?:am|are|will be|will|am going to|are going to)[ ](?:also |now |finally )?(?:switching|changing|"
    r"migrating|upgrading|"
    r"downgrading|converting|switch|change|migrate|upgrade|downgrade)(?: (?P<what>(?:my|our|the) [\w ]{1,40}?|over))?"
    r"(?: from (?P<from>[^,]+?))? (?:over )?to (?P<to>.+)"
)
_STARTING = re.compile(
    r"(?i)^(?:i|we) (?:(?:am|are|will be) )?(?:starting|joining|start|join|will start|will join)[ ](?:a new job |"
    r"a job |work |working )?(?:at |with |"
    r"as an? \w+ at )?(?P<place>(?-i:[A-Z]).+)"
)
#: A post that ends; "leaving Denver on Friday" is a trip.
_LEAVING = re.compile(
    r"(?i)^(?:i|we) (?:am|are|will be|will|am going to)[ ](?:also |now |finally )?(?:leaving|quitting|leave|quit|"
    r"resigning from|retiring from)[ ](?:(?:my|the) (?:job|post|position|role) (?:at|with) (?=\S)|"
    r"(?=(?-i:[A-Z])[^,]{1,40}(?:the end of|in (?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december)|next (?:month|year|spring|summer|autumn|winter|quarter)|for good)))(?P<place>(?-i:[A-Z]).+)"
)
_WILL_BE = re.compile(
    r"(?i)^(?P<who>i|we) (?:will|am going to|are going to)[ ](?:also |then )?(?P<verb>be |work|live|stay|use|study|"
    r"teach|need|have)"
    r"(?P<rest>.*)"
)
_AWAY = re.compile(
    r"(?i)^(?:i|we) (?:am|are) (?P<what>(?:working |staying |living |travelling |traveling |based |located )?(?:at|in|"
    r"from|on|out of|"
    r"away|abroad|off|closed|unavailable|unreachable|available|reachable|back)\b(?! (?:hold|board|the phone|my way|"
    r"it)\b).*)"
)


def read_announced(words: str) -> Reading | None:
    """What will be so from a day named, or is so for a stretch of time; None where no day is named."""
    if not COMING.search(words):
        return None
    lead = _LEAD.match(words)
    clause = words[lead.end() :] if lead else words
    if match := _MOVING.match(clause):
        return _later(changes.moved(match))
    if match := _SWITCHING.match(clause):
        return _later(changes.switched(match))
    if (match := _STARTING.match(clause)) and (reading := changes.joined(match)):
        return _later(reading)
    if match := _LEAVING.match(clause):
        place = re.split(
            r"(?i) (?:on|at the end|in|next|this|by|from|as of|end of)\b", match.group("place"), maxsplit=1
        )[0]
        place = place.strip(" ,.!")
        return Reading("employer", f"not {place}", single=False, closes=(place,), changed=True, form=Form.IMPLIED)
    if (match := _AWAY.match(_now(clause))) and not re.search(rf"(?i)\b(?:{TRANSACTION})\b", clause):
        return Reading(
            "whereabouts",
            match.group("what").strip(" .!"),
            passing=not re.search(r"(?i)\b(?:from|since|starting|as of)\b", words),
            form=Form.IMPLIED if _WILL_BE.match(clause) else None,
        )
    if match := _WILL_BE.match(clause):
        reading = read(_now(clause))
        return _later(reading) if reading and reading.durable and reading.key else None
    if lead and _DO.match(clause) and re.match(r"(?i)(?:for|until|during|over|from|starting|as of)\b", words):
        return Reading(changed=True, form=Form.IMPLIED, category_hint=Category.PREFERENCE)
    if lead and re.match(r"(?i)(?:from|starting|as of|for|during|over|until)\b", words):
        reading = read(clause)
        return replace(reading, changed=True) if reading and reading.durable else None
    return None


def _now(clause: str) -> str:
    """ "I will be in Leeds" as "I am in Leeds": how the grammar reads it."""
    match = _WILL_BE.match(clause)
    if not match:
        return clause
    who, verb = match.group("who"), match.group("verb")
    if verb.lower() == "be ":
        return f"{who} {'am' if who.lower() == 'i' else 'are'} {match.group('rest')}"
    return f"{who} {verb}{match.group('rest')}"


def _later(reading: Reading | None) -> Reading | None:
    return replace(reading, changed=True, form=Form.IMPLIED) if reading and reading.durable else reading
