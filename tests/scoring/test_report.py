"""Reports: they fit, they escape what a model wrote, they say what must be said, and no rate is pooled."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import msgspec
import pytest
from rich.console import Console

from scoring.counting.figures import Summary, ValueRow
from scoring.counting.history import History
from scoring.report import formats, stored
from scoring.report.escaping import bounds, percent, safe, shown
from scoring.report.table import render
from tests.scoring import distinct
from tests.scoring.build import a_record
from tests.scoring.test_tally import RECORDS, A, refund, summary

HOSTILE = "\x1b[31mred\x1b[0m\u202egnitset\u200b<script>|*_`\r\n\x07\u2028"


def table(found: Summary, width: int = 80) -> str:
    out = io.StringIO()
    render(found, Console(file=out, width=width, force_terminal=False, color_system=None))
    return out.getvalue()


def stocked(found: History, width: int) -> str:
    out = io.StringIO()
    stored.render(found, Console(file=out, width=width, force_terminal=False, color_system=None))
    return out.getvalue()


def all_formats(found: Summary) -> list[str]:
    return [table(found), formats.as_json(found), formats.as_csv(found), formats.as_markdown(found)]


def hostile() -> Summary:
    return summary([*RECORDS, a_record(A, calls=[refund(HOSTILE)], sample=9, response_models=(f"m{HOSTILE}",))])


@pytest.mark.parametrize("width", [40, 80, 97, 100, 120, 300])
def test_a_table_fits_between_80_and_120_columns(width: int) -> None:
    many = [a_record(A, calls=[refund(f"SOME QUITE LONG VALUE {n} " * 9)], sample=n) for n in range(40)]
    text = table(summary([*RECORDS, *many]), width)
    assert max(len(line) for line in text.splitlines()) <= max(80, min(120, width))
    assert re.search(r"and 17 more values in 18 calls", text) or "more values in" in text


@pytest.mark.parametrize("width", [40, 80, 97, 100, 120, 300])
def test_a_scan_fits_between_80_and_120_columns_and_no_date_or_count_is_cut(width: int) -> None:
    lines = stocked(distinct.history(), width).splitlines()
    assert max(len(line) for line in lines) <= max(80, min(120, width))
    rows = [line for line in lines if " 2026-03-04 " in line]
    assert [line.split("2026-03-04")[0].split()[-2] for line in rows] == list("96543218777")


@pytest.mark.parametrize("width", [20, 40, 60, 79])
def test_a_narrow_terminal_gets_every_figure_whole(width: int) -> None:
    found = summary([*RECORDS, *(a_record(A, calls=[refund(f"VALUE {n}")], sample=n) for n in range(123))])
    narrow, wide = (figures(found, columns) for columns in (width, 80))
    assert len(wide) > 9
    assert narrow == wide


@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize("name", ["s" * 26, "s" * 70, "two words", "\u914d\u9054" * 20], ids=len)
def test_no_name_is_so_long_that_a_figure_is_cut(width: int, name: str) -> None:
    row = ValueRow(
        value=name, count=123456, in_set=False, catch_all=False, nearest=name, near="case+separator+word-order",
        strata={name: 98765},
    )  # fmt: skip
    probe = msgspec.structs.replace(distinct.membership(), values=(row,))
    strata = {name: next(iter(probe.strata.values()))}
    found = msgspec.structs.replace(summary(), probes=(msgspec.structs.replace(probe, strata=strata),))
    shown_figures = set(table(found, width).split())
    assert {"123456", "98765", "101", "107", "108", "113", "4.6\u201378.9"} <= shown_figures


@pytest.mark.parametrize(("rows", "last"), [(39, ""), (40, ""), (41, "and 1 more values in 3 calls")])
def test_a_scan_lists_forty_values_and_counts_the_others(rows: int, last: str) -> None:
    values = [msgspec.structs.replace(distinct.history().values[0], value=f"v{n}", count=3) for n in range(rows)]
    text = stocked(msgspec.structs.replace(distinct.history(), values=tuple(values)), 80)
    assert f'"v{min(rows, 40) - 1}"' in text
    assert (f"\n{last}\n" in text) if last else ("more values" not in text)


@pytest.mark.parametrize("each", [4, 9, 40])
def test_what_is_missing_is_counted_whatever_was_drawn_beyond_the_plan(each: int) -> None:
    beyond = [a_record(A, calls=[refund("OTHER")], sample=each + n) for n in range(60)]
    found = summary([*RECORDS, *beyond], planned=3 * each, samples_per_fixture=each)
    assert found.samples.recorded == 69
    assert len(found.samples.missing) == min(20, 3 * each - 9)
    assert f"INCOMPLETE: {3 * each - 9} of {3 * each} planned samples are not recorded." in table(found)


def figures(of: Summary, width: int) -> list[list[str]]:
    """The numbers of every row that begins with a stratum's name."""
    strata = tuple(of.probes[0].strata)
    rows = (line.split() for line in table(of, width).splitlines() if line.startswith(strata))
    return [found for row in rows if (found := [cell for cell in row if cell[0].isdigit()])]


@pytest.mark.parametrize("text", all_formats(hostile()), ids=["table", "json", "csv", "md"])
def test_no_control_escape_or_direction_character_is_shown(text: str) -> None:
    assert not set("\x1b\u202e\u200b\r\x07\u2028") & set(text)


