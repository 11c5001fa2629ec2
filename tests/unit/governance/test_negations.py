"""What says no in which language; in doubt, nothing is told."""

import pytest

from memoryhub.governance.negations import Polarity, can_tell, polarity

YES, NO, DOUBT = Polarity.AFFIRMS, Polarity.DENIES, Polarity.UNCLEAR


@pytest.mark.parametrize(
    ("language", "phrase", "expected"),
    [
        ("es", "Como pescado", YES),
        ("es", "No como pescado", NO),
        ("es", "odio el pescado", NO),
        ("es", "trabajo en Noruega", YES),  # a word that begins like one
        ("pt", "moro no Porto", YES),  # "in the", not "no"
        ("pt", "não moro no Porto", NO),
        ("es", "não moro no Porto", NO),
        ("ca", "não falo", NO),  # whatever the language was taken for
        ("fr", "j'aime les trains", YES),
        ("fr", "je n'aime rien", NO),
        ("fr", "j’aime pas les trains", NO),
        ("de", "Ich trinke Kaffee", YES),
        ("de", "Ich trinke keinen Kaffee", NO),
        ("de", "KEIN Fleisch", NO),
        ("nl", "ik eet geen vlees", NO),
        ("sv", "jag bor inte i Umeå", NO),
        ("fi", "Asun Porissa", YES),
        ("fi", "En asu Porissa", NO),
        ("pl", "Nie jem mięsa", NO),
        ("cs", "Bydlím v Brně", YES),
        ("cs", "Nebydlím v Brně", DOUBT),  # "ne" begins the verb, and other words as well
        ("cs", "nikdy nejím maso", DOUBT),
        ("tr", "Kars'ta oturuyorum", YES),
        ("tr", "et yemiyorum", DOUBT),
        ("tr", "vegan değil", NO),
        ("ru", "Я живу в Туле", YES),
        ("ru", "Я не живу в Туле", NO),
        ("ru", "Неделя", DOUBT),
        ("el", "Δεν τρώω κρέας", NO),
        ("ar", "لا آكل اللحم", NO),
        ("he", "אני לא אוכל בשר", NO),
        ("fa", "نام من آرش است", YES),
        ("fa", "گوشت نمی‌خورم", NO),
        ("hi", "मेरा नाम अनन्या है", YES),
        ("hi", "मैं मांस नहीं खाता", NO),
        ("hi-Latn", "main Jaipur mein nahi rehta", NO),
        ("ja", "札幌に住んでいます", YES),
        ("ja", "肉は食べません", NO),
        ("ja", "必ず朝に", DOUBT),
        ("ko", "부산에 살아요", YES),
        ("ko", "고기를 먹지 않아요", NO),
        ("zh", "我住在成都", YES),
        ("zh", "我不吃肉", NO),
        ("zh", "我不得不喝咖啡", DOUBT),
        ("th", "ฉันไม่กินเนื้อ", NO),
        ("vi", "tôi không ăn thịt", NO),
        ("en", "it's not for me", NO),
        ("ta", "நான் சென்னையில் வசிக்கிறேன்", DOUBT),
        ("xx", "whatever", DOUBT),
        ("es", "", YES),
    ],
)
def test_a_phrase_affirms_denies_or_leaves_it_open(language: str, phrase: str, expected: Polarity) -> None:
    assert polarity(phrase, language) is expected
    assert can_tell(language) is (language not in ("ta", "xx"))


def test_a_composed_and_a_decomposed_phrase_say_the_same() -> None:
    assert polarity("na\u0303o gosto", "pt") is polarity("n\u00e3o gosto", "pt") is NO


def test_what_would_deny_in_another_language_it_may_be_in_is_no_affirmation() -> None:
    assert polarity("Vivo en Girona", "es", perhaps=["es", "it"]) is YES
    assert polarity("En asu Turussa", "es", perhaps=["fi"]) is DOUBT
    assert polarity("No vivo en Girona", "es", perhaps=["pt"]) is NO  # "no" is "in the" in Porto, but this is no Porto
    assert polarity("Vivo en Girona", "es", perhaps=["xx"]) is YES  # of the other nothing is known
    assert polarity("Vivo en Girona", "xx", perhaps=["es"]) is DOUBT
