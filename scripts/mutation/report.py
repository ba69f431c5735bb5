"""The table of a mutation run, its survivors, and whether it passes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from textwrap import indent

from scripts.mutation.lines import Mutant, Reason, Result

NEEDED = 0.9
"""The share of mutants that must be killed."""
UNKNOWN = "NO REASON GIVEN"


def table(results: Iterable[Result]) -> str:
    """A row for each module and one for all: killed, survived, share killed."""
    by_module: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_module[result.module].append(result)
    rows = [_row(module, by_module[module]) for module in sorted(by_module)]
    rows.append(_row("all", [result for some in by_module.values() for result in some]))
    width = max(len(row[0]) for row in rows)
    head = f"{'module':{width}}  killed  survived   share"
    return "\n".join([head, *(f"{name:{width}}  {k:6}  {s:8}  {share:6.1%}" for name, k, s, share in rows)])


def _row(name: str, results: list[Result]) -> tuple[str, int, int, float]:
    killed = sum(result.killer is not None for result in results)
    return name, killed, len(results) - killed, killed / len(results)


def survivors(results: Iterable[Result], reasons: Iterable[Reason]) -> list[tuple[Result, str]]:
    """Each survivor with why it may be one, by function and change; UNKNOWN where nobody said."""
    why = {(reason.function, reason.change): reason.why for reason in reasons}
    alive = [result for result in results if result.killer is None]
    alive.sort(key=lambda result: (result.function, result.change))
    return [(result, why.get((result.function, result.change), UNKNOWN)) for result in alive]


def listed(alive: Iterable[tuple[Result, str]]) -> str:
    """Survivors for a person: where, what was changed, why no test sees it."""
    return "\n".join(
        f"{result.function} ({result.mutant.rpartition('_')[2]}): {why}\n{indent(result.change, '    ')}"
        for result, why in alive
    )


def kinds(alive: Iterable[tuple[Result, str]]) -> str:
    """How many survive for which kind of reason: the words before its colon."""
    counted = Counter(why.partition(":")[0] for _, why in alive)
    return ", ".join(f"{count} {kind}" for kind, count in counted.most_common())


def spent(mutants: Iterable[Mutant], results: Iterable[Result], reasons: Iterable[Reason]) -> list[Reason]:
    """Reasons that can go: nothing changes so any more in the modules of these mutants, or it is killed."""
    made = {(mutant.function, mutant.change): mutant.module for mutant in mutants}
    modules = {*made.values()}
    killed = {(result.function, result.change) for result in results if result.killer is not None}
    alive = {(result.function, result.change) for result in results if result.killer is None}
    return [
        reason
        for reason in reasons
        if (at := (reason.function, reason.change)) in killed - alive or (at not in made and reason.module in modules)
    ]


def verdict(results: list[Result], alive: list[tuple[Result, str]]) -> list[str]:
    """What is wrong, a sentence each."""
    killed = 1 - len(alive) / len(results)
    unknown = sum(why == UNKNOWN for _, why in alive)
    return [
        *([f"{killed:.1%} killed: at least {NEEDED:.0%} must be"] if killed < NEEDED else []),
        *([f"{unknown} survivors without a reason in the survivors file"] if unknown else []),
    ]


def limits(results: Iterable[Result]) -> str:
    """How many were killed by no test, which the reader should know."""
    cut = sum((result.killer or "").startswith("(") for result in results)
    return f"{cut} of the killed did not end within their time limit, or ended the process"
