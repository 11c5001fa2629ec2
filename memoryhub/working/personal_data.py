"""Which characters of a text are somebody's card, bank, state identifier, contact or date of birth? (R12)

A number that carries a check digit is judged by it; a bare one by the words before it, so that order numbers,
timestamps and measurements pass.
"""

import re
from collections.abc import Callable, Iterator

import phonenumbers
from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.cn import ric
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import ssn

from memoryhub.vocabulary import SensitiveData

#: (start, end, kind, family) in the text that was searched.
Span = tuple[int, int, str, SensitiveData]

_NOT_IN_NUMBER = r"(?<![\w.,:/-])"
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ .-]?\d){11,30}(?![\w-])(?![.,]\d)")
_CARD_LENGTHS = (16, 15, 19, 14, 18, 17, 13)
_CARD_WORD = re.compile(
    r"(?i)\b(?:card|visa|master ?card|amex|american express|discover|maestro|debit|credit)\b[^\n\d]{0,30}$"
)
#: First digits and lengths that networks issue (ISO/IEC 7812): checked beside the checksum.
_ISSUERS = re.compile(
    r"(?:4\d{15}(?:\d{3})?|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|"
    r"[68]\d)\d{11,16}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|"
    r"676[1-3])\d{8,15}"
    r"|(?:60|65|81|82|508)\d{13,14}|9792\d{12}|220[0-4]\d{12})$"
)
_CVC = re.compile(
    r"(?i)\b(?:cvc2?|cvv2?|cid|card (?:verification|security) (?:code|number|value)|"
    r"security code)\b[^\d\n]{0,12}(\d{3,4})(?!\d)"
)
_EXPIRY = re.compile(
    r"(?i)\b(?:exp(?:iry|ires|iring|iration)?(?: date)?|valid (?:thru|through|until|"
    r"to))\b[^\d\n]{0,6}(\d{1,2} ?[/-] ?\d{2,4})(?!\d)"
)
_IBAN = re.compile(r"(?i)(?<![a-z0-9])[a-z]{2}\d{2}(?:[ -]?[a-z0-9]){11,32}")
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL",
        19: "MK SI",
        20: "AT BA EE KZ LT LU XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}
_BANK = re.compile(
    r"(?i)\b(?:sort ?code|routing(?: (?:number|no\.?|code))?|bank (?:account|details?|code)(?: (?:number|no\.?))?|"
    r"account (?:number|no\.?)|checking account"
    r"|savings account|iban|ifsc(?: code)?|bsb|aba|clabe|swift(?: code)?|"
    r"bic)\b[^\n\d]{0,24}?((?:\b[A-Z]{4}0[A-Z0-9]{6}\b)|\d(?:[ -]?\d){4,19})(?![\w-])"
)
_BANK_WORD = re.compile(r"(?i)\b(?:bank|sort ?code|routing|iban|ifsc|bsb|aba|clabe|swift|bic|checking|savings)\b")
_WALLET = re.compile(r"(?<![A-Za-z0-9])(?:bc1[a-z0-9]{25,60}|0x[a-fA-F0-9]{40})(?![A-Za-z0-9])")

_ID_PHRASE = (
    r"(?:\b(?:number|no\.?|id|nr\.?|code|is|was|are|the|my|his|her|their|last four(?: digits)?|of|ends? (?:in|"
    r"with))\b|[:#=.\s'-]){1,12}"
)


def _near(words: str, value: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{words})\b{_ID_PHRASE}({value})(?![\w-])")


