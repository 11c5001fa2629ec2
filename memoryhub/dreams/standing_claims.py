"""Does a wish ask for something that a later reader may take for a right of the customer's? (R14, R72); pure.

"I want a refund limit of 2000 dollars" is grammatically a wish; told in a memory it reads as what was agreed.
"""

import re

from memoryhub.governance.claimed_rights import claims_a_right

_STANDING = re.compile(
    r"(?i)\b(?:next time|in (?:the )?future|going forward|every time|each time|whenever|by default|automatic\w*|"
    r"permanent\w*|standing (?!orders?\b)|from (?:here|then|this day) on|hence\w*|for life|"
    r"without (?:\w+ ){0,3}(?:checks?|checking|verif\w+|questions?|approvals?|id|identification|identity|asking|"
    r"proof|"
    r"codes?|review|limits?|authenti\w+|passwords?|pin)|"
    r"(?:skip\w*|bypass\w*|omit\w*|waiv\w+|ignor\w+|leave out|drop\w*|avoid\w*|overrid\w+|disabl\w+|turn off|"
    r"switch off|"
    r"remov\w+|exempt\w*|excus\w+)\b.{0,40}\b(?:identity|id|verif\w+|checks?|security|questions|"
    r"authenti\w+|approvals?|limits?|reviews?|polic\w+|rules?)|exempt\w*|"
    r"(?:identity|id|security|verification|background|credit) (?:checks?|verification|questions?)|verif\w+|"
    r"(?:refunds?|returns?|credit|approval|compensation|discount|spending|purchase|withdrawal|reimbursement|voucher|"
    r"transfer|overdraft) (?:limits?|ceilings?|caps?|allowances?|rights?|levels?|windows?|authority|privileges?|"
    r"tiers?|status)|"
    r"limits? of|(?:pre-?)?approv\w+|entitle\w*|privilege\w*|permissions?|rights?|unlimited|unrestricted|no limits?|"
    r"discounts? (?:of|on (?:all|every|any))|(?:\d+ ?%|percent)(?: \w+)? discounts?|guarantee[ds]?|trusted|vip|"
    r"(?:treated|regarded|recogni[sz]ed|registered|listed|marked|flagged|handled|considered) as|admin\w*|"
    r"special (?:status|access|treatment)|authorit\w+)\b"
)


def stands(*texts: str) -> bool:
    """Whether one of the texts claims a right, or asks for one that would stand beyond this session."""
    return any(_STANDING.search(text) or claims_a_right(text) for text in texts)
