"""Which of a customer's sentences asks for something, and for what? Told by the grammar of wishes, requests, questions
and complaints (R72); pure.

Greetings, thanks, answers and confirmations ask for nothing; what is quoted, supposed, ironic or somebody else's
wish is not the customer's. What is found keeps the customer's words: verb, object and values, without courtesy and
reasons.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.dreams.request_frames import FRAMES
from memoryhub.governance.clauses import expand
from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.language import detect
from memoryhub.governance.moods import Mood, is_reported, mood_of, speaks_for_somebody_else
from memoryhub.governance.pastes import typed_by_the_person
from memoryhub.governance.sentences import sentences

MAX_TURN: Final = 1500  # characters of a turn that is read; what is longer is a text, not a request


@dataclass(frozen=True)
class Request:
    """One thing asked for: what the customer did ("wanted to"), in which words, and where it stands.

    `clause`: the words before reasons and courtesies were cut; `rest`: what follows it in
    its sentence; `after`: where in the turn's text the next sentence begins.
    """

    lead: str
    words: str
    clause: str
    weight: float
    turn: int
    sentence: str
    rest: str
    after: int


_LEADS = re.compile(
    r"(?i)^(?:(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|dear \w{1,60}|there|team|"
    r"folks|all|everyone|sir|"
    r"madam|support|so|well|um{1,60}|uh{1,60}|oh|ah|also|and|but|now|first(?:ly)?|secondly|additionally|"
    r"furthermore|next|"
    r"lastly|finally|"
    r"actually|sorry(?: to bother(?: you)?)?|apologies|excuse me|pardon|btw|by the way|one more thing|another "
    r"thing|quick question|"
    r"question|urgent|basically|honestly|frankly|unfortunately|anyway|listen|look|hmm{1,60}|today|right now|in "
    r"addition|besides|"
    r"as i (?:said|mentioned)(?: before| earlier)?|i hope (?:you(?: are|'re)? (?:are )?(?:well|doing well)|this "
    r"finds you well)|how are you"
    r"(?: doing)?(?: today)?|thanks?(?: you)?(?: for (?:your|the|that|all)(?: \w{1,60}){1,3}| so much| very much| a "
    r"lot| again)?|wait(?: a (?:minute|"
    r"second|moment))?|correction|no wait|one thing|here(?:'s| is) (?:my|the) (?:issue|problem|question|"
    r"request))(?:[ ,.!?:…–—-]{1,60}|$)){1,12}"
)
#: An answer to what the agent asked or offered is no request of its own.
_ANSWERS = re.compile(
    r"(?i)^(?:(?:oh|ah|well|ok(?:ay)?|and|so|um{1,60}|hmm{1,60})[ ,.!]{1,60}){0,12}(?:yes|yeah|yep|yup|sure|"
    r"ok(?:ay)?|right|correct|"
    r"no|nope|great|perfect|alright|all right|"
    r"fine|cool|exactly|absolutely|of course|certainly|definitely|sounds good|that(?:'s| is| would be| will be| "
    r"works| sounds)|"
    r"awesome|excellent|wonderful|good(?! (?:morning|afternoon|evening|day)\b)|got it|i see|understood|agreed|in "
    r"that case|then|if so|deal)\b"
)
_NOT_FREE = re.compile(
    r"(?i)\b(?:if|unless|whenever|when|once|until|till|suppose|supposing|in case|otherwise|or else|would have|"
    r"provided|assuming|"
    r"depending|except|nobody|no one|whether|should)\b|\b(?:he|she|they|wife|husband|partner|mother|father|mum|"
    r"mom|dad|son|daughter|"
    r"friend|boss|colleague|neighbou?r|sister|brother|someone|somebody|people|sign|page|ad|website|site|letter|"
    r"agent|rep\w*) "
    r"(?:\w+ ){0,2}(?:said|says|told|tells|wants?|wanted|asked|asks|thinks?|thought|wrote|writes|claims?|claimed|"
    r"suggest\w*|insist\w*|reckons?)\b"
)
_QUOTE = re.compile(r"[\"“”«»]|(?:^|[\s:])['‘][A-Za-z]")
_SPLIT = re.compile(
    r"(?i)(?:[,;:]|\s[-–—]|\.{2,9}|…)\s{1,9}(?:(?:and|so|but|also|then|now|therefore|hence)[ ,]{1,60}){0,12}|"
    r"\s(?:and|so|"
    r"but)\s{1,9}(?:also |now |then ){0,12}"
)
_JEST = re.compile(
    r"(?i)\b(?:just kidding|kidding|joking|j/k|jk|lol|lmao|haha+|sarcas\w*|yeah,? right|as if)\b|"
    r"(?:^|\s)/s\b|🙄|🙃|😏|😒"
)
_IMAGINED = re.compile(
    r"(?i)\b(?:imagine|suppose|let'?s (?:say|pretend|assume|imagine)|pretend|role-?play|hypothetical\w*|for "
    r"(?:the sake of argument|example|instance)|"
    r"in (?:my|the|a) (?:novel|story|game|script|play|exercise)|(?:play|playing) (?:a|the) (?:game|role|part)|"
    r"you(?:'re| are) (?:now )?(?:a|an|the) (?!(?:bit|star|legend|life|best|hero|angel|gem|great|good|"
    r"wonderful)\b)|what if|test(?:ing)? (?:message|the bot)|say i (?:wanted|had|were))\b"
)


#: What stands before a colon and leads up to words of one's own; before any other colon stands who else said it.
_OWN_COLON = re.compile(
    r"(?i)(?:^|\b)(?:question|request|issue|problem|thing|favou?r|following|order|booking|wish|plan|please|hello|hi|"
    r"urgent|need|want|help|thanks|ps|p\.s\.?)\s{0,3}:\s{0,9}$"
)


def _led_in_by_another(before: str) -> bool:
    return bool(re.search(r":\s{0,9}$", before)) and bool(_LEADS.sub("", before)) and not _OWN_COLON.search(before)


#: "Need to change my slot", "… and want to end my contract": the "I" was left out.
_NO_SUBJECT = re.compile(r"(?i)^(?:need|want|would like|wanted|looking|trying|hoping|calling|writing)\b(?! you\b)")
_WISH = re.compile(r"(?i)(?<=\bI )wish to|(?<=\bwe )wish to\b")  # no "I wish I …"
_OWN_SUBJECT = re.compile(r"(?i)^(?:(?:hi|hello|hey|so|well)[ ,!]+)*(?:i|we)\b")
#: Praise of what went wrong.
_MOCKS = re.compile(
    r"(?i)(?:^|[.!?]\s+)(?:oh,? |well,? |wow,? )?(?:great|brilliant|wow|fantastic|wonderful|marvell?ous|lovely|"
    r"perfect|awesome|nice|super|terrific|amazing|"
    r"excellent|love (?:how|that|the way))\b[^.!?]{0,60}\b(?:again|another|died|dead|cancel+ed|broken|late|down|"
    r"lost|hours|minutes|twice|never|no|nobody|wrong|"
    r"crash\w*|fail\w*|euros?|dollars?|pounds?|logs? me out)\b|\b(?:thanks a lot|thanks for nothing|can't get "
    r"enough|real(?:ly)? (?:great|helpful) of you|what a joke)\b"
)

_NOT_MEANT: Final = (Mood.IRONY, Mood.HYPOTHETICAL, Mood.TASK_WITH_TEXT)


def read(texts: Sequence[str]) -> list[Request]:
    """Every request in the customer's turns, in the order they were made. A turn without words asks for nothing."""
    return [request for turn, text in enumerate(texts) for request in _of_turn(text, turn)]


