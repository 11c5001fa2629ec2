"""Is a sentence about somebody other than the speaker? Relations, work relations, pronouns and names (R12, R13)."""

import re

from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Rule, Rules, Scan, Sieved

_FAMILY = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mother|mum|mom|father|dad|parents?|sister|brother|"
    r"siblings?|son|sons|daughter|daughters|"
    r"child|children|kid|kids|baby|grand(?:mother|father|ma|pa|son|daughter|parents?|kids?|children)|aunt|uncle|"
    r"cousin|niece|nephew|"
    r"(?:mother|father|sister|brother|son|daughter)-in-law|in-laws|ex(?:-wife|-husband|-partner)?|friend|friends|"
    r"neighbou?rs?|roommate|flatmate|housemate|"
    r"landlord|landlady|tenant|hairdresser|barber|priest|pastor|rabbi|imam|vet|tutor|postman|postwoman|mailman|"
    r"milkman|builder|"
    r"carpenter|painter|decorator|instructor|professor|pupil|student|classmate|godmother|godfather|twin|guests?|"
    r"lodger|nanny|babysitter|carer|stepson|stepdaughter|"
    r"stepfather|stepmother|godson|family"
)
_WORK = (
    r"colleagues?|co-?workers?|boss|manager|supervisor|team ?mates?|team lead|assistant|secretary|deputy|predecessor|"
    r"successor|director|ceo|cfo|cto|head of \w+|"
    r"client|customer|supplier|accountant|lawyer|solicitor|agent|contractor|intern|apprentice|employee|employees|"
    r"business partner|contact(?: person)?|"
    r"technician|caretaker|janitor|receptionist|driver|foreman|teacher|mentor|trainer|coach|plumber|electrician|"
    r"cleaner|gardener|bookkeeper|auditor|notary|broker|dispatcher|concierge|porter|co-founder|founder|recruiter"
)
#: Who cares for somebody's health: told of them it is not the speaker's own, told of the speaker it is health (R12).
_CARE = r"doctor|gp|dentist|therapist|physio\w*|psychiatrist|psychologist|nurse|midwife|optician|pharmacist"
_POSSESSIVE = r"(?:my|our|his|her|their|the)"
RELATION = Sieved(
    rf"(?i)\b(?:my|our|his|her|their)[ \t]+(?:(?:old|elder|older|younger|little|big|best|new|former|late|good|dear|"
    rf"other|first|second|line|next-door)[ \t]+)?(?P<relation>{_FAMILY}|{_WORK})\b(?!['’]s[ \t]+(?:day|shop|room|"
    rf"appointment|practice|surgery|office|clinic|licen[cs]e|permit)\b)"
)
WORK_RELATION = Sieved(
    rf"(?i)\b{_POSSESSIVE}[ \t]+(?:(?:new|old|former|line|regional|sales|account|office|night|"
    rf"site)[ \t]+)*(?:{_WORK})\b"
)
_PRONOUN = Sieved(r"(?i)\b(?:he|she|his|him|her|hers|himself|herself)(?:['’](?:s|ll|d))?\b")
_NAME = r"[A-Z][a-zà-öø-ÿ'’-]{1,20}"
#: "Ford handles", "Noor's number": a capitalised word that acts or owns.
_ACTING_NAME = Sieved(
    rf"(?:^|[.!?]\s+|\b(?:and|but|that|with|for|to|ask|call|ring|contact|tell|from|by|of|on)\s+)(?:(?:Mr|Mrs|Ms|Dr|"
    rf"Miss)\.?\s+)?(?P<name>{_NAME}(?:\s+{_NAME})?)"
    r"(?:['’]s\s+(?:phone|number|mobile|cell|e-?mail|address|birthday|date|salary|card|account|passport|house|home|"
    r"wife|husband|son|daughter|ssn|doctor)\b|"
    r"\s+(?:handles?|manages?|lives|earns|leads?|owns?|signs?|approves|joined|reports|likes|"
    r"prefers|hates|wants|needs|said|says|told)\b)"
)
_NOT_NAMES = frozenset(
    listed(
        """
    the this that these those my our your his her their its it we you they he she i a an and but or if when
    where what who how why please monday tuesday wednesday thursday friday saturday sunday january february
    march april may june july august september october november december everyone everything nobody someone
    somebody anyone anything nothing project customer client user team site office support sales marketing
    finance shipping delivery billing returns deploys
    """
    )
)
_NAMED_RELATION = Sieved(
    rf"(?i:\b(?:my|our)[ \t]+(?!(?:password|package|file|task|window)[ \t])(?:\w+[ \t]+)?(?:{_FAMILY}|"
    rf"{_WORK})(?:[ \t]+(?:is|called|"
    rf"named|is called|is named)|"
    rf"['’]s[ \t]+name[ \t]+is)?)[ \t,]+(?P<name>{_NAME})\b"
)
_CONTACT_CARD = Sieved(
    rf"(?i:\b(?:contact(?: person)?|speak to|ask for|talk to|reach out to|get in touch with|"
    rf"point of contact)\b(?: is|:| at \w+ is)?)[ \t]+(?P<name>{_NAME}[ \t]+{_NAME})"
)
_SUBJECT_RELATION = re.compile(
    rf"(?i)^(?:my|our|his|her|their)[ ]+(?:(?:old|elder|older|younger|little|big|best|new|former|late|good|dear|"
    rf"other|first|second|line)[ ]+)?(?P<relation>{_FAMILY}|{_WORK}|{_CARE})\b(?!['’]s[ ]+(?:day|shop|room|"
    rf"appointment|"
    rf"practice|surgery|office|clinic)\b)"
)
_MONEY = Rules(
    Rule(
        r"(?i)\b(?:salary|salaries|earns?|income|wage|wages|paid|debts?|owes?|bonus|pension|mortgage|net worth|"
        r"bankrupt\w*|savings)\b.{0,40}?(?:[$€£¥₹]|\d|k\b)"
    ),
    Rule(r"(?i)\b(?:in debt|in arrears|bankrupt|broke|on benefits)\b"),
    Rule(
        r"(?i)\b(?:makes|gets|takes home|brings home|is on)\b[^\d.!?]{0,15}\d[\d.,]{0,12}k?[ ]?(?:a|per|an|/)[ ]?"
        r"(?:month|year|week|hour)"
    ),
    Rule(r"(?i)\d[\d.,]{0,12}k?[ ]in (?:savings|debt|the bank|shares|cash)"),
    Rule(
        r"(?i)\bbehind (?:with|on) (?:the |his |her |their )?(?:rent|child support|mortgage|payments|bills|loan|"
        r"alimony)\b"
    ),
)
_OWN_MONEY = re.compile(
    r"(?i)\b(?:my|our) (?:\w+ )?(?:salary|income|wages?|debts?|bonus|pension|mortgage|savings)\b|\b(?:i|we) (?:earn|"
    r"owe|make|have|got|was paid)\b"
)
#: What the law calls special: belief, love, politics, convictions, papers; and what a person would not have told.
_PRIVATE_LIFE = Rule(
    r"(?i)\b(?:convicted|convictions?|criminal record|in (?:prison|jail|custody)|on (?:parole|probation|bail|trial)|"
    r"arrested|ex-convict|undocumented|without papers|illegal immigrant|asylum seeker|deported|overstayed|"
    r"gay|lesbian|bisexual|homosexual|transgender|trans (?:man|woman)|same-sex|in the closet|came out (?:as|to)|"
    r"(?:is|are|was|became|converted to|raised|an?|by faith) (?:an? |by faith )?(?:muslim|islam|jewish|jew|christian|"
    r"catholic|protestant|hindu|buddhist|sikh|mormon|atheist|jehovah['’]s witness|orthodox)|(?:far[- ](?:right|left))|"
    r"votes? (?:for|against)|voted|member of the \w+ party|cheats? on|cheated on|cheating on|(?:having|had|has) an "
    r"affair|getting divorced|(?:alcoholic|drug addict)|on welfare|food bank|illegitimate|trade union member)\b"
)
#: "Ring Tamsin on …": who is reached there.
_REACHED = Sieved(
    rf"\b(?i:call|ring|text|reach|contact|phone|e-?mail|message|"
    rf"write to)[ \t]+(?P<name>{_NAME}(?:[ \t]+{_NAME})?)[ \t]+"
    rf"(?i:on|at|under|via)\b"
)
_OWN_CONTACT = Sieved(
    r"(?i)\b(?:(?:call|ring|text|phone|reach|contact|e-?mail|message|write(?: to)?|whatsapp|get|dial)[ \t]+me|"
    r"my[ \t]+(?:\w+[ \t]+){0,3}(?:number|phone|mobile|cell|e-?mail|"
    r"tel|telephone|landline|address|inbox|line|contact)|i(?:'m| am)[ \t]+(?:on|at|available|reachable))\b"
)


