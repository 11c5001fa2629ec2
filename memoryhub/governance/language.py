"""Which language is a text in, and do the rules read it? English is read in full; everything else is named, never
guessed at (R13).

Scripts decide first, then everyday words; the statistical model is asked only where neither tells. Short English is
never misjudged: what could be English is English.
"""

import re
from functools import cache

from py3langid.langid import LanguageIdentifier

from memoryhub.providers import language_model

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
#: Everyday English, and every English word that another language's list also has: what could be English is English.
_ENGLISH_WORDS = """
    the a an is are was were am be been being i i'm i've i'd i'll my me you your we our us it its it's this that
    these those
    they them their he him his she her who what when where why how which to of in on at for with and or but not don't
    doesn't
    didn't do does did done no yes ok please have has had will would can can't could should may might must shall from
    by as if
    now then there here about like likes prefer prefers always never often use uses used using thanks thank hello hi
    hey dear
    want wants need needs call calls send work works live lives go goes get make makes let just also only more most
    less so
    some any all every each one two three four five six seven eight nine ten first last next new old good bad best
    better
    morning evening night day days week weeks month year time today tomorrow name email mail e-mail phone number
    address city
    town country plan annual monthly yearly weekly office home house flat door gate seat room street road site shop
    company
    team project account order orders invoice invoices bill payment card price date contact customer user member
    manager
    support service help question answer answers reply tea coffee water milk beer wine food fish meat nuts bread dog
    dogs cat
    cats car bike bus train van boat man men woman son daughter kids wife husband sister brother mother father mom
    mum dad
    friend friends boss colleague run runs eat eats drink drinks drive drives speak speaks play plays read reads
    write writes
    ring text message window aisle main side back front left right up down out off over under before after between
    until since
    because both too very really much many than into per via met meet meets teach teaches hate hates love loves moved
    move
    living based allergic vegan vegetarian short long brief formal dark light mode metric units email's linux free busy
    available daily once twice note preferred favourite favorite hobby fan son's war will die hat gift art bin kind
    rot arm
    hand warm fast rock tag dos come sale red con sin pan sea fin pour pain chat dire sort sage ten net pin pen lap
    ran hut
    tin rat tot lag log bad bald grab rate made page son on he ha ho do per ti den ben hun mai par pat non die das
    dart einst
    not met of in is was had over hem wet maar moe want even top stop test start end also man mat mate sure take
    takes made
    put see know think say says said tell ask find give keep still same other another own part deploy deploys
    database branch
    server main master code file files key value language time zone dr mr mrs ms st inc ltd ave hotel airport station
    deliver delivery deliveries parcel parcels leave bell lift stairs parking host hosts visit visits meeting quote bit
    he's she's that's what's there's here's let's who's where's how's we're we've we'd they're you're you've isn't
    aren't
    wasn't weren't haven't hasn't won't wouldn't couldn't shouldn't y'all pro
    ya yo yeah nah nope yep gotta gonna wanna later see catch place places thing things people way ways lot
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october
    november december none nothing something anything everything someone anyone lol thx pls plz u ur im ive dont cant
    id
    dentist doctor sells buy buys pay pays wear wears walk walks swim swims ship ships store stores open opens close
    closes
    start starts sing sings cook cooks bake sleep sleeps old young big small large black white green blue small-talk
    sister's
"""
_WORDS = {
    ENGLISH: _ENGLISH_WORDS,
    "es": """a el la los las un una es son era soy estoy mi mis me te tu su nos que de en con por para y o pero no sí
    si
          como cuando donde quien quiero prefiero vivo tengo trabajo gusta muy más este esta estos lo le se al del ya
          también hay ahora gracias hola mañana siempre nunca hablo uso odio llámame llamame llamo vegetariano
          vegetariana
          perros dos bebo he mudado casa hija hijo he favor correo antes llames mejor cada alérgico estamos somos
          tenemos
          vivimos usamos usted necesito mudé detesto encanta días
          """,
    "ca": """el la els les un una és són soc sóc visc tinc meu meva i o però no sí què quan on qui vull prefereixo
    treball
          m'agrada molt més amb per a en de del al també ara gràcies hola sempre mai correu vegetarià dos gats
          """,
    "fr": """le la les l' un une des est sont suis je j'ai j'aime j'habite j'adore mon ma mes me tu vous votre nous
    notre que qui
          de du en avec pour et ou mais ne pas non oui si comme quand où veux préfère travaille très plus ce cette ces
          il elle on au aux merci bonjour toujours jamais dans sur c'est m'appelle appelez-moi appelle habite
          habitons deux
          chez mange déteste végétarien végétarienne chats chien matin écrire avons avez bois utilise s'il plaît
          """,
    "de": """bist geht es dir euch der die das den dem ein eine einen ist sind war bin hat ich mein meine meinen mir
    mich du sie ihr wir unser und oder
          aber nicht kein keine ja nein wenn wie wo wer will möchte wohne habe hat arbeite gerne gern lieber sehr
          mehr dieser
          diese zu von im am auf mit für bei nach auch nur jetzt danke hallo immer nie bitte haben zwei hasse mag
          trinke
          trinken esse heiße heisse nenn nennen rufen ruf duzen siezen vegetarier fahre spreche lebe wohnen uhr morgen
          """,
    "it": """a il lo la gli le un una è sono era io mio mia miei mi ti tuo suo noi che di da in con per e o ma non sì
    se
          come quando dove chi voglio preferisco vivo ho lavoro piace molto più questo questa al del nel anche ora
          grazie ciao sempre mai chiamo chiamami abito mangio bevo odio vegetariano vegetariana due gatti carne pesce
          uso parlo siamo abbiamo viviamo vegano
          """,
    "pt": """a o os as um uma é são era sou estou meu minha meus me te seu sua nós que de em com por para e ou mas
    não sim
          se como quando onde quem quero prefiro moro tenho trabalho gosto muito mais este esta isso ao do da no na
          também agora obrigado olá sempre nunca dois vegano gatos falo uso bebo odeio temos moramos somos peixe chamo
          """,
    "nl": """de het een is zijn was ben ik mijn me mij je jij u uw wij ons en of maar niet geen ja nee als hoe waar wie
          wil woon heb heeft werk graag liever veel meer deze dit te van in op met voor bij naar ook alleen nu dank
          hallo altijd nooit hebben twee honden drink eet heet bel wonen werken gebruik haat uur vlees vegetariër
          """,
    "sv": """en ett är var jag min mitt mina mig du din vi vår och eller men inte nej ja om hur när vem vill bor har
          arbetar jobbar gillar mycket mer denna detta att av i på med för till från också bara nu tack hej alltid
          aldrig hatar äter dricker heter talar kör två
          """,
    "no": """en et er var jeg min mitt mine meg du din vi vår og eller men ikke nei ja om hvordan når hvor hvem vil bor
          har jobber liker veldig mer denne dette å av i på med for til fra også bare nå takk hei alltid aldri heter
          spiser drikker hater ring bruker snakker kjører
          """,
    "da": """en et er var jeg min mit mine mig du din vi vores og eller men ikke nej ja om hvordan hvor hvem vil bor
    har
          arbejder kan godt lide meget mere denne dette at af i på med for til fra også bare nu tak hej altid aldrig
          hos
          hedder spiser drikker bruger
          """,
    "pl": """jest są był jestem mój moja moje mi mnie ty twój my nasz i lub ale nie tak jeśli jak kiedy gdzie kto chcę
          wolę mieszkam mam pracuję lubię bardzo więcej ten ta to w na z do od dla też tylko teraz dziękuję cześć
          zawsze
          nigdy nazywam się psa kota jem piję
          """,
    "cs": """je jsem jsou byl můj moje mi mě ty my a nebo ale ne ano jak kdy kde kdo chci bydlím mám pracuju pracuji
    rád ráda
          velmi více ten ta to v na z do od pro také jen teď děkuji ahoj vždy nikdy nejím piju jmenuji
          """,
    "fi": """olen on ovat oli minä minun sinä me ja tai mutta ei en kyllä jos miten kun missä kuka haluan asun
    työskentelen pidän
          hyvin enemmän tämä myös vain nyt kiitos hei aina koskaan syön juon nimeni
          """,
    "ro": """este sunt era eu meu mea mi tu noi și sau dar nu da cum când unde cine vreau locuiesc lucrez am îmi
    place foarte
          mai acest această în la cu pentru din și de acum mulțumesc bună mereu niciodată mănânc prefer numele
          """,
    "hu": """vagyok van volt én az egy és vagy de nem igen hogyan mikor hol ki akarok lakom dolgozom szeretem nagyon
    több ez is csak
          most köszönöm szia mindig soha eszem iszom nevem
          """,
    "tr": """bir bu şu ben benim sen senin biz bizim ve veya ama değil evet hayır eğer nasıl ne nerede kim istiyorum
          tercih yaşıyorum var çalışıyorum seviyorum severim yemem içmem adım çok daha da de için ile gibi şimdi
          teşekkürler
          merhaba her zaman asla oturuyorum kullanıyorum
          """,
    "id": """saya aku ini itu yang dan atau tetapi tidak ya jika bagaimana kapan di mana siapa mau ingin lebih suka
          tinggal punya bekerja sangat dengan untuk dari ke juga hanya sekarang terima kasih halo selalu jangan nama
          """,
    "tl": """ako ang ng mga sa ko mo siya kami tayo ay hindi oo gusto nakatira nagtatrabaho ayaw po lang din kape
          pangalan""",
    "sw": """mimi ni na ya wa kwa si sio napenda ninaishi ninafanya kazi jina langu sipendi sili kila asante habari""",
    "vi": """tôi là của và không có thích sống ở làm việc tên rất cho với này đó""",
    "hi-Latn": """hai hain hoon hun mujhe mera meri mere mai main hum hamara tum tumhara aap aapka aapke ka ki ke ko se
               nahi nahin mat kya kaise kab kahan kaun kyun chahiye pasand karo kar karna karta karti kare raha rahi
               rahe ho hota batao bata bhi aur ya lekin par jo wo woh yeh ye ek sab abhi hamesha kabhi pehle wala wale
               liye apna apne isse isko usko dena dijiye kijiye sakta sakte gaya tha thi sirf bhai yaar mein rehta
               rehti
               khata khati naam pe subah shaam baje humein humare
               """,
}
_ENGLISH_GRAMMAR = frozenset(
    [
        "the",
        "a",
        "an",
        "is",
        "are",
        "was",
        "am",
        "i",
        "i'm",
        "my",
        "our",
        "your",
        "we",
        "you",
        "it",
        "to",
        "of",
        "with",
        "and",
        "or",
        "not",
        "don't",
    ]
)
_SETS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_FOREIGN = {language: known for language, known in _SETS.items() if language != ENGLISH}
#: Words that no English sentence has, in lower case.
_NOT_ENGLISH = frozenset().union(*_FOREIGN.values()) - _SETS[ENGLISH]
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: Names in their own letters: capitalised words with the particles between them.
_NAME = re.compile(
    r"(?<=[\w,:'’)] )(?:(?:de|la|las|los|le|les|du|des|der|den|die|das|dem|von|vom|van|zu|di|da|del|della|do|dos|das|"
    r"el|al|und|y|e|et|en|bin|"
    r"ibn) ){0,4}(?:[dlDL]['’])?[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?: (?:(?:de|la|las|los|le|les|du|des|der|den|die|von|"
    r"vom|van|"
    r"zu|di|da|del|della|do|dos|"
    r"das|el|al|am|und|y|e|et|en|bin|ibn) ){0,4}(?:[dlDL]['’])?[^\W\d_a-zß-öø-ÿ][\w'’.-]*)*"
)
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_SAMPLE = 2000  # characters that decide; more changes nothing
_ANY_CHANCE = 0.01  # of a language, for the statistical model
_CLEARLY = 3  # English words that make a sentence English although it names something in another script


