"""What does a clause state, as key and value? The declared grammar of first-person English (R13).

Each rule is a pattern and what it means; the first that fits wins. Clauses come with contractions written out (clauses.expand).
"""

import re
from collections.abc import Callable
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import preference_key, snake, third_person, tool_key, trim, value_for, without_when
from memoryhub.governance.moods import STANDING
from memoryhub.vocabulary import Category, Form

_Build = Callable[[re.Match[str]], Reading | None]

_ADVERB = r"(?:(?:really|just|still|also|usually|normally|generally|mostly|typically|now|currently|only|often|personally|much|strongly|actually|absolutely|definitely|always|mainly|quite|very much|sometimes|rarely|so|already|both|simply|all|primarily|exclusively|do)[ ])*"
_I = r"(?:i|we)[ ]"
_REASON = re.compile(r"(?i)[ ,]+(?:because|so (?=i\b|we\b|my\b|please\b|it\b|that\b|\w+ (?:is|are|suits?|works?)\b)|since|so that|as i|as we|due to|unless|if)\b.*$")
_ONE_CLAUSE = re.compile(r"(?i),? (?:and|but|so) (?:i |we |would|want|need|look|am|are|was|have|had|will|can|could|also|that|it|this|please|you)\b")
_THIS_ONE = re.compile(
    r"(?i)^(?:this|that|it|those|these|them|one|both|either|neither|all|(?:the|that|this) (?:\w+ )?(?:first|second|third|last|next|same|other|cheapest|earliest|latest|fastest|shortest|quickest|best|one|ones|option|flight|offer|following|above|former|latter|two|three)(?: (?:one|ones|option|options|flight|flights|offer|seat|choice|two|three))*(?=[.!,]|$| (?:for|on|from|to|at|you|with|and|please|that|in)\b))"
    r"|\b(?:option [a-d\d]|flight [a-z]{2,3} ?\d+|for (?:this|that) (?:booking|flight|order|trip|one|time|change|reservation)|this time)\b"
)
_TRANSACTION = (
    r"flights?|orders?|bookings?|reservations?|tickets?|questions?|problems?|issues?|requests?|concerns?|reasons?|apolog(?:y|ies)|goal|understanding|guess|point|mistake|bad|pleasure|luggage|bags?|trips?|cancel+ation|refunds?|"
    r"return|payment|total|cart|focus|aim|intent|intention|priority|interest|flight plans?|package|parcel|message|inquiry|enquiry|complaint|case|screen|app|page|download|upload|passengers?|itinerary|confirmation|connection|layover|departure|arrival|seat selection|idea|thoughts?|advice|hope|answer|suggestion|first|last|next|main (?:question|concern|problem|issue)"
)
_LOGIN = re.compile(r"(?i)\b(?:user ?(?:id|name)|login(?: id| name)?|(?:reservation|booking|confirmation|itinerary|boarding|flight)(?: (?:id|number|no|code|reference))?)$")
_IDENTIFIER = re.compile(r"(?i)\b(?:numbers?|ids?|reference|ref|code|confirmation|identifier|username|user ?id)$")
_TROUBLE = re.compile(
    r"(?i)^(?:not (?:working|here|there|loading|available|showing|arriv\w+|possible|right|correct|sure|yet)|broken|late|delayed|missing|wrong|gone|stuck|lost|down|slow|damaged|cancel+ed|being|going|getting|running|about to|to |that |how |why |what |whether |because|"
    r"\w+ing\b(?! (?:lane|road|street|room))|so |too |very |really |still (?:not|waiting)|unable|supposed|due to|fine|ok(?:ay)?|good|great|all (?:right|good|set)|done|ready|over|full|empty|dead|confirmed|complete|on its way|in transit|as follows|simple|clear|urgent)"
)
_FEELING = re.compile(
    r"(?i)^(?:sorry|sure|ready|happy|glad|sad|tired|fine|good|well|ok(?:ay)?|great|back|late|early|here|there|done|confused|frustrated|upset|afraid|worried|busy|unable|able|aware|curious|interested|disappointed|excited|hungry|thirsty|bored|stuck|lost|angry|"
    r"annoyed|grateful|thankful|satisfied|unhappy|unsure|certain|right|wrong|okay|all set|not|so|too|very|really|quite|pretty|just|about|going|trying|looking|having|getting|waiting|thinking|wondering|asking|calling|writing|hoping|planning|considering|using|"
    r"testing|running|doing|making|sending|seeing|\w+ing\b|being|in a (?:hurry|rush)|at (?:work|home|the (?:airport|office|station|moment))|on (?:the phone|hold|my way|it|board)|in touch|aware|under|over|up|down|off|out|impressed|told|asked|supposed|"
    r"a (?:bit|little|lot|customer|user|member|passenger|human|person|little)|the (?:one|only|same|account)|one of|willing|free|new here|also|still|of course|open to|with you|all|sick|unwell|ill|feeling|flying|travel+ing|your|from the|kidding|joking)\b"
)
_DIETS = r"vegetarian|vegan|pescatarian|flexitarian|halal|kosher|teetotal|a vegetarian|a vegan|a pescatarian|gluten[- ]free|plant[- ]based"
_MARITAL = r"married|single|divorced|widowed|engaged|separated"
_LIKE = r"like|love|enjoy|adore|appreciate|am (?:a (?:big |huge |great )?fan of|fond of|keen on|into|crazy about|passionate about|partial to)|am really into|are (?:fond of|keen on|into|fans of)|am interested in"
_DISLIKE = (
    r"(?:do not|never)[ ](?:really |particularly |much |especially |at all )?(?:like|love|enjoy|care for|appreciate)|hate|dislike|detest|loathe|despise|(?:can|could) not (?:stand|bear|abide|tolerate|take)|am not (?:a (?:big |huge )?fan of|fond of|keen on|into|crazy about)|"
    r"am tired of|am sick of|avoid"
)
_HABITS = (
    r"eat|drink|use|drive|ride|cycle|walk|commute|travel|fly|own|rent|lease|run|play|read|watch|listen to|listen|speak|smoke|wear|study|teach|sell|buy|ship|deploy|store|keep|host|manage|lead|handle|support|build|write|code in|code|test|train|sleep|wake up|"
    r"get up|start|finish|open|close|cook|grow|collect|practi[sc]e|volunteer|pay|invoice|bank|shop|park|skip|take|sit|rely on|depend on|belong to|attend|follow|celebrate|fast|observe|release|maintain|serve|stock|source|deliver|receive|accept|operate|employ|"
    r"import|export|produce|make|bake|brew|commit|merge|lint|format|log|track|meet|review|backup|back up|subscribe to|order from|buy from|work from|work on|stay at|stay in|sing|swim|run on|garden|hike|climb|ski|surf|fish|hunt|paint|draw|knit|sew"
)


