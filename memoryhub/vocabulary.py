"""What words exist? Every enumerated word of the hub, once (spec.md section 1 and the rules named below).

Members are stored by their value, so a value is a promise to the database and to the REST contract.
"""

from django.db.models import TextChoices


class Kind(TextChoices):
    """What sort of thing an entry states (R2)."""

    EPISODIC = "episodic", "what happened"
    SEMANTIC = "semantic", "what is true"
    PROCEDURAL = "procedural", "how to act"


class Category(TextChoices):
    """What an entry is about; decides grants, importance and lifetime (R14, R32)."""

    PREFERENCE = "preference", "preference"
    CONTACT = "contact", "contact"
    ACCOUNT_FACT = "account_fact", "account fact"
    PROJECT_FACT = "project_fact", "project fact"
    POLICY_LIMIT = "policy_limit", "policy limit"
    ENTITLEMENT = "entitlement", "entitlement"
    IDENTITY = "identity", "identity"
    INSTRUCTION = "instruction", "instruction"
    EPISODE_OUTCOME = "episode_outcome", "episode outcome"
    LESSON = "lesson", "lesson"
    GENERAL = "general", "general"


class Scope(TextChoices):
    """Who may read an entry (spec section 1)."""

    SUBJECT = "subject", "only in conversations with the subject"
    ACCOUNT = "account", "everyone of the account"
    TEAM = "team", "everyone of the project, site or team"
    AGENT = "agent", "one agent"
    ORGANISATION = "organisation", "the whole organisation"


class SubjectKind(TextChoices):
    """Whom or what a memory is about."""

    PERSON = "person", "person"
    ACCOUNT = "account", "account"
    SITE = "site", "site"
    PROJECT = "project", "project"
    TEAM = "team", "team"


class Status(TextChoices):
    """Where an entry stands (R3); the legal moves are in governance/lifecycle.py."""

    PROPOSED = "proposed", "waiting for a person"
    ACCEPTED = "accepted", "in use"
    REJECTED = "rejected", "declined"
    REPLACED = "replaced", "superseded"
    DISPUTED = "disputed", "disputed"
    EXPIRED = "expired", "lapsed"
    ARCHIVED = "archived", "archived"


class Sensitivity(TextChoices):
    """How careful to be with an entry (R2); ordered from least to most strict."""

    ORDINARY = "ordinary", "ordinary"
    PERSONAL = "personal", "personal"
    RESTRICTED = "restricted", "restricted"


class Channel(TextChoices):
    """How words reached the hub (R4)."""

    USER_MESSAGE = "user_message", "a message by the person"
    AGENT_INFERENCE = "agent_inference", "the agent's own conclusion"
    TOOL_RESULT = "tool_result", "a tool's output"
    DOCUMENT = "document", "a document"
    WEB_PAGE = "web_page", "a web page"
    EMAIL = "email", "an e-mail"
    SYSTEM_OF_RECORD = "system_of_record", "a system of record"
    CURATOR = "curator", "a curator"
    USER_PAGE = "user_page", "the person's memory page"
    DREAM = "dream", "a dream"
    EVIDENCE = "evidence", "evidence"


#: Text nobody vouched for: it can propose at most (R15).
UNTRUSTED_CHANNELS = frozenset({Channel.TOOL_RESULT, Channel.DOCUMENT, Channel.WEB_PAGE, Channel.EMAIL})


class Role(TextChoices):
    """The principal behind a write (spec section 1): decides provenance, never the text (R14)."""

    CUSTOMER = "customer", "the person"
    AGENT = "agent", "agent"
    DREAMER = "dreamer", "dream"
    CURATOR = "curator", "curator"
    SYSTEM_OF_RECORD = "system_of_record", "system of record"
    OPERATOR = "operator", "operator"


class KeyRole(TextChoices):
    """What an API key may do (api.md, roles of keys)."""

    AGENT = "agent", "agent"
    CUSTOMER_RELAY = "customer_relay", "customer relay"
    SYSTEM_OF_RECORD = "system_of_record", "system of record"
    CURATOR = "curator", "curator"
    OPERATOR = "operator", "operator"
    AUDITOR = "auditor", "auditor"


