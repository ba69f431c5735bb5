"""The command: see scripts/mutants."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from importlib.util import find_spec
from math import inf
from pathlib import Path

from scripts.mutation import making, report
from scripts.mutation.lines import Log, Mutant, Reason, Recorded, Result, Spoilt, read
from scripts.mutation.ordering import Likely, chosen, left
from scripts.mutation.progress import Progress

SURVIVORS = Path("tests/scoring/data/survivors.jsonl")
EPILOG = """A mutant is killed when a test fails that passes without it, or when one takes more processor time than 5 s
and ten times what it takes without it. One that no test reaches survives. Exit 0: at least 90 % were killed and each
survivor has its reason; 1: not so, or a test fails with no mutant; 2: bad input; 130: interrupted."""


class Arguments(argparse.Namespace):
    prefixes: list[str]
    names: Path | None
    sample: int | None
    seed: int
    jobs: int
    results: Path | None
    known: list[Path]
    longest: float
    survivors: Path
    quiet: bool


def arguments(given: list[str]) -> Arguments:
    parser = argparse.ArgumentParser("scripts/mutants", description="Mutation testing of scoring/.", epilog=EPILOG)
    parser.add_argument("prefixes", nargs="*", default=["scoring"], help="only mutants whose names begin so")
    parser.add_argument("--names", type=Path, metavar="FILE", help="only the mutants named in this file")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of them, drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw and of the order (1)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="processes (as many as CPUs)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="a line each; a run goes on where it stopped")
    known = "earlier results: the test that killed a mutant is tried first"
    parser.add_argument("--known", type=Path, metavar="FILE", action="append", default=[], help=known)
    longest = "leave out tests that take more than S seconds, unless they are known to kill: fewer die, in less time"
    parser.add_argument("--longest", type=float, metavar="S", default=inf, help=longest)
    parser.add_argument("--survivors", type=Path, metavar="FILE", default=SURVIVORS, help=f"reasons ({SURVIVORS})")
    parser.add_argument("--quiet", action="store_true", help="list only the survivors without a reason")
    return parser.parse_args(given, Arguments())


def main() -> int:
    asked = arguments(sys.argv[1:])
    if find_spec("mutmut") is None:
        sys.stderr.write("mutmut is not installed; scripts/install --mutants installs it\n")
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # forks end with it, however it is ended
    try:
        with tempfile.TemporaryDirectory(prefix="assumeprobe-mutants-") as place:
            return run(asked, Path(place).resolve())
    except Spoilt as error:
        sys.stderr.write(f"scripts/mutants: {error}\n")
        return error.status
    except KeyboardInterrupt:
        return 130


def run(asked: Arguments, place: Path) -> int:
    """All of it, in `place`."""
    reasons, names = read(asked.survivors, Reason), named(asked.names)
    likely = Likely(line for file in asked.known for line in read(file, Recorded))
    with Log((asked.results or place / "results.jsonl").absolute()) as log:
        mutants = all_of(asked, place)
        todo, results = left(chosen(mutants, asked.prefixes, names, asked.sample, asked.seed), log.before)
        interrupted = bool(todo) and tried(asked, todo, likely, place, log, results)
    status = told(mutants, results, reasons, quiet=asked.quiet) if results else 1
    return 130 if interrupted else status


def all_of(asked: Arguments, place: Path) -> list[Mutant]:
    """Make the copies, and all mutants of the modules asked for; from now on work is done there."""
    tree = place / "tree"
    for copy in (tree, place / "plain"):
        making.copied(Path.cwd(), copy)
    enter(tree)
    Progress().say("making mutants", now=True)
    return making.made(making.files_of(tree, asked.prefixes), asked.jobs)


def named(file: Path | None) -> set[str] | None:
    """The names in a file, apart by spaces or lines."""
    try:
        return None if file is None else set(file.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise Spoilt(f"{file}: names cannot be read: {error}") from error


def tried(asked: Arguments, todo: list[Mutant], likely: Likely, place: Path, log: Log, results: list[Result]) -> bool:
    """Run them, and add what comes out to `log` and `results`; whether it was interrupted."""
    # Only here: mutmut reads its settings when it is loaded, and those are the copy's.
    from scripts.mutation import session

    progress = Progress(len(todo))

    def tell(mutant: Mutant, killer: str | None, seconds: float) -> None:
        result = Result.of(mutant, killer, seconds)
        log.add(result)
        results.append(result)
        progress.add(killed=killer is not None)

    try:
        return session.tried(session.Session(todo, likely, place, asked.jobs, asked.longest, tell, progress.say))
    finally:
        progress.end()


def enter(tree: Path) -> None:
    """From here on, code is that of the copy: here, and in processes that a test starts."""
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    os.environ["PYTHONPATH"] = str(tree)


def told(mutants: list[Mutant], results: list[Result], reasons: list[Reason], *, quiet: bool) -> int:
    """Print what came out; the status to end with."""
    alive = report.survivors(results, reasons)
    print(report.listed(pair for pair in alive if not quiet or pair[1] == report.UNKNOWN))
    print(report.table(results))
    print(report.limits(results))
    print(f"survivors by kind of reason: {report.kinds(alive)}")
    for reason in report.spent(mutants, results, reasons):
        print(f"this reason can go: {reason.function} {reason.change!r}")
    wrong = report.verdict(results, alive)
    for sentence in wrong:
        sys.stderr.write(f"scripts/mutants: {sentence}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
