"""Which characters are a card, a bank account or a wallet? By check digit and issuer, else by words (R12)."""

import hashlib
import re
from collections.abc import Iterator

from stdnum import bitcoin, iban, luhn
from stdnum.us import rtn

from memoryhub.working.patterns import Rule, Scan

_CARD = Rule(r"(?<![A-Za-z0-9_.,-])\d(?:(?:[ ._/-]{1,2}|\n)?\d){11,30}(?![\w-])(?![.,]\d)")
_CARD_LENGTHS = (16, 15, 19, 14, 18, 17, 13)
_CARD_WORD = re.compile(
    r"(?i)\b(?:(?<!library )(?<!loyalty )(?<!member )(?<!membership )(?<!club )(?<!student )(?<!bus )(?<!travel )"
    r"(?<!gym )(?<!museum )(?<!points )(?<!bonus )(?<!reader )(?<!punch )(?<!staff )(?<!rail )card|visa|"
    r"master ?card|amex|american express|discover|maestro|debit|credit|tarjeta|carte|karte|"
    r"kreditkarte|carta|"
    r"cart[ãa]o|kaart|kart[ayı]?|карт[аы]|卡号|カード番号|카드 ?번호)\b[^\n\d]{0,30}$"
)
#: First digits and lengths that networks issue (ISO/IEC 7812): checked beside the checksum.
_ISSUERS = re.compile(
    r"(?:4\d{15}(?:\d{3})?|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|"
    r"[689]\d)\d{11,16}|(?:6011|65\d\d|64[4-9]\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:5018|5020|"
    r"5038|5893|6304|6759|"
    r"676[1-3])\d{8,15}|(?:60|65|81|82|508)\d{13,14}|9792\d{12}|220[0-4]\d{12})$"
)
_CVC = Rule(
    r"(?i)\b(?:cvc2?|cvv2?|cid|csc|card (?:verification|security) (?:code|number|value)|prüfnummer|kartenprüfnummer|"
    r"security code|(?:cvc2?|cvv2?|csc|security code) (?:of|on|for) (?:the|my|our|his|her|"
    r"their) (?:\w{1,15} ){0,2}card is|code de sécurité|código de seguridad|"
    r"codice di sicurezza)\b[^\d\n]{0,12}(\d{3,4})(?!\d)"
)
_EXPIRY = Rule(
    r"(?i)\b(?:exp(?:iry|ires|iring|iration)?(?: date)?|valid (?:thru|through|until|to)|"
    r"thru)\b[^\d\n]{0,6}(\d{1,2} ?[/-] ?\d{2,4})(?!\d)"
)
_IBAN = Rule(r"(?i)(?<![a-z0-9])[a-z]{2}\d{2}(?:[ -]?[a-z0-9]){11,32}")
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU XK MN", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM TL SO", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB PL SV NI",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_ACCOUNT = (
    r"sort ?code|routing(?: (?:number|no\.?|code))?|bank (?:account|details?|code)(?: (?:number|no\.?))?|"
    r"account (?:number|no\.?|#)|(?:bank|banking|online banking) (?:log-?in|user|customer|access|"
    r"client) (?:number|no\.?|id|code)|"
    r"checking account|savings account|iban|ifsc(?: code)?|bsb|aba(?: number)?|clabe|transit(?: number)?|"
    r"cuenta(?: bancaria| corriente)?|número de cuenta|kontonummer|bankleitzahl|blz|konto|numéro de compte|"
    r"compte bancaire|rib|"
    r"conto corrente|numero di conto|conta bancária|conta corrente|agência|rekeningnummer|bankrekening|"
    r"numer konta|nr konta|konto bankowe|"
    r"hesap numaras[ıi]|bankkonto|kontonr|номер сч[её]та|расч[её]тный сч[её]т|银行账号|"
    r"银行账户|账号|口座番号|계좌번호|계좌|"
    r"खाता संख्या|खाता नंबर|رقم الحساب"
)
_BANK = Rule(
    rf"(?i)(?<![a-z])(?:{_ACCOUNT})(?![a-z])[^\n\d]{{0,24}}?((?:(?<![a-z])[A-Z]{{4}}0[A-Z0-9]{{6}}\b)|"
    rf"(?:[a-z]{{2}})?\d(?:[ /-]?\d){{4,25}})(?![\w-])"
)
_BANK_WORD = Rule(
    r"(?i)bank|sort ?code|routing|iban|ifsc|\bbsb\b|\baba\b|clabe|swift|\bbic\b|checking|savings|blz|cuenta|konto|"
    r"compte|\brib\b|"
    r"conto|conta |rekening|hesap|сч[её]т|银行|口座|계좌|खाता|الحساب|payout|direct debit|wire|deposit"
)
_NAMED_ABROAD = re.compile(
    r"(?i)(?:sort|routing|bank|checking|savings|iban|ifsc|bsb|aba|clabe|cuenta|konto|compte|conto|conta|rekening|"
    r"hesap|сч|口座|계좌|खाता|银行|الحساب|blz|rib)"
)
_SORT_AND_ACCOUNT = Rule(r"(?<![\w.-])\d{2}-\d{2}-\d{2}[ ,/]{1,3}\d{8}(?![\w-])")
_BIC = Rule(
    r"(?i:\b(?:swift|bic)\b)(?i:[ /-]?(?:bic|swift))?(?i:[ ]?code)?[^\nA-Z]{0,14}([A-Z]{4}[A-Z]{2}[A-Z0-9]"
    r"{2}(?:[A-Z0-9]{3})?)(?![A-Za-z0-9])"
)
_ROUTING = Rule(r"(?<![\w.,-])\d{9}(?![\w-])")
_ROUTING_WORD = Rule(r"(?i)\b(?:routing|aba|ach|wire|checking|direct deposit)\b")
_UPI = Rule(
    r"(?i)(?<![\w.@-])[a-z0-9][a-z0-9._-]{1,60}@(?:ok(?:axis|sbi|hdfcbank|icici)|ybl|ibl|axl|paytm|ptys|ptsbi|"
    r"pthdfc|ptaxis|upi|apl|yapl|rapl|icici|sbi|"
    r"hdfcbank|axisbank|kotak|fbl|barodampay|idfcbank|jupiteraxis|freecharge|airtel|postbank|waicici|waaxis|"
    r"wahdfcbank|wasbi|superyes|"
    r"naviaxis|slc|timecosmos|tapicici|ikwik|indus|pnb|cnrb|unionbank|federal|rbl|yesbank|dbs|hsbc|citi|"
    r"sc)(?![\w@-])(?!\.\w)"
)
_WALLET = Rule(
    r"(?<![A-Za-z0-9])(?:(?:bc1|tb1|ltc1|addr1|cosmos1|stake1)[a-z0-9]{25,110}|0x[a-fA-F0-9]{40}|"
    r"4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}|xpub[1-9A-HJ-NP-Za-km-z]{80,120}|"
    r"xprv[1-9A-HJ-NP-Za-km-z]{80,120})(?![A-Za-z0-9])"
)
_BASE58 = re.compile(r"(?<![A-Za-z0-9])[13TDLXr5KL9c][1-9A-HJ-NP-Za-km-z]{24,51}(?![A-Za-z0-9])")
_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SAID_DIGITS = Rule(
    r"(?i)\b(?:(?:double |triple )?(?:zero|oh|one|two|three|four|five|six|seven|eight|"
    r"nine)[ ,.-]{1,3}){10,22}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b"
)
_DIGIT = {
    word: str(min(value, 9))
    for value, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
} | {"oh": "0"}


