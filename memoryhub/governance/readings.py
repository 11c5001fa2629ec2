"""What is so of somebody: name, place, work, plan, things, habits? Readings of the clauses that tell it (R13).

They answer None where the words mean nothing after all, and `durable=False` where they matter only for this moment.
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import preference_key, snake, third_person, tool_key, trim, value_for
from memoryhub.governance.lexicon import (
    IDENTIFIER,
    LOGIN,
    ONE_CLAUSE,
    PURSUIT,
    REASON,
    THIS_ONE,
    TRANSACTION,
    TROUBLE,
    name_only,
    plain,
)
from memoryhub.governance.places import PLACE_THING
from memoryhub.vocabulary import Category, Form


def _negated(match: re.Match[str]) -> bool:
    return bool(match.groupdict().get("no"))


def nothing(_match: re.Match[str]) -> Reading | None:
    """What only was says nothing of now."""
    return None


def named(match: re.Match[str]) -> Reading | None:
    name = trim(
        re.split(
            r"(?i)[,;(]| (?:please|instead|from|if|when|because|not|rather|and|since)\b",
            match.group("name"),
            maxsplit=1,
        )[0]
    )
    if (
        not name
        or len(name.split()) > 4
        or re.match(
            r"(?i)(?:back|at|on|when|if|later|after|before|an?|the|tomorrow|today|asap|again|now|in|by|between|only|"
            r"crazy|stupid|once|this|your|whenever|any ?time)\b",
            name,
        )
    ):
        return None
    return Reading("preferred_name", name, category_hint=Category.PREFERENCE)


def mine(match: re.Match[str]) -> Reading | None:
    """ "my X is Y"."""
    what, value, verb = match.group("what").strip(), match.group("value"), match.group("verb").lower()
    negative = bool(match.group("not"))
    if verb.startswith(("was", "were")) or re.match(r"(?i)(?:old|former|previous|last)\b", what):
        return None
    if re.search(r"(?i)\b(?:that|which|who|when|where|i|we|you|is|are|was)\b", what):
        return None
    dated = re.search(
        r"(?i)\b(?:tomorrow|today|tonight|on \w+day|next \w+|this \w+|\d{4}-\d\d-\d\d|in \d+ \w+|(?:on |"
        r"the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+|[A-Z][a-z]+ \d{1,2}\b)",
        value,
    )
    identifier = IDENTIFIER.search(what)
    if LOGIN.search(what) and not dated:
        return Reading(durable=False)  # it names the matter at hand, and changes no later answer
    if re.fullmatch(rf"(?i)(?:\w+ )?(?:{TRANSACTION})(?: [\w-]*\d[\w-]*)?", what) and not dated:
        return Reading(durable=False)
    if TROUBLE.match(value) and not negative and not value[:1].isupper() and not PURSUIT.search(what):
        return Reading(durable=False)
    if verb.endswith(("called", "named")) or re.search(r"(?i)'s name$", what):
        owner = snake(re.sub(r"(?i)'s name$", "", what))
        return Reading(f"{owner}_name", name_only(value))
    key = snake(what)
    value, other = _and_not(value)
    clean = value_for(key, plain(ONE_CLAUSE.split(value, maxsplit=1)[0]))
    if not clean or (len(clean.split()) > 25 and not identifier):
        return None
    if key == "plan" and re.match(r"(?i)(?:to|for)\b", value):
        return Reading(durable=False)
    hint = Category.PREFERENCE if key.startswith(("favourite", "preferred", "preference")) else None
    if key.startswith("preference"):
        key, _ = preference_key(clean)
    reading = Reading(
        key,
        f"not {clean}" if negative else clean,
        closes=(clean,) if negative else (value_for(key, other),) if other else (),
        category_hint=hint,
        form=Form.HEDGED if " be" in verb and "will" not in verb else None,
    )
    return replace(reading, category_hint=Category.GENERAL, durable=True) if identifier and key != "phone" else reading


def _and_not(value: str) -> tuple[str, str]:
    """ "Leeds, not York" as what is so and what is not."""
    parts = re.split(r"(?i),? (?:and not|not|rather than|instead of|no longer) ", value, maxsplit=1)
    return (parts[0], parts[1]) if len(parts) > 1 and parts[0] and len(parts[1].split()) <= 6 else (value, "")


def lives(match: re.Match[str]) -> Reading | None:
    place = plain(match.group("place"))
    if re.match(
        r"(?i)(?:fear|hope|a (?:house|flat|small|big)|my|the (?:same|house|city)|peace|harmony|for|with|alone|"
        r"together)\b",
        place,
    ):
        return Reading("lives", place, single=False)
    if re.match(r"\d", place) or re.search(r"(?i)\b(?:street|st\.|road|avenue|lane|square|drive)\b", place):
        return Reading("address", place)
    return Reading(
        "city",
        re.split(r"(?i) (?:since|for|with|and|near|these|until|now|at the moment)\b", place, maxsplit=1)[0].strip(" ,"),
    )


def works_at(match: re.Match[str]) -> Reading | None:
    place = plain(match.group("place"))
    if re.match(
        r"(?i)(?:home|night|nights|the moment|weekends?|\d|a living|myself|fun|it|this|that|a desk|least|once|peace|"
        r"lunch)\b",
        place,
    ):
        return Reading("works", f"{match.group('prep')} {place}", single=False)
    return Reading("employer", re.split(r" (?:as|since|in|on|and|until|where|for \d)\b", place, maxsplit=1)[0])


def plan(match: re.Match[str]) -> Reading | None:
    plan = value_for("plan", match.group("plan"))
    return Reading("plan", plan) if plan and not THIS_ONE.search(plan) else None


_A_THING = re.compile(
    r"(?i)(?:an?|any|no|one|two|three|four|five|six|seven|eight|nine|ten|several|\d{1,4})[ ](?!of\b|on\b|in\b|that\b|"
    r"more\b|left\b)"
)
_NO_THING = re.compile(
    rf"(?i)^(?:\w+[ ])(?:[\w-]+[ ]){{0,2}}?(?:{TRANSACTION}|insurance|certificates?|vouchers?|gift cards?|"
    rf"credit cards?|cards?|receipts?|baggage|"
    r"appointments?|meetings?|doubts?|feelings?|time|look|access|trouble|difficult\w*|information|details|plans?|"
    r"status|minutes?|hours?|days?|"
    r"weeks?|months?|weekend|membership|emergency|deadline|moment|rights?|news|chance|way|blast|dream|passion|lot|"
    r"bit|few|couple|great|good|headache|cold|fever|cough|migraine|hangover|failing|broken|"
    r"hard|tough|nice|fun|bad|rough|long|busy|similar|new)\b(?![ ](?:dogs?|cats?|cars?|house|flat|kids?|sons?|"
    r"daughters?|bike|boat|garden|garage|"
    r"parrots?|horses?|job|office|shop|laptop|phone|number|address))"
)


def have(match: re.Match[str]) -> Reading | None:
    """ "I have two parrots", "I don't have a car": things counted or with an article; the rest is talk."""
    what = REASON.sub("", match.group("what")).strip(" .,!")
    at_home = PLACE_THING.search(what) and re.search(
        r"(?i)\w+s (?:on|in|at|behind|under|outside|by) (?:the|our|my)\b|\bat home$", what
    )
    if (
        not (_A_THING.match(what) or at_home)
        or _NO_THING.match(what)
        or THIS_ONE.search(what)
        or len(what.split()) > 12
    ):
        return Reading(durable=False)
    bare = trim(re.sub(r"(?i)^(?:an?|any|no)[ ]", "", what))
    if (pet := re.match(r"(?P<kind>[\w-]+(?: [\w-]+)?) (?:called|named) (?P<name>.+)", bare)) and not _negated(match):
        return Reading(f"{snake(pet.group('kind'))}_name", name_only(pet.group("name")))
    if _negated(match) or what.lower().startswith("no "):
        return Reading("has", f"not {bare}", single=False, closes=(bare,))
    return Reading("has", bare, single=False, closes=(f"not {bare}",))


_ALL_BUT = re.compile(
    r"(?i)^(?:anything|everything|any \w+|all \w+|most things) (?:but|except(?: for)?|apart from|other than|"
    r"besides) (?P<not>.+)"
)


_ON_THE_WAY = re.compile(
    r"(?i)(?:cycle|walk|drive|commute|travel|fly|ride|run|swim|sell|export|write|speak|talk|listen|belong|deliver|"
    r"ship|subscribe)\b"
)


def habit(match: re.Match[str]) -> Reading | None:
    verb, rest = match.group("verb").lower(), plain(match.group("rest"))
    if all_but := _ALL_BUT.match(match.group("rest")):
        without = plain(all_but.group("not"))
        return Reading(third_person(verb.split()[0]), f"not {without}", single=False, closes=(without,))
    rest = ONE_CLAUSE.split(rest, maxsplit=1)[0]
    if (
        THIS_ONE.search(rest)
        or re.match(r"(?i)(?:word|term|phrase|expression)\b", rest)
        or re.search(r"(?i)\b(?:you|your|certificates?|gift cards?|vouchers?)\b", rest)
        or re.match(
            r"(?i)(?:and\b|so\b|a lot\b|things?\b|stuff\b|something\b|better\b|well\b|\w{2,}ing\b(?! \w+)|it\b|that\b|"
            r"whether\b|if\b|how\b|what\b|why\b|my (?:certificate|gift|voucher|credit|points|"
            r"card)\b|care of|place|part|note|sense|sure|a look|into account|for granted|out\b|off\b|up on)",
            rest,
        )
    ):
        return Reading(durable=False)
    if verb in ("keep", "start", "finish", "stop") and re.match(
        r"(?!everything|nothing|something|anything|meeting|living|building|evening|morning)\w+ing\b", rest
    ):
        return Reading(durable=False)
    if rest.lower().startswith("to ") and not _ON_THE_WAY.match(verb):
        return Reading(durable=False)
    if kept_at := re.match(r"(?i)(?P<what>[\w ]{3,30}?) at (?P<at>\d.*)", rest) if verb == "keep" else None:
        return Reading(f"{snake(kept_at.group('what'))}_at", trim(kept_at.group("at")))
    negative = bool(match.group("no"))
    rest = re.sub(r"(?i)^again$|[ ]only$", "", rest)
    if not rest and verb not in (
        "smoke",
        "drive",
        "drink",
        "cook",
        "ski",
        "swim",
        "cycle",
        "commute",
        "hike",
        "knit",
        "sew",
        "paint",
        "garden",
        "surf",
        "fly",
        "fast",
    ):
        return None
    key, single = tool_key(rest) if verb == "use" and rest else (third_person(verb.split()[0]), False)
    value = rest or "yes"
    if negative:
        return Reading(key, f"not {value}" if rest else "no", single=False, closes=(value,))
    return Reading(key, value, single=single, closes=() if single else (f"not {value}" if rest else "no",))


_TIMES = re.compile(
    r"(?i)\b(?:\w+days?|weekends?|mornings?|afternoons?|evenings?|nights?|before|after|between|until|\d|noon|lunch|"
    r"remotely|weekdays)\b"
)


def ability(match: re.Match[str]) -> Reading | None:
    verb, rest = match.group("verb").lower(), plain(match.group("rest"))
    if THIS_ONE.search(rest):
        return Reading(durable=False)
    if re.match(r"(?i)(?:so|a lot|whatever|anything|better|what)\b", rest):
        return Reading(durable=False)
    if verb in ("eat", "drink", "use", "drive", "speak", "read"):
        return Reading(
            third_person(verb),
            f"not {rest}" if match.group("no") else rest,
            single=False,
            closes=(rest,) if match.group("no") else (f"not {rest}",),
        )
    if verb in ("do", "work", "come", "meet") and not _TIMES.search(rest):
        return None
    if verb in (
        "lift",
        "carry",
        "walk",
        "climb",
        "stand",
        "reach",
        "fit",
        "store",
        "pick up",
        "travel",
        "stay",
        "attend",
        "start",
        "leave",
    ):
        return Reading() if re.search(r"\d", rest) or _TIMES.search(rest) or match.group("only") else None
    if verb not in ("do", "work", "come", "meet"):
        return Reading()
    return Reading("availability", f"{'not ' if match.group('no') else ''}{rest}", single=False)


_THINGS_DO = re.compile(
    r"opens|closes|starts|ends|begins|needs|requires|reads|costs|runs|uses|takes|accepts|lives|sits|stands|sleeps|"
    r"eats|drinks|likes|prefers|"
    r"hates|expires|renews|ships|leaves|arrives|stays|holds|fits|measures|weighs|contains|includes|supports|speaks|"
    r"goes|lasts|faces|serves|"
    r"sells|belongs|depends|rotates|uses|means|listens|deploys|closes|pays|plays|drives|wears|works"
)


def own_thing_does(match: re.Match[str]) -> Reading | None:
    """ "My shop opens at nine": what a thing of the speaker's does as a rule."""
    what, verb, rest = match.group("what"), match.group("verb").lower(), plain(match.group("rest"))
    if re.search(rf"(?i)\b(?:{TRANSACTION}|cards?|visa|accounts?)\b", what) or not _THINGS_DO.fullmatch(verb):
        return None
    return Reading(f"{snake(what)}_{verb}"[:64], rest)


