"""Constants read from Python source as text: whole, or not at all."""

from __future__ import annotations

import sys

import pytest

from corpora.constants import constant_values
from corpora.errors import BadInput


@pytest.mark.parametrize(
    ("source", "values"),
    [
        pytest.param('class X(Enum):\n    A = "a"\n    B = "b"\n', ["a", "b"], id="Enum"),
        pytest.param("class X(IntEnum):\n    A = 1\n    B = 2\n", [1, 2], id="IntEnum"),
        pytest.param("class X(enum.StrEnum):\n    ON = auto()\n    Off = enum.auto()\n", ["on", "off"], id="auto"),
        pytest.param('class X(str, Enum):\n    A: str = "a"\n', ["a"], id="annotated member"),
        pytest.param(
            'class X(Enum):\n    """Doc."""\n    _ignore_ = ["t"]\n    __slots__ = ()\n    A = "a"\n    _own = "b"\n'
            "    note: str\n    def f(self):\n        return 1\n",
            ["a", "b"],
            id="what is no member is left out",
        ),
        pytest.param(
            'class X(models.TextChoices):\n    A = "a", _("Aa")\n    B = "b"\n    C = auto()\n',
            ["a", "b", "C"],
            id="choices",
        ),
        pytest.param('X = Literal["a", "b"]', ["a", "b"], id="Literal"),
        pytest.param('X: TypeAlias = typing.Literal["a"]', ["a"], id="Literal of one, annotated"),
        pytest.param('X = ["a", 2, True]', ["a", 2, True], id="list"),
        pytest.param('X = frozenset({"a"})', ["a"], id="frozenset"),
        pytest.param('X: Final = ("a", "b",)', ["a", "b"], id="tuple"),
        pytest.param('X = {"a": 1, "b": f()}', ["a", "b"], id="keys of a dict"),
        pytest.param('X: list[str]\nX = ["a"]', ["a"], id="declared, then bound"),
        pytest.param('X = ["a"]\ndef f():\n    X = []\n', ["a"], id="another scope"),
        pytest.param('X = ["a"]\nY = X\nY.append("b")\nX.index("a")', ["a"], id="other names, reading calls"),
    ],
)
def test_written_values_are_read(source: str, values: list[object]) -> None:
    assert constant_values(source, "X", "s.py") == values


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the statement is new in Python 3.12")
def test_a_type_statement_is_read() -> None:
    assert constant_values('type X = Literal["a", "b"]', "X", "s.py") == ["a", "b"]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        pytest.param("X = [", "s.py: is no Python source: ", id="no Python"),
        pytest.param("X = 1\0", "s.py: is no Python source: ", id="null byte"),
        pytest.param("Y = 1", "s.py: no constant or class 'X' at the top level", id="not there"),
        pytest.param("\nX = [a]", "s.py:2: a value of X is computed; only written values can be read", id="computed"),
        pytest.param("X = [*Y]", "s.py:1: a value of X is computed", id="unpacked list"),
        pytest.param('X = {**Y, "a": 1}', "s.py: X is no Enum, Literal, list", id="unpacked dict"),
        pytest.param("X = [a for a in b]", "s.py: X is no Enum, Literal, list", id="comprehension"),
        pytest.param('X = ["a"] + Y', "s.py: X is no Enum, Literal, list", id="sum"),
        pytest.param("X = [{[]: 1}]", "s.py:1: a value of X is computed", id="unhashable"),
        pytest.param("X = [b'a']", "s.py:1: a value of X is no text, number or boolean: b'a'", id="bytes"),
        pytest.param("X = [('a', 'b')]", "s.py:1: a value of X is no text, number or boolean: ('a', 'b')", id="pair"),
        pytest.param(
            'X = ["a"]\nX += ["b"]', "s.py:2: X is bound or changed in more than one way", id="added to later"
        ),
        pytest.param('X = ["a"]\nX.append("b")', "s.py:2: X is bound or changed in more", id="appended to"),
        pytest.param('X = {"a": 1}\nX["b"] = 2', "s.py:2: X is bound or changed in more", id="item set"),
        pytest.param('X = ["a"]\nX = ["b"]', "s.py:2: X is bound or changed in more", id="bound twice"),
        pytest.param('if a:\n    X = ["a"]', "s.py:2: X is bound or changed in more", id="in a branch"),
        pytest.param('X, Y = ["a"], 1', "s.py:1: X is bound or changed in more", id="unpacking"),
        pytest.param('class X:\n    A = "a"', "s.py:1: X is no Enum: none of its bases says so", id="plain class"),
        pytest.param(
            'class X(Enum):\n    A, B = "a", "b"', "s.py:2: a member of X is made by code", id="members unpacked"
        ),
        pytest.param(
            'class X(Enum):\n    A = "a"\n    for b in c:\n        pass',
            "s.py:3: a member of X is made by code",
            id="loop",
        ),
        pytest.param("class X(Enum):\n    A = auto()", "s.py:2: a value of A is computed", id="auto of a plain Enum"),
    ],
)
def test_what_is_not_written_out_whole_is_refused(source: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        constant_values(source, "X", "s.py")
    assert str(caught.value).startswith(sentence)


def test_nothing_in_the_source_is_run() -> None:
    assert constant_values('raise SystemExit(1)\nX = ["a"]', "X", "s.py") == ["a"]
