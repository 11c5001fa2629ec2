"""Invented lines that look a little like secrets or personal data and are none (S12)."""

import base64
import random
import string
import uuid
from collections.abc import Callable, Iterator

from stdnum import luhn

Random = random.Random


def _digits(rnd: Random, count: int) -> str:
    return "".join(rnd.choices(string.digits, k=count))


def _not_a_card(rnd: Random, count: int) -> str:
    while luhn.is_valid(number := str(rnd.randint(1, 9)) + _digits(rnd, count - 1)):
        pass
    return number


def _hex(rnd: Random, count: int) -> str:
    return "".join(rnd.choices("0123456789abcdef", k=count))


def _isbn(rnd: Random) -> str:
    body = "978" + _digits(rnd, 9)
    check = -sum(int(digit) * (1 if place % 2 == 0 else 3) for place, digit in enumerate(body)) % 10
    return rnd.choice([f"{body}{check}", f"978-{body[3]}-{body[4:8]}-{body[8:12]}-{check}"])


_LINES: tuple[Callable[[Random], str], ...] = (
    lambda rnd: f"Order {_not_a_card(rnd, rnd.choice([6, 8, 10, 12]))} left the depot this morning.",
    lambda rnd: f"Where is order #{_digits(rnd, 7)}?",
    lambda rnd: f"Invoice INV-{rnd.randint(2020, 2026)}-{_digits(rnd, 5)} is paid.",
    lambda rnd: f"The book's ISBN is {_isbn(rnd)}.",
    lambda rnd: f"EAN 40{_digits(rnd, 11)} is out of stock",
    lambda rnd: f"Tracking number 1Z{_digits(rnd, 3)}W{_digits(rnd, 12)} has not moved.",
    lambda rnd: f"Parcel {_not_a_card(rnd, 12)} arrives on Friday.",
    lambda rnd: f"We run version {rnd.randint(1, 20)}.{rnd.randint(0, 40)}.{rnd.randint(0, 400)} in production.",
    lambda rnd: f"Upgrade from v{rnd.randint(1, 9)}.{rnd.randint(0, 9)}.{rnd.randint(0, 99)}-rc{rnd.randint(1, 9)} broke the build",
    lambda rnd: f"Commit {_hex(rnd, 40)} broke the tests.",
    lambda rnd: f"see {_hex(rnd, 7)} and {_hex(rnd, 8)} on main",
    lambda rnd: f"The image digest is sha256:{_hex(rnd, 64)}.",
    lambda rnd: f"The request id was {uuid.UUID(int=rnd.getrandbits(128), version=4)}.",
    lambda rnd: f"The hut is at {rnd.uniform(-89, 89):.5f}, {rnd.uniform(-179, 179):.5f}.",
    lambda rnd: f"It cost {rnd.randint(1, 9)},{_digits(rnd, 3)}.{_digits(rnd, 2)} euros.",
    lambda rnd: f"${rnd.randint(10, 99999)} for {rnd.randint(2, 99)} pieces is fine",
    lambda rnd: f"The meeting is on {rnd.randint(2024, 2027)}-{rnd.randint(1, 12):02}-{rnd.randint(1, 28):02} at {rnd.randint(8, 18):02}:{rnd.choice(['00', '15', '30'])}.",
    lambda rnd: f"started at {1_700_000_000_000 + rnd.randint(0, 99_999_999_999)} and ended a second later",
    lambda rnd: f"timestamp {1_600_000_000 + rnd.randint(0, 99_999_999)}",
    lambda rnd: f"The sensor read {rnd.uniform(0, 1):.16f} volts.",
    lambda rnd: f"The box is {rnd.randint(10, 200)} x {rnd.randint(10, 200)} x {rnd.randint(10, 200)} mm and weighs {rnd.randint(1, 40)} kg.",
    lambda rnd: f"latencies of {rnd.randint(100, 999)} {rnd.randint(100, 999)} {rnd.randint(1000, 9999)} ms",
    lambda rnd: f"The server at 10.{rnd.randint(0, 255)}.{rnd.randint(0, 255)}.{rnd.randint(1, 254)} is slow.",
    lambda rnd: f"Listen on port {rnd.randint(1024, 65535)}, please.",
    lambda rnd: f"Flight {rnd.choice(['LH', 'BA', 'SK'])}{_digits(rnd, 4)} leaves at {rnd.randint(0, 23):02}{rnd.choice(['00', '30'])}.",
    lambda rnd: f"Booking reference {''.join(rnd.choices(string.ascii_uppercase, k=6))} is for two people.",
    lambda rnd: f"Part no. {_digits(rnd, 3)}-{_digits(rnd, 4)} fits the old pump.",
    lambda rnd: f"SKU {rnd.choice(['AX', 'BT'])}-{_digits(rnd, 6)} comes in green",
    lambda rnd: f"My room number is {rnd.randint(100, 999)}.",
    lambda rnd: f"My customer number with you is {_digits(rnd, 7)}.",
    lambda rnd: f"The postcode is {_digits(rnd, 5)} and the town is Graz.",
    lambda rnd: f"The error code is {rnd.randint(400, 599)}.",
    lambda rnd: f"The discount code SPRING{rnd.randint(10, 50)} expired.",
    lambda rnd: f"pages {rnd.randint(10, 200)}-{rnd.randint(201, 400)} of the manual",
    lambda rnd: f"the score was {rnd.randint(60, 130)}-{rnd.randint(60, 130)}",
    lambda rnd: f"data:image/png;base64,{base64.b64encode(rnd.randbytes(90)).decode()}",
    lambda rnd: f"The object id is {base64.urlsafe_b64encode(rnd.randbytes(16)).decode().rstrip('=')}.",
    lambda _: "I forgot my password again, can you send the link?",
    lambda _: "The password policy asks for twelve characters.",
    lambda rnd: f"The password must have {rnd.randint(8, 16)} characters and one digit.",
    lambda rnd: f"Passwords expire every {rnd.randint(30, 180)} days here.",
    lambda _: "The key to the shed is under the mat.",
    lambda _: "The key point is that we ship on Mondays.",
    lambda _: "I keep my passport in the top drawer.",
    lambda rnd: f"My visa expires in {rnd.randint(2026, 2030)}.",
    lambda _: "I am sick of waiting for the courier.",
    lambda _: "The new logo is a pain to print.",
    lambda _: "Our asthma campaign starts in March.",
    lambda _: "I have a soft spot for old trains.",
    lambda rnd: f"The token limit is {rnd.randint(1, 128)}000 tokens.",
    lambda _: "We split the text into tokens before counting.",
    lambda _: "The secret of good bread is time.",
    lambda rnd: f"I was born in the {rnd.choice(['north', 'south'])} and moved in {rnd.randint(1990, 2020)}.",
    lambda rnd: f"Pin the package to {rnd.randint(1, 9)}.{rnd.randint(0, 9)}, please.",
    lambda rnd: f"The bank opens at {rnd.randint(8, 10)}.",
    lambda _: "I sat on the river bank and read.",
    lambda rnd: f"Ticket {_digits(rnd, 6)} is still open.",
    lambda rnd: f"Call the endpoint {rnd.randint(2, 9)} times at most.",
    lambda rnd: f"We sold {_digits(rnd, 3)} {rnd.choice(['kettles', 'lamps'])} in {rnd.randint(2019, 2026)}.",
    lambda rnd: f"The gate opens at {rnd.randint(6, 9)} and closes at {rnd.randint(18, 22)}.",
    lambda rnd: f"Mi pedido {_digits(rnd, 8)} no ha llegado.",
    lambda rnd: f"Meine Bestellung {_digits(rnd, 8)} fehlt noch.",
    lambda _: "La contraseña es demasiado corta.",
    lambda _: "Das Passwort ist falsch.",
    lambda _: "Le mot de passe est expiré.",
    lambda rnd: f"订单号{_digits(rnd, 10)}还没到。",
    lambda rnd: f"注文番号は{_digits(rnd, 9)}です。",
    lambda rnd: f"Заказ {_digits(rnd, 7)} ещё не пришёл.",
    lambda rnd: f"MAC {':'.join(_hex(rnd, 2) for _ in range(6))} keeps dropping off",
    lambda rnd: f"colour #{_hex(rnd, 6)} for the header",
    lambda rnd: f"range {rnd.randint(1000, 4999)}-{rnd.randint(5000, 9999)} of the log",
    lambda rnd: f"meter reading {_digits(rnd, 6)}.{_digits(rnd, 1)} kWh",
    lambda rnd: f"https://example.org/items/{_digits(rnd, 9)}?page={rnd.randint(1, 40)}&sort=asc",
    lambda rnd: f"It takes {rnd.randint(10, 59)} minutes by the {rnd.randint(6, 22)}:{rnd.choice(['05', '35'])} train.",
)  # fmt: skip


def lines(count: int, *, seed: int) -> Iterator[str]:
    """So many lines, kinds in turn."""
    rnd = random.Random(seed)
    for number in range(count):
        yield _LINES[number % len(_LINES)](rnd)