def read(clause: str) -> Reading | None:
    """What the clause states of its speaker; None where no rule fits."""
    for pattern, build in _RULES:
        match = pattern.match(clause)
        if match and (reading := build(match)):
            return reading
    return None


def _negated(match: re.Match[str]) -> bool:
    return bool(match.groupdict().get("no"))


def _plain(value: str) -> str:
    return trim(_REASON.sub("", value))


def _ends(match: re.Match[str]) -> Reading | None:
    """ "I no longer X", "I do not X any more", "I stopped X-ing": what held is closed."""
    verb, rest = match.group("verb").lower(), _plain(match.group("rest"))
    if re.match(r"live|reside", verb):
        place = re.sub(r"(?i)^(?:in|at) ", "", rest)
        return Reading("city", f"not {place}", single=False, closes=(place,), changed=True) if place else None
    if re.match(r"work(?:ing)? (?:at|for|with)", verb):
        return Reading("employer", f"not {rest}", single=False, closes=(rest,), changed=True) if rest else None
    if re.match(r"lik|lov|enjoy|prefer|want", verb):
        return Reading("prefers" if verb.startswith("prefer") else "likes", f"not {rest}", single=False, closes=(rest,), changed=True, category_hint=Category.PREFERENCE)
    if verb.startswith(("am", "are")):
        return Reading("is", f"not {rest}", single=False, closes=(rest,), changed=True)
    root = re.sub(r"(?:ing)$", "", verb) if verb.endswith("ing") else verb
    root = {"us": "use", "driv": "drive", "rid": "ride", "smok": "smoke", "tak": "take", "hav": "have", "writ": "write", "mak": "make", "receiv": "receive", "practis": "practise"}.get(root, root)
    key = third_person(root.split()[0])
    if key == "uses":
        key = tool_key(rest)[0]
    return Reading(key, f"not {rest}", single=False, closes=(rest,), changed=True)


def _is_no_longer(match: re.Match[str]) -> Reading | None:
    what = trim(match.group("rest"))
    if diet := re.match(rf"(?i)(?:an? )?({_DIETS})\b", what):
        return Reading("diet", f"not {diet.group(1).lower()}", closes=(diet.group(1).lower(),), changed=True)
    if plan := re.match(r"(?i)on (?P<plan>.+? (?:plan|subscription|tariff))$", what):
        value = value_for("plan", plan.group("plan"))
        return Reading("plan", f"not {value}", single=False, closes=(value,), changed=True)
    if re.match(r"(?i)(?:able|sure|interested|going|using|on)\b", what):
        return Reading(durable=False)
    return Reading("is", f"not {what}", single=False, closes=(what,), changed=True)


def _cancelled(match: re.Match[str]) -> Reading | None:
    what = match.group("what").strip()
    if re.search(rf"(?i)\b(?:{_TRANSACTION})$", what):
        return None
    return Reading(snake(what), "cancelled", ends_key=True, changed=True)


def _used_to(match: re.Match[str]) -> Reading | None:
    return None  # what only was says nothing of now


def _moved(match: re.Match[str]) -> Reading | None:
    place = _plain(match.group("to"))
    if not place or re.match(r"(?i)(?:on|forward|up|a|another|different|new|the next|my|it|this|that)\b", place):
        return None
    before, place = trim(match.group("from") or match.group("from2") or ""), without_when(place)
    if re.match(r"\d+ ", place):
        return Reading("address", place, closes=(before,) if before else (), changed=True)
    place = re.split(r"(?i) (?:last|this|next|in|on|two|three|a|\d+|yesterday|today|since|with|to|for|over|when|after|at the|and)\b", place, maxsplit=1)[0]
    return Reading("city", trim(place), closes=(before,) if before else (), changed=True)


