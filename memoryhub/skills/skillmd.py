"""How does a SKILL.md become a value, and a value a SKILL.md? (R80)

Two spellings of the same skill are read: the hub's own, with every field at the top of the front matter, and the
public Agent Skills format, where the fields that format does not know stand under `metadata:` as text. `write` gives
the first, `export` the second. Front matter is untrusted: plain YAML only, without anchors, tags or nesting.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from memoryhub import conf
from memoryhub.errors import Invalid

MAX_NAME: Final = 64  # characters; the public format's own limits
MAX_DESCRIPTION: Final = 1024
MAX_LICENSE: Final = 200
MAX_COMPATIBILITY: Final = 500
MAX_ITEMS: Final = 50  # triggers, keywords or tools of one skill
MAX_TRIGGER: Final = 200  # characters; a signal's scope is no longer
MAX_ITEM: Final = 100  # characters of a keyword or of a tool's name
MAX_FRONT_MATTER_DEPTH: Final = 4  # document, metadata, list, text: nothing legal nests deeper

#: The headings of a body, in order (R80).
SECTIONS: Final = ("Preconditions", "Procedure", "Boundaries", "Completion")

_NAME = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_LISTS: Final = ("triggers", "keywords", "prefetch", "tools")
_OWN: Final = (*_LISTS, "always")
_PUBLIC: Final = ("name", "description", "license", "compatibility", "allowed-tools", "metadata")
_JOINERS: Final = "\u200c\u200d"  # needed to spell Persian and Indic words, and to build emoji


@dataclass(frozen=True, slots=True)
class SkillDocument:
    """One skill as its file states it (R80): what it is called, when it is chosen, what it may use, how it goes."""

    name: str
    description: str
    triggers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    prefetch: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    always: bool = False
    body: str = ""
    license: str = ""
    compatibility: str = ""
    metadata: tuple[tuple[str, str], ...] = ()  # of the public format: author, version …; kept for the next export


@dataclass(slots=True)
class _Faults:
    """Faults by field, gathered so that an author reads all of them at once."""

    by_field: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, sentence: str) -> None:
        self.by_field.setdefault(name, []).append(sentence)


class _PlainLoader(yaml.SafeLoader):
    """SafeLoader without what front matter never needs: aliases, anchors, tags, repeated keys, deep nesting."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise yaml.YAMLError("anchors and aliases are not allowed")
        if getattr(event, "tag", None):
            raise yaml.YAMLError("tags are not allowed")
        if self.depth >= MAX_FRONT_MATTER_DEPTH:
            raise yaml.YAMLError("it is nested too deeply")
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(names)) != len(names):
            raise yaml.YAMLError("a field is given twice")
        if "<<" in names:
            raise yaml.YAMLError("merge keys are not allowed")
        return super().construct_mapping(node, deep)


class _PlainHandler(YAMLHandler):
    def load(self, fm: str, **kwargs: object) -> Any:
        return super().load(fm, Loader=_PlainLoader)


def parse(text: str) -> SkillDocument:
    """Read a SKILL.md in either spelling (R80). Raises `Invalid` that names every field with its faults."""
    if len(text.encode("utf-8", "surrogatepass")) > conf.MAX_SKILL_BYTES:
        raise _invalid({"text": [f"The file is larger than {conf.MAX_SKILL_BYTES // 1024} KB."]})
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").strip()
    front, body = _split(text)
    faults = _Faults()
    values = _flattened(front, faults)
    found = SkillDocument(
        name=_line(values, "name", faults),
        description=_line(values, "description", faults),
        triggers=_items(values, "triggers", faults),
        keywords=_items(values, "keywords", faults),
        prefetch=_items(values, "prefetch", faults),
        tools=_items(values, "tools", faults),
        always=_flag(values, "always", faults),
        body=body,
        license=_line(values, "license", faults),
        compatibility=_line(values, "compatibility", faults),
        metadata=values["metadata"],
    )
    _judge(found, faults)
    if faults.by_field:
        raise _invalid(faults.by_field)
    return found


