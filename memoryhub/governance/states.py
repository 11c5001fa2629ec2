"""What is somebody? Readings of "I am …", "we are …": diet, origin, work, plan, whereabouts, name (R13)."""

import re

from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import trim, value_for
from memoryhub.governance.lexicon import DIETS, FEELING, MARITAL, REASON, plain
from memoryhub.vocabulary import Category, Form

#: Words that end like an occupation and are none.
_NO_JOB = (
    r"customer|member|user|subscriber|passenger|caller|stranger|newcomer|beginner|smoker|swimmer|runner|reader|gamer|"
    r"walker|hiker|"
    r"drinker|eater|sleeper|riser|lover|follower|homeowner|owner|holder|renter|father|mother|brother|sister|daughter|"
    r"foreigner|teenager|"
    r"vegetarian|pedestrian|stickler|sucker|believer|learner|dreamer|loner|planner|teetotaler|teetotaller|player|"
    r"fighter|killer|"
    r"minimalist|perfectionist|optimist|pessimist|realist|feminist|tourist|visitor|neighbor|survivor|loser|winner|"
    r"traveller|traveler|commuter|cyclist"
)
_JOB = re.compile(
    rf"(?i)^(?:(?:freelance|senior|junior|retired|trained|professional|self-employed|part-time|full-time|"
    rf"primary school|school|software|night|"
    rf"head|wedding|train|bus|taxi|truck|lorry|social|data|civil|electrical|mechanical|sound|"
    rf"pastry) )*(?!(?:\w{{1,40}} )?(?:{_NO_JOB})$)"
    rf"(?:\w{{0,40}}(?:er|or|ist|ian|ologist|keeper|maker|smith|wright|nurse|chef|cook|judge|pilot|clerk|architect|scientist|"
    rf"accountant|consultant|"
    rf"assistant|attendant|surgeon|vet|dentist|guard|guide|nanny|butler|tailor|mason|coach|student|monk|priest|"
    rf"midwife|translator|"
    rf"secretary|mechanic|botanist|engineer|analyst|artist|agent))$"
)
_ON = re.compile(
    r"(?i)(?:on|using|pinned to|locked to|stuck on|running|"
    r"based on) (?P<what>(?:an? )?(?-i:[A-Z])[\w.+#-]*(?: [\w.+#-]+){0,3})[.!]{0,40}$"
)
_NO_PLATFORM = re.compile(
    r"(?i)\b(?:flight|order|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|"
    r"june|july|august|"
    r"september|october|november|december|page|plan|board|hold)\b"
)


