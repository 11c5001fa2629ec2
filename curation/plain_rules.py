"""How are the rules of keeping told to the person they are about? In the words of their page (R5, R90)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from curation.plain_refusals import TOPICS
from memoryhub.governance.processing import Handler, Held, Processing
from memoryhub.vocabulary import KeyRole, SensitiveData, Treatment

#: Whoever may see it, as the person would call them.
PEOPLE: Final[Mapping[str, str]] = {
    "person": "You",
    KeyRole.AGENT: "The assistants",
    KeyRole.CUSTOMER_RELAY: "The service through which you talk to them",
    KeyRole.SYSTEM_OF_RECORD: "Our records",
    KeyRole.CURATOR: "Our people who look after what is remembered",
    KeyRole.OPERATOR: "Our people who run this service",
    KeyRole.AUDITOR: "Our people who check what was done",
}
SIGHTS: Final[Mapping[str, str]] = {
    "person": "all of it, at any time",
    KeyRole.AGENT: "what fits your question, while they answer you",
    KeyRole.CUSTOMER_RELAY: "all of it, in your name",
    KeyRole.CURATOR: "what is remembered, and what waits for a look",
    KeyRole.OPERATOR: "what is remembered, and what was said in the last weeks, without secrets",
    KeyRole.AUDITOR: "that something was done, not what it says",
}
#: What is kept beside statements, by the name it has in the records.
AROUND: Final[Mapping[str, tuple[str, str]]] = {
    "sessions": ("The words of a running conversation", "after the last thing you said"),
    "events": ("What was said, until it is summed up and a while beyond", "after it was summed up"),
    "folded": ("One line about the conversations of a quarter", "after that quarter"),
    "lapsed": ("What lapsed, as history", "after it lapsed"),
    "answers": ("Copies of answers to programs", "after the answer"),
    "page_links": ("Links that open this page", "after they were made"),
    "archives": ("The file that you take along", "after it is ready"),
    "decisions": ("What we decided about what you told us, without your words", ""),
    "reads": ("Who used what, by number", ""),
    "receipts": ("That something was forgotten, in numbers", ""),
    "audit": ("That something was done, without your words", ""),
}
NEVER: Final[Mapping[SensitiveData, str]] = {
    SensitiveData.SECRET: "Passwords and keys",
    SensitiveData.PAYMENT: "Numbers of cards and bank accounts",
    SensitiveData.GOVERNMENT_ID: "Numbers that a state gave you",
    SensitiveData.HEALTH: "Your health",
    SensitiveData.CONTACT: "Your phone numbers and addresses",
    SensitiveData.PERSONAL: "Your date of birth and the like",
    SensitiveData.THIRD_PARTY: "Other people's contacts, health, money or numbers",
}
TREATED: Final[Mapping[Treatment, str]] = {
    Treatment.KEEP: "kept",
    Treatment.QUEUE: "kept only after a person has looked",
    Treatment.REDACT: "taken out before anything is kept",
    Treatment.REFUSE: "never kept",
}
HANDLERS: Final[Mapping[str, str]] = {
    "search model": "A program that finds what fits a question",
    "entailment model": "A program that checks that a summary says no more than was said",
    "generator": "A language model",
    "record": "A record that knows better",
}


def how_long(lifetime: timedelta | None) -> str:
    """A length of time as one says it: "one year", "6 weeks", "a day", "a quarter of an hour"."""
    if lifetime is None:
        return "until you have it forgotten"
    days = round(lifetime / timedelta(days=1))
    hours, minutes = round(lifetime / timedelta(hours=1)), round(lifetime / timedelta(minutes=1))
    if days >= 360 and abs(days - 365 * round(days / 365)) <= 3:
        return _many(round(days / 365), "year")
    if days >= 56:
        return _many(round(days / 30.4), "month")
    if days >= 14 and days % 7 == 0:
        return _many(days // 7, "week")
    if hours >= 48:
        return _many(days, "day")
    return _many(hours, "hour") if hours >= 2 else _many(minutes, "minute")


def statements(processing: Processing) -> list[tuple[str, str, str]]:
    """Each kind of statement: what it is about, why it is kept, how long."""
    return [
        (TOPICS[held.name].capitalize(), held.why.capitalize(), how_long(held.lifetime))
        for held in processing.statements
    ]


def around(processing: Processing) -> list[tuple[str, str]]:
    """What is kept beside them, and how long."""
    return [(AROUND[held.name][0], _with(held)) for held in processing.around]


def never(processing: Processing) -> list[tuple[str, str]]:
    """What is sensitive, and what becomes of it."""
    return [(NEVER[one.family], TREATED[one.treatment]) for one in processing.never]


def seen(processing: Processing) -> list[tuple[str, str]]:
    """Who may see what."""
    return [(PEOPLE[one.role], SIGHTS[one.role]) for one in processing.seen if one.role in SIGHTS]


def handlers(processing: Processing) -> list[tuple[str, str]]:
    """Who else handles it, and where."""
    return [(HANDLERS[one.name], _where(one)) for one in processing.handlers]


def _with(held: Held) -> str:
    after = AROUND[held.name][1]
    return f"{how_long(held.lifetime)} {after}".strip()


def _where(one: Handler) -> str:
    return f"{one.what}; it runs {'at ' + one.where if one.outside else 'on our own machine'}"


def _many(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
