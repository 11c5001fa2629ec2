"""What must not be kept of a text, and what does it read like without it? (R12, R50, R61)

`find` names every secret and every piece of personal data with its place in the original; `redact` replaces them.
Matching runs on an aligned copy, so that full-width digits, digits of other scripts and hidden characters change
nothing.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from memoryhub.vocabulary import SensitiveData
from memoryhub.working.health import find_health
from memoryhub.working.health_abroad import find_health_abroad
from memoryhub.working.normalisation import align
from memoryhub.working.patterns import Scan
from memoryhub.working.personal_data import find_personal_data
from memoryhub.working.secrets import find_secrets
from memoryhub.working.unmasking import unmasked

#: Families, strictest first: where two findings overlap, the stricter names what is taken out.
FAMILIES = (
    SensitiveData.SECRET,
    SensitiveData.PAYMENT,
    SensitiveData.GOVERNMENT_ID,
    SensitiveData.HEALTH,
    SensitiveData.CONTACT,
    SensitiveData.PERSONAL,
)
#: Families that no entry may ever hold, whoever says it and of whomever (R12).
NEVER_KEPT = frozenset(FAMILIES[:4])
#: Families taken out of a question too: it is repeated in the answer, and no answer turns on them.
NEVER_ASKED = frozenset(FAMILIES[:3])

_MARKS = {
    SensitiveData.SECRET: "[secret removed]",
    SensitiveData.PAYMENT: "[payment detail removed]",
    SensitiveData.GOVERNMENT_ID: "[identity number removed]",
    SensitiveData.HEALTH: "[health detail removed]",
    SensitiveData.CONTACT: "[contact removed]",
    SensitiveData.PERSONAL: "[personal detail removed]",
}


@dataclass(frozen=True)
class Finding:
    """One thing found: where it stands in the original text, what it is, and (never printed) the exact words."""

    start: int
    end: int
    kind: str
    family: SensitiveData
    value: str = field(repr=False)


@dataclass(frozen=True)
class Redacted:
    """A text without what must not be kept, and what was taken out."""

    text: str
    findings: tuple[Finding, ...]


def find(text: str) -> tuple[Finding, ...]:
    """Everything of R12's list in the text, in order and without overlaps; the stricter family wins an overlap."""
    if not text:
        return ()
    copy = align(text)
    plain = unmasked(copy.text)
    spans = set(_spans(Scan(copy.text)))
    if plain != copy.text:
        spans.update(_spans(Scan(plain)))
    taken: list[Finding] = []
    for start, end, kind, family in sorted(
        spans, key=lambda span: (FAMILIES.index(span[3]), span[0] - span[1], span[0], span[2])
    ):
        begin, stop = copy.span(start, end)
        taken.append(Finding(begin, stop, kind, family, text[begin:stop]))
    return tuple(_without_overlaps(taken, text))


def redact(text: str, *, families: Collection[SensitiveData] = FAMILIES) -> Redacted:
    """The text with every finding of these families replaced by a mark such as "[secret removed]"."""
    findings = tuple(finding for finding in find(text) if finding.family in families)
    return Redacted(replace(text, findings), findings)


def replace(text: str, findings: Collection[Finding]) -> str:
    """The text with these findings, which may not overlap, replaced by their marks."""
    pieces: list[str] = []
    position = 0
    for finding in sorted(findings, key=lambda found: found.start):
        pieces += (text[position : finding.start], _MARKS[finding.family])
        position = finding.end
    pieces.append(text[position:])
    return "".join(pieces)


def is_only_marks(text: str) -> bool:
    """Whether nothing is left of a text but marks of what was taken out: "[secret removed]"."""
    rest = text
    for mark in _MARKS.values():
        rest = rest.replace(mark, " ")
    return rest != text and not any(map(str.isalnum, rest))


def _spans(scan: Scan) -> Iterator[tuple[int, int, str, SensitiveData]]:
    for start, end, kind in find_secrets(scan):
        yield start, end, kind, SensitiveData.SECRET
    yield from find_personal_data(scan)
    for start, end in (*find_health(scan.prose), *find_health_abroad(scan.prose)):
        yield start, end, "health statement", SensitiveData.HEALTH


def _without_overlaps(findings: list[Finding], text: str) -> list[Finding]:
    """Keep the first of each overlapping group in the order given, widened over the rest so that no residue is left."""
    if len(findings) < 2:
        return findings
    rank = {id(finding): order for order, finding in enumerate(findings)}
    merged: list[Finding] = []
    for finding in sorted(findings, key=lambda found: found.start):
        if not merged or finding.start >= merged[-1].end:
            merged.append(finding)
            continue
        last = merged[-1]
        ruling = last if rank[id(last)] < rank[id(finding)] else finding
        end = max(last.end, finding.end)
        wide = Finding(last.start, end, ruling.kind, ruling.family, text[last.start : end])
        rank[id(wide)] = rank[id(ruling)]
        merged[-1] = wide
    return merged
