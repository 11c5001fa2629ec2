"""What stands in an export, row by row and column by column? (R90; security.md, S19)

One table, four uses: the rows are read by it (export.py), the schema is made of it (export_schema.py), docs/export.md
is drawn from it, and a test holds it against the models: a column of a person's rows that neither stands here nor is
named in export_left_out.py fails.
"""

from typing import Final

from accounts.models import Membership, PageLink
from memoryhub.governance.export_columns import (
    FLAG,
    ID,
    MOMENT,
    NUMBER,
    OBJECT,
    OBJECTS,
    TEXT,
    TEXTS,
    WHOLE,
    Column,
    Section,
)
from memoryhub.models import (
    Decision,
    DreamOperation,
    Entry,
    Erasure,
    Event,
    Evidence,
    NoteFile,
    Offload,
    PendingErasure,
    Provenance,
    Recall,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    Session,
    SkillEvidence,
    Subject,
    SubjectMember,
    Turn,
)


def _c(name: str, path: str, type: str, says: str, *, null: bool = False) -> Column:
    return Column(name, path, type, says, null)


SUBJECT: Final = Section(
    "subject", Subject, "Whom it is about.",
    (
        _c("external_id", "external_id", TEXT, "the name under which agents know them"),
        _c("kind", "kind", TEXT, "person, account, site, project or team"),
        _c("display_name", "display_name", TEXT, "as they are called"),
        _c("account", "account.external_id", TEXT, "the account they belong to", null=True),
        _c("timezone", "timezone", TEXT, "the zone in which their dates are told; empty: nobody said"),
        _c("paused", "paused_at", FLAG, "whether nothing new is kept"),
        _c("paused_since", "paused_at", MOMENT, "since when nothing new is kept", null=True),
        _c("paused_by", "paused_by", TEXT, "who paused it", null=True),
        _c("use_existing", "use_existing", FLAG, "whether what is known is used while it is paused"),
        _c("never_keep", "never_keep", TEXTS, "kinds of facts they asked never to keep"),
        _c("created_at", "created_at", MOMENT, "when they were mentioned first"),
    ),
    one=True,
)  # fmt: skip

SIGN_INS: Final = Section(
    "sign_ins", Membership, "Who may open their page by signing in.",
    (
        _c("email", "user.email", TEXT, "the address that signs in"),
        _c("role", "role", TEXT, "always customer"),
        _c("external_id", "subject", TEXT, "whom they see: the subject of this file"),
        _c("since", "created_at", MOMENT, "since when"),
    ),
)  # fmt: skip

PAGE_LINKS: Final = Section(
    "page_links", PageLink, "One-time links onto their page.",
    (
        _c("external_id", "subject", TEXT, "whose page"),
        _c("created_at", "created_at", MOMENT, "when it was asked for"),
        _c("expires_at", "expires_at", MOMENT, "until when it could be opened"),
        _c("used_at", "used_at", MOMENT, "when it was opened", null=True),
    ),
)  # fmt: skip

GROUPS: Final = Section(
    "groups", SubjectMember, "The accounts, sites, projects and teams they may speak for.",
    (
        _c("group", "group.external_id", TEXT, "its name"),
        _c("member", "person.external_id", TEXT, "the subject of this file"),
    ),
)  # fmt: skip

