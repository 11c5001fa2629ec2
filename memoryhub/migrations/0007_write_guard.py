"""Nothing becomes a memory past the gate, whoever holds the web role (docs/adr, "The database asks for a decision").

Two triggers on each governed table. At the statement: the transaction has announced a write command
(governance/announcement.py). At its end: the decision or the audit row that allows the change was written in this very
transaction. Functions that read other tables fix their search_path (a temporary table can't stand in for ours) and look
as the row's organisation, because by then the identity of the request may be gone; they give it back.
"""

from django.db import migrations

STATUS = ("status", "valid_to", "recorded_until")
CONFIRMATION = ("last_confirmed_at", "confirmed_by", "expires_at", "review_by")
STATEMENT = ("content", "entity", "key", "value", "single", "fingerprint")
VOUCHED = (*CONFIRMATION, "authority", "supersedes_id", "recorded_at")

#: Which columns of an entry an audit row about it allows to change. What no row allows never changes.
RIGHTS: dict[str, tuple[str, ...]] = {
    "entry.approve": (*STATUS, *VOUCHED),
    "entry.settle": (*STATUS, *VOUCHED),
    "entry.undo": (*STATUS, *VOUCHED, *STATEMENT),
    "entry.vouch": VOUCHED,
    "entry.edit": STATEMENT,
    "entry.confirm": CONFIRMATION,
    "entry.review_by": ("review_by",),
    "entry.end": ("valid_to", "recorded_until"),
    "entry.relink": ("supersedes_id",),
    "entry.reject": STATUS,
    "entry.supersede": STATUS,
    "entry.dispute": STATUS,
    "entry.expire": STATUS,
    "entry.archive": STATUS,
    "entry.restore": STATUS,
    "memory.noop": CONFIRMATION,
}

#: lifecycle.MOVES as the database knows them; a test compares the two.
MOVES = {
    "proposed accepted": "approve",
    "proposed rejected": "reject",
    "accepted replaced": "supersede",
    "accepted disputed": "dispute",
    "accepted expired": "expire",
    "accepted archived": "archive",
    "disputed accepted": "settle",
    "disputed rejected": "reject",
    "archived accepted": "restore",
    "accepted proposed": "undo",
    "rejected proposed": "undo",
    "rejected disputed": "undo",
    "replaced accepted": "undo",
}

#: How an entry may begin under what the decision says of it.
BEGINNINGS = {
    "ADD": ("accepted", "expired"),
    "UPDATE": ("accepted", "expired"),
    "QUEUED": ("proposed", "disputed"),
    "NOOP": ("replaced",),
}


def _case(table: dict[str, str], value: str) -> str:
    return f"CASE {value} " + " ".join(f"WHEN '{key}' THEN {result}" for key, result in table.items()) + " END"


def _array(words: tuple[str, ...]) -> str:
    return "ARRAY[" + ", ".join(f"'{word}'" for word in dict.fromkeys(words)) + "]"


TABLES = f"""
CREATE FUNCTION hub_entry_rights(action text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  $$ SELECT {_case({action: _array(columns) for action, columns in RIGHTS.items()}, "action")} $$;
CREATE FUNCTION hub_entry_move(before text, after text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT {_case({pair: f"'{name}'" for pair, name in MOVES.items()}, "before || ' ' || after")} $$;
CREATE FUNCTION hub_entry_begins(op text, status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT status = ANY ({_case({op: _array(statuses) for op, statuses in BEGINNINGS.items()}, "op")}) $$;
"""

