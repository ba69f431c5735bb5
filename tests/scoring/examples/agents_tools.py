"""A tool of the OpenAI Agents SDK, guarded; a refusal comes back to the model as the tool's output, with the reason."""

from __future__ import annotations

import asyncio
import json
import sys

from agents import Agent, FunctionTool, RunContextWrapper, function_tool
from agents.tool_context import ToolContext
from codes import guard

from scoring.guarded import Refused, guarded


def told(context: RunContextWrapper[None], error: Exception) -> str:
    """What the model reads: why, so that it can call again."""
    return f"refused: {error.verdict.reason}" if isinstance(error, Refused) else f"failed: {type(error).__name__}"


@function_tool(failure_error_function=told)
@guarded(guard, tool="refund_order")
async def refund_order(order_id: str, reason_code: str) -> str:
    """Refund an order."""
    return f"refunded {order_id} for {reason_code}"


agent = Agent(name="refunds", instructions="You refund orders.", tools=[refund_order])


async def call(tool: FunctionTool, arguments: str) -> str:
    """One call as the SDK makes it when a model asks for the tool."""
    context = ToolContext(context=None, tool_name=tool.name, tool_call_id="call_1", tool_arguments=arguments)
    return str(await tool.on_invoke_tool(context, arguments))


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(asyncio.run(call(refund_order, line.strip()))) + "\n")
