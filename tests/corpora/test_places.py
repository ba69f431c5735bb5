from __future__ import annotations

from pathlib import Path

import pytest

from corpora.places import line_of

TEXT = """\
name = "x"
system = \"\"\"two
lines\"\"\"
[run]
samples = 3
[[tools]]
name = "a"
[tools.parameters]
type = "object"
[[tools]]
name = "b"
stores.omitted = { zone = "UTC" }
[sets."my codes"]
values = ["A"]
[[worlds]]
[worlds.facts.zone]
values = [1]
"""


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("name", 1),
        ("system", 2),
        ("run.samples", 5),
        ("tools", 6),
        ("tools[0].name", 7),
        ("tools[0].parameters.type", 9),
        ("tools[1]", 10),
        ("tools[1].name", 11),
        ("tools[1].stores.omitted.zone", 12),
        ("tools[1].clarify", 10),
        ("worlds[0].facts.zone.values[0]", 17),
        ("nowhere", None),
        ("", None),
    ],
)
def test_a_field_is_found_at_its_line_or_at_the_table_round_it(field: str, line: int | None, tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert line_of(path, field) == line


def test_a_file_that_cannot_be_read_has_no_line(tmp_path: Path) -> None:
    assert line_of(tmp_path / "none.toml", "name") is None
