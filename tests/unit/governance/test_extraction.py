"""Which claims a text makes: the speaker's own, one each, typed, dated, with their polarity (R1, R13)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.governance.extraction import Extraction, extract
from memoryhub.vocabulary import Channel, Form, Reason

OSLO = ZoneInfo("Europe/Oslo")
MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=OSLO)
STATING = [Channel.AGENT_INFERENCE, Channel.CURATOR, Channel.SYSTEM_OF_RECORD, Channel.DREAM, Channel.EVIDENCE]
UNTRUSTED = [Channel.DOCUMENT, Channel.WEB_PAGE, Channel.EMAIL, Channel.TOOL_RESULT]


def said(text: str, channel: Channel = Channel.USER_MESSAGE, **known: object) -> Extraction:
    return extract(text, said_at=MONDAY, zone=OSLO, channel=channel, **known)


def typed(text: str, channel: Channel = Channel.USER_MESSAGE, **known: object) -> list[tuple[str | None, str | None]]:
    return [(claim.key, claim.value) for claim in said(text, channel, **known).claims]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("My favourite flower is the tulip.", "favourite_flower", "tulip"),
        ("My e-mail address is ada@example.org", "email", "ada@example.org"),
        ("My new phone number is +47 22 12 34 56.", "phone", "+47 22 12 34 56"),
        ("My parrot is called Captain.", "parrot_name", "Captain"),
        ("My hamster's name is Pip", "hamster_name", "Pip"),
        ("My role is bookkeeper now.", "role", "bookkeeper"),
        ("My consignment reference is 1888 7777 0021.", "consignment_reference", "1888 7777 0021"),
        ("I live in Graz.", "city", "Graz"),
        ("I'm based in Turin these days", "city", "Turin"),
        ("I live at 9 Mill Lane, Ely", "address", "9 Mill Lane, Ely"),
        ("I work at Borealis.", "employer", "Borealis"),
        ("I work as a plumber.", "job", "plumber"),
        ("I am a beekeeper.", "job", "beekeeper"),
        ("I'm on the family plan.", "plan", "family"),
        ("My plan is the quarterly one.", "plan", "quarterly"),
        ("Please call me Liv.", "preferred_name", "Liv"),
        ("Everybody calls me Teddy.", "preferred_name", "Teddy"),
        ("You can reach me by text message", "preferred_contact", "text message"),
        ("Phone calls work best for me.", "preferred_contact", "Phone calls"),
        ("Juice is my favourite drink.", "favourite_drink", "Juice"),
        ("I prefer the back entrance.", "prefers", "back entrance"),
        ("I prefer brief replies", "answer_length", "brief replies"),
        ("I like otters.", "likes", "otters"),
        ("I detest aniseed.", "likes", "not aniseed"),
        ("I can not bear noise.", "likes", "not noise"),
        ("I don't care for opera", "likes", "not opera"),
        ("I never eat fish.", "eats", "not fish"),
        ("I can't eat cheese", "eats", "not cheese"),
        ("I use the Antwerp branch.", "uses", "Antwerp branch"),
        ("We lease two vans.", "leases", "two vans"),
        ("I have three parrots.", "has", "three parrots"),
        ("I don't have a garden.", "has", "not garden"),
        ("I am vegan.", "diet", "vegan"),
        ("I speak Welsh.", "speaks", "Welsh"),
        ("I can't do Thursdays because I coach then.", "availability", "not Thursdays"),
        ("Our workshop opens at seven.", "workshop_opens", "at seven"),
        ("I always want a ground-floor room.", "wants", "ground-floor room"),
        ("I find the new menu confusing.", "opinions", "new menu confusing"),
        ("Preferred supplier: Halden", "preferred_supplier", "Halden"),
        ("Language: Norwegian", "language", "Norwegian"),
        ("What I like most is rye bread.", "likes", "rye bread"),
        ("Just so you know, I live in Graz.", "city", "Graz"),
        ("Please remember that I like otters.", "likes", "otters"),
    ],
)  # fmt: skip
def test_a_statement_of_the_speaker_is_typed(text, key, value):
    assert typed(text) == [(key, value)]


@pytest.mark.parametrize(
    "text",
    [
        "Parcels go to the Ghent depot from now on.",
        "From now on send my letters to the office.",
        "Don't ring me before ten.",
        "Please do not write to me in capital letters ever.",
        "Never send me brochures.",
        "Always use Celsius.",
        "No visits on Sundays.",
        "Stop texting me at night.",
        "Whenever the gate is locked, leave it with the porter.",
        "Going forward, use the side door.",
        "Could you from now on answer me in Danish?",
        "I'd appreciate it if you never rang before ten.",
        "Invoices should go to the finance desk.",
    ],
)
def test_a_standing_wish_is_an_assertion(text):
    (claim,) = said(text).claims
    assert claim.durable
    assert claim.form is Form.ASSERTION


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Is my plan the quarterly one?", Reason.ASSERTS_NOTHING),
        ("Remember the café we spoke of?", Reason.ASSERTS_NOTHING),
        ("I wonder whether my plan is the quarterly one.", Reason.ASSERTS_NOTHING),
        ("Let me know what my plan is.", Reason.ASSERTS_NOTHING),
        ("I live in Graz, don't I?", Reason.ASSERTS_NOTHING),
        ("Good morning!", Reason.ASSERTS_NOTHING),
        ("Thanks, perfect.", Reason.ASSERTS_NOTHING),
        ("ok", Reason.ASSERTS_NOTHING),
        ("If I were a pilot, what would I earn?", Reason.ASSERTS_NOTHING),
        ("Suppose I lived in Rome.", Reason.ASSERTS_NOTHING),
        ("I wish I lived in Rome.", Reason.ASSERTS_NOTHING),
        ("In my novel I am a spy who lives in Rome.", Reason.ASSERTS_NOTHING),
        ("Oh great, I love waiting on hold.", Reason.ASSERTS_NOTHING),
        ("I love it when my parcel gets lost, lol", Reason.ASSERTS_NOTHING),
        ("Translate this: I live in Rome and I love figs.", Reason.ASSERTS_NOTHING),
        ("Write a poem in which I hate the sea.", Reason.ASSERTS_NOTHING),
        ("Proofread the following:\nI live in Rome.\nI like figs.", Reason.ASSERTS_NOTHING),
        ("cancel order 77", Reason.ASSERTS_NOTHING),
        ("Never mind.", Reason.ASSERTS_NOTHING),
        ("Don't worry.", Reason.ASSERTS_NOTHING),
        ("I want to book a table.", Reason.NOT_DURABLE),
        ("I need a refund for order 77.", Reason.NOT_DURABLE),
        ("I'd like the second option.", Reason.NOT_DURABLE),
        ("I might move to the yearly plan.", Reason.NOT_DURABLE),
        ("We'll use Kafka next year.", Reason.NOT_DURABLE),
        ("I am tired.", Reason.NOT_DURABLE),
        ("My internet is down.", Reason.NOT_DURABLE),
        ("Don't cancel my order.", Reason.NOT_DURABLE),
        ("My boss said I should use the yearly plan.", Reason.NOT_OWN_CLAIM),
        ('She said "I live in Graz".', Reason.NOT_OWN_CLAIM),
        ("Hello, this is Rune, using her phone. I never eat fish.", Reason.NOT_OWN_CLAIM),
        ("I am writing on behalf of my mother. I live in Graz.", Reason.NOT_OWN_CLAIM),
        ("Jeg bor i Bergen og liker te veldig godt.", Reason.LANGUAGE_NOT_HANDLED),
        ("¿Dónde está mi pedido?", Reason.ASSERTS_NOTHING),
        ("...", Reason.ASSERTS_NOTHING),
    ],
)
def test_what_asserts_nothing_of_the_speaker_makes_no_claim(text, reason):
    extraction = said(text)
    assert extraction.claims == ()
    assert extraction.reason is reason


def test_two_claims_in_one_message_are_two_statements():
    claims = said("I moved to Ghent and my plan is the yearly one").claims
    assert [(claim.key, claim.value) for claim in claims] == [("city", "Ghent"), ("plan", "yearly")]
    assert [claim.text for claim in claims] == ["I moved to Ghent", "my plan is the yearly one"]


def test_a_shared_subject_is_put_before_what_shares_it():
    assert typed("I live in Graz and work at Borealis.") == [("city", "Graz"), ("employer", "Borealis")]


def test_a_list_of_likes_is_one_statement_each():
    assert typed("I like rye, figs and plums.") == [("likes", "rye"), ("likes", "figs"), ("likes", "plums")]


def test_a_reason_stays_with_what_it_explains():
    (claim,) = said("I can't do Thursdays because I coach then.").claims
    assert claim.text == "I can't do Thursdays because I coach then."


def test_a_statement_that_ends_in_a_question_is_kept_without_it():
    assert typed("My plan is the yearly one, can I pause it?") == [("plan", "yearly")]


@pytest.mark.parametrize(
    ("text", "key", "value", "closes"),
    [
        ("I moved from Ghent to Bruges.", "city", "Bruges", ("Ghent",)),
        ("I no longer live in Ghent.", "city", "not Ghent", ("Ghent",)),
        ("I don't live in Ghent.", "city", "not Ghent", ("Ghent",)),
        ("We don't actually live in Ghent.", "city", "not Ghent", ("Ghent",)),
        ("I do not work at Borealis.", "employer", "not Borealis", ("Borealis",)),
        ("I have never lived in Ghent!", "city", "not Ghent", ("Ghent",)),
        ("It is wrong that I live in Ghent.", "city", "not Ghent", ("Ghent",)),
        ("It's not true that we work at Borealis.", "employer", "not Borealis", ("Borealis",)),
        ("I never worked for Borealis.", "employer", "not Borealis", ("Borealis",)),
        ("I was laid off by Borealis last month.", "employer", "not Borealis", ("Borealis",)),
        ("We moved out of Ghent last week.", "city", "not Ghent", ("Ghent",)),
        ("I have moved away from Ghent.", "city", "not Ghent", ("Ghent",)),
        ("I'm not in Ghent any more.", "city", "not Ghent", ("Ghent",)),
        ("I don't eat meat any more.", "eats", "not meat", ("meat",)),
        ("I no longer have a boat.", "has", "not boat", ("boat",)),
        ("I prefer juice now, not beer.", "preferred_drink", "juice", ("beer",)),
        ("I'd rather be phoned than emailed.", "preferred_contact", "phoned", ("emailed",)),
        ("We use uv, not pip.", "package_manager", "uv", ("pip",)),
        ("We switched from Jenkins to Buildkite last week.", "ci", "Buildkite", ("Jenkins",)),
        ("My plan isn't the yearly one.", "plan", "not yearly", ("yearly",)),
        ("My plan is not yearly, it's monthly.", "plan", "monthly", ("yearly",)),
        ("My town is Ely, not Eye.", "city", "Ely", ("Eye",)),
        ("I like figs.", "likes", "figs", ("not figs",)),
        ("I quit my job at Borealis.", "employer", "not Borealis", ("Borealis",)),
        ("I'm no longer vegan.", "diet", "not vegan", ("vegan",)),
    ],
)
def test_a_change_closes_what_it_ends(text, key, value, closes):
    (claim,) = said(text).claims
    assert (claim.key, claim.value, claim.closes) == (key, value, closes)


@pytest.mark.parametrize(
    "text",
    ["I don't live in fear.", "We do not live in the country.", "I do not work for free.", "I never worked for money."],
)
def test_no_place_and_no_employer_closes_none(text):
    assert not {key for key, _ in typed(text)} & {"city", "employer"}


@pytest.mark.parametrize(
    "text",
    [
        "The parcel never came.", "My invoices never arrived.", "The letters always came late.", "The order never got here.",
        "Our deliveries always turned up wet.", "The statement never showed the fee.",
    ],
)  # fmt: skip
def test_what_befell_a_thing_is_no_wish(text):
    assert "wishes" not in dict(typed(text))


@pytest.mark.parametrize("text", ["Parcels always go to the back door.", "Invoices always by e-mail."])
def test_where_things_are_to_go_is_a_wish(text):
    assert "wishes" in dict(typed(text))


def test_an_ending_without_a_new_value_closes_the_key():
    (claim,) = said("I cancelled my subscription.").claims
    assert (claim.key, claim.ends_key) == ("plan", True)


@pytest.mark.parametrize(
    "text", ["I'm on the weekly plan. No, sorry, the yearly one.", "My plan is weekly. Actually, my plan is yearly."]
)
def test_a_correction_in_the_same_message_takes_back_what_stood_before(text):
    assert typed(text) == [("plan", "yearly")]


def test_a_correction_of_something_said_elsewhere_is_no_claim():
    assert said("No, I meant Bruges.").reason is Reason.ASSERTS_NOTHING


def test_many_values_and_single_ones_are_told_apart():
    assert not said("I like figs.").claims[0].single
    assert said("I live in Graz.").claims[0].single


@pytest.mark.parametrize(
    "text",
    [
        "I think I prefer juice.",
        "Maybe my plan is the yearly one.",
        "I'm not sure, but my plan might be the yearly one.",
    ],
)
def test_a_hedge_is_a_hedge(text):
    (claim,) = said(text).claims
    assert claim.form is Form.HEDGED


def test_a_date_that_is_the_point_ends_the_statement_with_it():
    (claim,) = said("My fitting is tomorrow at 15:00.").claims
    assert claim.value == "2026-06-02T15:00:00+02:00"
    assert claim.text == "My fitting is tomorrow at 15:00 (2026-06-02T15:00:00+02:00)."
    assert claim.valid_to == datetime(2026, 6, 3, tzinfo=OSLO)


def test_a_change_holds_from_the_day_it_names():
    (claim,) = said("I changed my billing address yesterday.").claims
    assert (claim.key, claim.value) == ("billing_address_changed", "2026-05-31")
    assert claim.valid_from == datetime(2026, 5, 31, tzinfo=OSLO)


def test_a_time_bound_statement_ends_at_its_own_end():
    (claim,) = said("I'm on leave until Friday.").claims
    assert claim.valid_to == datetime(2026, 6, 6, tzinfo=OSLO)


def test_a_birthday_comes_round_again():
    (claim,) = said("My birthday is 4 March.").claims
    assert (claim.value, claim.valid_to) == ("4 March", None)


@pytest.mark.parametrize("text", ["My brother lives in Graz.", "My colleague Ingrid starts on Monday."])
def test_a_statement_of_somebody_else_is_marked(text):
    (claim,) = said(text).claims
    assert claim.about_other
    assert claim.key is None


def test_an_identifier_given_along_with_a_request_is_left_out():
    assert said("Please refund me. My invoice number is 55120.").claims == ()
    assert typed("My invoice number is 55120.") == [("invoice_number", "55120")]


def test_text_is_kept_in_its_own_letters():
    (claim,) = said("I like 茶道 on Sundays").claims
    assert "茶道" in claim.text


def test_a_language_the_rules_do_not_read_is_named():
    assert said("Mi piace il tè e vivo a Torino.").language == "it"


@pytest.mark.parametrize("channel", STATING)
@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Prefers dock 7.", "prefers", "dock 7"),
        ("The customer lives in Graz.", "city", "Graz"),
        ("Project uses poetry", "package_manager", "poetry"),
        ("Plan is family.", "plan", "family"),
        ("Contact: Bodil Aas, head of stores.", "contact", "Bodil Aas"),
        ("Ships from Osaka.", "ships", "from Osaka"),
        ("The price list lives in a binder.", "price_list_lives_in", "binder"),
        ("No longer wants calls.", "likes", "not calls"),
    ],
)
def test_a_note_about_the_subject_is_itself_the_statement(channel, text, key, value):
    assert typed(text, channel) == [(key, value)]


def test_a_note_the_grammar_does_not_read_is_kept_as_it_stands():
    (claim,) = said("Contract renewed under the old terms.", Channel.CURATOR).claims
    assert (claim.key, claim.text) == (None, "Contract renewed under the old terms.")


def test_an_agents_note_is_an_inference():
    assert said("Prefers dock 7.", Channel.AGENT_INFERENCE).claims[0].form is Form.INFERENCE


@pytest.mark.parametrize("channel", UNTRUSTED)
def test_a_document_gives_keyed_statements_only(channel):
    assert typed("Database: MariaDB 11", channel) == [("database", "MariaDB 11")]
    assert said("The harbour was busy. I live in Rome? I was there.", channel).claims == ()
    assert said("result = compute(x) # total: 5", channel).claims == ()


def test_a_member_states_what_is_so_of_the_project():
    assert typed("Use poetry, not pip", speaker_is_subject=False) == [("package_manager", "poetry")]
    assert typed("The gateway listens on 8081.", speaker_is_subject=False) == [("gateway_listens_on", "8081")]
    assert said("My favourite editor is Kate.", speaker_is_subject=False).claims == ()


def test_a_key_and_value_named_by_the_caller_make_one_claim():
    (claim,) = said("Whatever was said?", Channel.CURATOR, keyed=("floor", "4")).claims
    assert (claim.key, claim.value, claim.text) == ("floor", "4", "Whatever was said?")


@given(st.text(max_size=300), st.sampled_from(list(Channel)), st.booleans())
def test_any_text_gives_claims_or_a_reason(text, channel, own):
    extraction = said(text, channel, speaker_is_subject=own)
    assert bool(extraction.claims) != (extraction.reason is not None)
    for claim in extraction.claims:
        assert claim.text
        assert claim.value is None or claim.key
