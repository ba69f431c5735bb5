"""What is no text in a set of texts, and numbers at the border of what a float can hold."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.judging.membership import Membership
from tests.scoring.build import a_set


@pytest.mark.parametrize(
    ("members", "value", "in_set", "flags"),
    [
        pytest.param((1, 2.5), 3, False, (), id="one kind of number"),
        pytest.param((1.5,), 3, False, (), id="whole among real"),
        pytest.param((1,), True, False, ("type-mismatch",), id="a boolean is no number"),
        pytest.param((True,), 2, False, ("type-mismatch",), id="a number is no boolean"),
        pytest.param((2**53,), 2**53 + 1, False, (), id="no rounding from 2**53 on"),
        pytest.param((2**53 + 1,), float(2**53), False, (), id="nor of a real"),
        pytest.param((200,), 200.0, True, (), id="an equal real"),
    ],
)
def test_a_number_stands_to_a_set_by_its_value(
    members: tuple[Any, ...], value: Any, in_set: bool, flags: tuple[str, ...]
) -> None:
    found = Membership(a_set(members)).standing(value)
    assert (found.in_set, found.flags) == (in_set, flags)


def test_a_service_without_case_still_names_the_nearest_member() -> None:
    found = Membership(a_set(("OTHER",), compare="case-insensitive")).standing("others")
    assert (found.near, found.nearest) == ("plural", "OTHER")
