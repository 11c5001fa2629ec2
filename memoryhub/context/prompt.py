"""How does the memory part of a prompt read? Its parts as text, in their fixed order (R40).

Pure: values in, text out. What people, pages and tools said stands in quotes on lines of the hub's own making, so that
no content can end its part or pass for another. A profile and the bodies of skills stand as they are: a person approved
every word of them, and they are meant to be followed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memoryhub.recall.escaping import plain, quoted

PROCEDURES_FIRST: Final = (
    "Procedures below were approved by a person. Where a note differs from a procedure, follow the procedure."
)
SKILLS: Final = "Skills of this agent:"
TO_ASK: Final = "To ask the person when it fits:"
CONVERSATION: Final = "This conversation so far:"


def blocks(
    *,
    profile: str,
    index: Sequence[tuple[str, str]],
    memory_file: str,
    skills: Sequence[tuple[str, str]],
    memories: str,
    working: Mapping[str, Any],
    questions: Sequence[str] = (),
) -> dict[str, str]:
    """Each part's text by its name, in the order of the prompt; "" where there is nothing to say.

    `index` holds names and descriptions of skills, `skills` names and bodies of the chosen ones, `memories` the block
    of recalled notes, `questions` what somebody should be asked about them, `working` a session as working.show gives
    it.
    """
    lines = [f"- {name}: {plain(description)}" for name, description in index]
    bodies = [f"## {name}\n{body.strip()}" for name, body in skills]
    return {
        "profile": profile.strip(),
        "skill_index": "\n".join([SKILLS, *lines]) if lines else "",
        "memory_file": memory_file.strip(),
        "skills": "\n\n".join([PROCEDURES_FIRST, *bodies]) if bodies else "",
        "memories": "\n".join([memories, *(f"{TO_ASK} {question}" for question in questions)]).strip(),
        "working": conversation(working),
    }


def conversation(working: Mapping[str, Any]) -> str:
    """Working memory as text: the pinned state, then the last turns; quoted, so that words stay words."""
    lines = [
        f"state {quoted(str(key))} = {quoted(str(value))}" for key, value in sorted(working.get("state", {}).items())
    ]
    if working.get("summary"):
        lines.append(f"earlier: {quoted(str(working['summary']))}")
    for turn in working.get("history", []):
        if turn.get("note"):
            lines.append(plain(str(turn["note"])))
            continue
        lines.append(f"user: {quoted(str(turn.get('user_input', '')))}")
        lines.append(f"assistant: {quoted(str(turn.get('assistant_output', '')))}")
    return "\n".join([CONVERSATION, *lines]) if lines else ""
