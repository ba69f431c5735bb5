from __future__ import annotations

import pytest

from runner.local.template import chat_template


@pytest.mark.parametrize(
    ("style", "held"),
    [
        ("mixed", ["<tool_call>", "</tool_call>", "What is the number of your card?", "set BEGIN = ''"]),
        ("direct", [">>>lend_item", ">>>all", "set BEGIN = '>>>'"]),
    ],
)
def test_a_style_has_its_marks(style, held):
    template = chat_template(style)
    assert [mark for mark in held if mark not in template] == []


def test_texts_are_quoted_so_that_jinja_reads_them_back():
    text = chat_template("mixed").split("{%- macro")[0]
    assert text.count("\n") == 6, "every line feed inside a text is escaped"
