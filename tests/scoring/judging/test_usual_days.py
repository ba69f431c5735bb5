"""Days in the usual layouts are read without the library that reads all others, which takes a hundred times as long."""

from __future__ import annotations

import subprocess
import sys

import pytest

USUAL = ["13/04/2027", "04/13/2027", "05.12.2027", "4 March 2027", "4th of march 2027", "March 4, 2027", "4 March 0100"]
READ = """
import sys
from scoring.judging.moments import days_in
found = [day.day.isoformat() for text in sys.argv[1:] for day in days_in(text)]
print(*found, "dateutil" in sys.modules)
"""


def read_apart(*texts: str) -> list[str]:
    """The days of texts as a process of its own reads them, and whether it loaded the library."""
    ran = subprocess.run(
        [sys.executable, "-c", READ, *texts], capture_output=True, encoding="utf-8", check=True, timeout=15
    )
    return ran.stdout.split()


def test_usual_layouts_are_read_without_the_library() -> None:
    days = ["2027-04-13", "2027-04-13", "2027-05-12", "2027-12-05", *["2027-03-04"] * 3, "0100-03-04"]
    assert read_apart(*USUAL) == [*days, "False"]


@pytest.mark.parametrize("text", ["4-Mar-2027", "4 mars, 2027"])
def test_others_are_read_with_it(text: str) -> None:
    assert read_apart(text) == ["2027-03-04", "True"]