# The top-level transaction, the same inside every savepoint. Its start goes along: numbers begin anew in a restored
# database, moments don't.
STAMP = """
CREATE FUNCTION hub_transaction() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT pg_current_xact_id()::text || '@' || extract(epoch FROM transaction_timestamp())::text $$;

ALTER TABLE memoryhub_auditevent ADD COLUMN written_in text NOT NULL DEFAULT '';
ALTER TABLE memoryhub_decision ADD COLUMN written_in text NOT NULL DEFAULT '';
ALTER TABLE memoryhub_entry ADD COLUMN command uuid;
ALTER TABLE memoryhub_provenance ADD COLUMN command uuid;
ALTER TABLE memoryhub_lineage ADD COLUMN command uuid;
CREATE INDEX audit_event_by_transaction ON memoryhub_auditevent (written_in, object_id);
CREATE INDEX decision_by_transaction ON memoryhub_decision (written_in);

CREATE FUNCTION hub_actions(kind text, about text) RETURNS text[] LANGUAGE sql STABLE AS
  $$ SELECT coalesce(array_agg(action::text), '{}') FROM memoryhub_auditevent
     WHERE written_in = hub_transaction() AND object_id = about AND object_kind = kind $$;
CREATE FUNCTION hub_forgets() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction()
     AND action IN ('erase.entry', 'erase.subject', 'organisation.remove')) $$;
CREATE FUNCTION hub_look_as(organisation uuid) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  before text[] := ARRAY[current_setting('hub.organisation', true), current_setting('hub.subjects', true)];
BEGIN
  PERFORM set_config('hub.organisation', organisation::text, true), set_config('hub.subjects', '*', true);
  RETURN before;
END $$;
CREATE FUNCTION hub_look_back(before text[]) RETURNS void LANGUAGE sql AS
  $$ SELECT set_config('hub.organisation', coalesce(before[1], ''), true),
            set_config('hub.subjects', coalesce(before[2], ''), true) $$;
CREATE FUNCTION hub_refuse(why text) RETURNS void LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '%', why USING ERRCODE = 'insufficient_privilege',
     HINT = 'Write through a verb of memoryhub/governance.'; END $$;
"""

ANNOUNCED = """
CREATE FUNCTION hub_announced() RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE command text := nullif(current_setting('hub.command', true), '');
BEGIN
  IF command IS NULL THEN PERFORM hub_refuse('no write command was announced in this transaction'); END IF;
  RETURN command::uuid;
END $$;

CREATE FUNCTION hub_require_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hub_announced();
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;

-- The governed columns that differ. Bookkeeping states nothing; a new column is governed until it is named here.
CREATE FUNCTION hub_entry_changes(before memoryhub_entry, after memoryhub_entry) RETURNS text[]
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  free text[] := ARRAY['use_count', 'last_used_at', 'embedding', 'embedding_model', 'embedding_state', 'contested',
                       'updated_at', 'version', 'search', 'command'];
  was jsonb;
BEGIN
  before.embedding := NULL; before.search := NULL; after.embedding := NULL; after.search := NULL;  -- costly as text
  was := to_jsonb(before);
  RETURN ARRAY(SELECT key FROM jsonb_each(to_jsonb(after) - free) WHERE value IS DISTINCT FROM was -> key);
END $$;

CREATE FUNCTION hub_entry_announced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.command := hub_announced();
    RETURN NEW;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM hub_announced();
    RETURN OLD;
  END IF;
  NEW.command := OLD.command;
  IF cardinality(hub_entry_changes(OLD, NEW)) > 0 THEN PERFORM hub_announced(); END IF;
  RETURN NEW;
END $$;
"""

SAFE = "SET search_path = pg_catalog, public, pg_temp"
# A row that is written now passes its table's policies, so whoever writes it looks as its organisation already; at the
# end of the transaction that may be over.
LOOK = "identity text[] := hub_look_as(coalesce(NEW.organisation_id, OLD.organisation_id));"
BACK = "PERFORM hub_look_back(identity);"

