"""Which characters of a text are somebody's card, bank, state identifier, contact or date of birth? (R12)

A number that carries a check digit is judged by it; a bare one by the words before it, so that order numbers,
timestamps and measurements pass.
"""

from collections.abc import Iterator

from memoryhub.vocabulary import SensitiveData
from memoryhub.working.contacts import find_births, find_contacts
from memoryhub.working.patterns import Scan
from memoryhub.working.payments import find_payments
from memoryhub.working.state_ids import find_state_ids

#: (start, end, kind, family) in the text that was searched.
Span = tuple[int, int, str, SensitiveData]

_FINDERS = (
    (find_payments, SensitiveData.PAYMENT),
    (find_state_ids, SensitiveData.GOVERNMENT_ID),
    (find_contacts, SensitiveData.CONTACT),
    (find_births, SensitiveData.PERSONAL),
)


def find_personal_data(scan: Scan) -> Iterator[Span]:
    """Every card, account, identifier, contact and date of birth in the text; spans may overlap."""
    for finder, family in _FINDERS:
        for start, end, kind in finder(scan if finder is find_payments else scan.prose):  # a wallet's name is long
            yield start, end, kind, family
