"""PydanticAI."""

from openai import AsyncOpenAI
from pydantic_ai import Agent, Tool, UsageLimits
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


async def agent(messages, tools, settings):
    client = AsyncOpenAI(base_url=settings.base_url, api_key=settings.api_key or "none", timeout=settings.timeout_s)
    model = OpenAIChatModel(settings.model, provider=OpenAIProvider(openai_client=client))
    made = Agent(
        model,
        instructions=messages[0]["content"],
        tools=[Tool(function, takes_ctx=False) for function in tools.values()],
        model_settings={
            key: value
            for key, value in {
                "temperature": settings.temperature,
                "max_tokens": settings.max_tokens,
                "extra_body": {**settings.params, **chosen(settings)},
            }.items()
            if value
        },
    )
    result = await made.run(
        message_history=list(history(messages[1:])), usage_limits=UsageLimits(request_limit=settings.max_turns)
    )
    return result.output


def chosen(settings):
    return {"tool_choice": settings.tool_choice} if settings.tool_choice else {}


def history(messages):
    """The conversation in the framework's own words."""
    names = {}
    for message in messages:
        match message["role"]:
            case "user":
                yield ModelRequest(parts=[UserPromptPart(message["content"])])
            case "tool":
                at = message["tool_call_id"]
                yield ModelRequest(parts=[ToolReturnPart(names[at], message["content"], at)])
            case "assistant":
                calls = message.get("tool_calls", ())
                names |= {call["id"]: call["function"]["name"] for call in calls}
                words = [TextPart(message["content"])] if message["content"] else []
                made = [
                    ToolCallPart(call["function"]["name"], call["function"]["arguments"], call["id"]) for call in calls
                ]
                yield ModelResponse(parts=[*words, *made])
