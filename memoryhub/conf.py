"""How much, how long, how many? The hub's own numbers, each with its unit and its reason."""

from datetime import UTC, datetime, timedelta

# Sizes of input -------------------------------------------------------------------------------------------------
MAX_TEXT_BYTES = 64 * 1024  # one text; api.md answers 413 above it
MAX_BODY_BYTES = 1024 * 1024  # one request body; api.md answers 413 above it
MAX_EXTERNAL_ID = 200  # characters of a caller's own id
MAX_BATCH = 500  # turns in one POST /turns:batch
MAX_PAGE = 200  # rows of one list page
DEFAULT_PAGE = 50

# Times callers may name: beyond them dates can't be shifted between zones or by a lifetime
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2200, 1, 1, tzinfo=UTC)

# Routing (R16): defaults of an agent's policy --------------------------------------------------------------------
COMMIT_AT = 0.8
DISCARD_BELOW = 0.3
UNTRUSTED_CLAIMS_PER_CALL = 3  # R15: what a document may propose in one call
UNTRUSTED_WAITING_PER_GROUP = 20  # of one source: more than that nobody reads one by one, and a yes is one by one
UNTRUSTED_PER_AGENT_AND_DAY = 100  # of all sources: about an hour of a curator's day, at half a minute a look
UNTRUSTED_PERIOD = timedelta(days=1)
INFERRED_WAITING = 20  # conclusions of one agent that wait in turn; further ones stand back as unvouched texts do
UNTRUSTED_STEP_BACK = timedelta(minutes=30)  # each one that waits puts the same agent's next one so much further back

# What becomes of sensitive data in a statement (R12), as shipped; an organisation's policy may be stricter
TREATMENT = {
    "secret": "redact", "payment": "refuse", "government_id": "refuse", "health": "refuse",
    "contact": "keep", "personal": "keep", "third_party": "refuse",
}  # fmt: skip

# Records and evidence (R18, R19, R36) ------------------------------------------------------------------------------
RECORD_SECONDS = 2.0  # wall clock; the default of MEMORYHUB_RECORD_SECONDS
RECORD_BYTES = 256 * 1024  # of one answer or file
RECORD_VALUE = 2000  # characters of one value, as POST /memories takes them
RECORD_KEYS = 100  # in one push
RECORD_FETCHES = 3  # sources one call may ask: text nobody vouched for can't set off many
RECORD_REST = timedelta(seconds=30)  # for a source that did not answer in time
UNREACHABLE_FRESH = timedelta(seconds=30)  # how long a source counts as not to be reached, once it was not
SOURCES = 200  # mapped keys of one agent
BACKED = 50  # entries one evidence may name

# The optional model for languages the rules do not read (R13) -----------------------------------------------------
EXTRACTOR_SECONDS = 10  # wall clock; the default of MEMORYHUB_EXTRACTOR_SECONDS
EXTRACTOR_BYTES = 256 * 1024  # of one answer
EXTRACTOR_CALLS = 4  # at once in one process: each holds a database connection while it waits
EXTRACTOR_REST = timedelta(seconds=30)  # for a model that did not answer in time
EXTRACTOR_TEXT = 8000  # characters of a message that is shown to it; what is longer is a text, not a message
EXTRACTOR_CLAIMS = 10  # of one message; more is no message but a flood
EXTRACTOR_QUOTE = 300  # characters of one claim's quote: one statement, not the whole of a long message
EXTRACTOR_VALUE = 200  # characters of one claim's value

# Confidence by form (R14) ----------------------------------------------------------------------------------------
CONFIDENCE = {"assertion": 0.9, "implied": 0.7, "hedged": 0.5, "inference": 0.7}

# Scoring (R32): the weights add up to 1.10 on purpose --------------------------------------------------------------
WEIGHTS = {
    "relevance": 0.40,
    "recency": 0.20,
    "importance": 0.15,
    "authority": 0.15,
    "frequency": 0.10,
    "validity": 0.10,
}
RECENCY_HALF_LIFE = timedelta(days=14)
FREQUENCY_FULL_AT = 21  # ln(1 + used) / ln 21: twenty useful recalls count in full
IMPORTANCE = {
    "policy_limit": 1.0, "entitlement": 1.0, "identity": 1.0, "lesson": 1.0,
    "account_fact": 0.8, "contact": 0.8, "project_fact": 0.8, "instruction": 0.8,
    "preference": 0.6, "episode_outcome": 0.5, "general": 0.3,
}  # fmt: skip
AUTHORITY = {
    "system_of_record": 1.0, "curator": 1.0, "evidence": 1.0,
    "agent_inference": 0.6, "tool_result": 0.6, "dream": 0.6,
    "user_message": 0.3, "user_page": 0.3,
    "document": 0.1, "web_page": 0.1, "email": 0.1,
}  # fmt: skip

