"""Which stretches of a message are not the person's own speech: comments, role lines, bracketed orders, calls of tools?
(R11, R61)

A person writes to an agent in sentences. A comment mark, a line that says "system:", or the imitation of a tool's call
is another voice. What it says is never kept; what stands beside it may be. A mark alone proves nothing (people write
about code): it has to instruct somebody, or speak of terms of service.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.governance.bearing import Bearing, bearing_of
from memoryhub.governance.injection import Threat, threat_of
from memoryhub.working.normalisation import skeleton
from memoryhub.working.patterns import Sieved

_ROLE = r"(?:system|developer|assistant|tool|function|admin(?:istrator)?|operator|root|internal|policy|config|platform)"
_NOTE = r"(?:note|memo|message|notice|update|override|prompt|instructions?|command|directive|team|context|rule)"
#: Marks around another voice; whatever stands in them is judged by what it says.
_AROUND = (
    ("/*", "*/"), ("<!--", "-->"), ("{#", "#}"), ("{%", "%}"), ("{{", "}}"), ("[[", "]]"), ("(*", "*)"), ("((", "))"),
)  # fmt: skip
_LONGEST = 2_000  # characters of a comment
_COMMENTS = Sieved(
    r"<(?:hidden|comment|note|aside|script|style|meta|details|span)\b[^>]{0,80}>[^<]{0,1000}|"
    r"(?:(?<=\s)|^)(?://|#|--|;;|%%|rem )[ \t]*\w[^\n]{0,500}$|"
    r"[\[(<{] ?(?:system|developer|assistant|admin(?:istrator)?|operator|internal|hidden|ooc|meta|"
    r"for (?:the )?(?:ai|agent|"
    r"assistant|model|bot)|note to)\b[^\])>}\n]{0,300}[\])>}]",
    re.MULTILINE | re.IGNORECASE,
)
#: A line that opens with somebody else's name: another voice, up to where it ends.
_ROLE_LINES = Sieved(
    rf"(?:^|(?<=[.!?;] )|(?<=\n))[ \t>*#\"'`-]{{0,8}}(?:{_ROLE}[ _-]?(?:{_NOTE})?(?: (?:to|for|"
    rf"from) [\w ]{{1,25}})?|{_NOTE} (?:to|for|"
    rf"from) (?:the |your |all )?(?:\w+ )?"
    rf"(?:ai|agents?|assistants?|models?|bots?|llms?|team|developers?|operators?|system|"
    rf"platform)(?: team)?)[*_`\"']{{0,3}}"
    rf" {{0,2}}(?::|>|=>|->)[^\n]{{1,600}}",
    re.IGNORECASE,
)
_ROLE_RECORD = Sieved(
    r"[{\[]?\s{0,3}[\"']?role[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:system|developer|assistant|tool|"
    r"function)\b[\"']?[,;\s]{1,4}"
    r"[\"']?(?:content|text|message|parts)[\"']?\s{0,3}[:=].*",
    re.IGNORECASE | re.DOTALL,
)
#: A tool's call or answer as a program would write it: nobody speaks like this about themselves.
_CALLS = Sieved(
    r"<(?:tool_?(?:call|use|result|response)|function_?(?:calls?|results?)|invoke|action|observation|thinking)\b"
    r"[^>]{0,200}>.{0,2000}?(?:</\w+>|\Z)|"
    r"```(?:tool\w*|function\w*|json|xml|python)?\s{0,3}[^`]{0,60}\b(?:tool|function|call|action|"
    r"arguments)\b[^`]{0,1500}(?:```|\Z)|"
    r"\{\s{0,3}[\"'](?:tool|tool_name|function|function_call|tool_calls?|action|recipient_name|name)[\"']\s{0,3}:"
    r"[^}\n]{0,200}[\"'](?:arguments|args|parameters|params|input|"
    r"action_input)[\"']\s{0,3}:.{0,1000}?(?:\}\s{0,3}\}|\}|\Z)|"
    r"^\s{0,4}(?:action|tool|function|observation|thought|final answer|action input|tool call|"
    r"tool result)\s{0,2}:[^\n]{1,400}$|"
    r"\b(?:memory|tools?|functions?|agent|api|system)\.\w{2,40}\([^)\n]{0,300}\)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_VOICES = (_COMMENTS, _ROLE_LINES, _CALLS)
_MOST = 24  # other voices judged by what they say; more of them are nobody's message
_VOICE = re.compile(rf"^[^\w]{{0,8}}{_ROLE}[^:\n]{{0,60}}:", re.IGNORECASE)
_MARKS = re.compile(r"/\*|<!--|\{[#%{]|\[\[|\(\*|\(\(|//|#|--|;;|%%|[\[(<{] ?\w|role|:|=>|->|<|```|\(", re.IGNORECASE)
_QUOTED = re.compile(r"[\"'“”‘’«»`]\s{0,2}$")
_REPORTING = re.compile(
    r"(?i)\b(?:says?|said|reads?|shows?|showed|prints?|printed|logs?|logged|output|saw|seen|error|file|field|page|code|"
    r"snippet|like|example|e\.g\.|called|named|titled|use|uses|using|format|syntax|write|writes|wrote)\b[^.!?\n]{0,40}$"
)


@dataclass(frozen=True)
class Planted:
    """The text without what another voice says in it, and that. Both in the order of the text."""

    rest: str
    parts: tuple[str, ...]


def planted_in(text: str) -> Planted:
    """Take apart a message. `parts` is empty where nobody else speaks in it. Pure; linear in the text's length."""
    if not _MARKS.search(text):
        return Planted(text, ())
    found = sorted({*_between(text), *(match.span() for kind in _VOICES for match in kind.finditer(text))})
    spans = [match.span() for match in _ROLE_RECORD.finditer(text)]
    for number, (start, end) in enumerate(found):
        if number >= _MOST or (not _reported(text, start) and _tells_somebody(text[start:end])):
            spans.append((start, end))
    spans.sort()
    rest: list[str] = []
    parts: list[str] = []
    at = 0
    for start, end in spans:
        if end <= at:
            continue
        rest.append(text[at : max(at, start)])
        parts.append(text[max(at, start) : end])
        at = end
    return Planted("\n".join((*rest, text[at:])).strip() if parts else text, tuple(parts))


def _between(text: str) -> Iterator[tuple[int, int]]:
    """Where comments stand; one that is never closed goes to its line's end."""
    for begins, ends in _AROUND:
        at = text.find(begins)
        while at >= 0:
            closed = text.find(ends, at + len(begins), at + _LONGEST)
            line = text.find("\n", at, at + _LONGEST)
            end = closed + len(ends) if closed >= 0 else line if line >= 0 else min(len(text), at + _LONGEST)
            yield at, end
            at = text.find(begins, end)


def _reported(text: str, at: int) -> bool:
    """Whether the person quotes it, or writes about it."""
    before = text[max(0, at - 80) : at]
    return bool(_QUOTED.search(before) or _REPORTING.search(before))


def _tells_somebody(part: str) -> bool:
    """Whether the other voice instructs, or speaks of terms of service."""
    said = re.sub(r"[/*<>!#{}%\[\]()|=\"'`-]+", " ", _VOICE.sub("", part)).strip()
    return threat_of(said, vouched=False) is not Threat.NONE or bearing_of(skeleton(said)) is not Bearing.NONE
