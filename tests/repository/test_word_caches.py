"""What remembers words forgets them with an erasure: every cache is either one of those, or of nothing that people say."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: Caches that hold no words of anybody: name of the file → what is in them.
OTHERS = {
    "memoryhub/recall/comparing.py": "statements", "memoryhub/recall/crowds.py": "statements",
    "memoryhub/recall/planned.py": "stand-ins", "memoryhub/recall/read_log.py": "a statement",
    "memoryhub/recall/escaping.py": "single characters", "memoryhub/working/normalisation.py": "single characters",
    "memoryhub/governance/policy_versions.py": "policies", "memoryhub/governance/language.py": "a model",
    "memoryhub/working/alternatives.py": "patterns", "memoryhub/providers/http_record.py": "certificates",
    "memoryhub/api/docs.py": "a page", "memoryhub/mcp/tools.py": "descriptions of tools", "memoryhub/word_caches.py": "the one that is emptied",
}  # fmt: skip
_CACHE = re.compile(r"@(?:functools\.)?(?:lru_cache|cache)\b|= (?:functools\.)?(?:lru_cache|cache)\(|lru_cache\(")


def test_no_cache_keeps_words_past_an_erasure() -> None:
    found = {
        str(path.relative_to(ROOT))
        for package in ("memoryhub", "curation", "accounts")
        for path in (ROOT / package).rglob("*.py")
        if _CACHE.search(path.read_text())
    }
    assert found == set(OTHERS), "Use word_caches.holds_words for what people say; else name what is in it here."
