"""What the gate goes by is changed by an audited verb alone, whoever holds the web role (docs/adr/0010).

Whose word counts (records, evidence, members, keys), what may be kept (policies), what waits and who proposed it: a row
of these tables comes, changes and goes only in a transaction with an audit row about it whose verb does just that. One
trigger function for all of them; what differs is said in RULES, and each trigger carries its rule.
"""

import json
from typing import Any

from django.db import migrations

ERASED = ["erase.entry", "erase.subject", "organisation.remove"]
REMOVED = ["organisation.remove"]


def rule(
    *about: tuple[str, ...],
    insert: list[str] | dict[str, list[str]] | None = None,
    update: dict[str, list[str]] | None = None,
    delete: list[str] | None = None,
    gone: list[str] = REMOVED,
    emptied: dict[str, list[str]] | None = None,
    free: tuple[str, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """What lets a row of a table come, change and go.

    `about`: (kind of object, column with its id, prefix): whose audit rows count, and before their actions the prefix.
    `insert`, `update` (column → …, "*" any other), `delete`: the actions that allow it; with `by`, `insert` is asked
    under that column's value. A column that is neither named nor `free` never changes. `gone`: actions about anything
    at all that let the row go; `emptied`: those that let a column be emptied, with what it points to.
    `starts`: what a new row says. `moves`: a column that goes from value to value by one action. `grows`: arrays that
    only get longer. `reason`: a column that the audit row's reason repeats. `decided`: the channel of the decision of
    the same transaction, about the row's subject (its entry's), that the row comes with; `op`: the column that says
    which of its results.
    """
    asked = insert if isinstance(insert, dict) else {"*": insert or []}
    return {
        "about": [[*one, ""][:3] for one in about], "insert": asked, "update": update or {}, "delete": delete or [],
        "gone": gone, "emptied": emptied or {}, "free": list(free), **more,
    }  # fmt: skip


DECIDED = ["queue.approve", "queue.reject", "queue.undo"]

RULES: dict[str, dict[str, Any]] = {
    # Whose word settles a contradiction.
    "memoryhub_record": rule(
        ("record", "id"), insert=["record.push"], gone=ERASED, decided="system_of_record",
        update={"replaced_at": ["record.replace"], "repeated_at": ["record.repeat"]},
    ),
    "memoryhub_recordsource": rule(("agent", "agent_id"), insert=["agent.sources"], delete=["agent.sources"]),
    "memoryhub_evidence": rule(("evidence", "id"), insert=["evidence.give"], gone=ERASED),
    "memoryhub_backing": rule(
        ("evidence", "evidence_id"), insert=["evidence.give"], gone=ERASED, decided="evidence", op="op"
    ),
    "memoryhub_skillevidence": rule(
        ("skill", "skill_id"), insert=["skill.queued", "skill.update", "skill.noop"], gone=ERASED
    ),
    # What waits, who proposed it, how it was decided.
    "memoryhub_reviewitem": rule(
        ("review_item", "id"), ("entry", "entry_id"), ("skill", "skill_id"), ("profile", "profile_id"),
        ("entry", "rival_id", "rival:"),
        by="type",
        insert={
            "fact": ["memory.queued"], "dispute": ["memory.queued", "entry.dispute"],
            "sample": ["memory.add", "memory.update"], "reconfirm": ["entry.ask"], "skill": ["skill.queued", "skill.undo"],
            "profile": ["profile.propose"],
        },
        starts={"state": "waiting", "decided_by_id": None, "claimed_by_id": None, "undo": None},
        moves={
            "state": {
                "waiting approved": "queue.approve", "waiting rejected": "queue.reject",
                "waiting withdrawn": "queue.withdraw", "approved waiting": "queue.undo",
                "rejected waiting": "queue.undo",
            }
        },
        update={
            "decided_at": [*DECIDED, "queue.withdraw"], "decided_by_id": DECIDED, "decided_reason": DECIDED,
            "undo": DECIDED, "claimed_by_id": [*DECIDED, "queue.claim", "queue.release"],
            "claimed_at": [*DECIDED, "queue.claim", "queue.release"],
            "others": ["memory.noop", "entry.dispute"], "type": ["entry.dispute"],
            "reason": ["memory.queued", "entry.dispute"], "why": ["memory.queued", "entry.dispute"],
            "rival_id": ["rival:entry.supersede", "rival:entry.end", "rival:entry.undo"], "decision_id": ["skill.queued"],
        },
        grows=["others"], free=("version",), gone=ERASED,
        emptied=dict.fromkeys(
            ("rival_id", "decision_id", "agent_id", "proposer_id", "claimed_by_id", "claimed_at"), ERASED
        ),
    ),
    # What may be kept.
    "memoryhub_policyversion": rule(("policy", "id"), insert=["policy.change"]),
    "memoryhub_agentpolicy": rule(
        ("agent", "agent_id"), insert=["policy.agent"],
        update={
            name: ["policy.agent"]
            for name in (
                "commit_at", "discard_below", "episodic", "semantic", "procedural", "recall_profile", "improves",
                "signed_by", "signed_at",
            )
        },
    ),
    "memoryhub_agenttool": rule(("agent", "agent_id"), insert=["agent.tools"], delete=["agent.tools"]),
    "memoryhub_agentsignal": rule(("agent", "agent_id"), insert=["agent.signals"], delete=["agent.signals"]),
    # Who is who, and who may speak and decide.
    "memoryhub_subject": rule(
        ("subject", "id"), insert=["subject.add"],
        update={
            **{name: ["subject.describe"] for name in ("kind", "display_name", "account_id", "timezone")},
            **{name: ["subject.pause", "subject.resume"] for name in ("paused_at", "paused_by", "use_existing")},
        },
        emptied={"display_name": ERASED, "account_id": REMOVED},
    ),
    "memoryhub_subjectmember": rule(
        ("subject", "group_id"), insert=["subject.describe"], delete=["subject.describe"]
    ),
    "accounts_membership": rule(("user", "user_id"), insert=["member.add"], reason="role"),
    "accounts_agent": rule(
        ("agent", "id"), insert=["agent.add"], update={"owner_id": ["agent.owner"], "name": ["agent.name"]},
        emptied={"owner_id": REMOVED},
    ),
    "accounts_key": rule(
        ("key", "id"), insert=["key.issue"], update={"revoked_at": ["key.revoke"], "expires_at": ["key.revoke"]},
        free=("last_used_at",),
    ),
    "accounts_pagelink": rule(
        ("page_link", "id"), insert=["page_link.make"], update={"used_at": ["page_link.open"], "expires_at": ["page_link.open"]}
    ),
    "memoryhub_erasure": rule(("erasure", "id"), insert=["erase.entry", "erase.subject"]),
}  # fmt: skip

SAFE = "SET search_path = pg_catalog, public, pg_temp"

AUDITED = f"""
-- Whether this transaction did one of these, about anything at all.
CREATE FUNCTION hub_did(wanted jsonb) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT wanted IS NOT NULL AND EXISTS (
       SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction() AND wanted ? action) $$;

-- Why a row may not come, change or go like this; null: it may. `was` and `becomes` are the row, null where there is none.
CREATE FUNCTION hub_row_fault(rule jsonb, was jsonb, becomes jsonb) RETURNS text LANGUAGE plpgsql STABLE {SAFE} AS $$
DECLARE
  actions text[]; name text; wanted jsonb; step text;
BEGIN
  SELECT coalesce(array_agg((o ->> 2) || e.action), '{{}}') INTO actions
    FROM memoryhub_auditevent e, jsonb_array_elements(rule -> 'about') o
    WHERE e.written_in = hub_transaction() AND e.object_kind = o ->> 0
      AND e.object_id IN (was ->> (o ->> 1), becomes ->> (o ->> 1))
      AND (NOT rule ? 'reason' OR e.reason = becomes ->> (rule ->> 'reason'));
  IF was IS NULL THEN
    wanted := rule -> 'insert' -> coalesce(becomes ->> (rule ->> 'by'), '*');
    IF wanted IS NULL OR NOT wanted ?| actions THEN RETURN 'comes without the audit row that it comes with'; END IF;
    IF rule ? 'starts' AND NOT becomes @> (rule -> 'starts') THEN RETURN 'does not begin like this'; END IF;
    IF rule ? 'decided' AND NOT EXISTS (
      SELECT 1 FROM memoryhub_decision d
      WHERE d.written_in = hub_transaction() AND d.channel = rule ->> 'decided'
        AND d.subject_id = coalesce((becomes ->> 'subject_id')::uuid, (
          SELECT subject_id FROM memoryhub_entry WHERE id = (becomes ->> 'entry_id')::uuid))
        AND (NOT rule ? 'op' OR d.results @> jsonb_build_array(jsonb_build_object('op', becomes -> (rule ->> 'op'))))
    ) THEN RETURN 'comes without the decision that it comes with'; END IF;
    RETURN NULL;
  END IF;
  IF becomes IS NULL THEN
    RETURN CASE WHEN NOT hub_did(rule -> 'gone') AND NOT rule -> 'delete' ?| actions
           THEN 'does not go without an audit row' END;
  END IF;
  FOR name IN SELECT key FROM jsonb_each(becomes) WHERE value IS DISTINCT FROM was -> key AND NOT rule -> 'free' ? key LOOP
    CONTINUE WHEN becomes -> name IN ('null', '""') AND hub_did(rule -> 'emptied' -> name);
    step := rule -> 'moves' -> name ->> ((was ->> name) || ' ' || (becomes ->> name));
    wanted := CASE WHEN rule -> 'moves' ? name THEN to_jsonb(ARRAY[step]) ELSE rule -> 'update' -> name END;
    IF wanted IS NULL OR NOT wanted ?| actions OR (rule -> 'grows' ? name AND NOT becomes -> name @> (was -> name)) THEN
      RETURN 'does not change in ' || name || ' without the audit row that allows it';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION hub_row_audited() RETURNS trigger LANGUAGE plpgsql {SAFE} AS $$
DECLARE
  identity text[] := hub_look_as(coalesce(NEW.organisation_id, OLD.organisation_id));
  fault text := hub_row_fault(TG_ARGV[0]::jsonb, to_jsonb(OLD), to_jsonb(NEW));
  there boolean := true;
BEGIN
  IF fault IS NOT NULL AND TG_OP <> 'DELETE' THEN  -- what is gone by now is judged by its going
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE id = $1)', TG_TABLE_SCHEMA, TG_TABLE_NAME)
      INTO there USING NEW.id;
  END IF;
  IF fault IS NOT NULL AND there THEN PERFORM hub_refuse(format('a row of %s %s', TG_TABLE_NAME, fault)); END IF;
  PERFORM hub_look_back(identity);
  RETURN NULL;
END $$;
"""

# A record's reading is what a source said then; a newer one is another row.
READING = """
CREATE FUNCTION hub_never_rewritten() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM hub_refuse(format('a row of %s is never rewritten', TG_TABLE_NAME)); RETURN NULL; END $$;
CREATE TRIGGER reading_never_rewritten BEFORE UPDATE ON memoryhub_recordreading
  FOR EACH ROW EXECUTE FUNCTION hub_never_rewritten();
"""

UNAUDITED = """
DROP FUNCTION hub_row_audited(); DROP FUNCTION hub_row_fault(jsonb, jsonb, jsonb); DROP FUNCTION hub_did(jsonb);
"""
REWRITTEN = """
DROP TRIGGER reading_never_rewritten ON memoryhub_recordreading; DROP FUNCTION hub_never_rewritten();
"""


def audited(table: str, said: dict[str, Any]) -> str:
    """SQL that puts a table under its rule: checked at the end of the transaction, free columns aside."""
    words = json.dumps(said).replace("'", "''")
    free = "{" + ",".join(said["free"]) + "}"
    return f"""
CREATE CONSTRAINT TRIGGER {table}_audited AFTER INSERT OR DELETE ON {table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_row_audited('{words}');
CREATE CONSTRAINT TRIGGER {table}_change_audited AFTER UPDATE ON {table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((to_jsonb(OLD) - '{free}'::text[]) IS DISTINCT FROM (to_jsonb(NEW) - '{free}'::text[]))
  EXECUTE FUNCTION hub_row_audited('{words}');
"""


def unaudited(table: str) -> str:
    """The reverse of `audited`."""
    return f"DROP TRIGGER {table}_change_audited ON {table}; DROP TRIGGER {table}_audited ON {table};"


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0012_paused_subjects"), ("accounts", "0003_same_organisation")]

    operations = [
        migrations.RunSQL(AUDITED, UNAUDITED),
        migrations.RunSQL(READING, REWRITTEN),
        *[migrations.RunSQL(audited(table, said), unaudited(table)) for table, said in RULES.items()],
    ]
