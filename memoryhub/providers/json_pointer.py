"""Which value of a JSON document does a pointer name? RFC 6901, whole and nothing besides."""

import re
from typing import Any, Final

MISSING: Final = object()

_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_STRAY_TILDE: Final = re.compile(r"~(?![01])")


def tokens(pointer: str) -> tuple[str, ...]:
    """The reference tokens of a pointer. Raises ValueError for what is none."""
    if pointer == "":
        return ()
    if not pointer.startswith("/"):
        raise ValueError("a JSON pointer is empty or begins with '/'")
    if _STRAY_TILDE.search(pointer):
        raise ValueError("'~' in a JSON pointer is written '~0', '/' in a name '~1'")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def resolve(document: Any, pointer: str) -> Any:
    """The value the pointer names, or MISSING. "-" and indexes past the end name nothing."""
    found = document
    for token in tokens(pointer):
        if isinstance(found, dict) and token in found:
            found = found[token]
        elif isinstance(found, list) and _INDEX.fullmatch(token) and int(token) < len(found):
            found = found[int(token)]
        else:
            return MISSING
    return found
