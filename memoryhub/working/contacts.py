"""Which characters are a phone number, an e-mail or street address, or a date of birth? (R12)

A phone number is one by the numbering plan of its country, or by the words around it; a row of digits alone is none.
"""

import re
from collections.abc import Iterator

import phonenumbers

from memoryhub.working.patterns import Rule, Scan

_EMAIL = Rule(r"(?i)(?<![\w.+-])[a-z0-9][a-z0-9._%+'-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?![\w-])")
_SPELT_EMAIL = Rule(
    r"(?i)(?<![\w.+-])[a-z0-9][a-z0-9._%+-]{1,40}(?: at | ?[\[({]at[\])}] ?)[a-z0-9-]{2,40}(?: dot |"
    r" ?[\[({]dot[\])}] ?)(?:[a-z0-9-]{2,20}(?: dot | ?[\[({]dot[\])}] ?))?(?:com|org|net|edu|gov|io|co|de|fr|es|"
    r"it|nl|uk|example|test|eu|info|me|app|dev)\b"
)
_GAP = r"[ ().\u2011-]{0,2}"
_EXTENSION = r"(?:[ ,;]{0,2}(?:x|ext\.?|extension)[ ]?\d{1,6})?"
_INTERNATIONAL = Rule(rf"(?<![\w.+/=&?-])(?:\+|00(?=[1-9]))\d(?:[ ()./-]{{0,3}}\d){{6,14}}{_EXTENSION}(?![\w-])")
_SAYS_PHONE = (
    r"phone|tele?phone|tel|mobile|cell(?:phone)?|fax|whats ?app|signal|telegram|call(?:ed|ing)?|ring|rang|text|"
    r"sms|dial|reach(?:ed|able)?(?: (?:me|him|her|them|us))?|"
    r"landline|extension|desk|answering(?: at)?|hotline|voicemail|pager|handy|telefon|telefono|teléfono|téléphone|"
    r"móvil|movil|celular|cellulare|portable|telemóvel|"
    r"mobiel|komórka|komórkę|numer telefonu|telefonum|cep(?: telefonu)?|телефон|мобильный|звоните|llámame|"
    r"llama(?:me)?|appelez|ruf|anrufen|chiamami|bel|zadzwoń|"
    r"registered|contact number|my number"
)
_NAMED = Rule(
    rf"(?i)(?<![a-z])(?:{_SAYS_PHONE})(?![a-z])[^\n\d+]{{0,40}}?[\n]?[ \t]{{0,4}}(\(?\d(?:[ ()./-]{{0,3}}\d)"
    rf"{{5,13}}{_EXTENSION})(?![\w-])(?![.,]\d)"
)
_EASTERN = Rule(
    r"(?:电话|電話|手机|手機|号码是|携帯|전화|휴대폰|연락처|फ़ोन|फोन|मोबाइल|नंबर|هاتف|جوال|موبايل|رقمي|טלפון|"
    r"נייד)[^\n\d+]{0,15}?(\+?\d(?:[ ().-]{0,2}\d){6,13})(?!\d)"
)
_NAMED_AFTER = Rule(
    rf"(?i)(?<![\w.+-])(\(?\d(?:[ ()./-]{{0,3}}\d){{5,13}}{_EXTENSION})[ ]?[-,(]?[ ]?(?:office|fax|mobile|cell|"
    rf"home|work|desk|landline|phone|direct|tel|is (?:my|the best|our) (?:\w+ ){{0,2}}(?:number|phone|mobile|cell|"
    rf"line))\b"
)
_THEIR_PHONE = Rule(
    rf"(?i)(?:\b\w{{1,30}}['’]s|\bhis|\bher|\btheir|\bmy|\bour)[ ](?:(?:new|home|work|office|private|personal|"
    rf"other|second)[ ]){{0,2}}number[ ](?:is|=|"
    rf":)?[ ]?(\d(?:{_GAP}\d){{6,13}})(?![\w-])"
)
_DASHED = Rule(rf"(?<![\w.+-])\d{{3}}([-.])\d{{3}}\1\d{{4}}{_EXTENSION}(?![\w-])")
_AREA_CODE = Rule(rf"(?<![\w.+-])\(\d{{2,5}}\)[ /-]?\d(?:[ -]?\d){{4,9}}{_EXTENSION}(?![\w-])")
#: As people group a national number: a zero first, and blanks, dashes or a slash after the area.
_TRUNK = Rule(r"(?<![\w.+:/-])0\d{1,4}(?:[ /-]\d{2,4}){1,4}(?:[ -]?\d{1,4})?(?![\w:/-])(?![.,]\d)")
_IN_PAIRS = Rule(r"(?<![\w.+:/-])\d{2}(?:([-. ])\d{2})(?:\1\d{2}){2,3}(?![\w:/-])(?![.,]\d)")
_PLAUSIBLE = (
    "GB",
    "DE",
    "FR",
    "IT",
    "ES",
    "NL",
    "BE",
    "AT",
    "CH",
    "SE",
    "AU",
    "ZA",
    "JP",
    "IN",
    "TR",
    "PL",
    "IE",
    "NZ",
    "RO",
)
_A_REFERENCE = re.compile(
    r"(?i)\b(?:order|ref(?:erence)?|invoice|part|serial|ticket|case|parcel|tracking|account|sku|id|model|po|batch|"
    r"lot|no\.?|isbn|issn|ean|gtin|upc|article|item|version|"
    r"release|build|range|coordinates?|lat|lon|scores?|dates?|pages?|room|booking|policy|member(?:ship)?|customer|"
    r"reading|meter|measured?|temperature|pressure)\b[^\n\d]{0,16}$"
)
_A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)")
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic|janv|févr|fevr|avr|mai|juin|juil|août|"
    r"aout|déc|jän|mär|okt|dez|gen|mag|giu|lug|set|ott|"
    r"fev|out|mrt|mei|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara|янв|фев|"
    r"мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)[^\W\d_]{0,8}\.?"
)
_DAY = (
    rf"(?:\d{{4}}[-./]\d{{1,2}}[-./]\d{{1,2}}|\d{{1,2}}[/.-] ?\d{{1,2}}[/.-] ?\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|"
    rf"er|º|\.)?(?: of| de| d['’]| di)? ?{_MONTH},?(?: de| del)? ?(?:\d{{4}}|['’]\d\d)|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:\d{{4}}|['’]\d\d)|\d{{4}}年 ?\d{{1,2}}月 ?\d{{1,2}}日|"
    rf"\d{{4}}년 ?\d{{1,2}}월 ?\d{{1,2}}일)"
)
_BORN = (
    r"date of birth|birth ?date|birth ?day|dob|d\.o\.b\.?|born(?: on)?|fecha de nacimiento|nac[ií](?:do|da)?|"
    r"cumpleaños|date de naissance|née?|anniversaire|"
    r"geburtsdatum|geboren|geburtstag|data di nascita|nat[oa]|compleanno|data de nascimento|nasci(?:da|do)?|"
    r"aniversário|geboortedatum|verjaardag|"
    r"data urodzenia|urodz(?:ony|ona|iłem|iłam)|urodziny|doğum (?:tarihi|günü)m?|doğdum|дата рождения|родил(?:ся|"
    r"ась)|день рождения|जन्म(?:तिथि)?|出生(?:日期)?|生日|生年月日|生まれ|"
    r"생년월일|생일|تاريخ (?:الميلاد|ميلادي)|מולד"
)
_BIRTH = Rule(rf"(?i)(?<![a-z])(?:{_BORN})[^\n\d]{{0,24}}?({_DAY})")
_BIRTH_MONTH_FIRST = Rule(
    rf"(?i)(?<![a-z])(?:{_BORN})[^\n\d]{{0,14}}?({_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:\d{{4}}|['’]\d\d))"
)
_BORN_AFTER = Rule(
    rf"(?i)({_DAY})[^\n\d.!?]{{0,20}}?(?:is my birthday|is when i was born|doğumluyum|生まれ|出生|에 태어|生日)"
)
_STREET = Rule(
    r"(?i)\b\d{1,5}[a-z]?,?[ ](?:(?:north|south|east|west|upper|lower|old|new|great|"
    r"[nsew]\.?)[ ])?(?:[A-Z][\w'’-]{1,20}[ ]){1,3}?(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|"
    r"terrace|crescent|close|court|way|highway|parkway|mews|quay|gardens)\b\.?"
)
#: The number after the street, then a postal code and a town.
_STREET_AND_TOWN = Rule(
    r"(?<![\w-])[A-Z][\w'’.-]{2,25}(?: [A-Z][\w'’.-]{1,25}){0,2}[ ]\d{1,4}[a-z]?,?[ ]"
    r"(?:[A-Z]{1,2}-)?\d{4,5}[ ][A-Z][\w-]{2,25}"
)
_STREET_ABROAD = Rule(
    r"(?i)\b(?:[^\W\d_]{2,25}(?:straße|strasse|str\.|gasse|weg|allee|platz|ufer|damm|straat|laan|gracht|gatan|"
    r"vägen|veien|gata|katu)[ ]\d{1,4}[a-z]?\b|"
    r"\b(?:\d{1,4}(?: bis)?,? )?(?:rue|avenue|boulevard|impasse|calle|avenida|plaza|via|viale|corso|piazza|rua|"
    r"travessa|ulica|ul\.|улица|ул\.)[ ](?:d[eu]s?[ ]|de la[ ]|d['’]|del?l[ao]?[ ]|"
    r"l['’])?[^\W\d_][^\n\d,.;!?]{1,30}?,?(?:[ ]|(?<=\d ))\d{1,4}[a-z]?\b)"
)


