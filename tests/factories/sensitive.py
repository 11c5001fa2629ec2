"""Invented secrets and personal data, each in a sentence, made from a seed: check digits right, nothing real (S12)."""

import base64
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import luhn
from stdnum.ar import cuit
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
from stdnum.il import idnr as teudat_zehut
from stdnum.in_ import aadhaar
from stdnum.kr import rrn
from stdnum.lt import asmens
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.si import emso
from stdnum.th import pin as thai_pin
from stdnum.tr import tckimlik
from stdnum.us import ssn
from stdnum.za import idnr as south_african_id

from memoryhub.vocabulary import SensitiveData

SECRET, PAYMENT = SensitiveData.SECRET, SensitiveData.PAYMENT
STATE, CONTACT = SensitiveData.GOVERNMENT_ID, SensitiveData.CONTACT
BIRTH = SensitiveData.PERSONAL
_ALNUM = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Item:
    """One text and the value in it that has to be found."""

    kind: str
    family: SensitiveData
    text: str
    value: str


Random = random.Random
Make = Callable[[Random], str]


def _digits(rnd: Random, count: int) -> str:
    return "".join(rnd.choices(string.digits, k=count))


def _some(rnd: Random, letters: str, count: int) -> str:
    return "".join(rnd.choices(letters, k=count))


def _until(holds: Callable[[str], bool], make: Make) -> Make:
    def made(rnd: Random) -> str:
        for _ in range(200_000):
            if holds(number := make(rnd)):
                return number
        raise AssertionError("no valid number found")

    return made


def _date6(rnd: Random, order: str = "ymd") -> str:
    parts = {"y": f"{rnd.randint(50, 99)}", "m": f"{rnd.randint(1, 12):02}", "d": f"{rnd.randint(1, 28):02}"}
    return "".join(parts[part] for part in order)


def _card(rnd: Random) -> str:
    prefix, length = rnd.choice(
        [("4", 16), ("51", 16), ("55", 16), ("37", 15), ("34", 15), ("6011", 16), ("2221", 16), ("3530", 16)]
    )
    body = prefix + _digits(rnd, length - len(prefix) - 1)
    number = body + luhn.calc_check_digit(body)
    style = rnd.choice(["plain", "four", "dash", "dot", "amex"])
    if style == "plain":
        return number
    if length == 15:
        return f"{number[:4]} {number[4:10]} {number[10:]}"
    mark = {"four": " ", "dash": "-", "dot": ".", "amex": " "}[style]
    return mark.join(number[place : place + 4] for place in range(0, length, 4))


_IBAN_FORMS = {
    "DE": "18d",
    "GB": "4a14d",
    "FR": "23d",
    "NL": "4a10d",
    "ES": "20d",
    "IT": "1a22d",
    "NO": "11d",
    "PL": "24d",
    "CH": "17d",
    "BE": "12d",
}


def _iban(rnd: Random) -> str:
    country = rnd.choice(list(_IBAN_FORMS))
    body = ""
    form = _IBAN_FORMS[country]
    while form:
        count = "".join(character for character in form[:2] if character.isdigit())
        letters = string.ascii_uppercase if form[len(count)] == "a" else string.digits
        body += _some(rnd, letters, int(count))
        form = form[len(count) + 1 :]
    moved = "".join(str(int(character, 36)) for character in f"{body}{country}00")
    number = f"{country}{98 - int(moved) % 97:02}{body}"
    return number if rnd.random() < 0.5 else " ".join(number[place : place + 4] for place in range(0, len(number), 4))


def _password(rnd: Random) -> str:
    word = rnd.choice(["walrus", "Tundra", "kettle", "Marble", "orchid", "Quartz", "velvet", "Bramble"])
    return rnd.choice(
        [
            f"{word}{_digits(rnd, 2)}",
            f"{word}-{_digits(rnd, 3)}!",
            f"{_digits(rnd, 2)}{word}#{_digits(rnd, 2)}",
            _some(rnd, _ALNUM, 9) + _digits(rnd, 1) + "x",
        ]
    )


