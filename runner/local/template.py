"""Chat templates for the local model. The one inside its weights knows no tools: they would be dropped in silence.

Both styles show three worked turns, a call, a question and a call, in the ChatML framing that the model was trained on.
With `mixed` and tool_choice auto it then calls, asks or only talks. `direct` ends the prompt where a function's name
has to follow, so that with tool_choice required the server's grammar holds from the first token: every reply is a call.

The tools stand before the system text: they are the same in every conversation of a corpus, and the server reads a
prefix that it has seen before only once.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Style = Literal["mixed", "direct"]


class _Marks(NamedTuple):
    """What stands round the parts of an assistant's turn."""

    words: str
    """Before words."""
    name: str
    """Before a function's name."""
    arguments: str
    """Between name and arguments."""
    end: str
    """After the arguments."""
    begin: str
    """At the end of the prompt."""


_STYLES: dict[Style, _Marks] = {
    "mixed": _Marks("", '<tool_call>\n{"name": "', '", "arguments": ', "}\n</tool_call>", ""),
    "direct": _Marks(">>>all\n", ">>>", "\n", "", ">>>"),
}

_EXAMPLES = (
    ("user", "Lend me the atlas until 3 May, my card is L-204."),
    ("call", ("lend_item", '{"item": "atlas", "card": "L-204", "until": "3 May"}')),
    ("user", "Lend me the big dictionary."),
    ("assistant", "Gladly. What is the number of your card?"),
    ("user", "Is the reading room open on 12 June?"),
    ("call", ("opening_hours", '{"room": "reading room", "day": "12 June"}')),
)

_FRAME = """\
{%- macro turn(role, words) %}{{ '<|im_start|>' + role + '\\n' + words + '<|im_end|>\\n' }}{% endmacro %}
{%- macro call(name, arguments) %}{{ NAME + name + ARGUMENTS + arguments + END }}{% endmacro %}
{%- set ns = namespace(rest=messages, system='') %}
{%- if messages and messages[0].role == 'system' %}
  {%- set ns.system = messages[0].content %}
  {%- set ns.rest = messages[1:] %}
{%- endif %}
{%- if tools %}
  {%- set ns.list = 'Functions that can be called:\\n' %}
  {%- for tool in tools %}{% set ns.list = ns.list + (tool.function | tojson) + '\\n' %}{% endfor %}
  {{- '<|im_start|>system\\n' + ns.list + '\\n' + ns.system + '<|im_end|>\\n' + EXAMPLES }}
{%- elif ns.system %}
  {{- turn('system', ns.system) }}
{%- endif %}
{%- for message in ns.rest %}
  {%- if message.role == 'assistant' %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if message.content %}{{ WORDS + message.content }}{% endif %}
    {%- for made in message.tool_calls or [] %}
      {%- set given = made.function.arguments %}
      {{- call(made.function.name, given if given is string else given | tojson) }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
  {%- elif message.role == 'tool' %}
    {{- turn('user', '<tool_response>\\n' + message.content + '\\n</tool_response>') }}
  {%- else %}
    {{- turn(message.role, message.content or '') }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' + BEGIN }}{% endif %}
"""


def chat_template(style: Style) -> str:
    """The template as Jinja text."""
    marks = _STYLES[style]
    examples = _worked(marks)
    values = {
        "WORDS": marks.words,
        "NAME": marks.name,
        "ARGUMENTS": marks.arguments,
        "END": marks.end,
        "BEGIN": marks.begin,
        "EXAMPLES": examples,
    }
    return "".join(f"{{%- set {name} = {_literal(value)} %}}\n" for name, value in values.items()) + _FRAME


def _worked(marks: _Marks) -> str:
    return "".join(f"<|im_start|>{_role(kind)}\n{_said(kind, said, marks)}<|im_end|>\n" for kind, said in _EXAMPLES)


def _role(kind: str) -> str:
    return "assistant" if kind == "call" else kind


def _said(kind: str, said: str | tuple[str, str], marks: _Marks) -> str:
    if isinstance(said, str):
        return said if kind == "user" else marks.words + said
    return f"{marks.name}{said[0]}{marks.arguments}{said[1]}{marks.end}"


def _literal(text: str) -> str:
    """A Jinja string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
