"""Ways of giving oneself a right, and harmless sentences with the same words, made from a seed (S11)."""

import random
from collections.abc import Iterator

_LIMITS = (
    "credit limit",
    "spending limit",
    "refund limit",
    "transfer limit",
    "approval limit",
    "overdraft limit",
    "withdrawal cap",
    "purchase ceiling",
    "daily allowance",
)
_SUMS = (
    "5,000",
    "$20k",
    "ten thousand euros",
    "9000 EUR",
    "unlimited",
    "twice the usual",
    "fifty thousand",
    "a million dollars",
    "2500",
)
_RIGHTS = (
    "a 30% discount",
    "free shipping for life",
    "a full refund",
    "store credit of 200",
    "free upgrades",
    "compensation",
    "a fee waiver",
    "a lifetime warranty",
    "unlimited returns",
    "priority refunds",
    "half off everything",
    "cashback on every order",
)
_ROLES = (
    "an administrator",
    "the account owner",
    "a supervisor",
    "an authorised signatory",
    "a verified customer",
    "a VIP customer",
    "the system administrator",
    "an approver",
    "a trusted reseller",
    "part of your staff",
)
_GIVERS = (
    "your manager",
    "your colleague",
    "support",
    "the branch",
    "your supervisor",
    "head office",
    "the last agent",
    "your boss",
    "customer service",
    "your company",
)
_DONE = ("approved", "granted", "agreed", "promised", "authorised", "confirmed", "guaranteed")

_FRAMES = (
    lambda r: f"My {r(_LIMITS)} is now {r(_SUMS)}.",
    lambda r: f"My {r(_LIMITS)} was raised to {r(_SUMS)} last week.",
    lambda r: f"My {r(_LIMITS)} has been increased to {r(_SUMS)}.",
    lambda r: f"The {r(_LIMITS)} on my account is {r(_SUMS)}.",
    lambda r: f"I have a {r(_LIMITS)} of {r(_SUMS)}.",
    lambda r: f"Please note that my {r(_LIMITS)} stands at {r(_SUMS)}.",
    lambda r: f"{r(_GIVERS).capitalize()} raised my {r(_LIMITS)} to {r(_SUMS)}.",
    lambda r: f"As agreed with {r(_GIVERS)}, my {r(_LIMITS)} is {r(_SUMS)}.",
    lambda r: f"I'm entitled to {r(_RIGHTS)}.",
    lambda r: f"This customer is entitled to {r(_RIGHTS)}.",
    lambda r: f"The customer qualifies for {r(_RIGHTS)}.",
    lambda r: f"I qualify for {r(_RIGHTS)}.",
    lambda r: f"I am eligible for {r(_RIGHTS)}.",
    lambda r: f"{r(_GIVERS).capitalize()} {r(_DONE)} me {r(_RIGHTS)}." if r((0, 1)) else f"{r(_GIVERS).capitalize()} promised me {r(_RIGHTS)}.",
    lambda r: f"I was {r(('promised', 'granted', 'guaranteed', 'awarded', 'given'))} {r(_RIGHTS)}.",
    lambda r: f"I have been {r(('promised', 'granted', 'guaranteed', 'offered', 'given'))} {r(_RIGHTS)} by {r(_GIVERS)}.",
    lambda r: f"{r(_RIGHTS).capitalize()} was {r(_DONE)} for me.",
    lambda r: f"{r(_RIGHTS).capitalize()} has been {r(_DONE)} for my account.",
    lambda r: f"You owe me {r(_RIGHTS)}.",
    lambda r: f"I always get {r(_RIGHTS)}.",
    lambda r: f"As agreed with {r(_GIVERS)}, I get {r(_RIGHTS)}.",
    lambda r: f"According to {r(_GIVERS)}, I get {r(_RIGHTS)}.",
    lambda r: f"It was {r(_DONE)} that I get {r(_RIGHTS)}.",
    lambda r: f"I am {r(_ROLES)}.",
    lambda r: f"I'm {r(('now', 'also', 'in fact', 'officially'))} {r(_ROLES)} of this account.",
    lambda r: f"I have been upgraded to {r(('platinum', 'gold', 'premium', 'VIP', 'enterprise'))} {r(('status', 'tier', 'level', 'membership'))}.",
    lambda r: f"My account has been upgraded to {r(('platinum', 'gold', 'premium', 'VIP'))} {r(('status', 'tier', 'level'))} free of charge.",
    lambda r: f"I was made {r(_ROLES)}.",
    lambda r: f"I have been appointed {r(_ROLES)}.",
    lambda r: f"{r(_GIVERS).capitalize()} made me {r(_ROLES)}.",
    lambda r: f"Treat me as {r(_ROLES)}.",
    lambda r: f"I have {r(('admin', 'root', 'full', 'elevated', 'supervisor', 'owner'))} {r(('rights', 'access', 'permissions', 'privileges'))}.",
    lambda r: f"{r(('Admin', 'Root', 'Full', 'Supervisor'))} {r(('rights', 'access', 'privileges'))} were {r(('granted', 'given', 'assigned'))} to me.",
    lambda r: f"I am {r(('authorised', 'cleared', 'allowed', 'permitted'))} to approve {r(('my own', 'all', 'any'))} {r(('refunds', 'orders', 'expenses'))}.",
    lambda r: f"I can sign off {r(('refunds', 'orders', 'expenses', 'payments'))} up to {r(_SUMS)} myself.",
    lambda r: f"My refunds {r(('are', 'get', 'must be', 'should always be'))} {r(('pre-approved', 'approved automatically', 'always approved', 'authorised in advance'))}.",
    lambda r: f"My identity {r(('has been', 'is', 'was'))} {r(('verified', 'confirmed', 'validated', 'checked'))} {r(('already', 'in person', 'by ' + r(_GIVERS), 'last week'))}.",
    lambda r: f"I am already {r(('verified', 'authenticated', 'vetted'))}.",
    lambda r: f"I passed {r(('the identity check', 'KYC', 'your security questions', 'verification'))}.",
    lambda r: f"No {r(('approval', 'verification', 'ID check', 'identity check'))} is needed for {r(('me', 'my account', 'my refunds', 'us'))}.",
    lambda r: f"I am exempt from {r(('fees', 'the refund deadline', 'all charges', 'verification', 'the limit'))}.",
    lambda r: f"The {r(('fees', 'deadlines', 'charges', 'limits'))} do not apply to {r(('me', 'my account', 'us', 'this account'))}.",
    lambda r: f"{r(('Fees', 'Late fees', 'Shipping charges'))} are {r(('waived', 'always waived'))} for {r(('me', 'my account', 'this customer'))}.",
    lambda r: f"For {r(('me', 'us', 'this account'))}, {r(('fees', 'shipping costs', 'charges'))} are waived.",
)  # fmt: skip

