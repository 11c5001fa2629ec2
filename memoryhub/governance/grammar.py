"""What does a clause state, as key and value? The declared grammar of first-person English (R13).

Each rule is a pattern and what it means (readings.py); the first that fits wins. Clauses come with contractions written
out (clauses.expand).
"""

import re
from collections.abc import Callable

from memoryhub.governance import changes, readings, states, tastes
from memoryhub.governance.claims import Reading
from memoryhub.governance.keys import snake, trim
from memoryhub.governance.lexicon import plain

_Build = Callable[[re.Match[str]], Reading | None]
_ADVERB = (
    r"(?:(?:really|just|still|also|usually|normally|generally|mostly|typically|now|currently|only|often|personally|"
    r"much|strongly|actually|absolutely|definitely|always|mainly|quite|very much|sometimes|rarely|so|already|both|"
    r"simply|all|primarily|exclusively|do)[ ])*"
)
_I = r"(?:i|we)[ ]"
_LIKE = (
    r"like|love|enjoy|adore|appreciate|am (?:a (?:big |huge |great )?fan of|fond of|keen on|into|crazy about|"
    r"passionate about|partial to)|am really into|are (?:fond of|keen on|into|fans of)|(?:am|are) (?:mostly |mainly |"
    r"really |very |quite |big |very much )+(?:into|fond of|keen on)|am interested in"
)
_DISLIKE = (
    r"(?:do not|never)[ ](?:really |particularly |much |especially |at all )?(?:like|love|enjoy|care for|appreciate)|"
    r"hate|dislike|detest|loathe|despise|(?:can|could) not (?:stand|bear|abide|tolerate|take)|am not (?:a (?:big |"
    r"huge )?fan of|fond of|keen on|into|crazy about)|"
    r"am tired of|am sick of|avoid"
)
_HABITS = (
    r"eat|drink|use|drive|ride|cycle|walk|commute|travel|fly|own|rent|lease|run|play|read|watch|listen to|listen|"
    r"speak|smoke|wear|study|teach|sell|buy|ship|deploy|store|keep|host|manage|lead|handle|support|build|write|"
    r"code in|code|test|train|sleep|wake up|"
    r"get up|start|finish|open|close|cook|grow|collect|practi[sc]e|volunteer|pay|invoice|bank|shop|park|skip|take|"
    r"sit|rely on|depend on|belong to|attend|follow|celebrate|fast|observe|release|maintain|serve|stock|source|"
    r"deliver|receive|accept|operate|employ|"
    r"import|export|produce|make|bake|brew|commit|merge|lint|format|log|track|meet|review|backup|back up|"
    r"subscribe to|order from|buy from|work from|work on|stay at|stay in|sing|swim|run on|garden|hike|climb|ski|surf|"
    r"fish|hunt|paint|draw|knit|sew"
)


_FIRST_PERSON = re.compile(f"(?i){_I}")
#: "We all make mistakes" is said of everybody.
_EVERYBODY = re.compile(r"(?i)^(?:we (?:all|both)\b|(?:our|my) (?:loved ones|future|lives|world)\b)")


def read(clause: str) -> Reading | None:
    """What the clause states of its speaker; None where no rule fits."""
    if _EVERYBODY.match(clause):
        return None
    for pattern, build in _RULES if _FIRST_PERSON.match(clause) else _OTHER_RULES:
        match = pattern.match(clause)
        if match and (reading := build(match)):
            return reading
    return None


def _rule(pattern: str, build: _Build) -> tuple[re.Pattern[str], _Build]:
    return re.compile(rf"(?i)^{pattern}"), build


