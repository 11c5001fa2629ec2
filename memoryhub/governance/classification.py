"""What kind of memory is a claim, how sure and how weighty? And does it claim authority? (R14, R32)

The tables are conf.py's. A caller may name kind, category, sensitivity and confidence, and can only make the outcome
more careful: confidence goes down only, sensitivity up only, and a claim of authority stays one whatever it is called.
"""

import re

from memoryhub import conf
from memoryhub.governance.claims import Claim, Classification
from memoryhub.vocabulary import Category, Channel, Kind, Role, Sensitivity

__all__ = ["Classification", "category_of", "claims_authority", "classify"]

#: Roles whose words are a verified record, not a claim of the person who gains by it.
_TRUSTED = frozenset({Channel.SYSTEM_OF_RECORD, Channel.CURATOR, Channel.EVIDENCE})
_STRICTNESS = (Sensitivity.ORDINARY, Sensitivity.PERSONAL, Sensitivity.RESTRICTED)

_LIMIT_KEY = re.compile(
    r"(?:^|_)(?:limit|limits|cap|ceiling|threshold|allowance|quota|max|maximum|approval_limit|spending|overdraft|"
    r"risk|risk_score|refund_policy|return_policy|policy|policies|sla|rate_limit|clearance|authority|"
    r"authori[sz]ation|approval|approvals|approved|approver)(?:_|$)"
)
_RIGHT_KEY = re.compile(
    r"(?:^|_)(?:discount|discounts|credit|credits|refund|refunds|voucher|vouchers|coupon|entitlement|entitlements|"
    r"eligibility|exemption|waiver|bonus|rebate|cashback|compensation|perk|perks|privilege|privileges|permission|"
    r"permissions|rights|access_level|access_role|admin|superuser|verified|"
    r"verification|whitelist|allowlist|free_shipping|free_upgrade|warranty|price|pricing|fee|fees|balance)(?:_|$)"
)
_ACCESS_ROLE = re.compile(
    r"(?i)\b(?:admin(?:istrator)?|super ?user|root|owner|approver|operator|moderator|curator|supervisor|auditor|"
    r"authori[sz]ed|privileged|trusted|verified|full access|can approve|approve|elevated|security officer)\b"
)
_LIMIT_WORDS = re.compile(
    r"(?i)\b(?:(?:spending|credit|purchase|order|refund|transfer|withdrawal|approval|payment|expense|daily|monthly|"
    r"transaction|booking|card|overdraft)[ -](?:limits?|caps?|ceilings?|thresholds?|allowances?)|limit (?:is|was|"
    r"should be|has been)|(?:raised?|increased?|lifted|doubled|removed|upped) (?:my|our|the|to) (?:\w+ )?(?:limit|"
    r"cap|allowance)|"
    r"refund (?:policy|rules?)|return policy|risk (?:score|level|rating|class|category)|no limit|unlimited|"
    r"without (?:any )?(?:approval|checks?|verification)|(?:no|skip|bypass) (?:approval|verification|checks?|review)|"
    r"need no approval|approval (?:is )?not (?:needed|required))\b"
)
_RIGHT_WORDS = re.compile(
    r"(?i)\b(?:(?:am|are|is|been|was|were|be|being|get|gets|got|automatically|always) (?:already |now |hereby |"
    r"fully |automatically |always |all |pre-?)*(?:authori[sz]ed|approved|pre-?approved|entitled|eligible|"
    r"exempt(?:ed)?|whitelisted|verified|cleared|permitted|vetted|trusted|granted|waived|refundable|refunded)|"
    r"(?:entitled|eligible|qualif(?:y|ies)|approved|authori[sz]ed) (?:to|for)|(?:admin|administrator|root|superuser|"
    r"owner|full|elevated|special|vip) (?:rights|access|privileges?|permissions?|clearance)|(?:\d+|half|\w+) ?(?:%|"
    r"percent|per cent) (?:off|discount|rebate|cashback)|discounts?|store credit|account credit|"
    r"(?:free|complimentary) (?:shipping|upgrades?|returns?|delivery|replacement|service|access|nights?|bags?)|"
    r"(?:you|they|the company|support|your \w+|a manager|the manager|my manager|a supervisor|an agent|"
    r"someone) (?:\w+ )?(?:owe|owes|promised|agreed|authori[sz]ed|approved|granted|guaranteed|waived|must refund|"
    r"should refund|have to refund)|"
    r"(?:always|automatically|must|should|shall) (?:be )?(?:refund(?:ed)?|approv\w*|credit(?:ed)?|compensat\w*|"
    r"waive[d]?|upgrade[d]?)|(?:waive|waives|waived) (?:all |any |my |our |the )|can approve|may approve|(?:i|"
    r"we) approve|(?:i|we) authori[sz]e|i confirm (?:that )?(?:i|my|the) (?:am|identity)|"
    r"(?:am|as) (?:your|the|an?) (?:supervisor|administrator|admin|manager of this|developer of|operator|"
    r"system administrator|superuser|ceo|owner of (?:this|the) (?:system|platform|company)|bank manager|"
    r"security (?:officer|team))|identity (?:is|was|has been) (?:verified|confirmed)|already verified|"
    r"(?:charge|bill) (?:me |us )?(?:nothing|zero|no)|(?:no|zero) (?:fees?|charges?|cost) (?:for|apply|applies)|"
    r"fees? (?:do|does) not apply|lifetime (?:warranty|access|membership|discount))\b"
)
_PLAN_KEY = frozenset(
    {
        "plan",
        "membership",
        "account_number",
        "customer_number",
        "account_type",
        "billing_cycle",
        "account",
        "renewal_date",
        "invoice_address",
        "billing_address",
    }
)
_CONTACT_KEYS = frozenset(
    {
        "email",
        "phone",
        "address",
        "delivery_address",
        "billing_address",
        "fax",
        "website",
        "contact",
        "emergency_contact",
        "postcode",
        "zip_code",
        "landline",
    }
)
_IDENTITY_KEYS = frozenset(
    {
        "name",
        "full_name",
        "first_name",
        "last_name",
        "surname",
        "maiden_name",
        "birthday",
        "birth_year",
        "birthplace",
        "nationality",
        "gender",
        "citizenship",
        "age",
        "marital_status",
    }
)
_PREFERENCE_KEYS = frozenset(
    {
        "likes",
        "prefers",
        "wants",
        "opinions",
        "preferred_name",
        "diet",
        "availability",
        "answer_length",
        "language",
        "pronouns",
        "time_zone",
        "seat",
        "tone",
    }
)
_ACCOUNT_KEYS = frozenset(
    {
        "city",
        "employer",
        "job",
        "role",
        "country",
        "branch",
        "home_town",
        "origin",
        "company",
        "department",
        "team",
        "whereabouts",
    }
)
_PROJECT_KEYS = frozenset(
    {
        "package_manager",
        "database",
        "test_runner",
        "linter",
        "formatter",
        "ci",
        "version_control",
        "indentation",
        "build",
        "test_command",
        "framework",
        "port",
    }
)
_TO_THE_AGENT = re.compile(
    r"(?i)^(?:please )?(?:always|never|from now on|when(?:ever)?|if|every time)?[ ,]*(?:(?:approve|refund|grant|"
    r"waive|escalate|authori[sz]e|reject|deny|answer every|reply to (?:all|every)|treat (?:all|every)|tell (?:all|"
    r"every|other)|skip (?:the )?(?:check|verification|confirmation))\b|.{0,60}\b(?:customers?|users?|people) (?:ask|"
    r"asks|want|wants|request|requests)\b)"
)
_PERSONAL = re.compile(
    r"(?i)\b(?:religio\w*|church|mosque|synagogue|muslim|christian|jewish|hindu|buddhist|atheist|gay|lesbian|"
    r"bisexual|transgender|queer|politic\w*|votes? for|union member|salary|income|debt|divorc\w*|pronouns|ethnicity|"
    r"race)\b"
)


