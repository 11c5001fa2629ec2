"""Which language is a text in, and do the rules read it? English is read in full; everything else is named, never
guessed at (R13).

Scripts decide first, then everyday words; the statistical model is asked only where neither tells. Short English is
never misjudged: what could be English is English.
"""

import re
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

ENGLISH = "en"
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("bn", re.compile("[\u0980-\u09ff]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
    ("te", re.compile("[\u0c00-\u0c7f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
    ("am", re.compile("[\u1200-\u137f]")),
)
_WORDS = {
    ENGLISH: """the a an is are was i i'm i've my me you your we our it its this that these to of in on at for with and
             or but not don't doesn't do does did no yes please have has had be been will would can could should from by
             as if when what who where how why now then there they he she his her their about like prefer always never
             use thanks thank hello hi want need call send work live go get make let just also only more than so some
             any all
             """,
    "es": """el la los las un una es son era soy estoy mi mis me te tu su nos que de en con por para y o pero no sí si
          como cuando donde quien quiero prefiero vivo tengo trabajo gusta muy más este esta estos lo le se al del ya
          también hay ahora gracias hola mañana siempre nunca
          """,
    "fr": """le la les un une des est sont suis je j'ai j'aime j'habite mon ma mes me tu vous votre nous notre que qui
          de du en avec pour et ou mais ne pas non oui si comme quand où veux préfère travaille très plus ce cette ces
          il elle on au aux merci bonjour toujours jamais dans sur c'est
          """,
    "de": """der die das den dem ein eine einen ist sind war bin ich mein meine mir mich du sie ihr wir unser und oder
          aber nicht kein keine ja nein wenn wie wo wer will möchte wohne habe hat arbeite gerne lieber sehr mehr dieser
          diese zu von im am auf mit für bei nach auch nur jetzt danke hallo immer nie bitte
          """,
    "it": """il lo la gli le un una è sono era io mio mia miei mi ti tuo suo noi che di da in con per e o ma non sì se
          come quando dove chi voglio preferisco vivo ho lavoro piace molto più questo questa al del nel anche ora
          grazie ciao sempre mai
          """,
    "pt": """o os as um uma é são era sou estou meu minha meus me te seu sua nós que de em com por para e ou mas não sim
          se como quando onde quem quero prefiro moro tenho trabalho gosto muito mais este esta isso ao do da no na
          também agora obrigado olá sempre nunca
          """,
    "nl": """de het een is zijn was ben ik mijn me mij je jij u uw wij ons en of maar niet geen ja nee als hoe waar wie
          wil woon heb heeft werk graag liever veel meer deze dit te van in op met voor bij naar ook alleen nu dank
          hallo altijd nooit
          """,
    "sv": """en ett är var jag min mitt mina mig du din vi vår och eller men inte nej ja om hur när vem vill bor har
          arbetar jobbar gillar mycket mer denna detta att av i på med för till från också bara nu tack hej alltid
          aldrig
          """,
    "no": """en et er var jeg min mitt mine meg du din vi vår og eller men ikke nei ja om hvordan når hvor hvem vil bor
          har jobber liker veldig mer denne dette å av i på med for til fra også bare nå takk hei alltid aldri
          """,
    "pl": """jest są był jestem mój moja moje mi mnie ty twój my nasz i lub ale nie tak jeśli jak kiedy gdzie kto chcę
          wolę mieszkam mam pracuję lubię bardzo więcej ten ta to w na z do od dla też tylko teraz dziękuję cześć zawsze
          nigdy
          """,
    "tr": """bir bu şu ben benim sen senin biz bizim ve veya ama değil evet hayır eğer nasıl ne nerede kim istiyorum
          tercih yaşıyorum var çalışıyorum seviyorum çok daha da de için ile gibi şimdi teşekkürler merhaba her zaman
          asla
          """,
    "id": """saya aku ini itu yang dan atau tetapi tidak ya jika bagaimana kapan di mana siapa mau ingin lebih suka
          tinggal punya bekerja sangat dengan untuk dari ke juga hanya sekarang terima kasih halo selalu jangan
          """,
    "hi-Latn": """hai hain hoon hun mujhe mera meri mere mai main hum hamara tum tumhara aap aapka aapke ka ki ke ko se
               nahi nahin mat kya kaise kab kahan kaun kyun chahiye pasand karo kar karna karta karti kare raha rahi
               rahe ho hota batao bata bhi aur ya lekin par jo wo woh yeh ye ek sab abhi hamesha kabhi pehle wala wale
               liye apna apne isse isko usko dena dijiye kijiye sakta sakte gaya tha thi sirf bhai yaar
               """,
}
_SETS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_SAMPLE = 4000  # characters that decide; more changes nothing


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(text: str) -> str:
    """The ISO 639-1 code of the language ("hi-Latn" for Hindi in Latin letters); "en" wherever English is possible."""
    sample = text[:_SAMPLE]
    latin = len(_LATIN.findall(sample))
    for language, script in _SCRIPTS:
        found = len(script.findall(sample))
        if found and found * (3 if language in ("zh", "ja", "ko") else 1) > latin:
            return "fa" if language == "ar" and re.search("[پچژگ]", sample) else language
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sample)]
    if not words:
        return ENGLISH
    counts = {language: sum(word in known for word in words) for language, known in _SETS.items()}
    other = max((language for language in counts if language != ENGLISH), key=lambda language: counts[language])
    if counts[other] > counts[ENGLISH] and (
        counts[other] >= 2 or (not counts[ENGLISH] and len(words) <= 3 and not sample.isascii())
    ):
        return other
    if counts[ENGLISH] >= 0.15 * len(words) or len(words) < 4:
        return ENGLISH
    language, certainty = _identifier().classify(sample)
    return (
        language
        if language != ENGLISH and certainty > 0.98 and (not counts[ENGLISH] or counts[other]) and len(words) >= 5
        else ENGLISH
    )