def _switched(match: re.Match[str]) -> Reading | None:
    new, old, what = without_when(_plain(match.group("to"))), trim(match.group("from") or ""), trim(match.group("what") or "")
    if _THIS_ONE.search(new):
        return None
    if re.search(r"(?i)\b(?:plan|subscription|tariff)\b", f"{new} {old} {what}"):
        return Reading("plan", value_for("plan", new), closes=(value_for("plan", old),) if old else (), changed=True)
    key, single = (snake(what), True) if what else tool_key(new)
    return Reading(key, new, single=single, closes=(old,) if old else (), changed=True)


def _changed(match: re.Match[str]) -> Reading | None:
    what, new = match.group("what"), match.group("to")
    if re.search(rf"(?i)\b(?:mind|{_TRANSACTION})$", what.strip()):
        return None
    key = snake(what)
    if new:
        return Reading(key, value_for(key, without_when(_plain(new))), changed=True)
    return Reading(f"{key}_changed", "changed", changed=True)


def _named(match: re.Match[str]) -> Reading | None:
    name = trim(re.split(r"(?i)[,;(]| (?:please|instead|from|if|when|because|not|rather|and|since)\b", match.group("name"), maxsplit=1)[0])
    if not name or len(name.split()) > 4 or re.match(r"(?i)(?:back|at|on|when|if|later|after|before|an?|the|tomorrow|today|asap|again|now|in|by|between|only|crazy|stupid|once|this|your|whenever|any ?time)\b", name):
        return None
    return Reading("preferred_name", name, category_hint=Category.PREFERENCE)


def _mine(match: re.Match[str]) -> Reading | None:
    """ "my X is Y"."""
    what, value, verb = match.group("what").strip(), match.group("value"), match.group("verb").lower()
    negative = bool(match.group("not"))
    if verb.startswith(("was", "were")) or re.match(r"(?i)(?:old|former|previous|last)\b", what):
        return None
    if re.search(r"(?i)\b(?:that|which|who|when|where|i|we|you|is|are|was)\b", what):
        return None
    dated = re.search(r"(?i)\b(?:tomorrow|today|tonight|on \w+day|next \w+|this \w+|\d{4}-\d\d-\d\d|in \d+ \w+|(?:on |the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+|[A-Z][a-z]+ \d{1,2}\b)", value)
    identifier = _IDENTIFIER.search(what)
    if _LOGIN.search(what) and not dated:
        return Reading(durable=False)  # it names the matter at hand, and changes no later answer
    if re.fullmatch(rf"(?i)(?:\w+ )?(?:{_TRANSACTION})", what) and not dated:
        return Reading(durable=False)
    if _TROUBLE.match(value) and not negative:
        return Reading(durable=False)
    if verb.endswith(("called", "named")) or re.search(r"(?i)'s name$", what):
        owner = snake(re.sub(r"(?i)'s name$", "", what))
        return Reading(f"{owner}_name", trim(value))
    key = snake(what)
    value, other = _and_not(value)
    clean = value_for(key, _plain(value))
    if not clean or (len(clean.split()) > 25 and not identifier):
        return None
    if key == "plan" and re.match(r"(?i)(?:to|for)\b", value):
        return Reading(durable=False)
    hint = Category.PREFERENCE if key.startswith(("favourite", "preferred", "preference")) else None
    if key.startswith("preference"):
        key, _ = preference_key(clean)
    reading = Reading(key, f"not {clean}" if negative else clean, closes=(clean,) if negative else (value_for(key, other),) if other else (), category_hint=hint, form=Form.HEDGED if " be" in verb and "will" not in verb else None)
    return replace(reading, category_hint=Category.GENERAL, durable=True) if identifier and key not in ("phone",) else reading


def _and_not(value: str) -> tuple[str, str]:
    """ "Leeds, not York" as what is so and what is not."""
    parts = re.split(r"(?i),? (?:and not|not|rather than|instead of|no longer) ", value, maxsplit=1)
    return (parts[0], parts[1]) if len(parts) > 1 and parts[0] and len(parts[1].split()) <= 6 else (value, "")


def _lives(match: re.Match[str]) -> Reading | None:
    place = _plain(match.group("place"))
    if re.match(r"(?i)(?:fear|hope|a (?:house|flat|small|big)|my|the (?:same|house|city)|peace|harmony|for|with|alone|together)\b", place):
        return Reading("lives", place, single=False)
    if re.match(r"\d", place) or re.search(r"(?i)\b(?:street|st\.|road|avenue|lane|square|drive)\b", place):
        return Reading("address", place)
    return Reading("city", re.split(r"(?i) (?:since|for|with|and|near|these|until|now|at the moment)\b", place, maxsplit=1)[0].strip(" ,"))


def _works_at(match: re.Match[str]) -> Reading | None:
    place = _plain(match.group("place"))
    if re.match(r"(?i)(?:home|night|nights|the moment|weekends?|\d|a living|myself|fun|it|this|that|a desk|least|once|peace|lunch)\b", place):
        return Reading("works", f"{match.group('prep')} {place}", single=False)
    return Reading("employer", re.split(r" (?:as|since|in|on|and|until|where|for \d)\b", place, maxsplit=1)[0])


