"""Do a customer's later words only go on with what they wished, or may the wish stand no more? (R72); pure.

Told by what is allowed, not by what is forbidden, because a wish is given up in more ways than can be listed: thanks
and confirmations, values, an answer about oneself, a question, the same wish again, another wish beside it.
Whatever has none of these shapes may have taken the wish back.
"""

import re
from typing import Final

from memoryhub.dreams.copied_words import content_of, stem
from memoryhub.dreams.intent_values import ValueKind, values
from memoryhub.dreams.polarity import denies
from memoryhub.governance.clauses import expand
from memoryhub.governance.sentences import sentences
from memoryhub.working.normalisation import listed

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: Words that thank, greet, confirm, or name what a value is: a turn of these and of values says nothing about the wish.
_HARMLESS: Final = frozenset(
    listed(
        "yes yeah yep yup ok okay sure right correct exactly absolutely certainly definitely indeed agreed of course "
        "please do go ahead proceed confirm confirmed thanks thank thx cheers ta you your very so much a lot "
        "again for "
        "the help helping assistance patience time information info support quick reply explaining clarifying that "
        "this is are was were it would be will great perfect fine cool good awesome excellent wonderful lovely super "
        "splendid brilliant nice amazing fantastic marvellous kind clear bye goodbye hello hi hey morning afternoon "
        "evening day have "
        "mate sir madam all set everything looks sounds works me us my our i we am and in with on under at name "
        "named "
        "number numbers id ids order booking reservation reference ref code email e-mail address phone mobile date "
        "birth born account card customer user zip postcode ends ending last digits contract invoice ticket "
        "appreciate "
        "understand see got noted alright pity bad hm hmm disappointing shame sad unfortunate unfortunately well "
        "oh ah um now then to by from as here there just also too today said "
        "mentioned before both deal understood thats what need needed only an policy serial too back soon "
        "talk "
        "take care later get will-do star phew ready waiting finally yay unbelievable anywhere anytime whenever "
        "whichever either bless hurry bunch "
        "understanding detailed update updating done s guiding process handling hope anytime merci beaucoup "
        "really with hear new year years old"
    )
)
_CURT: Final = frozenset(
    listed("no nope nothing else more other questions thanks thank you that's all is it for now so much")
)
_LEAD = re.compile(
    r"(?i)^(?:(?:yes|yeah|ok(?:ay)?|sure|great|perfect|alright|all right|right|well|hi|hello|thanks?(?: you)?|"
    r"and|so|but|"
    r"certainly|of course|got it|i see|i understand|in that case|then|fine|good|oh|ah|hmm+|um+|lovely|sorry|"
    r"unfortunately|additionally|also|i am afraid|for the payment|as for the payment|no problem|no worries|"
    r"no(?! \w))[ ,.!:;…–—-]+)+"
)
#: What is granted before the point is made.
_CONCEDES = re.compile(r"(?i)^(?:i (?:understand|see|know)\b[^.;]{0,120}?, ?but )")
#: What somebody says of themselves when asked: who they are, what they have, know, or cannot find.
_OF_ONESELF = re.compile(
    r"(?i)^(?:(?:as for )?the reason\b|(?:my|our|the) (?:[\w'-]+ ){0,3}(?:name|ids?|number|e-?mail|address|phone|"
    r"code|"
    r"date|birthday|birth|reference|reservation|booking|order|account|zip|postcode|serial|contract|policy|card|"
    r"details|method|payment)\b"
    r"(?=.{0,90}(?:[\d_@]|name is|(?-i:\b[A-Z]{5,}\b)))(?! (?:must|should|can|could|may|might|will|would|needs?|"
    r"has to)\b)|"
    r"(?:i am sorry,? but )?(?:i|we) (?:do not|did not|cannot|can not|could not|am not|are not) (?:\w+ )?(?:have|"
    r"remember|"
    r"recall|know|find|sure|certain|see|locate)\b|(?:i|we) (?:do |did )?(?:have|purchased?|bought) (?:the |my |"
    r"a |an )?(?:\w+ )?"
    r"(?:receipt|ids?|reservation|card|certificates?|account|membership|number|reference)\b|"
    r"(?:i|we) (?:live|was born|ordered|paid|booked (?:it|them)|tried|am (?:in|at|from|called|\d|his|her)|"
    r"already (?:tried|restarted|rebooted|checked|gave|sent)|(?:really )?appreciate|understand|was (?:told|"
    r"informed))\b|"
    r"(?:it|there|we) (?:is|are|will be|will just be) (?:just |only )?(?:me|us|\d+|two|three|four|five|"
    r"six)\b(?! (?:is|are)\b)|"
    r"(?:i|we) (?:am|are|will be) (?:travel+ing|staying|coming|cancel+ing because)\b|"
    r"(?:it|that|this|here) (?:is|was) (?:under |for |on |in |my |the )*(?=\S*[\d_]))"
)
#: What somebody does so that the wish comes true: they pay, look something up, wait, agree to an option that was shown.
_ALONG = re.compile(
    r"(?i)\b(?:(?:i|we) (?:will|would like to|want to|can|need to|would prefer to|am happy to) (?:\w+ly |also |"
    r"just |try to )?"
    r"(?:use|pay|proceed|go ahead|confirm|provide|check|find|look|wait|contact|call|reach out|get back|"
    r"be in touch|send|"
    r"upload|bring|apply|charge|gather|know|make sure|go with (?:the |that |this )?(?:option|first|second|third|"
    r"[a-z]{1,20} \S{0,20}\d))\b|"
    r"let(?: us|['’]s) (?:proceed|go ahead|use|go with (?:the |that |this )?(?:option|first|second|third|"
    r"[a-z]{1,20} \S{0,20}\d))\b|"
    r"please (?:make|do) (?:that|this|the|those) (?:change|update|booking)s?\b|"
    r"(?:please|^|, ) ?(?:go ahead|proceed|confirm|use|charge|send|let me know|tell me|check|apply|process|"
    r"continue|e-?mail)\b)"
)
_ASKS_FOR = re.compile(
    r"(?i)\b(?:(?:i|we) (?:would (?:like|love|prefer)|want|need|wish|would take|will take|take|will have)|(?:can|"
    r"could|would|"
    r"will|may) (?:you|i|we|someone|somebody)|please|let us|would it be possible|"
    r"how about|what about|why not)\b"
)
#: How a question begins that only asks.
_INFORMS = re.compile(
    r"(?i)^(?:and )?(?:do|does|did|is|are|was|were|how (?!about)|when|where|who|which|what (?!about)|why (?!not)|"
    r"will (?!you)) ?\b"
)
#: A request that goes with another rather than in its place.
_BESIDE = re.compile(
    r"(?i)\b(?:(?:can|could|would|will) (?:you|i|we)|please|to|and|help me) (?:please |also |just |"
    r"still )*(?:use|pay|add|"
    r"confirm|process|check|send|e-?mail|tell|let (?:me|us) know|apply|look|review|see|know|charge|provide|"
    r"explain|help|assist|"
    r"proceed|upgrade|double-check|clarify|make sure|guide|find out|hold on|give|get back)\b"
)
_TOO = re.compile(r"(?i)\b(?:also|too|as well|additionally|in addition|another thing|one more thing|besides|while)\b")
_POINTS = re.compile(r"(?i)\b(?:it|one|ones|that|those|them|this|these|there|his|hers|myself|ourselves|instead)\b")
#: Words by which one thing is weighed against another, or done without.
_WEIGHS = re.compile(
    r"(?i)\b(?:better|nicer|nearer|cheaper|rather|prefer(?! to (?:use|pay)\b)\w*|instead|enough|myself|ourselves|"
    r"without|grown|sorted|solved|"
    r"fixed|found|turned up|how about|what about|why not|suits?|different|mistake|wrong|plans?|anymore|any more|"
    r"no longer|forget|hold off|changed|one is|the other|sooner|skip|drop)\b"
)
#: What is gone ahead with, where it is an act of its own.
_ACTS_NAMED = re.compile(
    r"(?i)\b(?:cancel\w*|refund\w*|exchang\w*|return(?:ing|s)?(?= (?:it|of|the|my)|[.!]|$)|downgrad\w*|delet\w*|"
    r"keep\w*|replac\w*|repair\w*|extend\w*|extension|renew\w*)\b"
)
#: A question or a report stays one whatever is said later.
_ASKED_OR_REPORTED = re.compile(
    r"^(?:asked (?:what|where|when|how|why)|reported|got in touch|(?:asked the agent|wanted|needed) to (?:tell|"
    r"let them know|"
    r"confirm|check|know|find out|see|understand|explain)|asked whether the agent could (?:tell|check|confirm))\b"
)
_MAY_THEY = re.compile(r"^asked whether (?:they could|it was possible)\b")
_HOW_IT_IS_PAID = re.compile(r"(?i)\b(?:payments?|pay|paying|(?:credit|debit|gift|master) ?cards?)\b")
_PARTICLE = re.compile(r"(?i)\b(?:on|off|up|down|out|back|away)\b(?! (?:(?:the|my|our|a|an)\b|\d))")
_REPORTS_TROUBLE = re.compile(
    r"(?i)^(?:it|the [\w'-]+|my [\w'-]+) (?:is|was|has|says|said|does|did|keeps|arrived|came|"
    r"still)\b.{0,80}\b(?:not|never|"
    r"broken|blurred|cold|late|missing|lost|damaged|leak\w*|crash\w*|error\w*|expired|dead|down|red|wet|torn|dent\w*|"
    r"stuck|faces)\b"
)
_FEW: Final = 6