#: What names a number as a state's: then the context decides, whatever the check digit says.
_BY_CONTEXT: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "social security number",
        ("soc", "ssn", "sin"),
        _near(r"social security|social insurance|soc\.? sec\.?|ssn|sin", r"\d(?:[ -]?\d){3,9}"),
    ),
    ("passport", ("passport",), _near(r"passport", r"(?=[A-Z0-9<]*\d{4})[A-Z0-9<]{6,12}|[A-Z]{1,2} ?\d{6,8}")),
    (
        "driving licence",
        ("licen",),
        _near(r"(?:driv(?:er'?s?|ers|ing)|dl) licen[cs]e", r"(?=[A-Z0-9 -]*\d{4})[A-Z0-9](?:[ -]?[A-Z0-9]){4,19}"),
    ),
    ("Aadhaar", ("aadha", "uidai"), _near(r"aadhaa?r|uidai", r"\d(?:[ -]?\d){11}")),
    ("PAN", ("pan",), _near(r"pan(?: card)?", r"[A-Z]{5}\d{4}[A-Z]")),
    ("CPF", ("cpf",), _near(r"cpf", r"\d(?:[ .-]?\d){10}")),
    (
        "national insurance number",
        ("insurance", "nin", "ni number"),
        _near(r"national insurance|nino?|ni number", r"[A-Z]{2}(?: ?\d){6} ?[A-D]?"),
    ),
    ("NHS number", ("nhs",), _near(r"nhs", r"\d(?:[ -]?\d){9}")),
    (
        "national identity number",
        (
            "ident",
            "id",
            "citizen",
            "tax",
            "tfn",
            "tin",
            "bsn",
            "pesel",
            "nummer",
            "dni",
            "nie",
            "nif",
            "curp",
            "nric",
            "codice",
            "cpr",
            "permit",
            "visa",
            "voter",
            "medicare",
        ),
        _near(
            r"national (?:id|identity|identification)(?: card)?|(?:identity|id) card|identity|citizen(?:ship)?|"
            r"personal identity|tax(?:payer)?(?: file| id(?:entification)?)?"
            r"|tfn|tin|bsn|pesel|personnummer|f(?:ø|o)dselsnummer|dni|nie|nif|curp|nric|codice fiscale|cpr|"
            r"emirates id|residence permit|visa|voter(?: id)?|medicare",
            r"(?=[A-Z0-9 .-]*\d{5})[A-Z0-9](?:[ .-]?[A-Z0-9]){5,19}",
        ),
    ),
)
#: A shape with its own check: (kind, shape, check, words that have to stand near; None: the shape alone will do).
_BY_CHECK: tuple[tuple[str, re.Pattern[str], Callable[[str], bool], str | None], ...] = (
    ("social security number", re.compile(_NOT_IN_NUMBER + r"\d{3}-\d{2}-\d{4}(?![\w-])"), ssn.is_valid, None),
    (
        "Aadhaar",
        re.compile(_NOT_IN_NUMBER + r"(?<!\d )[2-9]\d{3}([ -])\d{4}\1\d{4}(?![\w-])(?! \d)"),
        aadhaar.is_valid,
        None,
    ),
    ("PAN", re.compile(r"\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b"), pan.is_valid, None),
    ("CPF", re.compile(_NOT_IN_NUMBER + r"\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)"), cpf.is_valid, None),
    (
        "national insurance number",
        re.compile(r"\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D]\b"),
        bool,
        None,
    ),
    ("DNI", re.compile(r"\b\d{8}-?[A-Z]\b"), dni.is_valid, None),
    ("NIE", re.compile(r"\b[XYZ]-?\d{7}-?[A-Z]\b"), nie.is_valid, None),
    (
        "codice fiscale",
        re.compile(r"(?i)\b[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]\b"),
        codicefiscale.is_valid,
        None,
    ),
    ("CURP", re.compile(r"\b[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d\b"), curp.is_valid, None),
    ("HETU", re.compile(r"\b\d{6}[-+A]\d{3}[0-9A-Y]\b"), hetu.is_valid, None),
    ("NIR", re.compile(_NOT_IN_NUMBER + r"[12] \d{2} \d{2} \d{2} \d{3} \d{3} \d{2}(?!\d)"), nir.is_valid, None),
    (
        "resident identity number",
        re.compile(_NOT_IN_NUMBER + r"[1-9]\d{5}(?:19|20)\d{9}[\dX](?!\w)"),
        ric.is_valid,
        None,
    ),
    ("resident registration number", re.compile(_NOT_IN_NUMBER + r"\d{6}-[1-4]\d{6}(?!\d)"), rrn.is_valid, None),
    ("personnummer", re.compile(_NOT_IN_NUMBER + r"(?:\d\d)?\d{6}[-+]\d{4}(?!\w)"), personnummer.is_valid, None),
    (
        "social insurance number",
        re.compile(_NOT_IN_NUMBER + r"\d{3}[ -]\d{3}[ -]\d{3}(?![\w-])"),
        sin.is_valid,
        r"insurance|canad|\bsin\b|tax",
    ),
    ("BSN", re.compile(_NOT_IN_NUMBER + r"\d{9}(?!\w)"), bsn.is_valid, r"\bbsn\b|burger|dutch|citizen"),
    ("PESEL", re.compile(_NOT_IN_NUMBER + r"\d{11}(?!\w)"), pesel.is_valid, r"pesel|polish|personal"),
    (
        "fødselsnummer",
        re.compile(_NOT_IN_NUMBER + r"\d{6} ?\d{5}(?!\w)"),
        fodselsnummer.is_valid,
        r"f.dsels|norwegian|personal|national",
    ),
    ("CPR", re.compile(_NOT_IN_NUMBER + r"\d{6}-\d{4}(?!\w)"), cpr.is_valid, r"\bcpr\b|danish|personal|national"),
    ("PPS", re.compile(r"\b\d{7}[A-W][A-IW]?\b"), pps.is_valid, r"\bpps|irish|ireland|personal"),
    (
        "NHS number",
        re.compile(_NOT_IN_NUMBER + r"\d{3}[ -]\d{3}[ -]\d{4}(?!\w)"),
        nhs.is_valid,
        r"\bnhs\b|patient|hospital",
    ),
)

