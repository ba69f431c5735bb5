"""The OpenAI Agents SDK."""

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(disabled=True)


async def agent(messages, tools, settings):
    client = AsyncOpenAI(base_url=settings.base_url, api_key=settings.api_key or "none", timeout=settings.timeout_s)
    made = Agent(
        name="desk",
        instructions=messages[0]["content"],
        model=OpenAIChatCompletionsModel(model=settings.model, openai_client=client),
        tools=[function_tool(function) for function in tools.values()],
        model_settings=ModelSettings(
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            tool_choice=settings.tool_choice,
            extra_body=settings.params or None,
        ),
    )
    result = await Runner.run(made, input=list(items(messages[1:])), max_turns=settings.max_turns)
    return str(result.final_output)


def items(messages):
    """The conversation in the SDK's own words, which are those of the Responses API."""
    for message in messages:
        if message["role"] == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message["tool_call_id"],
                "output": message["content"],
            }
            continue
        if message["content"]:
            yield {"role": message["role"], "content": message["content"]}
        for call in message.get("tool_calls", ()):
            yield {"type": "function_call", "call_id": call["id"], **call["function"]}
