"""Does a text carry what prompts are built with: tags of their blocks, tokens of chat templates, labels of roles? (R11)

Whoever builds a prompt out of items has no other fence around them than such marks, so text that brings its own could
close the fence and speak for the system. What a mark is called can't be listed: an application names its blocks as it
likes. So a tag counts by the words its name is made of, and markup that merely resembles it (namespaces, generics,
headers of a library, a tag that is only talked about) is told apart by how it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memoryhub.recall.escaping import BLOCK, MARK, angled
from memoryhub.working.normalisation import INVISIBLE, listed

#: What the blocks of prompts are called after, and the words that stand beside these in such names.
_CORE: Final = (
    r"(?:memory|memories|contexts?|systems?|instructions?|tools?|functions?|prompts?|assistants?|developers?|llm)"
)
_BESIDE: Final = (
    r"(?:notes?|messages?|reminders?|calls?|results?|uses?|responses?|outputs?|inputs?|retrieved|recalled|relevant|"
    r"additional|available|history|policy|policies|rules?|data|blocks?|override|begin|end|start|turns?|knowledge|facts?|"
    r"profile|background|hidden|internal|external|search|long|term|user|users|human|agents?|model|ai|chat|conversation|"
    r"sessions?|items?|info|information|entries|records?|section|documents?|sub|pre|post|my|the|of)"
)
_CALLED_AFTER: Final = re.compile(_CORE)
_KNOWN_PART: Final = re.compile(rf"(?:{_CORE}|{_BESIDE})+")
_ROLE: Final = (
    r"(?:system|assistant|developer|admin(?:istrator)?|root|user|human|tool|function|model|ai|agent|operator)"
)
_SPEAKS: Final = (
    r"(?:[ _-]{0,2}(?:prompts?|messages?|notes?|instructions?|override|updates?|notice|commands?|turn|role))?"
)

_TAG: Final = re.compile(
    r"(?<!<)(?P<open>[<\u00ab])\s{0,3}(?P<slash>[/\\]?)\s{0,3}(?P<name>[a-z][\w:.-]{0,60})"
    r"(?P<more>\s[^<>\u00ab\u00bb\n]{0,160})?(?P<close>/?[>\u00bb])?"
)
_BRACKETED: Final = re.compile(
    r"\[\s{0,2}(?:/|(?:end|begin|start)(?: of)?(?: the)? )\s{0,2}(?P<name>[a-z][\w -]{1,40})\]|"
    r"\{\{\s{0,2}[/#]\s{0,2}(?P<curly>[a-z][\w -]{1,40})\}\}|"
    r"(?:^|\n)[ \t]{0,8}(?:-{3,20}|={3,20}|\*{3,20}|#{3,20})[ \t]{0,3}(?:(?:end|begin|start)(?: of)?(?: the)? )?"
    r"(?P<ruled>[a-z][\w -]{1,40}?)[ \t]{0,3}(?:-{3,20}|={3,20}|\*{3,20}|#{3,20})[ \t]{0,3}(?=\n|$)"
)
#: Tokens of chat templates. Those with a name of their own are nothing else; others are, once in a while, markup.
_TOKEN: Final = re.compile(
    r"<\|(?:(?:im|fim)_\w{2,16}|start|end|message|channel|return|call|constrain|system|user|assistant|developer|"
    r"tool\w{0,12}|"
    r"observation|pad|bos|eos|sep|python_tag|endof\w{2,12}|startof\w{2,12}|"
    r"(?:begin|end|start)[_ \u2581]of[_ \u2581]\w{2,20}|"
    r"(?:start|end)_header_id|e[o0][tm]_id|(?:start|end)_of_\w{2,20})\|>|"
    r"\[/?(?:inst|sys|available_tools|tool_calls?|tool_results?|system_prompt|tool_content)\]|<</?sys>>|"
    r"<(?:start|end)_of_(?:turn|image|text|role)>"
)
_TOKEN_PERHAPS: Final = re.compile(
    r"<\|[a-z][a-z0-9_\u2581-]{1,40}\|>|<\|[a-z]{2,20}[ \u2581][a-z \u2581]{2,30}\|>|"
    r"(?<!\w)<(?:s|bos|eos|unk)>|</(?:s|bos|eos|unk)>"
)
_HEADING: Final = re.compile(
    rf"(?:^|\n)\s{{0,3}}#{{1,6}}[ \t]{{0,3}}(?P<role>{_ROLE}|instructions?|response|input|context|memory){_SPEAKS}"
    r"[ \t]{0,3}:(?P<rest>[^\n]{0,200})"
)
#: A role's label where a line begins that is not the text's first, and behind a tag of any kind.
_TURN: Final = re.compile(
    rf"\n[ \t>*_#\"'`-]{{0,8}}(?P<role>system|assistant|developer|human|ai){_SPEAKS}[*_\"'`]{{0,3}}"
    r"[ \t]{0,2}:(?P<rest>[^\n]{0,200})"
)
_TURNS: Final = re.compile(rf"(?:^|\n)[ \t>*_#-]{{0,8}}{_ROLE}{_SPEAKS}[*_]{{0,2}}[ \t]{{0,2}}:")
_AFTER_ANY_TAG: Final = re.compile(
    rf"</?[a-z][\w:.-]{{0,40}}(?:\s[^<>\n]{{0,120}})?/?>[\s\W]{{0,12}}(?P<role>{_ROLE}){_SPEAKS}(?:</\w{{1,10}}>)?"
    rf"[ \t*_]{{0,3}}:(?P<rest>[^\n]{{0,200}})"
)
_LABEL_NEXT: Final = re.compile(
    rf"[\s\W]{{0,12}}(?:(?:\w{{1,12}}\s){{0,2}}{_ROLE}{_SPEAKS}[ \t*_]{{0,3}}[:=>]|"
    rf"(?:system|assistant|developer|admin|administrator|root){_SPEAKS}\b)"
)
#: A tag that is talked about: named as one, or as the header of a library.
_MENTIONED_BEFORE: Final = re.compile(
    r"(?:\binclude|\bimport|\b(?:tags?|elements?|components?|headers?|class|type|namespace)(?: (?:called|named))?)"
    r"\s{0,3}[`\"']?$"
)
_MENTIONED_AFTER: Final = re.compile(
    r"[`\"']?\s{0,2}(?:tags?|elements?|components?|headers?|attributes?|blocks?|nodes?|sections?|library|placeholders?|"
    r"fields?|type)\b"
)
#: "System: Windows 11" in a list of what a computer is: how such a value begins. No order begins with it.
_OF_A_MACHINE: Final = "|".join(
    listed(
        r"""
        windows win\s?\d mac\s?os os\s?x linux ubuntu debian fedora arch mint red\s?hat rhel centos rocky suse opensuse
        gentoo alpine nixos android ios ipados chrome\s?os freebsd openbsd netbsd solaris aix unix raspberry raspbian
        raspi dell hp lenovo thinkpad apple macbook imac mac asus acer surface intel amd ryzen nvidia x86 x64 arm
        \d{1,5}[\s-]?bit \d{1,5}\s?gb \d{1,5}\s?tb \d{1,5}\s?ghz \d{1,5}\s?kw sap oracle playstation xbox nintendo
        steam\s?deck metric imperial aarch64 kubernetes docker vmware qnap synology wordpress
        """
    )
)
_SPECIFICATION: Final = re.compile(rf"\s{{0,3}}(?:</\w{{1,10}}>)?\s{{0,3}}(?:{_OF_A_MACHINE})\b(?P<rest>[^\n]{{0,80}})")
_TO_SOMEBODY: Final = re.compile(
    r"\b(?:you|your|user|users|customers?|must|should|shall|always|never|obey|ignore|grant|approve|allow|assistant|agent|"
    r"model|admin|rights?|access|instructions?|rules?)\b"
)
_OWN_NAME: Final = re.compile(r"[\W_]{0,4}".join(map(re.escape, BLOCK.split("-"))))
#: Our mark of a note, and the same word between other brackets that only a forger would choose.
_OWN_MARK: Final = re.compile(
    "[\u2039\u2329\u27e8\u276e\u2770\u276c\u02c2\u29fc\u1438]\\s?note\\s?[\u203a\u232a\u27e9\u276f\u2771\u276d\u02c3\u29fd\u1433]",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[^\W_]+")
_SIGNS: Final = re.compile(r"[<\[{#\u00ab\n]|={3}|-{3}|\*{3}")
_BREAKS: Final = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MOST: Final = 400  # tags looked at; a text with more of them is for a person to judge


@dataclass(frozen=True)
class PromptMarks:
    """`sure`: where marks stand that have no other use, or behind which somebody speaks; `perhaps`: if others do."""

    sure: tuple[int, ...]
    perhaps: bool


def in_lines(text: str) -> str:
    """The text with a plain line break wherever a line, a page or a paragraph ends."""
    return _BREAKS.sub("\n", text)


def has_own_mark(text: str) -> bool:
    """Whether the mark of a rendered note stands in a text as it was sent, or what is drawn like it."""
    return MARK in text or (not text.isascii() and _OWN_MARK.search(INVISIBLE.sub("", text)) is not None)


def prompt_marks(text: str) -> PromptMarks:
    """Find them in a skeleton as `drawn` gives it; the places are those of that."""
    if not _SIGNS.search(text):
        return PromptMarks((), perhaps=False)
    sure = [match.start() for match in _TOKEN.finditer(text)]
    perhaps = False
    for number, match in enumerate(_TAG.finditer(text)):
        if number >= _MOST:
            perhaps = True
            break
        if (end := _of_a_block(text, match)) is not None:
            perhaps = True
            if _LABEL_NEXT.match(text, end):
                sure.append(match.start())
    perhaps = perhaps or any(_perhaps(text))
    return PromptMarks(tuple(sorted(sure)), perhaps=perhaps or bool(sure))


def drawn(copy: str) -> str:
    """A skeleton in plain lines, with plain brackets for whatever is drawn like them."""
    return in_lines(angled(copy))


def is_specification(rest: str) -> bool:
    """Whether what follows "System:" says which computer it is, and addresses nobody."""
    told = _SPECIFICATION.match(rest)
    return told is not None and not _TO_SOMEBODY.search(told["rest"])


def _perhaps(text: str) -> Iterator[bool]:
    yield _TOKEN_PERHAPS.search(text) is not None and not _only_mentioned(text, _TOKEN_PERHAPS)
    for match in _BRACKETED.finditer(text):
        name = match["name"] or match["curly"] or match["ruled"]
        words = _WORDS.findall(name)
        yield any(map(_is_core, words)) and all(map(_KNOWN_PART.fullmatch, words))
    for labelled in (_HEADING, _TURN, _AFTER_ANY_TAG):
        for match in labelled.finditer(text):
            yield not (match["role"] == "system" and is_specification(match["rest"]))
    yield sum(1 for _ in zip(_TURNS.finditer(text), range(2), strict=False)) == 2 and "user" in text


def _of_a_block(text: str, match: re.Match[str]) -> int | None:
    """Where the mark ends, if this is a tag of a prompt's block; None where it is other markup."""
    closing, ended = bool(match["slash"]), match["close"] is not None
    if (own := _OWN_NAME.match(text, match.start("name"))) and (closing or ended):
        return match.end() if ended else own.end()
    if match["open"] == "\u00ab" and not closing:  # quotation marks, in many languages
        return None
    if not closing and (not ended or text[match.start() - 1 : match.start()].isalnum()):  # "a <tool", "List<Context>"
        return None
    more = match["more"] or ""
    words = _WORDS.findall(re.split(r"[:.]", match["name"])[-1])  # of a name in a namespace, what it names
    if ended and "=" not in more:  # no attributes, so they belong to the name
        rest = _WORDS.findall(more)
        if rest and not closing and not all(map(_KNOWN_PART.fullmatch, rest)):
            return None
        words += rest
    if not any(map(_is_core, words)):
        return None
    if _is_mentioned(text, match) and not (_KNOWN_PART.fullmatch(words[-1]) and (closing or len(words) > 1)):
        return None
    return match.end() if ended else match.end("name")


def _is_core(word: str) -> bool:
    """Whether a block is called after it: "context", and "usercontext", but not "contextual"."""
    return _KNOWN_PART.fullmatch(word) is not None and _CALLED_AFTER.search(word) is not None


def _is_mentioned(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 40) : match.start()]
    return bool(_MENTIONED_BEFORE.search(before) or _MENTIONED_AFTER.match(text, match.end()))


def _only_mentioned(text: str, pattern: re.Pattern[str]) -> bool:
    return all(_is_mentioned(text, match) for match in pattern.finditer(text))
