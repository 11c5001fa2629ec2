"""What do people ask for, in which trades? Wishes, questions and remarks of our own, with places for values.

A wish is a verb phrase in the first person; {date:to} and {date:from} are two values of one kind, told apart by their
part. A question or remark is written twice, "as said => as told of the customer". None of it is taken from a data set;
the trades of the sets kept for tests (films, television, banking chat, airlines' desks) are mostly left out.
"""

from typing import Final

WISHES: Final = """
library | renew my loan of {item} until {date} | novel, atlas, cookbook, thesis, comic
library | return {item} at the {place} branch | novel, atlas, cookbook, thesis, comic
library | reserve {item} for {name} | novel, atlas, cookbook, dictionary
library | pay my late fee of {amount} |
gym | freeze my membership from {date:from} to {date:to} |
gym | switch from the {plan:from} plan to the {plan:to} plan |
gym | book a spot in the {time} {item} class on {day} | yoga, spinning, boxing, pilates
gym | cancel my {item} class on {day} | yoga, spinning, boxing, pilates
vet | bring my {item} in for a check-up on {day} at {time} | dog, cat, rabbit, parrot
vet | move my {item}'s vaccination from {day:from} to {day:to} | dog, cat, rabbit, parrot
vet | get {number} more boxes of tablets for my {item} | dog, cat, rabbit, parrot
garage | have the {item} on my car replaced | brakes, clutch, battery, windscreen, exhaust
garage | leave my van at your {place} workshop on {day} |
garage | pick my car up at {time:to} instead of {time:from} |
dentist | move my cleaning from {time:from} to {time:to} |
dentist | book a check-up for my son {name} on {date} |
dentist | see Dr. {name:to} instead of Dr. {name:from} |
telecom | port my number from {company:from} to {company:to} |
telecom | upgrade my contract to {number} gigabytes |
telecom | block the SIM card ending in {code} |
telecom | add a second line for {name} |
energy | submit a meter reading of {code} |
energy | move my contract from {place:from} to {place:to} on {date} |
energy | lower my monthly instalment from {amount:from} to {amount:to} |
energy | have somebody look at my {item} | boiler, meter, heating, fuse box
insurance | add {name} as a driver to my policy |
insurance | file a claim over {amount} for my {item} | bicycle, roof, kitchen, laptop
insurance | raise my cover from {amount:from} to {amount:to} |
insurance | end my {item} policy on {date} | household, travel, liability, pet
parcel | have my parcel {code} delivered on {day} instead |
parcel | send a box from {place:from} to {place:to} |
parcel | redirect parcel {code} to my neighbour {name} |
parcel | schedule a pick-up on {date} between {time:from} and {time:to} |
shop | exchange the {colour:from} {item} for a {colour:to} one | jacket, lamp, rucksack, kettle, scarf
shop | return the {item} from order {code} | jacket, lamp, rucksack, kettle, scarf
shop | order {number} {colour} cushions |
shop | have the {amount} refunded to my card |
shop | get store credit of {amount} instead of a refund |
shop | use the voucher {code} for my next order |
shop | change the delivery address of order {code} to {place} |
shop | cancel order {code} |
hotel | book a {room} room from {date:from} to {date:to} |
hotel | change my reservation from {number:from} to {number:to} nights |
hotel | switch from a {room:from} room to a {room:to} room |
hotel | add breakfast for {number} people |
hotel | check out at {time} |
bank | move {amount} from my {account:from} account to my {account:to} account |
bank | send {amount} to {name} |
bank | raise the limit of my card to {amount} |
bank | stop the standing order to {name} |
bank | dispute a charge of {amount} from {company} |
landlord | report a leak in the {item} | bathroom, kitchen, cellar, hallway
landlord | move out on {date} instead of {date:from} |
landlord | have the locks of my flat in {place} changed |
school | enrol my daughter {name} in the {item} course | painting, chess, swimming, Spanish
school | move from the {day:from} group to the {day:to} group |
school | get a certificate for the {item} course | painting, chess, swimming, Spanish
software | move my workspace from the {plan:from} plan to the {plan:to} plan |
software | add {number} seats to our account |
software | reset the password of {name} |
software | restore the backup from {date} |
software | export the invoices from {month:from} to {month:to} |
software | remove {name} from the project |
office | order {number} {item} for the {place} office | monitors, chairs, headsets, notebooks
office | hand over my shift on {day} to {name} |
office | swap my shift on {day:from} for the one on {day:to} |
office | book the large meeting room from {time:from} to {time:to} |
office | take {number} days off starting {date} |
restaurant | reserve a table for {number} on {day} at {time} |
restaurant | change my table from {number:from} to {number:to} people |
restaurant | order the {item} without onions | soup, curry, risotto, burger
restaurant | have the {item} delivered to {place} at {time} | soup, curry, risotto, burger
travel | take the coach from {place:from} to {place:to} on {date} |
travel | go from {place:from} to {place:to} |
travel | change my ticket to {date} |
travel | rebook my trip from {date:from} to {date:to} |
travel | take the {time:to} departure instead of the {time:from} one |
travel | change my seat from {code:from} to {code:to} |
travel | upgrade from {class:from} to {class:to} |
travel | add {number} suitcases to my booking |
travel | add {name} to my booking {code} |
travel | cancel my trip to {place} |
travel | remove {name} from the reservation |
travel | pay with the card ending in {code} |
travel | correct my last name from {name:from} to {name:to} |
travel | get compensation for the delay of {number} hours |
clinic | get the results of my {item} | blood test, x-ray, scan, allergy test
clinic | renew my prescription for {number} months |
clinic | register {name} as my contact person |
council | apply for a parking permit for {place} |
council | pay the fine {code} |
council | change my address from {place:from} to {place:to} |
cleaning | have the {item} cleaned on {day} | windows, carpets, oven, gutters
cleaning | reduce the visits from {number:from} to {number:to} a month |
museum | buy {number} tickets for {date} |
museum | join the {time} tour |
museum | renew my yearly pass under {name} |
"""

