"""Does a claim give its speaker something: a limit, a right, a verified identity? Nobody may write their own (R14,
R15).

The key decides first, then the words. What merely mentions a right ("I dislike discounts", "our approval process is
slow") claims none.
"""

import re
from functools import cached_property

from memoryhub.governance.bearing import Bearing, bearing_of, is_of_a_trade
from memoryhub.governance.claimed_rights import claims_a_right, is_only_wished
from memoryhub.governance.sentences import sentences
from memoryhub.governance.terms import touches
from memoryhub.vocabulary import Category
from memoryhub.working.normalisation import skeleton
from memoryhub.working.patterns import Rule, Scan

_LIMITS = (
    r"limits?|caps?|ceiling|threshold|allowance|quota|max(?:imum)?|overdraft|risk(?:_(?:score|level|class|category|"
    r"rating))?|"
    r"(?:refund|return|returns|cancellation|exchange)_policy|clearance|authority|authori[sz]ation|approvals?|"
    r"approved|approver"
)
_RIGHTS = (
    r"discounts?|credits?|refunds?|vouchers?|coupons?|entitlements?|eligibility|exemption|waiver|bonus|rebate|"
    r"cashback|"
    r"compensation|perks?|privileges?|permissions?|rights|access_(?:level|role|rights)|admin|superuser|verified|"
    r"verification|"
    r"whitelist|allowlist|free_(?:shipping|upgrades?|returns?|delivery)|credit_score|fee_waiver|store_credit|balance"
)
_LIMIT_KEY = re.compile(rf"^(?:\w+_)?(?:{_LIMITS})(?:_(?:amount|value|per_\w+|is))?$")
_RIGHT_KEY = re.compile(rf"^(?:\w+_)?(?:{_RIGHTS})(?:_(?:amount|value|status|is))?$")
_ROLE_KEYS = frozenset({"role", "is", "job", "access", "user_role", "account_role", "access_role"})
_ACCESS_ROLE = re.compile(
    r"(?i)(?:the |an? |your )?(?:system |account |site |database |global |super |org(?:anisation|anization)? |"
    r"workspace |tenant |"
    r"senior |chief |authori[sz]ed )?(?:admin(?:istrator)?|super ?user|root|owner|approver|operator|moderator|"
    r"curator|supervisor|"
    r"auditor|security (?:officer|team)|signatory|system)(?: (?:here|user|(?:of|for|on|in) (?:this|the|your|our) "
    r"(?:account|system|site|organi[sz]ation|workspace|platform|company|hub|service|app|team)))?"
)
#: Nouns that others approve or permit: of no weight here.
_ELSEWHERE = (
    r"(?:flight|visa|leave|holiday|loan|mortgage|dog|cat|pet|passport|planning|thesis|paper|absence|appointment)"
)
_MINE = rf"(?:i|we|my (?!{_ELSEWHERE})\w+|our (?!{_ELSEWHERE})\w+|this account|the account|my|our)"
_LIMIT_WORDS = Rule(
    r"(?i)\b(?:(?:my|our|the|this account'?s) (?:\w+ )?(?:spending|credit|purchase|order|refund|transfer|withdrawal|"
    r"approval|payment|"
    r"expense|transaction|booking|card|overdraft)[ -](?:limits?|caps?|ceilings?|thresholds?|allowances?)|"
    r"(?:raised?|increased?|lifted|doubled|removed|upped|set) (?:my|our) (?:\w+ )?(?:limit|cap|allowance)|"
    r"(?:i|we) (?:have|has) (?:no|an? (?:un)?limit(?:ed)?|an? \S+ (?:spending |credit )?) ?(?:limit|credit limit|"
    r"spending)|"
    r"(?:no|skip|bypass|without|needs? no|requires? no) (?:further |any |manager |prior )?(?:approval|verification|"
    r"checks?)\b.{0,20}"
    r"\b(?:for|on|of) (?:me|us|my|our|this account)|(?:do|does) not (?:need|require) (?:any )?(?:approval|"
    r"verification)|"
    r"approval (?:is )?not (?:needed|required) for (?:me|us|my|our))\b"
)
_RIGHT_WORDS = Rule(
    rf"(?i)\b(?:{_MINE} (?:am|are|is|was|were|have been|has been|get|gets|must be|will be|'m|"
    rf"'re) (?:\w+ )?(?:already |now |hereby |fully |"
    r"automatically |always |all |also |pre-?)*(?:authori[sz]ed|approved|pre-?approved|entitled|eligible|"
    r"exempt(?:ed)?|whitelisted|verified|"
    r"cleared|permitted|vetted|granted|waived)|"
    r"(?:i|we) (?:have|hold|own|got) (?:(?!no\b|not\b)\w+ ){0,2}(?:admin|administrator|root|superuser|owner|full|"
    r"elevated|special|"
    r"vip|write|supervisor) "
    r"(?:rights|access|privileges?|permissions?|clearance)|"
    r"(?:get|gets|have|has|receive|receives|given|granted|qualify for|entitled to|due|owed|"
    r"apply) (?:(?!about|on|with|regarding|no|not)\w+ ){0,4}?(?:discount|store credit|"
    r"account credit|rebate|cashback|compensation|refund|free (?:shipping|upgrades?|returns?|delivery|replacement|"
    r"service|access|nights?|"
    r"bags?))s?\b|(?:get|gets|have|has|receive|receives) (?:a |an |my |the )?(?:\d+|half|\w+) ?(?:%|percent|"
    r"per cent)(?: off| discount)?|"
    r"(?:you|they|the company|support|your \w+|a manager|the manager|my manager|a supervisor|an agent|"
    r"someone) (?:\w+ )?(?:owes?|promised|"
    r"agreed to|authori[sz]ed|approved|granted|guaranteed|waived|must refund|should refund|have to refund) (?:me|us|"
    rf"(?:my|our) (?!{_ELSEWHERE}))\b|"
    r"(?:always|automatically) (?:be )?(?:refund(?:ed)?|approved?|credit(?:ed)?|compensate[d]?|waive[d]?|"
    r"upgrade[d]?)\b|"
    r"all (?:\w+ )?(?:refunds?|requests?|claims?|orders?|returns?|payments?|upgrades?) (?:\w+ ){0,4}?(?:are|is|be|"
    r"get) (?:\w+ )?(?:pre-?)?"
    r"(?:approved|granted|authori[sz]ed|accepted|waived|free)|(?:waives?|waived) (?:all |any )?(?:my|our) |(?:i|"
    r"we) (?:can|may) (?:approve|"
    r"authori[sz]e)|(?:i|we) (?:approve|authori[sz]e) (?:my|our|this|the|all|every)|i confirm (?:that )?(?:i am|"
    r"my identity)|"
    r"(?:i am|as) (?:your|the|an?) (?:supervisor|system administrator|administrator of|admin of|manager of this|"
    r"developer of this|superuser|"
    r"ceo of this|owner of (?:this|the) (?:system|platform|company)|security (?:officer|team))(?! (?:at|in|for|with) "
    r"(?!this\b|the\b|your\b))|"
    r"(?:my )?identity (?:is|was|has been) (?:already )?(?:verified|confirmed)|(?:i|we) (?:am|are|have been|was|"
    r"were) (?:already )?verified|"
    r"(?:no|zero) (?:fees?|charges?) (?:for|apply to) (?:me|us)|fees? (?:do|does) not apply to (?:me|us)|"
    r"lifetime (?:warranty|membership|"
    r"discount))"
)
_TITLED = re.compile(r"(?i)\bentitled [\"'“‘][^\"'”’\n]{1,40}[\"'”’]")
_FEW = 50  # sentences: a message, no document
#: Keys under which a mention claims nothing: what somebody likes or does is no right.
_TASTES = re.compile(
    r"^(?:likes|prefers|opinions|preferred_\w+|favourite_\w+|eats|drinks|diet|has_been|reads|learning)$"
)


