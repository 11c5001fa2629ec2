"""Which characters are a number a state gave somebody? By the words that name it, or by a shape with its check (R12).

A bare row of digits is one only where words say so: order numbers pass.
"""

import re
from collections.abc import Callable, Iterator

from stdnum.ar import cuit
from stdnum.be import nn
from stdnum.bg import egn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr as steuer_id
from stdnum.dk import cpr
from stdnum.do import cedula
from stdnum.ee import ik
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.gr import amka
from stdnum.hr import oib
from stdnum.id import nik
from stdnum.ie import pps
from stdnum.il import idnr as teudat_zehut
from stdnum.in_ import aadhaar, pan
from stdnum.is_ import kennitala
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.lt import asmens
from stdnum.mx import curp, rfc
from stdnum.my import nric as mykad
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pk import cnic
from stdnum.pl import pesel
from stdnum.pt import cc
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.si import emso
from stdnum.th import pin as thai_pin
from stdnum.tr import tckimlik
from stdnum.us import itin, ssn
from stdnum.za import idnr as south_african_id

from memoryhub.working.patterns import Rule, Scan

_APART = r"(?<![\w.,:/-])"
_FILLER = (
    r"(?:\b(?:number|no\.?|num|id|nr\.?|code|is|was|are|the|my|his|her|their|last four(?: digits)?|of|ends? (?:in|"
    r"with)|"
    r"es|el|mi|de|del|la|est|le|mon|ist|die|meine|lautet|è|il|mio|é|o|meu|número|numéro|nummer|numero|numer|to|"
    r"jest|mój|mijn|"
    r"je|moje|e|е|моето|שלי|הוא|este|meu|mein|numaram|numarası|номер|мой|kad|are)\b|[:#=.\s'’()№-]|番号|は|号码|号|是|번호|는|है|नंबर|संख्या|رقم|هو){1,14}"
)


def _near(words: str, value: str) -> Rule:
    return Rule(rf"(?i)(?<![a-z])(?:{words})(?![a-z]){_FILLER}({value})(?![\w-])")