class MemberRole(TextChoices):
    """What a signed-in person is in an organisation (create_user --role)."""

    CURATOR = "curator", "curator"
    OPERATOR = "operator", "operator"
    AUDITOR = "auditor", "auditor"
    CUSTOMER = "customer", "customer"


class SecondFactor(TextChoices):
    """What an organisation asks of those who work in it, besides the password."""

    OFFERED = "offered", "offered to everybody"
    REQUIRED = "required", "asked of everybody who works here"


class Op(TextChoices):
    """What became of one claim (R17)."""

    ADD = "ADD", "added"
    UPDATE = "UPDATE", "updated"
    NOOP = "NOOP", "already known"
    QUEUED = "QUEUED", "waiting for a curator"
    REFUSED = "REFUSED", "refused"
    DISCARDED = "DISCARDED", "not kept"


class Step(TextChoices):
    """The steps of the gate, in order (R10)."""

    SCREEN = "screen", "screen"
    EXTRACT = "extract", "extract"
    CLASSIFY = "classify", "classify"
    AUTHORIZE = "authorize", "authorize"
    RECONCILE = "reconcile", "reconcile"
    ROUTE = "route", "route"


class Reason(TextChoices):
    """Why a claim ended as it did: the machine code, and the plain words a person is shown."""

    COMMITTED = "committed", "Kept."
    SUPERSEDED = "superseded", "Kept as the new version; the earlier one is history now."
    DUPLICATE = "duplicate", "Already known."
    WAITING = "waiting", "The same statement already waits for a curator."
    OLDER = "older", "Said before the current version became valid, so it is kept as history."
    LOW_CONFIDENCE = "low_confidence", "Not certain enough to keep without a person."
    INFERRED = "inferred", "The agent inferred it; a person has to look first."
    UNTRUSTED_CHANNEL = "untrusted_channel", "It came from text nobody vouched for; a person has to look first."
    SETTLED = "settled", "A record that is trusted for this says otherwise, so it is kept as history."
    CONTRADICTS = "contradicts", "It contradicts what is in force and nothing settles which is right."
    LANGUAGE_NOT_HANDLED = "language_not_handled", "The rules do not read this language; a person has to look."
    QUEUE_FULL = "queue_full", "Enough from this source waits for a person already, so it was not kept."
    NOT_A_MEMBER = "not_a_member", "The speaker is not known to speak for this subject."
    BEYOND_MEMBERSHIP = "beyond_membership", "Members don't settle this about it; a person has to look first."
    SUSPICIOUS = "suspicious", "It may be an instruction in disguise; a person has to look first."
    SHARED_SCOPE = "shared_scope", "It would be read by others; a person has to look first."
    PROCEDURE = "procedure", "It changes how the agent acts; a person has to approve it."
    PROPOSE_ONLY = "propose_only", "The agent's policy only lets it propose."
    UNSUPPORTED = "unsupported", "Nothing backs it yet; a person has to look first."
    MENTIONS_OTHER = "mentions_other", "It names another person; a person has to look first."
    PERSONAL_DATA = "personal_data", "It holds personal data; a person has to look first."
    ASSERTS_NOTHING = "asserts_nothing", "It states nothing that could be remembered."
    NOT_DURABLE = "not_durable", "It matters only for this moment."
    RECALLED_NOTE = "recalled_note", "It repeats a note the hub gave out."
    NOT_OWN_CLAIM = "not_own_claim", "It is not the speaker's own statement about themselves."
    KIND_OFF = "kind_off", "The policy keeps nothing of this kind."
    SAMPLED = "sampled", "Chosen for a person to sample."
    INJECTION = "injection", "It reads like an attempt to instruct the agent."
    SECRET = "secret", "Keys, passwords and tokens are never kept."
    SENSITIVE = "sensitive", "This kind of personal data is never kept."
    THIRD_PARTY = "third_party", "Another person's data is not kept."
    ASKED_NOT_TO_KEEP = "asked_not_to_keep", "The person asked not to keep it."
    FORGOTTEN = "forgotten", "The person had it forgotten; only they can bring it back, by saying it again."
    AUTHORITY_CLAIM = (
        "authority_claim",
        "A limit, right or verified identity can't be claimed by the person it benefits.",
    )
    NEEDS_TWO = "needs_two", "Two curators have to say yes to it."
    NOT_GRANTED = "not_granted", "This role may not write this."
    PAUSED = "paused", "Remembering is paused for this person."
    NEW_EVIDENCE = "new_evidence", "A curator declined it before; there is new evidence, so a person looks again."
    DECLINED_BEFORE = "declined_before", "A curator declined the same statement; it needs new evidence."
    INVALID_SKILL = "invalid_skill", "The skill does not fit its agent."
    LAPSES = "lapses", "It lapses soon; somebody has to say whether it is still so."
    REFLECTED = "reflected", "It sums up what recurred in several sessions; a person has to look first."
    ALTERED = "altered", "It is not what was approved, so it was taken out of use; a person has to look."