def goes_on(wish: str, later: str, *, same_turn: bool = False) -> bool:
    """Whether every sentence said later leaves the wish as it is. `wish`: as it is told, without its subject.

    In the turn of the wish itself people give reasons, so there only what contradicts it counts.
    """
    same_turn = same_turn or bool(_ASKED_OR_REPORTED.match(wish))
    return all(
        (not _contradicts(wish, plain) if same_turn else _leaves(wish, plain))
        for sentence in sentences(later)
        if (plain := expand(sentence).strip(" ,;:.-–—…"))
    )


def _contradicts(wish: str, sentence: str) -> bool:
    words = _words(sentence)
    if len(words) <= 3 and {"not", "never", "nah", "nope"} & set(words):
        return True
    if _is_again(wish, sentence) or _TOO.search(sentence):
        return False
    return bool(
        (_ASKS_FOR.search(sentence) and _acts(wish) & {stem(word) for word in words})
        or re.match(
            r"(?i)^(?:please )?(?!do\b|is\b|was\b|has\b)[a-z]+ (?:it|them|that|one)\b(?: (?:please|again|back))?$",
            sentence,
        )
    )


def _leaves(wish: str, sentence: str) -> bool:
    if _only_harmless(sentence):
        return True
    plain = _LEAD.sub("", _CONCEDES.sub("", sentence))
    words = _words(plain)
    if not words or _only_harmless(plain):
        return True
    about_it = content_of(wish) & content_of(plain)
    if _is_again(wish, plain):
        return True
    if re.match(r"(?i)^(?:as for )?(?:the|my) reason\b", plain):
        return True
    if _WEIGHS.search(plain) or (denies(plain) and about_it and not _OF_ONESELF.search(plain)):
        return False
    if _OF_ONESELF.search(plain) or _REPORTS_TROUBLE.search(plain):
        return True
    if re.match(r"(?i)^(?:i|we) do not (?:want|need|wish)\b", plain) or re.match(
        r"(?i)^no [a-z]+(?: [a-z]+)?$", _bare(plain)
    ):
        return not about_it and len(words) > 1
    if _INFORMS.search(plain) and sentence.rstrip().endswith("?"):
        return not _acts(wish) & {stem(word) for word in words} and not re.search(r"(?i)\bones?\b", plain)
    if _ALONG.search(plain):
        acts = {act[:5].lower() for act in _ACTS_NAMED.findall(plain)}
        return all(act in wish.lower() or (act == "cance" and "refund" in wish) for act in acts)
    if _HOW_IT_IS_PAID.search(plain) and not about_it:
        return True
    if _MAY_THEY.match(wish) and len(words) > 2 and not about_it and not _ASKS_FOR.search(plain) and not denies(plain):
        return True  # a question is not taken back by what is done with its answer
    if _ASKS_FOR.search(plain):
        return bool(_TOO.search(sentence) or _BESIDE.search(plain)) and not _acts_alike(wish, plain)
    return (
        sentence.rstrip().endswith("?")
        and not _acts(wish) & {stem(word) for word in words}
        and not re.search(r"(?i)\b(?:ones?|instead)\b", plain)
        and len(words) > 2
    )