ENTRY = f"""
CREATE FUNCTION hub_entry_decided() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  {LOOK}
  actions text[]; changes text[]; verb text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (
      SELECT 1 FROM memoryhub_decision d, jsonb_array_elements(d.results) r
      WHERE d.id = NEW.command AND d.written_in = hub_transaction() AND d.subject_id = NEW.subject_id
        AND r ->> 'entry' = NEW.id::text AND hub_entry_begins(r ->> 'op', NEW.status)
    ) AND EXISTS (SELECT 1 FROM memoryhub_entry WHERE id = NEW.id) THEN  -- (not erased since)
      PERFORM hub_refuse('no decision of this transaction lets an entry begin as ' || NEW.status);
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF NOT hub_forgets() THEN PERFORM hub_refuse('entries go by an erasure alone'); END IF;
  ELSE
    changes := hub_entry_changes(OLD, NEW);
    IF cardinality(changes) = 0 THEN {BACK} RETURN NULL; END IF;
    actions := hub_actions('entry', NEW.id::text);
    IF OLD.status <> NEW.status THEN
      verb := 'entry.' || hub_entry_move(OLD.status, NEW.status);
      IF verb IS NULL OR NOT verb = ANY (actions) THEN
        PERFORM hub_refuse('an entry that is ' || OLD.status || ' does not become ' || NEW.status
                           || ' without an audit row that says so');
      END IF;
    END IF;
    IF 'memory.noop' = ANY (actions) AND NOT EXISTS (
      SELECT 1 FROM memoryhub_decision WHERE written_in = hub_transaction()
        AND results @> jsonb_build_array(jsonb_build_object('op', 'NOOP', 'entry', NEW.id))
    ) AND EXISTS (SELECT 1 FROM memoryhub_entry WHERE id = NEW.id) THEN
      actions := array_remove(actions, 'memory.noop');
    END IF;
    changes := ARRAY(SELECT unnest(changes) EXCEPT SELECT unnest(hub_entry_rights(a)) FROM unnest(actions) a);
    -- The foreign keys that a deletion elsewhere empties.
    IF NEW.supersedes_id IS NULL AND hub_forgets() THEN changes := array_remove(changes, 'supersedes_id'); END IF;
    IF NEW.agent_id IS NULL AND hub_forgets() THEN changes := array_remove(changes, 'agent_id'); END IF;
    IF cardinality(changes) > 0 THEN
      PERFORM hub_refuse('no audit row of this transaction allows an entry to change in '
                         || array_to_string(changes, ', '));
    END IF;
  END IF;
  {BACK}
  RETURN NULL;
END $$;
CREATE TRIGGER entry_announced BEFORE INSERT OR UPDATE OR DELETE ON memoryhub_entry
  FOR EACH ROW EXECUTE FUNCTION hub_entry_announced();
CREATE CONSTRAINT TRIGGER entry_decided AFTER INSERT OR UPDATE OR DELETE ON memoryhub_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_entry_decided();
"""

