"""What does a correction keep of the entry it corrects, and how does a statement read with another value? (api.md,
PATCH /memories)

A correction changes what is said. Who may read it, what it is, how careful to be with it and where it came from stay.
"""

import re
from dataclasses import replace

from memoryhub.errors import NotFound
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry, Provenance
from memoryhub.vocabulary import Category, Kind, Role, Scope, Sensitivity


def carried_over(proposal: Proposal) -> Proposal:
    """The proposal with all that its correction keeps. Called under the subject's lock: the entry is read again, since
    somebody may have corrected it first. Raises NotFound when it was erased meanwhile.
    """
    if proposal.corrects is None:
        return proposal
    read = proposal.corrects
    entry = Entry.objects.filter(pk=read.pk).select_related("provenance", "audience").first()
    if entry is None:
        raise NotFound
    proposal = replace(
        proposal,
        corrects=entry,
        scope=Scope(entry.scope),
        sensitivity=proposal.sensitivity or Sensitivity(entry.sensitivity),
        source=_source(entry, entry.provenance) if proposal.source == Source() else proposal.source,
    )
    if proposal.role != Role.CUSTOMER:
        return replace(proposal, kind=Kind(entry.kind), category=Category(entry.category))
    if proposal.speaker is None and entry.provenance.speaker_id != entry.subject_id:
        # The member who spoke for a group, as the caller read it: among what is readable about the group they are not.
        proposal = replace(proposal, speaker=read.provenance.speaker)
    if entry.kind == Kind.EPISODIC:
        return proposal  # a person tells their side of what happened as a statement of their own
    return replace(proposal, kind=Kind(entry.kind), category=Category(entry.category))


def restated(entry: Entry, value: str) -> str:
    """The entry's own sentence with `value` where its old value stands; else the key's words before it."""
    old, new = entry.value.strip(), value.strip()
    if old:
        whole_words = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
        if whole_words.search(entry.content):
            return whole_words.sub(lambda _: new, entry.content, count=1)
    if not entry.key:
        return new
    return f"{entry.key.replace('_', ' ')}: {new}"


def _source(entry: Entry, origin: Provenance) -> Source:
    """Where the words stand; a quote that is the old statement itself is left with the old version."""
    quote, content = normalised(origin.quote), normalised(entry.content)
    own = content in quote or quote in content
    return Source(ref=origin.ref, uri=origin.uri, quote="" if own else origin.quote)