def _bare(sentence: str) -> str:
    return re.sub(r"(?i)[ ,]+(?:please|thanks?|thank you)$", "", sentence.strip(" .!?")).strip()


def _words(sentence: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(sentence)]


def _only_harmless(sentence: str) -> bool:
    """Thanks, confirmations and values, and nothing else; a bare "no" closes only together with thanks."""
    if set(_words(sentence)) <= _CURT and len(_words(sentence)) > 1:
        return True
    rest = sentence
    for value in reversed(values(sentence)):
        if value.kind is not ValueKind.NAME or re.search(r"(?i)\bname\b", sentence):
            unit = (
                re.match(r"[ -]+[a-z]+\b", rest[value.end :]) if value.kind is ValueKind.NUMBER and value.of else None
            )
            rest = f"{rest[: value.start]} {rest[value.end + (unit.end() if unit else 0) :]}"
    return all(word in _HARMLESS for word in _words(rest))


def _is_again(wish: str, sentence: str) -> bool:
    """The same wish once more: its act, and its object or "it", by the same particle, and not denied."""
    words = _words(sentence)
    said, core = {stem(word) for word in words}, _core(wish)
    acts = _acts(wish)
    acted = all(any(word[: max(4, len(act))] == act or word == act for word in words) for act in acts)
    pointed = any(
        re.search(rf"(?i)\b{act}\w* (?:all |both )?(?:of )?(?:it|them|those|these|this)\b", sentence) for act in acts
    )
    shares_a_value = {value.same for value in values(wish)} & {value.same for value in values(sentence)}
    return bool(
        core
        and acted
        and (core - acts <= said or pointed or (acts and shares_a_value))
        and set(_PARTICLE.findall(wish.lower())) == set(_PARTICLE.findall(sentence.lower()))
        and not denies(sentence)
        and not _WEIGHS.search(sentence)
    )


