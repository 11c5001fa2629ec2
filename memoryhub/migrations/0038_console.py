"""An escalation is taken back, a form is obeyed once, and a reason of its own for what waits for two people (R92)."""

import importlib

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.ids
from accounts.row_security import protect, unprotect

GUARD = importlib.import_module("memoryhub.migrations.0013_audited_rows")
BEFORE = importlib.import_module("memoryhub.migrations.0022_review_console")
TABLE, FORMS = BEFORE.TABLE, "memoryhub_sentform"
UPDATED = BEFORE.RULE["update"]
RULE = {
    **BEFORE.RULE,
    "update": {
        **UPDATED,
        "escalated_at": [*UPDATED["escalated_at"], "queue.lower"],
        "place_at": [*UPDATED["place_at"], "queue.lower"],
    },
}


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_key_in_one_step"),
        ("memoryhub", "0037_forgotten_as_a_reason"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="dreamoperation",
            name="reason",
            field=models.CharField(
                choices=[
                    ("committed", "Kept."),
                    ("superseded", "Kept as the new version; the earlier one is history now."),
                    ("duplicate", "Already known."),
                    ("waiting", "The same statement already waits for a curator."),
                    ("older", "Said before the current version became valid, so it is kept as history."),
                    ("low_confidence", "Not certain enough to keep without a person."),
                    ("inferred", "The agent inferred it; a person has to look first."),
                    ("untrusted_channel", "It came from text nobody vouched for; a person has to look first."),
                    ("settled", "A record that is trusted for this says otherwise, so it is kept as history."),
                    ("contradicts", "It contradicts what is in force and nothing settles which is right."),
                    ("language_not_handled", "The rules do not read this language; a person has to look."),
                    ("queue_full", "Enough from this source waits for a person already, so it was not kept."),
                    ("not_a_member", "The speaker is not known to speak for this subject."),
                    ("beyond_membership", "Members don't settle this about it; a person has to look first."),
                    ("suspicious", "It may be an instruction in disguise; a person has to look first."),
                    ("shared_scope", "It would be read by others; a person has to look first."),
                    ("procedure", "It changes how the agent acts; a person has to approve it."),
                    ("propose_only", "The agent's policy only lets it propose."),
                    ("unsupported", "Nothing backs it yet; a person has to look first."),
                    ("mentions_other", "It names another person; a person has to look first."),
                    ("personal_data", "It holds personal data; a person has to look first."),
                    ("asserts_nothing", "It states nothing that could be remembered."),
                    ("not_durable", "It matters only for this moment."),
                    ("recalled_note", "It repeats a note the hub gave out."),
                    ("not_own_claim", "It is not the speaker's own statement about themselves."),
                    ("kind_off", "The policy keeps nothing of this kind."),
                    ("sampled", "Chosen for a person to sample."),
                    ("injection", "It reads like an attempt to instruct the agent."),
                    ("secret", "Keys, passwords and tokens are never kept."),
                    ("sensitive", "This kind of personal data is never kept."),
                    ("third_party", "Another person's data is not kept."),
                    ("asked_not_to_keep", "The person asked not to keep it."),
                    ("forgotten", "The person had it forgotten; only they can bring it back, by saying it again."),
                    (
                        "authority_claim",
                        "A limit, right or verified identity can't be claimed by the person it benefits.",
                    ),
                    ("needs_two", "Two curators have to say yes to it."),
                    ("not_granted", "This role may not write this."),
                    ("paused", "Remembering is paused for this person."),
                    ("new_evidence", "A curator declined it before; there is new evidence, so a person looks again."),
                    ("declined_before", "A curator declined the same statement; it needs new evidence."),
                    ("invalid_skill", "The skill does not fit its agent."),
                    ("lapses", "It lapses soon; somebody has to say whether it is still so."),
                    ("reflected", "It sums up what recurred in several sessions; a person has to look first."),
                    ("altered", "It is not what was approved, so it was taken out of use; a person has to look."),
                ],
                max_length=30,
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="reason",
            field=models.CharField(
                choices=[
                    ("committed", "Kept."),
                    ("superseded", "Kept as the new version; the earlier one is history now."),
                    ("duplicate", "Already known."),
                    ("waiting", "The same statement already waits for a curator."),
                    ("older", "Said before the current version became valid, so it is kept as history."),
                    ("low_confidence", "Not certain enough to keep without a person."),
                    ("inferred", "The agent inferred it; a person has to look first."),
                    ("untrusted_channel", "It came from text nobody vouched for; a person has to look first."),
                    ("settled", "A record that is trusted for this says otherwise, so it is kept as history."),
                    ("contradicts", "It contradicts what is in force and nothing settles which is right."),
                    ("language_not_handled", "The rules do not read this language; a person has to look."),
                    ("queue_full", "Enough from this source waits for a person already, so it was not kept."),
                    ("not_a_member", "The speaker is not known to speak for this subject."),
                    ("beyond_membership", "Members don't settle this about it; a person has to look first."),
                    ("suspicious", "It may be an instruction in disguise; a person has to look first."),
                    ("shared_scope", "It would be read by others; a person has to look first."),
                    ("procedure", "It changes how the agent acts; a person has to approve it."),
                    ("propose_only", "The agent's policy only lets it propose."),
                    ("unsupported", "Nothing backs it yet; a person has to look first."),
                    ("mentions_other", "It names another person; a person has to look first."),
                    ("personal_data", "It holds personal data; a person has to look first."),
                    ("asserts_nothing", "It states nothing that could be remembered."),
                    ("not_durable", "It matters only for this moment."),
                    ("recalled_note", "It repeats a note the hub gave out."),
                    ("not_own_claim", "It is not the speaker's own statement about themselves."),
                    ("kind_off", "The policy keeps nothing of this kind."),
                    ("sampled", "Chosen for a person to sample."),
                    ("injection", "It reads like an attempt to instruct the agent."),
                    ("secret", "Keys, passwords and tokens are never kept."),
                    ("sensitive", "This kind of personal data is never kept."),
                    ("third_party", "Another person's data is not kept."),
                    ("asked_not_to_keep", "The person asked not to keep it."),
                    ("forgotten", "The person had it forgotten; only they can bring it back, by saying it again."),
                    (
                        "authority_claim",
                        "A limit, right or verified identity can't be claimed by the person it benefits.",
                    ),
                    ("needs_two", "Two curators have to say yes to it."),
                    ("not_granted", "This role may not write this."),
                    ("paused", "Remembering is paused for this person."),
                    ("new_evidence", "A curator declined it before; there is new evidence, so a person looks again."),
                    ("declined_before", "A curator declined the same statement; it needs new evidence."),
                    ("invalid_skill", "The skill does not fit its agent."),
                    ("lapses", "It lapses soon; somebody has to say whether it is still so."),
                    ("reflected", "It sums up what recurred in several sessions; a person has to look first."),
                    ("altered", "It is not what was approved, so it was taken out of use; a person has to look."),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="SentForm",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("token", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "user", "token"), name="sent_form_once")
                ],
            },
        ),
        migrations.RunSQL(protect(FORMS), unprotect(FORMS)),
        migrations.RunSQL(GUARD.unaudited(TABLE), GUARD.audited(TABLE, BEFORE.RULE)),
        migrations.RunSQL(GUARD.audited(TABLE, RULE), GUARD.unaudited(TABLE)),
    ]
