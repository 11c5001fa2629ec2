"""What is in the demo? A shop's customer-support agent and three customers, as data; demo.py puts it in."""

from dataclasses import dataclass
from datetime import time
from typing import Any, Final

from memoryhub.governance.agent_tools import SignalSpec
from memoryhub.skills.skillmd import SkillDocument, compose_body
from memoryhub.skills.validation import ToolSpec
from memoryhub.vocabulary import Category

ORGANISATION: Final = "demo"
ORGANISATION_NAME: Final = "Demo shop"
AGENT: Final = "support"
AGENT_NAME: Final = "Support assistant"
TIMEZONE: Final = "Europe/Lisbon"

CURATOR: Final = "curator@demo.example"
OPERATOR: Final = "operator@demo.example"
CUSTOMER: Final = "customer@demo.example"
CUSTOMER_ID: Final = "customer-mira"

REFUND_SCOPE: Final = "intent:REQUEST_REFUND"

PROFILE: Final = """# Support assistant

You help the customers of a small shop with their orders.

- Look an order up before you say anything about it.
- Say what was done and what was not, plainly, and never promise on the shop's behalf.
- Hand over to a colleague when a customer asks for one.
"""

TOOLS: Final = (
    (ToolSpec("get_order_status", side_effects=False), "Where an order is: paid, packed, shipped or delivered."),
    (ToolSpec("get_refund_status", side_effects=False), "Whether a refund was asked for, and how far it is."),
    (ToolSpec("list_orders", side_effects=False), "The orders of a customer, newest first."),
    (ToolSpec("process_refund", side_effects=True), "Pays an order back; refused once it has left the warehouse."),
)

SIGNALS: Final = (
    SignalSpec(
        kind="refused",
        wording="The shop's system refused this in {sessions} sessions: {value}. Look up the order before offering it.",
        tools=("get_order_status",),
        prefetch=("get_order_status",),
    ),
)

REFUND_SKILL: Final = SkillDocument(
    name="refund-an-order",
    description="How to take a request for a refund, from the order number to the confirmation.",
    triggers=(REFUND_SCOPE,),
    keywords=("refund", "money back", "return"),
    prefetch=("get_refund_status",),
    tools=("get_refund_status", "process_refund"),
    body=compose_body(
        preconditions="- The customer has named an order, or list_orders shows which one is meant.",
        procedure=(
            "1. Check with get_refund_status whether a refund is under way already.\n"
            "2. Read the order back to the customer and ask whether it should be refunded.\n"
            "3. After a clear yes, call process_refund once."
        ),
        boundaries="- Never call process_refund twice for one order.\n- Make no promise about when the money arrives.",
        completion="The customer was told whether the refund was accepted, in one sentence.",
    ),
)


@dataclass(frozen=True)
class Turn:
    """One finished turn of the demo; `days_ago` and `hour` say when."""

    session: str
    days_ago: int
    hour: int
    said: str
    answered: str
    actions: tuple[dict[str, Any], ...] = ()
    observations: tuple[dict[str, Any], ...] = ()
    signals: tuple[dict[str, Any], ...] = ()
    scope: tuple[str, ...] = ()


@dataclass(frozen=True)
class Customer:
    """One customer: what they told the assistant, and how a refund was refused to them."""

    external_id: str
    name: str
    timezone: str
    turns: tuple[Turn, ...]


def _refused(session: str, order: str, days_ago: int, hour: int, said: str) -> Turn:
    """A turn in which a refund of a shipped order was asked for and refused by the shop's system."""
    finding = f"Order {order} is already shipped"
    return Turn(
        session=session,
        days_ago=days_ago,
        hour=hour,
        said=said,
        answered=f"I am sorry: order {order} has left our warehouse. You can send it back once it arrives.",
        actions=(
            {"tool": "get_order_status", "arguments": {"order": order}, "result": "shipped", "ok": True},
            {
                "tool": "process_refund",
                "arguments": {"order": order},
                "result": "refused",
                "detail": finding,
                "ok": False,
            },
        ),
        observations=({"kind": "order_status", "value": "shipped"},),
        signals=({"kind": "refused", "value": finding, "scope": REFUND_SCOPE},),
        scope=(REFUND_SCOPE,),
    )


CUSTOMERS: Final = (
    Customer(
        CUSTOMER_ID,
        "Mira Okafor",
        "Europe/Lisbon",
        (
            Turn(
                "chat-2041", 9, 10, "I moved to Porto and I prefer e-mail to phone calls.",
                "Thank you, I have noted both.",
            ),
            _refused("chat-2077", "20417", 2, 11, "Please refund order 20417, it was a mistake."),
        ),
    ),
    Customer(
        "customer-jonas",
        "Jonas Lindqvist",
        "Europe/Stockholm",
        (
            Turn("chat-2050", 7, 15, "Please call me Jo from now on.", "Of course, Jo."),
            _refused("chat-2078", "20588", 2, 14, "The lamp in order 20588 is the wrong colour, refund it please."),
        ),
    ),
    Customer(
        "customer-elena",
        "Elena Petrova",
        "Europe/Sofia",
        (
            Turn("chat-2063", 5, 9, "I always want my parcels delivered to the parcel shop.", "I will do that."),
            _refused("chat-2081", "20731", 1, 16, "Can I get my money back for order 20731?"),
        ),
    ),
)  # fmt: skip

#: What the shop's own system says: shown to the customer, not theirs to change.
RECORDS: Final = (
    (CUSTOMER_ID, "Returns are free of charge.", Category.ENTITLEMENT),
)  # fmt: skip

#: What the agent concluded by itself: it waits for a curator.
CONCLUSIONS: Final = (
    (CUSTOMER_ID, "Mira Okafor usually orders at the weekend."),
    ("customer-jonas", "Jonas Lindqvist compares colours before he buys."),
)

#: A dream every night, and one when nobody wrote for half an hour; housekeeping in the morning.
TIMES: Final[dict[str, Any]] = {
    "dream_at": time(2, 30), "dream_every_hours": None, "dream_idle_minutes": 30, "chores_at": time(4, 0),
}  # fmt: skip
