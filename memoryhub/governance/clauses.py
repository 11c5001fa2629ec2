"""How is one sentence taken apart into clauses that each make one statement? And which words only lead up to one? (R1,
R13)

"I moved to Pune and my plan is the annual one" is two clauses; "because …" stays with what it explains.
"""

import re
from collections.abc import Iterator

from memoryhub.governance.chat import written_out
from memoryhub.working.patterns import Sieved
from memoryhub.working.remembering import remembered

_NEW_SUBJECT = (
    r"(?:i|i'm|i've|i'd|we|we're|we've|my|our|please|do not|don't|(?:never|always)(?= \w)"
    r"(?! (?:on|at|in|before|after|during|between|over)\b)|call me|it is|it's|"
    r"from now on|"
    r"the(?= (?:[\w-]+ ){1,3}?(?:is|are|has|have|opens?|closes?|runs?|lives?|costs?|needs?|starts?|sticks?|"
    r"uses?)\b))\b(?! (?:(?:the|a) )?(?:same|rest|other)\b)"
)
_SHARED_VERB = (
    r"(?:prefer|live|work|use|like|love|enjoy|hate|dislike|moved|have|own|speak|drive|eat|drink|am|switched|changed|"
    r"joined|study|always|never|no longer|do not|don't|can't|cannot)\b"
)
_SPLIT_AT = (
    rf",? (?:and|but|while|whereas|yet|although|though|also|plus) (?=(?:now |today |also |by the way,? |btw,? )?"
    rf"{_NEW_SUBJECT})|"
    rf", (?=(?:now |but now |today |these days )?{_NEW_SUBJECT})| [–—-] (?={_NEW_SUBJECT})"
)
_SPLIT = re.compile(rf"(?i)(?:{_SPLIT_AT})")
#: After a colon too, where the speaker's own words stand before it ("I changed jobs: I'm …"); else it may be quoted.
_SPLIT_OWN = re.compile(rf"(?i)(?:{_SPLIT_AT}|: (?=(?:i|i'm|we|we're|my|our) ))")
_QUOTING = re.compile(
    r"(?i)\b(?:say|says|said|reads?|writes?|wrote|goes|went|states?|stated|example|e\.g|sample|quotes?|quoted|message|"
    r"mail|letter|song|title|text|"
    r"sentence|phrase|line|asks?|asked|tells?|told|called|named|template|answer|reply|bio|caption|slogan|lyrics?|"
    r"like this|following|sign)\b[^:]{0,30}:"
)
#: A few words of the speaker's own before a colon.
_PREFACED = re.compile(r"(?i)^(?!.{0,40}\byour\b)(?:(?:i|we)\b[^:]{2,60}|[\w' -]{2,30}):")
_SPLIT_SHARED = re.compile(
    rf"(?i)(?:,? (?:and|but) (?:also |now |still |just )?(?={_SHARED_VERB})|"
    rf", (?=(?:live|work|have|own|speak|drive|play|never eat|never drink|hate|love) \w))"
)
#: What leads over to something else: no condition of what follows it.
_OPENER = (
    r"by the way|btw|incidentally|on (?:a|an)(?:other| different| unrelated| side| separate| related) (?:note|matter|"
    r"subject|topic)|in other news|while (?:i am|i'm|we are|we're) (?:here|at it|on it)|while i have you|"
    r"before i forget|in case (?:it (?:helps|matters)|you (?:need|want) (?:it|to know))|for what it(?:'s| is) worth|"
    r"fwiw|as an aside|apart from that|besides|for the record|for your (?:records|information)|in fact|"
    r"as it happens|anyway|speaking of which|oh and|also|ah and"
)
_OPENS = re.compile(rf"(?i)^(?:(?:{_OPENER}|oh|and|but|so|well)(?=[ ,.:;!–—-])[ ,.:;!–—-]+)*(?:{_OPENER})[ ,:;!–—-]+")
_ONLY_OPENS = re.compile(rf"(?i)^(?:(?:oh|and|but|so|well)[ ,]+)*(?:{_OPENER})[ ,:;!–—-]*$")
_CONDITION = re.compile(
    rf"(?i)^(?!(?:{_OPENER})\b)"
    rf"(?:if|when|whenever|every time|each time|any ?time|once|after|before|unless|until|because|since|as|"
    r"although|though|while|for|on|in|at|from|by)\b"
)
_FILLER = re.compile(
    r"(?i)^(?:(?:oh|ah|um{1,20}|uh{1,20}|well|so|and|but|also|ok(?:ay)?|right|(?:yes|yeah|yep|no|nope|sure)(?=[,.!;:–—-])|"
    r"that(?= (?:i|we|my|our|the)\b)|(?:as|being) an? [\w' -]{2,30}(?=,)|(?:hi|hello|hey)(?: there| all| team|"
    r" everyone)?|hiya|good (?:morning|afternoon|"
    r"evening)|dear \w{1,30}|thanks|thank you|sorry|please note|please|plus|(?:from|since|as of|starting|on|last|next|"
    r"this|for the past|at the) \w{1,30}(?: \w{1,30}){0,2} ?(?=,)|"
    r"(?:from|since|as of|starting) (?:next |last |this )?(?:\w{1,12}day|"
    r"week|month|year|january|february|march|april|may|june|july|august|september|october|november|december|today|"
    r"now)(?= (?:i|we|my|our)\b)|"
    r"by the way|btw|incidentally|(?:on (?:a|an)(?:other| different| unrelated| side| separate| related) (?:note|"
    r"matter|subject|topic)|in other news|while (?:i am|we are) (?:here|at it|on it)|while i have you|before i forget|"
    r"in case (?:it (?:helps|matters)|you (?:need|want) (?:it|to know))|for what it is worth|as an aside|"
    r"apart from that|besides|anyway|speaking of which)(?=[ ,])|fyi|just so you know|"
    r"for your information|for the record|for your records|for (?:later|"
    r"future reference|reference|next time)|as a reminder|(?:whatever|no matter what) (?:others|people|they|anyone|"
    r"anybody|everyone|everybody) (?:say|says|think|thinks)|for your (?:notes|files|information)|reminder|"
    r"one more thing|another thing|also note|note|ps|"
    r"p\.s\.|(?:quick |small |short )?(?:note|heads[- ]up|update|reminder)|believe it or not|(?:just )?as you (?:may |"
    r"might )?know(?: by now)?|say what you (?:like|want)|ask anyone|no (?:irony|joke|kidding)|seriously|(?:two|three|"
    r"a few) things|"
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|be advised|take note|make a note|don't forget|"
    r"do not forget|(?:know|save|store|keep|record)(?= (?:that|this|for later|in mind)\b))(?: (?:that|this|for later|"
    r"in mind|for me)){0,3}(?=[ :,])|"
    r"(?:i )?(?:just )?(?:want|wanted|would like|'d like)(?: you)? to (?:let you know|know|remember|mention|say|add|"
    r"tell you|note|inform you)(?: that)?|i(?:'d| would| should| must| can|"
    r" have to)? (?:also )?(?:like to )?(?:mention|add|confirm|say|repeat|point out|tell you)(?: that)|"
    r"you should know(?: that)?|(?:the )?(?:fact|truth|thing) is(?: that)?|to be (?:clear|honest|fair|precise)|"
    r"honestly|frankly|basically|in fact|as it happens|it turns out(?: that)?|as you (?:may )?know|as (?:i )?(?:said|"
    r"mentioned)(?: before)?|"
    r"actually|correction|(?:scratch|strike) that|wait|no wait|i mean|i meant|rather|let me correct that|that's wrong|"
    r"that is wrong|not quite|my mistake|my bad|oops|these days|nowadays|currently|right now|now|at the moment|"
    r"at present|"
    r"personally|in my case|for me|in general|generally|usually|normally|luckily|fortunately|unfortunately|recently|"
    r"lately|finally|first|second|then|i (?:think|guess|believe|suppose|reckon|assume)(?! (?:in|of|about|"
    r"like) )(?: that)?|otherwise|maybe|perhaps|"
    r"probably|possibly|it seems(?: that)?|"
    r"as far as i (?:know|remember|recall)|if i (?:remember|recall) (?:right|correctly)|apparently|presumably|"
    r"(?:it's|it is) (?:true|important|worth (?:noting|knowing|mentioning))(?: that)?)[ ,.:;!–—-]++)+"
)
_GREETED = re.compile(
    r"(?i)^(?:(?:oh|well|so|and|but|also|ok(?:ay)?|yes|(?:hi|hello|hey)(?: there| all| team)?|good (?:morning|"
    r"afternoon|evening)|thanks|thank you|"
    r"btw|by the way|just so you know|fyi|(?:please )?note(?: that)?)[ ,.:;!–—-]+)+"
)
_NAMED_GREETING = re.compile(r"^(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Tt]hanks)[ ,]+[A-Z][\w'-]+[,!. -]+")
CORRECTION = re.compile(
    r"(?i)^(?:(?:oh|ah|um+|wait|no|nope|sorry|well|and|but|hmm+|hang on|hold on|oops)[ ,.!–—-]+)*(?:actually|"
    r"correction|scratch that|i mean(?:t)?|rather|make (?:that|it)|let me correct|that'?s wrong|that is wrong|"
    r"my mistake|my bad|oops|no wait|wait,? no|no,? sorry|sorry,? no|"
    r"sorry,? (?:i meant|it'?s)|sorry,? (?=[\w€$£.,:-]+(?: \w+){0,3}[.!]{0,40}$)|strike that|no,? (?:i meant|"
    r"it'?s|not)|"
    r"no[,.])"
)
_OFTEN_SHORTENED = (
    r"name|plan|address|number|e-?mail|birthday|role|job|city|budget|language|favou?rite \w+|preferred \w+"
)
_MAY_BE_SHORTENED = Sieved(r"(?i)'|\b(?:cannot|got|gonna|wanna|do|im|ive|dont|cant)\b")
_STRAIGHT = str.maketrans("’‘“”", "''\"\"")
_EXPANSIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\bcan(?:'t|not)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"\bain't\b", "is not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must)n't\b", r"\1 not"),
        (r"\b(i)'m\b", r"\1 am"),
        (r"\b(we|they|you)'re\b", r"\1 are"),
        (r"\b(i|we|they|you)'ve\b", r"\1 have"),
        (r"\b(i|we)'d (rather|prefer|like|love|appreciate|be)\b", r"\1 would \2"),
        (r"\b(i|we|they|you|it|he|she)'ll\b", r"\1 will"),
        (r"\b(it|that|there|he|she)'s\b", r"\1 is"),
        (rf"\b({_OFTEN_SHORTENED})'s (?!\w+ (?:is|was|are)\b)", r"\1 is "),
        (r"\b(?:have|has) got\b", "have"),
        (r"\bi (?:do|really do) (?=like|love|prefer|want|use|hate|enjoy)", "i "),
    )
)