def _vendor_key(rnd: Random) -> str:
    return rnd.choice(
        [
            lambda: "ghp_" + _some(rnd, _ALNUM, 36),
            lambda: "sk-proj-" + _some(rnd, _ALNUM, 40),
            lambda: "sk-ant-api03-" + _some(rnd, _ALNUM, 60),
            lambda: "AKIA" + _some(rnd, string.ascii_uppercase + "234567", 16),
            lambda: "AIza" + _some(rnd, _ALNUM, 35),
            lambda: "glpat-" + _some(rnd, _ALNUM, 20),
            lambda: "xoxb-" + _digits(rnd, 12) + "-" + _some(rnd, _ALNUM, 24),
            lambda: "sk_live_" + _some(rnd, _ALNUM, 24),
            lambda: "mhk_live_" + _some(rnd, _ALNUM, 38),
            lambda: "npm_" + _some(rnd, _ALNUM, 36),
            lambda: "hf_" + _some(rnd, _ALNUM, 34),
            lambda: "SG." + _some(rnd, _ALNUM, 22) + "." + _some(rnd, _ALNUM, 43),
            lambda: "dop_v1_" + _some(rnd, "0123456789abcdef", 64),
            lambda: "hvs." + _some(rnd, _ALNUM, 90),
            lambda: "shpat_" + _some(rnd, "0123456789abcdef", 32),
            lambda: "gsk_" + _some(rnd, _ALNUM, 50) + "7q",
            lambda: _digits(rnd, 9) + ":AA" + _some(rnd, _ALNUM, 33),
        ]
    )()


