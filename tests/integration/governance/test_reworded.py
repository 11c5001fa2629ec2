"""A curator's own words, however they come into force, are what they say: of a limit, a right or an identity two
curators decide where the policy asks for two (R14, R92)."""

from datetime import timedelta

import pytest

from memoryhub.errors import Invalid, NotGranted
from memoryhub.governance import bulk, confirmation, decisions, merging, policy_versions, timeline
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, ReviewState, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say
from tests.integration.governance.test_deciding_otherwise import as_, inferred, queue

STAFF = {"channel": Channel.CURATOR, "role": Role.CURATOR}
RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
HARMLESS = ("The customer prefers oolong", "I live in Trier")
LIMITS = ("My refund limit is 4100 euros", "I live in Trier. My refund limit is 4100 euros.")
WORDS = [*((words, False) for words in HARMLESS), *((words, True) for words in LIMITS)]


@pytest.fixture(params=[True, False], ids=["two", "one"])
def asks_two(ground: Ground, request: pytest.FixtureRequest) -> bool:
    if request.param:
        with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
            policy_versions.change(
                document={"four_eyes": ["policy_limits"]}, reason="Two look.", by=ground.as_operator, now=NOW
            )
    return bool(request.param)


def in_force(ground: Ground, words: str) -> Entry | None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return Entry.objects.filter(content=words, status=Status.ACCEPTED).first()


def waiting_limit(say: Say, ground: Ground) -> ReviewItem:
    """A curator says other than the record that is in force."""
    say("Refund limit: 90", key="refund_limit", value="90", by=ground.as_record, **RECORD)
    say("Refund limit: 70", key="refund_limit", value="70", by=ground.as_ada, **STAFF)
    return queue(ground)[0]


@pytest.mark.parametrize("before", ["harmless", "limit"])
@pytest.mark.parametrize(("words", "authority"), WORDS)
def test_an_edit_is_what_its_words_say_and_needs_as_many(
    say: Say, ground: Ground, asks_two: bool, before: str, words: str, authority: bool
) -> None:
    item = inferred(say, ground) if before == "harmless" else waiting_limit(say, ground)
    first = as_(ground.as_cal, decisions.approve, item_id=item.pk, text=words)
    if asks_two and (authority or before == "limit"):
        assert (first.state, in_force(ground, words)) == (ReviewState.WAITING, None)
        with pytest.raises(NotGranted):
            as_(ground.as_cal, decisions.approve, item_id=item.pk, text=words)
        first = as_(ground.as_dee, decisions.approve, item_id=item.pk, text=words)
    entry = in_force(ground, words)
    assert (first.state, entry is not None) == (ReviewState.APPROVED, True)
    assert entry is not None
    assert (entry.category in {Category.POLICY_LIMIT, Category.ENTITLEMENT, Category.IDENTITY}) is authority
    as_(ground.as_dee if first.decided_by_id == ground.as_dee.user else ground.as_cal, decisions.undo, item_id=item.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        back = Entry.objects.get(pk=entry.pk)
        assert item.entry is not None
        assert (back.kind, back.category, back.key, back.confidence) == (
            item.entry.kind, item.entry.category, item.entry.key, item.entry.confidence,
        )  # fmt: skip


@pytest.mark.parametrize("asks_two", [True], indirect=True)
@pytest.mark.parametrize("text", ["Refund limit: 70", "My refund limit is 12 euros"])
def test_the_second_yes_is_to_the_words_of_the_first(say: Say, ground: Ground, asks_two: bool, text: str) -> None:
    item = waiting_limit(say, ground)
    as_(ground.as_cal, decisions.approve, item_id=item.pk, text=LIMITS[0])
    again = as_(ground.as_dee, decisions.approve, item_id=item.pk, text=text)
    assert (again.state, again.first_yes_by_id) == (ReviewState.WAITING, ground.as_dee.user)


@pytest.mark.parametrize("asks_two", [True], indirect=True)
def test_a_first_yes_to_a_limit_is_no_yes_in_bulk(say: Say, ground: Ground, asks_two: bool) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.approve, item_id=item.pk, text=LIMITS[0])
    assert as_(ground.as_dee, bulk.preview, ids=[item.pk], verb="approve").eligible == []


@pytest.mark.parametrize(("words", "authority"), WORDS)
def test_a_merge_in_other_words_too(say: Say, ground: Ground, asks_two: bool, words: str, authority: bool) -> None:
    kept = say("I like quiet mornings").results[0].entry
    assert kept is not None
    item = inferred(say, ground, "The customer enjoys calm mornings")

    def merge(by: Principal) -> ReviewItem:
        merged: ReviewItem = as_(by, merging.merge, item_id=item.pk, into=kept.pk, text=words)
        return merged

    if asks_two and authority:
        with pytest.raises(NotGranted):
            merge(ground.as_cal)
        assert in_force(ground, words) is None
    else:
        merge(ground.as_cal)
        assert in_force(ground, words) is not None