@remembered
def expand(clause: str) -> str:
    """The clause with contractions written out and straight quotes: what the grammar reads."""
    clause = written_out(clause.translate(_STRAIGHT))
    if _MAY_BE_SHORTENED.search(clause):
        for pattern, replacement in _EXPANSIONS:
            clause = pattern.sub(replacement, clause)
    return re.sub(r"\s+", " ", clause).strip()


#: "Not a fan of fennel", "prefer early slots": the speaker is left out.
_ELLIPSIS = re.compile(
    r"(?i)^(?:(?P<am>(?:(?:not|definitely not|really not|never been) )?(?:(?:a |an )?(?:big |huge |great )?fan of|"
    r"keen on|into (?!account)|fond of|"
    r"allergic to|based in|vegan\b|vegetarian\b))|(?P<verb>(?:really |absolutely |just )?(?:prefer|hate|dislike|love|"
    r"adore|detest|"
    r"can'?t stand|cannot stand|can not stand|don'?t like|do not like|don'?t eat|do not eat|don'?t drink|do not drink|"
    r"live in|work at|moved to)) )"
    r"(?!it\b|this|that|your|you\b|how\b|what\b|when\b|to (?:say|hear|see|know)\b)"
)


def with_subject(clause: str) -> str:
    """The clause with the "I" that was left out; as it stands where nothing was."""
    match = _ELLIPSIS.match(clause)
    return clause if match is None else f"I {'am ' if match.group('am') else ''}{clause[:1].lower()}{clause[1:]}"