_DIGITS = r"\d(?:[ ./-]?\d){4,18}(?:[ -]?[A-Z0-9])?"
_MARKS = r"(?-i:[A-Z0-9](?:[ ./-]?[A-Z0-9]){4,20})|(?=[a-z0-9]{0,12}\d{3})[a-z0-9]{6,15}"
#: What names a number as a state's: then the context decides, whatever the check digit says.
_BY_CONTEXT: tuple[tuple[str, Rule], ...] = (
    (
        "social security number",
        _near(
            r"social security|social insurance|soc\.? sec\.?|ssn|sin|itin|seguridad social|nss|sécurité sociale|sécu|"
            r"sozialversicherung|sozialversicherungsnummer|svnr|rentenversicherungsnummer|ahv|avs|previdenza sociale|"
            r"segurança social|niss|inss|снилс|społecznego|sgk",
            r"\d(?:[ .-]?\d){3,15}|\d{2} ?\d{6} ?[A-Z] ?\d{3}",
        ),
    ),
    (
        "national insurance number",
        _near(r"national insurance|nino?|ni number", r"[A-Z]{2}(?: ?\d){6} ?[A-D]?"),
    ),
    (
        "passport",
        _near(
            r"passports?|pasaporte|passeport|reisepass|pass-?nummer|passaporto|passaporte|paspoort|paszport(?:u)?|"
            r"pasaport(?:um)?|"
            r"reisepassnummer|паспорт(?:а)?|护照|護照|パスポート|旅券|"
            r"여권|पासपोर्ट|جواز السفر|جواز سفر|דרכון|διαβατήριο",
            r"(?=[A-Z0-9<]{0,8}\d{4})[A-Z0-9<]{6,12}|[A-Z]{1,3} ?\d{5,8}|\d{2} ?\d{2} ?\d{6}",
        ),
    ),
    (
        "driving licence",
        _near(
            r"driv(?:er['’]?s?|ers|ing)[ -]?licen[cs]e|driv(?:er['’]?s?|ers|ing)[ -]?permit|dl|"
            r"licencia de conducir|carné de conducir|permis de conduire|führerschein|führerscheinnummer|"
            r"patente(?: di guida)?|carta de condução|cnh|rijbewijs|prawo jazdy|prawa jazdy|ehliyet|körkort|"
            r"førerkort|ajokortti|"
            r"водительск\w{1,5}(?: удостоверени\w)?|驾驶证|驾照|運転免許証?|운전면허|ड्राइविंग लाइसेंस|رخصة القيادة",
            _MARKS,
        ),
    ),
    (
        "national identity number",
        _near(
            r"nhs|national (?:id|identity|identification|register|registration|number)(?: card)?|"
            r"(?:identity|id) card|identity|identification|"
            r"government id|state id|citizen(?:ship)?(?: id| card)?|personal (?:identity|identification|id|code|"
            r"number)|tax(?:payer)?(?: file| id(?:entification)?| reference)?|utr|"
            r"tfn|tin|ird|bsn|burgerservicenummer|pesel|nip|dowod(?:u)? osobist\w{1,4}|dow[oó]d osobisty|"
            r"personnummer|samordningsnummer|f(?:ø|o)dselsnummer|"
            r"cpr(?:-nummer)?|henkilötunnus|hetu|kennitala|isikukood|asmens kodas|personas kods|dni|nie|nif|nit|"
            r"c[eé]dula|rut|run|cuit|cuil|curp|rfc|"
            r"documento(?: nacional)?(?: de identidad)?|número de identidad|identidad|carte d['’]identité|cni|"
            r"personalausweis|ausweis|ausweisnummer|"
            r"steuer-?(?:id|identifikationsnummer|nummer)|steuernummer|codice fiscale|carta d['’]identità|cpf|rg|"
            r"contribuinte|cart[ãa]o (?:de|do) cidad[ãa]o|bilhete de identidade|rijksregister(?:nummer)?|niss|"
            r"rodné číslo|rodne cislo|občansk\w{1,4}(?: průkaz\w?)?|személyi(?: szám\w{0,3})?|taj|cnp|egn|егн|"
            r"jmbg|emšo|emso|oib|amka|αμκα|αφμ|"
            r"tc no|kimlik(?: no)?|инн|снилс|удостоверени\w|іпн|рнокпп|teudat zehut|"
            r"תעודת ה?זהות|"
            r"aadhaa?r|uidai|आधार|pan(?: card)?|पैन|voter(?: id)?|nric|fin|mykad|nik|ktp|cnic|hkid|philsys|umid|"
            r"emirates id|iqama|residence permit|visa|green card|"
            r"alien (?:registration )?number|a-number|medicare|medicaid|sa id|rsa id|マイナンバー|"
            r"個人番号|身份证|身份證|주민등록|주민번호|บัตรประชาชน|الهوية|بطاقة الهوية|"
            r"الرقم القومي|कार्ड",
            rf"{_DIGITS}|{_MARKS}",
        ),
    ),
)


def _is_singapore(number: str) -> bool:
    """NRIC and FIN: seven weighted digits and the letter they give."""
    total = sum(int(digit) * weight for digit, weight in zip(number[1:8], (2, 7, 6, 5, 4, 3, 2), strict=True))
    total += {"T": 4, "G": 4, "M": 3}.get(number[0], 0)
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "KLJNPQRTUWX"}.get(number[0], "XWUTRQPNMLK")
    place = total % 11
    return letters[10 - place if number[0] == "M" else place] == number[8]


