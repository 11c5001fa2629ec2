"""Which tools would a yes put into an agent's hands that change things outside? Such a yes is asked for twice (R82)."""

from memoryhub.governance.procedures import tools_of
from memoryhub.models import Skill


def acting_tools(skill: Skill) -> tuple[str, ...]:
    """The tools a skill names that have side effects, in its own order."""
    acting = {tool.name for tool in tools_of(skill.agent) if tool.side_effects}
    return tuple(name for name in skill.tools if name in acting)
