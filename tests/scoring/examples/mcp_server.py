"""An MCP server over standard input whose refund tool is guarded; a refusal is the tool's error, with the reason."""

from __future__ import annotations

from codes import guard
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from scoring.guarded import Refused, guarded

server = MCPServer("refunds")


@guarded(guard, tool="refund_order")
def refund(order_id: str, reason_code: str) -> str:
    """What the service does."""
    return f"refunded {order_id} for {reason_code}"


@server.tool()
def refund_order(order_id: str, reason_code: str) -> str:
    """Refund an order."""
    try:
        return refund(order_id, reason_code)
    except Refused as error:  # the server keeps every other error's words from the model
        raise ToolError(error.verdict.reason) from error


if __name__ == "__main__":
    server.run("stdio")
