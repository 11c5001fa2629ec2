"""What does a model read of an answer? The block that REST renders, or a line for each thing that was done.

Beside the text every answer stands whole, as REST gives it, in `structuredContent`: that is for programs. The text is
what most clients show their model, so what memory says is in it only as a marked block of notes.
"""

from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]


def recalled(body: Json) -> list[str]:
    """The block; behind it the ids, which no stored text can be taken for."""
    texts = [body["rendered"] or "Something was found, but none of it fits into the room given."]
    ids = ", ".join(item["id"] for item in body["items"])
    texts.append(f"recall_id {body['recall_id']}" + (f"; the notes by their ids, in that order: {ids}" if ids else ""))
    return texts


def context(body: Json) -> list[str]:
    """The block of the whole context."""
    return [body["rendered"] or "Nothing is remembered that belongs into this prompt."]


def decided(body: Json) -> list[str]:
    """What became of each claim."""
    return ["\n".join(_results(body["results"]))]


def finished(body: Json) -> list[str]:
    """What became of a turn, and of each claim in it."""
    head = f"Working memory: {body['working']}. Event: {body['event']}."
    return ["\n".join([head, *_results(body["claims"])])]


def skills(body: Json) -> list[str]:
    """One line for each."""
    lines = [
        f"{skill['name']} ({skill['status']}, version {skill['version']}): {skill['description']}"
        for skill in body["items"]
    ]
    more = ["There are more; ask again with this cursor: " + body["next"]] if body["next"] else []
    return ["\n".join([*lines, *more]) or "There are none."]


def skill(body: Json) -> list[str]:
    """Its text; of one that is not in force, that it is not."""
    force = "" if body["status"] == "active" else f"NOT IN FORCE: this skill is {body['status']}.\n\n"
    return [f"{force}{body['body']}"]


def filed(body: Json) -> list[str]:
    """What a command on memory files says itself."""
    return [body["text"]]


def erased(body: Json) -> list[str]:
    """The receipt."""
    counted = f"{body['removed']['entries']} entries, {body['remaining']} remaining"
    return [f"Erased, with everything derived from it: {counted}. Receipt {body['receipt_id']}."]


def entry(body: Json) -> list[str]:
    """Where a memory stands now."""
    disputed = "; somebody disputes it, and a curator will look" if body["contested"] else ""
    return [f"Memory {body['id']} is {body['status']}{disputed}."]


def refused(members: Json) -> list[str]:
    """A refusal: its code, its sentence, and each fault."""
    faults = [f"{name}: {' '.join(told)}" for name, told in members["errors"].items()]
    return ["\n".join([f"{members['code']}: {members['detail']}", *faults])]


def _results(results: Iterable[Json]) -> Iterable[str]:
    for result in results:
        entry = f" (id {result['entry']['id']})" if result["entry"] else ""
        yield f"{result['op']} {result['reason']}: {result['message']}{entry}"
