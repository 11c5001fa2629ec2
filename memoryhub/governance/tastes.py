"""What does somebody prefer, like, want or use instead? Readings of the clauses that tell it (R13). None: nothing
    after
all.
"""

import re

from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import preference_key, snake, tool_key, trim
from memoryhub.governance.lexicon import ONE_CLAUSE, REASON, THIS_ONE, TRANSACTION, plain
from memoryhub.governance.moods import STANDING
from memoryhub.vocabulary import Category, Form


def prefer(match: re.Match[str]) -> Reading | None:
    """ "I prefer A", "A over B", "A, not B", "I would rather A than B"."""
    what = REASON.sub("", match.group("what"))
    if THIS_ONE.search(what) or re.match(
        rf"(?i)(?:(?:an?|the|my|another|your)[ ](?:\w+[ ])?(?:{TRANSACTION})|if|that you|you|not to (?:say|cancel|"
        rf"pay|wait))\b",
        what,
    ):
        return Reading(durable=False)
    tentative = bool(match.groupdict().get("would"))
    if tentative and re.search(
        r"(?i)\b(?:flight|option|seat for|refund|voucher|departing|arriv|to (?:cancel|keep|change|fly|book|pay|"
        r"proceed|use|go|stay|leave|get|speak|wait|do|have))\b",
        what,
    ):
        return Reading(durable=False)
    if what.lower().startswith("not "):
        refused = trim(re.sub(r"(?i)^not (?:to )?(?:be )?", "", what))
        return Reading(
            "prefers",
            f"not {refused}",
            single=False,
            closes=(refused,),
            category_hint=Category.PREFERENCE,
            form=Form.IMPLIED if tentative else None,
        )
    what = re.sub(
        r"(?i)^(?:to )?(?:take|use|have|drink|get|travel by|go by|be on) (?=the|a\b|an\b|my|\w+ (?:than|over|instead|"
        r"rather)\b)",
        "",
        what,
    )
    parts = re.split(
        r"(?i)(?:,? (?:over|rather than|instead of|and not|but not|not|more than|to)(?= [^ ]+)|,? than)[ ]",
        what,
        maxsplit=1,
    )
    wanted, other = trim(parts[0]), trim(parts[1]) if len(parts) > 1 else ""
    if not wanted:
        return None
    if (
        other
        and re.search(r"(?i) to ", what)
        and not re.search(r"(?i) (?:over|rather|instead|not|than) ", what)
        and re.match(r"(?i)(?:be|get|have|use|see|the|my|me)\b", other)
    ):
        wanted, other = trim(what), ""  # "I prefer calls to my office" compares nothing
    key, single = preference_key(wanted)
    return Reading(
        key,
        wanted,
        single=single,
        closes=(other,) if other else (),
        category_hint=Category.PREFERENCE,
        form=Form.IMPLIED if tentative and not other and "rather" not in match.group().lower() else None,
    )


#: "I like the blue sofa": one thing at hand more likely than a taste.
_THIS_THING = re.compile(
    r"(?i)the (?:red|blue|green|gr[ae]y|black|white|yellow|brown|pink|new|old|other|big|small|left|right|first|second|"
    r"third|last) \w+[.! ]{0,40}$"
)


