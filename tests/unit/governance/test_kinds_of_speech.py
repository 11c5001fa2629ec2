"""Which kinds of sentences make a memory, and which never do: one table a kind, in words of our own (R11, R13, R14)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memoryhub.governance.extraction import Extraction, extract
from memoryhub.vocabulary import Channel, Form, Reason

OSLO = ZoneInfo("Europe/Oslo")
MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=OSLO)


def said(text: str) -> Extraction:
    return extract(text, said_at=MONDAY, zone=OSLO, channel=Channel.USER_MESSAGE)


def typed(text: str) -> list[str]:
    return [f"{claim.key}={claim.value}" for claim in said(text).claims]


KEPT = {
    "a. plain declaratives, first person": [
        "I swim before work.",
        "I restore old clocks.",
        "We host a market every spring.",
        "I babysit my nephews on Fridays.",
        "I tutor chemistry on Thursdays.",
        "I juggle.",
        "I moonlight as a DJ.",
        "We foster kittens.",
        "I mentor two juniors.",
        "I bring my own lunch.",
        "I leave the office at four on Fridays.",
        "I sleep with the window open.",
        "I answer mail after nine.",
        "I reply faster by text.",
        "I need step-free access.",
        "We close for two weeks in August.",
        "I only accept deliveries before noon.",
        "I carry an EpiPen.",
        "I snowboard.",
        "I telework on Wednesdays.",
        "I share the studio with two potters.",
        "I wear hearing aids.",
        "I queue patches on Mondays.",
        "I seldom check voicemail.",
        "I hardly ever answer unknown numbers.",
        "We ferment our own kimchi.",
        "I referee youth hockey at weekends.",
        "I translate for a living.",
        "We alternate the weekly shop.",
        "I chair the parents' council.",
        "I share a car with my neighbour.",
        "I do the books for a bakery.",
        "I do yoga every morning.",
        "I get my parcels at the kiosk.",
        "I go climbing on Tuesdays.",
        "I was raised in Malta.",
        "I grew up in Malta.",
        "I've lived here since 2015.",
        "I have worked nights for ten years.",
        "I've been vegan since March.",
        "We've banked with you for a decade.",
        "I'm left-handed.",
        "I'm a morning person.",
        "I'm not a morning person.",
        "I'm usually at the depot till six.",
        "I'm the treasurer of our club.",
        "We're closed on Mondays.",
        "We are a team of nine.",
        "I'm in the Lisbon office on Tuesdays.",
        "I'm colour-blind.",
        "We're four people in the flat.",
        "My van is parked behind the chapel.",
        "My flat is on the third floor.",
        "My doorbell doesn't work.",
        "Our yard floods in winter.",
        "My parrot bites strangers.",
        "Our lift breaks down a lot.",
        "My street has no pavement.",
    ],
    "surroundings": [
        "The back gate sticks.",
        "The stairs squeak.",
        "The fuse box is on the left.",
        "There is a step at the back door.",
        "Parking at our site is behind the mill.",
        "The loading bay is too low for trucks.",
        "The bell is broken, so knock.",
        "There's a dog in the yard.",
        "There are two entrances; ours is the green one.",
        "The key hangs behind the meter.",
        "Our reception closes at five.",
        "The intercom only works after dark.",
        "The road to our farm floods in March.",
        "Deliveries come through the side gate.",
        "The kitchen is on the ground floor.",
        "The second lift is out of use on Sundays.",
    ],
    "future": [
        "I'm moving to Oslo next month.",
        "We are moving to Bergen on 1 August.",
        "I will be on leave from Monday to Friday.",
        "From July I'll work at Halden.",
        "I start at Halden on Monday.",
        "I'm starting a new job at Halden next week.",
        "We're switching to Kafka in October.",
    ],
    "ended": [
        "I gave up meat.",
        "I've stopped eating meat.",
        "I'm done with dairy.",
        "I left Halden in May.",
        "I no longer need a ramp.",
        "I sold the boat.",
        "We closed our Leeds branch.",
    ],
    "conditionals, wishes": [
        "If it rains I take the bus.",
        "Unless it rains, I cycle to work.",
        "When I travel I use the other phone.",
        "If the gate is locked, I use the side door.",
        "If I'm not home, leave parcels with the porter.",
    ],
    "comparative, ranges, units": [
        "I prefer trains to planes.",
        "I like tea more than coffee.",
        "I'd rather meet in the afternoon.",
        "I prefer mornings over evenings.",
        "I can lift up to 20 kg.",
        "My parcels weigh under 20 kg.",
        "Call me between 9 and 11.",
        "Please call between nine and eleven.",
        "My budget is between 200 and 300 euros.",
        "I'm free from 2 to 4 pm on weekdays.",
        "I run 10 km a week.",
        "I'm 1.85 m tall.",
    ],
    "several claims, lists": [
        "I speak Dutch, Welsh and Thai.",
        "I eat anything but fish.",
        "No nuts, no sesame please.",
        "I like everything except olives.",
        "I'll eat anything except mushrooms.",
        "I work at Halden as a welder.",
    ],
    "moves": [
        "I've moved house: 12 Mill Lane, Ely.",
        "Our office moved from Ghent to Bruges.",
        "I changed jobs: I'm now at Halden.",
        "I went from monthly to yearly billing.",
    ],
    "durations": [
        "For the next two weeks I'm at 5 Quay Street.",
        "I'm away for a fortnight.",
        "I'm in Rome until Sunday.",
        "For the next three days please deliver to my neighbour.",
        "I'll be working from Leeds this week.",
    ],
    "pasted": [
        "Hi, I live in Graz.\n\nBest regards,\nAnn Lee\nHead of Sales\nTel: 555 0100",
    ],
    "caps, chat": [
        "pls dont call b4 9",
        "i cant do mondays",
        "my fav colour is teal 😀",
        "i luv otters",
        "i live in graz my plan is yearly i hate mail",
        "thx! btw i moved to graz",
        "u can reach me by text",
        "im not vegan anymore",
        "i prefer txt",
        "dont ring me b4 10",
        "i wanna be called Liv",
    ],
    "names": [
        "I live on St. Mary's Road.",
        "My dentist is Dr. Alvarez. I live in Graz.",
        "My company is called 東京堂.",
    ],
    "imperatives": [
        "Don't ring me before nine.",
        "Please don't use emojis.",
        "Never schedule me on Fridays.",
        "Leave parcels with the neighbour.",
        "Always cc my assistant.",
        "Use metric units.",
        "Send invoices to the Graz office.",
        "Only email me.",
        "Please use the side entrance.",
        "Address me formally.",
        "Next time, use the back door.",
        "Speak to me in English only.",
        "Please write dates as day-month-year.",
    ],
    "language": [
        "I love déjà vu and crème brûlée.",
        "I use der Spiegel daily.",
    ],
}
NEVER = {
    "junk impersonal": [
        "The app crashes.",
        "The app keeps crashing.",
        "My order has not arrived.",
        "The weather is lovely today.",
        "It is raining.",
        "The capital of Peru is Lima.",
        "Water boils at 100 degrees.",
        "The sun rises in the east.",
        "The website is slow today.",
        "The flight was delayed.",
        "The parcel arrived broken.",
        "That was great.",
        "This is ridiculous.",
        "The page shows an error.",
        "There is an error on line 12.",
        "There's a problem with my invoice.",
        "The movie was great.",
        "The service is terrible.",
        "It works now.",
        "The code compiles.",
        "There is no rush.",
        "There are many ways to do this.",
        "The answer is 42.",
        "The quick brown fox jumps over the lazy dog.",
        "I see.",
        "I think so.",
        "I understand.",
        "I agree with you.",
        "I mean it.",
        "I hope this helps.",
        "I keep getting an error.",
        "I get a 404 when I open the page.",
        "I see a red banner.",
        "I can't log in.",
        "I feel tired.",
        "I guess you're right.",
        "I know.",
        "I know what you mean.",
        "I apologise for the delay.",
        "I ordered a lamp last week.",
        "I called yesterday.",
        "I went to the shop.",
        "I just finished lunch.",
        "I look forward to hearing from you.",
        "I say we wait.",
        "I notice the price went up.",
        "I still see the old price.",
        "I have a question about my bill.",
        "I have tried that already.",
        "I tried restarting it.",
        "We landed safely.",
        "I had two coffees this morning.",
        "I found the cable.",
        "I did it.",
        "I got the mail.",
        "I have to go now.",
        "I love it!",
        "I love this.",
        "I like that idea.",
        "I like your answer.",
        "I love how fast you answered.",
        "That was delicious.",
        "I enjoyed the concert.",
        "I loved the film.",
        "I really like what you did there.",
        "I love you.",
        "I hate this.",
        "I hate it when you do that.",
        "Love it!",
    ],
    "b corrections in message": [
        "No, it's the 14th.",
        "Actually, Tuesday.",
        "Scratch that, B.",
        "I meant the other one.",
    ],
    "future": [
        "I might move to Oslo.",
        "I plan to learn Welsh.",
        "I'd love to visit Japan one day.",
    ],
    "ended": [
        "I used to smoke.",
        "Until last year I lived in Bath.",
    ],
    "conditionals, wishes": [
        "If I had a car I'd drive.",
        "I wish I had a garden.",
        "I'd buy it if it were cheaper.",
        "When I'm old I'll move to Spain.",
        "I would be a pilot if I could.",
    ],
    "third persons": [
        "Tom likes tea.",
        "He lives in Graz.",
        "They use Jenkins.",
        "My friend thinks I should move.",
        "According to my mum I am lazy.",
    ],
    "reported, quoted": [
        "My doctor told me to rest.",
        'The sign says "no parking".',
        'He said: "I live in Graz."',
        '"I live in Graz."',
        "They told me I'm on the yearly plan.",
        "The letter states that my plan is yearly.",
        "I was told that my plan is yearly.",
    ],
    "hypothetical/rhetorical/role play": [
        "Let's pretend I'm a doctor.",
        "You are a pirate and I am your parrot.",
        "Imagine I live on Mars.",
        "Who doesn't like cake?",
        "So I live in Graz now?",
        "You think I live in Graz?",
        "I live in Graz, right?",
        "I suppose you know where I live.",
        "Say I moved to Rome, what then?",
        "In this story I am a dragon.",
        "Act as if I were your boss.",
        "Let's play: I am the king.",
        "Roleplay: I'm Captain Hook.",
        "*I walk into the tavern*",
    ],
    "sarcasm": [
        "Sure, because I love paying twice.",
        "I just love being put on hold. /s",
        "Oh how I love Mondays, said nobody.",
        "Yeah right, I totally love spam.",
        "I LOVE waiting three weeks for a reply...",
        "Of course I adore being ignored.",
    ],
    "pasted": [
        "Here is the mail:\n> From: Bob <bob@x.org>\n> I live in Rome.\n> My plan is yearly.",
        "---------- Forwarded message ---------\nFrom: Ann <a@b.org>\nDate: Mon, 1 Jun\nSubject: hi\n\nI live in Rome and my plan is yearly.",
        "```\nmy city is Rome\n```",
        "I get this log:\n2026-05-01 10:00:01 ERROR my plan is yearly\n2026-05-01 10:00:02 INFO I use redis",
        "On Mon, 1 Jun 2026, Ann wrote:\n> I live in Rome.",
    ],
    "imperatives": [
        "Book me an aisle seat.",
        "Send me the report.",
        "Send it to me.",
        "Use this card.",
        "Cancel it.",
        "Please keep it short.",
        "Remind me tomorrow.",
    ],
    "language": [
        "Me gusta el té.",
        "J'habite à Lyon.",
        "Ich wohne in Graz.",
        "Vivo a Torino.",
        "Ik woon in Gent.",
        "Main Pune mein rehta hoon.",
        "Mujhe chai pasand hai.",
        "Moro em Lisboa.",
        "Je préfère le thé.",
        "Prefiero café.",
        "Bor i Oslo.",
        "Mein Name ist Anna.",
        "Jag bor i Lund.",
        "Mi chiamo Luca.",
        "Mam psa.",
        "Ben çay severim.",
        "No como pescado.",
    ],
}
TYPED = [
    ("I live in Graz. No, wait, in Linz.", ["city=Linz"]),
    ("My plan is weekly; scratch that, yearly.", ["plan=yearly"]),
    ("My slot is Tuesday. Actually, Wednesday.", ["slot=Wednesday"]),
    ("My shoe size is 42, sorry, 43.", ["shoe_size=43"]),
    ("My gate is B4 - no, C4.", ["gate=C4"]),
    ("I used to live in Bath, now I live in Bristol.", ["city=Bristol"]),
    ("I don't live in Bath anymore.", ["city=not Bath"]),
    ("I like both hiking and sailing.", ["likes=hiking", "likes=sailing"]),
    ("I like neither tea nor coffee.", ["likes=not tea", "likes=not coffee"]),
    ("I don't like tea or coffee.", ["likes=not tea", "likes=not coffee"]),
    ("We moved from Ghent to Bruges on 3 May.", ["city=Bruges"]),
    ("I relocated to Turin two weeks ago.", ["city=Turin"]),
    ("I switched from the monthly to the yearly plan.", ["plan=yearly"]),
    ("As I said, I live in Graz.", ["city=Graz"]),
    ("I told you I live in Graz.", ["city=Graz"]),
    ("I live in Graz.\n\n> I live in Rome.", ["city=Graz"]),
    ("I LIVE IN GRAZ.", ["city=GRAZ"]),
    ("i live in graz", ["city=graz"]),
    ("im vegan btw", ["diet=vegan"]),
    ("i dont eat fish", ["eats=not fish"]),
    ("ive moved 2 leeds", ["city=leeds"]),
    ("I like figs 🙂", ["likes=figs"]),
    ("I live in Graz!!!", ["city=Graz"]),
    ("i no longer eat meat", ["eats=not meat"]),
    ("My name is O'Brien.", ["name=O'Brien"]),
    ("My name is Łukasz Żak.", ["name=Łukasz Żak"]),
    ("Call me Zoë.", ["preferred_name=Zoë"]),
    ("I work at L'Oréal.", ["employer=L'Oréal"]),
    ("I live in Saint-Étienne.", ["city=Saint-Étienne"]),
    ("My dog is called Mr. Biscuit.", ["dog_name=Mr. Biscuit"]),
    ("My name is 山田太郎.", ["name=山田太郎"]),
    ("I live in Zürich.", ["city=Zürich"]),
    ("My name is Nguyễn Văn An.", ["name=Nguyễn Văn An"]),
    ("I work at J.P. Morgan.", ["employer=J.P. Morgan"]),
    ("My name is José García López.", ["name=José García López"]),
    ("Bonjour, I live in Lyon.", ["city=Lyon"]),
]
SEVERAL = [
    ("I live in Graz and I have two dogs, but I never eat fish.", 3),
    ("My city is Graz; my plan is yearly.", 2),
    ("- I live in Graz\n- I am vegan\n- I speak Welsh", 3),
    ("* City: Graz\n* Plan: yearly", 2),
    ("1. I live in Graz\n2. I use Vim", 2),
    ("I'm vegan, live in Graz and work nights.", 3),
    ("i live in graz and my plan is yearly", 2),
    ("I live in Graz🙂 I like figs", 2),
    ("I work for Acme Inc. and live in Graz.", 2),
]


def _cases(table: dict[str, list[str]]) -> list[object]:
    return [pytest.param(text, id=f"{kind}: {text[:60]}") for kind, texts in table.items() for text in texts]


@pytest.mark.parametrize("text", _cases(KEPT))
def test_what_a_person_tells_of_themselves_or_their_place_makes_a_claim(text):
    claims = said(text).claims
    assert claims
    assert all(claim.durable and claim.text for claim in claims)


@pytest.mark.parametrize("text", _cases(NEVER))
def test_what_passes_or_tells_nothing_of_the_person_makes_no_claim(text):
    extraction = said(text)
    assert extraction.claims == ()
    assert extraction.reason is not None


@pytest.mark.parametrize(("text", "expected"), TYPED)
def test_key_and_value_are_read_whatever_surrounds_them(text, expected):
    assert typed(text) == expected


@pytest.mark.parametrize(("text", "number"), SEVERAL)
def test_every_claim_of_a_message_is_one_statement(text, number):
    assert len(said(text).claims) == number


@pytest.mark.parametrize(
    "text",
    [
        "My sister moved to Leeds.",
        "My brother-in-law's van blocks the drive.",
        "My wife is vegan.",
        "My boss wants weekly reports.",
        "My son plays the cello.",
    ],
)
def test_what_is_told_of_another_person_is_never_the_speakers_own(text):
    assert all(claim.about_other for claim in said(text).claims)


@pytest.mark.parametrize(
    "text", ["The back gate sticks.", "There is a step at the back door.", "I restore old clocks."]
)
def test_what_is_plainly_told_of_oneself_or_ones_place_is_an_assertion(text):
    assert [claim.form for claim in said(text).claims] == [Form.ASSERTION]


@pytest.mark.parametrize(
    "text", ["The left pedal creaks.", "Config goes to the wiki on Mondays.", "Leave parcels with the porter."]
)
def test_what_may_be_talk_is_implied_and_waits_for_a_curator(text):
    assert [claim.form for claim in said(text).claims] == [Form.IMPLIED]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Don't phone me before ten.", "Please don't phone me before ten."),
        ("Never page me at night.", "Don't page me at night."),
        ("Always send drafts as text.", "From now on, always send drafts as text."),
        ("I work as a cooper.", "I'm a cooper."),
        ("My name is Runa.", "I'm called Runa."),
        ("My parrot is called Odd.", "I have a parrot called Odd."),
        ("Pears are what I like.", "I like pears."),
    ],
)
def test_the_same_in_other_words_has_one_key_and_value(one, other):
    assert [told.casefold() for told in typed(one)] == [told.casefold() for told in typed(other)]


def test_a_wish_turned_round_closes_the_other():
    (wanted,), (refused,) = said("Always add footnotes.").claims, said("Never add footnotes.").claims
    assert refused.value == f"not {wanted.value}"
    assert wanted.value in refused.closes


def test_what_is_announced_holds_from_its_day_and_not_before():
    (claim,) = said("I'm moving to Oslo next month.").claims
    assert (claim.key, claim.value, claim.form) == ("city", "Oslo", Form.IMPLIED)
    assert claim.valid_from == datetime(2026, 7, 1, tzinfo=OSLO)


def test_what_holds_for_a_stretch_of_time_ends_by_itself():
    (claim,) = said("For the next two weeks I'm at 5 Quay Street.").claims
    assert claim.valid_to == datetime(2026, 6, 16, tzinfo=OSLO)


def test_a_sentence_in_another_language_is_kept_in_its_own_words_beside_the_english_ones():
    english, french = said("I live in Lyon. J'adore le thé vert.").claims
    assert (english.value, english.language) == ("Lyon", None)
    assert (french.text, french.key, french.language) == ("J'adore le thé vert.", None, "fr")


@pytest.mark.parametrize("text", ["Vivo a Torino.", "Jeg heter Kari.", "Mujhe chai pasand hai.", "Nunca bebo alcohol."])
def test_a_short_sentence_in_another_language_is_not_dropped(text):
    assert said(text).reason is Reason.LANGUAGE_NOT_HANDLED