# Who said it and what it came from: written with the entry, never rewritten; an erasure may empty it.
ORIGIN = f"""
CREATE FUNCTION hub_origin_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD); kept text[];
BEGIN
  kept := ARRAY(SELECT key FROM jsonb_each(to_jsonb(NEW)) WHERE value IS DISTINCT FROM was -> key
                AND NOT (key = ANY (TG_ARGV) AND value IN ('null', '""')));
  IF cardinality(kept) > 0 THEN
    PERFORM hub_refuse('where an entry came from is never rewritten: ' || array_to_string(kept, ', '));
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION hub_origin_announced() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN NEW.command := hub_announced(); RETURN NEW; END $$;
CREATE FUNCTION hub_origin_decided() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  {LOOK}
  about text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF NOT hub_forgets() THEN PERFORM hub_refuse('where an entry came from is forgotten by an erasure alone'); END IF;
    {BACK}
    RETURN NULL;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM memoryhub_decision d, jsonb_array_elements(d.results) r
    WHERE d.id = NEW.command AND d.written_in = hub_transaction() AND r ->> 'entry' = about
  ) AND EXISTS (SELECT 1 FROM memoryhub_entry WHERE id = about::uuid) THEN  -- (not erased since)
    PERFORM hub_refuse('where an entry came from is written by the decision that writes the entry');
  END IF;
  {BACK}
  RETURN NULL;
END $$;
CREATE TRIGGER provenance_named BEFORE INSERT ON memoryhub_provenance
  FOR EACH ROW EXECUTE FUNCTION hub_origin_announced();
CREATE TRIGGER provenance_announced BEFORE UPDATE OR DELETE ON memoryhub_provenance
  FOR EACH ROW EXECUTE FUNCTION hub_require_command();
CREATE TRIGGER provenance_emptied BEFORE UPDATE ON memoryhub_provenance
  FOR EACH ROW EXECUTE FUNCTION hub_origin_emptied('speaker_id', 'agent_id', 'user_id', 'quote');
CREATE CONSTRAINT TRIGGER provenance_decided AFTER INSERT OR UPDATE OR DELETE ON memoryhub_provenance
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_origin_decided('entry_id');
CREATE TRIGGER lineage_named BEFORE INSERT ON memoryhub_lineage
  FOR EACH ROW EXECUTE FUNCTION hub_origin_announced();
CREATE TRIGGER lineage_announced BEFORE DELETE ON memoryhub_lineage
  FOR EACH ROW EXECUTE FUNCTION hub_require_command();
-- Events are pruned by age; their ids stay in event_ref.
CREATE TRIGGER lineage_emptied BEFORE UPDATE ON memoryhub_lineage
  FOR EACH ROW EXECUTE FUNCTION hub_origin_emptied('event_id');
CREATE CONSTRAINT TRIGGER lineage_decided AFTER INSERT OR DELETE ON memoryhub_lineage
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_origin_decided('child_id');
"""

# How to act: begins as a proposal, changes its words only while it is one, is active only by the queue.
PROCEDURE = f"""
CREATE FUNCTION hub_procedure_decided() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  {LOOK}
  kind text := TG_ARGV[0]; was jsonb := to_jsonb(OLD); actions text[]; changes text[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT hub_forgets() THEN PERFORM hub_refuse('a ' || kind || ' goes by an erasure alone'); END IF;
    {BACK}
    RETURN NULL;
  END IF;
  actions := hub_actions(kind, NEW.id::text);
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'proposed' OR NOT actions && ARRAY[kind || '.queued', kind || '.propose'] THEN
      PERFORM hub_refuse('a ' || kind || ' begins as an audited proposal');
    END IF;
    IF kind = 'skill' AND NOT EXISTS (
      SELECT 1 FROM memoryhub_decision WHERE written_in = hub_transaction()
        AND results @> jsonb_build_array(jsonb_build_object('op', 'QUEUED', 'skill', NEW.id))
    ) AND EXISTS (SELECT 1 FROM memoryhub_skill WHERE id = NEW.id) THEN
      PERFORM hub_refuse('no decision of this transaction queues this skill');
    END IF;
    {BACK}
    RETURN NULL;
  END IF;
  changes := ARRAY(SELECT key FROM jsonb_each(to_jsonb(NEW)) WHERE value IS DISTINCT FROM was -> key);
  IF cardinality(changes) = 0 THEN {BACK} RETURN NULL; END IF;
  IF cardinality(actions) = 0 THEN PERFORM hub_refuse('no audit row says that this ' || kind || ' changes'); END IF;
  IF OLD.status <> NEW.status AND NOT (
    kind || '.' || NEW.status = ANY (actions) OR (NEW.status = 'proposed' AND kind || '.undo' = ANY (actions))
  ) THEN
    PERFORM hub_refuse('no audit row says that this ' || kind || ' becomes ' || NEW.status);
  END IF;
  IF OLD.status <> 'active' AND NEW.status = 'active' AND NOT hub_forgets() AND NOT EXISTS (
    SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction()
      AND action IN ('queue.approve', 'queue.undo')
  ) THEN
    PERFORM hub_refuse('a ' || kind || ' is active only by a decision of the queue');
  END IF;
  IF OLD.status <> 'proposed' AND NOT changes <@ ARRAY[
    'status', 'decided_at', 'decided_by_id', 'decided_evidence', 'approved_digest', 'version'
  ] THEN
    PERFORM hub_refuse('the words of a ' || kind || ' change only while it is proposed');
  END IF;
  {BACK}
  RETURN NULL;
END $$;
CREATE TRIGGER skill_announced BEFORE INSERT OR UPDATE OR DELETE ON memoryhub_skill
  FOR EACH ROW EXECUTE FUNCTION hub_require_command();
CREATE CONSTRAINT TRIGGER skill_decided AFTER INSERT OR UPDATE OR DELETE ON memoryhub_skill
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_procedure_decided('skill');
CREATE TRIGGER profile_announced BEFORE INSERT OR UPDATE OR DELETE ON memoryhub_profile
  FOR EACH ROW EXECUTE FUNCTION hub_require_command();
CREATE CONSTRAINT TRIGGER profile_decided AFTER INSERT OR UPDATE OR DELETE ON memoryhub_profile
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_procedure_decided('profile');
"""