_EMAIL = re.compile(r"(?i)(?<![\w.+-])[a-z0-9][a-z0-9._%+'-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?![\w-])")
_PHONE = re.compile(r"(?<![\w.+-])\+\d(?:[ ().-]{0,2}\d){6,14}(?![\w-])")
_LOCAL_PHONE = re.compile(
    r"(?i)\b(?:phone|tele?phone|tel|mobile|cell(?:phone)?|fax|whats ?app|call|ring|text|sms|dial|reach(?: (?:me|him|"
    r"her|them|us))?|landline|extension)\b"
    r"[^\n\d+]{0,40}?(\(?\d(?:[ ().-]{0,2}\d){6,13})(?![\w-])(?![.,]\d)"
)
_THEIR_PHONE = re.compile(
    r"(?i)(?:\b\w+['’]s|\bhis|\bher|\btheir)[ ](?:(?:new|home|work|office|private)[ ])?number[ ](?:is|=|"
    r":)?[ ]?(\d(?:[ ().-]{0,2}\d){6,13})"
    r"(?![\w-])"
)
_DASHED_PHONE = re.compile(r"(?<![\w.+-])\d{3}([-.])\d{3}\1\d{4}(?![\w-])")
_A_REFERENCE = re.compile(
    r"(?i)\b(?:order|ref(?:erence)?|invoice|part|serial|ticket|case|parcel|tracking|account|sku|id|model|po|batch|"
    r"lot|no\.?|number|"
    r"release|version|build)\b[^\n\d]{0,12}$"
)
_US_PHONE = re.compile(r"(?<![\w.+-])\(\d{3}\) ?\d{3}-\d{4}(?![\w-])")
_A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_BIRTH = re.compile(
    r"(?i)\b(?:date of birth|birth ?date|birth ?day|d\.?o\.?b\.?|born(?: on)?)\b[^\n\d]{0,20}?"
    rf"(\d{{4}}-\d\d-\d\d|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}})"
)
_BIRTH_MONTH_FIRST = re.compile(
    rf"(?i)\b(?:date of birth|birth ?date|birth ?day|d\.?o\.?b\.?|"
    rf"born(?: on)?)\b[^\n\d]{{0,12}}?({_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
)


def find_personal_data(text: str) -> Iterator[Span]:
    """Every card, account, identifier, contact and date of birth in the text; spans may overlap."""
    if re.search(r"\d{2}", text):
        yield from _payment(text)
        yield from _government(text)
        yield from _phones(text)
        for pattern in (_BIRTH, _BIRTH_MONTH_FIRST):
            for match in pattern.finditer(text):
                yield match.start(1), match.end(1), "date of birth", SensitiveData.PERSONAL
    if "@" in text:
        for match in _EMAIL.finditer(text):
            if "://" in text[max(0, match.start() - 40) : match.start()].rpartition(" ")[2]:
                continue  # a password in a connection string; find_secrets names it
            yield match.start(), match.end(), "e-mail address", SensitiveData.CONTACT