def _jwt(rnd: Random) -> str:
    def part(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    head, body = b'{"alg":"HS256","typ":"JWT"}', f'{{"sub":"{_digits(rnd, 8)}"}}'.encode()
    return f"{part(head)}.{part(body)}.{_some(rnd, _ALNUM, 43)}"


_WORDS = [
    "orbit",
    "maple",
    "canyon",
    "rubber",
    "lemon",
    "tunnel",
    "picnic",
    "velvet",
    "hockey",
    "magnet",
    "cousin",
    "wisdom",
    "galaxy",
    "pepper",
    "shadow",
    "violin",
    "anchor",
    "basket",
    "cotton",
    "dragon",
]


def _phrase(rnd: Random) -> str:
    return " ".join(rnd.choices(_WORDS, k=rnd.choice([12, 12, 24])))


def _url(rnd: Random) -> str:
    driver = rnd.choice(
        ["postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "redis", "amqp", "https", "sftp", "mssql+pyodbc"]
    )
    return f"{driver}://{rnd.choice(['app', 'ops', ''])}:{_password(rnd)}@{rnd.choice(['db', 'mq.internal', '10.0.3.7'])}:{rnd.randint(1000, 9999)}/main"


def _phone(rnd: Random) -> str:
    return rnd.choice(
        [
            lambda: f"+47 22 {_digits(rnd, 2)} {_digits(rnd, 2)} {_digits(rnd, 2)}",
            lambda: f"+49 30 {rnd.randint(100000, 999999)}",
            lambda: f"+1 415 555 {_digits(rnd, 4)}",
            lambda: f"+44 7700 900{_digits(rnd, 3)}",
            lambda: f"({rnd.randint(200, 989)}) 555-{_digits(rnd, 4)}",
            lambda: f"415-555-{_digits(rnd, 4)}",
            lambda: f"020 7946 0{_digits(rnd, 3)}",
            lambda: f"06 12 {_digits(rnd, 2)} {_digits(rnd, 2)} {_digits(rnd, 2)}",
        ]
    )()


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def _birth(rnd: Random) -> str:
    day, month, year = rnd.randint(1, 28), rnd.randint(1, 12), rnd.randint(1940, 2005)
    return rnd.choice(
        [
            f"{year}-{month:02}-{day:02}",
            f"{day:02}/{month:02}/{year}",
            f"{day} {_MONTHS[month - 1]} {year}",
            f"{_MONTHS[month - 1]} {day}, {year}",
            f"{day}.{month}.{year}",
        ]
    )


#: kind → (family, how the value is made, sentences around it)
KINDS: dict[str, tuple[SensitiveData, Make, tuple[str, ...]]] = {
    "password": (SECRET, _password, (
        "My password is {}.", "The Wi-Fi password at the cabin is {} by the way", "password: {}", "I changed my password to {} yesterday.",
        "You can log in as guest with {} for now.", "Her laptop's password was {} until May.", "{} is the password of the staging box.",
        "pwd={}", "Use the passphrase {} when it asks.", "the pass for the portal is {}, please keep it safe",
    )),
    "password abroad": (SECRET, _password, (
        "Mi contraseña es {}.", "La contraseña del wifi es: {}", "Mon mot de passe est {}.", "Le mot de passe : {}", "Mein Passwort lautet {}.", "Passwort: {}",
        "Das WLAN-Passwort ist {}", "La mia password è {}.", "A minha senha é {}.", "Minha palavra-passe: {}", "Mijn wachtwoord is {}.",
        "Moje hasło to {}.", "Şifrem {}.", "Parolam: {}", "Мой пароль: {}", "Пароль от почты — {}", "मेरा पासवर्ड {} है।", "mera password {} hai", "我的密码是{}。", "パスワードは{}です。",
        "제 비밀번호는 {} 입니다.", "كلمة المرور هي {}", "Mitt lösenord är {}.", "Salasanani on {}.", "Heslo je {}.", "הסיסמה שלי היא {}",
    )),
    "door code": (SECRET, lambda rnd: _digits(rnd, rnd.choice([4, 5, 6])), (
        "The gate code is {}.", "Door code for the office: {}", "The alarm is disarmed with {}.", "PIN {} opens the safe.", "My card's pin is {}.",
        "The combination of the bike locker is {}.", "Use code {} at the garage keypad.", "{} opens the front door.",
        "El código de la puerta es {}.", "Der Türcode ist {}.", "Le code d'entrée est {}.", "Il codice del cancello è {}.", "Kod do drzwi to {}.",
        "Код от домофона {}.", "门禁密码是{}。", "暗証番号は{}です。", "현관 비밀번호는 {}입니다.", "Kapı kodu {}.", "De toegangscode is {}.", "O código da porta é {}.",
    )),
    "one-time code": (SECRET, lambda rnd: _digits(rnd, 6), (
        "Your verification code is {}.", "The OTP was {}", "{} is your login code", "Enter {} to verify the sign-in.", "My 2FA backup code: {}",
    )),
    "vendor key": (SECRET, _vendor_key, (
        "The deploy job uses {} every night.", "key = {}", "{}", "export TOKEN={}", 'It said "unauthorized" with {} so I rotated it', "- {}\n- and nothing else",
    )),
    "api key named": (SECRET, lambda rnd: _some(rnd, _ALNUM, 16) + _digits(rnd, 4) + _some(rnd, _ALNUM, 12), (
        "The API key is {}.", "our license key: {}", "Authorization: Bearer {}", "my access token was {}", "X-Api-Key: {}", "La clave de API es {}", "API-Schlüssel: {}",
        "client_secret={}", '"apiKey": "{}"', "https://cdn.example.org/f?sig={}", "Set-Cookie: sid={}; Path=/", "API密钥：{}",
    )),
    "jwt": (SECRET, _jwt, ("Send {} along.", "token {}", "Cookie: auth={}")),
    "recovery phrase": (SECRET, _phrase, (
        "My wallet words are {}.", "seed phrase: {}", "Recovery phrase of the ledger is {}", "The 12-word backup of my crypto wallet: {}",
    )),
    "connection string": (SECRET, _url, ("The worker reads {} at start.", "DATABASE_URL={}", "connect to {} please", 'url: "{}"')),
    "assignment": (SECRET, _password, (
        "DB_PASSWORD={}", "db:\n  user: app\n  password: {}", '{{"user": "app", "password": "{}"}}', "[smtp]\nhost=mail\npass = x\npassword={}",
        "Server=db;User Id=app;Password={};", "mysql -u app --password={} main", "curl -u app:{} https://example.org", "SECRET_KEY: '{}'", "<password>{}</password>",
    )),
    "card": (PAYMENT, _card, (
        "My card is {}.", "Charge {} please", "{}", "The number on the front reads {} and it is mine", "tarjeta: {}", "pay with {} at the desk", "卡号 {}",
    )),
    "iban": (PAYMENT, _iban, ("My IBAN is {}.", "Refund it to {}", "Überweise auf {}", "{}", "the account ({}) is at my bank")),
    "bank account": (PAYMENT, lambda rnd: _digits(rnd, 8), (
        "Sort code 20-00-00, account number {}.", "My bank account number is {}.", "The savings account is {}", "Kontonummer {} bei der Sparkasse", "checking account: {}",
    )),
    "upi": (PAYMENT, lambda rnd: f"{_some(rnd, string.ascii_lowercase, 7)}{_digits(rnd, 2)}@{rnd.choice(['oksbi', 'ybl', 'paytm', 'okaxis'])}", ("Pay me at {}.", "UPI: {}")),
    "wallet": (PAYMENT, lambda rnd: "0x" + _some(rnd, "0123456789abcdef", 40), ("Send it to {}.", "my wallet {}")),
    "us ssn": (STATE, _until(ssn.is_valid, lambda rnd: f"{_digits(rnd, 3)}-{_digits(rnd, 2)}-{_digits(rnd, 4)}"), ("My SSN is {}.", "{} is on my card", "social security number {}")),
    "uk nhs": (STATE, _until(nhs.is_valid, lambda rnd: _digits(rnd, 10)), ("My NHS number is {}.", "NHS no. {}")),
    "uk nino": (STATE, lambda rnd: f"{rnd.choice(['AB', 'CE', 'JG', 'PR'])} {_digits(rnd, 2)} {_digits(rnd, 2)} {_digits(rnd, 2)} {rnd.choice('ABCD')}", ("NI number: {}", "{} is what HMRC has")),
    "aadhaar": (STATE, _until(aadhaar.is_valid, lambda rnd: f"{rnd.randint(2, 9)}{_digits(rnd, 3)} {_digits(rnd, 4)} {_digits(rnd, 4)}"), ("My Aadhaar is {}.", "{} is printed there", "मेरा आधार {} है")),
    "cpf": (STATE, _until(cpf.is_valid, lambda rnd: f"{_digits(rnd, 3)}.{_digits(rnd, 3)}.{_digits(rnd, 3)}-{_digits(rnd, 2)}"), ("Meu CPF é {}.", "the form shows {}")),
    "sin": (STATE, _until(sin.is_valid, lambda rnd: f"{_digits(rnd, 3)}-{_digits(rnd, 3)}-{_digits(rnd, 3)}"), ("My SIN is {}.", "social insurance {}")),
    "dni": (STATE, _until(dni.is_valid, lambda rnd: _digits(rnd, 8) + rnd.choice("TRWAGMYFPDXBNJZSQVHLCKE")), ("Mi DNI es {}.", "it says {} there")),
    "nie": (STATE, _until(nie.is_valid, lambda rnd: rnd.choice("XYZ") + _digits(rnd, 7) + rnd.choice("TRWAGMYFPDXBNJZSQVHLCKE")), ("Mi NIE: {}", "they noted {}")),
    "nir": (STATE, _until(nir.is_valid, lambda rnd: f"{rnd.choice('12')} {rnd.randint(50, 99)} {rnd.randint(1, 12):02} {rnd.randint(10, 95)} {_digits(rnd, 3)} {_digits(rnd, 3)} {_digits(rnd, 2)}"), ("Mon numéro de sécurité sociale est {}.", "c'est {}")),
    "steuer-id": (STATE, _until(steuer_id.is_valid, lambda rnd: _digits(rnd, 11)), ("Meine Steuer-ID ist {}.", "Steueridentifikationsnummer: {}", "my German tax id is {}")),
    "bsn": (STATE, _until(bsn.is_valid, lambda rnd: _digits(rnd, 9)), ("Mijn BSN is {}.", "burgerservicenummer {}")),
    "pesel": (STATE, _until(pesel.is_valid, lambda rnd: _date6(rnd) + _digits(rnd, 5)), ("Mój PESEL to {}.", "PESEL: {}")),
    "personnummer": (STATE, _until(personnummer.is_valid, lambda rnd: f"{_date6(rnd)}-{_digits(rnd, 4)}"), ("Mitt personnummer är {}.", "the tax office has {}")),
    "hetu": (STATE, _until(hetu.is_valid, lambda rnd: f"{_date6(rnd, 'dmy')}-{_digits(rnd, 3)}{rnd.choice('0123456789ABCDEFHJKLMNPRSTUVWXY')}"), ("Henkilötunnus: {}", "on file as {}")),
    "cpr": (STATE, _until(cpr.is_valid, lambda rnd: f"{_date6(rnd, 'dmy')}-{_digits(rnd, 4)}"), ("Mit CPR-nummer er {}.", "CPR {}")),
    "fødselsnummer": (STATE, _until(fodselsnummer.is_valid, lambda rnd: _date6(rnd, "dmy") + _digits(rnd, 5)), ("Fødselsnummer {}", "my Norwegian national number is {}")),
    "kimlik": (STATE, _until(tckimlik.is_valid, lambda rnd: str(rnd.randint(1, 9)) + _digits(rnd, 10)), ("T.C. kimlik numaram {}.", "TC kimlik no: {}")),
    "egn": (STATE, _until(egn.is_valid, lambda rnd: _date6(rnd) + _digits(rnd, 4)), ("My EGN is {}.",)),
    "cnp": (STATE, _until(cnp.is_valid, lambda rnd: rnd.choice("12") + _date6(rnd) + f"{rnd.randint(1, 46):02}" + _digits(rnd, 4)), ("CNP: {}", "my Romanian personal number {}")),
    "rodné číslo": (STATE, _until(rc.is_valid, lambda rnd: f"{_date6(rnd)}/{_digits(rnd, 4)}"), ("Rodné číslo {}", "they wrote {}")),
    "oib": (STATE, _until(oib.is_valid, lambda rnd: _digits(rnd, 11)), ("Moj OIB je {}.", "OIB {}")),
    "amka": (STATE, _until(amka.is_valid, lambda rnd: _date6(rnd, "dmy") + _digits(rnd, 5)), ("AMKA {}", "my Greek social number AMKA is {}")),
    "emšo": (STATE, _until(emso.is_valid, lambda rnd: f"{rnd.randint(1, 28):02}{rnd.randint(1, 12):02}9{rnd.randint(50, 99)}50{_digits(rnd, 4)}"), ("EMŠO: {}",)),
    "isikukood": (STATE, _until(ik.is_valid, lambda rnd: rnd.choice("34") + _date6(rnd) + _digits(rnd, 4)), ("isikukood {}",)),
    "asmens kodas": (STATE, _until(asmens.is_valid, lambda rnd: rnd.choice("34") + _date6(rnd) + _digits(rnd, 4)), ("asmens kodas: {}",)),
    "ahv": (STATE, _until(ahv.is_valid, lambda rnd: f"756.{_digits(rnd, 4)}.{_digits(rnd, 4)}.{_digits(rnd, 2)}"), ("Meine AHV-Nummer: {}", "it reads {}")),
    "rut": (STATE, _until(rut.is_valid, lambda rnd: f"{rnd.randint(5, 25)}.{_digits(rnd, 3)}.{_digits(rnd, 3)}-{rnd.choice('0123456789K')}"), ("Mi RUT es {}.", "{} en el formulario")),
    "cuit": (STATE, _until(cuit.is_valid, lambda rnd: f"{rnd.choice(['20', '27'])}-{_digits(rnd, 8)}-{_digits(rnd, 1)}"), ("CUIT {}", "figura {} ahí")),
    "cédula": (STATE, _until(cedula.is_valid, lambda rnd: f"{_digits(rnd, 3)}-{_digits(rnd, 7)}-{_digits(rnd, 1)}"), ("Mi cédula es {}.",)),
    "rrn": (STATE, _until(rrn.is_valid, lambda rnd: f"{_date6(rnd)}-{rnd.choice('12')}{_digits(rnd, 6)}"), ("주민등록번호는 {}입니다.", "it shows {}")),
    "ric": (STATE, _until(ric.is_valid, lambda rnd: f"110105{rnd.randint(1950, 2005)}{rnd.randint(1, 12):02}{rnd.randint(1, 28):02}{_digits(rnd, 3)}{rnd.choice('0123456789X')}"), ("我的身份证号是{}。", "the scan says {}")),
    "thai id": (STATE, _until(thai_pin.is_valid, lambda rnd: f"{rnd.randint(1, 8)}-{_digits(rnd, 4)}-{_digits(rnd, 5)}-{_digits(rnd, 2)}-{_digits(rnd, 1)}"), ("My Thai ID is {}.",)),
    "israeli id": (STATE, _until(teudat_zehut.is_valid, lambda rnd: _digits(rnd, 9)), ("Teudat zehut {}", "תעודת זהות: {}")),
    "south african id": (STATE, _until(south_african_id.is_valid, lambda rnd: _date6(rnd) + _digits(rnd, 4) + "08" + _digits(rnd, 1)), ("My South African ID is {}.", "identity number {}")),
    "passport": (STATE, lambda rnd: rnd.choice("ABCXL") + _digits(rnd, 8), ("My passport number is {}.", "passport {}", "Mi pasaporte es {}", "Reisepass Nr. {}", "护照号码{}", "Номер паспорта {}")),
    "driving licence": (STATE, lambda rnd: rnd.choice("DFKS") + _digits(rnd, 8), ("Driver's license {}.", "my driving licence number is {}", "Führerschein {}", "permis de conduire {}")),
    "phone": (CONTACT, _phone, ("My number is {}.", "Ring {} after nine.", "{} is my mobile", "Mein Telefon: {}", "call me on {}", "我的电话是{}")),
    "e-mail": (CONTACT, lambda rnd: f"{_some(rnd, string.ascii_lowercase, 5)}.{_some(rnd, string.ascii_lowercase, 6)}@{rnd.choice(['example.org', 'mail.example.co.uk'])}", ("Write to {}.", "{}", "e-mail me at {} please")),
    "date of birth": (BIRTH, _birth, ("I was born on {}.", "date of birth: {}", "My birthday is {}.", "Geboren am {}", "nací el {}", "née le {}", "DOB {}")),
}  # fmt: skip

_BEFORE = ("", "", "Hello, ", "By the way, ", "One more thing.\n", "ok so ")
_AFTER = ("", "", " Thanks!", "\nAnd I like figs.", " I prefer mornings.")


def items(count: int, *, seed: int) -> Iterator[Item]:
    """So many items, kinds in turn."""
    rnd = random.Random(seed)
    kinds = list(KINDS.items())
    for number in range(count):
        kind, (family, make, frames) = kinds[number % len(kinds)]
        value = make(rnd)
        frame = frames[(number // len(kinds)) % len(frames)]
        yield Item(kind, family, f"{rnd.choice(_BEFORE)}{frame.format(value)}{rnd.choice(_AFTER)}", value)
