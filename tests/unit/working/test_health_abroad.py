"""Health told in another language is found where it is somebody's, and plain words are left alone (R12)."""

import pytest

from memoryhub.working.health_abroad import find_health_abroad
from memoryhub.working.patterns import Scan

TOLD = [
    "Ich nehme Tabletten gegen Bluthochdruck.",
    "Meine Schwester ist schwanger.",
    "Er hat eine Nussallergie.",
    "J'ai du diabète depuis dix ans.",
    "Mon père a un cancer.",
    "Tengo asma.",
    "Mi hermana está embarazada.",
    "Mia madre soffre di epilessia.",
    "Eu tenho pressão alta.",
    "Ik heb astma en mijn vader diabetes.",
    "Choruję na cukrzycę.",
    "Annem kalp krizi geçirdi, benim tansiyonum yüksek.",
    "У меня астма.",
    "我有糖尿病。",
    "私は喘息です。",
    "저는 당뇨가 있어요.",
    "أنا أعاني من الربو",
]
NOT_TOLD = [
    "Können Sie mir die Preise geben?",
    "Ich gebe dir den Schlüssel morgen.",
    "Mein Bruder sucht eine Wohnung.",
    "Je préfère le train du matin.",
    "Mi coche es rojo.",
    "Mijn fiets staat buiten.",
    "Mój pies lubi spacery.",
    "У меня есть собака.",
    "我喜欢喝茶。",
]


@pytest.mark.parametrize("words", TOLD)
def test_somebodys_health_is_found(words):
    assert list(find_health_abroad(Scan(words)))


@pytest.mark.parametrize("words", NOT_TOLD)
def test_plain_words_are_no_health(words):
    assert not list(find_health_abroad(Scan(words)))


def test_an_english_text_is_left_to_the_english_rules():
    assert not list(find_health_abroad(Scan("My aunt is on the board of the cancer society.")))


def test_who_and_what_stand_in_one_sentence():
    assert not list(find_health_abroad(Scan("Ich mag Tee. Krebs! Sonst nichts")))
