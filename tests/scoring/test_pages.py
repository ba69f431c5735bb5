"""Every page is, to the character, the one that was read and found right."""

from __future__ import annotations

import pytest

from tests.scoring.pages import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_the_one_that_was_found_right(name: str) -> None:
    assert PAGES[name]() == (FOLDER / name).read_text(encoding="utf-8")


def test_no_page_is_kept_that_nobody_makes() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)
