"""`assumeprobe rerun`: the same study again with only what the flags name changed, and then the comparison."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import click

from corpora.corpus import load
from corpora.errors import BadInput
from corpora.files import json_of, text_of
from corpora.jsonl import convert, encode_text, to_json
from corpora.manifests import Manifest, Study
from corpora.values import Json, JsonObject
from runner.asking import API_KEY_ENV, BASE_URL, DEFAULTS, HEADER
from runner.commands.compare import show
from runner.config import resolve
from runner.flags import Profile, RunFlags
from runner.gate import require_canned
from runner.jobs import Job, default_output, output_of
from runner.journal.manifest import manifest_path, read_manifest
from runner.live import sets_of
from runner.log import configure
from runner.parameters import LIVE_SETS, PROFILES, RunCommand
from runner.pipes import standard_output
from runner.results.comparing import held_against, one_run
from runner.results.source import source
from runner.running import sample

_NEVER_TAKEN = frozenset({"base_url", "agent"})
"""Of a study: where requests go, and whose code runs, is never taken from a file."""


@click.command(
    cls=RunCommand,
    epilog="Example: assumeprobe rerun results/refunds-a.jsonl --model b --base-url http://127.0.0.1:8080/v1. "
    "Corpus, sets, settings and fixtures are those of the manifest; agent, base URL and key name never are.",
)
@click.argument("results", metavar="RESULTS")
@click.option("--model", metavar="NAME", help="Another model. Default: the same.")
@click.option("--system", metavar="FILE", help="A text in place of the corpus's system text; {state} is filled in.")
@click.option("--tools", metavar="FILE", help="JSON: a list of tools with other descriptions or parameters.")
@BASE_URL
@API_KEY_ENV
@HEADER
@click.option("--simulate", type=click.Choice(PROFILES), metavar="[PROFILE]", help="The embedded simulated model.")
@click.option("-o", "--output", metavar="FILE", help="Default: results/CORPUS-MODEL-rerun.jsonl.")
@click.option("-j", "--concurrency", type=click.IntRange(1), default=DEFAULTS.concurrency, show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@LIVE_SETS
@click.option("--allow-moved", is_flag=True, help="Compare though more than one model answered within a run.")
@click.option("--quiet", is_flag=True, help="No progress; only warnings and errors.")
def command(
    results: str,
    model: str | None,
    system: str | None,
    tools: str | None,
    base_url: str | None,
    api_key_env: str | None,
    headers: tuple[str, ...],
    simulate: Profile | None,
    output: str | None,
    concurrency: int,
    form: str,
    live_sets: bool,
    allow_moved: bool,
    quiet: bool,
) -> int:
    """Sample the study of RESULTS again with what the flags change, and compare."""
    standard_output("the comparison goes there")
    source(results)  # that there is such a file is asked before its manifest
    manifest = _manifest(Path(results))
    before = one_run(results)
    replaced = manifest.replaced | _system(system) | _tools(tools)
    corpus = load(manifest.corpus_path, replaced)
    flags = flags_of(
        manifest.study,
        base_url=base_url,
        api_key_env=api_key_env,
        headers=headers,
        simulate=simulate,
        concurrency=concurrency,
        model=None if simulate else model or manifest.study.model,
        fixtures=manifest.selected or (),
    )
    secrets = () if simulate else resolve(corpus, flags, os.environ).endpoint.secrets
    configure(None, [secret.reveal() for secret in secrets], quiet=quiet)
    sets = sets_of(corpus, os.environ, live=live_sets)
    require_canned(load(manifest.corpus_path), sets)
    named = flags.model or f"simulated/{simulate}"
    place = output_of(output, corpus, named) if output else _beside(default_output(corpus, named), "rerun")
    if place is None:
        raise BadInput("is standard output, where the comparison goes; name a file", path=output, field="-o")
    if place.resolve() == Path(results).resolve():
        raise BadInput("is the run to compare with; name another file", path=output, field="-o")
    job = Job(corpus=corpus, sets=sets, flags=flags, environ=os.environ, output=place, quiet=quiet)
    ended = anyio.run(sample, job)
    if ended.status == 0:
        show(held_against(before, one_run(str(place)), allow_moved=allow_moved), form)
    return ended.status


def _manifest(results: Path) -> Manifest:
    """The manifest of the earlier run; raises BadInput where nothing tells how it was made."""
    found = read_manifest(manifest_path(results))
    if found is None:
        raise BadInput(
            f"has no {manifest_path(results).name} beside it, and nothing else tells how the run was made; "
            "run the other study with assumeprobe run, then compare",
            path=str(results),
        )
    if found.study.agent is not None:
        raise BadInput(
            f"was played by the agent {found.study.agent!r}, and an agent is never taken from a manifest; "
            "run it again with assumeprobe run --agent, then compare",
            path=str(results),
        )
    return found


def flags_of(study: Study, **given: Json) -> RunFlags:
    """The settings of an earlier study, and what is given beside them, as the flags of a new run."""
    settings: JsonObject = {name: value for name, value in to_json(study).items() if name not in _NEVER_TAKEN}
    settings["params"] = [f"{name}={encode_text(value)}" for name, value in study.params.items()]
    return convert({name: value for name, value in (settings | given).items() if value is not None}, RunFlags)


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.stem}-{word}{path.suffix}")


def _system(file: str | None) -> JsonObject:
    return {} if file is None else {"system": text_of(Path(file), "--system")}


def _tools(file: str | None) -> JsonObject:
    """Tools by name -> description and parameters, of a list in the plain or the chat shape."""
    if file is None:
        return {}
    try:
        found = json_of(Path(file))
    except BadInput as error:
        raise BadInput(f"{error.what}; expected a list of tools", path=file, field="--tools") from error
    if not isinstance(found, list) or not found:
        raise BadInput("expected a JSON list of tools", path=file, field="--tools")
    words: JsonObject = {}
    for number, entry in enumerate(found):
        tool = entry.get("function", entry) if isinstance(entry, dict) else entry
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            raise BadInput("expected a tool with a name", path=file, field=f"[{number}]")
        kept = {key: tool[key] for key in ("description", "parameters") if key in tool}
        words[tool["name"]] = kept
    return {"tools": words}
