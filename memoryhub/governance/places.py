"""Which words name a thing of a place, a page on a screen, what goes wrong, what is now, a judgement? Shared by the
readings of plain sentences (R13, R14).
"""

import re

#: Things of a place: what one has to know to come, deliver, work or live there.
_THINGS = (
    r"doors?|doorway|doorbells?|bells?|buzzers?|intercom|gates?|entrances?|entry|exits?|stairs?|staircase|stairwell|"
    r"steps?|lifts?|"
    r"elevators?|escalator|ramps?|driveway|drive|drives|yards?|courtyard|gardens?|garages?|sheds?|barns?|porch|halls?|"
    r"hallway|lobby|reception|corridors?|kitchen|bathrooms?|toilets?|bedrooms?|cellar|basement|attic|loft|roof|"
    r"ceiling|"
    r"floors?|walls?|windows?|fences?|paths?|roads?|lanes?|streets?|alleys?|bridges?|tunnel|parking|car ?parks?|bays?|"
    r"docks?|store ?rooms?|warehouses?|workshops?|offices?|buildings?|blocks?|house|flats?|apartments?|cottages?|"
    r"farm|sites?|shops?|stores?|counters?|desks?|post ?box(?:es)?|mail ?box(?:es)?|"
    r"letter ?box(?:es)?|lockers?|meters?|fuse ?box|fuses|boilers?|heaters?|heating|radiators?|thermostat|stopcock|"
    r"taps?|sinks?|"
    r"ovens?|fridges?|freezers?|dishwashers?|dryers?|washing machine|printers?|copiers?|projectors?|alarms?|"
    r"sprinklers?|"
    r"switch(?:es)?|sockets?|outlets?|lamps?|lights?|keys?|locks?|padlocks?|barriers?|canteen|dogs?|cats?|horses?|"
    r"deliveries|parcels|visitors|couriers|suppliers|cranes?|forklifts?|trolleys?|pallets?|vans?|trucks?|lorries|"
    r"trailers?|buses|"
    r"bus(?: stop)?|stations?|canals?|rivers?|wells?|pumps?|generators?|panels?|chimneys?|stoves?|boats?|piers?|jetty|"
    r"ladders?|hatch(?:es)?|skylights?|balcon(?:y|ies)|terraces?|pools?|saunas?|gyms?|playgrounds?|class ?rooms?|"
    r"rooms?|stage|"
    r"signs?|pavement|kerb|curb|pitch|field|greenhouse|silo|stable|kennel|nursery|school|library|church|chapel|clinic|"
    r"practice|studio|lab|laboratory|plant|factory|mill|quay|harbour|harbor|marina|depot|hangar|container|skip|bins?|"
    r"recycling|rubbish|mailroom|post room|cloakroom|pantry|shutters?|blinds?|curtains?|water|gas|electricity|power|"
    r"wi-?fi|signal|reception desk|porter|concierge|caretaker|handle|drawers?|cupboards?|shelf|shelves|cabinets?|"
    r"hinges?"
)
PLACE_THING = re.compile(rf"(?i)\b(?:{_THINGS})\b(?!['’]s)")
#: Where it is: "at our site", "in my street", "here".
SETTING = re.compile(
    rf"(?i)\b(?:at|behind|outside|in front of|opposite|next to) (?:our|my) (?!order|account|app|opinion|view|phone|"
    rf"age|best|core|heart|"
    rf"screen|invoice|bill|card|case|request|booking|inbox|browser|profile|cart|basket|disposal|fingertips)\w+|"
    rf"\b(?:in|on|to|from|near|around|into|of) (?:our|my) (?:\w+ )?(?:{_THINGS}|place|village|town|area|"
    rf"neighbou?rhood|estate|hamlet|island|"
    rf"valley|campus|terrace|close|end|side|lane)\b|\b(?:in|for|across|throughout) (?:our|this) (?:project|repo\w*|"
    rf"team|api|code ?base|code|docs|documentation|household|family|shop|firm|club)\b"
    r"|\b(?:at (?:home|ours)|on site|"
    r"in the (?:building|house|yard|flat|office|village)|on the premises)\b"
)
DIGITAL = re.compile(
    r"(?i)\b(?:apps?|applications?|web ?sites?|web ?pages?|pages?|screens?|log-?ins?|browsers?|software|programs?|"
    r"programmes?|codes?|scripts?|functions?|queries|query|errors?|bugs?|exceptions?|stack ?traces?|tests? (?:fail|"
    r"pass)\w*|builds? fail\w*|"
    r"buttons?|links?|captchas?|pop-?ups?|crash\w*|404|500|timeouts?|spinner|passwords?|e-?mail never|chat ?bots?|"
    r"bots?|model|prompts?|files? (?:is|are)|uploads?|downloads?|updates?|version)\b"
)
#: What goes wrong, or is wanted, just now.
PROBLEM = re.compile(
    r"(?i)\b(?:problems?|issues?|trouble|troubles|errors?|faults?|mistakes?|typos?|delays?|delayed|missing|wrong|"
    r"failed|failing|fails?|"
    r"arrived|refunds?|complain\w*|charged|overcharged|lost|damaged|stolen|cancel+ed|not (?:arrived|received|working)|"
    r"doesn't load|does not load|hang(?:s|ing)? up|stuck|keeps? \w+ing)\b"
)
NOW = re.compile(
    r"(?i)\b(?:right now|just now|at the moment|today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|"
    r"week|time|month|year)|last (?:night|week|month|year|time)|ago|currently|so far|yet|again|already|anymore|"
    r"for (?:some|a few|two|three|\d+|several) (?:hours|minutes|days)|suddenly|any ?time soon|(?:mon|tues|wednes|"
    r"thurs|fri|satur|"
    r"sun)day (?:morning|night|evening)|next (?:week|month))\b"
)
EVALUATION = re.compile(
    r"(?i)^(?:so |very |really |quite |pretty |too |just |absolutely |such |not |a bit |rather |truly |simply |super |"
    r"extremely |always |(?:an? |the |my )?)*(?:great|good|bad|nice|lovely|awful|terrible|horrible|amazing|awesome|"
    r"wonderful|"
    r"fantastic|excellent|perfect|brilliant|beautiful|delicious|fun|funny|boring|interesting|cool|ridiculous|"
    r"unacceptable|disappointing|annoying|frustrating|helpful|useless|useful|important|true|false|fine|ok(?:ay)?|easy|"
    r"hard|"
    r"difficult|best|worst|better|worse|incredible|insane|crazy|weird|strange|sad|happy|clear|obvious|impossible|"
    r"possible|"
    r"ready|right|correct|(?:up|down|over|done|gone|on|off)(?=$|[ ]again)|appreciated|unbelievable|stunning|"
    r"gorgeous|cute|adorable|"
    r"inspiring|tough|rough|worth|key|everything|nothing|life|love|fire|lit|trash|garbage|joke|mess|disaster|shame|"
    r"pity|"
    r"pleasure|delight|blast|gem|dream|nightmare)\b"
)
