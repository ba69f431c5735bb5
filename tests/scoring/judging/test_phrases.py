"""Each table of phrases knows its languages, whatever the case."""

from __future__ import annotations

import re
import runpy

import pytest

from scoring.judging import phrases

SAID = {
    "REQUEST": [
        "please do", "I need it", "bitte", "veuillez", "por favor", "per favore", "me diga", "alstublieft",
        "\u6559\u3048\u3066",
    ],
    "OPENING": ["which", "welche", "quelle", "\u00bfqu\u00e9", "quale fuso", "qual", "welk"],
    "ASSUMING": [
        "I assume", "ich nehme das an", "je suppose", "supongo", "suppongo", "suponho", "gebruik ik",
        "\u3068\u4eee\u5b9a",
    ],
    "REPORTED": [
        "you asked", "Sie haben gefragt", "vous avez demand\u00e9", "su pregunta", "ha chiesto", "sua pergunta",
        "uw vraag", "\u3054\u8cea\u554f",
    ],
    "ANSWERED": [
        "obviously", "nat\u00fcrlich", "bien s\u00fbr", "por supuesto", "ovviamente", "obviamente", "uiteraard",
        "\u3082\u3061\u308d\u3093",
    ],
    "OFFER": [
        "would you like to know", "soll ich das erkl\u00e4ren", "pourquoi", "qui\u00e9n sabe", "chi lo sa", "por que",
        "waarom", "\u306a\u305c",
    ],
    "NO_NEED": [
        "no need", "nicht n\u00f6tig", "pas besoin", "no hace falta", "non serve", "n\u00e3o preciso", "niet nodig",
        "\u4e0d\u8981\u3067\u3059",
    ],
    "GIVEN": [
        "thanks for the", "danke f\u00fcr", "merci pour", "gracias por", "grazie per", "j\u00e1 tenho", "bedankt voor",
    ],
    "IN_PASSING": ["in your"],
    "REFERS": ["it", "cela", "dit", "\u3053\u308c"],
    "LACKING": ["missing", "fehlt", "falta", "\u4e0d\u660e"],
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_a_table_finds_the_phrases_of_each_of_its_languages(name: str) -> None:
    """The module is read anew, so that its tables are made here."""
    table = runpy.run_path(phrases.__file__, run_name=phrases.__name__)[name]
    assert isinstance(table, re.Pattern)
    for said in SAID[name]:
        assert table.search(said) is not None
        assert table.search(said.upper()) is not None
    assert table.search("a blue sky") is None