def without_filler(clause: str) -> str:
    """The clause without greetings, "by the way", "I think" and other words that only lead up to it."""
    previous = None
    while previous != clause:
        previous = clause
        clause = _FILLER.sub("", _NAMED_GREETING.sub("", clause)).lstrip(" ,:;.!–—-")
    return clause


def without_greeting(clause: str) -> str:
    """The clause without "hi there," and "please note": what else leads up to it stays."""
    return _GREETED.sub("", clause)


def without_opener(clause: str) -> str:
    """The clause in its own words without "by the way" and "on another note", which say nothing."""
    rest = _OPENS.sub("", clause.translate(_STRAIGHT), count=1)
    return clause[-len(rest) :] if rest else clause


def is_correction(sentence: str) -> bool:
    """Whether it takes back what was said just before ("no, sorry, …", "I meant …")."""
    return bool(CORRECTION.match(sentence.replace("’", "'")))


def clauses(sentence: str) -> Iterator[str]:
    """The clauses of a sentence that each have a subject of their own; a shared one is put before what shares it."""
    masked = _mask_quotes(sentence)
    pieces = _cut(
        sentence, masked, _SPLIT_OWN if _PREFACED.match(sentence) and not _QUOTING.search(sentence) else _SPLIT
    )
    joined: list[str] = []
    for piece in pieces:
        if joined and _CONDITION.match(joined[-1].strip()) and " and " not in joined[-1] and len(joined) == 1:
            joined[-1] = f"{joined[-1]}, {piece}"  # "whenever it rains, please …" is one statement
        else:
            joined.append(piece)
    for piece in joined:
        yield from _shared_subject(piece)