ENTRIES: Final = Section(
    "entries", Entry, "Everything that is remembered about them: every version, also what is no longer in force.",
    (
        _c("id", "id", ID, "names this version"),
        _c("text", "content", TEXT, "the statement"),
        _c("context", "context", TEXT, "who said it and when, in words, as it is searched with"),
        _c("kind", "kind", TEXT, "episodic: what happened; semantic: what is true; procedural: how to act"),
        _c("category", "category", TEXT, "what it is about, such as preference or contact"),
        _c("scope", "scope", TEXT, "who may be given it: subject, account, team, agent or organisation"),
        _c("audience", "audience.external_id", TEXT, "whose readers see it", null=True),
        _c("agent", "agent.slug", TEXT, "the agent whose own note it is", null=True),
        _c("entity", "entity", TEXT, "of typed facts: whom or what it is about"),
        _c("key", "key", TEXT, "of typed facts: which property, such as city"),
        _c("value", "value", TEXT, "of typed facts: the value"),
        _c("single", "single", FLAG, "whether there is one value of that key at a time"),
        _c("episode", "episode", OBJECT, "of what happened: task, when, cause, fix, evidence", null=True),
        _c("language", "language", TEXT, "the language of the statement, as far as it is known"),
        _c("status", "status", TEXT, "proposed, accepted, rejected, replaced, disputed, expired or archived"),
        _c("contested", "contested", FLAG, "whether somebody says that it is wrong"),
        _c("sensitivity", "sensitivity", TEXT, "ordinary, personal or restricted"),
        _c("confidence", "confidence", NUMBER, "0 to 1: how certain the statement was"),
        _c("importance", "importance", NUMBER, "0 to 1: by what it is about"),
        _c("authority", "authority", NUMBER, "0 to 1: by who stands behind it"),
        _c("valid_from", "valid_from", MOMENT, "since when it is true"),
        _c("valid_to", "valid_to", MOMENT, "until when it was true", null=True),
        _c("recorded_at", "recorded_at", MOMENT, "when it was written down"),
        _c("recorded_until", "recorded_until", MOMENT, "until when it counted as true", null=True),
        _c("supersedes", "supersedes_id", ID, "the version that it replaced", null=True),
        _c("last_confirmed_at", "last_confirmed_at", MOMENT, "when somebody last said that it is so", null=True),
        _c("confirmed_by", "confirmed_by", TEXT, "in which role they said so"),
        _c("review_by", "review_by", MOMENT, "when somebody should look again", null=True),
        _c("expires_at", "expires_at", MOMENT, "until when it is kept unless it is confirmed"),
        _c("use_count", "use_count", WHOLE, "how often an agent reported that it helped"),
        _c("last_used_at", "last_used_at", MOMENT, "when one did so last", null=True),
        _c("version", "version", WHOLE, "grows with every change of this row"),
        _c("created_at", "created_at", MOMENT, "when the row was made"),
        _c("updated_at", "updated_at", MOMENT, "when the row changed last"),
    ),
)  # fmt: skip

PROVENANCE: Final = Section(
    "provenance", Provenance, "Where the statement came from.",
    (
        _c("role", "role", TEXT, "in which role it was said: customer, agent, curator, system_of_record, …"),
        _c("channel", "channel", TEXT, "the way it came, such as user_message or document"),
        _c("speaker", "speaker.external_id", TEXT, "whose words they are; null: their own", null=True),
        _c("agent", "agent.slug", TEXT, "the agent that passed it on", null=True),
        _c("session_id", "session_ref", TEXT, "the conversation"),
        _c("event_id", "event_ref", TEXT, "the turn in it"),
        _c("message_id", "message_id", TEXT, "the message, as the agent calls it"),
        _c("ref", "ref", TEXT, "the source, as the caller called it"),
        _c("uri", "uri", TEXT, "its address"),
        _c("quote", "quote", TEXT, "the words it came from, without secrets"),
        _c("verified_by", "verified_by", TEXT, "the record that said the same"),
        _c("said_at", "said_at", MOMENT, "when it was said"),
        _c("recorded_at", "recorded_at", MOMENT, "when it was written down"),
    ),
    inside="entries", one=True,
)  # fmt: skip

SAID_FOR_GROUPS: Final = Section(
    "said_for_groups", Provenance, "What they said about an account, site, project or team that they belong to.",
    (
        _c("id", "entry_id", ID, "names the entry, which belongs to the group"),
        _c("about", "entry.subject.external_id", TEXT, "the group"),
        _c("text", "entry.content", TEXT, "the statement"),
        _c("status", "entry.status", TEXT, "as in entries"),
        _c("quote", "quote", TEXT, "the words it came from, without secrets"),
        _c("said_at", "said_at", MOMENT, "when it was said"),
    ),
)  # fmt: skip

