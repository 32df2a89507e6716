"""A page with results of several runs: a folder of plans, their results, and a text between them.

===============  ============================================================================
``prose.md``     the text; a line ``<!-- lab NAME -->`` is replaced by the tables of a plan, and
                 ``<!-- lab renew -->`` by the commands that renew all results
``NAME.toml``    a plan
``NAME.json``    its results, as ``banneret lab report NAME.toml --brief`` writes them
===============  ============================================================================

A result is stale if its plan, its scenarios or the code of its bots have changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.core.registry import find
from engine.core.sources import players_code
from study.lab.markup import ReportSection, markdown
from study.lab.plans import LabSetup, read_plan, setup_of
from study.lab.proofs import RunProof, read_proof, setup_in, tables_of
from study.lab.tallies import RunTables, meetings_section, seatings_sections
from tui.console.exits import Exit, Wrong
from tui.console.files import content, is_file, put_file
from tui.console.printing import say

PROSE: Final = "prose.md"
_MOST_PAGE: Final = 1 << 24
_MARK: Final = re.compile(r"^<!-- lab ([\w.+-]+) -->$", re.MULTILINE)
_RENEW: Final = "renew"


class StaleResult(NamedTuple):
    """Result that no longer matches its plan or the code here, with the reason."""

    name: str
    why: str

    def lines(self, folder: Path) -> list[str]:
        """Return the name of the stale file, and the commands that renew it."""
        return [f"{folder / self.name}.json is stale: {self.why}", *_commands(folder, self.name)]


def write_page(folder: Path, output: Path | None, *, is_check: bool) -> Exit:
    """Write the page of a folder, print it, or check that it exists and is up to date.

    Raises:
        Wrong: the folder is not in order, or the page cannot be written.
    """
    text = page_of(folder)
    if is_check:
        return _checked(folder, text, output)
    stale = stale_results(folder)
    if output is None:
        say(*text.splitlines())
        return Exit.OK
    put_file(output, [text])
    say(f"{output}: {len(_names(folder))} runs", *_told(folder, stale))
    return Exit.OK


def _checked(folder: Path, text: str, output: Path | None) -> Exit:
    lines = _told(folder, stale_results(folder))
    if output is not None and (not is_file(output) or _text_of(output) != text):
        lines += [f"{output} is stale:", f"  banneret lab report {folder} -o {output}"]
    say(*(lines or [f"{folder}: {len(_names(folder))} runs, all of them up to date"]))
    return Exit.REFUSED if lines else Exit.OK


def _told(folder: Path, stale: tuple[StaleResult, ...]) -> list[str]:
    return [line for one in stale for line in one.lines(folder)]


def _commands(folder: Path, name: str) -> list[str]:
    """Return the commands that renew a result."""
    plan = folder / name
    return [
        f"  banneret lab run {plan}.toml",
        f"  banneret lab report {plan}.toml --brief -o {plan}.json",
    ]


def _shown(folder: Path) -> Path:
    """Return a folder as a page names it: with its parent only, whatever path was given."""
    return Path(*folder.resolve().parts[-2:])


def _names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.toml"))


# -- stale results -----------------------------------------------------------------------------


def stale_results(folder: Path) -> tuple[StaleResult, ...]:
    """Return the results of a folder that must be renewed, and the reasons."""
    found = ((name, _why_stale(folder / name)) for name in _names(folder))
    return tuple(StaleResult(name, why) for name, why in found if why)


def _why_stale(plan_file: Path) -> str:
    """Return the reason why a result is stale; empty if it is not."""
    path, plan = plan_file.with_suffix(".json"), read_plan(plan_file.with_suffix(".toml"))
    if not is_file(path):
        return "it is not there"
    proof = read_proof(path)
    if proof.plan != plan:
        return "it is of another plan"
    if len(proof.games) < proof.planned:
        return f"{len(proof.games)} of {proof.planned} games were played"
    then, now = setup_in(proof), setup_of(plan)
    if then.hashes != now.hashes and _plays_the_same(proof, now):
        then = replace(then, hashes=now.hashes)
    return _difference(then, now)


def _plays_the_same(proof: RunProof, now: LabSetup) -> bool:
    """Return whether all bots are levels with unchanged code; comments do not count."""
    are_levels = all(bot.kind == "level" for bot in now.bots)
    return are_levels and proof.code == players_code(find(now.ruleset))


def _difference(then: LabSetup, now: LabSetup) -> str:
    """Describe the first difference between two setups of a plan."""
    if then.hashes[0] != now.hashes[0]:
        return f"the rules of {now.ruleset} are others now"
    codes = zip(now.bots, then.hashes[1:], now.hashes[1:], strict=True)
    other = ", ".join(bot.name for bot, old, new in codes if old != new)
    if other:
        return f"the code of {other} is another one now"
    starts = zip(then.starts, now.starts, strict=False)
    changed = next((new.name for old, new in starts if old != new), None)
    if changed is not None or len(then.starts) != len(now.starts):
        return f"the start {changed or 'list'} is another one now"
    return "" if then == replace(now, keep=then.keep) else "its limits are others now"


# -- the page ----------------------------------------------------------------------------------


def _text_of(path: Path) -> str:
    return content(path, _MOST_PAGE).decode(errors="replace")


def page_of(folder: Path) -> str:
    """Return the page of a folder.

    Raises:
        Wrong: a result cannot be read, or marks and plans do not match.
    """
    prose = _text_of(folder / PROSE)
    names = _names(folder)
    marked = _MARK.findall(prose)
    for name in marked:
        if name not in {*names, _RENEW}:
            raise Wrong(f"{folder / PROSE}: the mark {name!r} has no {name}.toml")
    missing = next((name for name in names if name not in marked), None)
    if missing is not None:
        raise Wrong(f"{folder / PROSE}: no mark stands for {missing}.toml")
    name = _shown(folder)
    note = f"<!-- Written by banneret lab report {name}; edit {name}/{PROSE}. -->"
    return f"{note}\n\n{_MARK.sub(lambda mark: _block(folder, mark[1]), prose)}"


def _block(folder: Path, name: str) -> str:
    if name == _RENEW:
        commands = (line for one in _names(folder) for line in _commands(_shown(folder), one))
        return "\n".join(("```sh", *(line.strip() for line in commands), "```"))
    path = folder / f"{name}.json"
    if not is_file(path):
        return f"*The games of {name}.toml were not played yet.*"
    proof = read_proof(path)
    sections = list(_sections(tables_of(proof)))
    return f"{_sentence(name, proof)}\n\n{markdown(sections, level=0)}".rstrip("\n")


def _sentence(name: str, proof: RunProof) -> str:
    plan, setup = proof.plan, setup_in(proof)
    bots = ", ".join(f"`{bot.name}`" for bot in setup.bots)
    starts = ", ".join(f"`{start.name}`" for start in setup.starts)
    refused = sum(sum(game.refused) for game in proof.games)
    broken = sum(game.fault is not None for game in proof.games)
    counted = f"Commands refused: {refused}; games broken off: {broken}"
    return (
        f"`{name}.toml`: {bots} on {starts}, {setup.seats} seats, {plan.pairs} pairs of each"
        f" meeting from seed {plan.seed} on, {len(proof.games)} games. {counted};"
        f" digest `{proof.digest}`."
    )


def _sections(tables: RunTables) -> Iterator[ReportSection]:
    yield meetings_section(tables)
    for section in seatings_sections(tables):
        yield replace(section, title="Games by seat") if len(tables.starts) == 1 else section
    if tables.ratings is not None:
        ratings, *others = tables.ratings.sections()
        yield ratings
        yield from (one for one in others if one.head[:2] == ("start", "seat"))