@pytest.mark.parametrize("old", ["a city", "a limit", None])
@pytest.mark.parametrize(("words", "authority"), WORDS)
def test_what_a_curator_says_or_corrects_waits_for_two_others(
    say: Say, ground: Ground, asha: Subject, asks_two: bool, old: str | None, words: str, authority: bool
) -> None:
    corrects = None
    if old == "a city":
        corrects = say("I live in Husum").results[0].entry
    elif old == "a limit":
        corrects = say("Refund limit: 70", key="refund_limit", value="70", by=ground.as_ada, **STAFF).results[0].entry
        if asks_two:
            for who in (ground.as_cal, ground.as_dee):
                as_(who, decisions.approve, item_id=queue(ground)[0].pk)
    say(words, by=ground.as_ada, now=NOW + timedelta(hours=1), corrects=corrects, **STAFF)
    if not asks_two or not (authority or old == "a limit"):
        assert old is None or in_force(ground, words) is not None
        return
    assert in_force(ground, words) is None
    item = next(one for one in queue(ground, now=NOW + timedelta(hours=1)) if one.entry is not None)
    with pytest.raises(NotGranted):
        as_(ground.as_ada, decisions.approve, item_id=item.pk)
    if corrects is not None:
        for who in (ground.as_cal, ground.as_dee):
            assert in_force(ground, words) is None
            as_(who, decisions.approve, item_id=item.pk, now=NOW + timedelta(hours=2))
        assert in_force(ground, words) is not None
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert Entry.objects.get(pk=corrects.pk).status == Status.REPLACED


@pytest.mark.parametrize(
    ("old", "words", "key"),
    [
        ("I live in Husum", "Trier", "city"),
        ("I live in Husum", "No, Trier", "city"),
        ("I live in Husum", "I moved to Trier", "city"),
        ("I live in Husum", "My dog is called Nepomuk", "dog_name"),
        ("I live in Husum", "I prefer letters to faxes", "preferred_contact"),
        ("I live in Husum", "The parcels go to the side gate", ""),
    ],
)
@pytest.mark.parametrize("who", [{}, STAFF], ids=["the person", "a curator"])
def test_a_correction_stands_under_the_key_its_words_are_about(
    say: Say, ground: Ground, old: str, words: str, key: str, who: dict[str, object]
) -> None:
    corrects = say(old).results[0].entry
    assert corrects is not None
    by = {"by": ground.as_cal} if who else {}
    (result,) = say(words, corrects=corrects, now=NOW + timedelta(hours=1), **who, **by).results
    assert result.entry is not None
    assert (result.op, result.entry.key, result.entry.supersedes_id) == ("UPDATE", key, corrects.pk)
    say("I live in Celle", now=NOW + timedelta(hours=2), **who, **by)
    assert in_force(ground, "I live in Celle") is not None
    assert (in_force(ground, words) is None) is (key == "city")


def test_the_timeline_says_that_it_was_edited(say: Say, ground: Ground) -> None:
    item = inferred(say, ground)
    done = as_(ground.as_cal, decisions.approve, item_id=item.pk, text=HARMLESS[0])
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        told = {moment.verb: moment.what for moment in timeline.of(done)}
    key = item.entry.key if item.entry is not None else ""
    assert told["approve"] == f"edited it, which took it from under the key {key}, then approved it"


@pytest.mark.parametrize(
    ("words", "another"),
    [
        ("Iva wants receipts by post.", False),
        ("Iva Noor wants receipts by post.", False),
        ("Noor prefers receipts on paper.", False),
        ("Tamsin wants receipts by post.", True),
        ("Iva Marsh wants receipts by post.", True),
        ("Tom Noor wants receipts by post.", True),
        ("Ivana wants receipts by post.", True),
    ],
)
def test_who_is_told_of_by_their_own_name_is_nobody_else(
    say: Say, ground: Ground, asha: Subject, words: str, another: bool
) -> None:
    asha.display_name = "Iva Noor"
    (result,) = say(words, channel=Channel.AGENT_INFERENCE, role=Role.AGENT).results
    assert (result.op, result.reason == "mentions_other") == ("QUEUED", another)


@pytest.mark.parametrize(("days", "refused"), [(-2, True), (-700, True), (0, False), (3, False)])
def test_a_review_date_is_no_day_that_is_over(say: Say, ground: Ground, days: int, refused: bool) -> None:
    entry = say("I live in Husum").results[0].entry
    wanted = NOW + timedelta(days=days)
    if refused:
        with pytest.raises(Invalid):
            as_(ground.as_cal, confirmation.set_review_by, entry=entry, review_by=wanted)
    else:
        assert as_(ground.as_cal, confirmation.set_review_by, entry=entry, review_by=wanted).review_by == wanted


@pytest.mark.parametrize("words", ["\u200b\u200b\u200b", "\u200b \u200b", "   "])
def test_words_that_are_none_assert_nothing(say: Say, words: str) -> None:
    assert [one.reason for one in say(words).results] == ["asserts_nothing"]