VERIFIED = AUTHORITY["system_of_record"]  # from here on a record, a curator or evidence stands behind it

# Recall (R33) ----------------------------------------------------------------------------------------------------
MAX_EPISODIC = 5
MAX_SEMANTIC = 10
TOKEN_BUDGET = 500
LEXICAL_SHARE = 0.5  # of the fused relevance; the rest is meaning (docs/recall.md)
MEANING_ALONE = 0.6  # of the meaning counts where the words say less: other words for the same
IMAGINED_ENTRIES = 100  # that hold no word of the question: rarity in a small store
NAMED_SPEAKER = 0.15  # of the gap to full relevance, for what the person named in the question said
NAMED_TIME = 0.15  # the same for what was said in the month or year it names
NEIGHBOUR = 0.5  # and for what stands beside something relevant, of that one's relevance
SAME_SESSION = 0.3  # and for what was said in the same conversation as something relevant, of that one's relevance
ASKS = 0.1  # of the relevance is lost by what is itself a question
CONSIDERED = 30  # of the ranked, best first, for the budgets; more than the default limits could ever take
CANDIDATES = 50  # of those that may pass the bar, by the score as far as the database can tell it
SCANNED = 3000  # entries in reach that are compared exactly, every one; of more, the older are a crowd (crowds.py)
STAY_OUT = 500  # the newest of an audience with a crowd, which are always compared
NEAREST = 600  # of a crowd that are compared, of whatever age
NEWEST, FRESH = 4000, 400  # of its newest so many, the nearest so many are compared besides
STAND_OUT = 150  # of those, that are compared again with what was said right before and after them
RARE = 500  # entries of a crowd that hold a word: up to so many, all of them are compared
LOTS = 64  # that a crowd is drawn into at random: one of them tells how frequent a word is
MIN_RELEVANCE = 0.2  # absolute bar on the relevance, from the abstention curve in docs/recall.md

# The graph (R39): bounds of one answer ---------------------------------------------------------------------------
GRAPH_HOPS = 2  # where the question does not say; four at most
GRAPH_FACTS = 20_000  # looked at, newest first: one statement turns them over in half a second
GRAPH_BREADTH = 50  # facts followed from one node, the most important first
GRAPH_PATHS = 500  # in one answer; more is no answer

# Search in sessions (api.md) ---------------------------------------------------------------------------------------
SEARCHED_EVENTS = 5000  # of one subject, newest first; a month of a busy one
SEARCHED_CHARACTERS = 20_000_000  # of their words, which are opened in memory
EXCERPT_CHARACTERS = 300

# Context (R40, R41) ----------------------------------------------------------------------------------------------
ACTIVE_SKILLS = 3
MEMORY_FILE_FACTS = 5
MEMORY_FILE_CHARACTERS = 1000
PROCEDURE_TOKEN_BUDGET = 4000  # R81: a profile plus the three largest skills
MAX_SKILL_BYTES = 32 * 1024  # one SKILL.md; twice what the token budget above could ever carry

# Memory files (R112): of one subject ------------------------------------------------------------------------------
MEMORY_FILES = 100
FILE_LINES = 200  # in one file
FILE_LINES_AT_ONCE = 50  # written by one command: each is judged like a memory of its own, some 20 ms
FILE_BYTES_AT_ONCE = 16 * 1024

# Working memory (R50) --------------------------------------------------------------------------------------------
HISTORY_TURNS = 6
SESSION_LIFETIME = timedelta(hours=24)
COMPACTED_CHARACTERS = 1500  # what is left of the turns before the history, in all
COMPACTED_WORDS = 120  # characters of one side of a compacted turn
STATE_KEYS = 20  # pinned values: a handful, for they are in every prompt
STATE_KEY_CHARACTERS = 100
STATE_VALUE_CHARACTERS = 500  # of one value as JSON
CURRENT_ITEMS = 200  # actions or observations of one running turn
OFFLOADS = 200  # passages of one session
EXPIRED_AT_ONCE = 1000  # sessions whose working memory is cleared in one transaction
SESSIONS_ENDED_EVERY = timedelta(minutes=15)  # at most: sessions that end one after another are cleared together