class Form(TextChoices):
    """How a claim was put; decides the starting confidence (R14)."""

    ASSERTION = "assertion", "said outright"
    IMPLIED = "implied", "implied"
    HEDGED = "hedged", "hedged"
    INFERENCE = "inference", "inferred by an agent"


class ReviewType(TextChoices):
    """What kind of item waits for a curator (api.md, curation)."""

    FACT = "fact", "fact"
    SKILL = "skill", "skill"
    PROFILE = "profile", "profile"
    DISPUTE = "dispute", "dispute"
    RECONFIRM = "reconfirm", "re-confirmation"
    SAMPLE = "sample", "sample"


class ReviewState(TextChoices):
    """Where a review item stands."""

    WAITING = "waiting", "waiting"
    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"
    MERGED = "merged", "merged into another"
    WITHDRAWN = "withdrawn", "withdrawn"


class Answer(TextChoices):
    """What a person says when a curator asks whether something is so."""

    YES = "yes", "it is so"
    NO = "no", "it is not so"
    OTHER = "other", "it is otherwise"


class Density(TextChoices):
    """How much of a list stands on one screen."""

    ROOMY = "roomy", "roomy"
    DENSE = "dense", "dense"


class FourEyes(TextChoices):
    """For what a policy may ask two curators to say yes (R92)."""

    SKILLS = "skills", "skills and profiles"
    POLICY_LIMITS = "policy_limits", "limits, rights and identities"


class SkillStatus(TextChoices):
    """Where a version of a skill or a profile stands (R80)."""

    PROPOSED = "proposed", "waiting for a curator"
    ACTIVE = "active", "active"
    REJECTED = "rejected", "declined"
    RETIRED = "retired", "retired"


class EmbeddingState(TextChoices):
    """Whether an entry can be found by meaning yet."""

    READY = "ready", "ready"
    PENDING = "pending", "pending"
    FAILED = "failed", "failed"


class JobState(TextChoices):
    """Where a background job stands (architecture.md, known edges)."""

    QUEUED = "queued", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    PARKED = "parked", "parked"


class DreamStatus(TextChoices):
    """Where a dream stands (api.md, dreams)."""

    QUEUED = "queued", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class Chore(TextChoices):
    """The jobs of housekeeping, in the order in which they run (R77, R78)."""

    RECHECK = "recheck", "hold facts against their records"
    ASK = "ask", "ask whether what lapses soon is still so"
    FOLD = "fold", "fold old episodes into one dated line"
    EXPIRE = "expire", "let lapse what nobody confirmed"
    ERASE = "erase", "erase what lapsed long ago"
    MERGE = "merge", "merge what says the same"
    ARCHIVE = "archive", "put aside what nobody uses"
    REFLECT = "reflect", "propose what recurred in many episodes"
    AUDIT = "audit", "compare skills in force with what was approved"