def likes(match: re.Match[str]) -> Reading | None:
    what = re.sub(r"(?i)^both (?=.+ and )", "", plain(match.group("what")))
    if neither := re.match(r"(?i)neither (?P<one>.+?) n?or (?P<other>.+)", what):
        value = f"{neither.group('one')} or {trim(neither.group('other'))}"
        return Reading("likes", f"not {value}", single=False, closes=(value,), category_hint=Category.PREFERENCE)
    if all_but := re.match(
        r"(?i)(?:anything|everything|all \w+) (?:but|except(?: for)?|apart from) (?P<not>.+)", match.group("what")
    ):
        value = plain(all_but.group("not"))
        return Reading("likes", f"not {value}", single=False, closes=(value,), category_hint=Category.PREFERENCE)
    if THIS_ONE.search(what) or re.match(
        r"(?i)(?:to (?:know|see|book|cancel|change|have|get|make|add|ask|use|fly|confirm|proceed|speak|do|pay|"
        r"upgrade|receive|request|check|go|return|be)\b|you\b|your\b|how\b|when (?:you|it)\b|the (?:idea|sound|"
        r"way)\b|what\b|for you\b|if\b)",
        what,
    ):
        return Reading(durable=False)
    if re.match(r"(?i)(?:but|and|or|so|not)\b", what) or re.search(r"(?i)\b(?:like this|like that|this place)\b", what):
        return None
    interest = "interested in" in match.group().lower()
    if interest and re.match(r"(?i)(?:\w+ing|your|the|how|what|whether)\b", what):
        return Reading(durable=False)
    value = ONE_CLAUSE.split(re.sub(r"(?i)^to ", "", what), maxsplit=1)[0]
    return (
        Reading(
            "likes",
            value,
            form=Form.IMPLIED if interest or _THIS_THING.match(match.group("what")) else None,
            single=False,
            closes=(f"not {value}",),
            category_hint=Category.PREFERENCE,
        )
        if value
        else None
    )


def dislikes(match: re.Match[str]) -> Reading | None:
    what = re.sub(r"(?i)^it when ", "when ", plain(match.group("what")))
    if THIS_ONE.search(what) or re.match(
        r"(?i)(?:to (?:say|ask|be rude|bother|complain|wait|admit|cancel)|how\b|your\b|the (?:way|fact|idea)\b|"
        r"what\b|when you\b)",
        what,
    ):
        return Reading(durable=False)
    if re.match(r"(?i)(?:but|and|or|so|not)\b", what):
        return None
    value = re.sub(r"(?i)^to ", "", what)
    return (
        Reading("likes", f"not {value}", single=False, closes=(value,), category_hint=Category.PREFERENCE)
        if value
        else None
    )


def uses_not(match: re.Match[str]) -> Reading | None:
    """ "we use A, not B": A holds, B no longer does."""
    wanted, other = trim(match.group("a")), trim(match.group("b"))
    if not wanted or THIS_ONE.search(wanted):
        return None
    key, single = tool_key(wanted)
    return Reading(
        key, wanted, single=single, closes=(other,), category_hint=Category.PROJECT_FACT if key != "uses" else None
    )


def opinion(match: re.Match[str]) -> Reading | None:
    if THIS_ONE.search(match.group("what")) or re.match(
        r"(?i)(?:it|this|that|you|your|out|myself)\b", match.group("what")
    ):
        return None
    return Reading(
        "opinions",
        f"{trim(match.group('what'))} {trim(match.group('adj'))}",
        single=False,
        category_hint=Category.PREFERENCE,
    )


def contact_by(match: re.Match[str]) -> Reading | None:
    way = trim(match.group("way"))
    return Reading("preferred_contact", way, category_hint=Category.PREFERENCE)


def suits(match: re.Match[str]) -> Reading | None:
    value = trim(match.group("value"))
    if re.match(
        r"(?i)(?:i|we|you|this|that|it|which|what|either|both|any|he|she|they|the (?:first|second|last|other|same))\b",
        value,
    ):
        return Reading(durable=False)
    key, single = preference_key(value)
    return Reading(key, value, single=single, category_hint=Category.PREFERENCE)


def unwanted(match: re.Match[str]) -> Reading | None:
    what = plain(match.group("what"))
    generic = re.match(
        r"(?i)(?:any |to be (?:called|contacted|phoned|disturbed|e-?mailed|texted)|to receive|to get|you to (?:call|"
        r"ring|text|e-?mail|send)|calls|e-?mails|letters|newsletters?|reminders|marketing|phone calls|notifications|"
        r"more)\b",
        what,
    )
    if not generic:
        return Reading(durable=False)
    return Reading("wants", f"not {what}", single=False, closes=(what,), category_hint=Category.PREFERENCE)