def test_the_json_reads_back_to_what_was_written() -> None:
    found = summary([a_record(A, calls=[refund(HOSTILE + "\U000e0041")])])
    assert msgspec.json.decode(formats.as_json(found), type=Summary) == found


def test_markup_is_shown_as_it_is() -> None:
    page = formats.as_markdown(hostile())
    assert "<script>" not in page
    assert "&lt;script&gt;\\|\\*\\_\\`" in page
    boxed = summary([a_record(A, calls=[refund("[bold]x[/bold] :smile:")])])
    assert '"[bold]x[/bold] :smile:"' in table(boxed)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_a_cell_that_a_spreadsheet_would_run_is_disarmed(sign: str) -> None:
    found = msgspec.structs.replace(summary(), corpus=f"{sign}1+1")
    rows = list(csv.DictReader(io.StringIO(formats.as_csv(found))))
    assert {row["corpus"] for row in rows} == {f"'{sign}1+1"}


def test_several_studies_are_one_csv_with_one_header() -> None:
    first = msgspec.structs.replace(summary(), corpus="first")
    second = msgspec.structs.replace(summary(), corpus="second", probes=summary().probes[:1])
    rows = list(csv.DictReader(io.StringIO(formats.as_csv(second, first))))
    assert list(dict.fromkeys(row["corpus"] for row in rows)) == ["second", "first"]
    assert all(None not in row for row in rows)


@pytest.mark.parametrize("text", all_formats(summary([a_record(A, "x", response_models=("simulated/careless",))])))
def test_every_format_says_that_a_model_was_simulated(text: str) -> None:
    assert re.search("simulated.*true|SIMULATED MODEL", text, re.IGNORECASE | re.DOTALL)


def test_a_table_says_what_a_reader_must_know_first() -> None:
    marked = summary(RECORDS[:2], planned=9, samples_per_fixture=3, marks=("changed-corpus", "live-sets", "odd"))
    text = table(marked).replace("\n", " ")
    assert "CHANGED CORPUS" in text
    assert "LIVE SETS" in text
    assert " odd " in text
    assert "INCOMPLETE: 7 of 9 planned samples are not recorded." in text
    moved = summary([a_record(A, "x", sample=n, response_models=(f"m{n}",)) for n in range(2)])
    assert "MOVED" in table(moved)


def test_every_check_is_printed_with_both_numbers() -> None:
    found = summary(planned=8, samples_per_fixture=3)
    text = re.sub(r"\s+", " ", table(found))
    for check in found.checks:
        assert check.name in text
    assert "FAIL samples = fixtures x samples per fixture: 8 is not 9" in text
    assert "ok the strata add up to the corpus: 3 = 3" in text
    assert "? planned = recorded + missing: not known and not known" in re.sub(r"\s+", " ", table(summary()))


def test_the_json_has_the_contracts_fields_and_no_rate_outside_a_stratum() -> None:
    whole = json.loads(formats.as_json(summary()))
    assert list(whole)[:4] == ["v", "corpus", "corpus_sha256", "simulated"]
    assert {"checks", "samples", "pins", "probes"} <= whole.keys()
    assert set(rate_paths(whole)) == {"probes.strata", "probes.accuracy", "probes.strata.shares"}


def rate_paths(value: Any, path: tuple[str, ...] = ()) -> list[str]:
    """Where a `rate` stands, names of strata and shares left out."""
    if isinstance(value, list):
        return [found for item in value for found in rate_paths(item, path)]
    if not isinstance(value, dict):
        return []
    found = [".".join(path)] if "rate" in value else []
    for key, item in value.items():
        named = path and path[-1] in ("strata", "accuracy", "shares") and isinstance(item, dict) and key != "shares"
        found += rate_paths(item, path if named else (*path, key))
    return found


def test_a_csv_has_a_row_per_probe_and_stratum_and_none_over_strata() -> None:
    rows = list(csv.DictReader(io.StringIO(formats.as_csv(summary()))))
    assert [(row["argument"], row["stratum"]) for row in rows] == [
        ("code", "known"), ("code", "unknown"), ("order", "known"), ("order", "unknown"),
    ]  # fmt: skip
    assert rows[2]["labels_INJECT"] == "1"
    assert (rows[1]["rate"], rows[1]["ci95_low"]) == ("", "")


@pytest.mark.parametrize("text", all_formats(summary())[:1] + all_formats(summary())[3:])
def test_the_method_of_the_intervals_is_stated(text: str) -> None:
    assert "Wilson score on the effective number of draws, clustered by fixture" in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a", '" a"'),
        ("\t", '"\\t"'),
        ("\u00a0", '"\\u00a0"'),
        (None, "null"),
        ({"a": [1]}, '{"a":[1]}'),
        ("x" * 100, '"' + "x" * 58 + "\u2026"),
        ("\U000e0041", '"\\U000e0041"'),
        ("\u00e9\U0001f4e6", '"\u00e9\U0001f4e6"'),
    ],
)
def test_a_value_is_shown_as_json_with_what_is_not_seen_escaped(value: object, text: str) -> None:
    assert shown(value) == text


def test_shares_and_their_bounds_are_written_in_per_cent() -> None:
    assert (percent(0.125), percent(None)) == ("12.5 %", "\u2013")
    assert (bounds((0.1, 0.256)), bounds(None)) == ("10.0\u201325.6", "\u2013")
    assert safe("plain text") == "plain text"
