"""Which part of a message did the person type, and which is pasted? Quoted mail, forwarded text, code and logs are
somebody else's or a machine's words (R13).

Told by their form alone, line by line; what is in doubt counts as typed.
"""

import re
from itertools import groupby

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED_LINE = re.compile(r"^\s{0,3}(?:>|\|\s)")
#: A line that begins somebody else's mail: all that follows is theirs.
_FORWARDED = re.compile(
    r"(?i)^\s*(?:[-_=*]{2,200}\s{0,9}(?:forwarded|original|weitergeleitete|begin forwarded|end of)"
    r"[\w \t]{0,40}[-_=*]{0,80}\s{0,40}$|"
    r"begin forwarded message\s*:?|(?:fwd?|fw)\s*:|on .{4,80}\bwrote\s{0,4}:\s*$|from:\s*\S.{0,80}<[^\s@]{1,64}@\S+>)"
)
_HEADER = re.compile(r"(?i)^\s*(?:from|to|cc|bcc|date|sent|subject|reply-to|received|message-id|x-[\w-]+)\s*:\s*\S")
#: "Here is what they wrote:" at the end of a line: the next lines are what was written.
_INTRODUCED = re.compile(
    r"(?i)\b(?:here(?:'|’)?s?(?: is| are)?|this is|below(?: is)?|see|attached|pasted?|pasting|copied|copy of|"
    r"following|"
    r"says?|said|wrote|writes|reads?|sent|got|received|get|getting|shows?|returned|returns|output|log|logs|mail|"
    r"e-?mail|"
    r"message|ticket|transcript|letter|text|answer|reply|error|trace|config)\b[^\n:]{0,60}:\s*$"
)
#: What a person lists of themselves ("about me:", "my details:").
_OWN_LIST = re.compile(
    r"(?i)\b(?:about (?:me|us|myself)|(?:my|our) (?:\w+ )?(?:details|preferences?|data|info\w*|profile|list|answers?|"
    r"set-?up|needs|wishes|rules|conventions|hours|times|contacts?)|remember|note|facts)\b[^:]{0,200}:\s{0,9}$"
)
#: Where what follows is a whole mail or ticket, however many paragraphs it has.
_WHOLE_TEXT = re.compile(
    r"(?i)\b(?:e-?mail|mail|letter|ticket|transcript|wrote|writes|thread|article|chat|conversation)\b"
)
_MACHINE_LINE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\[)?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b|"
    r"Traceback \(most|File \"[^\"]+\", line \d|at [\w.$<>]+\(|(?:\$|#|>>>|\.\.\.) \S|diff --git|@@ -\d|"
    r"\{\s*$|\}\s{0,9},?\s*$|\"[\w-]+\"\s*:\s|<\/?\w[^>]*>\s*$|(?:import|from|def|class|const|let|var|function|public|"
    r"return|SELECT|INSERT|UPDATE|DELETE|CREATE)\b.*[;:{(]\s{0,40}$|\w+(?:\.\w+)*\s{0,40}=\s{0,40}[\w\"'\[{(].*[;\])}\"']\s{0,40}$)"
)
#: One line that is a program and no sentence.
_CODE = re.compile(
    r"^\s*(?:(?:import|from) [\w.]+(?: import .+)?(?:;|$)|(?:print|console\.log|printf|echo|return|const|let|var|def|"
    r"function|public|SELECT|INSERT|UPDATE|"
    r"DELETE FROM|CREATE TABLE)\b[^.?!]*[;({=].*|[\w.]+\([^()\n]*\);?\s*$|\w+(?:Error|Exception|Warning): .+|(?:\$|"
    r">>>) \S.*)"
)
_SIGNED = re.compile(
    r"(?i)^\s*(?:--\s*$|(?:(?:kind|best|warm|many) )?(?:regards|wishes|thanks)[,.!]?\s*$|(?:yours )?(?:sincerely|"
    r"truly|"
    r"faithfully)[,.]?\s*$|cheers,\s*$|sent from my \w+)"
)
#: Rows of a table that a program wrote: so many lines one after the other with as many fields, apart by the same sign,
#: and none that speaks of itself.
_ROWS = 20
_FIELDS = 4
_APART = re.compile(r"[,;|\t](?! )")
_SPEAKS = re.compile(r"(?i)\b(?:i|me|my|mine|we|us|our|you|your|please)\b|[.!?][\"'”’)]?\s|[:=] ")
_ACTED = re.compile(r"(?m)^[ \t]*\*[^*\n]{3,200}\*(?=\s|$)")


def typed_by_the_person(text: str) -> str:
    """The text without what was pasted into it; empty where all of it was."""
    if "\n" not in text:
        if _CODE.match(text):
            return ""
        return "" if _QUOTED_LINE.match(text) and text.lstrip().startswith(">") else _ACTED.sub(" ", text)
    lines = _without_tables(text.split("\n"))
    kept: list[str] = []
    fenced = introduced = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        if _FORWARDED.match(line) or (
            _HEADER.match(line) and number + 1 < len(lines) and _HEADER.match(lines[number + 1])
        ):
            break
        if _SIGNED.match(line) and number > 0:
            break
        if introduced and line.strip():
            continue
        introduced = False
        if _QUOTED_LINE.match(line) or _MACHINE_LINE.match(line):
            continue
        kept.append(line)
        leads_up = len(line) < 200 and line.rstrip().endswith(":")
        introduced = leads_up and bool(_INTRODUCED.search(line)) and not _OWN_LIST.search(line)
        if introduced and _WHOLE_TEXT.search(line):
            break
    return _ACTED.sub(" ", "\n".join(kept)).strip()


def _without_tables(lines: list[str]) -> list[str]:
    """The lines without rows that only a program writes in such number."""
    if len(lines) < _ROWS:
        return lines
    kept: list[str] = []
    for shape, alike in groupby(lines, _row):
        rows = list(alike)
        if shape is None or len(rows) < _ROWS:
            kept += rows
    return kept


def _row(line: str) -> tuple[str, int] | None:
    """The sign between the fields of a row and how many there are; None of what a person may have typed."""
    signs = _APART.findall(line)
    if len(signs) + 1 < _FIELDS or len(set(signs)) > 1 or signs[0] + " " in line or _SPEAKS.search(line):
        return None
    return signs[0], len(signs)
