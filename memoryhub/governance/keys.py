"""Under which key does a value belong? Names of keys made alike, values trimmed, and domains that hold one choice
(R13).

"my new e-mail address" and "my email" are one key; "I prefer tea" and "my preferred drink" meet in `preferred_drink`.
"""

import re

from memoryhub.working.patterns import Sieved

ALIASES = {
    "mobile": "phone",
    "cell": "phone",
    "cell_phone": "phone",
    "mobile_phone": "phone",
    "mobile_number": "phone",
    "phone_number": "phone",
    "telephone": "phone",
    "telephone_number": "phone",
    "cell_number": "phone",
    "contact_number": "phone",
    "number": "phone",
    "e_mail": "email",
    "email_address": "email",
    "e_mail_address": "email",
    "mail_address": "email",
    "home_address": "address",
    "postal_address": "address",
    "street_address": "address",
    "shipping_address": "delivery_address",
    "profession": "job",
    "occupation": "job",
    "job_title": "job",
    "town": "city",
    "home_town": "home_town",
    "company": "employer",
    "workplace": "employer",
    "subscription": "plan",
    "subscription_plan": "plan",
    "tariff": "plan",
    "full_name": "name",
    "first_name": "first_name",
    "timezone": "time_zone",
    "date_of_birth": "birthday",
    "birth_date": "birthday",
    "birthdate": "birthday",
    "preferred_name": "preferred_name",
    "nickname": "preferred_name",
    "preferred_contact_method": "preferred_contact",
    "preferred_contact_channel": "preferred_contact",
    "preferred_channel": "preferred_contact",
    "preferred_beverage": "preferred_drink",
    "website_address": "website",
    "contact_person": "contact",
    "site_contact": "contact",
    "on_site_contact": "contact",
}
_DROPPED = frozenset(
    [
        "new",
        "current",
        "present",
        "main",
        "own",
        "actual",
        "real",
        "usual",
        "primary",
        "latest",
        "personal",
        "correct",
        "updated",
        "right",
        "exact",
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
    ]
)
_TRAILING = Sieved(
    r"(?i)(?<![ ,])(?:[ ,]+(?:now|nowadays|these days|currently|at the moment|at present|please|thanks|"
    r"thank you|though|"
    r"actually|anyway|as well|too|again|instead|by the way|btw|"
    r"any ?more|any longer|ever|at all|if you(?: do not|'re|.re)? (?:mind|could|can|please)|for now|you know|a lot|"
    r"very much|so much|the most|best|most|more|i guess|i think|ok(?:ay)?|right|lol|haha)){1,8}$"
)
_LEADING = re.compile(r"(?i)^(?:the|a|an|only|just|still|now|also|currently|actually|called|named)[ ]+")
_PLAN_NOUN = re.compile(r"(?i)(?<! )[ ]+(?:plan|subscription|one|tariff|package|option|tier)$")

#: Domains in which a person has one preference at a time: a word in the value names the domain.
_PREFERENCE_DOMAINS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, re.compile(rf"(?i)\b(?:{words})\b"))
    for key, words in (
        (
            "preferred_contact",
            (
                r"e-?mails?|phone(?: calls?)?|calls?|calling|text(?:s| messages?|ing)?|sms|whats ?app|letters?|post|"
                r"chat|"
                r"slack|telegram|video calls?|voice ?mail|being called|be called|be phoned|phoned|be e-?mailed|"
                r"e-?mailed|"
                r"texted|be texted|in writing|in person"
            ),
        ),
        ("preferred_seat", r"(?:aisle|window)(?: seats?)?|(?:middle|front|back|exit)(?: row)? seats?"),
        (
            "answer_length",
            (
                r"(?:short|shorter|brief|concise|long|longer|detailed|terse|to the point|one[- ]line|"
                r"step[- ]by[- ]step) (?:answers?|replies|responses?|explanations?|messages?|summaries|emails?)|"
                r"brevity|"
                r"bullet points"
            ),
        ),
        ("preferred_theme", r"(?:dark|light) (?:mode|theme)"),
        ("preferred_units", r"metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|miles"),
        ("preferred_drink", r"tea|coffee|espresso|water|juice|beer|wine|milk|cola|soda|lemonade|cocoa"),
        (
            "preferred_time",
            (
                r"(?:early |late )?(?:mornings?|afternoons?|evenings?|lunch ?time)(?: (?:visits?|slots?|appointments?|"
                r"deliver(?:y|ies)|calls?))?"
            ),
        ),
        (
            "preferred_language",
            (
                r"(?:in )?(?:english|french|german|spanish|italian|dutch|polish|hindi|mandarin|japanese|swedish|"
                r"norwegian|portuguese)"
            ),
        ),
        ("preferred_transport", r"trains?|night trains?|planes?|flying|buses?|bus|tram|driving|bike|cycling"),
        ("preferred_payment", r"invoices?|direct debit|bank transfer|credit card|paypal|cash"),
    )
)
TOOL_DOMAINS: tuple[tuple[str, frozenset[str]], ...] = (
    (
        "package_manager",
        frozenset(["npm", "yarn", "pnpm", "bun", "pip", "poetry", "uv", "pipenv", "cargo", "maven", "gradle", "conda"]),
    ),
    (
        "database",
        frozenset(
            [
                "postgresql",
                "postgres",
                "mysql",
                "mariadb",
                "sqlite",
                "oracle",
                "mongodb",
                "mssql",
                "cockroachdb",
                "dynamodb",
                "cassandra",
                "redis",
            ]
        ),
    ),
    (
        "test_runner",
        frozenset(["pytest", "unittest", "nose", "jest", "vitest", "mocha", "karma", "rspec", "junit", "testng"]),
    ),
    ("linter", frozenset(["ruff", "flake8", "pylint", "eslint", "biome", "rubocop"])),
    ("formatter", frozenset(["black", "prettier", "yapf", "gofmt"])),
    ("ci", frozenset(["jenkins", "circleci", "travis", "buildkite", "teamcity"])),
    ("version_control", frozenset(["git", "mercurial", "svn", "subversion"])),
    ("indentation", frozenset(["tabs", "spaces"])),
)
_OTHER_VERBS = {
    "do": "does",
    "go": "goes",
    "have": "has",
    "be": "is",
    "watch": "watches",
    "teach": "teaches",
    "wash": "washes",
    "fix": "fixes",
    "own": "has",
    "possess": "has",
}


