"""May what somebody typed beside the queue be kept, and in which form? Notes, reasons, questions, answers (R12).

Such words are never recalled and instruct nobody, so a quoted attack may stand in them; secrets and what is never kept
may not.
"""

from typing import Final

from memoryhub.errors import Invalid
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.treatment import treat
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel
from memoryhub.working.normalisation import tidy

EMPTY: Final = "Write a few words."


def kept(text: str, *, field: str, most: int, by: Principal, channel: Channel = Channel.CURATOR) -> str:
    """The words as they may be kept, secrets taken out. Raises Invalid where there are none, too many, or nothing of a
    sentence may be kept."""
    words = tidy(text).strip()
    if not words:
        raise Invalid(errors={field: [EMPTY]})
    if len(words) > most:
        raise Invalid(errors={field: [f"At most {most} characters."]})
    treated = treat(words, channel=channel, treatments=in_force(by.organisation).treatments)
    if treated.refused:
        raise Invalid(errors={field: [f"{treated.refused.label} Leave it out."]}, code=str(treated.refused))
    return treated.text.strip()[:most]
