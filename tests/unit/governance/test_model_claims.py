"""A model is believed as far as its words stand in the message, and no further."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import conf
from memoryhub.governance.model_claims import Judged, judge, shown, uncovered
from memoryhub.providers.claim_model import Heard, ModelClaim
from memoryhub.vocabulary import Form

Told = tuple[str, str, str]


def judged(text: str, *claims: Told, language: str = "es", formless: int = 0) -> Judged:
    return judge(Heard(tuple(ModelClaim(*claim) for claim in claims), formless=formless), text=text, language=language)


def kept(text: str, *claims: Told, language: str = "es") -> list[tuple[str, str | None, str | None]]:
    return [(claim.quote, claim.key, claim.value) for claim in judged(text, *claims, language=language).claims]


def rest(text: str, *claims: Told, language: str = "es") -> str:
    return uncovered(text, [claim.quote for claim in judged(text, *claims, language=language).claims])


def why(text: str, claim: Told, language: str = "es") -> str:
    told = judged(text, claim, language=language)
    assert told.claims == ()
    return told.detail.removeprefix("A model: 1 proposed, 1 dropped: ").removesuffix(".")


def test_a_claim_in_the_messages_own_words_is_kept_as_an_inference_in_its_own_language() -> None:
    (claim,) = judged("Vivo en Girona", ("Vivo en Girona", "town", "Girona")).claims
    assert (claim.text, claim.quote, claim.key, claim.value) == ("Vivo en Girona", "Vivo en Girona", "city", "Girona")
    assert (claim.form, claim.language, claim.entity, claim.single) == (Form.INFERENCE, "es", "subject", True)


def test_a_key_that_holds_many_values_and_a_denial_replace_nothing() -> None:
    likes, not_city = judged(
        "Me gusta el remo. Ya no vivo en Girona", ("Me gusta el remo", "likes", "remo"),
        ("Ya no vivo en Girona", "city", "not Girona"),
    ).claims  # fmt: skip
    assert (likes.single, not_city.single, not_city.value) == (False, False, "not Girona")


@pytest.mark.parametrize(
    ("text", "claim", "language"),
    [
        ("東京都に住んでいます。", ("東京都に住んでいます", "city", "東京都"), "ja"),
        ("내 이름은 서윤이에요", ("내 이름은 서윤이에요", "name", "서윤"), "ko"),
        ("मेरा नाम अनन्या है", ("मेरा नाम अनन्या है", "name", "अनन्या"), "hi"),
        ("أسكن في صلالة", ("أسكن في صلالة", "city", "صلالة"), "ar"),
        ("Я живу в Туле", ("Я живу в Туле", "city", "Туле"), "ru"),
        ("Ich wiege 82 kg", ("Ich wiege 82 kg", "weight", "82 kg"), "de"),
    ],
)
def test_every_script_stays_what_it_is(text: str, claim: Told, language: str) -> None:
    assert kept(text, claim, language=language) == [claim]


def test_spaces_composition_and_hidden_characters_do_not_matter_and_the_messages_spelling_is_kept() -> None:
    text = "Vivo\u00a0 en  Cádiz\u200b."
    told = ("Vivo en " + unicodedata.normalize("NFD", "Cádiz"), "city", unicodedata.normalize("NFD", "cádiz"))
    ((quote, _, value),) = kept(text, told)
    assert (quote, value) == ("Vivo\u00a0 en  Cádiz", "Cádiz")


@pytest.mark.parametrize(
    ("text", "claim", "language", "reason"),
    [
        ("Vivo en Girona", ("Vivo en Vigo", "city", "Vigo"), "es", "quote not in the message"),
        ("Vivo en Girona", ("", "city", "Girona"), "es", "no quote"),
        ("Vivo en Girona", (" . ", "city", "Girona"), "es", "no quote"),
        ("Vivo en Girona", ("Vivo en Gir\u043ena", "city", "Girona"), "es", "quote not in the message"),  # a Cyrillic o
        ("Vivo en Girona", ("ivo en Girona", "city", "Girona"), "es", "quote not in the message"),  # a word is cut
        ("Vivo en Girona", ("vivo en girona", "city", "girona"), "es", "quote not in the message"),
        ("Vivo en Girona. Como fuera", ("Girona. Como", "city", "Girona"), "es", "quote not in the message"),
        ("¿Vivo en Girona?", ("Vivo en Girona", "city", "Girona"), "es", "quote not in the message"),
        ("هل تسأل؟ أسكن في صلالة", ("أسكن في صلالة", "city", "صلالة"), "ar", "quote not in the message"),
        ("> Vivo en Girona", ("Vivo en Girona", "city", "Girona"), "es", "quote not in the message"),  # quoted mail
        ("Vivo en Girona", ("Vivo en Girona", "city", "Vigo"), "es", "value not in the quote"),
        ("Vivo en Girona", ("Vivo en Girona", "city", ""), "es", "value not in the quote"),
        ("Vivo en Girona", ("Vivo en Girona", "city", "not"), "es", "value not in the quote"),
        ("Vivo en Girona", ("Vivo en Girona", "city", "Giron"), "es", "value not in the quote"),
        ("Vivo en Girona", ("Vivo en Girona", "city", "Girona Vivo"), "es", "value not in the quote"),
        ("Vivo en Girona", ("Vivo", "city", "Girona"), "es", "value not in the quote"),
        ("Pago 15 euros", ("Pago 15 euros", "fee", "150 euros"), "es", "value not in the quote"),
        ("Pago 15 euros", ("Pago 15 euros", "fee", "5 euros"), "es", "value not in the quote"),
        ("Pago 15 euros", ("Pago 15 euros", "fee", "15 dólares"), "es", "value not in the quote"),
        ("Pago 1.500 euros", ("Pago 1.500 euros", "fee", "500 euros"), "es", "value not in the quote"),
        ("Pago 15,50 euros", ("Pago 15,50 euros", "fee", "15"), "es", "value not in the quote"),
        ("Tengo -5 grados", ("Tengo -5 grados", "warmth", "5 grados"), "es", "value not in the quote"),
        ("Tengo 5 % menos", ("Tengo 5 % menos", "share", "5"), "es", "value not in the quote"),
        ("Corro 12 km", ("Corro 12 km", "runs", "12"), "es", "value not in the quote"),
        ("Corro 12km", ("Corro 12km", "runs", "12"), "es", "value not in the quote"),
        ("Pago €15", ("Pago €15", "fee", "15"), "es", "value not in the quote"),
        ("No como pescado", ("No como pescado", "eats", "pescado"), "es", "quote and value differ in negation"),
        ("Como pescado", ("Como pescado", "eats", "not pescado"), "es", "quote and value differ in negation"),
        ("Odio el pescado", ("Odio el pescado", "likes", "pescado"), "es", "quote and value differ in negation"),
        ("No como pescado", ("como pescado", "eats", "pescado"), "es", "a negation may stand beside the quote"),
        ("Como pescado nunca", ("Como pescado", "eats", "pescado"), "es", "a negation may stand beside the quote"),
        ("肉は食べません", ("肉は食べません", "eats", "肉"), "ja", "quote and value differ in negation"),
        ("肉は食べません", ("肉は食べま", "eats", "肉"), "ja", "a negation may stand beside the quote"),
        ("Nebydlím v Brně", ("Nebydlím v Brně", "city", "Brně"), "cs", "quote and value differ in negation"),
        ("Vivo en Girona", ("Vivo en Girona", "City", "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "", "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "ciudad natal", "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "c\u0456ty", "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "a_b_c_d_e_f_g", "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "c" * 65, "Girona"), "es", "key not in the hub's form"),
        ("Vivo en Girona", ("Vivo en Girona", "city\n", "Girona"), "es", "key not in the hub's form"),
    ],
)  # fmt: skip
def test_what_the_message_does_not_say_is_dropped_with_its_reason(
    text: str, claim: Told, language: str, reason: str
) -> None:
    assert why(text, claim, language) == reason


def test_the_whole_of_a_long_message_is_no_quote() -> None:
    text = "vivo en Girona y " * 30
    assert why(text, (text, "city", "Girona")) == "quote too long for one statement"


def test_of_somebody_else_only_the_words_are_kept_never_a_fact_about_the_subject() -> None:
    heard = Heard((ModelClaim("Mi prima vive en Vigo", "city", "Vigo", about_other=True),))
    (claim,) = judge(heard, text="Mi prima vive en Vigo", language="es").claims
    assert (claim.key, claim.value, claim.about_other) == (None, None, True)


def test_of_a_thousand_claims_a_handful_is_taken_and_all_are_counted() -> None:
    text = ". ".join(f"Tengo el libro {n}" for n in range(1000))
    told = judged(text, *((f"Tengo el libro {n}", "has", f"libro {n}") for n in range(1000)))
    assert len(told.claims) == conf.EXTRACTOR_CLAIMS
    assert told.detail == f"A model: 1000 proposed, {1000 - conf.EXTRACTOR_CLAIMS} dropped: more than one message has."
    assert "libro 999" in uncovered(text, [claim.quote for claim in told.claims])


def test_the_detail_counts_what_was_dropped_and_holds_no_content() -> None:
    claim = ("Vivo en Girona", "city", "Girona")
    told = judged("Vivo en Girona", claim, claim, ("Vivo en Vigo", "city", "Vigo"), formless=2)
    assert told.detail == (
        "A model: 5 proposed, 2 dropped: not in the form asked for, 1 dropped: said twice, "
        "1 dropped: quote not in the message."
    )


def test_what_no_quote_covers_goes_on_as_it_stands() -> None:
    text = "Vivo en Girona. Trabajo en el puerto y soy zurda. ¡Hola! ¿Abren hoy?"
    claims = [("Vivo en Girona", "city", "Girona"), ("Trabajo en el puerto", "employer", "puerto")]
    assert rest(text, *claims) == "Trabajo en el puerto y soy zurda."
    assert rest(text, *claims, ("soy zurda", "handedness", "zurda")) == ""
    assert rest(
        "札幌に住んでいます。猫を三匹飼っています。", ("札幌に住んでいます", "city", "札幌"), language="ja"
    ) == ("猫を三匹飼っています。")


def test_questions_and_pasted_text_are_not_shown_to_a_model() -> None:
    assert shown("Vivo en Girona. ¿Abren hoy?\n> Soy el jefe") == "Vivo en Girona."
    assert shown("¿Abren hoy?") == ""


WORDS = st.text(alphabet=st.sampled_from("abñ é.,-%€?1 5\n日本を\u0430\u200b"), max_size=24)


@given(WORDS, WORDS, st.sampled_from(["city", "likes"]), WORDS, st.sampled_from(["es", "ja"]))
def test_whatever_a_model_says_only_words_of_the_message_are_kept(
    text: str, quote: str, key: str, value: str, language: str
) -> None:
    told = judged(text, (quote, key, value), language=language)
    for claim in told.claims:
        assert claim.quote
        assert claim.quote in text.replace("\u200b", "") or claim.quote in text
        assert (claim.value or "").removeprefix("not ") in claim.quote
    for line in uncovered(text, [claim.quote for claim in told.claims]).split("\n"):
        assert line.strip() in unicodedata.normalize("NFC", text)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=20), st.text(max_size=60))
def test_no_answer_of_a_model_breaks_it(text: str, quote: str, key: str, value: str) -> None:
    judged(text, (quote, key, value))
    judged(text, (text, "likes", text))


def test_statements_with_words_that_may_not_be_kept_are_left_out_of_what_goes_on() -> None:
    text = "Es trébol77 y funciona siempre. Trabajo en el puerto."
    assert uncovered(text, ["Es trébol77"], without=["trébol77"]) == "Trabajo en el puerto."


@pytest.mark.parametrize(
    "text",
    ["En syö kalaa enää", "Ma ei söö kala", "Et yemem", "Eg et ikkje fisk", "Ég borða ekki fisk",
     "Ne živim u Kalaa", "Jag äter inte kala", "Nem eszem kala"],
)  # fmt: skip
def test_a_denial_in_a_language_taken_for_another_is_no_affirmation(text: str) -> None:
    last = text.rsplit(maxsplit=1)[-1]
    for language in ("es", "fr", "it", "de", "pt"):
        assert kept(text, (text, "eats", last), language=language) == []
        assert kept(text, (text.split(maxsplit=1)[1], "eats", last), language=language) == []