def find_contacts(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every phone number, e-mail and street address; spans may overlap."""
    for match in _EMAIL.finditer(scan):
        if "://" not in scan.text[max(0, match.start() - 40) : match.start()].rpartition(" ")[2]:
            yield match.start(), match.end(), "e-mail address"  # else a connection string; find_secrets names it
    for match in _SPELT_EMAIL.finditer(scan):
        yield match.start(), match.end(), "e-mail address"
    for rule in (_STREET, _STREET_ABROAD, _STREET_AND_TOWN):
        for match in rule.finditer(scan):
            yield match.start(), match.end(), "address"
    for start, end in _phones(scan):
        yield start, end, "phone number"


def find_births(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every date somebody was born on."""
    for rule in (_BIRTH, _BIRTH_MONTH_FIRST, _BORN_AFTER):
        for match in rule.finditer(scan):
            yield match.start(1), match.end(1), "date of birth"


def _phones(scan: Scan) -> Iterator[tuple[int, int]]:
    text = scan.text
    for match in _INTERNATIONAL.finditer(scan):
        number = match.group()
        if _possible(number if number[0] == "+" else f"+{number[2:]}") and not (
            number[0] == "0" and _is_reference(text, match.start())
        ):
            yield match.span()
    for rule in (_NAMED, _EASTERN, _NAMED_AFTER, _THEIR_PHONE):
        for match in rule.finditer(scan):
            number = match.group(1)
            if not _A_DATE.match(number) and 6 <= _digits(number) <= 15 and not _is_reference(text, match.start(1)):
                yield match.span(1)
    for rule in (_DASHED, _AREA_CODE):
        for match in rule.finditer(scan):
            if not _is_reference(text, match.start()):
                yield match.span()
    for match in _TRUNK.finditer(scan):
        if (
            9 <= _digits(match.group()) <= 12
            and not _A_DATE.match(match.group())
            and not _is_reference(text, match.start())
            and _valid_somewhere(match.group())
        ):
            yield match.span()
    for match in _IN_PAIRS.finditer(scan):
        if match.group()[0] == "0" and not _is_reference(text, match.start()) and _digits(match.group()) == 10:
            yield match.span()


def _digits(number: str) -> int:
    return sum(map(str.isdigit, number))


def _is_reference(text: str, position: int) -> bool:
    return bool(_A_REFERENCE.search(text, max(0, position - 40), position))


def _possible(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, None))
    except phonenumbers.NumberParseException:
        return False


def _valid_somewhere(number: str) -> bool:
    """Whether the numbering plan of some country where trunk zeros are written has such a number."""
    for region in _PLAUSIBLE:
        try:
            if phonenumbers.is_possible_number(phonenumbers.parse(number, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False