class Deed(TextChoices):
    """What housekeeping did to one entry or skill."""

    CONFIRMED = "confirmed", "confirmed by its record"
    CORRECTED = "corrected", "corrected by its record"
    UNREACHABLE = "unreachable", "its record could not be asked"
    ASKED = "asked", "somebody is asked whether it is still so"
    FOLDED = "folded", "folded into a dated line"
    EXPIRED = "expired", "lapsed"
    ERASED = "erased", "erased, as it had lapsed long ago"
    MERGED = "merged", "merged into another that says the same"
    ARCHIVED = "archived", "put aside, as nobody used it"
    PROPOSED = "proposed", "proposed to a curator"
    DEACTIVATED = "deactivated", "not what was approved, so out of use"


class Store(TextChoices):
    """The three long-term stores a dream reports on (R76)."""

    EPISODIC = "episodic", "what happened"
    SEMANTIC = "semantic", "what is true"
    PROCEDURAL = "procedural", "how to act"


class Caution(TextChoices):
    """What to be careful about in a recalled item (R34)."""

    STALE = "stale", "past its review date"
    SOURCE_CHANGED = "source_changed", "its source changed since it was checked"
    UNCHECKED = "unchecked", "nobody but the speaker confirmed it"
    CONTESTED = "contested", "somebody disputes it"


class SensitiveData(TextChoices):
    """What may never be kept as it stands, by family (R12); the policy says how each is treated."""

    SECRET = "secret", "passwords, keys and tokens"
    PAYMENT = "payment", "cards and bank accounts"
    GOVERNMENT_ID = "government_id", "numbers a state gave somebody"
    HEALTH = "health", "health"
    CONTACT = "contact", "the person's own phone numbers and addresses"
    PERSONAL = "personal", "dates of birth and the like"
    THIRD_PARTY = "third_party", "another person's contact, health, money or number"


class Treatment(TextChoices):
    """What becomes of sensitive data in a statement, mildest first (R12)."""

    KEEP = "keep", "kept"
    QUEUE = "queue", "a person decides"
    REDACT = "redact", "taken out; refused where it is the whole statement"
    REFUSE = "refuse", "the statement is refused"


class PolicyMode(TextChoices):
    """How far an agent's policy lets a kind of memory go (R16)."""

    OFF = "off", "nothing is kept"
    PROPOSE_ONLY = "propose_only", "a person confirms everything"
    RULES = "rules", "the rules decide"


class Remembers(TextChoices):
    """What of its finished turns an agent keeps (R79)."""

    ALL = "all", "what happened"
    FAILURES = "failures", "only how runs fail"


class RecallProfile(TextChoices):
    """Which scoring formula orders recalled items (R32)."""

    GOVERNED = "governed", "six signals"
    GENERATIVE_AGENTS = "generative_agents", "recency, importance, relevance"


class Ending(TextChoices):
    """How an erasure was asked for; part of its receipt and audit row (R91)."""

    ENTRY = "entry", "one entry"
    KIND = "kind", "everything of one kind"
    CONVERSATION = "conversation", "one conversation"
    SUBJECT = "subject", "everything about one subject"
    LAPSED = "lapsed", "what had lapsed"


class EvidenceType(TextChoices):
    """What somebody shows for a proposal (R19)."""

    MERGE = "merge", "a merged change"
    TEST = "test", "a test run"
    DOCUMENT = "document", "a document"
    RECORD = "record", "a record"


class SourceKind(TextChoices):
    """Where the record of a mapped key is read (R36)."""

    PUSHED = "pushed", "a record that was pushed here"
    HTTP = "http", "an address that answers JSON"
    FILE = "file", "a file and a pattern"


class ReadingState(TextChoices):
    """What asking a record came to (R36)."""

    VALUE = "value", "it says a value"
    ABSENT = "absent", "it holds none"
    UNREACHABLE = "unreachable", "it could not be read"
