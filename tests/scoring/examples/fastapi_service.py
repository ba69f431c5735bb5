"""A FastAPI service whose refund tool is guarded; a refusal is a 422 with the verdict. Run it with uvicorn."""

from __future__ import annotations

import os
from typing import Any

from codes import guard
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from scoring.guarded import Refused, guarded

app = FastAPI()


class Refund(BaseModel):
    order_id: str
    reason_code: str


@app.exception_handler(Refused)
async def refused(request: Request, error: Refused) -> JSONResponse:
    """Tell the caller why, and which member is near, so that a model can call again."""
    return JSONResponse({"reason": error.verdict.reason, "nearest": error.verdict.nearest}, status_code=422)


@app.post("/refunds")
@guarded(guard, tool="refund_order", arguments="refund", refresh_s=float(os.environ["REFRESH_S"]), max_age_s=2)
async def refund_order(refund: Refund) -> dict[str, Any]:
    """Refund an order."""
    return {"refunded": refund.order_id, "for": refund.reason_code}


@app.post("/plain")
async def plain(refund: Refund) -> dict[str, Any]:
    """The same without a guard."""
    return {"refunded": refund.order_id, "for": refund.reason_code}


@app.get("/codes")
async def codes() -> dict[str, Any]:
    """How many codes this worker holds now, and which worker it is."""
    return {"codes": len(guard.sets["codes"].values), "pid": os.getpid()}
