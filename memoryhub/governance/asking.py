"""By which other words is a fact asked for? "I moved to Pune" answers "Where does she live?" (R31).

A small model seldom sees that; so a fact is indexed with the words people use when they ask for its key. They are
searched, never shown, and never part of what is stated or compared.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from memoryhub.governance.keys import ALIASES

#: Words of questions, beyond the key's own and its other names. Stems and small words are the database's business.
_WORDS: Final[Mapping[str, str]] = {
    "address": "live lives located location home street house",
    "birthday": "born birth age old date",
    "city": "live lives located location based reside home place town",
    "contact": "reach call ask person responsible",
    "country": "live lives located location based nationality",
    "delivery_address": "send ship deliver parcel package location",
    "diet": "eat eats food meal vegetarian vegan cook",
    "email": "mail write reach contact",
    "employer": "work works company firm job",
    "home_town": "from grew up born origin",
    "job": "work works profession role living do",
    "language": "speak speaks talk",
    "name": "called",
    "phone": "call ring reach contact",
    "plan": "tier level package paying pays subscribed",
    "preferred_contact": "reach contact call write touch",
    "preferred_drink": "drink drinks beverage",
    "preferred_language": "speak speaks language talk write",
    "preferred_name": "called nickname address",
    "preferred_payment": "pay pays payment",
    "preferred_seat": "sit sits seat",
    "preferred_time": "when hour time day",
    "preferred_transport": "travel travels go get",
    "preferred_units": "measure units",
    "time_zone": "zone clock hours time",
    "website": "site page link online",
}


def asked_by(key: str) -> str:
    """The words a fact under this key is asked for by, separated by spaces; "" for a key nothing is known of."""
    return " ".join(
        filter(None, (_WORDS.get(key, ""), *(name.replace("_", " ") for name in _OTHER_NAMES.get(key, ()))))
    )


def _other_names() -> Mapping[str, list[str]]:
    found = defaultdict(list)
    for name, key in ALIASES.items():
        if name != key:
            found[key].append(name)
    return found


_OTHER_NAMES: Final = _other_names()