def find_payments(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every card, account and wallet; spans may overlap."""
    yield from _cards(scan)
    for match in _IBAN.finditer(scan):
        if end := _iban_end(scan.text, match):
            yield match.start(), end, "IBAN"
    yield from _accounts(scan)
    yield from _wallets(scan)


def _cards(scan: Scan) -> Iterator[tuple[int, int, str]]:
    cards = False
    for match in _CARD.finditer(scan):
        if span := _card_span(scan.text, match):
            cards = True
            yield *span, "card number"
    for match in _SAID_DIGITS.finditer(scan):
        if luhn.is_valid(_in_figures(match.group())):
            cards = True
            yield *match.span(), "card number"
    for match in _CVC.finditer(scan):
        cards = True
        yield match.start(), match.end(1), "card security code"
    if cards:
        for match in _EXPIRY.finditer(scan):
            yield match.start(), match.end(1), "card expiry"


def _in_figures(said: str) -> str:
    figures: list[str] = []
    times = 1
    for word in re.findall(r"[a-z]+", said.lower()):
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        figures.append(_DIGIT[word] * times)
        times = 1
    return "".join(figures)


def _card_span(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Where in a run of digits a card stands: from one group's start to another's end, as a network issues them."""
    digits = [index for index in range(*match.span()) if text[index].isdigit()]
    number = "".join(text[index] for index in digits)
    begins = [order for order, index in enumerate(digits) if order == 0 or text[index - 1] in " -/_\n"]
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
                return position + 1 if iban.is_valid("".join(compact), check_country=False) else 0
    return 0


def _accounts(scan: Scan) -> Iterator[tuple[int, int, str]]:
    text = scan.text
    for match in _BANK.finditer(scan):
        before = text[max(0, match.start() - 80) : match.end() + 80]
        if not re.match(r"\d{4}-\d{2}-\d{2}", match.group(1)) and (
            _NAMED_ABROAD.match(match.group()) or _BANK_WORD.search(Scan(before))
        ):
            yield match.start(1), match.end(1), "bank details"
    for match in _SORT_AND_ACCOUNT.finditer(scan):
        yield *match.span(), "bank details"
    for match in _BIC.finditer(scan):
        yield match.start(1), match.end(1), "bank details"
    if _ROUTING_WORD.search(scan):
        for match in _ROUTING.finditer(scan):
            near = _ROUTING_WORD.pattern.search(text, max(0, match.start() - 60), match.end() + 30)
            if near and rtn.is_valid(match.group()):
                yield *match.span(), "bank details"
    if "@" in text:
        for match in _UPI.finditer(scan):
            yield *match.span(), "payment address"


def _wallets(scan: Scan) -> Iterator[tuple[int, int, str]]:
    for match in _WALLET.finditer(scan):
        yield *match.span(), "wallet address"
    for match in _BASE58.finditer(scan.text):
        if _base58_checks(match.group()) or bitcoin.is_valid(match.group()):
            yield *match.span(), "wallet address"


def _base58_checks(address: str) -> bool:
    """Whether the last four bytes are the checksum of the others, as in most chains' addresses and private keys."""
    number = 0
    for character in address:
        number = number * 58 + _ALPHABET.index(character)
    raw = b"\0" * (len(address) - len(address.lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")
    return len(raw) > 20 and hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]