# A decision is stamped with its transaction, audited in it result by result, and never changed afterwards.
DECISION = f"""
CREATE FUNCTION hub_stamp() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN NEW.written_in := hub_transaction(); RETURN NEW; END $$;
CREATE FUNCTION hub_decision_kept() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT 1 FROM memoryhub_auditevent
                   WHERE written_in = hub_transaction() AND action = 'organisation.remove') THEN
      PERFORM hub_refuse('decisions go with their organisation alone');
    END IF;
    RETURN OLD;
  END IF;
  IF EXISTS (SELECT 1 FROM jsonb_each(to_jsonb(NEW)) WHERE value IS DISTINCT FROM was -> key
             AND NOT (key IN ('agent_id', 'user_id') AND value = 'null')) THEN
    PERFORM hub_refuse('a decision is never changed');
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION hub_decision_audited() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  {LOOK}
BEGIN
  IF jsonb_array_length(NEW.results) = 0 OR EXISTS (
    SELECT 1 FROM jsonb_array_elements(NEW.results) r
    WHERE NOT EXISTS (
      SELECT 1 FROM memoryhub_auditevent
      WHERE written_in = hub_transaction()
        AND object_id = coalesce(r ->> 'entry', r ->> 'skill', NEW.id::text)
        AND action IN ('memory.' || lower(r ->> 'op'), 'skill.' || lower(r ->> 'op'))
    )
  ) THEN
    PERFORM hub_refuse('a decision comes with an audit row for each of its results');
  END IF;
  {BACK}
  RETURN NULL;
END $$;
CREATE TRIGGER decision_stamped BEFORE INSERT ON memoryhub_decision FOR EACH ROW EXECUTE FUNCTION hub_stamp();
CREATE TRIGGER decision_kept BEFORE UPDATE OR DELETE ON memoryhub_decision
  FOR EACH ROW EXECUTE FUNCTION hub_decision_kept();
CREATE CONSTRAINT TRIGGER decision_audited AFTER INSERT ON memoryhub_decision
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_decision_audited();
"""