@cache
def _identifier() -> LanguageIdentifier:
    return language_model.identifier()


def detect(text: str) -> str:
    """The ISO 639-1 code of the language ("hi-Latn" for Hindi in Latin letters); "en" wherever English is possible."""
    sample = text[:_SAMPLE]
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sample)]
    english = sum(word in _SETS[ENGLISH] for word in words)
    if not sample.isascii() and (script := _script_of(sample, english)):
        return script
    if not words or not (_NOT_ENGLISH.intersection(words) or english < 0.4 * len(words)):
        return ENGLISH  # every word may be English
    some = len(words)
    if not sample.isupper():
        words = [word.lower().replace("’", "'") for word in _WORD.findall(_NAME.sub(" ", sample))] or words
        english = sum(word in _SETS[ENGLISH] for word in words)
    if some >= 2 and words and (other := _told_by_words(words)):
        return other
    telling = len(_NOT_ENGLISH.intersection(words))
    if some < 2 or english > 0.4 * len(words) or (english and not telling):
        return ENGLISH
    language, certainty = _identifier().classify(sample.lower())
    needed = 0.35 if telling or not sample.isascii() else 0.9
    return str(language) if language != ENGLISH and certainty > needed and english <= max(telling, 1) else ENGLISH


def may_be(text: str) -> frozenset[str]:
    """Every language a short text may be in, by its letters and words: those the statistical model gives any chance."""
    ranked = _identifier().rank(text[:_SAMPLE].lower())
    return frozenset(str(language) for language, chance in ranked if chance >= _ANY_CHANCE) | {detect(text)}


