"""The six signals, the second profile, and a relevance that means the same for every question (R31–R33)."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import conf
from memoryhub.recall.ranking import (
    Candidate,
    Signals,
    above_bar,
    authority_of,
    compare_identifiers,
    explain,
    frequency,
    identifiers,
    importance_of,
    importance_rating,
    likelihood,
    order,
    recency,
    relevance,
    score,
    signals_of,
)
from memoryhub.vocabulary import Category, Channel, Kind, RecallProfile

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
GOVERNED, GENERATIVE = RecallProfile.GOVERNED, RecallProfile.GENERATIVE_AGENTS


def candidate(id: str = "a", **fields: object) -> Candidate:
    known: dict[str, object] = {
        "kind": Kind.SEMANTIC,
        "category": Category.PREFERENCE,
        "importance": 0.6,
        "authority": 0.3,
        "valid_from": NOW,
    }
    return Candidate(id, **(known | fields))  # type: ignore[arg-type]


# Score ----------------------------------------------------------------------------------------------------------


def test_the_weights_add_up_to_one_and_a_tenth() -> None:
    assert score(Signals(1, 1, 1, 1, 1, 1)) == pytest.approx(1.10)
    assert score(Signals(0, 0, 0, 0, 0, 0)) == 0


@pytest.mark.parametrize(
    ("signals", "weight"),
    [
        (Signals(1, 0, 0, 0, 0, 0), 0.40),
        (Signals(0, 1, 0, 0, 0, 0), 0.20),
        (Signals(0, 0, 1, 0, 0, 0), 0.15),
        (Signals(0, 0, 0, 1, 0, 0), 0.15),
        (Signals(0, 0, 0, 0, 1, 0), 0.10),
        (Signals(0, 0, 0, 0, 0, 1), 0.10),
    ],
)
def test_each_signal_has_its_weight(signals: Signals, weight: float) -> None:
    assert score(signals) == pytest.approx(weight)


def test_the_score_is_the_sum_of_what_explain_shows() -> None:
    ranked = order([candidate(cosine=0.5, lexical=0.5, use_count=3)], profile=GOVERNED, now=NOW)[0]
    assert sum(explain(ranked).values()) == pytest.approx(ranked.score)


def test_a_worked_score() -> None:
    # Stated a fortnight ago, useful twice, halfway relevant: .4×.5 + .2×.5 + .15×.6 + .15×.3 + .1×.361 + .1×1
    two_weeks_old = candidate(cosine=0.45, lexical=0.5, valid_from=NOW - timedelta(days=14), use_count=2)
    assert order([two_weeks_old], profile=GOVERNED, now=NOW)[0].score == pytest.approx(0.5711, abs=1e-4)


# Single signals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "expected"), [(0, 1), (14, 0.5), (28, 0.25), (42, 0.125), (-3, 1), (36500, 0)])
def test_recency_halves_every_fortnight_and_the_future_is_now(days: int, expected: float) -> None:
    assert recency(candidate(valid_from=NOW - timedelta(days=days)), NOW) == pytest.approx(expected)


def test_recency_counts_from_the_last_confirmation() -> None:
    confirmed = candidate(valid_from=NOW - timedelta(days=300), last_confirmed_at=NOW - timedelta(days=14))
    assert recency(confirmed, NOW) == pytest.approx(0.5)


def test_recency_looks_at_instants_not_at_zones() -> None:
    elsewhere = candidate(valid_from=(NOW - timedelta(days=14)).astimezone(ZoneInfo("Asia/Kolkata")))
    assert recency(elsewhere, NOW) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("used", "expected"), [(0, 0), (1, 0.2277), (4, 0.5286), (20, 1), (21, 1), (10**9, 1), (-5, 0)]
)
def test_frequency_grows_slowly_and_is_full_at_twenty(used: int, expected: float) -> None:
    assert frequency(used) == pytest.approx(expected, abs=1e-4)


def test_a_closed_fact_loses_its_validity() -> None:
    assert signals_of(candidate(), NOW).validity == 1
    assert signals_of(candidate(valid_now=False), NOW).validity == 0


@pytest.mark.parametrize(
    ("category", "expected"),
    [(Category.LESSON, 1.0), (Category.CONTACT, 0.8), (Category.PREFERENCE, 0.6), (Category.GENERAL, 0.3)],
)
def test_importance_by_category(category: Category, expected: float) -> None:
    assert importance_of(category) == expected


def test_every_category_and_channel_has_its_number() -> None:
    assert set(conf.IMPORTANCE) == {str(category) for category in Category}
    assert set(conf.AUTHORITY) == {str(channel) for channel in Channel}


def test_what_is_derived_is_no_better_than_its_weakest_source() -> None:
    assert authority_of(Channel.DREAM) == 0.6
    assert authority_of(Channel.DREAM, [1.0, 0.3, 0.6]) == 0.3


# Relevance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cosine", "lexical", "expected"),
    [
        (0.15, 0.0, 0.0),
        (-0.4, 0.0, 0.0),
        (0.75, 0.0, conf.MEANING_ALONE),
        (0.99, 0.0, conf.MEANING_ALONE),
        (0.75, 1.0, 1.0),
        (0.45, 0.5, 0.5),
        (0.15, 1.0, 0.5),
        (None, 0.5, 0.5),  # the embedding is still pending: words alone
        (0.45, None, 0.5),  # a question of stop words: meaning alone
        (None, None, 0.0),
        (math.nan, math.nan, 0.0),
    ],
)
def test_meaning_and_words_are_fused(cosine: float | None, lexical: float | None, expected: float) -> None:
    assert relevance(cosine=cosine, lexical=lexical) == pytest.approx(expected)


FRACTIONS = st.floats(0, 1)
COSINES = st.floats(-1, 1)


@given(COSINES, FRACTIONS)
def test_an_identifier_in_common_is_never_worse_than_its_better_part(cosine: float, lexical: float) -> None:
    assert relevance(cosine=cosine, lexical=lexical, identifier_hit=True) == 1.0
    assert relevance(cosine=None, lexical=None, identifier_hit=True) == 1.0


@given(COSINES | st.none(), FRACTIONS | st.none(), st.booleans())
def test_relevance_is_a_fraction_and_another_identifier_only_lowers_it(
    cosine: float | None, lexical: float | None, hit: bool
) -> None:
    own = relevance(cosine=cosine, lexical=lexical, identifier_hit=hit)
    foreign = relevance(cosine=cosine, lexical=lexical, identifier_hit=hit, other_identifier=not hit)
    assert 0 <= foreign <= own <= 1


NEIGHBOURS = st.lists(st.tuples(COSINES | st.none(), FRACTIONS | st.none()), max_size=2).map(tuple)


@given(COSINES | st.none(), FRACTIONS | st.none(), NEIGHBOURS, FRACTIONS)
def test_what_is_named_and_what_stands_beside_only_raise_it(
    cosine: float | None,
    lexical: float | None,
    neighbours: tuple[tuple[float | None, float | None], ...],
    same_session: float,
) -> None:
    plain = candidate(cosine=cosine, lexical=lexical)
    alone = likelihood(plain)
    assert alone == relevance(cosine=cosine, lexical=lexical)
    for raised in (
        replace(plain, named_speaker=True),
        replace(plain, named_time=True),
        replace(plain, neighbours=neighbours),
        replace(plain, same_session=same_session),
        replace(plain, named_speaker=True, named_time=True, neighbours=neighbours),
    ):
        assert alone <= likelihood(raised) <= 1


def test_each_of_them_closes_its_share_of_the_gap() -> None:
    half = candidate(cosine=0.45, lexical=0.5)
    assert likelihood(replace(half, named_speaker=True)) == pytest.approx(0.5 + 0.5 * conf.NAMED_SPEAKER)
    assert likelihood(replace(half, named_time=True)) == pytest.approx(0.5 + 0.5 * conf.NAMED_TIME)
    beside = replace(half, neighbours=((None, None), (0.75, 1.0)))
    assert likelihood(beside) == pytest.approx(0.5 + 0.5 * conf.NEIGHBOUR)
    assert likelihood(replace(half, same_session=0.8)) == pytest.approx(0.5 + 0.5 * 0.8 * conf.SAME_SESSION)


@given(COSINES | st.none(), FRACTIONS | st.none())
def test_what_is_itself_a_question_answers_less(cosine: float | None, lexical: float | None) -> None:
    plain = candidate(cosine=cosine, lexical=lexical)
    assert likelihood(replace(plain, asks=True)) == pytest.approx((1 - conf.ASKS) * likelihood(plain))


@given(st.lists(st.tuples(COSINES, FRACTIONS), min_size=1, max_size=8))
def test_the_other_candidates_never_decide_about_the_bar(pairs: list[tuple[float, float]]) -> None:
    candidates = [candidate(f"{i}", cosine=c, lexical=w) for i, (c, w) in enumerate(pairs)]
    for profile in RecallProfile:
        together = {r.candidate.id for r in above_bar(order(candidates, profile=profile, now=NOW), conf.MIN_RELEVANCE)}
        alone = {c.id for c in candidates if above_bar(order([c], profile=profile, now=NOW), conf.MIN_RELEVANCE)}
        assert together == alone


def test_a_bar_of_zero_lets_everything_through() -> None:
    ranked = order([candidate(cosine=-1.0, lexical=0.0)], profile=GOVERNED, now=NOW)
    assert above_bar(ranked, 0) == ranked
    assert above_bar(ranked, conf.MIN_RELEVANCE) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is parcel 77012?", {"77012"}),
        ("error E-2031 and ERR_77", {"e-2031", "err", "err_77"} - {"err"}),
        ("bug #4512 in v2.14.1", {"4512", "v2.14.1"}),
        ("ＩＤ ＡＢ１２３", {"ab123"}),
        ("two pens, 3 cups, room 42", set()),
        ("in 2026, on 2026-05-20, at 15:00, the 21st, 10:30:15, 5/2026", set()),
        ("no digits at all", set()),
    ],
)
def test_identifiers_are_told_from_counts_and_dates(text: str, expected: set[str]) -> None:
    assert identifiers(text) == expected


def test_the_parcel_asked_about_is_told_from_another() -> None:
    asked = identifiers("what became of parcel 77012")
    texts = ("Parcel 77012 was returned.", "Parcel 66009 was returned.", "Parcels go to the porch.")
    assert [compare_identifiers(asked, text) for text in texts] == [(True, False), (False, True), (False, False)]
    assert compare_identifiers(identifiers("what became of it"), texts[0]) == (False, False)
    found = [
        signals_of(candidate(lexical=words, identifier_hit=hit, other_identifier=other), NOW).relevance
        for words, (hit, other) in zip((0.67, 0.33, 0.33), [(True, False), (False, True), (False, False)], strict=True)
    ]
    assert [round(each, 2) for each in found] == [1.0, 0.07, 0.33]


# Order ----------------------------------------------------------------------------------------------------------


def test_equal_scores_go_by_confirmation_then_by_id() -> None:
    future = NOW + timedelta(days=1)  # counts as now, so the scores are equal
    same = [candidate("c"), candidate("b"), candidate("a", last_confirmed_at=future), candidate("d")]
    assert [r.candidate.id for r in order(same, profile=GOVERNED, now=NOW)] == ["a", "b", "c", "d"]


@given(st.permutations("abcdef"))
def test_the_order_of_the_candidates_changes_nothing(ids: list[str]) -> None:
    candidates = [candidate(i, cosine=ord(i) % 3 / 3, lexical=0.1) for i in ids]
    for profile in RecallProfile:
        expected = order(sorted(candidates, key=lambda c: c.id), profile=profile, now=NOW)
        assert order(candidates, profile=profile, now=NOW) == expected


def test_nothing_to_order() -> None:
    for profile in RecallProfile:
        assert order([], profile=profile, now=NOW) == []


# The published example of the second profile: a move, the older home, and a taste -------------------------------


def moved_home_taste() -> list[Candidate]:
    def used(hours: float) -> datetime:
        return NOW - timedelta(hours=hours)

    return [
        candidate("moved", cosine=0.80, importance=7 / 9, last_used_at=used(1)),  # 8 of 10
        candidate("old home", cosine=0.82, importance=7 / 9, last_used_at=used(24 * 240)),
        candidate("taste", cosine=0.12, importance=1 / 9, last_used_at=used(5)),  # 2 of 10
    ]


def test_the_published_sums_come_out() -> None:
    ranked = order(moved_home_taste(), profile=GENERATIVE, now=NOW)
    assert [(r.candidate.id, round(r.score, 2)) for r in ranked] == [
        ("moved", 2.97),
        ("old home", 2.0),
        ("taste", 0.98),
    ]


def test_the_formula_alone_does_not_drop_the_older_home_but_the_filter_before_it_does() -> None:
    moved, old_home, taste = moved_home_taste()
    assert [r.candidate.id for r in order([moved, old_home, taste], profile=GENERATIVE, now=NOW)][1] == "old home"
    assert [r.candidate.id for r in order([moved, taste], profile=GENERATIVE, now=NOW)] == ["moved", "taste"]


def test_access_decays_by_half_a_percent_an_hour() -> None:
    ids = [candidate(f"{h}", last_used_at=NOW - timedelta(hours=h), cosine=0.5) for h in (0, 100, 200)]
    scores = [r.score for r in order(ids, profile=GENERATIVE, now=NOW)]
    assert scores[1] - 1.0 == pytest.approx((0.995**100 - 0.995**200) / (1 - 0.995**200))


def test_a_column_in_which_all_are_alike_decides_nothing() -> None:
    assert order([candidate(cosine=0.4)], profile=GENERATIVE, now=NOW)[0].score == pytest.approx(1.5)


def test_without_an_embedding_the_words_stand_for_the_cosine() -> None:
    pending, other = candidate("pending", lexical=1.0), candidate("other", cosine=0.3, lexical=0.0)
    assert [r.candidate.id for r in order([other, pending], profile=GENERATIVE, now=NOW)] == ["pending", "other"]


@pytest.mark.parametrize(("importance", "rating"), [(0, 1), (0.3, 4), (0.6, 6), (0.8, 8), (1, 10), (7, 10), (-1, 1)])
def test_importance_on_a_scale_of_ten(importance: float, rating: int) -> None:
    assert importance_rating(importance) == rating