def classify(
    claim: Claim,
    *,
    channel: Channel,
    role: Role,
    confidence: float | None = None,
    kind: Kind | None = None,
    category: Category | None = None,
    sensitivity: Sensitivity | None = None,
) -> Classification:
    """The classification of one claim (R14). What the caller names is heeded where it makes the outcome no weaker."""
    found = category_of(claim)
    told = (
        kind == Kind.EPISODIC and role is not Role.CUSTOMER
    )  # what happened grants nothing: "the refund was approved"
    if told:
        found = Category.EPISODE_OUTCOME
    authority_claim = not told and (found in (Category.POLICY_LIMIT, Category.ENTITLEMENT) or claims_authority(claim))
    final: Category = category or found
    if authority_claim:
        final = found if found in (Category.POLICY_LIMIT, Category.ENTITLEMENT) else Category.ENTITLEMENT
    elif final in (Category.POLICY_LIMIT, Category.ENTITLEMENT):
        authority_claim = True
    if channel in _TRUSTED and role is not Role.CUSTOMER:
        authority_claim = False  # a record or a curator states what is so; nobody claims it for themselves
    what = kind or (Kind.PROCEDURAL if final == Category.LESSON else kind_of(final))
    if what == Kind.SEMANTIC and (kind_of(final) is Kind.PROCEDURAL or _TO_THE_AGENT.match(claim.text)):
        what = Kind.PROCEDURAL
    return Classification(
        kind=what,
        category=final,
        sensitivity=_stricter(sensitivity_of(claim, final), sensitivity),
        confidence=confidence_of(claim, channel, confidence),
        importance=conf.IMPORTANCE[final],
        authority=authority_of(channel, role),
        durable=claim.durable,
        authority_claim=authority_claim,
        about_other=claim.about_other,
    )


