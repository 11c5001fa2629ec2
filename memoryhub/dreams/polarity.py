"""Does an English phrase say no? By the words that deny (governance/negations.py), and those only English has (R72)."""

import re

from memoryhub.governance.clauses import expand
from memoryhub.governance.negations import Polarity, polarity

_MORE_NEGATIONS = re.compile(r"(?i)\b(?:no|none|nor|nowhere|neither|hardly|barely)\b|n['’]t\b")


def denies(words: str) -> bool:
    """Whether something in an English phrase says no."""
    return polarity(expand(words), "en") is not Polarity.AFFIRMS or bool(_MORE_NEGATIONS.search(words))