_STARTS_A_PHRASE = re.compile(
    r"(?i)\b(?:from|for|on|at|in|with|by|to(?! \w+ (?:my|their|the|a)\b)|of|until|under|about)\b"
)


def _core(wish: str) -> set[str]:
    """The stems of a wish's verb and object, short words too ("red"), without the phrases behind them."""
    told = re.sub(
        r"^(?:asked whether \w+(?: \w+)? (?:could|possible to)|asked the agent to|\w+ (?:for|to)|\w+) ", "", wish
    )
    head = _STARTS_A_PHRASE.split(told, maxsplit=1)[0]
    return {stem(word) for word in _words(head) if len(word) > 2 and word not in _NO_OBJECT}


_NO_OBJECT: Final = frozenset(listed("the their them some any all another and one two our help get have"))


def _acts(wish: str) -> set[str]:
    """The verb of a wish that has one, as a set."""
    verb = re.match(
        r"(?:wanted|needed|hoped|asked the agent|asked whether it was possible|asked how) to (\w+)|"
        r"asked whether (?:they|the agent) could (\w+)",
        wish,
    )
    return {stem(verb[1] or verb[2])} - {"help", "assist", "get", "have"} if verb else set()


def _acts_alike(wish: str, sentence: str) -> bool:
    """It asks for the same kind of act, or for some act on the same object or on "it"."""
    words = {stem(word) for word in _words(sentence)}
    return bool(
        _acts(wish) & words
        or (content_of(wish) & content_of(sentence) and not _TOO.search(sentence) and not _BESIDE.search(sentence))
        or (_POINTS.search(sentence) and not (_ALONG.search(sentence) or _BESIDE.search(sentence)))
    )
