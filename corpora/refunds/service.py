"""The refunds service: takes a refund request, writes the audit row, queues the payout.

This file is data of the corpus: the set of reason codes is read from its text, and nothing imports it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4


class ReasonCode(StrEnum):
    """Why money went back. Payout rules, shop fees and the monthly claims report branch on these."""

    DAMAGED_ON_ARRIVAL = "DAMAGED_ON_ARRIVAL"
    WRONG_ITEM_SHIPPED = "WRONG_ITEM_SHIPPED"
    LATE_DELIVERY = "LATE_DELIVERY"
    NOT_AS_DESCRIBED = "NOT_AS_DESCRIBED"
    DUPLICATE_CHARGE = "DUPLICATE_CHARGE"
    OTHER = "OTHER"


BILLED_TO = {
    ReasonCode.DAMAGED_ON_ARRIVAL: "carrier",
    ReasonCode.WRONG_ITEM_SHIPPED: "shop",
    ReasonCode.LATE_DELIVERY: "carrier",
    ReasonCode.NOT_AS_DESCRIBED: "shop",
    ReasonCode.DUPLICATE_CHARGE: "payments",
    ReasonCode.OTHER: "goodwill",
}


@dataclass(frozen=True)
class RefundRow:
    """One row of the audit table."""

    refund_id: str
    order_id: str
    reason_code: ReasonCode
    amount_cents: int
    billed_to: str
    created_at: datetime


def reason_code(raw: object) -> ReasonCode:
    """Map what the caller sent to a code; a value we do not know becomes OTHER.

    Older clients send free text here, and a refund must not fail over a label. The row keeps no trace of the text,
    so in the database an unknown reason and a chosen OTHER look the same.
    """
    try:
        return ReasonCode(raw)
    except ValueError:
        return ReasonCode.OTHER


def refund_order(request: dict[str, object], rows: list[RefundRow]) -> dict[str, str]:
    """Write the audit row and answer as the HTTP handler does: 200 with the new refund's id."""
    code = reason_code(request["reason_code"])
    row = RefundRow(
        refund_id=f"rf_{uuid4().hex[:12]}",
        order_id=str(request["order_id"]),
        reason_code=code,
        amount_cents=int(str(request["amount_cents"])),
        billed_to=BILLED_TO[code],
        created_at=datetime.now(UTC),
    )
    rows.append(row)
    return {"refund_id": row.refund_id, "state": "pending"}
