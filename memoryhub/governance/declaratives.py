"""What does a plain sentence say that no rule of the grammar reads? "I restore old clocks.", "The back gate sticks."
(R13, R14).

A habit or a lasting state of the speaker, of what is theirs, or of the place they speak of is a statement in their own
words. What happened once, what goes wrong with the matter at hand, a judgement and what everybody knows are none.
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.coming import COMING
from memoryhub.governance.grammar import read
from memoryhub.governance.keys import snake, third_person, trim
from memoryhub.governance.lexicon import DIETS, PAST, THIS_ONE, TRANSACTION, plain
from memoryhub.governance.moods import is_request
from memoryhub.governance.places import DIGITAL, EVALUATION, NOW, PLACE_THING, PROBLEM, SETTING
from memoryhub.governance.surroundings import behaves
from memoryhub.vocabulary import Category, Form
from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Sieved

_ADVERB = (
    r"(?:(?:usually|normally|generally|mostly|typically|often|always|mainly|sometimes|regularly|occasionally|rarely|"
    r"frequently|also|only|still|now|currently|personally|primarily|exclusively|routinely|mostly|nearly always|"
    r"almost always|almost never|both|all|even|just|really|actually|\w{3,30}ly)[ ]){0,4}"
)
_NEVER = (
    r"(?:do not|never|hardly ever|almost never|rarely|seldom|no longer|will not)[ ]"
    r"(?:ever |usually |normally |really )*"
)
_FIRST = re.compile(
    rf"(?i)^(?:i|we)[ ](?P<adverb>{_ADVERB})(?P<no>{_NEVER})?{_ADVERB}(?P<verb>[a-z]{{2,16}}(?:-[a-z]{{2,12}})?)(?:[ "
    rf"](?P<rest>.+?))?[.!, ]{{0,40}}$"
)
#: What marks that something is so again and again, or for good.
HABIT = Sieved(
    r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:on|every|each) (?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?|weekends?|weekdays|week-?nights|mornings|afternoons|evenings|nights|every|each|daily|"
    r"weekly|monthly|yearly|annually|quarterly|nightly|hourly|always|never|usually|normally|generally|mostly|"
    r"typically|"
    r"often|regularly|routinely|rarely|seldom|occasionally|sometimes|(?:once|twice|three times|\d+ times) an? \w+|"
    r"(?:in|during) (?:the )?(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|mornings?|evenings?|afternoons?|rush hour|term|harvest)|at night|"
    r"at weekends|for a living|as a (?:hobby|job|volunteer|\w+er)|before (?:work|breakfast|lunch|dinner|bed|school|"
    r"noon|\d|\w+ o'clock)|after (?:work|breakfast|lunch|dinner|school|dark|hours|noon|\d|\w+ o'clock|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|eleven|twelve)|until (?:\d|noon|late|"
    r"\w+ o'clock)|past \d|between \w+ and \w+|from \d+(?::\d\d)? (?:to|until)|all year|year-round|since \d{4}|"
    r"whenever|by default|as a rule|first thing|on (?:school|market|bank|public) \w+s?|over (?:the )?(?:summer|"
    r"winter))\b"
)
#: Verbs that say what goes on in a mind or in this talk, help another verb, or tell what is being done just now.
_NO_HABIT = frozenset(
    listed(
        """
        am are is be was were been have has had do does did done can could may might must shall should will would ought
        think know see hear feel mean guess hope want need wonder understand remember forget believe say tell ask
        notice
        look agree disagree thank apologise apologize appreciate promise swear bet assume suppose imagine realise
        realize
        doubt fear dare wish expect recall recognise recognize seem appear regret admit confirm deny insist suggest
        recommend propose request demand object refuse protest claim argue suspect figure reckon gather gotta let lets
        consider concur care mind matter deserve owe trust hate love like enjoy adore dislike loathe prefer intend plan
        decide choose opt try attempt happen fail manage struggle panic cry laugh smile sigh lol cannot die lose win
        beg pray urge warn repeat mention note stress emphasise refer reference quote cite attach enclose include copy
        paste click type press scroll log sign reset restart reboot reinstall refresh reload proceed continue wait hold
        stay remain keep get got go come make take put give find run start stop begin end finish leave arrive return
        bring
        turn become cancel order book purchase pay refund complain report contact call receive send forward upload
        download submit enter fill select verify check look miss lack too not as in on at for to of by with from and or
        but if so who which that this then there here also just still both all myself ourselves one
        consent suffer rock bond mess back deserve cherish admire hang ache struggle bother entertain pause breathe
        set experience encounter face discover learn notice hate guess concede resent acknowledge welcome support
        stand sound
        second cant dont please sorry thanks hello hi yes no ok okay correct right
        """
    )
)
#: Of those, the ones that tell a habit where the sentence says so ("I leave at four on Fridays").
_WITH_AN_OBJECT = re.compile(
    r"(?i)^(?:bring|get|do|take|keep|make) (?:my|our|the|all my|all our) (?:own )?(?:lunch|dinner|breakfast|meals|"
    r"books|accounts|shopping|cooking|"
    r"laundry|garden\w*|taxes|payroll|school run|night shift|early shift|late shift|rounds|parcels|mail|post|letters|"
    r"groceries|"
    r"deliveries|news|coffee|tea|bread|keys|tools|equipment|cups?|bags?|water|notes|minutes|medicines?|appointments)\b"
)
#: Of those, the ones that tell a habit where their object is a kind of thing ("we quote net prices").
_WITH_A_KIND = frozenset(
    listed("do pay quote order purchase book type keep check sign stand refer hold call take include")
)
_A_KIND = re.compile(
    rf"(?i)^(?:(?!(?:the|this|that|it|them|my|your|an?|for|to|not|so|as|with|on it|nothing|something|everything|"
    rf"anything|"
    rf"well|better|more|less|"
    rf"what|whatever|want|need|have|like|care|mind|know|think|good|fine|ok|\w+ing|{TRANSACTION})\b(?! (?:meeting|"
    rf"living|heating) ))\w+|"
    rf"(?:my|our|the|everything|all) .+ (?:in|at|on|under|behind|within|by) \w|(?:everything|it all) in \w)"
)
_WITH_A_MARK = frozenset(
    listed(
        """
        keep get go come bring make take put give find run start stop begin end finish leave arrive return turn order
        book pay hang
        receive send call check log wait stay hold do look contact report support forward sign try meet stand ask
        """
    )
)
_ENDS_IN_ED = frozenset(listed("need feed breed seed weed speed bleed exceed proceed succeed embed shred wed"))
_ENDS_IN_ING = re.compile(r"(?:b|br|s|r|st?r|sw|spr|cl|fl|sl|w|k)ing")
#: "Test data lives in …" begins like a request and is none.
_TOLD_OF = re.compile(r"(?i)^\w+ [\w-]+ (?:is|are|lives?|goes|runs?|happens?|uses?|must|has|have|takes?|stays?)\b")
_REGULAR = re.compile(rf"(?i)^(?:(?:since|from)\b|(?=.*{HABIT.pattern.removeprefix('(?i)')}))")
#: Said of a machine that talks, not of the speaker's place.
_AI = Sieved(
    r"(?i)\b(?:ai|\w{0,20}gpt\w*|openai|chat ?bot|language model|jailbreak\w*|unfiltered|amoral|uncensored|prompts?|"
    r"persona)\b"
)
#: "In winter we heat from five", "every Wednesday I am at the depot".
_FRONTED = re.compile(
    r"(?i)^(?P<when>(?:in|on|at|during|from|since|before|after|over|around|every|each|most|by|"
    r"for) [^,]{2,30}?,? )(?P<rest>(?:i|we|our|my) .+)"
)
_MANY = re.compile(r"[.!?;]|\b(?:i|we|each other)\b", re.IGNORECASE)
_TO_YOU = Sieved(r"(?i)\b(?:you|your|yours|yourself)\b|\b(?:that|which|who|because|what|why|how|whether)\b")
_MATTER = re.compile(rf"(?i)\b(?:this|that|these|those|my|the|an?|any)[ ](?:\w+ )?(?:{TRANSACTION})\b")
_OWN_THING = re.compile(
    r"(?i)^(?:(?:all|most|both|some) (?:of )?)?(?:my|"
    r"our)[ ](?P<what>[\w'’-]+(?:[ ][\w'’-]+){0,3}?)[ ](?P<adverb>(?:(?:usually|normally|often|always|only|"
    r"also|still|never|sometimes|regularly|rarely|no longer)[ ])*)(?P<verb>do not|does not|will not|can not|can only|"
    r"is|"
    r"are|has|have|[a-z]{2,16}s|weigh|measure|open|close|start|end|last|cost|take|face|need|hold|fit|come|go|run|"
    r"flood|leak|bite|"
    r"bark|"
    r"live|sleep|eat|like|love|use|work|meet|break|stick|arrive|leave|stand|hang)\b[ ]?(?P<rest>.*?)[.! ]{0,40}$"
)
_COUNTED = re.compile(
    r"(?i)(?:\d|(?:no (?!idea|time|clue|problem|issue)|an? (?!problem|issue|question|bug|fever|cold|headache|good|bad|"
    r"nice|"
    r"great|lot|bit|few|hard|tough|new|chance)|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|"
    r"fifteen|twenty|thirty|forty|size|only)\b))"
)
_NO_VERB_AFTER = re.compile(
    r"(?i)^(?:will|can|could|would|should|may|is|are|was|were|has|have|had|do|does|did|been|it|broke|fell|got|went|"
    r"came|made|keep|give|"
    r"get|make|\w{3,}ed)\b"
)
_TALKS = re.compile(
    r"(?i)^(?:says|thinks|wants to|asks|tells|hopes|knows|means|seems|sounds|looks|feels|keeps|gets|happens|shows|"
    r"crashes|fails|hangs|freezes|lags|loads|errors|was|were|matters|remains|hurts|aches|"
    r"needs to)$"
)
_STATE = re.compile(
    r"(?i)^(?:i|we) (?:am|are) (?P<adverb>(?:(?:usually|normally|often|always|only|also|still|never|mostly|generally|"
    r"both|all|sometimes|rarely)[ ])*)(?P<not>not )?(?P<what>.+?)[.! ]{0,40}$"
)
_MEASURED = re.compile(
    r"(?i)^(?:about |around |nearly |just under |just over )?\d+(?:[.,]\d+)? ?(?:m|cm|ft|feet|metres?|"
    r"meters?)\b.{0,20}\b(?:tall|high|long|wide)$|^\d'\d{1,2}\"?(?: tall)?$"
)
_HOUSEHOLD = re.compile(
    r"(?i)^(?:(?:a (?:team|family|group|household|company|firm|crew|choir|club) of )?(?:\d{1,4}|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve)\b(?! (?:years?|minutes?|hours?|days?|weeks?|months?|"
    r"o'clock)\b).{2,60})$"
)
_LASTING_STATE = re.compile(
    r"(?i)^(?:(?:very |quite |rather |really |a bit |fairly )?(?:near-?sighted|short-sighted|long-sighted|tall|"
    r"short|teetotal|nocturnal|religious|punctual|early risers?|light sleepers?|ticklish|shy|introverted|extroverted|"
    r"multilingual|trilingual|ambidextrous|tone-deaf|self-taught|semi-retired|adopted|twins|childless|"
    r"dog people|cat people|night owls|members of .+|new to (?!this|here|the (?:app|site|service)).+|closed .+|"
    r"open .+|shut .+|fluent in .+|native .+|"
    r"responsible for .+|in charge of .+|good at .+|bad at .+|afraid of .+|scared of .+|terrified of .+|used to .+|"
    r"(?:an? )?(?:morning|night|evening|dog|cat|tea|coffee|beach|mountain|city|country) (?:person|people)|"
    r"(?:an? )?\w+ by (?:trade|training|profession)|on call .+|on duty .+|"
    r"(?:the )?(?:(?:\w+ )?(?:owners?|heads?|lead|leader|founders?|managers?|chair\w*|secretary|treasurer|parents?|"
    r"organi[sz]er|"
    r"editor|captain|conductor|coordinator|caretaker|keyholder|contact|administrator)) (?:of|for|at) .+))$"
)
_PERFECT = re.compile(
    r"(?i)^(?:i|we) have (?P<adverb>(?:always|never|only|long|both|all|now|also) )*(?P<what>been .+|lived .+|"
    r"worked .+|\w+ed .+|"
    r"had .+|known .+|run .+|taught .+|kept .+|driven .+|sung .+|played .+)$"
)
_SO_LONG = Sieved(
    r"(?i)\b(?:since (?:\d{4}|(?:early |late |about |around )?(?:january|february|march|april|may|june|july|august|"
    r"september|october|"
    r"november|december|\d{4})|childhood|birth|school|college|university|the (?:\w+ies|\d0s|war|start|beginning|"
    r"spring|summer|autumn|fall|winter)|"
    r"i was|last (?:year|spring|"
    r"summer|autumn|fall|winter))\b|for (?:(?:over|about|nearly|almost|more than|many|several|"
    r"some|\d{1,4}|a|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty) ){1,4}(?:years?|"
    r"decades?)|"
    r"all my life|"
    r"my (?:whole|entire) life|from birth)\b"
)
_PASSING = re.compile(
    r"(?i)^(?:been )?\w+ing (?:on )?(?:it|this|that|these)\b|^been (?:waiting|trying|looking|calling|having|getting|"
    r"told|charged|on hold|asked|asking|thinking|meaning|hoping)\b"
)
_RAISED = re.compile(
    r"(?i)^(?:i|we) (?:was|were|grew) (?:raised|brought up|up) (?:in|on|by|near|at) (?P<rest>.+?)[.! ]{0,40}$"
)


def read_declarative(words: str) -> Reading | None:
    """What a plain clause of a message states of its speaker, their things or their place; `durable=False` for what
    passes; None where it states nothing.
    """
    if words.endswith(":") or (is_request(words) and not _TOLD_OF.match(words)) or _AI.search(words):
        return None
    if _TO_YOU.search(words[:200]) and not HABIT.search(words):
        return None
    told = _raised(words) or _state(words) or _habit(words) or _own_thing(words) or behaves(words, HABIT)
    if told is None and (fronted := _FRONTED.match(words)) and _REGULAR.match(fronted.group("when")):
        lead = fronted.group("when").strip(" ,")
        joined = f"{fronted.group('rest').rstrip('.! ')} {lead[:1].lower()}{lead[1:]}"
        readings = (read_lasting(joined), read(joined), _state(joined), _habit(joined), _own_thing(joined))
        told = next((reading for reading in readings if reading and reading.durable), None)
        if told and told.key and not told.single:
            told = replace(told, closes=())
    return told


def _raised(words: str) -> Reading | None:
    match = _RAISED.match(words)
    return Reading("raised_in", plain(match.group("rest"))) if match and match.group("rest")[:1].isupper() else None


def _passes(words: str) -> bool:
    return bool(NOW.search(words) or PROBLEM.search(words) or DIGITAL.search(words) or _MATTER.search(words))


def read_lasting(words: str) -> Reading | None:
    """ "We have banked here for ten years": what began long ago and is still so."""
    match = _PERFECT.match(words)
    if not match or not _SO_LONG.search(words) or _PASSING.match(match.group("what")) or _passes(words):
        return None
    what = re.sub(r"(?i)^been ", "", match.group("what"))
    if diet := re.match(rf"(?i)({DIETS})\b", what):
        return Reading("diet", trim(diet.group(1)).lower())
    if place := re.match(r"(?i)(?:lived|living) in (?P<place>[A-Z]\S*(?: [A-Z]\S*)*)", what):
        return Reading("city", trim(place.group("place")))
    if place := re.match(r"(?i)(?:worked|working|been) (?:at|for) (?P<place>(?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)*)", what):
        return Reading("employer", trim(place.group("place")))
    return Reading()


def _state(words: str) -> Reading | None:
    match = _STATE.match(words)
    if not match:
        return None
    what, negative = match.group("what"), bool(match.group("not"))
    if _MEASURED.match(what) and not negative:
        return Reading("height", trim(re.sub(r"(?i) tall$", "", what)))
    value = f"not {trim(what)}" if negative else trim(what)
    closes = (trim(what),) if negative else (f"not {trim(what)}",)
    if re.match(r"(?i)(?:not )?(?:saying|claiming|suggesting|asking|telling)\b", what):
        return None
    if _HOUSEHOLD.match(what) or _LASTING_STATE.match(what):
        return Reading("is", value, single=False, closes=closes)
    if HABIT.search(words) and not _passes(words) and not EVALUATION.match(what) and len(what.split()) >= 3:
        return Reading("is", value, single=False, closes=closes)
    return None


def _habit(words: str) -> Reading | None:
    match = _FIRST.match(words)
    if not match:
        return None
    verb, rest = match.group("verb").lower(), match.group("rest") or ""
    if re.match(r"(?i)we all\b", words) or (verb == "keep" and re.match(r"\w+ing\b", rest)):
        return None
    if (verb in PAST and not (verb in ("shut", "read", "put", "set", "cut") and HABIT.search(words))) or (
        verb.endswith("ed") and verb not in _ENDS_IN_ED
    ):
        return Reading(durable=False)  # what happened once
    marked = HABIT.search(words)
    if verb in _NO_HABIT and not (
        (marked and verb in _WITH_A_MARK)
        or _WITH_AN_OBJECT.match(f"{verb} {rest}")
        or (verb in _WITH_A_KIND and _A_KIND.match(rest))
    ):
        return None
    if (
        (verb.endswith("ing") and not _ENDS_IN_ING.fullmatch(verb))
        or verb.endswith("ly")
        or (verb.endswith("s") and not verb.endswith(("ss", "us")))
    ):
        return None
    if _passes(words) or THIS_ONE.search(rest) or _MANY.search(rest) or re.match(r"(?i)(?:it|them|so|to)\b", rest):
        return Reading(durable=False)
    negative = bool(match.group("no"))
    value = plain(rest)
    if (
        kept_at := re.match(r"(?i)(?P<what>[\w ]{3,30}?) at (?P<at>\d.*)", value)
        if verb in ("keep", "set", "heat")
        else None
    ):
        return Reading(f"{snake(kept_at.group('what'))}_at", trim(kept_at.group("at")))
    if verb == "do" and (activity := re.match(r"(?i)(?P<what>[\w' -]+)", value)):
        value = trim(activity.group("what"))
    if len(value.split()) > 16:
        return Reading(form=Form.IMPLIED)
    key = third_person(verb)
    said = value or "yes"
    form = None if value or marked else Form.IMPLIED
    if negative:
        return Reading(key, f"not {value}" if value else "no", single=False, closes=(said,), form=form)
    return Reading(key, said, single=False, closes=(f"not {value}" if value else "no",), form=form)


def _own_thing(words: str) -> Reading | None:
    match = _OWN_THING.match(words)
    if not match:
        return None
    what, verb, rest = match.group("what"), match.group("verb").lower(), match.group("rest")
    of_place = bool(PLACE_THING.search(what) or SETTING.search(words))
    if DIGITAL.search(what):
        return None
    if re.search(rf"(?i)\b(?:{TRANSACTION}|cards?|visa|accounts?)$", what):
        coming = COMING.search(rest) and re.fullmatch(r"(?i)leaves|departs|arrives|starts|lands|takes off|is|are", verb)
        return Reading(f"{snake(what)}_{verb}"[:64], plain(rest)) if coming else None
    if re.search(r"(?i)\b(?:for|of|to|with|and|two|three|loved|other)$", what) or _NO_VERB_AFTER.match(rest):
        return None
    counted = verb in ("has", "have") and bool(_COUNTED.match(rest))
    if (verb in ("is", "are", "has", "have") and not of_place and not counted) or (_TALKS.match(verb) and not of_place):
        return None
    if NOW.search(words) or EVALUATION.match(rest) or (not rest and not of_place and not HABIT.search(words)):
        return None
    if PROBLEM.search(words) and not of_place:
        return None
    negative = verb in ("do not", "does not", "will not", "can not") or "never" in match.group("adverb").lower()
    if verb in ("is", "are", "can only") or negative or not rest:
        return Reading(category_hint=Category.GENERAL)
    return Reading(
        f"{snake(what)}_{verb}"[:64], plain(rest),
        single=not verb.startswith(("ha", "bite", "use", "need", "like", "love", "eat")),
    )  # fmt: skip
