"""Which words mark what passes, what points at the matter at hand, and where a value ends? Shared by the readings
(R13, R14).
"""

import re

from memoryhub.governance.keys import trim
from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Sieved

#: What one matter at hand is made of: said of these, a sentence matters only for now.
TRANSACTION = (
    r"flights?|orders?|bookings?|reservations?|tickets?|questions?|problems?|issues?|requests?|concerns?|reasons?|"
    r"apolog(?:y|ies)|goal|understanding|guess|point|mistake|bad|pleasure|luggage|bags?|trips?|cancel+ation|refunds?|"
    r"return|payment|total|cart|focus|aim|intent|intention|priority|interest|flight plans?|package|parcel|message|"
    r"inquiry|enquiry|complaint|case|screen|app|page|download|upload|passengers?|itinerary|confirmation|connection|"
    r"layover|departure|arrival|seat selection|idea|thoughts?|advice|hope|answer|suggestion|first|last|next|"
    r"main (?:question|concern|problem|issue)"
)
#: Irregular forms that tell what happened.
PAST = frozenset(
    listed(
        """
        went came saw got took made bought found thought told said knew gave left lost won met sent spent felt held
        brought caught taught fought sold paid ran began broke chose drove ate fell flew forgot froze grew heard kept
        led lent meant rode rose sang sat shook shot slept spoke stole stood stuck swam swore threw understood woke
        wore wrote built burnt cut dealt dreamt drew drank dug hid hit hung hurt knelt laid lay learnt lit put quit
        read
        rang sank sought shut slid spilt spread sprang stung struck swept swung tore wept wound became blew bled bent
        bound bred dove fed fled forgave leapt shone shrank spelt spun spat strode swelled withdrew were was had did
        """
    )
)
DIETS = (
    r"vegetarian|vegan|pescatarian|flexitarian|halal|kosher|teetotal|a vegetarian|a vegan|a pescatarian|"
    r"gluten[- ]free|plant[- ]based"
)
MARITAL = r"married|single|divorced|widowed|engaged|separated"
#: Where a reason begins: it stays in the words, not in the value.
REASON = Sieved(
    r"(?i)(?<![ ,])[ ,]+(?:because|so (?=i\b|we\b|my\b|please\b|it\b|that\b|\w+ (?:is|are|suits?|works?)\b)|"
    r"since|so that|"
    r"as i|as we|due to|unless|if|'?cause|(?:he|she|it|they|which|who|where|and it|and they|and that|"
    r"(?<!nothing )but)(?= \w))\b.*"
    r"|[ ][–—-][ ].*"
)
#: Where the next clause begins although nothing was cut there.
ONE_CLAUSE = re.compile(
    r"(?i),? (?:and|but|so) (?:i |we |would|want|need|look|am|are|was|have|had|will|can|could|also|that|it|this|"
    r"please|you|has|is|he|she|they|my|our|his|her|does|do|did|never|always|there|"
    r"the (?:\w+ ){1,2}(?:\w+ed|is|are|was|were|has|have|had))\b"
)
#: Words that point at what is on the table ("this one", "the first option"): no lasting object.
THIS_ONE = re.compile(
    r"(?i)^(?:this|that|it|those|these|them|one|both(?: of\b|$|[.,!])|either|neither(?! \w+ n?or\b)|all|(?:the|that|"
    r"this) (?:\w+ )?(?:first|second|"
    r"third|last|next|same|other|cheapest|earliest|latest|fastest|shortest|quickest|best|one|ones|option|flight|"
    r"offer|following|above|former|latter|two|three)(?: (?:one|ones|option|options|flight|flights|offer|seat|choice|"
    r"two|three))*(?=[.!,]|$| (?:for|on|from|to|at|you|with|and|please|that|in)\b))"
    r"|^(?:the )?(?:\w+ ){0,2}ones?$|^(?:the )?(?:first|second|third|last|new|latest|other) (?:draft|version|design|"
    r"picture|photo|proposal|layout|logo|colou?r|sketch|mock-?up|sample)\b|\b(?:option [a-d\d]|flight [a-z]{2,3} ?\d+|"
    r"for (?:this|that) (?:booking|flight|order|"
    r"trip|one|time|change|"
    r"reservation)|this time)\b"
)
#: Names of the matter at hand rather than of the person.
LOGIN = re.compile(
    r"(?i)\b(?:user ?(?:id|name)|login(?: id| name)?|(?:reservation|booking|confirmation|itinerary|boarding|"
    r"flight)(?: (?:id|number|no|code|reference))?)$"
)
IDENTIFIER = re.compile(r"(?i)\b(?:numbers?|ids?|reference|ref|code|confirmation|identifier|username|user ?id)$")
#: What goes wrong, or how it stands right now.
TROUBLE = re.compile(
    r"(?i)^(?:not (?:working|here|there|loading|available|showing|arriv\w+|possible|right|correct|sure|yet)|broken|"
    r"late|delayed|missing|wrong|gone|stuck|lost|down|slow|damaged|cancel+ed|being|going|getting|running|about to|"
    r"to|that|how|why|what|whether|because|"
    r"\w+ing\b(?! (?:lane|road|street|room))|so|too|very|really|still (?:not|waiting)|unable|supposed|due to|"
    r"fine|ok(?:ay)?|good|great|all (?:right|good|set)|done|ready|over|full|empty|dead|confirmed|complete|on its way|"
    r"in transit|as follows|simple|clear|urgent|awesome|amazing|terrible|wonderful|perfect|fantastic|horrible|bad|"
    r"nice|cool|"
    r"fun|beautiful|lovely|important|everything|incredible|crazy|tough|hard|rough|the best|worth|like|finally|"
    r"finished|there for)\b"
)
#: What somebody may well do for ever: "my hobby is fishing" does not pass, "my app is crashing" does.
PURSUIT = re.compile(
    r"(?i)\b(?:hobby|hobbies|sports?|passion|pastime|job|work|favou?rite \w+|preferred \w+|exercise|activity|"
    r"speciality|thing|dream)$"
)
#: States that pass: nobody wants to be remembered as "tired".
FEELING = re.compile(
    r"(?i)^(?:sorry|sure|ready|happy|glad|sad|tired|fine|good|well|ok(?:ay)?|great|back|late|early|here|there|done|"
    r"confused|frustrated|upset|afraid|worried|busy|unable|able|aware|curious|interested|disappointed|excited|hungry|"
    r"thirsty|bored|stuck|lost|angry|"
    r"annoyed|grateful|thankful|satisfied|unhappy|unsure|certain|right|wrong|okay|all set|not|so|too|very|really|"
    r"quite|pretty|just|about|going|trying|looking|having|getting|waiting|thinking|wondering|asking|calling|writing|"
    r"hoping|planning|considering|using|"
    r"testing|running|doing|making|sending|seeing|\w+ing\b|being|in a (?:hurry|rush)|at (?:work|home|the (?:airport|"
    r"office|station|moment))|on (?:the phone|hold|my way|it|board)|in touch|aware|under|over|up|down|off|out|"
    r"impressed|told|asked|supposed|"
    r"a (?:bit|little|lot|customer|user|member|passenger|human|person|little)|the (?:one|only|same|account)|one of|"
    r"willing|free|new here|also|still|of course|open to|with you|all|sick|unwell|ill|feeling|flying|travel+ing|your|"
    r"from the|kidding|joking)\b"
)


#: What is left of the conjunction when the clause behind it is cut off.
_LOOSE_END = re.compile(r"(?i)(?<![ ,])[ ,]+(?:and|but|so|or|yet|while|whereas|although)[ ,.!]*$")
#: A name goes on with "and" only where another name follows.
_AFTER_A_NAME = re.compile(
    r"(?i:(?<![ ,])[ ,]+(?:and|but|so|while|yet|who|which|that|because|since)|,) (?=[a-z][\w']* \S|I\b|"
    r"(?:He|She|It|They|We|My)\b)"
)


def plain(value: str) -> str:
    return trim(_LOOSE_END.sub("", REASON.sub("", value)))


def name_only(value: str) -> str:
    """A name without the clause that goes on after it: "Miso and she is four", "Rex who barks"."""
    return trim(_LOOSE_END.sub("", _AFTER_A_NAME.split(value, maxsplit=1)[0]))