FILES: Final = Section(
    "files", NoteFile, "Files of an agent's memory tool: names, and which entries stand in them.",
    (
        _c("path", "path", TEXT, "the file"),
        _c("lines", "lines", TEXTS, "ids of the entries, in the order of the file"),
        _c("made_at", "made_at", MOMENT, "when it was made"),
        _c("changed_at", "changed_at", MOMENT, "when it changed last"),
    ),
)  # fmt: skip

SESSIONS: Final = Section(
    "sessions", Session, "Conversations, as far as their words are kept: for hours.",
    (
        _c("id", "external_id", TEXT, "as the agent calls it"),
        _c("agent", "agent.slug", TEXT, "with whom"),
        _c("started_at", "started_at", MOMENT, "when it began"),
        _c("last_turn_at", "last_turn_at", MOMENT, "the last exchange"),
        _c("ended_at", "ended_at", MOMENT, "when it was over", null=True),
        _c("expires_at", "expires_at", MOMENT, "when its words are removed at the latest"),
        _c("off_record_since", "off_record_at", MOMENT, "since when, by their word, nothing of it is kept", null=True),
        _c("state", "state", OBJECT, "values the agent pinned, such as the order it is about"),
        _c("current", "current", OBJECT, "what the running exchange did and saw so far"),
        _c("summary", "compacted", TEXT, "what is left of exchanges before the last ones"),
    ),
)  # fmt: skip

TURNS: Final = Section(
    "turns", Turn, "Its last exchanges.",
    (
        _c("number", "number", WHOLE, "its place"),
        _c("event_id", "event_ref", TEXT, "as the agent calls it"),
        _c("user_input", "user_input", TEXT, "what they said, without secrets"),
        _c("assistant_output", "assistant_output", TEXT, "what the agent answered, without secrets"),
        _c("withheld", "withheld", FLAG, "whether its words were not kept because a part of them may not be"),
        _c("struck_at", "struck_at", MOMENT, "when it was taken out of the conversation", null=True),
        _c("at", "occurred_at", MOMENT, "when it was"),
    ),
    inside="sessions",
)  # fmt: skip

PASSAGES: Final = Section(
    "passages", Offload, "Longer texts the agent put aside for the time of the conversation.",
    (
        _c("handle", "id", ID, "by which the agent fetches it"),
        _c("text", "text", TEXT, "the text, without secrets"),
        _c("created_at", "created_at", MOMENT, "when"),
    ),
    inside="sessions",
)  # fmt: skip

EVENTS: Final = Section(
    "events", Event, "Finished exchanges until they are summed up, and thirty days beyond.",
    (
        _c("id", "external_id", TEXT, "as the agent calls it"),
        _c("agent", "agent.slug", TEXT, "with whom"),
        _c("session_id", "session.external_id", TEXT, "the conversation"),
        _c("speaker", "speaker.external_id", TEXT, "who spoke; null: the subject", null=True),
        _c("at", "occurred_at", MOMENT, "when it was"),
        _c("utc_offset", "utc_offset", WHOLE, "minutes east of UTC of the clock that told", null=True),
        _c("received_at", "received_at", MOMENT, "when it came in"),
        _c("consolidated_at", "consolidated_at", MOMENT, "when it was summed up", null=True),
        _c("user_input", "user_input", TEXT, "what they said, without secrets"),
        _c("assistant_output", "assistant_output", TEXT, "what the agent answered, without secrets"),
        _c("withheld", "withheld", TEXT, "why its words were not kept; empty: they were"),
        _c("actions", "actions", OBJECTS, "tools the agent called, and what came of it"),
        _c("observations", "observations", OBJECTS, "what the agent saw"),
        _c("signals", "signals", OBJECTS, "findings of its code, such as a refusal"),
        _c("scope", "scope", TEXTS, "what it was about, by the agent's own names"),
        _c("claims", "claims", OBJECTS, "what was decided about each statement in it"),
    ),
)  # fmt: skip