def is_my(match: re.Match[str]) -> Reading | None:
    """ "Tea is my favourite drink": the same as "my favourite drink is tea"."""
    what, value = match.group("what"), trim(match.group("value"))
    if re.search(r"(?i)\b(?:question|problem|issue|concern|priority|request|choice|option)\b", what):
        return None
    if re.match(r"(?i)(?:this|that|those|these|it|here|what|which|he|she|they)\b", value):
        return None
    return Reading(snake(what), value, category_hint=Category.PREFERENCE if re.match(r"(?i)fav|pref", what) else None)


def liked_most(match: re.Match[str]) -> Reading | None:
    return (dislikes if match.group("verb").lower() in ("hate", "dislike") else likes)(match)


def best_reached(match: re.Match[str]) -> Reading | None:
    what, way = match.group("what").lower(), re.sub(r"(?i)^(?:by|via|through) ", "", plain(match.group("way")))
    key = "preferred_contact" if what == "way" else f"best_{what}_to_reach"
    return Reading(key, way, category_hint=Category.PREFERENCE)


_EVERY = re.compile(
    r"(?i)\b(?:in|on|for|at|with) (?:all|every|each)\b|\b(?:every|each) (?:\w+day|day|week|month|year|morning|evening|"
    r"night|time)\b|"
    r"\beverything in\b"
)
#: What somebody needs wherever they go.
_ACCESS = re.compile(
    r"(?i)^(?:an? |the |some |at least )*(?:step-?free|wheelchair|level access|ramp|lift|ground[- ]floor|large print|"
    r"large-print|subtitles|"
    r"captions|interpreter|parking (?:space|spot) (?:near|close)|quiet (?:room|place|space|seat)|\w+ (?:days?|hours?|"
    r"weeks?)'? notice|notice|"
    r"two signatures|invoices? (?:in|with|as|for)|po number|purchase order number)\b"
)


def wants(match: re.Match[str]) -> Reading | None:
    """ "I always want the aisle seat" stands; "I want a refund" does not."""
    if refused := re.match(r"(?i)no (?P<what>\w.+)", match.group("what")):
        what = plain(refused.group("what"))
        return Reading("wants", f"not {what}", single=False, closes=(what,), category_hint=Category.PREFERENCE)
    if (
        not STANDING.search(match.group())
        and not re.match(r"(?i)(?:i|we) only ", match.group())
        and not _EVERY.search(match.group())
    ):
        if _ACCESS.match(match.group("what")):
            return Reading("needs", plain(match.group("what")), single=False, category_hint=Category.PREFERENCE)
        return None
    return Reading("wants", plain(match.group("what")), single=False, category_hint=Category.PREFERENCE)


def not_for_me(match: re.Match[str]) -> Reading | None:
    """ "Spicy food isn't for me", "Tuesdays don't work for me"."""
    what = trim(match.group("what"))
    if re.match(
        r"(?i)(?:it|this|that|these|those|which|what|he|she|they|the (?:link|app|page|site|code|button|file|order|"
        r"flight)\b)",
        what,
    ):
        return None
    day = re.match(r"(?i)(?:\w+days?|mornings?|afternoons?|evenings?|weekends?)\b", what)
    return Reading(
        "availability" if day else "likes",
        f"not {what}",
        single=False,
        closes=(what,),
        category_hint=Category.PREFERENCE,
    )


def what_i(match: re.Match[str]) -> Reading | None:
    """ "Window seats are what I prefer": the same as "I prefer window seats"."""
    value, verb = trim(match.group("value")), match.group("verb").lower()
    if re.match(r"(?i)(?:this|that|it|these|those|which)\b", value):
        return None
    key, single = preference_key(value) if verb in ("prefer", "want") else ("likes", False)
    return Reading(key, value, single=single, category_hint=Category.PREFERENCE)