_VERBISH = (
    r"(?P<verb>live|reside|work (?:at|for|with)|prefer|like|love|enjoy|am|are|have|own|want|need|" + _HABITS + r")"
)
_RULES: tuple[tuple[re.Pattern[str], _Build], ...] = (
    _rule(rf"{_I}(?:no longer|not any ?more)[ ]{_VERBISH}\b[ ]?(?P<rest>.*)", changes.ends),
    _rule(
        rf"{_I}do not[ ](?:actually |really )?{_VERBISH}\b[ ]"
        r"(?P<rest>.*?)[ ,]{0,4}(?:any ?more|any longer|these days)\b",
        changes.ends,
    ),
    _rule(
        rf"{_I}do not[ ](?:actually |really |even )?(?P<verb>live|reside|work (?:at|for))\b[ ](?P<rest>.+)",
        changes.denied,
    ),
    _rule(
        rf"{_I}(?:have )?never (?:actually |really |even )?(?P<verb>live|reside)d (?P<rest>.+)",
        changes.denied,
    ),
    _rule(
        rf"(?:it is|that is) (?:wrong|false|untrue|incorrect|not (?:true|correct|right|the case)) that {_I}(?:still )?"
        r"(?P<verb>live|reside|work (?:at|for))\b[ ](?P<rest>.+)",
        changes.denied,
    ),
    _rule(
        rf"{_I}(?:have )?(?:just |recently )*(?:was |were |got |been |am |are )*(?:fired|laid off|let go|dismissed|"
        r"sacked|made redundant|never worked) (?:from|by|at|for) (?P<place>.+)",
        changes.dismissed,
    ),
    _rule(rf"{_I}(?:am|are) not[ ](?P<rest>.*?)[ ,]{{0,4}}(?:any ?more|any longer)\b", changes.is_no_longer),
    _rule(
        rf"{_I}(?:have )?(?:stopped|quit|gave up|given up|ceased)[ ](?P<verb>\w+ing(?: (?:at|for|"
        rf"in))?)\b[ ]?(?P<rest>.*)",
        changes.ends,
    ),
    _rule(rf"{_I}(?P<verb>am|are) no longer[ ](?P<rest>.+)", changes.is_no_longer),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:cancel+ed|ended|terminated|closed|"
        rf"stopped) (?:my|our) (?P<what>[\w ]{{2,40}}?)(?P<when>(?: (?:this|last|yesterday|today|on|two|"
        rf"a)\b.*)?)[.!]{{0,40}}$",
        changes.cancelled,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally )*(?:gave up|given up|cut out|sworn off)[ ](?P<rest>(?!on\b|"
        rf"trying|waiting)\w.+)",
        changes.given_up,
    ),
    _rule(rf"{_I}(?:am|are) done with[ ](?P<rest>(?!this|that|it\b|the|my|your|you)\w.+)", changes.given_up),
    _rule(
        r"(?:my|our) (?P<what>(?:\w+ )?(?:call|meeting|stand-?up|class|lesson|training|session|market|rehearsal|"
        r"deadline|shift|slot|office|shop|studio|workshop|company|head office|branch|depot|warehouse|"
        r"clinic|practice|team|stall|"
        r"store|business)) (?:has |have )?(?:just |recently |now )?(?:moved|"
        r"relocated)(?: from (?P<from>[^,]+?))? to (?P<to>.+?)[.!]{0,40}$",
        changes.thing_moved,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:sold|got rid of|gave away) (?:my|"
        rf"our|the) (?P<what>[\w ]{{2,40}}?)(?P<when>(?: (?:this|last|yesterday|today|on|two|a)\b.*)?)[.!]{{0,40}}$",
        changes.sold,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*moved (?:out of|away from) (?P<from>[^,]+)",
        changes.moved_out,
    ),
    _rule(rf"{_I}used to\b(?P<rest>.*)", readings.nothing),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:moved|migrated|switched|got|gone|came|come) "
        rf"(?:completely |entirely |fully )?(?:off|away from)(?: of)? (?P<old>(?!to\b|the \w+ (?:app|"
        rf"page)).+?)[.!]{{0,40}}$",
        changes.moved_off,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:moved|relocated|shifted) (?:the|our|"
        rf"my) (?P<what>[\w ]{{3,30}}?)"
        rf"(?: from (?P<from>[^,]+?))? to (?P<to>.+?)[.!]{{0,40}}$",
        changes.thing_moved,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally )*(?:replaced|swapped) (?P<b>.+?) (?:with|for|"
        rf"by) (?P<a>.+?)[.!]{{0,40}}$",
        changes.replaced,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally )*(?:went|gone|go|are|am) back (?:to|"
        rf"on) (?P<to>(?-i:[A-Z])\S*(?: \S+)?)[.!]{{0,40}}$",
        changes.switched_back,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:moved|relocated)(?: (?:house|home|back|over|"
        rf"down|up|out))?(?: from (?P<from>[^,]+?))?(?: over|"
        rf" back)? to (?P<to>.+?)(?: from (?P<from2>[^,]+))?[.!]{{0,40}}$",
        changes.moved,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:switched|changed|moved|upgraded|downgraded|"
        rf"migrated|converted|(?:gone|went)(?= from | over ))(?: (?P<what>(?:my|our|the) [\w ]{{1,40}}?|"
        rf"over))?(?: from (?P<from>[^,]+?))? (?:over )?to (?P<to>.+)",
        changes.switched,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now |finally |already )*(?:changed|updated|renamed|replaced|renewed|"
        rf"switched) (?:my|our) (?P<what>[\w' -]{{2,50}}?)(?: (?:to|into|with|"
        rf"from .+ to) (?P<to>.+?))?(?P<when>(?: (?:this|last|yesterday|today|on|two|a)\b.*)?)[.!]{{0,40}}$",
        changes.changed,
    ),
    _rule(r"(?:please )?(?:call|address|refer to) me (?:as )?(?P<name>[\"'\w].*)", readings.named),
    _rule(
        rf"(?:{_I}(?:go by|want to be called|would like to be called|prefer to be called|like to be called|"
        rf"am known as)|(?:people|friends|everyone|everybody|they|most people) calls? me|"
        rf"you can call me)[ ](?P<name>.+)",
        readings.named,
    ),
    _rule(
        r"(?:the )?best (?P<what>time|way|number|days?|place) to (?:reach|call|contact|visit|find|ring|phone|meet|"
        r"get hold of) (?:me|us) (?:is|are) (?P<way>.+)",
        tastes.best_reached,
    ),
    _rule(
        r"what (?:i|we) (?P<verb>like|love|enjoy|hate|prefer|dislike) (?:the )?(?:most |best |least )?(?:is|"
        r"are) (?P<what>.+)",
        tastes.liked_most,
    ),
    _rule(
        r"(?P<value>[\w][\w' -]{1,40}?) (?:is|are) (?:my|our) (?P<what>(?:favou?rite|preferred|usual|main|first|home|"
        r"current|new) [\w -]{2,30}?)[.!]{0,40}$",
        tastes.is_my,
    ),
    _rule(
        r"(?P<value>[\w][\w' -]{1,40}?) (?:works?|suits?|is|are|would be) (?:me |us )?(?:the )?(?:best|better|"
        r"easiest|easier|preferable|ideal|most convenient)(?: for (?:me|us)| option for (?:me|us))[.!]{0,40}$",
        tastes.suits,
    ),
    _rule(
        r"(?P<what>[\w][\w' -]{1,40}?) (?:(?:is|are) (?:(?:not|never)(?: really| quite)? (?:for (?:me|us)|my thing|"
        r"my cup of tea)|no good for (?:me|us))|(?:does|"
        r"do) not (?:really )?(?:work|suit)"
        r"(?: for)? (?:me|us))(?: at all| any ?more)?[.!]{0,40}$",
        tastes.not_for_me,
    ),
    _rule(
        r"(?P<value>[\w][\w' -]{1,40}?) (?:is|are) what (?:i|we) (?:usually |always |most )?(?P<verb>prefer|like|love|"
        r"want|drink|eat|use)"
        r"(?: most| best)?[.!]{0,40}$",
        tastes.what_i,
    ),
    _rule(r"(?P<value>[\w][\w' -]{1,40}?) suits? (?:me|us)(?: best| better| well)?[.!]{0,40}$", tastes.suits),
    _rule(
        r"(?:you can |you may |it is best to |best to |feel free to )?(?:please )?(?:only )?(?:contact|reach|"
        r"write to|get in touch with|notify|message|update) (?:me|us) (?:only )?(?:by|via|through|on|over|"
        r"using) (?P<way>.+)",
        tastes.contact_by,
    ),
    _rule(
        rf"{_I}{_ADVERB}(?:want|like|need|prefer|would like|would prefer)(?: you)? to be (?:contacted|reached|"
        rf"notified|informed|reminded) (?:only )?(?:by|via|through|on|over) (?P<way>.+)",
        tastes.contact_by,
    ),
    _rule(
        r"(?:please |you can )?(?:call|ring|text|phone|reach|contact|e-?mail|write to|message) me (?:at|"
        r"on) (?P<way>\+?[\d(][\d ().-]{5,20}\d|[^\s@]{1,64}@\S+)[.!]{0,40}$",
        readings.reached_at,
    ),
    _rule(
        r"(?:please |you can )?(?:call|ring|text|phone|reach|contact|e-?mail|write to|message) me (?:at|on) "
        r"(?P<way>\+?[\d(][\d ().-]{5,20}\d|[^\s@]{1,64}@\S+)[.!]{0,40}$",
        readings.reached_at,
    ),
    _rule(
        r"(?:(?:all|most|both) (?:of )?)?(?:my|our) (?P<what>[\w'’/& -]{1,60}?) (?P<verb>is called|is named|"
        r"are called|goes by|is now|are now|is|"
        r"are|might be|may be|could be|will be|was|were|remains|stays|lies|reads|equals)\b(?P<not>[ ](?:not|"
        r"no longer|never))?[ :]*(?P<value>.+)",
        readings.mine,
    ),
    _rule(
        r"the (?P<what>[\w'’/& -]{1,40}?) of (?:my|our) (?P<owner>[\w -]{1,30}?) (?P<verb>is|"
        r"are)\b(?P<not>[ ]not)?[ :]*(?P<value>.+)",
        lambda match: Reading(snake(f"{match.group('owner')} {match.group('what')}"), trim(match.group("value"))),
    ),
    _rule(rf"{_I}{_ADVERB}(?:live|reside|dwell)(?: over)? (?:in|at|near|on) (?P<place>.+)", readings.lives),
    _rule(
        rf"{_I}{_ADVERB}(?:come|hail) from (?P<place>.+)", lambda match: Reading("origin", plain(match.group("place")))
    ),
    _rule(
        rf"{_I}{_ADVERB}work as (?:an? |the )?(?P<job>[^,]+?)(?: (?:at|for|with) (?P<place>.+))?[.!]{{0,40}}$",
        lambda match: Reading("job", plain(match.group("job"))),
    ),
    _rule(rf"{_I}{_ADVERB}work (?P<prep>at|for|with) (?P<place>.+)", readings.works_at),
    _rule(
        rf"{_I}{_ADVERB}work (?P<rest>(?:in|from|on|part|full|remotely|nights?|shifts?|weekends?|mondays?|until|"
        rf"only).*)",
        lambda match: Reading("works", plain(match.group("rest")), single=False),
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now )*(?:joined|started (?:working )?at|started with)[ ](?P<place>.+)",
        changes.joined,
    ),
    _rule(
        rf"{_I}(?:have )?(?:recently |just |now )*(?:left|quit|resigned from|retired from)(?: my (?:job|position|"
        rf"post) (?:at|with))?[ ](?P<place>.+)",
        changes.left,
    ),
    _rule(rf"{_I}was born (?:in|on|at) (?P<rest>.+)", readings.born),
    _rule(
        rf"{_I}{_ADVERB}(?:have|use|pay for|subscribe to) (?P<plan>(?:the|an?|your)? ?[\w -]{{2,30}} (?:plan|"
        rf"subscription|tariff))\b",
        readings.plan,
    ),
    _rule(
        rf"{_I}(?P<would>would )?{_ADVERB}(?:prefer|rather(?: have| use| be)?|favou?r)(?: to have| to be|"
        rf" to use)?[ ](?P<what>.+)",
        tastes.prefer,
    ),
    _rule(rf"{_I}{_ADVERB}(?:{_DISLIKE})[ ](?P<what>.+)", tastes.dislikes),
    _rule(rf"{_I}{_ADVERB}(?:{_LIKE})[ ](?P<what>.+)", tastes.likes),
    _rule(
        rf"{_I}(?:should |always |now |only )*use (?P<a>.+?),? (?:not|instead of|rather than|and not|never|over|"
        rf"in place of|but not) (?P<b>[^,.]+)",
        tastes.uses_not,
    ),
    _rule(
        r"(?:please |always |let us |for \w+,? |in this (?:project|repo|repository),? |"
        r"here,? )*use (?P<a>.+?),? (?:not|instead of|rather than|and not|never|in place of|but not) (?P<b>[^,.]+)",
        tastes.uses_not,
    ),
    _rule(
        r"(?:i|we) have been (?:an? |your )?(?:\w+ )?(?P<what>customer|member|client|subscriber|"
        r"user) (?P<value>(?:since|for) .+)",
        lambda match: Reading(
            f"{match.group('what').lower()}_since", re.sub(r"(?i)^since ", "", trim(match.group("value")))
        ),
    ),
    _rule(rf"{_I}(?P<no>have not )(?:got )?(?P<what>(?:an?|any) .+)", readings.have),
    _rule(rf"{_I}{_ADVERB}(?P<no>do not )?(?:have|own)[ ](?P<what>.+)", readings.have),
    _rule(
        rf"{_I}{_ADVERB}refuse to (?P<verb>wear|eat|drink|use|fly|drive|buy|work on|"
        rf"work)\b (?P<rest>.+)",
        readings.refused,
    ),
    _rule(rf"{_I}{_ADVERB}(?P<no>do not )?know[ ](?P<what>.+)", readings.knows),
    _rule(
        rf"{_I}{_ADVERB}can (?P<no>not )?(?P<only>only |never )?(?P<verb>do|eat|drink|use|drive|speak|read|work|come|"
        rf"meet|"
        rf"receive|accept|host|take|lift|carry|walk|climb|stand|reach|fit|store|pick up|travel|stay|attend|start|"
        rf"leave)[ ](?P<rest>.+)",
        readings.ability,
    ),
    _rule(
        rf"{_I}{_ADVERB}find (?P<what>.{{3,60}}?) (?P<adj>(?:too |very |really |rather |quite |a bit )?(?:\w+(?:ing|"
        rf"ful|less|ous|ive|ant|ent|able|ible|ic|al|y)|hard|easy|redundant|useless|slow|fast|loud|rude|boring|great|"
        rf"good|bad|cheap|expensive|weird|odd|cold|hot|small|big|long|short|unclear|complicated|simple|"
        rf"outdated))\b[.!]{{0,40}}$",
        tastes.opinion,
    ),
    _rule(
        rf"{_I}{_ADVERB}(?:am|are) {_ADVERB}(?P<verb>learning|studying|training (?:as|for)|saving for|preparing for|"
        rf"renovating|raising|working on|writing|building)[ ](?P<what>.+)",
        readings.doing,
    ),
    _rule(
        rf"{_I}{_ADVERB}go (?P<rest>(?:to |for )?.*\b(?:every|each|on \w+days|on weekends|daily|weekly|twice a|"
        rf"once a)\b.*)",
        lambda match: Reading("goes", plain(match.group("rest")), single=False),
    ),
    _rule(rf"{_I}{_ADVERB}(?:am|are) {_ADVERB}(?P<not>not )?(?P<what>.+)", states.am),
    _rule(
        rf"{_I}(?:will )?{_ADVERB}(?P<no>(?:do not|never|hardly ever|rarely|will not|seldom)[ ](?:ever |usually |"
        rf"normally |"
        rf"really )*)?(?P<verb>{_HABITS})\b[ ]?(?P<rest>.*)",
        readings.habit,
    ),
    _rule(rf"{_I}{_ADVERB}(?:want|like|need|expect|require)[ ](?:my |our )?(?P<what>.+)", tastes.wants),
    _rule(rf"{_I}do not (?:want|wish|need)[ ](?P<what>.+)", tastes.unwanted),
    _rule(r"(?:my|our) (?P<what>[\w'’ -]{2,40}?) (?P<verb>[a-z]{3,14}s)\b (?P<rest>.+)", readings.own_thing_does),
)
#: What is left to try where a clause does not begin with "I" or "we".
_OTHER_RULES = tuple(rule for rule in _RULES if not rule[0].pattern.startswith(f"(?i)^{_I}"))