def check_document(doc: SkillDocument) -> None:
    """Hold a document that was built in code to the same limits as a parsed one (R80); raises `Invalid`."""
    faults = _Faults()
    for name in _LISTS:
        for item in getattr(doc, name):
            _judge_line(name, item, faults)
    for name in ("name", "description", "license", "compatibility"):
        _judge_line(name, getattr(doc, name), faults)
    _judge(doc, faults)
    if faults.by_field:
        raise _invalid(faults.by_field)


def write(doc: SkillDocument) -> str:
    """The file in the hub's own spelling; `parse(write(doc)) == doc` for every valid document (R80)."""
    front: dict[str, object] = {"name": doc.name, "description": doc.description}
    front |= {name: list(getattr(doc, name)) for name in _LISTS if getattr(doc, name)}
    if doc.always:
        front["always"] = True
    return _dump(front, doc, dict(doc.metadata))


def export(doc: SkillDocument) -> str:
    """The file in the public Agent Skills format: own fields stand under `metadata:` as text (R80)."""
    own = {name: _joined(getattr(doc, name)) for name in _LISTS if getattr(doc, name)}
    if doc.always:
        own["always"] = "true"
    return _dump({"name": doc.name, "description": doc.description}, doc, own | dict(doc.metadata))


def compose_body(*, preconditions: str = "", procedure: str = "", boundaries: str = "", completion: str = "") -> str:
    """A body with the four headings in their order; an empty section is left out (R80)."""
    texts = (preconditions, procedure, boundaries, completion)
    return "\n\n".join(
        f"## {title}\n\n{text.strip()}" for title, text in zip(SECTIONS, texts, strict=True) if text.strip()
    )


def _dump(front: dict[str, object], doc: SkillDocument, metadata: Mapping[str, str]) -> str:
    front |= {name: getattr(doc, name) for name in ("license", "compatibility") if getattr(doc, name)}
    if metadata:
        front["metadata"] = dict(metadata)
    post = frontmatter.Post(doc.body, handler=None)
    post.metadata = front
    return frontmatter.dumps(post, handler=YAMLHandler(), sort_keys=False, width=120) + "\n"


def _split(text: str) -> tuple[dict[str, Any], str]:
    if not re.match(r"---[ \t]*\n", text):
        raise _invalid({"text": ["Start the file with front matter between two lines of '---'."]})
    try:
        front, body = frontmatter.parse(text, handler=_PlainHandler())
    except (yaml.YAMLError, ValueError) as fault:  # ValueError: an impossible date or number
        raise _invalid({"front_matter": [f"The front matter is not plain YAML: {_what(fault)}."]}) from None
    if not front:
        raise _invalid({"front_matter": ["The front matter must list the skill's fields and end with '---'."]})
    return front, body


def _what(fault: Exception) -> str:
    """The fault without the words of the file, which have not been screened yet."""
    mark = getattr(fault, "problem_mark", None)
    if mark is not None:
        return f"look at its line {mark.line + 1}"
    return str(fault) if type(fault) is yaml.YAMLError else "a character, a date or a number in it can't be read"


def _flattened(front: Mapping[Any, Any], faults: _Faults) -> dict[str, Any]:
    """One flat table from either spelling; what is under `metadata` and not ours is kept as text."""
    values: dict[str, Any] = {}
    if len(front) > MAX_ITEMS:
        raise _invalid({"front_matter": [f"It has {len(front)} fields; a SKILL.md has fewer than a dozen."]})
    for key, value in front.items():
        if key not in _PUBLIC and key not in _OWN:
            faults.add(_shown(key), "This field is not part of a SKILL.md; put your own under 'metadata'.")
        elif key not in ("metadata", "allowed-tools"):
            values[key] = value
    kept: list[tuple[str, str]] = []
    nested = front.get("metadata")
    if nested is not None and not isinstance(nested, dict):
        faults.add("metadata", "Give names with their values.")
        nested = None
    for key, value in (nested or {}).items():
        if key in _OWN:
            if key in values:
                faults.add(key, "Give it once: at the top or under 'metadata'.")
            values[key] = _decoded(value)
        elif not isinstance(key, str) or not isinstance(value, str):
            faults.add("metadata", f"'{_shown(key)}' must be text; put it in quotes.")
        else:
            _judge_line("metadata", key, faults)
            _judge_line("metadata", value, faults)
            kept.append((key, value))
    if "allowed-tools" in front and "tools" not in values:
        allowed = front["allowed-tools"]
        values["tools"] = re.split(r"[,\s]+", allowed.strip()) if isinstance(allowed, str) else allowed
    values["metadata"] = tuple(kept)
    return values