def reached_at(match: re.Match[str]) -> Reading | None:
    way = match.group("way").rstrip(".!")
    return Reading("email" if "@" in way else "phone", way, category_hint=Category.CONTACT)


_KNOWN = re.compile(r"^(?:[A-Z][\w+#.-]*+|(?:,|and|or|a|little|some|bit|of|very|well)\b|[,&]|[ ])+[.! ]{0,40}$")


def refused(match: re.Match[str]) -> Reading | None:
    """ "I refuse to wear fur"."""
    rest = plain(match.group("rest"))
    return Reading(third_person(match.group("verb").split()[0]), f"not {rest}", single=False, closes=(rest,))


def knows(match: re.Match[str]) -> Reading | None:
    """ "I know Perl and Ruby": a skill or a person by name; "I know that …" tells nothing."""
    what = re.sub(r"(?i) (?:very |quite |pretty )?well$| a bit$", "", plain(match.group("what")))
    if not _KNOWN.match(what) or not what[:1].isupper():
        return None
    return Reading(
        "knows",
        f"not {what}" if _negated(match) else what,
        single=False,
        closes=(what if _negated(match) else f"not {what}",),
    )


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_BIRTH_DAY = re.compile(
    rf"(?i)^(?:(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|"
    rf"th)?)(?:,? \d{{4}})?\b|"
    rf"\d{{4}}-\d\d-\d\d\b|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b)"
)


def born(match: re.Match[str]) -> Reading | None:
    where = trim(match.group("rest"))
    if day := _BIRTH_DAY.match(where):
        return Reading("birthday", trim(day.group()))
    return (
        Reading("birth_year", where)
        if re.match(r"\d{4}$", where)
        else Reading("birthplace", where)
        if where[:1].isupper()
        else None
    )


def doing(match: re.Match[str]) -> Reading | None:
    what = plain(match.group("what"))
    if (
        re.match(r"(?i)(?:something|how|it|this|that|things?|stuff|my health|myself)\b", what)
        or THIS_ONE.search(what)
        or re.search(rf"(?i)\b(?:you|your|{TRANSACTION})\b", what)
    ):
        return None
    return Reading(match.group("verb").lower(), what, single=False, form=Form.IMPLIED)
