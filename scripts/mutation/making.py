"""A copy of the checkout whose scoring/ holds all its mutants, asleep."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from difflib import unified_diff
from pathlib import Path

from scripts.mutation.lines import Mutant

UNNEEDED = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")


def copied(checkout: Path, tree: Path) -> None:
    """Copy what the tests of scoring/ need, without results of the user's own."""
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(checkout / name, tree / name)
    for name in ("corpora", "runner", "scoring", "scripts", "tests"):
        shutil.copytree(checkout / name, tree / name, ignore=UNNEEDED)
    tree.joinpath("results").mkdir()
    for file in checkout.glob("results/refunds-simulated-*"):
        shutil.copy(file, tree / "results")
    # mutmut asks for it wherever it is loaded.
    tree.joinpath("setup.cfg").write_text("[mutmut]\nsource_paths=scoring\n", "utf-8")


def module_of(file: Path) -> str:
    """`scoring/judging/near.py` is scoring.judging.near."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def files_of(tree: Path, prefixes: Iterable[str]) -> list[Path]:
    """The files of scoring/ that hold a mutant whose name begins with one of the prefixes, from `tree`."""
    files = sorted(file.relative_to(tree) for file in tree.glob("scoring/**/*.py"))
    return [file for file in files if any(_overlap(module_of(file), prefix) for prefix in prefixes)]


def _overlap(module: str, prefix: str) -> bool:
    return module.startswith(prefix) or prefix.startswith(f"{module}.")


def made(files: list[Path], workers: int) -> list[Mutant]:
    """Put the mutants of each file (from the working directory) into it; all of them, by name."""
    with ProcessPoolExecutor(workers) as pool:
        return sorted((mutant for some in pool.map(mutated, files) for mutant in some), key=lambda mutant: mutant.name)


def mutated(file: Path) -> list[Mutant]:
    """Rewrite one file: beside each function stand its mutants, and a switch says which of them is called."""
    from mutmut.mutation.file_mutation import mutate_file_contents  # 200 modules that the tests' process needs not

    made = mutate_file_contents(str(file), file.read_text("utf-8"))
    file.write_text(made.code, "utf-8")
    lines = made.code.split("\n")
    texts = {name: lines[span.start - 1 : span.end] for name, span in made.line_span_by_function_name.items()}
    return [_mutant(module_of(file), name, texts) for name in made.mutant_names]


def _mutant(module: str, name: str, texts: dict[str, list[str]]) -> Mutant:
    stem = name.rpartition("__mutmut_")[0]
    path = readable(stem)
    before, after = ([line.replace(long, path[-1]) for line in texts[long]] for long in (f"{stem}__mutmut_orig", name))
    return Mutant(
        name=f"{module}.{name}", module=module, function=".".join([module, *path]), change=change(before, after)
    )


def readable(stem: str) -> list[str]:
    """mutmut's name of a function, `x_f` or `xǁClassǁf`, as class and function."""
    return stem.split("ǁ")[1:] if "ǁ" in stem else [stem.removeprefix("x_")]


def change(before: list[str], after: list[str]) -> str:
    """The lines that differ, without numbers or neighbours: they stay the same when code around them changes."""
    _old, _new, *lines = unified_diff(before, after, n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith("@@"))