DECISIONS: Final = Section(
    "decisions", Decision, "What was decided about each text offered for memory, without its words.",
    (
        _c("id", "id", ID, "names it"),
        _c("at", "created_at", MOMENT, "when"),
        _c("role", "role", TEXT, "in which role it was offered"),
        _c("channel", "channel", TEXT, "the way it came"),
        _c("agent", "agent.slug", TEXT, "the agent that offered it", null=True),
        _c("policy_version", "policy_version", WHOLE, "the version of the rules it was judged by"),
        _c("results", "results", OBJECTS, "for each statement: what became of it, why, and every step on the way"),
    ),
)  # fmt: skip

REVIEWS: Final = Section(
    "reviews", ReviewItem, "What a person looked at, or is to look at, before it is used.",
    (
        _c("id", "id", ID, "names it"),
        _c("type", "type", TEXT, "fact, dispute, reconfirm or sample"),
        _c("entry", "entry_id", ID, "the entry in question", null=True),
        _c("rival", "rival_id", ID, "the entry that stands against it", null=True),
        _c("merged_into", "merged_into_id", ID, "the entry that it was put together with", null=True),
        _c("agent", "agent.slug", TEXT, "the agent that proposed it", null=True),
        _c("decision", "decision_id", ID, "the decision that brought it here", null=True),
        _c("why", "why", TEXT, "why a person was asked"),
        _c("reason", "reason", TEXT, "the same as a code"),
        _c("source", "group_source", TEXT, "where it was read, if nobody vouched for that"),
        _c("state", "state", TEXT, "waiting, approved, rejected, merged or withdrawn"),
        _c("waiting_since", "waiting_since", MOMENT, "since when it waits"),
        _c("snoozed_until", "snoozed_until", MOMENT, "put off until", null=True),
        _c("escalated_at", "escalated_at", MOMENT, "when it was put first", null=True),
        _c("asked_at", "asked_at", MOMENT, "when the person was asked about it", null=True),
        _c("proposed_words", "first_yes_text", TEXT, "words that the first of two people said yes to"),
        _c("first_yes_at", "first_yes_at", MOMENT, "when the first of two people said yes", null=True),
        _c("decided_at", "decided_at", MOMENT, "when it was decided", null=True),
        _c("decided_reason", "decided_reason", TEXT, "the reason that was given"),
        _c("reverses", "reverses_id", ID, "the earlier decision that it takes back", null=True),
    ),
)  # fmt: skip

NOTES: Final = Section(
    "notes", ReviewNote, "What those who look after memories told each other about it.",
    (
        _c("about", "item_id", ID, "the review"),
        _c("text", "text", TEXT, "the note"),
        _c("escalates", "escalates", FLAG, "whether it says why it was put first"),
        _c("at", "created_at", MOMENT, "when"),
    ),
)  # fmt: skip

QUESTIONS: Final = Section(
    "questions", ReviewQuestion, "What they were asked, and what they said.",
    (
        _c("question", "text", TEXT, "the question"),
        _c("about", "item.entry_id", ID, "the entry it is about", null=True),
        _c("at", "asked_at", MOMENT, "when"),
        _c("answer", "answer", TEXT, "yes, no or other", null=True),
        _c("text", "answer_text", TEXT, "their own words", null=True),
        _c("answered_at", "answered_at", MOMENT, "when they answered", null=True),
    ),
)  # fmt: skip

RECORDS: Final = Section(
    "records", Record, "What a system of record sent about them.",
    (
        _c("key", "key", TEXT, "which property"),
        _c("value", "value", TEXT, "its value; null: the record says that there is none", null=True),
        _c("from", "pushed_by", TEXT, "who sent it"),
        _c("at", "pushed_at", MOMENT, "when it was sent first"),
        _c("repeated_at", "repeated_at", MOMENT, "when the same was sent last"),
        _c("until", "replaced_at", MOMENT, "when another value took its place", null=True),
    ),
)  # fmt: skip

READINGS: Final = Section(
    "readings", RecordReading, "What records said when they were asked.",
    (
        _c("key", "source.key", TEXT, "which property"),
        _c("state", "state", TEXT, "value, absent or unreachable"),
        _c("value", "value", TEXT, "its value", null=True),
        _c("reason", "reason", TEXT, "why there is none", null=True),
        _c("at", "read_at", MOMENT, "when it was asked"),
    ),
)  # fmt: skip