QUESTIONS: Final = """
How much does the {item} cost? => how much the {item} costs | coat, course, repair, lesson, larger size, tour
What time do you open on {day}? => what time they open on {day} |
When will my order {code} arrive? => when their order {code} would arrive |
Do you have the {item} in {colour}? => whether they have the {item} in {colour} | jacket, rug, helmet, chair
Is there parking near the {place} branch? => whether there is parking near the {place} branch |
Am I still covered if I travel to {place}? => whether they are still covered if they travel to {place} |
Which plan includes {number} gigabytes? => which plan includes {number} gigabytes |
Can I bring {number} guests? => whether they can bring {number} guests |
Is breakfast included in the {room} room? => whether breakfast is included in the {room} room |
Why was I charged {amount}? => why they were charged {amount} |
How long does a transfer to {name} take? => how long a transfer to {name} takes |
What is the balance of my {account} account? => what the balance of their {account} account is |
Is the {time} class on {day} full? => whether the {time} class on {day} is full |
Does the {plan} plan allow {number} users? => whether the {plan} plan allows {number} users |
What would it cost to cancel before {date}? => what it would cost to cancel before {date} |
Who will come on {day}? => who will come on {day} |
Where can I pick up parcel {code}? => where they can pick up parcel {code} |
Are dogs allowed in {place}? => whether dogs are allowed in {place} |
Is there a direct coach from {place:from} to {place:to}? =>\
 whether there is a direct coach from {place:from} to {place:to} |
How many suitcases may I take? => how many suitcases they may take |
Is it possible to get a refund for the {item}? =>\
 whether it is possible to get a refund for the {item} | ticket, kettle, course
Has {name} already paid? => whether {name} has already paid |
What's the fee for changing from {plan:from} to {plan:to}? =>\
 what the fee is for changing from {plan:from} to {plan:to} |
Do I need a code for the {item}? => whether they need a code for the {item} | door, lift, printer, locker
"""

REMARKS: Final = """
My {item} arrived broken. => their {item} arrived broken | lamp, kettle, mirror, printer, vase
I was charged {amount} twice. => they were charged {amount} twice |
The {item} has not worked since {day}. => the {item} has not worked since {day} | heating, lift, router, printer
I lost my card ending in {code}. => they lost their card ending in {code} |
I ordered the {colour:from} one but got the {colour:to} one. =>\
 they ordered the {colour:from} one but got the {colour:to} one |
{name} is not allowed to use my account. => {name} is not allowed to use their account |
I have been waiting for {number} weeks. => they have been waiting for {number} weeks |
My appointment is on {date} at {time}. => their appointment is on {date} at {time} |
I moved from {place:from} to {place:to}. => they moved from {place:from} to {place:to} |
I don't need the {item}. => they do not need the {item} | insurance, receipt, gift wrapping, second key
I can't make it on {day}. => they could not make it on {day} |
I'm allergic to {item}. => they are allergic to {item} | nuts, penicillin, milk, cats
There are {number} of us. => there were {number} of them |
My budget is {amount}. => their budget is {amount} |
I already paid {amount} on {date}. => they had already paid {amount} on {date} |
The driver came {number} hours late. => the driver came {number} hours late |
I prefer the {room} room. => they prefer the {room} room |
I'd rather have {colour:to} than {colour:from}. => they would rather have {colour:to} than {colour:from} |
My booking number is {code}. => their booking number is {code} |
I am travelling with {name}. => they are travelling with {name} |
"""