def snake(phrase: str) -> str:
    """A noun phrase as a key: lower case, underscores, fillers dropped, aliases made one."""
    words: list[str] = re.findall(r"[^\W_]+", phrase.lower().replace("'s ", " ").replace("’s ", " "))
    kept = [word for word in words if word not in _DROPPED] or words
    key = (
        "_".join(kept[:6]).replace("favorite", "favourite").replace("neighbor", "neighbour").replace("color", "colour")
    )
    return ALIASES.get(key, key)[:64]


def trim(value: str) -> str:
    """A value without what merely surrounds it: articles, "now", "please", closing marks."""
    value = " ".join(value[:4000].split()).strip(".,;:!… ")  # one space between words: patterns at its end stay quick
    previous = None
    while previous != value:
        previous = value
        value = _TRAILING.sub("", value).strip(" .,;:!")
        value = _LEADING.sub("", value)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1].strip()
    return re.sub(r"\s+", " ", value)[:500]


_WHEN_TAIL = re.compile(
    r"(?i)(?<![ ,])[ ,]+(?:(?:last|this|next) (?:week|month|year|summer|winter|spring|autumn|fall|\w+day|"
    r"morning|afternoon|"
    r"evening)|yesterday|today|recently|just now|a (?:week|month|year|while) ago|(?:\w+ ){1,2}(?:days|weeks|months|"
    r"years) ago|"
    r"in \d{4}|on \w+day|since .{1,400}|as of .{1,400}|from (?:next|this) .{1,400}|in (?:january|february|march|"
    r"april|may|june|july|"
    r"august|september|october|november|december))$"
)


def without_when(value: str) -> str:
    """A value without the time at its end: what changed, not when."""
    return _WHEN_TAIL.sub("", value).strip(" ,") or value


def value_for(key: str | None, value: str) -> str:
    """The value as this key keeps it: "the annual one" under `plan` is "annual"."""
    value = trim(value)
    if key == "plan":
        value = _PLAN_NOUN.sub("", re.sub(r"(?i)^(?:on|under)[ ]+(?:the |a |an )?", "", value)) or value
    if key == "contact":
        value = re.split(r",| - | from | of | at | in |\(", value, maxsplit=1)[0].strip() or value
    if key in ("email", "phone", "address", "delivery_address"):
        value = re.sub(r"(?i)^(?:at|on|to)[ ]+", "", value)
    return value


def preference_key(value: str) -> tuple[str, bool]:
    """The key of something preferred, and whether it holds one choice."""
    for key, words in _PREFERENCE_DOMAINS:
        if words.match(value) or (len(value.split()) <= 4 and words.search(value)):
            return key, True
    return "prefers", False


def tool_key(value: str, *, verb: str = "uses") -> tuple[str, bool]:
    """The key of something used: package managers, databases and the like hold one choice; the rest are many."""
    first = value.lower().split()[0].strip(".,") if value.split() else ""
    for key, names in TOOL_DOMAINS:
        if first in names:
            return key, True
    return verb, False


def third_person(verb: str) -> str:
    """The verb as the key of a habit: "eat" → `eats`."""
    verb = verb.lower()
    if verb in _OTHER_VERBS:
        return _OTHER_VERBS[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "ch", "sh", "o")) else "s")