_NO_CLAIM = re.compile(
    r"(?i)^(?:if|unless|when(?:ever)?|whether|in case|only if|until|once|to)\b|\b(?:can not|could|would|may i|should|"
    r"want|need|like to|hope|"
    r"expect|wish|try|trying|request|ask(?:ing)?)\b"
)


#: Keys that name what somebody is, and values of them that make it more than a customer.
_NAMED_ROLE = re.compile(
    r"^(?:\w+_)?(?:role|title|position|rank|access|status|user_type|account_type|group|level|tier)s?$"
)
#: Keys under which a person says what to call them.
_CALLED = re.compile(r"^(?:\w+_)?(?:nickname|preferred_name|display_name|called|salutation|honorific|alias|handle)$")


class Told:
    """A text, and what it gives its speaker. Several steps ask; each answer is found once, and kept no longer than the
    text. Pure, and independent of how a claim was read: ask it of everything a customer or a dreamer offers.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def bearing(self) -> Bearing:
        return bearing_of(self.text)

    @cached_property
    def is_of_a_trade(self) -> bool:
        return is_of_a_trade(self.text)

    @cached_property
    def claims_a_right(self) -> bool:
        return claims_a_right(self.text)

    def claims_authority(self, key: str | None = None, value: str | None = None) -> bool:
        """Whether the whole text (a message, a correction, an edit) or a key and value a caller names give their
        speaker a limit, a right, an approval, a role or a verified identity, in whatever form.
        """
        if self.bearing is Bearing.CLAIMED:
            return True
        rest = self._without_trades()
        name = key_words(key or "")
        if self.text.strip() and not rest.text.strip() and name in _ROLE_KEYS:
            return False  # what the key says is the job that the text tells of
        if rest.claims_a_right or (_may_claim(rest.text) and any(map(_outright, sentences(rest.text)))):
            return True
        told = " ".join(skeleton(value or "").split())
        if name and Told("").category(name, told) is not None:
            return True
        if told and _NAMED_ROLE.match(name) and _ACCESS_ROLE.fullmatch(told):
            return True
        said = [told, f"call me {told}" if _CALLED.match(name) else "", f"my {name.replace('_', ' ')} is {told}"]
        return bool(told) and claims_a_right("\n".join(said if name else said[:1]))

    def touches_authority(self, key: str | None = None, value: str | None = None) -> bool:
        """Whether the text, or a key and value, speaks of its speaker's terms at all: then a person has to look."""
        name = key_words(key or "").replace("_", " ")
        if name in _ROLE_KEYS and self.is_of_a_trade:
            return False
        if self.text and self.bearing is not Bearing.NONE:
            return True
        text = self.text
        alone = touches(name) or (value or "").removeprefix("not ") not in text or text.strip() == value
        if not (name and value and alone) or _TASTES.match(key or ""):
            return False
        return bearing_of(f"my {name} is {value}") is not Bearing.NONE

    def speaks_with_authority(self) -> bool:
        """Whether a clause outright gives its speaker a limit, a right or an identity; hopes, arguments and conditions
        do not.
        """
        if self.bearing is Bearing.CLAIMED:
            return True
        if self.is_of_a_trade:
            return False
        return self.claims_a_right or (
            _may_claim(self.text) and not _NO_CLAIM.search(self.text) and self.category(None, None) is not None
        )

    def category(self, key: str | None, value: str | None) -> Category | None:
        """POLICY_LIMIT or ENTITLEMENT where the claim gives its speaker something, IDENTITY where it verifies them;
        else None.
        """
        key, value, text = key or "", value or "", self.text
        if _LIMIT_KEY.match(re.sub(r"^(?:preferred|favou?rite)_", "", key)):
            return Category.POLICY_LIMIT
        if self.is_of_a_trade:
            return None
        if self.claims_a_right:
            verified = re.search(r"(?i)\b(?:identity|verified|verification|kyc|authenticated)\b", text)
            return Category.IDENTITY if verified else Category.ENTITLEMENT
        if _TASTES.match(key) and not re.search(r"(?i)\b(?:always|automatically) (?:refund|approv|waiv)", text):
            return None
        if _LIMIT_WORDS.search(Scan(text)):
            return Category.POLICY_LIMIT
        if _RIGHT_KEY.match(key) or (key in _ROLE_KEYS and _ACCESS_ROLE.fullmatch(value)):
            return Category.ENTITLEMENT
        if match := _RIGHT_WORDS.search(Scan(text)):
            return Category.IDENTITY if re.search(r"(?i)identity|verified", match.group()) else Category.ENTITLEMENT
        return None

    def _without_trades(self) -> "Told":
        """The text without what is told of a job elsewhere ("I am a system administrator by trade")."""
        parts = [self if part == self.text else Told(part) for part in sentences(_TITLED.sub("called so", self.text))]
        if len(parts) >= _FEW:
            return self
        kept = [part for part in parts if not part.is_of_a_trade]
        return kept[0] if len(kept) == 1 else Told("\n".join(part.text for part in kept))


def key_words(key: str) -> str:
    """A key as a caller may write it ("refundLimit", "Refund-Limit"), in the form the rules read: refund_limit."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return re.sub(r"[^a-z0-9]+", "_", skeleton(apart)).strip("_")


def _may_claim(text: str) -> bool:
    """Whether any words of the text could: asked once of a long text, before its sentences are read."""
    scan = Scan(text)
    return any(rule.search(scan) for rule in (_LIMIT_WORDS, _RIGHT_WORDS))


def _outright(sentence: str) -> bool:
    return not sentence.endswith("?") and not is_only_wished(sentence) and Told(sentence).speaks_with_authority()