def am(match: re.Match[str]) -> Reading | None:
    what = re.sub(r"(?i),? (?:not|no longer|and not) an? [\w -]+[.!]{0,40}$", "", match.group("what").strip())
    what = re.sub(r"(?i) (?:now|these days|nowadays|at last)[.!]{0,40}$", "", what)
    negative = bool(match.group("not"))
    if diet := re.match(rf"(?i)({DIETS})\b", what):
        value = trim(diet.group(1)).lower()
        return Reading("diet", f"not {value}" if negative else value, closes=(value,) if negative else ())
    if marital := re.match(rf"(?i)({MARITAL})\b(?! to (?:the|this|that))", what):
        return Reading("marital_status", marital.group(1).lower())
    if origin := re.match(r"(?i)(?:originally )?from (?P<place>[A-Z].*)", what):
        return Reading("origin", plain(origin.group("place")))
    if age := re.match(r"(?i)(\d{1,3})(?: years old)?[.!]?$", what):
        return Reading("age", age.group(1))
    if based := re.match(r"(?i)(?:now |currently )?(?:based|located|living|settled) in (?P<place>.+)", what):
        return Reading("city", plain(based.group("place")))
    if work := re.match(r"(?i)(?:now |currently )?(?:working|employed) (?:at|for) (?P<place>[A-Z].+)", what):
        return Reading("employer", plain(work.group("place")))
    if plan := re.match(
        r"(?i)(?:now )?(?:on|under) (?P<plan>(?:the|an?|your|my)? ?.{1,40}? (?:plan|subscription|tariff))\b", what
    ):
        return Reading("plan", value_for("plan", re.sub(r"(?i)^(?:your|my) ", "", plan.group("plan"))))
    if member := re.match(
        r"(?i)(?:(?:also|now|still) )?an? (?:valued |loyal )?(?P<tier>\w+(?: \w+)?) (?:member|customer|tier member|"
        r"status member)\b",
        what,
    ):
        return Reading(
            "membership", member.group("tier").lower(), form=Form.IMPLIED, category_hint=Category.ACCOUNT_FACT
        )
    if (work := re.match(r"(?:at|with) (?P<place>[A-Z][\w&.' -]+)", what)) and re.search(
        r"(?i) now (?:at|with) ", match.group()
    ):
        return Reading("employer", plain(work.group("place")), form=Form.IMPLIED, changed=True)
    if away := re.match(
        r"(?i)(?P<what>(?:away|on (?:holiday|vacation|leave|parental leave|maternity leave|sabbatical)|"
        r"out of (?:office|town)|in (?-i:[A-Z])\w+|abroad|off(?! to\b))\b.*\b(?:until|till|from|for|this|next)\b.+)",
        what,
    ):
        return Reading("whereabouts", trim(away.group("what")), form=None)
    if (
        free := re.match(
            r"(?i)(?:only |usually |always |generally )?(?:available|free|reachable|in the office|at (?:my|the) desk|"
            r"around) (?P<when>.+)",
            what,
        )
    ) and re.search(
        r"(?i)\w+days\b|mornings|evenings|afternoons|weekends|weekdays|every|\bfrom \d|between \d|after \d|"
        r"before \d|until \d",
        free.group("when"),
    ):
        return Reading("availability", ("not " if negative else "") + plain(free.group("when")))
    if called := re.match(r"(?i)(?:called|named|known as) (?P<name>(?-i:[^\W\d_])[\w'’ .-]{0,40}?)[.!]{0,40}$", what):
        return Reading("name", trim(called.group("name"))) if not negative else None
    if zone := re.match(r"(?i)(?:in|on) (?:the )?(?P<zone>[\w/+:-]+(?: [\w/]+)?) time(?: zone)?[.!]{0,40}$", what):
        return Reading("time_zone", trim(zone.group("zone")))
    if (platform := _ON.match(REASON.sub("", what))) and not _NO_PLATFORM.search(what):
        value = trim(platform.group("what"))
        return Reading(
            "uses", f"not {value}" if negative else value, single=False, closes=(value if negative else f"not {value}",)
        )
    if FEELING.match(what):
        return Reading(durable=False) if not negative else None
    if fan := re.match(
        r"(?i)(?:an? )?(?:big |huge |total |massive |great |real )*(?P<of>(?!(?:an?|big|huge|total|massive|great|"
        r"real)\b)[\w -]{2,30}?) fan(?: too)?[.!]{0,40}$",
        what,
    ):
        return Reading(
            "likes",
            fan.group("of"),
            single=False,
            closes=(f"not {fan.group('of')}",),
            category_hint=Category.PREFERENCE,
        )
    if job := re.match(
        r"(?i)(?:now |also |still )?(?:an? )(?P<job>[\w][\w '/-]{2,50}?)(?: (?:at|for|"
        r"with) (?P<place>[A-Z][\w&.' -]+))?[.!,]*$",
        what,
    ):
        if _JOB.match(job.group("job")) and not negative:
            place = trim(job.group("place") or "")
            return Reading("job", trim(job.group("job")) + (f" at {place}" if place else ""))
        return Reading(
            "is",
            f"not {trim(job.group('job'))}" if negative else trim(what),
            single=False,
            closes=(trim(job.group("job")),) if negative else (),
        )
    if re.match(
        r"(?i)(?:left|right)-handed|retired|self-employed|freelance|unemployed|bilingual|colou?r-blind|a night owl|"
        r"an early bird|(?:the )?(?:owner|head|lead|founder|manager|chair|secretary|treasurer|parent) of",
        what,
    ):
        return Reading("is", trim(what), single=False)
    return None