#: How a customer says a wish; {wish} begins with a verb.
REQUESTS: Final = (
    "I'd like to {wish}.", "I would like to {wish}, please.", "I want to {wish}.", "I need to {wish}.",
    "Please {wish}.", "I'm looking to {wish}.", "I was hoping to {wish}.", "I am calling because I want to {wish}.",
    "I'm trying to {wish}.", "I'm writing to {wish}.", "I wish to {wish}.", "I'd love to {wish} if that works.",
    "What I need is to {wish}.", "Help me {wish}, please.", "I need some help to {wish}.", "I'd prefer to {wish}.",
    "My plan is to {wish}.", "i want to {wish}", "need to {wish} asap", "I have to {wish}, it's urgent.",
    "Let's {wish}.", "I'd really like to {wish}.", "I've decided to {wish}.",
    "I'd appreciate it if you could help me {wish}.", "So the thing is, I need to {wish}.",
)  # fmt: skip
ASKING: Final = (
    "Can you {wish}?", "Could you please {wish}?", "Can I {wish}?", "Is it possible to {wish}?",
    "Would it be possible to {wish}?", "I was wondering if I could {wish}.", "Could I {wish}?", "May I {wish}?",
    "Would you be able to {wish}?", "Any chance I can {wish}?", "Is there a way to {wish}?",
)  # fmt: skip
REFUSALS: Final = (
    "I don't want to {wish}.", "I do not need to {wish}.", "I'd rather not {wish}.", "Please don't {wish}.",
    "I'm not looking to {wish}.", "I never asked to {wish}.", "There is no need to {wish}.", "I won't {wish}.",
)  # fmt: skip

#: How a wish is told; "{who}" is the customer under some name.
TOLD: Final = (
    "{who} wanted to {wish}.", "{who} wanted to {wish}.", "{who} wanted to {wish}.", "{who} asked to {wish}.",
    "{who} wishes to {wish}.", "{who} would like to {wish}.", "{who} needed to {wish}.", "{who} wants to {wish}",
    "{who} was looking to {wish}.", "{who} hoped to {wish}.", "{who} was trying to {wish}.",
    "{who} requested to {wish}.", "{who}'s request was to {wish}.", "{who} got in touch to {wish}.",
    "{who} said they wanted to {wish}.", "{who} asked for help to {wish}.", "{who} had the wish to {wish}.",
    "{who} came with the request to {wish}.", "{who} was hoping they could {wish}.", "{who} intended to {wish}.",
    "{who} made a request to {wish}.", "{who} was interested in being able to {wish}.",
    "What {who} wanted was to {wish}.",
)  # fmt: skip
TOLD_ASKING: Final = (
    "{who} asked whether they could {wish}.", "{who} asked if they could {wish}.", "{who} asked to {wish}.",
    "{who} wanted to know whether it is possible to {wish}.", "{who} asked if it was possible to {wish}.",
    "{who} wanted to {wish}.", "{who} inquired whether they might {wish}.",
)  # fmt: skip
TOLD_REFUSING: Final = (
    "{who} did not want to {wish}.", "{who} did not wish to {wish}.", "{who} declined to {wish}.",
    "{who} said they did not want to {wish}.", "{who} decided not to {wish}.", "{who} refused to {wish}.",
)  # fmt: skip
TOLD_DONE: Final = (
    "{who} managed to {wish}.", "{who} was able to {wish}.", "{who} succeeded in their attempt to {wish}.",
    "The agent helped {who} to {wish}, and it was done.", "The agent did {wish} for {who}.",
    "{who} has already been able to {wish}.", "{who} failed to {wish}.", "The agent refused to {wish}.",
    "The agent was unable to {wish}.", "{who} was told that they can't {wish}.",
)  # fmt: skip
TOLD_OF_AGENT: Final = (
    "The agent wanted to {wish}.", "The agent asked {who} to {wish}.", "The agent suggested to {wish}.",
    "The assistant offered to {wish}.",
)  # fmt: skip
TOLD_QUESTION: Final = (
    "{who} asked {what}.", "{who} asked {what}.", "{who} wanted to know {what}.", "{who} inquired {what}.",
    "{who} would like to know {what}.",
)  # fmt: skip
TOLD_REMARK: Final = (
    "{who} said that {what}.", "{who} said that {what}.", "{who} said {what}.", "{who} mentioned that {what}.",
    "{who} explained that {what}.", "{who} stated that {what}.",
)  # fmt: skip
WHO: Final = ("The customer",) * 9 + ("The user", "The client", "The caller", "They", "Customer")

