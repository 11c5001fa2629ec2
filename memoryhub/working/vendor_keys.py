"""Which characters are a key by its issuer's own shape? Ours, those of bc-detect-secrets, and many more (R12).

A key cut by line breaks or blanks is still one: the pieces are put together before they are looked at.
"""

import re
from collections.abc import Iterator

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector

from memoryhub.working.patterns import Rule, Scan

_KEEP_OUT = r"(?<![A-Za-z0-9])"
#: Shapes that begin with letters of the issuer's choice.
_PREFIXED: tuple[str, ...] = (
    r"mhk_[A-Za-z0-9_]{16,80}",
    r"sk-[A-Za-z0-9][A-Za-z0-9_-]{15,250}",
    r"sk-(?:proj|ant|svcacct|admin|live|test|or)-[A-Za-z0-9_-]{6,250}",
    r"[srp]k_live_[A-Za-z0-9]{10,250}",
    r"[srp]k_test_[A-Za-z0-9]{10,250}",
    r"rzp_(?:live|test)_[A-Za-z0-9]{10,40}",
    r"whsec_[A-Za-z0-9+/=]{16,100}",
    r"gh[pousr]_[A-Za-z0-9_]{20,255}",
    r"github_pat_[A-Za-z0-9_]{20,255}",
    r"gl(?:pat|dt|rt|ft|soat|cbt|agent|oas|ptt|imt)-[A-Za-z0-9_-]{16,100}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    r"AIza[A-Za-z0-9_-]{30,60}",
    r"ya29\.[A-Za-z0-9_-]{20,400}",
    r"1//0[A-Za-z0-9_-]{30,120}",
    r"GOCSPX-[A-Za-z0-9_-]{20,60}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,250}",
    r"xapp-[A-Za-z0-9-]{20,250}",
    r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,120}",
    r"discord(?:app)?\.com/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_-]{30,100}",
    r"webhook\.office\.com/[A-Za-z0-9@/_-]{40,300}",
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
    r"npm_[A-Za-z0-9]{30,60}",
    r"pypi-[A-Za-z0-9_-]{30,250}",
    r"rubygems_[a-f0-9]{40,60}",
    r"hf_[A-Za-z0-9]{25,60}",
    (
        r"(?:gsk|xai|pplx|r8|nvapi|sbp|sbs|lin_api|figd|ntn|tfp|napi|nfp|rnd|fo1|bkua|CCIPAT|glsa|sntrys|sntryu|"
        r"pscale_tkn|pscale_pw|dapi|shippo_live|duffel_live|EZAK|PMAK|NRAK|CFPAT|HRKU|tskey|ATATT3|ATBB|ATCTT3|xkeysib|"
        r"FLWSECK|ops_eyJ|doo_v1|dor_v1|dop_v1|phx|sq0atp|sq0csp|sq0idp|LTAI|AKID|AQVN|y0)"
        r"[_-](?=[A-Za-z0-9_.=/+-]{0,60}\d)(?=[A-Za-z0-9_.=/+-]{0,60}[A-Za-z])[A-Za-z0-9_.=/+-]{20,250}"
    ),
    r"(?:dapi|LTAI|AKID|AQVN|ATATT3|ATBB|ATCTT3|ops_eyJ)[A-Za-z0-9_=-]{16,250}",
    r"key-[0-9a-f]{32}(?![A-Za-z0-9])",
    r"secret_[A-Za-z0-9]{40,60}",
    r"pul-[a-f0-9]{40}",
    r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,200}",
    r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}",
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,80}",
    r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,90}",
    r"EAA[A-Za-z0-9]{60,250}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,70}",
    r"access_token\$production\$[a-z0-9]{10,20}\$[a-f0-9]{32}",
    r"eyJ[A-Za-z0-9_-]{6,2000}+\.[A-Za-z0-9_-]{4,2000}+(?:\.[A-Za-z0-9_-]{0,2000})?",
    r"SK[a-f0-9]{32}(?![A-Za-z0-9])",
    r"\d{8,10}:AA[A-Za-z0-9_-]{32,35}",
    r"[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}",
)
_SHAPES = tuple(Rule((_KEEP_OUT if shape[0] not in "/." else "") + shape) for shape in _PREFIXED)
_BOT = Rule(r"(?<=bot)\d{8,10}:[A-Za-z0-9_-]{35}")
_LOOSE = Rule(r"(?<=[A-Za-z0-9_])(?:mhk_[A-Za-z0-9_]{16,80}|ghp_[A-Za-z0-9_]{20,255}|[srp]k_live_[A-Za-z0-9]{10,250})")
#: As one plugin leads up to a password, which takes ten thousand steps at each of its words; and the same in few.
_UP_TO_TWO_LINES, _SO_MANY_CHARACTERS = r"(?:.{0,100}\n?){0,2}", r"[\s\S]{0,202}?"
_PLUGINS = tuple(
    Rule(pattern.pattern.replace(_UP_TO_TWO_LINES, _SO_MANY_CHARACTERS), pattern.flags & ~re.UNICODE)
    for plugin in (
        ArtifactoryDetector,
        AzureStorageKeyDetector,
        DiscordBotTokenDetector,
        MailchimpDetector,
        NpmDetector,
        SendGridDetector,
        SlackDetector,
        SquareOAuthDetector,
    )
    for pattern in plugin().denylist
)
#: How keys that somebody cuts into pieces begin, and pieces that follow: unlike words.
_BEGINS = (
    r"mhk_|sk-|[srp]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|AIza|xox[abp]-|SG\.|npm_|pypi-|hf_|hvs\.|"
    r"eyJ|shpat_|gsk_|dop_v1_|AGE-SECRET-KEY-1"
)
_CUT = Rule(
    rf"(?<![A-Za-z0-9])(?:{_BEGINS})[A-Za-z0-9_.-]{{0,120}}(?:\\?[ \t]{{0,2}}\n[ \t>]{{0,8}}|"
    rf"[ \t]{{1,2}})(?=[A-Za-z0-9])"
)
_PIECE = re.compile(r"(?:\\?[ \t]{0,2}\n[ \t>]{0,8}|[ \t]{1,2})?([A-Za-z0-9_./+=-]{1,200})")
_LETTERS_APART = re.compile(r"(?<!\S)(?:[!-~][ ]){19,300}[!-~](?!\S)")
_SHORTEST_CUT = 20