def _plan(match: re.Match[str]) -> Reading | None:
    plan = value_for("plan", match.group("plan"))
    return Reading("plan", plan) if plan and not _THIS_ONE.search(plan) else None


def _prefer(match: re.Match[str]) -> Reading | None:
    """ "I prefer A", "A over B", "A, not B", "I would rather A than B"."""
    what = _REASON.sub("", match.group("what"))
    if _THIS_ONE.search(what) or re.match(rf"(?i)(?:(?:an?|the|my|another|your)[ ](?:\w+[ ])?(?:{_TRANSACTION})|if|that you|you|not to (?:say|cancel|pay|wait))\b", what):
        return Reading(durable=False)
    tentative = bool(match.groupdict().get("would"))
    if tentative and re.search(r"(?i)\b(?:flight|option|seat for|refund|voucher|departing|arriv|to (?:cancel|keep|change|fly|book|pay|proceed|use|go|stay|leave|get|speak|wait|do|have))\b", what):
        return Reading(durable=False)
    if what.lower().startswith("not "):
        refused = trim(re.sub(r"(?i)^not (?:to )?(?:be )?", "", what))
        return Reading("prefers", f"not {refused}", single=False, closes=(refused,), category_hint=Category.PREFERENCE, form=Form.IMPLIED if tentative else None)
    parts = re.split(r"(?i)(?:,? (?:over|rather than|instead of|and not|but not|not|more than|to)(?= [^ ]+)|,? than)[ ]", what, maxsplit=1)
    wanted, other = trim(parts[0]), trim(parts[1]) if len(parts) > 1 else ""
    if not wanted:
        return None
    if other and re.search(r"(?i) to ", what) and not re.search(r"(?i) (?:over|rather|instead|not|than) ", what) and re.match(r"(?i)(?:be|get|have|use|see|the|my|me)\b", other):
        wanted, other = trim(what), ""  # "I prefer calls to my office" compares nothing
    key, single = preference_key(wanted)
    return Reading(key, wanted, single=single, closes=(other, ) if other else (), category_hint=Category.PREFERENCE, form=Form.IMPLIED if tentative and not other and "rather" not in match.group().lower() else None)


def _likes(match: re.Match[str]) -> Reading | None:
    what = _plain(match.group("what"))
    if _THIS_ONE.search(what) or re.match(r"(?i)(?:to (?:know|see|book|cancel|change|have|get|make|add|ask|use|fly|confirm|proceed|speak|do|pay|upgrade|receive|request|check|go|return|be)\b|you\b|your\b|how\b|when (?:you|it)\b|the (?:idea|sound|way)\b|what\b|for you\b|if\b)", what):
        return Reading(durable=False)
    interest = "interested in" in match.group().lower()
    if interest and re.match(r"(?i)(?:\w+ing|your|the|how|what|whether)\b", what):
        return Reading(durable=False)
    value = _ONE_CLAUSE.split(re.sub(r"(?i)^to ", "", what), maxsplit=1)[0]
    return Reading("likes", value, form=Form.IMPLIED if interest else None, single=False, closes=(f"not {value}",), category_hint=Category.PREFERENCE) if value else None


def _dislikes(match: re.Match[str]) -> Reading | None:
    what = re.sub(r"(?i)^it when ", "when ", _plain(match.group("what")))
    if _THIS_ONE.search(what) or re.match(r"(?i)(?:to (?:say|ask|be rude|bother|complain|wait|admit|cancel)|how\b|your\b|the (?:way|fact|idea)\b|what\b|when you\b)", what):
        return Reading(durable=False)
    value = re.sub(r"(?i)^to ", "", what)
    return Reading("likes", f"not {value}", single=False, closes=(value,), category_hint=Category.PREFERENCE) if value else None


def _uses_not(match: re.Match[str]) -> Reading | None:
    """ "we use A, not B": A holds, B no longer does."""
    wanted, other = trim(match.group("a")), trim(match.group("b"))
    if not wanted or _THIS_ONE.search(wanted):
        return None
    key, single = tool_key(wanted)
    return Reading(key, wanted, single=single, closes=(other,), category_hint=Category.PROJECT_FACT if key != "uses" else None)


def _have(match: re.Match[str]) -> Reading | None:
    what = _plain(match.group("what"))
    if re.match(
        rf"(?i)(?:(?:a|an|the|some|any|no|two|three|one|\d+|my|this|another|few|couple of|valid|upcoming|existing|current|free|silver|gold|other|more)[ ])*(?:\w+[ ])?(?:{_TRANSACTION}|travel insurance|insurance|certificates?|vouchers?|gift cards?|credit cards?|cards?|receipt|appointments?|meetings?|doubts?|feeling|time|look|to|been|"
        r"access|trouble|difficult\w*|information|details|everything|it|that|this|them|you|enough|plans?|status|(?:\d+|two|three|one|both|all)[ ](?:of|on|in|that|more|left|minutes?|hours?|days?|weeks?)|\d+|minutes?|hours?|days?|your|any|my|membership|emergency|deadline|minute|moment|right|rights|never|ever|not|already|just|decided|tried|checked|heard|seen|read|received|noticed|booked|made|paid|"
        r"changed|moved|switched|lost|found|forgotten|attached|included|\w+ed|done|had|got|gone|taken|bought|sent|given|chosen|written|spoken)\b", what
    ):
        return Reading(durable=False)
    return Reading("has", f"not {what}" if _negated(match) else what, single=False, closes=(what,) if _negated(match) else (f"not {what}",)) if what and len(what.split()) <= 12 else None