# A link follows from the one before it, and the head is moved to it: nothing is slipped in beside the chain.
CHAIN = f"""
CREATE FUNCTION hub_link_follows() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  link text;
BEGIN
  SELECT row_hash INTO link FROM memoryhub_auditevent
    WHERE organisation_id = NEW.organisation_id AND seq = NEW.seq - 1;
  IF NEW.previous_hash IS DISTINCT FROM (CASE WHEN NEW.seq = 1 THEN repeat('0', 64) ELSE link END)
     OR NEW.row_hash !~ '^[0-9a-f]{{64}}$' THEN
    PERFORM hub_refuse('an audit row follows from the one before it');
  END IF;
  NEW.written_in := hub_transaction();
  RETURN NEW;
END $$;
CREATE FUNCTION hub_link_is_headed() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  {LOOK}
BEGIN
  IF NOT EXISTS (SELECT 1 FROM memoryhub_audithead
                 WHERE organisation_id = NEW.organisation_id AND seq >= NEW.seq) THEN
    PERFORM hub_refuse('an audit row moves the head of its chain');
  END IF;
  {BACK}
  RETURN NULL;
END $$;
CREATE FUNCTION hub_head_is_last() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (NEW.seq <= OLD.seq OR NEW.organisation_id <> OLD.organisation_id)) THEN
    PERFORM hub_refuse('the head of a chain only moves on');
  END IF;
  IF NOT (NEW.seq = 0 AND NEW.row_hash = '') AND NOT EXISTS (
    SELECT 1 FROM memoryhub_auditevent
    WHERE organisation_id = NEW.organisation_id AND seq = NEW.seq AND row_hash = NEW.row_hash
  ) THEN
    PERFORM hub_refuse('the head of a chain is its last link');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_follows BEFORE INSERT ON memoryhub_auditevent
  FOR EACH ROW EXECUTE FUNCTION hub_link_follows();
CREATE CONSTRAINT TRIGGER audit_headed AFTER INSERT ON memoryhub_auditevent
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_link_is_headed();
CREATE TRIGGER audit_head_last BEFORE INSERT OR UPDATE OR DELETE ON memoryhub_audithead
  FOR EACH ROW EXECUTE FUNCTION hub_head_is_last();
"""

UNGUARDED = """
DROP TRIGGER audit_head_last ON memoryhub_audithead;
DROP TRIGGER audit_headed ON memoryhub_auditevent; DROP TRIGGER audit_follows ON memoryhub_auditevent;
DROP FUNCTION hub_head_is_last(), hub_link_is_headed(), hub_link_follows();
DROP TRIGGER decision_audited ON memoryhub_decision; DROP TRIGGER decision_kept ON memoryhub_decision;
DROP TRIGGER decision_stamped ON memoryhub_decision;
DROP FUNCTION hub_decision_audited(), hub_decision_kept(), hub_stamp();
DROP TRIGGER profile_decided ON memoryhub_profile; DROP TRIGGER profile_announced ON memoryhub_profile;
DROP TRIGGER skill_decided ON memoryhub_skill; DROP TRIGGER skill_announced ON memoryhub_skill;
DROP FUNCTION hub_procedure_decided();
DROP TRIGGER lineage_decided ON memoryhub_lineage; DROP TRIGGER lineage_emptied ON memoryhub_lineage;
DROP TRIGGER lineage_announced ON memoryhub_lineage; DROP TRIGGER lineage_named ON memoryhub_lineage;
DROP TRIGGER provenance_decided ON memoryhub_provenance; DROP TRIGGER provenance_emptied ON memoryhub_provenance;
DROP TRIGGER provenance_announced ON memoryhub_provenance; DROP TRIGGER provenance_named ON memoryhub_provenance;
DROP FUNCTION hub_origin_decided(), hub_origin_announced(), hub_origin_emptied();
DROP TRIGGER entry_decided ON memoryhub_entry; DROP TRIGGER entry_announced ON memoryhub_entry;
DROP FUNCTION hub_entry_decided(), hub_entry_announced(), hub_require_command(), hub_announced();
DROP FUNCTION hub_entry_changes(memoryhub_entry, memoryhub_entry);
DROP FUNCTION hub_look_as(uuid), hub_look_back(text[]), hub_refuse(text), hub_forgets(), hub_actions(text, text), hub_transaction();
ALTER TABLE memoryhub_lineage DROP COLUMN command;
ALTER TABLE memoryhub_provenance DROP COLUMN command;
ALTER TABLE memoryhub_entry DROP COLUMN command;
ALTER TABLE memoryhub_decision DROP COLUMN written_in;
ALTER TABLE memoryhub_auditevent DROP COLUMN written_in;
DROP FUNCTION hub_entry_begins(text, text), hub_entry_move(text, text), hub_entry_rights(text);
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0006_records_and_evidence")]

    operations = [
        migrations.RunSQL(TABLES + STAMP + ANNOUNCED + ENTRY + ORIGIN + PROCEDURE + DECISION + CHAIN, UNGUARDED)
    ]