def _payment(text: str) -> Iterator[Span]:
    cards = False
    for match in _CARD.finditer(text):
        if span := _card_span(text, match):
            cards = True
            yield *span, "card number", SensitiveData.PAYMENT
    lowered = text.lower()
    for match in _CVC.finditer(text) if any(word in lowered for word in ("cv", "cid", "code", "card")) else ():
        cards = True
        yield match.start(), match.end(1), "card security code", SensitiveData.PAYMENT
    if cards:
        for match in _EXPIRY.finditer(text):
            yield match.start(), match.end(1), "card expiry", SensitiveData.PAYMENT
    for match in _IBAN.finditer(text):
        end = _iban_end(text, match)
        if end:
            yield match.start(), end, "IBAN", SensitiveData.PAYMENT
    for match in _BANK.finditer(text) if _BANK_WORD.search(text) else ():
        if not _A_DATE.match(match.group(1)):
            yield match.start(1), match.end(1), "bank details", SensitiveData.PAYMENT
    for match in _WALLET.finditer(text):
        yield match.start(), match.end(), "wallet address", SensitiveData.PAYMENT


def _card_span(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Where in a run of digits a card stands: from one group's start to another's end, as a network issues them."""
    digits = [index for index in range(*match.span()) if text[index].isdigit()]
    number = "".join(text[index] for index in digits)
    begins = [order for order, index in enumerate(digits) if order == 0 or text[index - 1] in " -"]
    ends = {*begins[1:], len(digits)}
    for begin in begins:
        for length in _CARD_LENGTHS:
            candidate = number[begin : begin + length]
            if begin + length in ends and _ISSUERS.match(candidate) and luhn.is_valid(candidate):
                return digits[begin], digits[begin + length - 1] + 1
    named = _CARD_WORD.search(text, max(0, match.start() - 60), match.start())
    return match.span() if named and 12 <= len(number) <= 19 else None


def _iban_end(text: str, match: re.Match[str]) -> int:
    """Where the account number ends: as long as its country says, and with its check digits right; 0 if it is none."""
    length = _IBAN_LENGTHS.get(match.group()[:2].upper(), 0)
    compact: list[str] = []
    for position in range(match.start(), match.end()):
        if text[position].isalnum():
            compact.append(text[position])
            if len(compact) == length:
                return position + 1 if iban.is_valid("".join(compact)) else 0
    return 0


def _government(text: str) -> Iterator[Span]:
    lowered = text.lower()
    for kind, words, pattern in _BY_CONTEXT:
        if not any(word in lowered for word in words):
            continue
        for match in pattern.finditer(text):
            if any(character.isdigit() for character in match.group(1)):
                yield match.start(1), match.end(1), kind, SensitiveData.GOVERNMENT_ID
    for kind, pattern, holds, near_by in _BY_CHECK:
        for match in pattern.finditer(text):
            near = near_by is None or re.search(rf"(?i){near_by}", text[max(0, match.start() - 60) : match.end() + 30])
            if near and not _dated(match) and holds(match.group()):
                yield match.start(), match.end(), kind, SensitiveData.GOVERNMENT_ID


def _dated(match: re.Match[str]) -> bool:
    return bool(_A_DATE.match(match.group()))


def _phones(text: str) -> Iterator[Span]:
    for match in _PHONE.finditer(text):
        if _possible(match.group()):
            yield match.start(), match.end(), "phone number", SensitiveData.CONTACT
    for match in _THEIR_PHONE.finditer(text):
        yield match.start(1), match.end(1), "phone number", SensitiveData.CONTACT
    for match in _LOCAL_PHONE.finditer(text):
        if not _A_DATE.match(match.group(1)) and 7 <= sum(character.isdigit() for character in match.group(1)) <= 12:
            yield match.start(1), match.end(1), "phone number", SensitiveData.CONTACT
    for match in _DASHED_PHONE.finditer(text):
        if not _A_REFERENCE.search(text, max(0, match.start() - 40), match.start()):
            yield match.start(), match.end(), "phone number", SensitiveData.CONTACT
    for match in _US_PHONE.finditer(text):
        yield match.start(), match.end(), "phone number", SensitiveData.CONTACT


def _possible(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, None))
    except phonenumbers.NumberParseException:
        return False
