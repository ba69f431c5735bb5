"""A plain loop on the OpenAI SDK, as most people begin."""

import json

from openai import AsyncOpenAI


async def agent(messages, tools, settings):
    client = AsyncOpenAI(base_url=settings.base_url, api_key=settings.api_key or "none", timeout=settings.timeout_s)
    described = [
        {"type": "function", "function": {"name": name, "description": f.description, "parameters": f.parameters}}
        for name, f in tools.items()
    ]
    for _ in range(settings.max_turns):
        reply = await client.chat.completions.create(
            model=settings.model,
            messages=messages,
            tools=described,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            tool_choice=settings.tool_choice or "auto",
            extra_body=settings.params,
        )
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            try:
                answer = await tools[call.function.name](**json.loads(call.function.arguments))
            except (KeyError, TypeError, ValueError) as error:
                answer = {"error": str(error)}
            messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(answer)})
    return None