def _am(match: re.Match[str]) -> Reading | None:
    what = match.group("what").strip()
    negative = bool(match.group("not"))
    if diet := re.match(rf"(?i)({_DIETS})\b", what):
        value = trim(diet.group(1)).lower()
        return Reading("diet", f"not {value}" if negative else value, closes=(value,) if negative else ())
    if marital := re.match(rf"(?i)({_MARITAL})\b(?! to (?:the|this|that))", what):
        return Reading("marital_status", marital.group(1).lower())
    if origin := re.match(r"(?i)(?:originally )?from (?P<place>[A-Z].*)", what):
        return Reading("origin", _plain(origin.group("place")))
    if age := re.match(r"(?i)(\d{1,3})(?: years old)?[.!]?$", what):
        return Reading("age", age.group(1))
    if based := re.match(r"(?i)(?:now |currently )?(?:based|located|living|settled) in (?P<place>.+)", what):
        return Reading("city", _plain(based.group("place")))
    if work := re.match(r"(?i)(?:now |currently )?(?:working|employed) (?:at|for) (?P<place>[A-Z].+)", what):
        return Reading("employer", _plain(work.group("place")))
    if plan := re.match(r"(?i)(?:now )?(?:on|under) (?P<plan>(?:the|an?|your|my)? ?.{1,40}? (?:plan|subscription|tariff))\b", what):
        return Reading("plan", value_for("plan", re.sub(r"(?i)^(?:your|my) ", "", plan.group("plan"))))
    if member := re.match(r"(?i)(?:(?:also|now|still) )?an? (?:valued |loyal )?(?P<tier>\w+(?: \w+)?) (?:member|customer|tier member|status member)\b", what):
        return Reading("membership", member.group("tier").lower(), form=Form.IMPLIED, category_hint=Category.ACCOUNT_FACT)
    if away := re.match(r"(?i)(?P<what>(?:away|on (?:holiday|vacation|leave|parental leave|maternity leave|sabbatical)|out of (?:office|town)|in [A-Z]\w+|abroad|off)\b.*\b(?:until|till|from|for|this|next)\b.+)", what):
        return Reading("whereabouts", trim(away.group("what")), form=None)
    if (free := re.match(r"(?i)(?:only |usually |always |generally )?(?:available|free|reachable|in the office|at (?:my|the) desk|around) (?P<when>.+)", what)) and re.search(r"(?i)\w+days\b|mornings|evenings|afternoons|weekends|weekdays|every|\bfrom \d|between \d|after \d|before \d|until \d", free.group("when")):
        return Reading("availability", ("not " if negative else "") + _plain(free.group("when")))
    if _FEELING.match(what):
        return Reading(durable=False) if not negative else None
    if job := re.match(r"(?i)(?:now |also |still )?(?:an? )(?P<job>[\w][\w '/-]{2,50}?)(?: (?:at|for|with) (?P<place>[A-Z][\w&.' -]+))?[.!,]*$", what):
        return Reading("is", f"not {trim(job.group('job'))}" if negative else trim(what), single=False, closes=(trim(job.group("job")),) if negative else ())
    if re.match(r"(?i)(?:left|right)-handed|retired|self-employed|freelance|unemployed|bilingual|colou?r-blind|a night owl|an early bird|(?:the )?(?:owner|head|lead|founder|manager|chair|secretary|treasurer|parent) of", what):
        return Reading("is", trim(what), single=False)
    return None


def _habit(match: re.Match[str]) -> Reading | None:
    verb, rest = match.group("verb").lower(), _plain(match.group("rest"))
    rest = _ONE_CLAUSE.split(rest, maxsplit=1)[0]
    if _THIS_ONE.search(rest) or re.search(r"(?i)\b(?:you|your|certificates?|gift cards?|vouchers?)\b", rest) or re.match(r"(?i)(?:to\b|it\b|that\b|whether\b|if\b|how\b|what\b|why\b|my (?:certificate|gift|voucher|credit|points|card)\b|care of|place|part|note|sense|sure|a look|into account|for granted|out\b|off\b|up on)", rest):
        return Reading(durable=False)
    negative = bool(match.group("no"))
    if not rest and verb not in ("smoke", "drive", "drink", "cook", "ski", "swim", "cycle", "commute", "hike", "knit", "sew", "paint", "garden", "surf", "fly", "fast"):
        return None
    key, single = tool_key(rest) if verb == "use" and rest else (third_person(verb.split()[0]), False)
    value = rest or "yes"
    if negative:
        return Reading(key, f"not {value}" if rest else "no", single=False, closes=(value,))
    return Reading(key, value, single=single, closes=() if single else (f"not {value}",))