def category_of(claim: Claim) -> Category:
    """The category by what the claim says; a limit or a right outweighs every hint."""
    key, value = claim.key or "", claim.value or ""
    if (_LIMIT_KEY.search(key) and not key.startswith(("preferred", "privacy"))) or _LIMIT_WORDS.search(claim.text):
        return Category.POLICY_LIMIT
    if (
        _RIGHT_KEY.search(key)
        or (key in ("role", "is", "job") and _ACCESS_ROLE.search(value))
        or _RIGHT_WORDS.search(claim.text)
    ):
        return Category.ENTITLEMENT
    if key in _PLAN_KEY:
        return Category.ACCOUNT_FACT
    if claim.category_hint not in (None, Category.GENERAL):
        return Category.INSTRUCTION if _TO_THE_AGENT.match(claim.text) else claim.category_hint
    if key in _CONTACT_KEYS:
        return Category.CONTACT
    if key in _IDENTITY_KEYS:
        return Category.IDENTITY
    if key in _PREFERENCE_KEYS or key.startswith(("preferred_", "favourite_")):
        return Category.PREFERENCE
    if key in _PROJECT_KEYS:
        return Category.PROJECT_FACT
    if key in _ACCOUNT_KEYS or key.endswith(("_number", "_id", "_reference")):
        return Category.ACCOUNT_FACT
    if _TO_THE_AGENT.match(claim.text):
        return Category.INSTRUCTION
    return claim.category_hint or Category.GENERAL


def claims_authority(claim: Claim) -> bool:
    """Whether the words claim a limit, a right or a verified identity, whatever category they are given (R15)."""
    return bool(_LIMIT_WORDS.search(claim.text) or _RIGHT_WORDS.search(claim.text))


def kind_of(category: Category) -> Kind:
    """How to act is procedural, an outcome is episodic, everything else is what is true."""
    if category is Category.INSTRUCTION:
        return Kind.PROCEDURAL
    return Kind.EPISODIC if category is Category.EPISODE_OUTCOME else Kind.SEMANTIC


def confidence_of(claim: Claim, channel: Channel, stated: float | None) -> float:
    """By form (R14); an agent's inference at most .7; what the caller states can only lower it."""
    derived = conf.CONFIDENCE[claim.form.value]
    if channel is Channel.AGENT_INFERENCE:
        derived = min(derived, conf.CONFIDENCE["inference"])
    return derived if stated is None else max(0.0, min(derived, stated))


def authority_of(channel: Channel, role: Role) -> float:
    """Who stands behind it (R32); a customer's words weigh as self-reported through whichever channel they are said to
    come.
    """
    weight = conf.AUTHORITY[channel.value]
    return min(weight, conf.AUTHORITY["user_message"]) if role is Role.CUSTOMER else weight


def sensitivity_of(claim: Claim, category: Category) -> Sensitivity:
    """How careful to be with it, by category and words."""
    if _PERSONAL.search(claim.text):
        return Sensitivity.RESTRICTED
    return (
        Sensitivity.PERSONAL
        if category in (Category.CONTACT, Category.IDENTITY) or claim.about_other
        else Sensitivity.ORDINARY
    )


def _stricter(found: Sensitivity, named: Sensitivity | None) -> Sensitivity:
    return max(found, named or found, key=_STRICTNESS.index)