def usable(text: str) -> bool:
    """Whether a turn's words are the customer's own and plain: nothing instructs, plays, jests or is pasted."""
    plain = text.strip()
    return bool(
        plain
        and len(plain) <= MAX_TURN
        and not (plain.isupper() and len(plain) > 12)
        and threat_of(plain, vouched=False) is Threat.NONE
        and not speaks_for_somebody_else(plain)
        and not _JEST.search(plain)
        and not _MOCKS.search(plain)
        and not _IMAGINED.search(plain)
        and detect(plain) == "en"
        and " ".join(typed_by_the_person(plain).split()) == " ".join(plain.split())
    )


def _of_turn(text: str, turn: int) -> Iterator[Request]:
    if not usable(text):
        return
    at, reported = 0, False
    for sentence in sentences(text):
        start = max(text.find(sentence, at), at)
        at = start + len(sentence)
        if reported or text[:start].count('"') % 2:
            reported = sentence.rstrip().endswith(":")
            continue
        reported = _led_in_by_another(sentence.rstrip())
        yield from _of_sentence(sentence, turn, at)


def _of_sentence(sentence: str, turn: int, after: int) -> Iterator[Request]:
    if _QUOTE.search(sentence) or mood_of(_WISH.sub("want to", sentence)) in _NOT_MEANT:
        return
    plain = _WISH.sub("want to", expand(sentence))
    if _ANSWERS.match(plain):
        return
    plain = _LEADS.sub("", plain)
    if _ANSWERS.match(plain):
        return
    starts = [0, *(match.end() for match in _SPLIT.finditer(plain))]
    until = 0
    for start in starts:
        before = plain[:start]
        if start < until or _NOT_FREE.search(before) or is_reported(before) or _led_in_by_another(before):
            continue
        piece = _LEADS.sub("", plain[start:])
        shared = "I " if _NO_SUBJECT.match(piece) and (not before.strip() or _OWN_SUBJECT.match(before)) else ""
        read_by = ((frame, frame.match(shared + piece, first=start == 0)) for frame in FRAMES)
        frame, found = next(((frame, found) for frame, found in read_by if found is not None), (None, None))
        if frame is None or found is None or (cut := frame.cut(found)) is None:
            continue
        words, clause = cut
        end = found.start("rest") - len(shared) + len(clause)
        until = start + plain[start:].rindex(piece) + end
        yield Request(frame.lead, words, piece[:end], frame.weight, turn, sentence, plain[until:], after)