# Lifetimes (R5) --------------------------------------------------------------------------------------------------
LIFETIME = {
    "preference": timedelta(days=365), "contact": timedelta(days=183), "account_fact": timedelta(days=183),
    "project_fact": timedelta(weeks=6), "policy_limit": timedelta(days=183), "entitlement": timedelta(days=183),
    "identity": timedelta(days=183), "instruction": timedelta(days=365), "episode_outcome": timedelta(days=365),
    "lesson": timedelta(days=365), "general": timedelta(days=183),
}  # fmt: skip
REVIEW_BEFORE_EXPIRY = timedelta(days=14)
EVENT_KEPT = timedelta(days=30)  # R74: after consolidation
IDEMPOTENCY_KEPT = timedelta(hours=24)
SENT_FORMS_KEPT = timedelta(hours=24)  # longer than anybody keeps a page open whose form makes something new
PAGE_LINK_LIFETIME = timedelta(minutes=15)
ARCHIVE_KEPT = timedelta(days=7)  # what a person takes along waits so long to be fetched

# Erasure (R91) ---------------------------------------------------------------------------------------------------
GRACE = timedelta(days=7)  # between asking to forget everything and its happening, to change one's mind in
LAPSED_KEPT = timedelta(days=30)  # what lapsed is history for so long, then it is erased
BACKUP_DAYS = 35  # backups older than that are gone; the default of MEMORYHUB_BACKUP_DAYS
LOG_KEPT = timedelta(days=1)  # by then the database's log of changes was cut after an erasure (aftercare.py)
VACUUM_AFTER = timedelta(minutes=1)  # by then nobody reads from before the erasure any more
REWRITTEN_BELOW = 32 * 1024 * 1024  # bytes with indexes: locked for .7 s (entries; 75 MB, 5,000 in crowds: 2.9 s)
REWRITE_LOCK = timedelta(seconds=3)  # so long it waits for a table, and others behind it; then it is tried again
REWRITE_WAIT = timedelta(seconds=10)  # so long for what is going on to end, which may still see what was deleted

# The queue (R92) -------------------------------------------------------------------------------------------------
CLAIM_LIFETIME = timedelta(minutes=10)  # a curator's soft claim on a queue item
#: By type, when an item should be decided: disputes hold up what is in use, samples hold up nothing.
DECIDED_WITHIN = {
    "dispute": timedelta(days=1), "fact": timedelta(days=3), "skill": timedelta(days=5), "profile": timedelta(days=5),
    "reconfirm": timedelta(days=7), "sample": timedelta(days=14),
}  # fmt: skip
DUE_SOON = timedelta(hours=8)  # a working day before it is due
SNOOZED_AT_MOST = timedelta(days=90)  # a longer rest is a way to forget it
ASKED_FOR = timedelta(days=7)  # an item rests so long for the person's answer
LOOK_GOES_ON = timedelta(minutes=10)  # looking again within it is the same look
REVERSED_WITHIN = timedelta(days=30)  # a decision that is older is decided anew where it matters
BATCH_AT_MOST = 200  # items in one go: what one page shows
VIEWS_EACH = 30  # saved by one person

# What agents are told (R113) ---------------------------------------------------------------------------------------
NOTICES_KEPT = timedelta(days=30)  # an agent that asks less often than once a month has missed some
NOTICE_IDS = 500  # in one notice; an erasure of more is told in several
WEBHOOKS = 50  # of one organisation
WEBHOOK_URL = 500  # characters
WEBHOOK_SECONDS = 10.0  # wall clock for one delivery, from looking the name up to the answer's first line
DELIVERY_TRIES = 16  # over a day and a half; then it is given up until somebody looks
DELIVERY_AGAIN = timedelta(seconds=30)  # after the first failure, and twice as long after each further one
DELIVERY_AGAIN_AT_MOST = timedelta(hours=6)
DELIVERY_LEASE = timedelta(seconds=60)  # a delivery whose sender died is sent again then
DELIVERY_SLICE = timedelta(seconds=60)  # of one job; then whatever else is due has its turn
DELIVERIES_LOOKED_AT = 500  # of one webhook, oldest first: those behind them wait anyway

