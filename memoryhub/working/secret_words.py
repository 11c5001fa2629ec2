"""What may stand where a password would, and is none? Words and shapes the finders of secrets share (R12)."""

import re

from memoryhub.working.normalisation import listed

#: Words that may follow "the password is" without being one.
NO_PASSWORD = frozenset(
    listed(
        """
    a about again all almost already also always an and another any as at available back bad been being blank
    broken by changed correct different due easy empty enough entered enter expired expiring failing false fine
    for forgotten from gone good handled hard hashed her hidden here his how ignored important in incorrect
    insecure invalid it its kept known locked long lost managed mine missing more my needed never new no not now
    obvious off ok okay old on one only or our out outdated over owned pending protected quite rejected required
    reset right rotated safe same saved secret secure set shared short simple so somewhere still stored strong
    stuck supposed that the their them there this to too true unchanged under unique unknown unsafe up updated
    used useless valid very weak what where which with without working wrong yours your they you we i he she who
    why when if but just really none null optional
    """
    )
)
MAY_BEGIN_A_PHRASE = frozenset(
    {"correct", "right", "strong", "simple", "safe", "hidden", "old", "new", "good", "short", "long", "hard"}
)
PLAIN_WORD = re.compile(r"^[A-Za-z][a-z]*(?:['-][a-z]+)*$")
#: After "password": what is then spoken of is a thing that has to do with passwords.
NO_NAME = (
    r"[ -](?:managers?|vaults?|polic(?:y|ies)|resets?|fields?|forms?|generators?|hints?|lengths?|rotations?|"
    r"protection|strength|prompts?|hash(?:es|ing)?|rules?|safes?|tools?|apps?|keepers?|requirements?|expiry|box|screen)\b"
)
#: Where a value only stands for one.
PLACEHOLDERS = ("$", "<", "{", "[", "***", "•", "os.", "process.", "env.", "ENV", "vault:", "xxx", "XXX", "...")
TRAIL = ".,;:!?)]}\"'`"

_LINK = re.compile(r"https?://|\.{0,2}/")
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T\d:.Z+-]*")
_WORD_AND_NUMBER = re.compile(r"^(?:[A-Za-z]+[-_./])*[A-Za-z]+\d{0,3}")
_CAMEL = re.compile(r"^(?:[A-Z]?[a-z]++[-_./]?)++")


def mixed(value: str) -> bool:
    """Letters and digits in one word, or many kinds of characters: unlike a word, unlike a number."""
    if not any(map(str.isalpha, value)) or _LINK.match(value) or _STAMP.fullmatch(value):
        return False
    if any(map(str.isdigit, value)):
        return not _WORD_AND_NUMBER.fullmatch(value)
    return len(value) >= 20 and value.lower() != value != value.upper() and not _CAMEL.fullmatch(value[:60])