def other_person(sentence: str) -> str | None:
    """The relation, name or pronoun by which the sentence speaks of somebody else; None where it does not."""
    if match := RELATION.search(sentence):
        return match.group("relation").lower()
    if (match := _ACTING_NAME.search(sentence)) and match.group("name").split()[0].lower() not in _NOT_NAMES:
        return match.group("name")
    if match := _PRONOUN.search(sentence):
        return match.group().lower()
    if (match := _REACHED.search(sentence)) and match.group("name").split()[0].lower() not in _NOT_NAMES:
        return match.group("name")
    return None


def named_other(sentence: str) -> bool:
    """Whether the sentence names another person together with how they relate ("my colleague …", "contact: …")."""
    if match := _NAMED_RELATION.search(sentence):
        return match.group("name").lower() not in _NOT_NAMES
    if _CONTACT_CARD.search(sentence):
        return True
    match = _ACTING_NAME.search(sentence)
    return bool(match) and match.group("name").split()[0].lower() not in _NOT_NAMES if match else False


def names_only(sentence: str, name: str) -> bool:
    """Whether the only person a sentence names is called `name`, by all of it or a part: "Iva wants …" of Iva Noor."""
    parts = [re.escape(part) for part in name.split() if len(part) > 1]
    if not parts or RELATION.search(sentence) or not named_other(sentence):
        return False
    own = rf"(?<!\w)(?:{'|'.join(parts)})(?:\s+(?:{'|'.join(parts)}))*(?!\w)"
    rest = re.sub(own, "they", sentence)
    beside = re.search(r"\b[A-Z][\w'’-]*\s+they\b|\bthey\s+[A-Z]", rest)  # a namesake: "Iva Marsh", "Tom Noor"
    return beside is None and not named_other(rest)