# Figures (R102) --------------------------------------------------------------------------------------------------
# What giving everything would take, for estimates only; a test holds them against the blocks that recall renders.
CHARACTERS_A_TOKEN = 4.2  # of stored statements in English, as the embedder counts
LABELS_OF_A_NOTE = 27  # tokens in front of its words: when, who, how far to trust it
FRAME_OF_A_BLOCK = 50  # tokens around the notes

# Dreams (R72, R73) -----------------------------------------------------------------------------------------------
LESSON_SESSIONS = 3  # distinct sessions before a pattern becomes a candidate
FAILURE_SIGNALS = frozenset({"criterion_failed", "source_rejected", "budget_stop"})  # R79, unless it declares its own
SAMPLE_SHARE = 0.02  # of summaries queued for a person
PENDING_EVENTS = 100_000  # of one organisation; further turns are asked to come back later
PENDING_COUNTED_EVERY = timedelta(seconds=10)  # far from that limit they are not counted at every turn
PENDING_RETRY = timedelta(seconds=30)  # after which a turn that found no room may come again
PENDING_PAGE = 200  # sessions looked up at once
SESSION_TRIES = 3  # dreams that may fail at a session before it is set aside for conf.SESSION_REST
SESSION_REST = timedelta(hours=24)
TICK = timedelta(seconds=30)  # how often a worker looks at the clock: is a dream or housekeeping due?
REPORT_LINES = 1000  # operations listed in one report; the counts are always of all

# Housekeeping (R77): what becomes of what nobody looks after -----------------------------------------------------
KEPT_AT_ONCE = 200  # entries of one subject in one transaction: other writers about them wait as long
FOLDED_EARLY = timedelta(days=31)  # with one that lapses go those of its quarter that lapse within a month
FOLD_AHEAD = timedelta(days=1)  # before it lapses, so that nothing lapses unfolded between two nights
FOLD_GRACE = timedelta(days=7)  # an episode that could not be folded by then lapses like anything else
FOLDED_LIFETIME = timedelta(days=5 * 365)  # R5: of the one dated line a quarter
FOLDED_CHARACTERS = 1500  # of such a line; what goes beyond is counted
FOLDED_EACH = 300  # characters of one episode in it, in whole sentences
UNUSED_AFTER = timedelta(days=180)  # neither reported useful nor confirmed: half a year of answers without it
MERGE_COMPARED = 500  # statements of one subject that are compared word by word, newest first
CONFIRMATIONS_WAITING = 1000  # in the curators' queue; of more, the person and the agent alone are asked
CONFIRMATIONS_IN_CONTEXT = 3  # questions one prompt is asked to pass on; more is an interview
REFLECT_AT = 150  # summed importance of new episodes, each on the scale 1 to 10
REFLECT_SESSIONS = 3  # episodes in which something has to recur to be named
REFLECT_NAMED = 5  # things named in one statement
REFLECT_SOURCES = 500  # episodes of one reflection; of more, the next one takes the rest

# Jobs (security.md section 7) ------------------------------------------------------------------------------------
JOB_LEASE = timedelta(seconds=60)
JOB_HEARTBEAT = timedelta(seconds=15)
DONE_JOBS_KEPT = timedelta(days=7)  # long enough to look into what ran last week
SEAL_READS_AFTER = timedelta(seconds=30)  # reads wait for one another in a batch, not for the chain's lock
JOB_CLAIMS = 3  # claims without an end before a job is parked
WAKE_FOR = timedelta(seconds=120)  # no new job is begun in a wake-up after that; its timeout is 300 s
DREAM_SLICE = timedelta(seconds=120)  # a longer dream goes on as another job, well before that timeout
SOUGHT_EVERY = timedelta(hours=1)  # and when a worker starts: is there work that no request named?
REEMBED_SLICE = timedelta(seconds=10)  # then whatever else is due has its turn
REEMBED_AGAIN = timedelta(seconds=30)  # for the few that were held by somebody else, or changed, in a whole pass
WORKER_SILENT_AFTER = timedelta(seconds=90)  # readyz fails and the watchdog restarts the cluster

EMBEDDING_DIMENSIONS = 384  # all-MiniLM-L6-v2; the column's width
MODEL_REST = timedelta(seconds=60)  # before a model that could not be loaded is tried again