def _cut(sentence: str, masked: str, pattern: re.Pattern[str]) -> list[str]:
    pieces, position = [], 0
    for match in pattern.finditer(masked):
        if " and" in match.group() and "," not in match.group() and _REASON.search(masked, position, match.start()):
            continue  # it goes on giving the reason
        if match.start() > position:
            pieces.append(sentence[position : match.start()])
            position = match.end()
    pieces.append(sentence[position:])
    return [piece.strip() for piece in pieces if piece.strip() and not _ONLY_OPENS.match(piece.strip())]


_REASON = re.compile(r"(?i)[ ,](?:because|since)[ ]")


#: "We bake on Mondays, never on Sundays": the verb is left out the second time.
_NEVER_THEN = re.compile(
    r"(?i)^(?P<who>i|we) (?:only |usually |always |normally |mostly )?(?P<verb>[a-z]{3,16}) [^,]{2,60}?(?P<then>,? "
    r"(?:and |but )?(?:never|not) (?P<when>(?:on|at|in|before|after|during|between|over) [^,]{2,60}))$"
)


def _shared_subject(clause: str) -> Iterator[str]:
    opening = re.match(
        r"(?i)^(?:(?:and|but|so|well|hi|hello|hey|also|now|currently)[ ,]+)*(i|we)(?:'m|'ve|'re)?\b",
        clause.replace("’", "'"),
    )
    if not opening:
        yield clause
        return
    if but_never := _NEVER_THEN.match(clause):
        yield clause[: but_never.start("then")].rstrip(" ,")
        yield f"{but_never.group('who')} never {but_never.group('verb')} {but_never.group('when')}"
        return
    first, *rest = _cut(clause, _mask_quotes(clause), _SPLIT_SHARED)
    yield first
    for piece in rest:
        yield f"{'I' if opening.group(1).lower() == 'i' else 'We'} {piece}"


def _mask_quotes(sentence: str) -> str:
    """The sentence with quoted words blanked, so that nothing is cut inside a quotation."""
    return re.sub(r"[\"“”][^\"“”]{0,400}[\"“”]", lambda match: "\x00" * len(match.group()), sentence.replace("’", "'"))
