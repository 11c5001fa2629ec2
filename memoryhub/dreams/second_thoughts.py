"""Do later words take back what somebody wished before, or put another wish in its place? (R72); pure.

Whether they really do is often not to be told; what may be taken back counts as taken back.
"""

import re

from memoryhub.dreams.copied_words import content_of, stem
from memoryhub.dreams.polarity import denies
from memoryhub.governance.clauses import expand
from memoryhub.governance.sentences import sentences

#: The customer takes something back, or puts another thing in its place: what they said before it stands no more.
_TAKEN_BACK = re.compile(
    r"(?i)\b(?:never ?mind|forget (?:it|about|that|the|what|my)|(?:scratch|strike) that|chang(?:ed?|ing) (?:my|"
    r"our) minds?|second thoughts?|"
    r"on reflection|what if (?:i|we)\b|(?:looks?|sounds?|seems?|is|are|was|suits? \w+) (?:even |much )?(?:nicer|"
    r"better|prettier|cheaper)|"
    r"thinking about it|thought about it|no longer|not any ?more|hold off|no way|after all|for now|leave "
    r"(?:it|that|them|us|me|things|everything)\b|"
    r"leave (?:the|my|our) (?:\w+ ){1,3}(?:running|alone|as|open|on|in place|there)\b|"
    r"keep (?:it|that|them|things|everything)\b|(?:i|we) will (?:stay|keep|pass|live (?:with|without)|"
    r"manage)\b|(?:don't|do not) bother|not worth|no [a-z]+(?: [a-z]+)? then|cancel that|as (?:it|they) (?:is|are|"
    r"was|were)\b|"
    r"let(?:'s| us) (?:not|leave|skip|forget|keep|stick)|instead|alternatively|(?:i|we) (?:had )?mean(?:t)?\b|"
    r"correction|my (?:mistake|bad|error)|"
    r"mis(?:typed|spoke|read|took|remembered)|typo|mixed (?:up|that)|got (?:that|it|the \w+|my \w+) wrong|"
    r"wrong (?:date|day|time|number|city|name|id|order|one|reservation|booking|flight|item|address|account|thing)|"
    r"ignore (?:that|what|my)|disregard|drop (?:that|it|the idea|the matter|my)|skip (?:that|it)|decided (?:not|"
    r"against|to)|would rather|"
    r"stick (?:with|to)|stay with|(?:go|going|switch|switching|went) back to|revert|undo|kidding|joking|sarcas\w*|"
    r"backwards?|the other way (?:a)?round|vice versa|swapped|(?:do not|nothing|no) (?:change|need to change) "
    r"(?:anything|it|that)|"
    r"(?:never|did not|have not|was not) (?:said|say|asked?|wanted|want|meant|mean|asking)\b|that (?:was|is) not "
    r"(?:me|what)|"
    r"make (?:it|that) (?:the |a |an |on |for )?(?:\d|two|three|four|five|six|seven|eight|nine|ten|mon|tue|wed|"
    r"thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|"
    r"oct|nov|dec|noon|(?-i:[A-Z]))\w*|change (?:it|that) (?:back )?to|won't be necessary|will not be necessary|not "
    r"necessary|no need|oops|"
    r"sorry (?:to bother|to have bothered|to trouble|for the (?:trouble|confusion|mix-?up|bother)|about that)|"
    r"wrong number|"
    r"sorry,? (?:i (?:meant|mean|got|gave|said|wrote|typed)|it(?:'s| is)|that(?:'s| is| was)|not|no|make)|wait,? "
    r"(?:no|not|sorry|i|it)|"
    r"no,? (?:wait|not|sorry|i (?:want|meant|need)|it(?:'s| is)))\b"
)
_ACTUALLY = re.compile(
    r"(?i)(?:\bactually\b|(?:^|[.!?,] )(?:oh,? |no,? )?(?:wait|hang on|hold on)(?=[,.!… ]))(?! (?:also|another|"
    r"one more)\b)(?!.{0,200}\b(?:also|as well|too)\b)"
)
#: A preference that may narrow or replace what was asked for, when it is about the same thing.
_NARROWED = re.compile(
    r"(?i)\b(?:prefer|rather|keep(?:ing)?|different|another|too (?:expensive|much|late|long|early|soon|small|big)|"
    r"not (?:interested|worth)|just (?:one|a)|"
    r"only (?:one|a|the (?:first|second|other|last|one))|but not|except|change|better)\b"
)


_SAYS_NO = re.compile(r"(?i)^no(?: thanks?(?: you)?)?[ ,.!]+")


def taken_back(wish: str, later: str) -> bool:
    """Whether something said later takes a wish back, replaces it, or narrows it where it is about the same thing."""
    content = content_of(wish)
    for sentence in sentences(later):
        plain = expand(sentence)
        if _TAKEN_BACK.search(plain) or _ACTUALLY.search(plain):
            return True
        narrowed = _NARROWED.search(plain)
        if narrowed and content & (about := content_of(plain)) and not about - {stem(narrowed.group())} <= content:
            return True
    return False


def denied(wish: str, later: str) -> bool:
    """Whether something said later says no in the words of the wish: "please don't cancel the order"."""
    content = content_of(wish)
    return any(
        denies(_SAYS_NO.sub("", sentence)) and len(content & content_of(sentence)) >= min(2, len(content))
        for sentence in sentences(later)
    )