EVIDENCE: Final = Section(
    "evidence", Evidence, "What was shown for something that is remembered.",
    (
        _c("type", "type", TEXT, "merge, test, document or record"),
        _c("ref", "ref", TEXT, "what it is called"),
        _c("value", "value", TEXT, "what it shows, word by word"),
        _c("session_id", "session_ref", TEXT, "the conversation it came from"),
        _c("from", "given_by", TEXT, "who showed it"),
        _c("at", "given_at", MOMENT, "when"),
    ),
)  # fmt: skip

EXAMPLES: Final = Section(
    "examples", SkillEvidence, "Where one of their conversations is an example of how an agent should act.",
    (
        _c("procedure", "skill.name", TEXT, "the procedure that was learned"),
        _c("session_id", "session_ref", TEXT, "the conversation"),
        _c("event_id", "event_ref", TEXT, "the exchange in it"),
        _c("seen_at", "seen_at", MOMENT, "when it was noticed"),
    ),
)  # fmt: skip

OPERATIONS: Final = Section(
    "operations", DreamOperation, "What summing up their conversations changed.",
    (
        _c("run", "dream_id", ID, "the run that did it"),
        _c("store", "store", TEXT, "episodic, semantic or procedural"),
        _c("op", "op", TEXT, "what became of it"),
        _c("reason", "reason", TEXT, "why, as a code"),
        _c("session_id", "session_ref", TEXT, "the conversation"),
        _c("entry", "entry_id", ID, "the entry, if one was made or changed", null=True),
        _c("procedure", "skill.name", TEXT, "the procedure, if one was", null=True),
    ),
)  # fmt: skip

READS: Final = Section(
    "reads", Recall, "Who was given something about them, and when.",
    (
        _c("id", "id", ID, "names the read"),
        _c("at", "created_at", MOMENT, "when"),
        _c("by", "actor", TEXT, "who asked"),
        _c("agent", "agent.name", TEXT, "the agent it was for", null=True),
        _c("purpose", "purpose", TEXT, "recall or context: an agent asked; page or playground: a person looked; …"),
        _c("tokens", "tokens", WHOLE, "how much was given", null=True),
        _c("used", "used", TEXTS, "the ids of those entries that the agent reported as useful"),
    ),
)  # fmt: skip

RECEIPTS: Final = Section(
    "receipts", Erasure, "What was erased before: counts, never content.",
    (
        _c("id", "id", ID, "names the receipt"),
        _c("what", "ending", TEXT, "how it was asked for: one entry, everything, …"),
        _c("target", "target", ID, "what was named"),
        _c("removed", "removed", OBJECT, "how many rows of what"),
        _c("options", "options", OBJECT, "what doing it again on a restored backup takes: ids and names of kinds"),
        _c("backups_until", "backups_until", MOMENT, "by then no backup holds it any more", null=True),
        _c("remaining", "remaining", WHOLE, "how many were left when it was looked again"),
        _c("by", "requested_by", TEXT, "who asked for it"),
        _c("at", "erased_at", MOMENT, "when"),
    ),
)  # fmt: skip

FORGETTING: Final = Section(
    "forgetting", PendingErasure, "That everything is going to be forgotten, while it can be taken back.",
    (
        _c("asked_at", "asked_at", MOMENT, "when it was asked for"),
        _c("asked_by", "asked_by", TEXT, "who asked"),
        _c("due_at", "due_at", MOMENT, "when it is done"),
        _c("paused_before", "paused_before", FLAG, "whether remembering was paused before"),
        _c("used_before", "used_before", FLAG, "whether what was known was used before"),
    ),
)  # fmt: skip

#: In the order of the document.
SECTIONS: Final = (
    SUBJECT, SIGN_INS, PAGE_LINKS, GROUPS, ENTRIES, PROVENANCE, SAID_FOR_GROUPS, FILES, SESSIONS, TURNS, PASSAGES,
    EVENTS, DECISIONS, REVIEWS, NOTES, QUESTIONS, RECORDS, READINGS, EVIDENCE, EXAMPLES, OPERATIONS, READS, RECEIPTS,
    FORGETTING,
)  # fmt: skip