def _decoded(value: Any) -> Any:
    """What `export` wrote: a JSON list where an item holds a comma, else items with commas between; true as text."""
    if not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    if value.startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _joined(items: tuple[str, ...]) -> str:
    plain = all("," not in item and not item.startswith("[") and item not in ("true", "false") for item in items)
    return ", ".join(items) if plain else json.dumps(items, ensure_ascii=False)


def _line(values: Mapping[str, Any], name: str, faults: _Faults) -> str:
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        faults.add(name, "This must be text; put it in quotes.")
        return ""
    _judge_line(name, value.replace("\n", " ").replace("\t", " "), faults)
    return " ".join(value.split())


def _items(values: Mapping[str, Any], name: str, faults: _Faults) -> tuple[str, ...]:
    value = values.get(name)
    if value is None:
        return ()
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        faults.add(name, "Give a list of texts; put numbers, dates and yes or no in quotes.")
        return ()
    for item in value:
        _judge_line(name, item.strip(), faults)
    return tuple(dict.fromkeys(" ".join(item.split()) for item in value if item.strip()))


def _flag(values: Mapping[str, Any], name: str, faults: _Faults) -> bool:
    value = values.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    faults.add(name, "Say true or false.")
    return False


def _judge(doc: SkillDocument, faults: _Faults) -> None:
    """The limits of R80, whether the document came from a file or from code."""
    if "name" not in faults.by_field and (not _NAME.match(doc.name) or len(doc.name) > MAX_NAME):
        faults.add(
            "name", f"Use at most {MAX_NAME} lower-case letters, digits and single hyphens, as in 'change-seat'."
        )
    if "description" not in faults.by_field and not doc.description:
        faults.add("description", "Say in one sentence what the skill is for.")
    limits = (("description", MAX_DESCRIPTION), ("license", MAX_LICENSE), ("compatibility", MAX_COMPATIBILITY))
    for name, limit in limits:
        if len(getattr(doc, name)) > limit:
            faults.add(name, f"Keep it within {limit} characters.")
    for name in _LISTS:
        items = getattr(doc, name)
        if len(items) > MAX_ITEMS:
            faults.add(name, f"Give at most {MAX_ITEMS}.")
        longest = MAX_TRIGGER if name == "triggers" else MAX_ITEM
        if any(len(item) > longest for item in items):
            faults.add(name, f"Keep each within {longest} characters.")
    if any(key in _OWN for key, _ in doc.metadata):
        faults.add("metadata", "The hub's own fields have their own places.")
    if not doc.body.strip():
        faults.add("body", "Say below the front matter how the task is done.")
    elif _hidden(doc.body.replace("\n", " ").replace("\t", " ")):
        faults.add("body", "It holds control or invisible characters; remove them.")


def _judge_line(name: str, value: str, faults: _Faults) -> None:
    if _hidden(value):
        faults.add(name, "It holds control or invisible characters; remove them.")


def _hidden(text: str) -> bool:
    """Whether a reviewer would not see all of it: controls, line separators, surrogates, zero width and bidi (R92)."""
    return any(
        unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or (unicodedata.category(c) == "Cf" and c not in _JOINERS)
        for c in text
    )


def _shown(key: object) -> str:
    """A field's name, short and printable: it becomes a key of the answer."""
    return "".join(c for c in str(key)[:60] if c.isprintable()) or "?"


def _invalid(faults: Mapping[str, list[str]]) -> Invalid:
    return Invalid("The SKILL.md is not valid.", errors=faults, code="invalid_skill")
