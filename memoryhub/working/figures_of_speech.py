"""Is a condition's name meant as one? "Allergic to meetings", "a stroke of luck", "depression glass" are not (R12).

What surrounds the words tells: the object of the allergy, the thing that is blind or disabled, the noun a condition
only describes. Whatever is in doubt is taken for health.
"""

import re

#: What people say they are allergic to, blind to or paralysed by without being ill: work, talk and nuisances.
_NUISANCE = re.compile(
    r"(?i)^[ \t]+(?:to|by|with|at)[ \t]+(?:(?:all|any|the|my|our|your|too|so|very|such|these|those|this|that|long|"
    r"many|much|most|endless|corporate|"
    r"other|more|bad|big|loud|cold|unnecessary|other people['’]s)[ \t]+){0,4}(?:meetings?|calls?|spam|jargon|"
    r"bureaucracy|paperwork|small talk|drama|"
    r"mornings?|mondays?|e-?mails?|change|work|effort|hype|bullshit|nonsense|complexity|boilerplate|mess|clutter|"
    r"noise|"
    r"rules|deadlines?|buzz ?words?|spreadsheets?|slides?|presentations?|power ?point|pop-?ups?|newsletters?|ads?|"
    r"adverts?|queues?|politics|gossip|marketing|slogans?|forms?|choices?|options?|decisions?|colou?rs?|detail|"
    r"details|"
    r"criticism|advice|fashion|trends?|surprises?|excuses|crowds?|tabs|cliches|clich[ée]s|commitment|housework|"
    r"chores|authority|failure|fear|shopping|waiting|ironing|cooking|cleaning|sitting|early starts?|"
    r"standups?|stand-ups?|pings?|notifications?|phone calls?|(?!sun|latex|nut)\w{4,20}(?:ism|ness|ation|ity))\b"
)
#: A thing of the speaker's or of a text that such a word describes: no person has it.
_OF_A_THING = re.compile(
    r"(?i)(?:^|[^\w])(?:(?:the|this|that|our|its?|every|each|an?|my (?:favou?rite|phone|laptop|account|old|"
    r"new))[ \t]{1,9}"
    r"(?:[\w'’-]{1,40}[ \t]{1,9}){0,3}?)?"
    r"(?:accounts?|servers?|features?|flags?|buttons?|options?|links?|scripts?|javascript|cookies|notifications?|"
    r"plug-?ins?|"
    r"extensions?|cameras?|alarms?|ports?|users?|logins?|fields?|checks?|tests?|jobs?|settings?|services?|modes?|"
    r"fire ?walls?|cache|caching|logging|telemetry|auto-?\w{1,20}|updates?|wi-?fi|bluetooth|pages?|apps?|projects?|"
    r"systems?|builds?|pipelines?|market|economy|region|street|alley|corner|spot|test|tasting|pasta|cheese|dish|"
    r"dishes|drinks?|snack|cat|dog|lift|lock|door|window|printer|router|modem|engine|car|year|week|quarter)[ \t]+$"
)
#: Words a condition only describes: a thing of that name, or what somebody makes of the subject.
_A_DESCRIBED_THING = re.compile(
    r"(?i)^[ \t]+(?:glass(?:ware)?|cat|costume|character|novel|book|song|playlist|band|projects?|app|game|papers?|"
    r"thesis|article|"
    r"research|lecture|podcast|films?|movie|documentary|campaign|charity|museum|conference|startup|blog|joke|meme|"
    r"poster|fundraiser|couch|chair joke|era|data ?set|dashboard|website|pasta|gouda|cheese|baking|tasting|test\b|"
    r"date\b|spot|alley|corner|bag|box)\b"
)
_IDIOM_AFTER = re.compile(
    r"(?i)^(?:[ \t]+(?:of (?:luck|genius|inspiration|a |an |midnight|the (?:pen|brush))|moment|on the eyes))"
)
_STARS = re.compile(r"(?i)\b(?:star ?sign|zodiac|horoscope|rising sign|constellation|tropic|born under)\b")
_BEFORE, _AFTER = 60, 60


def is_meant(text: str, start: int, end: int) -> bool:
    """Whether the words of this span, which name a condition, a treatment or a carer, are meant as such."""
    after = text[end : end + _AFTER]
    if _NUISANCE.match(after) or _A_DESCRIBED_THING.match(after) or _IDIOM_AFTER.match(after):
        return False
    clause = re.split(r"[.!?\n]", text[max(0, start - _BEFORE) : start])[-1]
    if _STARS.search(clause) or _STARS.search(text, start, end):
        return False
    verb = re.match(r"(?i)(?:is|are|was|were|got|became|being|had|has|'s)\b", text[start:end])
    return not (verb and _OF_A_THING.search(clause))