def works_with(sentence: str) -> bool:
    """Whether the sentence speaks of somebody in a work relation to the speaker."""
    return bool(WORK_RELATION.search(sentence))


def speaks_of_money(sentence: str) -> bool:
    """Whether it tells what somebody else earns, owes or owns."""
    return _MONEY.any_matches(Scan(sentence)) and not _OWN_MONEY.search(sentence)


def may_tell_of_others(text: str) -> bool:
    """Whether any sentence of a text could tell of money or a private life: asked once, before its sentences are."""
    scan = Scan(text)
    return _MONEY.any_matches(scan) or _PRIVATE_LIFE.search(scan) is not None


def tells_private_life(sentence: str) -> bool:
    """Whether it tells of belief, love, politics, convictions or papers: of whom is for `other_person` to say."""
    return bool(_PRIVATE_LIFE.search(Scan(sentence)))


def own_contact(sentence: str) -> bool:
    """Whether a number or address in the sentence is the speaker's own."""
    return bool(_OWN_CONTACT.search(sentence))


def relation_of(clause: str) -> str | None:
    """The relation a clause begins with ("my sister lives …"): it is then about that person, not about the speaker."""
    match = _SUBJECT_RELATION.match(clause)
    return match.group("relation").lower().replace(" ", "_") if match else None
