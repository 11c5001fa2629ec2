"""Something stands behind what waits: /evidence (api.md, evidence and records; R19)."""

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Many, Strict, Text, uuid_or_none
from memoryhub.api.shapes import OutcomeOut
from memoryhub.conf import BACKED
from memoryhub.errors import NotFound
from memoryhub.governance import evidence
from memoryhub.governance.support import Shown
from memoryhub.vocabulary import EvidenceType


class EvidenceIn(Strict):
    """What is shown, and for what: the entries in `backs`, or the note about the fix of a session."""

    type = Choice(choices=EvidenceType.choices)
    ref = Text(max_length=500, help_text="what to call it: a pull request, a run, a file")
    value = Text(help_text="what it shows, word by word", **OPTIONAL)
    session_id = ExternalId(**OPTIONAL)
    backs = Many(child=Text(max_length=100), max_length=BACKED, help_text="ids of entries", **OPTIONAL)


class EvidenceView(HubView):
    """/evidence"""

    @operation("give_evidence", body=EvidenceIn, answers={200: OutcomeOut})
    def post(self, call: Call) -> Answer:
        """Show what stands behind waiting proposals: what it shows is accepted, the rest goes on waiting.

        A merge or a test backs the note about that fix alone. One result per entry, two where only a part is backed.
        Out of a conversation that is not to be remembered it is refused, `off_record`.
        """
        sent = call.body
        ids = [uuid_or_none(text) for text in sent["backs"] or []]
        if None in ids:
            raise NotFound
        shown = Shown(EvidenceType(sent["type"]), sent["ref"].strip(), sent["value"] or "", sent["session_id"] or "")
        with call.anywhere():
            outcome = evidence.give(shown=shown, backs=[one for one in ids if one], by=call.by, now=call.now)
        about = {result.entry.subject_id for result in outcome.results if result.entry is not None}
        return Answer(rendering.outcome_json(outcome), about=about.pop() if len(about) == 1 else None)
