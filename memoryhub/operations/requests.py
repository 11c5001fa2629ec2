"""What did the caller send, exactly? Strict reading of bodies and queries, before any of it means anything.

Nothing is coerced, guessed or dropped in silence: JSON in UTF-8 alone, no repeated names, no NUL or lone surrogate in
any string, no number that JSON cannot hold exactly, nothing deeper or larger than stated here (api.md, errors).
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from django.http import HttpRequest
from django.http.request import RawPostDataException
from rest_framework.exceptions import UnsupportedMediaType

from memoryhub import conf
from memoryhub.errors import Invalid, Malformed, TooLarge

MAX_DEPTH: Final = 20  # objects and lists inside one another; the deepest legal body needs seven
MAX_NUMBER: Final = 2**63 - 1  # what the database's integers hold
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_json(request: HttpRequest) -> Any:
    """The body as a JSON value that can be stored. Raises Malformed, UnsupportedMediaType, TooLarge or Invalid."""
    value = parse_json(request)
    check_value(value)
    return value


def parse_json(request: HttpRequest) -> Any:
    """The body as a JSON value, whatever stands in it: `check_value` has to be asked before any of it is used. Raises
    Malformed, UnsupportedMediaType or TooLarge.
    """
    _check_type(request, "application/json")
    raw = read_body(request)
    try:
        return json.loads(
            raw.decode("utf-8"), parse_constant=_no_constant, parse_int=_integer, parse_float=_number,
            object_pairs_hook=_once_each,
        )  # fmt: skip
    except _Twice as error:
        raise Malformed(f"The body names {error} twice in one object; send each name once.") from error
    except (ValueError, RecursionError) as error:
        raise Malformed from error


def read_text(request: HttpRequest, media_type: str) -> str:
    """A body of plain text in UTF-8, of exactly that media type, within the size of one text."""
    _check_type(request, media_type)
    raw = read_body(request)
    if len(raw) > conf.MAX_TEXT_BYTES:
        raise TooLarge(f"A text may have at most {conf.MAX_TEXT_BYTES // 1024} KB.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed("The body is not UTF-8.") from error
    check_value(text)
    return text


def read_body(request: HttpRequest) -> bytes:
    """The body's bytes, never more than one over the limit. Raises TooLarge."""
    too_large = TooLarge(f"A body may have at most {conf.MAX_BODY_BYTES // 1024} KB.")
    declared = request.META.get("CONTENT_LENGTH") or "0"
    if declared.isdigit() and int(declared) > conf.MAX_BODY_BYTES:
        raise too_large
    try:
        raw = request.read(conf.MAX_BODY_BYTES + 1)  # a chunked body declares no length
    except RawPostDataException:
        raw = request.body
    if len(raw) > conf.MAX_BODY_BYTES:
        raise too_large
    return raw


def has_body(request: HttpRequest) -> bool:
    """Whether anything was sent; a POST that needs nothing may come without a body and media type."""
    return (request.META.get("CONTENT_LENGTH") or "0") != "0" or "HTTP_TRANSFER_ENCODING" in request.META


def check_value(value: Any) -> None:
    """Raise Invalid or TooLarge for anything in a JSON value that could not be stored or shown as it was sent."""
    faults: dict[str, list[str]] = {}
    for path, item, depth in _walk(value):
        if depth > MAX_DEPTH:
            raise Invalid(errors={"body": [f"It is nested more than {MAX_DEPTH} levels deep."]})
        if isinstance(item, str):
            if _SURROGATE.search(item):
                faults.setdefault(path, []).append("It holds half of a character (a lone surrogate).")
            elif len(item.encode()) > conf.MAX_TEXT_BYTES:
                raise TooLarge(f"A text may have at most {conf.MAX_TEXT_BYTES // 1024} KB.")
            if "\x00" in item:
                faults.setdefault(path, []).append("It holds a NUL character.")
        elif (isinstance(item, int) and abs(item) > MAX_NUMBER) or (
            isinstance(item, float) and not math.isfinite(item)
        ):
            faults.setdefault(path, []).append("The number is too large.")
    if faults:
        raise Invalid(errors=faults)


def query_of(request: HttpRequest) -> dict[str, str]:
    """The query's parameters, each given once. Raises Invalid."""
    found: dict[str, str] = {}
    for name, values in request.GET.lists():
        if "\x00" in name or _SURROGATE.search(name) or len(name) > 100:
            raise Invalid(errors={"query": ["A parameter's name is not valid."]})
        if len(values) > 1:
            raise Invalid(errors={name: ["It is given more than once."]})
        check_value({name: values[0]})
        found[name] = str(values[0])
    return found


def _walk(value: Any) -> Iterator[tuple[str, Any, int]]:
    """Every value inside `value` with its path and depth; a name is a string of its own, at its object's path."""
    stack: list[tuple[str, Any, int]] = [("", value, 1)]
    while stack:
        path, item, depth = stack.pop()
        yield path or "body", item, depth
        if depth > MAX_DEPTH:
            return
        if isinstance(item, dict):
            for name, inner in item.items():
                yield path or "body", name, depth
                shown = name if name.isprintable() and len(name) <= 100 else "?"
                stack.append((f"{path}.{shown}".strip("."), inner, depth + 1))
        elif isinstance(item, list):
            stack.extend((f"{path}.{number}".strip("."), inner, depth + 1) for number, inner in enumerate(item))


def _check_type(request: HttpRequest, wanted: str) -> None:
    kind, _, rest = (request.META.get("CONTENT_TYPE") or "").partition(";")
    charset = re.search(r"charset\s*=\s*\"?([\w-]+)", rest.lower())
    if kind.strip().lower() != wanted or (charset and charset[1] not in ("utf-8", "utf8")):
        raise UnsupportedMediaType(kind or "none", detail=f"Send {wanted} in UTF-8.")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= 25 else int(digits[:25])  # too large either way; no slow conversion


def _number(digits: str) -> float:
    return float(digits) if len(digits) <= 400 else math.inf


class _Twice(ValueError):
    """A name stands twice in an object; the words are the name, if it can be shown."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(f"'{name}'" if name.isprintable() and len(name) <= 100 else "a field")
        found[name] = value
    return found
