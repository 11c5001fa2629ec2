"""English is never misjudged; other languages are named (R13)."""

import pytest

from memoryhub.governance.language import detect


@pytest.mark.parametrize(
    "text",
    ["Call me Jo", "Prefers gate 4.", "Plan: basic", "ok", "No.", "pnpm test-fast", "I like 茶 as a sign", "Ships from Osaka", "42", "Carrier: Kestrel", "Lives in São Paulo", "My name is José Álvarez", "We deploy de novo"],
)  # fmt: skip
def test_short_english_is_english(text):
    assert detect(text) == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Vivo en Granada y prefiero té.", "es"),
        ("Ich wohne in Graz und trinke gerne Tee.", "de"),
        ("J'habite à Nantes et je préfère le thé.", "fr"),
        ("Abito a Torino e preferisco il tè.", "it"),
        ("我住在广州。", "zh"),
        ("私は京都に住んでいます。", "ja"),
        ("Я живу в Казани.", "ru"),
        ("أسكن في عمّان.", "ar"),
        ("मैं पुणे में रहता हूँ।", "hi"),
        ("mujhe chai bahut pasand hai", "hi-Latn"),
        ("Bardzo lubię herbatę i mieszkam w Gdańsku.", "pl"),
    ],
)
def test_another_language_is_named(text, language):
    assert detect(text) == language
