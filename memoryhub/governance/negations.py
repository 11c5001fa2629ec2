"""Does a phrase say no? Told by the words that deny or dislike, language by language; where that can't be told, that is
the answer (R13).

For words whose grammar the hub does not read: it never follows from silence that something was affirmed.
"""

import re
import unicodedata
from collections.abc import Collection
from enum import Enum
from typing import Final

from memoryhub.working.normalisation import listed


class Polarity(Enum):
    """What a phrase says of what it speaks of."""

    AFFIRMS = "affirms"
    DENIES = "denies"
    UNCLEAR = "unclear"


#: Words that deny or dislike, by language; a word that ends in * begins one.
_DENYING: Final = {
    "es": "no nunca jamás jamas nada nadie ningún ninguna ninguno tampoco sin ni odio detesto aborrezco",
    "ca": "no mai res cap sense tampoc ni odio detesto",
    "pt": "não nao nunca jamais nada ninguém ninguem nenhum* sem nem tampouco odeio detesto",
    "gl": "non nunca xamais nada ninguén ningún* sen nin odio detesto",
    "fr": "ne n pas jamais rien aucun* sans ni déteste deteste hais",
    "it": "non no mai niente nulla nessun* senza né ne neanche nemmeno odio detesto",
    "ro": "nu n-* niciodată niciodata nimic nimeni fără fara nici urăsc detest",
    "de": "nicht kein* nie niemals nichts niemand* ohne weder nein hasse hass* verabscheu*",
    "nl": "niet geen nooit niks niets niemand zonder nee haat",
    "af": "nie geen nooit niks niemand sonder nee haat",
    "sv": "inte ej aldrig ingen inget inga utan icke nej hatar",
    "no": "ikke ikkje aldri ingen ingenting intet uten nei hater",
    "nb": "ikke ikkje aldri ingen ingenting intet uten nei hater",
    "nn": "ikke ikkje aldri ingen ingenting inkje utan nei hatar",
    "da": "ikke aldrig ingen intet ingenting uden nej hader",
    "is": "ekki aldrei ekkert engin* án nei hata",
    "pl": "nie nigdy bez żaden żadn* nikt nic brak nienawidz*",
    "cs": "ne není nejsem nikdy bez žádn* nikdo nic nesnáším nenávidím",
    "sk": "nie nikdy bez žiadn* nikto nič neznášam nenávidím",
    "hr": "ne nisam nije nisu nemam nema nikad* bez ništa nitko mrzim",
    "bs": "ne nisam nije nisu nemam nema nikad* bez ništa niko mrzim",
    "sl": "ne nisem ni niso nimam nikoli brez nič nihče sovražim",
    "lt": "ne nėra niekada be niekas nieko nekenčiu",
    "lv": "ne nav nekad bez nekas neviens ienīstu",
    "et": "ei pole mitte ära ilma kunagi vihkan",
    "fi": "en et ei emme ette eivät älä koskaan ilman vihaan inhoan",
    "hu": "nem nincs nincsen* soha sem ne nélkül semmi* senki* utálom gyűlölöm",
    "tr": "değil yok asla hayır hiç nefret",
    "id": "tidak bukan jangan tak belum tanpa nggak gak enggak benci",
    "ms": "tidak bukan jangan tak belum tanpa benci",
    "tl": "hindi wala walang ayaw huwag di",
    "sw": "sio siyo hapana kamwe sipendi sili bila nachukia",
    "vi": "không chưa chẳng chả đừng ghét",
    "hi-Latn": "nahi nahin nhi mat na bina nafrat",
    "hi": "नहीं नही मत ना न बिना नफ़रत नफरत",
    "bn": "না নেই নয় নি নাই ঘৃণা",
    "ru": "не ні нет нету нема немає никогда ніколи без нельзя ни нищо няма нисам није ненавижу ненавиджу мразя",
    "el": "δεν δε δέν όχι μην μη ποτέ χωρίς καν* τίποτα μισώ",
    "ar": "لا ولا نہیں ليس ليست لست لم ولم لن بدون دون أكره",
    "fa": "نه نہیں نیست نیستم ندارم ندارد بدون هرگز هیچ متنفرم نمی*",
    "he": "לא ולא אין ואין בלי מעולם אינני אינו שונא שונאת",
    "ka": "არ არა ვერ ნუ არასდროს მძულს",
}
#: Parts of words that deny, where words are not written apart.
_PARTS: Final = {
    "ja": r"ない|ません|なかった|なく|嫌い|きらい",
    "ko": r"않|(?<!\w)안 |못|없|아니|말아|싫",
    "zh": r"不|没|沒|无|無|讨厌|討厭|从未|從未",
    "th": r"ไม่|มิได้|เกลียด",
}
#: What may deny: prefixes and endings that also begin and end other words.
_UNSURE: Final = {
    "cs": r"\bne\w+",
    "sk": r"\bne\w+",
    "hr": r"\bne\w+",
    "bs": r"\bne\w+",
    "sl": r"\bne\w+",
    "lt": r"\bne\w+",
    "lv": r"\bne\w+",
    "ru": r"\bн[еі]\w+",
    "tr": r"\w(?:m[ıiuü]yor|m[ae](?:m|z|d|y|s))\w*",
    "sw": r"\b(?:si|ha|hu|hatu)\w+",
    "vi": r"\bkhỏi\b",
    "fi": r"\w(?:matta|mättä)\b",
    "hu": r"\w(?:talan|telen|tlan|tlen)\b",
    "ja": r"ず|ぬ|まい|無|不|非",
    "zh": r"[别別非未否勿莫]|[不没沒无無][^，。,.]{0,4}[不没沒无無]|不[错錯过過同久少]|差不多|特[别別]",
    "ar": r"\bغير\b|\bما\b",
    "fa": r"\bن(?!ام\b|ان\b)\w+",
    "he": r"\bאל\b",
    "ka": r"\bუ\w+ო\b",
}
#: Words that deny in whatever language they stand: no other language has them for something else.
_ANYWHERE: Final = (
    "not never without cannot nobody nothing hate hates dislike dislikes don't doesn't didn't isn't aren't won't can't "
    "não nicht kein* niemals niet geen nooit inte ikke aldri aldrig jamais jamás nunca nigdy niciodată nincs değil "
    "ikkje ekki tidak không ninguna ninguno nenhum* senza niets"
)