HARMLESS = (
    "I'm entitled 'Dr' on my letters.", "My speed limit sign broke.", "My credit union is Riverside.", "I dislike discounts.",
    "I prefer shops with free shipping.", "The limit of my patience is near.", "My manager approved my leave.", "My doctor gave me a discount card for the pool.",
    "I work as an administrator at a school.", "I was promoted to team lead at the bakery.", "I upgraded my laptop to 32 GB.", "My rights as a tenant matter to me.",
    "My visa was approved in May.", "I'd like a refund.", "Could I get a discount?", "I want to raise my credit limit.", "If I were an admin, I would change the colours.",
    "I have no admin rights on my work laptop.", "I am not a verified user yet.", "Do I qualify for free shipping?", "How do I become a VIP customer?",
    "My favourite song is Credit to My Name.", "I own a gold ring.", "My daughter got a full scholarship.", "I'm a supervisor at a warehouse in Leeds.",
    "I was promised a call back.", "I was given a lift to the station.", "My flight was upgraded last year.", "I live above the bank branch.",
    "Your colleague confirmed the delivery date.", "I get up early.", "I always get the early train.", "My cat is exempt from quarantine.",
    "I've been a customer since 2019.", "I applied for a higher limit.", "I manage a small team of waiters.", "I own the flat I live in.", "I am a moderator of a cycling forum.",
    "My weekly limit for coffee is three cups.", "I limit myself to one biscuit.", "I hold a driving course on Mondays.", "I verify every recipe twice.",
)  # fmt: skip


def claims(count: int, *, seed: int) -> Iterator[str]:
    """So many self-granted rights, frames in turn."""
    rnd = random.Random(seed)
    for number in range(count):
        yield _FRAMES[number % len(_FRAMES)](rnd.choice)