def _ability(match: re.Match[str]) -> Reading | None:
    verb, rest = match.group("verb").lower(), _plain(match.group("rest"))
    if _THIS_ONE.search(rest):
        return Reading(durable=False)
    if verb in ("eat", "drink", "use", "drive", "speak", "read"):
        return Reading(third_person(verb), f"not {rest}" if match.group("no") else rest, single=False, closes=(rest,) if match.group("no") else (f"not {rest}",))
    return Reading("availability" if verb in ("do", "work", "come", "meet", "make") else None, f"{'not ' if match.group('no') else ''}{rest}", single=False)


def _opinion(match: re.Match[str]) -> Reading | None:
    if _THIS_ONE.search(match.group("what")) or re.match(r"(?i)(?:it|this|that|you|your|out|myself)\b", match.group("what")):
        return None
    return Reading("opinions", f"{trim(match.group('what'))} {trim(match.group('adj'))}", single=False, category_hint=Category.PREFERENCE)


def _own_thing_does(match: re.Match[str]) -> Reading | None:
    what, verb, rest = match.group("what"), match.group("verb").lower(), _plain(match.group("rest"))
    if re.search(rf"(?i)\b(?:{_TRANSACTION})\b", what) or re.search(r"(?i)\b(?:was|is|are|has|does|needs? help|crashes|fails|keeps|says|shows|seems|looks|sounds|goes wrong|wants to know|ends in|his|this|class|address|was)\b", verb):
        return None
    return Reading(f"{snake(what)}_{verb}"[:64], rest)


def _contact_by(match: re.Match[str]) -> Reading | None:
    way = trim(match.group("way"))
    return Reading("preferred_contact", way, category_hint=Category.PREFERENCE)


def _born(match: re.Match[str]) -> Reading | None:
    where = trim(match.group("rest"))
    return Reading("birth_year", where) if re.match(r"\d{4}$", where) else Reading("birthplace", where) if where[:1].isupper() else None


def _joined(match: re.Match[str]) -> Reading | None:
    place = _plain(match.group("place"))
    if not place[:1].isupper():
        return None
    return Reading("employer", re.split(r" (?:as|in|on|last|this|two|\d)\b", place, maxsplit=1)[0], changed=True)


def _left(match: re.Match[str]) -> Reading | None:
    place = _plain(match.group("place"))
    place = re.split(r" (?:last|this|in|on|two|as|\d)\b", place, maxsplit=1)[0]
    return Reading("employer", f"not {place}", single=False, closes=(place,), changed=True) if place[:1].isupper() else None


def _suits(match: re.Match[str]) -> Reading | None:
    value = trim(match.group("value"))
    if re.match(r"(?i)(?:i|we|you|this|that|it|which|what|either|both|any|he|she|they|the (?:first|second|last|other|same))\b", value):
        return Reading(durable=False)
    key, single = preference_key(value)
    return Reading(key, value, single=single, category_hint=Category.PREFERENCE)


def _doing(match: re.Match[str]) -> Reading | None:
    what = _plain(match.group("what"))
    if _THIS_ONE.search(what) or re.search(rf"(?i)\b(?:you|your|{_TRANSACTION})\b", what):
        return None
    return Reading(match.group("verb").lower(), what, single=False, form=Form.IMPLIED)


def _rule(pattern: str, build: _Build) -> tuple[re.Pattern[str], _Build]:
    return re.compile(rf"(?i)^{pattern}"), build