def find_vendor_keys(scan: Scan) -> Iterator[tuple[int, int]]:
    """Every key known by its shape; spans may overlap."""
    for rule in (*_SHAPES, _BOT, _LOOSE):
        for match in rule.finditer(scan):
            yield match.span()
    for rule in _PLUGINS:
        for match in rule.finditer(scan):
            yield _widest_group(match)
    yield from _cut_up(scan)
    yield from _spaced_out(scan)


def _widest_group(match: re.Match[str]) -> tuple[int, int]:
    spans = [match.span(index) for index in range(1, (match.re.groups or 0) + 1) if match.group(index)]
    return max(spans, key=lambda span: span[1] - span[0], default=match.span())


def _cut_up(scan: Scan) -> Iterator[tuple[int, int]]:
    """A key in pieces: it begins as one, and what follows is unlike words."""
    for match in _CUT.finditer(scan):
        end, letters = match.start(), 0
        first = True
        while piece := _PIECE.match(scan.text, end):
            if not first and not _unlike_a_word(piece.group(1)):
                break
            end, letters, first = piece.end(), letters + len(piece.group(1)), False
        if letters >= _SHORTEST_CUT and end > match.end():
            yield match.start(), end


def _unlike_a_word(piece: str) -> bool:
    bare = piece.rstrip(".")
    digits = any(character.isdigit() for character in bare)
    letters = any(character.isalpha() for character in bare)
    return (digits and letters) or (letters and bare[1:] not in (bare[1:].lower(), bare[1:].upper()))


def _spaced_out(scan: Scan) -> Iterator[tuple[int, int]]:
    if scan.text.count(" ") < _SHORTEST_CUT:
        return
    for match in _LETTERS_APART.finditer(scan.text):
        closed = Scan(match.group().replace(" ", ""))
        if any(rule.search(closed) for rule in _SHAPES):
            yield match.span()