Check = Callable[[str], bool]
Shape = tuple[str, str, Check]
#: Shapes with their own check, telling enough to stand without words: those that begin with a figure, …
_FIGURES_FIRST: tuple[Shape, ...] = (
    (
        "social security number",
        _APART + r"\d{3}-\d{2}-\d{4}(?![\w-])",
        lambda number: ssn.is_valid(number) or itin.is_valid(number),
    ),
    ("Aadhaar", _APART + r"(?<!\d )[2-9]\d{3}(?: \d{4} |-\d{4}-)\d{4}(?![\w-])(?! \d)", aadhaar.is_valid),
    ("CPF", _APART + r"\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)", cpf.is_valid),
    ("DNI", r"\b\d{8}-?[A-Z]\b", dni.is_valid),
    ("HETU", r"\b\d{6}[-+A]\d{3}[0-9A-Y]\b", hetu.is_valid),
    ("NIR", _APART + r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\d)", nir.is_valid),
    ("resident identity number", _APART + r"[1-9]\d{5}(?:19|20)\d{9}[\dX](?!\w)", ric.is_valid),
    ("resident registration number", _APART + r"\d{6}-[1-4]\d{6}(?!\d)", rrn.is_valid),
    ("personnummer", _APART + r"(?:\d\d)?\d{6}[-+]\d{4}(?!\w)", personnummer.is_valid),
    ("CPR", _APART + r"\d{6}-\d{4}(?!\w)", lambda number: cpr.is_valid(number) or kennitala.is_valid(number)),
    ("MyKad", _APART + r"\d{6}-\d{2}-\d{4}(?!\w)", mykad.is_valid),
    ("Thai identity number", _APART + r"\d-\d{4}-\d{5}-\d{2}-\d(?!\w)", thai_pin.is_valid),
    ("CNIC", _APART + r"\d{5}-\d{7}-\d(?!\w)", cnic.is_valid),
    ("RUT", _APART + r"\d{1,2}\.\d{3}\.\d{3}-[\dkK](?!\w)", rut.is_valid),
    ("CUIT", _APART + r"(?:20|23|24|25|26|27|30|33|34)-\d{8}-\d(?!\w)", cuit.is_valid),
    ("cédula", _APART + r"\d{3}-\d{7}-\d(?!\w)", cedula.is_valid),
    ("AHV", _APART + r"756\.?\d{4}\.?\d{4}\.?\d{2}(?!\w)", ahv.is_valid),
    ("national register number", _APART + r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?!\w)", nn.is_valid),
    ("rodné číslo", _APART + r"\d{6}/\d{3,4}(?!\w)", rc.is_valid),
    ("cartão de cidadão", r"\b\d{8} ?\d ?[A-Z]{2}\d\b", cc.is_valid),
)
#: … and those that begin with a letter.
_LETTERS_FIRST: tuple[Shape, ...] = (
    ("PAN", r"\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b", pan.is_valid),
    (
        "national insurance number",
        r"\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D]\b",
        bool,
    ),
    ("NIE", r"\b[XYZ]-?\d{7}-?[A-Z]\b", nie.is_valid),
    ("codice fiscale", r"\b(?i:[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z])\b", codicefiscale.is_valid),
    ("CURP", r"\b[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d\b", curp.is_valid),
    ("RFC", r"\b[A-Z&Ñ]{4}\d{6}[A-Z0-9]{3}\b", lambda number: rfc.is_valid(number, validate_check_digits=True)),
    ("NRIC", r"\b[STFGM]\d{7}[A-Z]\b", _is_singapore),
)


def _all_of(
    shapes: tuple[Shape, ...], first: str
) -> tuple[re.Pattern[str], tuple[tuple[str, re.Pattern[str], Check], ...]]:
    """Where any of the shapes begins, so that a place where none does is passed over once, not once for each; and them.
    `first`: every character that may be their first.
    """
    apart = "|".join(shape.removeprefix(_APART) for _, shape, _ in shapes if shape.startswith(_APART))
    others = "|".join(shape for _, shape, _ in shapes if not shape.startswith(_APART))
    begins = rf"(?={others})" + (rf"|{_APART}(?={apart})" if apart else "")
    alone = tuple((kind, re.compile(shape), check) for kind, shape, check in shapes)
    return re.compile(rf"{first}(?<=(?:{begins}){first})"), alone


_BY_SHAPE = (_all_of(_FIGURES_FIRST, r"\d"), _all_of(_LETTERS_FIRST, r"[&A-Za-z\u00aa-\uffff]"))
#: Bare digits, by how many there are: each with its check, and words that have to stand near.
_PLAIN = Rule(_APART + r"\d(?:[ -]?\d){7,17}(?![\w-])(?![.,]\d)")


def _words(pattern: str) -> Rule:
    return Rule(rf"(?i){pattern}")