def _told_by_words(words: list[str]) -> str | None:
    """The language whose own words outnumber the words that are English alone; None where English may be meant."""
    if words[-1] in _FOREIGN["hi-Latn"] - _SETS[ENGLISH] and not _ENGLISH_GRAMMAR.intersection(words):
        return "hi-Latn"  # Hindi ends with its verb, whatever English nouns stand before it
    counts = {language: sum(word in known for word in words) for language, known in _FOREIGN.items()}
    other = max(counts, key=lambda language: counts[language])
    known = _FOREIGN[other]
    telling = sum(word in known and word not in _SETS[ENGLISH] for word in words)
    english_alone = sum(word in _SETS[ENGLISH] and word not in known for word in words)
    return other if telling and (telling > english_alone or not english_alone) else None


def foreign_sentence(sentence: str) -> str | None:
    """The language of one sentence of an English message, where it is plainly another; else None."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence[:_SAMPLE])]
    ascii_words = sentence.isascii()
    if (len(words) < 3 and ascii_words) or (ascii_words and not _NOT_ENGLISH.intersection(words)):
        return None if ascii_words or sum(word in _SETS[ENGLISH] for word in words) else _other(detect(sentence))
    return _other(detect(sentence))


def _other(language: str) -> str | None:
    return None if language == ENGLISH else language


def _script_of(sample: str, english: int) -> str | None:
    """The language that the letters tell; None for Latin ones, and where English words carry the sentence."""
    latin = len(_LATIN.findall(sample))
    for language, script in _SCRIPTS:
        found = len(script.findall(sample))
        dense = language in ("zh", "ja", "ko")
        if found and found * (3 if dense else 1) > latin and (english < _CLEARLY or found > 2 * latin):
            return "fa" if language == "ar" and re.search("[پچژگ]", sample) else language
    return None
