"""LangGraph, by LangChain's ready-made agent."""

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI


async def agent(messages, tools, settings):
    model = ChatOpenAI(
        base_url=settings.base_url,
        api_key=settings.api_key or "none",
        model=settings.model,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        timeout=settings.timeout_s,
        extra_body={**settings.params, **({"tool_choice": settings.tool_choice} if settings.tool_choice else {})},
    )
    made = create_agent(
        model,
        tools=[StructuredTool.from_function(coroutine=f, parse_docstring=True) for f in tools.values()],
        system_prompt=messages[0]["content"],
    )
    state = await made.ainvoke({"messages": messages[1:]}, {"recursion_limit": 2 * settings.max_turns})
    return state["messages"][-1].text
