"""What changed, and what ended? Readings of the clauses that tell of moves, switches and endings (R13).

A value that ended is kept as "not …", so that it closes that value alone.
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import snake, third_person, tool_key, trim, value_for, without_when
from memoryhub.governance.lexicon import DIETS, THIS_ONE, TRANSACTION, plain
from memoryhub.vocabulary import Category, Form

#: "… in X, but in Y": what ended and what took its place, in one breath.
_BUT_IN = re.compile(
    r"(?i)in (?P<old>(?-i:[A-Z])[\w'’. -]{0,40}?)(?:,? but(?: now| rather| instead)?|, (?:now|currently)) in "
    r"(?P<new>(?-i:[A-Z])[\w'’. -]{0,60})$"
)


def ends(match: re.Match[str]) -> Reading | None:
    """ "I no longer X", "I do not X any more", "I stopped X-ing": what held is closed."""
    verb, rest = match.group("verb").lower(), plain(match.group("rest"))
    if re.match(r"live|reside", verb):
        if instead := _BUT_IN.match(match.group("rest")):
            return Reading("city", plain(instead["new"]), closes=(trim(instead["old"]),), changed=True)
        place = re.sub(r"(?i)^(?:in|at) ", "", rest)
        return Reading("city", f"not {place}", single=False, closes=(place,), changed=True) if place else None
    if re.match(r"work(?:ing)? (?:at|for|with)", verb):
        return Reading("employer", f"not {rest}", single=False, closes=(rest,), changed=True) if rest else None
    if re.match(r"lik|lov|enjoy|prefer|want", verb):
        return Reading(
            "prefers" if verb.startswith("prefer") else "likes",
            f"not {rest}",
            single=False,
            closes=(rest,),
            changed=True,
            category_hint=Category.PREFERENCE,
        )
    if verb.startswith(("am", "are")):
        return Reading("is", f"not {rest}", single=False, closes=(rest,), changed=True)
    root = re.sub(r"(?:ing)$", "", verb) if verb.endswith("ing") else verb
    root = {
        "us": "use",
        "driv": "drive",
        "rid": "ride",
        "smok": "smoke",
        "tak": "take",
        "hav": "have",
        "writ": "write",
        "mak": "make",
        "receiv": "receive",
        "practis": "practise",
    }.get(root, root)
    key = third_person(root.split()[0])
    if key == "uses":
        key = tool_key(rest)[0]
    return Reading(key, f"not {rest}", single=False, closes=(rest,), changed=True)


def denied(match: re.Match[str]) -> Reading | None:
    """ "I don't live in X", without a word of change: it closes X where X is believed, and nothing else."""
    named = without_when(plain(match.group("rest")))
    if not re.match(r"(?:(?i:in|at) )?[A-Z]", named) or len(named.split()) > 4:
        return None
    reading = ends(match)
    return replace(reading, changed=False) if reading is not None else None


def moved_out(match: re.Match[str]) -> Reading | None:
    """ "We moved out of X": where they live now is not said."""
    place = without_when(plain(match.group("from")))
    place = re.split(r" (?:last|this|in|on|two|a|yesterday|because|when|after)\b", place, maxsplit=1)[0]
    if not place[:1].isupper():
        return None
    return Reading("city", f"not {place}", single=False, closes=(place,), changed=True)


def is_no_longer(match: re.Match[str]) -> Reading | None:
    what = trim(match.group("rest"))
    if place := re.match(r"(?i:in|based in|living in) (?P<place>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})$", what):
        named = place.group("place")  # a visit, or a home: it is not said which
        return Reading("city", f"not {named}", single=False, closes=(named,), changed=True, form=Form.IMPLIED)
    if diet := re.match(rf"(?i)(?:an? )?({DIETS})\b", what):
        return Reading("diet", f"not {diet.group(1).lower()}", closes=(diet.group(1).lower(),), changed=True)
    if plan := re.match(r"(?i)on (?P<plan>.+? (?:plan|subscription|tariff))$", what):
        value = value_for("plan", plan.group("plan"))
        return Reading("plan", f"not {value}", single=False, closes=(value,), changed=True)
    if re.match(r"(?i)(?:able|sure|interested|going|using|on)\b", what):
        return Reading(durable=False)
    return Reading("is", f"not {what}", single=False, closes=(what,), changed=True)


def moved_off(match: re.Match[str]) -> Reading | None:
    """ "We moved off Jenkins in May": it no longer is what they use."""
    old = without_when(plain(match.group("old")))
    if THIS_ONE.search(old) or len(old.split()) > 4 or re.search(rf"(?i)\b(?:{TRANSACTION})\b|^(?:my|our|home)\b", old):
        return None
    key, known = tool_key(old)
    if not known and (old[:1].islower() or "away" in match.group().lower()):
        return Reading(changed=True, form=Form.IMPLIED)  # a place, or a way of working: it is not said which
    return Reading(key, f"not {old}", single=False, closes=(old,), changed=True)


def cancelled(match: re.Match[str]) -> Reading | None:
    what = match.group("what").strip()
    if re.search(rf"(?i)\b(?:{TRANSACTION})$", what):
        return None
    return Reading(snake(what), "cancelled", ends_key=True, changed=True)


def moved(match: re.Match[str]) -> Reading | None:
    place = plain(match.group("to"))
    if not place or re.match(r"(?i)(?:on|forward|up|a|another|different|new|the next|my|it|this|that)\b", place):
        return None
    before, place = trim(match.group("from") or match.group("from2") or ""), without_when(place)
    if re.match(r"\d+ ", place):
        return Reading("address", place, closes=(before,) if before else (), changed=True)
    place = re.split(
        r"(?i) (?:last|this|next|in|on|two|three|a|\d+|yesterday|today|since|with|to|for|over|when|after|at the|"
        r"and)\b",
        place,
        maxsplit=1,
    )[0]
    key, known = tool_key(place)
    closes = (before,) if before else ()
    return Reading(key if known else "city", trim(place), closes=closes, changed=True)


def switched(match: re.Match[str]) -> Reading | None:
    new, old, what = (
        without_when(plain(match.group("to"))),
        trim(match.group("from") or ""),
        trim(match.group("what") or ""),
    )
    if THIS_ONE.search(new):
        return None
    if re.search(r"(?i)\b(?:plan|subscription|tariff)\b", f"{new} {old} {what}"):
        return Reading("plan", value_for("plan", new), closes=(value_for("plan", old),) if old else (), changed=True)
    key, single = (snake(what), True) if what else tool_key(new)
    return Reading(key, new, single=single, closes=(old,) if old else (), changed=True)


def changed(match: re.Match[str]) -> Reading | None:
    what, new = match.group("what"), match.group("to")
    if re.search(rf"(?i)\b(?:mind|{TRANSACTION})$", what.strip()):
        return None
    key = snake(what)
    if new:
        return Reading(key, value_for(key, without_when(plain(new))), changed=True)
    return Reading(f"{key}_changed", "changed", changed=True)


def joined(match: re.Match[str]) -> Reading | None:
    place = plain(match.group("place"))
    if not place[:1].isupper():
        return None
    return Reading("employer", re.split(r" (?:as|in|on|last|this|two|\d)\b", place, maxsplit=1)[0], changed=True)


#: What tells a firm or a house that people work at from a town, by its name alone.
_FIRM = re.compile(
    r"&|\b(?:Ltd|Limited|Inc|LLC|PLC|plc|GmbH|AG|BV|Corp|Corporation|Company|Co|Group|Partners|Bank|University|College|"
    r"Hospital|School|Academy|Agency|Institute|Studios?|Labs?|Laboratories|Systems|Software|Technologies|Logistics|"
    r"Airlines|Airways|Foundation|Council|Ministry)\b"
)


def left(match: re.Match[str]) -> Reading | None:
    """ "I left X": an employer where the words or its name say so. A town is left in the same words, so otherwise what
    is known of the speaker tells which of the two it was (leaving.py).
    """
    place = plain(match.group("place"))
    place = re.split(r" (?:last|this|in|on|two|as|for|to|because|when|after|\d)\b", place, maxsplit=1)[0]
    if not place[:1].isupper():
        return None
    unsure = _left_form(match)
    if unsure is not None and not _FIRM.search(place):
        return Reading(single=False, closes=(place,), either=("employer", "city"), changed=True, form=unsure)
    return Reading("employer", f"not {place}", single=False, closes=(place,), changed=True, form=unsure)


def dismissed(match: re.Match[str]) -> Reading | None:
    """ "I was let go by X", "I never worked for X": X is not the employer."""
    reading = left(match)
    if reading is None:
        return None
    return replace(reading, key="employer", value=f"not {reading.closes[0]}", either=(), form=Form.ASSERTION)


def _left_form(match: re.Match[str]) -> Form | None:
    """A town is left like an employer is: without "my job" it is only implied which."""
    return (
        None
        if re.search(r"(?i)\b(?:my (?:job|position|post)|quit|resigned|retired)\b", match.group())
        else Form.IMPLIED
    )


def sold(match: re.Match[str]) -> Reading | None:
    what = match.group("what")
    if re.search(
        rf"(?i)\b(?:{TRANSACTION}|way|time|patience|temper|mind|count|interest|connection|password|keys?)\b", what
    ):
        return None
    return Reading("has", f"not {what}", single=False, closes=(what,), changed=True)


_DRUNK = r"(?:coffee|tea|alcohol|beer|wine|spirits|milk|soda|cola|juice|drinking)"
_EATEN = (
    r"(?:(?:red )?meat|fish|dairy|sugar|gluten|eggs?|bread|cheese|nuts|"
    r"sweets|chocolate|pork|beef|wheat|butter|carbs|rice|pasta|fast food|junk food)"
)


def given_up(match: re.Match[str]) -> Reading | None:
    """ "I gave up meat": what held is over, under the key of what is eaten or drunk; the rest has no key."""
    what = without_when(plain(match.group("rest")))
    if THIS_ONE.search(what):
        return None
    if re.fullmatch(rf"(?i){_EATEN}", what):
        return Reading("eats", f"not {what}", single=False, closes=(what,), changed=True)
    if re.fullmatch(rf"(?i){_DRUNK}", what):
        return Reading("drinks", f"not {what}", single=False, closes=(what,), changed=True)
    if re.fullmatch(r"(?i)smoking|cigarettes", what):
        return Reading("smokes", "no", single=False, closes=("yes",), changed=True)
    return Reading(changed=True)


def thing_moved(match: re.Match[str]) -> Reading | None:
    """ "Our office moved from Ghent to Bruges": under the key of "our office is in …"."""
    place, before = without_when(plain(match.group("to"))), trim(match.group("from") or "")
    if re.search(rf"(?i)\b(?:{TRANSACTION}|money|file|files|cursor)\b", match.group("what")) or THIS_ONE.search(place):
        return None
    value = (
        f"in {place}"
        if place[:1].isupper() and not re.match(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day", place)
        else place
    )
    return Reading(snake(match.group("what")), value, closes=(before, f"in {before}") if before else (), changed=True)


def replaced(match: re.Match[str]) -> Reading | None:
    """ "We replaced A with B": B holds, A no longer does."""
    new, old = without_when(plain(match.group("a"))), re.sub(r"(?i)^(?:my|our|the) ", "", trim(match.group("b")))
    if THIS_ONE.search(new) or re.search(rf"(?i)\b(?:{TRANSACTION}|battery|bulb)\b", old) or len(old.split()) > 4:
        return None
    key, single = tool_key(new)
    return Reading(key, new, single=single, closes=(old,), changed=True)


def switched_back(match: re.Match[str]) -> Reading | None:
    new = without_when(plain(match.group("to")))
    key, single = tool_key(new)
    return Reading(key, new, single=single, changed=True, form=Form.IMPLIED if single is False and " " in new else None)