_BY_LENGTH: dict[int, tuple[tuple[str, Check, Rule], ...]] = {
    9: (
        ("social insurance number", sin.is_valid, _words(r"insurance|canad|\bsin\b|tax")),
        ("BSN", bsn.is_valid, _words(r"\bbsn\b|burger|dutch|citizen")),
        ("Teudat Zehut", teudat_zehut.is_valid, _words(r"israel|zehut|identity")),
    ),
    10: (
        ("NHS number", nhs.is_valid, _words(r"\bnhs\b|patient|hospital")),
        ("CPR", cpr.is_valid, _words(r"\bcpr\b|danish|personal|national")),
        ("EGN", egn.is_valid, _words(r"\begn\b|bulgaria|personal|national")),
        ("kennitala", kennitala.is_valid, _words(r"kennitala|iceland|personal|national")),
    ),
    11: (
        ("PESEL", pesel.is_valid, _words(r"pesel|polish|poland|personal")),
        ("fødselsnummer", fodselsnummer.is_valid, _words(r"f.dsels|norw|personal|national")),
        ("CPF", cpf.is_valid, _words(r"\bcpf\b|brazil|brasil")),
        ("kimlik", tckimlik.is_valid, _words(r"kimlik|turk|identity|citizen")),
        ("Steuer-ID", steuer_id.is_valid, _words(r"steuer|german|\btax\b")),
        ("OIB", oib.is_valid, _words(r"\boib\b|croat|personal")),
        ("AMKA", amka.is_valid, _words(r"amka|greek|greece|social")),
        ("isikukood", ik.is_valid, _words(r"isikukood|eston|personal|national")),
        ("asmens kodas", asmens.is_valid, _words(r"asmens|lithuan|personal|national")),
    ),
    12: (
        ("Aadhaar", aadhaar.is_valid, _words(r"aadhaa?r|indian|identity|uid")),
        ("MyKad", mykad.is_valid, _words(r"mykad|malay|nric|identity")),
    ),
    13: (
        ("CNP", cnp.is_valid, _words(r"\bcnp\b|roman|personal|national")),
        ("EMŠO", emso.is_valid, _words(r"em[sš]o|jmbg|sloven|serb|croat|bosn|personal")),
        ("South African identity number", south_african_id.is_valid, _words(r"south afric|\brsa\b|\bid\b|identity")),
        ("Thai identity number", thai_pin.is_valid, _words(r"thai|identity|citizen")),
        ("CNIC", cnic.is_valid, _words(r"cnic|pakistan|identity")),
    ),
    16: (("NIK", nik.is_valid, _words(r"\bnik\b|\bktp\b|indonesia|identity")),),
}  # fmt: skip
_PPS = Rule(r"(?i)\bpps\w{0,2}\b|irish|ireland|personal")
_PPS_SHAPE = re.compile(r"\b\d{7}[A-W][A-IW]?\b")
_A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_AROUND = (60, 30)  # characters before and after a bare number in which words about it stand


def find_state_ids(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every identity, passport, licence and tax number; spans may overlap."""
    for kind, rule in _BY_CONTEXT:
        for match in rule.finditer(scan):
            if not _A_DATE.match(match.group(1)) and sum(map(str.isdigit, match.group(1))) >= 4:
                yield match.start(1), match.end(1), kind
    yield from _shaped(scan.text)
    for match in _PLAIN.finditer(scan):
        number = match.group().replace(" ", "").replace("-", "")
        for kind, holds, words in _BY_LENGTH.get(len(number), ()):
            if not words.may_match_in(scan) or _A_DATE.match(match.group()):
                continue
            around = scan.text[max(0, match.start() - _AROUND[0]) : match.end() + _AROUND[1]]
            if words.pattern.search(around) and holds(number):
                yield match.start(), match.end(), kind
                break
    if _PPS.search(scan):
        for match in _PPS_SHAPE.finditer(scan.text):
            near = _PPS.search(Scan(scan.text[max(0, match.start() - _AROUND[0]) : match.end() + _AROUND[1]]))
            if near and pps.is_valid(match.group()):
                yield match.start(), match.end(), "PPS"


def _shaped(text: str) -> Iterator[tuple[int, int, str]]:
    """Numbers known by their shape and its check."""
    for begins, shapes in _BY_SHAPE:
        done: dict[str, int] = {}  # where the last of each kind ended
        for place in begins.finditer(text):
            for kind, shape, holds in shapes:
                match = shape.match(text, place.start()) if place.start() >= done.get(kind, 0) else None
                if match:
                    done[kind] = match.end()
                    if not _A_DATE.match(match.group()) and holds(match.group()):
                        yield *match.span(), kind