GREETINGS: Final = (
    "", "", "", "", "Hi!", "Hello,", "Hi there.", "Good morning.", "Hello, I have a request.", "Hey", "Good evening,",
    "Hi,", "Thanks for picking up.", "Hello! I hope you can help me.", "Yes, hi.", "Okay, thanks.", "Great!", "Sure.",
)  # fmt: skip
ASIDES: Final = (
    "My name is {name}.", "My customer number is {code}.", "I've been with you since {year}.", "I live in {place}.",
    "I was in your {place} branch on {day}.", "My order was {amount} in all.", "I called on {date} already.",
    "I spoke to {name} about it.", "I have to leave at {time}.", "It's me and {number} others.",
    "I'm at work right now.", "The weather is awful here.", "Sorry for the trouble.", "My last booking was {code}.",
    "My wife {name} told me to call.",
)  # fmt: skip
CLOSINGS: Final = (
    "",
    "",
    "",
    "",
    "Thanks!",
    "Thank you.",
    "Is that all right?",
    "Hope you can help.",
    "Cheers",
    "That's all.",
)
AGENT_ASKS: Final = (
    "Could I have your name, please?", "Can you give me your customer number?", "One moment, I'll have a look.",
    "Thank you, let me check that.", "Of course. Which date is that?", "I see it here. Anything else?",
    "Happy to help with that.", "I'm sorry to hear that.", "May I ask why?", "I have you down for {date} at {time}.",
    "The fee would be {amount}.", "I have found {number} that match.", "I could offer you {day} at {time}.",
    "We have something at {amount} as well.",
)  # fmt: skip
CUSTOMER_ANSWERS: Final = (
    "It's {name}.", "{code}", "Sure, it is {code}.", "Okay.", "Thanks.", "Yes, that's right.", "Fine.",
    "It's under {name}.", "Let me think.", "Alright.", "I'll wait.", "No, nothing else.", "No.", "Yes.",
)  # fmt: skip
OFFERS: Final = (
    "Would you like to {wish}?", "Shall we {wish}?", "I could also help you to {wish}.",
    "Do you want to {wish} as well?", "Perhaps you would rather {wish}?", "I recommend to {wish}.",
    "You may also {wish}, if you want.",
)  # fmt: skip
TURNED_DOWN: Final = (
    "No, thanks.", "Not now.", "No, I don't need that.", "Maybe later.", "No, that's all.", "I'd rather not.",
    "No way.", "That's not what I called about.",
)  # fmt: skip
UNDECIDED: Final = ("Let me think about it.", "I'm not sure.", "What would that cost?", "Hm.", "I'll ask my partner.")
TAKEN: Final = (
    "Yes, please.",
    "Yes, let's do that.",
    "Sounds good, please do.",
    "Sure, go ahead.",
    "Oh yes, I want that.",
)
CORRECTIONS: Final = (
    "Actually, make it {value}.", "Sorry, I meant {value}.", "No wait, {value}.",
    "Hm, {value} would be better after all.", "I changed my mind: {value}, please.", "Correction: {value}.",
    "On second thought, let's say {value}.", "Oh, {value} instead, sorry.", "I misspoke, {value} is what I need.",
    "Can we do {value} instead?",
)  # fmt: skip
TAKEN_BACK: Final = (
    "Never mind, leave it as it is.", "Forget about it, I don't need that any more.",
    "Actually, no. Let's not do that.", "I've changed my mind, please don't.",
    "On second thought, I'll keep everything as it is.", "Then I won't do it.",
)  # fmt: skip