#: What belongs to a word: letters, and the marks that Indian scripts write vowels with.
_LETTER: Final = r"\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"


def _words(listing: str) -> str:
    return "|".join(
        re.escape(word[:-1]) + r"\w*" if word.endswith("*") else re.escape(word) for word in listed(listing)
    )


def _whole_words(listing: str) -> str:
    return rf"(?<![{_LETTER}])(?:{_words(listing)})(?![{_LETTER}])"


_EVERYWHERE: Final = re.compile(_whole_words(_ANYWHERE))
_DENIALS: Final = {
    **{language: re.compile(_whole_words(listing)) for language, listing in _DENYING.items()},
    **{language: re.compile(parts) for language, parts in _PARTS.items()},
    "en": _EVERYWHERE,
}
_DOUBTS: Final = {language: re.compile(parts) for language, parts in _UNSURE.items()}


def can_tell(language: str) -> bool:
    """Whether the negations of a language are listed here."""
    return language in _DENIALS


def polarity(phrase: str, language: str, *, perhaps: Collection[str] = ()) -> Polarity:
    """Whether the phrase affirms or denies in its language; UNCLEAR where a word may or may not be a negation, or where
    no negations are listed for it. It affirms only if it would in every language it is `perhaps` in: "en" is "in" in
    Girona and "I do not" in Pori.
    """
    if not can_tell(language):
        return Polarity.UNCLEAR
    folded = unicodedata.normalize("NFKC", phrase).lower().replace("’", "'")
    told = _polarity(folded, language)
    if told is not Polarity.AFFIRMS:
        return told
    sure = all(_polarity(folded, other) is told for other in perhaps if can_tell(other))
    return told if sure else Polarity.UNCLEAR


def _polarity(folded: str, language: str) -> Polarity:
    unlisted = _EVERYWHERE.sub(" ", _DENIALS[language].sub(" ", folded))
    doubts = _DOUBTS.get(language)
    if doubts is not None and doubts.search(folded if language in _PARTS else unlisted):
        return Polarity.UNCLEAR
    return Polarity.DENIES if unlisted != folded else Polarity.AFFIRMS