_VERBISH = r"(?P<verb>live|reside|work (?:at|for|with)|prefer|like|love|enjoy|am|are|have|own|want|need|" + _HABITS + r")"
_RULES: tuple[tuple[re.Pattern[str], _Build], ...] = (
    _rule(rf"{_I}(?:no longer|not any ?more)[ ]{_VERBISH}\b[ ]?(?P<rest>.*)", _ends),
    _rule(rf"{_I}do not[ ](?:actually |really )?{_VERBISH}\b[ ](?P<rest>.*?)[ ,]*(?:any ?more|any longer|these days)\b", _ends),
    _rule(rf"{_I}am (?P<verb>not)[ ](?P<rest>.*?)[ ,]*(?:any ?more|any longer)\b", lambda match: Reading("is", f"not {trim(match.group('rest'))}", single=False, closes=(trim(match.group("rest")),), changed=True)),
    _rule(rf"{_I}(?:have )?(?:stopped|quit|gave up|given up|ceased)[ ](?P<verb>\w+ing(?: (?:at|for|in))?)\b[ ]?(?P<rest>.*)", _ends),
    _rule(rf"{_I}(?P<verb>am|are) no longer[ ](?P<rest>.+)", _is_no_longer),
    _rule(rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:cancel+ed|ended|terminated|closed|stopped) (?:my|our) (?P<what>[\w ]{{2,40}}?)(?P<when>(?: (?:this|last|yesterday|today|on|two|a)\b.*)?)[.!]*$", _cancelled),
    _rule(rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:sold|got rid of|gave away|lost) (?:my|our) (?P<what>[\w ]{{2,40}}?)(?P<when>(?: (?:this|last|yesterday|today|on|two|a)\b.*)?)[.!]*$", lambda match: Reading("has", f"not {match.group('what')}", single=False, closes=(match.group("what"),), changed=True) if not re.search(rf"(?i)\b(?:{_TRANSACTION}|way|time|patience|temper|mind|count|interest|connection|password|keys?)\b", match.group("what")) else None),
    _rule(rf"{_I}used to\b(?P<rest>.*)", _used_to),
    _rule(rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:moved|relocated)(?: (?:house|home|back|over|down|up|out))?(?: from (?P<from>[^,]+?))?(?: over| back)? to (?P<to>.+?)(?: from (?P<from2>[^,]+))?[.!]*$", _moved),
    _rule(rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:switched|changed|moved|upgraded|downgraded|migrated|converted|gone)(?: (?P<what>(?:my|our|the) [\w ]{{1,40}}?|over))?(?: from (?P<from>[^,]+?))? (?:over )?to (?P<to>.+)", _switched),
    _rule(rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:changed|updated|renamed|replaced|renewed|switched) (?:my|our) (?P<what>[\w' -]{{2,50}}?)(?: (?:to|into|with|from .+ to) (?P<to>.+?))?(?P<when>(?: (?:this|last|yesterday|today|on|two|a)\b.*)?)[.!]*$", _changed),
    _rule(r"(?:please )?(?:call|address|refer to) me (?:as )?(?P<name>[\"'\w].*)", _named),
    _rule(rf"(?:{_I}(?:go by|want to be called|would like to be called|prefer to be called|like to be called|am (?:called|known as))|(?:people|friends|everyone|everybody|they|most people) calls? me|you can call me)[ ](?P<name>.+)", _named),
    _rule(r"(?:the )?best (?P<what>time|way|number|days?|place) to (?:reach|call|contact|visit|find|ring|phone|meet|get hold of) (?:me|us) (?:is|are) (?P<way>.+)", lambda match: Reading("preferred_contact" if match.group("what") == "way" else f"best_{match.group('what').lower()}_to_reach", re.sub(r"(?i)^(?:by|via|through) ", "", _plain(match.group("way"))), category_hint=Category.PREFERENCE)),
    _rule(r"what (?:i|we) (?P<verb>like|love|enjoy|hate|prefer|dislike) (?:the )?(?:most |best |least )?(?:is|are) (?P<what>.+)", lambda match: (_dislikes if match.group("verb").lower() in ("hate", "dislike") else _likes)(match)),
    _rule(r"(?P<value>[\w][\w' -]{1,40}?) (?:is|are) (?:my|our) (?P<what>(?:favou?rite|preferred|usual|main|first|home|current|new) [\w -]{2,30}?)[.!]*$", lambda match: Reading(snake(match.group("what")), trim(match.group("value")), category_hint=Category.PREFERENCE if re.match(r"(?i)fav|pref", match.group("what")) else None) if not re.search(r"(?i)\b(?:question|problem|issue|concern|priority|request|choice|option)\b", match.group("what")) and not re.match(r"(?i)(?:this|that|it|here|what|which|he|she|they)\b", match.group("value")) else None),
    _rule(r"(?P<value>[\w][\w' -]{1,40}?) (?:works?|suits?|is|are|would be) (?:me |us )?(?:the )?(?:best|better|easiest|easier|preferable|ideal|most convenient)(?: for (?:me|us)| option for (?:me|us))[.!]*$", lambda match: _suits(match)),
    _rule(r"(?P<value>[\w][\w' -]{1,40}?) suits? (?:me|us)(?: best| better| well)?[.!]*$", lambda match: _suits(match)),
    _rule(r"(?:you can |you may |it is best to |best to |feel free to )?(?:please )?(?:only )?(?:contact|reach|write to|get in touch with|notify|message|update) (?:me|us) (?:only )?(?:by|via|through|on|over|using) (?P<way>.+)", _contact_by),
    _rule(rf"{_I}{_ADVERB}(?:want|like|need|prefer|would like|would prefer)(?: you)? to be (?:contacted|reached|notified|informed|reminded) (?:only )?(?:by|via|through|on|over) (?P<way>.+)", _contact_by),
    _rule(r"(?:my|our) (?P<what>[\w'’/& -]{1,60}?) (?P<verb>is called|is named|are called|goes by|is now|are now|is|are|might be|may be|could be|will be|was|were|remains|stays|lies|reads|equals)\b(?P<not>[ ](?:not|no longer|never))?[ :]*(?P<value>.+)", _mine),
    _rule(r"the (?P<what>[\w'’/& -]{1,40}?) of (?:my|our) (?P<owner>[\w -]{1,30}?) (?P<verb>is|are)\b(?P<not>[ ]not)?[ :]*(?P<value>.+)", lambda match: Reading(snake(f"{match.group('owner')} {match.group('what')}"), trim(match.group("value")))),
    _rule(rf"{_I}{_ADVERB}(?:live|reside|dwell)(?: over)? (?:in|at|near|on) (?P<place>.+)", _lives),
    _rule(rf"{_I}{_ADVERB}(?:come|hail) from (?P<place>.+)", lambda match: Reading("origin", _plain(match.group("place")))),
    _rule(rf"{_I}{_ADVERB}work as (?:an? |the )?(?P<job>[^,]+?)(?: (?:at|for|with) (?P<place>.+))?[.!]*$", lambda match: Reading("job", _plain(match.group("job")))),
    _rule(rf"{_I}{_ADVERB}work (?P<prep>at|for|with) (?P<place>.+)", _works_at),
    _rule(rf"{_I}{_ADVERB}work (?P<rest>(?:in|from|on|part|full|remotely|nights?|shifts?|weekends?|mondays?|until|only).*)", lambda match: Reading("works", _plain(match.group("rest")), single=False)),
    _rule(rf"{_I}(?:have )?(?:recently |just |now )*(?:joined|started (?:working )?at|started with)[ ](?P<place>.+)", _joined),
    _rule(rf"{_I}(?:have )?(?:recently |just |now )*(?:left|quit|resigned from|retired from)(?: my (?:job|position|post) (?:at|with))?[ ](?P<place>.+)", _left),
    _rule(rf"{_I}was born (?:in|on|at) (?P<rest>.+)", _born),
    _rule(rf"{_I}{_ADVERB}(?:have|use|pay for|subscribe to) (?P<plan>(?:the|an?|your)? ?[\w -]{{2,30}} (?:plan|subscription|tariff))\b", _plan),
    _rule(rf"{_I}(?P<would>would )?{_ADVERB}(?:prefer|rather(?: have| use| be)?|favou?r)(?: to have| to be| to use)?[ ](?P<what>.+)", _prefer),
    _rule(rf"{_I}{_ADVERB}(?:{_DISLIKE})[ ](?P<what>.+)", _dislikes),
    _rule(rf"{_I}{_ADVERB}(?:{_LIKE})[ ](?P<what>.+)", _likes),
    _rule(rf"{_I}(?:should |always |now |only )*use (?P<a>.+?),? (?:not|instead of|rather than|and not|never|over|in place of|but not) (?P<b>[^,.]+)", _uses_not),
    _rule(r"(?:please |always |let us |for \w+,? |in this (?:project|repo|repository),? |here,? )*use (?P<a>.+?),? (?:not|instead of|rather than|and not|never|in place of|but not) (?P<b>[^,.]+)", _uses_not),
    _rule(r"(?:i|we) have been (?:an? |your )?(?:\w+ )?(?P<what>customer|member|client|subscriber|user) (?P<value>(?:since|for) .+)", lambda match: Reading(f"{match.group('what').lower()}_since", re.sub(r"(?i)^since ", "", trim(match.group("value"))))),
    _rule(rf"{_I}{_ADVERB}(?P<no>do not )?(?:have|own)[ ](?P<what>.+)", _have),
    _rule(rf"{_I}{_ADVERB}can (?P<no>not )?(?:only |never )?(?P<verb>do|eat|drink|use|drive|speak|read|work|come|meet|receive|accept|host|take)[ ](?P<rest>.+)", _ability),
    _rule(rf"{_I}{_ADVERB}find (?P<what>.{{3,60}}?) (?P<adj>(?:too |very |really |rather |quite |a bit )?(?:\w+(?:ing|ful|less|ous|ive|ant|ent|able|ible|ic|al|y)|hard|easy|redundant|useless|slow|fast|loud|rude|boring|great|good|bad|cheap|expensive|weird|odd|cold|hot|small|big|long|short|unclear|complicated|simple|outdated))\b[.!]*$", _opinion),
    _rule(rf"{_I}{_ADVERB}(?:am|are) {_ADVERB}(?P<verb>learning|studying|training (?:as|for)|saving for|preparing for|renovating|raising|working on|writing|building)[ ](?P<what>.+)", _doing),
    _rule(rf"{_I}{_ADVERB}go (?P<rest>(?:to |for )?.*\b(?:every|each|on \w+days|on weekends|daily|weekly|twice a|once a)\b.*)", lambda match: Reading("goes", _plain(match.group("rest")), single=False)),
    _rule(rf"{_I}{_ADVERB}(?:am|are) {_ADVERB}(?P<not>not )?(?P<what>.+)", _am),
    _rule(rf"{_I}{_ADVERB}(?P<no>(?:do not|never|hardly ever|rarely|will not|seldom)[ ](?:ever |usually |normally |really )*)?(?P<verb>{_HABITS})\b[ ]?(?P<rest>.*)", _habit),
    _rule(rf"{_I}{_ADVERB}(?:want|like|need|expect|require)[ ](?:my |our )?(?P<what>.+)", lambda match: Reading("wants", _plain(match.group("what")), single=False, category_hint=Category.PREFERENCE) if STANDING.search(match.group()) or re.match(r"(?i)i (?:only )", match.group()) else None),
    _rule(rf"{_I}do not (?:want|wish|need)[ ](?P<what>.+)", lambda match: _unwanted(match)),
    _rule(r"(?:my|our) (?P<what>[\w'’ -]{2,40}?) (?P<verb>[a-z]{3,14}s)\b (?P<rest>.+)", _own_thing_does),
)  # fmt: skip


def _unwanted(match: re.Match[str]) -> Reading | None:
    what = _plain(match.group("what"))
    generic = re.match(r"(?i)(?:any |to be (?:called|contacted|phoned|disturbed|e-?mailed|texted)|to receive|to get|you to (?:call|ring|text|e-?mail|send)|calls|e-?mails|letters|newsletters?|reminders|marketing|phone calls|notifications|more)\b", what)
    if not generic:
        return Reading(durable=False)
    return Reading("wants", f"not {what}", single=False, closes=(what,), category_hint=Category.PREFERENCE)
