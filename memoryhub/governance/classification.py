"""What kind of memory is a claim, how sure and how weighty? And does it claim authority? (R14, R32)

The tables are conf.py's. A caller may name kind, category, sensitivity and confidence, and can only make the outcome
more careful: confidence goes down only, sensitivity up only, and a claim of authority stays one whatever it is called.
"""

from memoryhub import conf
from memoryhub.governance.claims import Claim, Classification
from memoryhub.vocabulary import Category, Channel, Kind, Role, Sensitivity
from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Sieved

__all__ = ["Classification", "category_of", "classify"]

#: Roles whose words are a verified record, not a claim of the person who gains by it.
_TRUSTED = frozenset({Channel.SYSTEM_OF_RECORD, Channel.CURATOR, Channel.EVIDENCE})
_AUTHORITY = frozenset({Category.POLICY_LIMIT, Category.ENTITLEMENT, Category.IDENTITY})
_STRICTNESS = (Sensitivity.ORDINARY, Sensitivity.PERSONAL, Sensitivity.RESTRICTED)

_PLAN_KEY = frozenset(
    listed(
        """
        plan membership account_number customer_number account_type billing_cycle account renewal_date
        invoice_address billing_address
        """
    )
)
_CONTACT_KEYS = frozenset(
    listed(
        """
        email phone address delivery_address billing_address fax website contact emergency_contact postcode
        zip_code landline name full_name first_name last_name surname
        """
    )
)
_PERSON_KEYS = frozenset(
    listed(
        """
        birthday birth_year birthplace nationality gender citizenship age marital_status maiden_name
        """
    )
)
_PREFERENCE_KEYS = frozenset(
    listed(
        """
        likes prefers wants opinions preferred_name diet availability answer_length language pronouns time_zone
        seat tone
        """
    )
)
_ACCOUNT_KEYS = frozenset(
    listed(
        """
        city employer job role country branch home_town origin company department team whereabouts
        """
    )
)
_PROJECT_KEYS = frozenset(
    listed(
        """
        package_manager database test_runner linter formatter ci version_control indentation build test_command
        framework port
        """
    )
)
_BY_KEY = (
    (Category.ACCOUNT_FACT, _PLAN_KEY | _PERSON_KEYS | _ACCOUNT_KEYS),
    (Category.CONTACT, _CONTACT_KEYS),
    (Category.PREFERENCE, _PREFERENCE_KEYS),
    (Category.PROJECT_FACT, _PROJECT_KEYS),
)
#: "refund limit: 50" names something, "refund everybody" is an order.
_A_NAME = (
    r"(?! (?:limit|policy|window|period|rate|amount|threshold|status|method|account|number|cap|date)(?: is\b|[:=]))"
)
_TO_THE_AGENT = Sieved(
    r"(?i)^(?:please )?(?:always|never|from now on|when(?:ever)?|if|every time)?[ ,]{0,4}(?:(?:approve|"
    rf"(?:refund|grant){_A_NAME}|"
    r"waive|escalate|authori[sz]e|reject|deny|answer every|reply to (?:all|every)|treat (?:all|every)|tell (?:all|"
    r"every|other)|skip (?:the )?(?:check|verification|confirmation))\b|.{0,60}\b(?:customers?|users?|people) (?:ask|"
    r"asks|want|wants|request|requests)\b)"
)
_PERSONAL = Sieved(
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
    authority_claim = not told and found in _AUTHORITY
    final: Category = category or found
    if authority_claim:
        final = found
    elif final in _AUTHORITY:
        authority_claim = True
    if channel in _TRUSTED and role is not Role.CUSTOMER:
        authority_claim = False  # a record or a curator states what is so; nobody claims it for themselves
    what = kind or (Kind.PROCEDURAL if final == Category.LESSON else kind_of(final))
    if what == Kind.SEMANTIC and (kind_of(final) == Kind.PROCEDURAL or _TO_THE_AGENT.match(claim.text)):
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
    key = claim.key or ""
    if claimed := claim.told.category(claim.key, claim.value):
        return claimed
    hint = claim.category_hint
    if _TO_THE_AGENT.match(claim.text):
        return Category.INSTRUCTION
    for category, keys in _BY_KEY:
        if key in keys:
            return category
    if hint is not None and hint is not Category.GENERAL:
        return hint
    if key.startswith(("preferred_", "favourite_")):
        return Category.PREFERENCE
    return Category.ACCOUNT_FACT if key.endswith(("_number", "_id", "_reference")) else hint or Category.GENERAL


def kind_of(category: Category) -> Kind:
    """How to act is procedural, an outcome is episodic, everything else is what is true."""
    if category == Category.INSTRUCTION:
        return Kind.PROCEDURAL
    return Kind.EPISODIC if category == Category.EPISODE_OUTCOME else Kind.SEMANTIC


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
