"""What stands behind an opener, a request or a first clause is read like any other statement, and wishes that stand by
what they ask of are told from requests of the moment (R1, R11, R13).
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memoryhub.governance.extraction import Extraction, extract
from memoryhub.vocabulary import Channel, Form

OSLO = ZoneInfo("Europe/Oslo")
MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=OSLO)


def said(text: str) -> Extraction:
    return extract(text, said_at=MONDAY, zone=OSLO, channel=Channel.USER_MESSAGE)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("By the way we've moved, my address is 4 Quay Road, Ely.", ["my address is 4 Quay Road, Ely."]),
        ("By the way, I work at Borealis.", ["I work at Borealis."]),
        ("On another note, I work at Borealis.", ["I work at Borealis."]),
        ("Before I forget, I live in Graz.", ["I live in Graz."]),
        ("My kettle never came, order 5512. Oh, by the way I live in Graz now.", ["I live in Graz now."]),
        ("Where is my kettle? Incidentally, I live in Graz.", ["I live in Graz."]),
        ("I have the Basic plan with three seats, but we might stop in May.", ["I have the Basic plan with three seats"]),
        ("I'd like to change my flight and my favourite seat is 4A.", ["my favourite seat is 4A."]),
        ("We bake on Mondays, never on Sundays.", ["We bake on Mondays", "We never bake on Sundays."]),
        ("I prefer tabs over spaces and please keep lines under 90 characters", [
            "I prefer tabs over spaces", "please keep lines under 90 characters",
        ]),
    ],
)  # fmt: skip
def test_each_clause_is_judged_by_itself_and_kept_without_its_opener(text, kept):
    assert [claim.text for claim in said(text).claims] == kept


def test_the_detail_says_that_a_part_gave_no_claim():
    assert said("I live in Graz and we'll probably cancel soon.").detail == (
        "1 claim. 1 other part of the text gave none."
    )
    assert said("Hello! I live in Graz.").detail == "1 claim."


@pytest.mark.parametrize(
    "text",
    [
        "I'd like oat milk in all my coffees.",
        "I would like an aisle seat on every train.",
        "Please bubble wrap all my vases.",
        "I'd like all my shirts ironed.",
        "Print every invoice on recycled paper.",
        "Keep the aquarium at 24 during the night.",
        "Set the boiler to 60 when we're home, 40 at night.",
        "Turn the radiators down to 16 overnight.",
        "Keep the shutters closed after dark.",
        "Keep paragraphs under 80 words.",
    ],
)
def test_a_wish_for_all_of_a_kind_a_returning_time_or_a_setting_stands(text):
    (claim,) = said(text).claims
    assert claim.key == "wishes"


@pytest.mark.parametrize(
    "text",
    [
        "Wake me at 7 tomorrow.",
        "Set it to 19.",
        "Please keep the fee under 30 dollars.",
        "Keep tickets under 300 dollars.",
        "Cancel all my orders.",
        "I'd like all my flights cancelled.",
        "I want you to give the title alone, do not write notes.",
        "My parcel 5512 is still missing.",
        "I'd like a refund on all my orders.",
        "Turn the lights off.",
        "Keep it at 19 tonight.",
        "I'm leaving Denver on May 20.",
    ],
)
def test_a_request_of_the_moment_does_not_stand(text):
    assert said(text).claims == ()


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I was born on 4 June 1979.", "birthday", "4 June 1979"),
        ("I was born on June 4th, 1979 in Graz", "birthday", "June 4th, 1979"),
        ("I was born in Graz.", "birthplace", "Graz"),
        ("We moved to Postgres in April.", "database", "Postgres"),
        ("I wear a size 38 and the last pair pinched.", "wears", "size 38"),
        ("We moved off Jenkins in April.", "ci", "not Jenkins"),
        ("We have migrated away from MySQL.", "database", "not MySQL"),
        ("My goat's name is Olive and she is four.", "goat_name", "Olive"),
        ("I have a goat called Olive and she bites.", "goat_name", "Olive"),
        ("My parrot is called Salt and Pepper.", "parrot_name", "Salt and Pepper"),
        ("My flat is on the third floor and has no lift.", "flat", "on the third floor"),
    ],
)
def test_values_end_where_the_next_clause_begins(text, key, value):
    assert [(claim.key, claim.value) for claim in said(text).claims][:1] == [(key, value)]


def test_a_post_that_will_be_left_ends_then():
    (claim,) = said("I am leaving Halden at the end of August.").claims
    assert (claim.key, claim.value, claim.closes) == ("employer", "not Halden", ("Halden",))
    assert claim.valid_from == datetime(2026, 8, 31, tzinfo=OSLO)


def test_what_a_thing_of_the_place_does_on_a_weekday_is_every_week_and_waits_for_a_curator():
    (claim,) = said("The bins come in on Friday morning.").claims
    assert (claim.form, claim.valid_from, claim.valid_to) == (Form.IMPLIED, None, None)


def test_what_a_thing_of_the_place_carries_is_kept():
    assert said("The crane in the yard carries at most 900 kg.").claims


def test_a_weekday_in_the_plural_is_no_one_day():
    (claim,) = said("Rubbish is collected on Thursday mornings.").claims
    assert (claim.valid_to, claim.text) == (None, "Rubbish is collected on Thursday mornings.")
