"""smolagents. Its agents take a task in words, so the conversation is told in one message."""

from smolagents import OpenAIModel, Tool, ToolCallingAgent
from smolagents.monitoring import LogLevel


def agent(messages, tools, settings):
    options = {"temperature": settings.temperature, "max_tokens": settings.max_tokens, **settings.params}
    model = OpenAIModel(
        model_id=settings.model,
        api_base=settings.base_url,
        api_key=settings.api_key or "none",
        client_kwargs={"timeout": settings.timeout_s},
        **{key: value for key, value in options.items() if value is not None},
    )
    made = ToolCallingAgent(
        tools=[wrapped(function) for function in tools.values()],
        model=model,
        instructions=messages[0]["content"],
        max_steps=settings.max_turns,
        verbosity_level=LogLevel.OFF,
    )
    return str(made.run(told(messages[1:])))


def told(messages):
    lines = []
    for message in messages:
        calls = [
            f"{call['function']['name']}({call['function']['arguments']})" for call in message.get("tool_calls", ())
        ]
        lines += [f"{message['role']}: {text}" for text in (message["content"], *calls) if text]
    return "\n\n".join(lines)


def wrapped(function):
    """The decorator of smolagents reads source text, which made functions have none of; its class asks for less."""
    schema = function.parameters
    required = schema.get("required", ())
    inputs = {
        name: {
            "type": value.get("type", "any"),
            "description": value.get("description", name),
            **({} if name in required else {"nullable": True}),
        }
        for name, value in schema["properties"].items()
    }

    class Wrapped(Tool):
        name = function.__name__
        description = function.description
        output_type = "object"
        skip_forward_signature_validation = True

        def forward(self, **arguments):
            return function(**arguments)

    Wrapped.inputs = inputs
    return Wrapped()
