"""Rules of events and entries, checked against syntax trees and stack inspection."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import engine
from engine.core.dice import Scripted
from engine.debug.line import GameLine, line_of, seat_line, whole_line
from engine.debug.tracing import event_trace, ids, rule_index, rules_of, trace_of, traced
from engine.strategic.cities import keep_accounts
from tests.contract.test_rule_ids import ids as ids_of_text
from tests.debug.recorded import SMALL, begun, recorded
from tests.saves.games import play_on

HOME = Path(engine.__file__).parents[1]
CACHES = {"cache", "lru_cache"}
KEPT_BY_IDENTITY = {"identity_cache", "keyed_identity_cache", "incremental_cache", "identity_lru"}


class Written:
    """A function as written in the source: its rules, and how its results are cached."""

    def __init__(self, node: ast.FunctionDef, names: str) -> None:
        text = ast.get_docstring(node) or ""
        found = [re.split(r"\n\n|\bSee:", part)[0] for part in re.split(r"\bRules?:", text)[1:]]
        self.rules = {one for part in found for one in ids_of_text(part)}
        self.names = names
        words = {
            getattr(part, "id", getattr(part, "attr", ""))
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        }
        self.is_cached = bool(words & CACHES)
        self.is_kept = bool(words & KEPT_BY_IDENTITY)


@cache
def written(file: str) -> dict[int, Written]:
    """Return the functions of a file by the line on which their code begins."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    found: dict[int, Written] = {}

    def visit(node: ast.AST, names: str) -> None:
        for below in ast.iter_child_nodes(node):
            if isinstance(below, ast.FunctionDef):
                first = min([below.lineno, *(one.lineno for one in below.decorator_list)])
                found[first] = Written(below, f"{names}{below.name}")
                visit(below, f"{names}{below.name}.<locals>.")
            elif isinstance(below, ast.ClassDef):
                visit(below, f"{names}{below.name}.")
            else:
                visit(below, names)

    visit(tree, "")
    return found


def as_written(frame: FrameType) -> Written | None:
    """Return the function of a frame, or None if it is not one of the engine."""
    return written_at(frame.f_code.co_filename, frame.f_code.co_firstlineno)


@cache
def written_at(file: str, line: int) -> Written | None:
    """Return the engine function that begins at a line of a file, if any."""
    if not file.startswith(str(HOME)) or file.endswith("identity_cache.py"):
        return None
    return written(file).get(line)


def stack(frame: FrameType, top: FrameType) -> Iterator[FrameType]:
    """Yield the callers of a frame, up to but without ``top``."""
    above = frame.f_back
    while above is not None and above is not top:
        yield above
        above = above.f_back


def rules_that_ran(line: GameLine, index: int, listed: dict[str, list[str]]) -> set[str]:
    """Trace the calls of an entry and return its rules, checking the whole stack for each."""
    found: set[str] = set()
    package = "/".join(type(line.rules).__module__.split(".")[:-1])

    @cache
    def rules_of_function(path: str, one: Written) -> set[str]:
        file = Path(path).relative_to(HOME).with_suffix("")
        if str(file).startswith(package + "/"):
            return one.rules
        name = ".".join([*file.parts[2:], one.names])
        return one.rules | {rule for rule, names in listed.items() if name in names}

    def called(frame: FrameType, kind: str, _: Any) -> None:
        if kind != "call":
            return
        one = as_written(frame)
        if one is None or one.is_cached:
            return
        rules = rules_of_function(frame.f_code.co_filename, one)
        if not rules <= found and not any(remembers(other) for other in stack(frame, top)):
            found.update(rules)

    top = sys._getframe()
    before = sys.gettrace()
    sys.settrace(called)
    try:
        entry = line.entries[index]
        dice = Scripted((sides, face) for sides, faces in entry.throws for face in faces)
        line.rules.decide(line.state(line.starts[index]), entry.seat, entry.command, dice)
    finally:
        sys.settrace(before)
    return found


def remembers(frame: FrameType) -> bool:
    """Return whether a frame belongs to a cached function or an identity cache."""
    if frame.f_code.co_filename.endswith("identity_cache.py"):
        return True
    one = as_written(frame)
    return one is not None and (one.is_cached or one.is_kept)


def remembered_rules(ruleset: str) -> set[str]:
    """Return the rules of functions cached by identity, which run or not depending on the past."""
    return {
        rule
        for folder in (f"engine/rulesets/{ruleset}", "engine/strategic")
        for file in (HOME / folder).rglob("*.py")
        if any(name in file.read_text(encoding="utf-8") for name in KEPT_BY_IDENTITY)
        for one in written(str(file)).values()
        if one.is_kept
        for rule in one.rules | names_listed(ruleset, file, one)
    }


def names_listed(ruleset: str, file: Path, one: Written) -> set[str]:
    """Return the rules that the index of a ruleset lists for a function."""
    name = ".".join([*file.relative_to(HOME).with_suffix("").parts[2:], one.names])
    return {rule for rule, names in index_of(ruleset).items() if name in names}


@cache
def index_of(ruleset: str) -> dict[str, list[str]]:
    """Return the index of a ruleset's rules in shared layers."""
    file = files(f"engine.rulesets.{ruleset}").joinpath("rule_index.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@pytest.mark.parametrize("ruleset", SMALL)
def test_rules_of_entries_match_syntax_trees_and_stacks(
    ruleset: str,
) -> None:
    line, listed = recorded(ruleset), index_of(ruleset)
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for index in range(1, min(40, len(line.entries))):
        trace = trace_of(line, index)
        assert trace is not None
        ours.update(trace.ran)
        theirs.update(rules_that_ran(line, index, listed))
    unsure = remembered_rules(ruleset)
    assert {rule: count for rule, count in ours.items() if rule not in unsure} == {
        rule: count for rule, count in theirs.items() if rule not in unsure
    }
    assert all(theirs[rule] <= ours[rule] for rule in unsure)
    assert len(set(ours) - unsure) > 15


@pytest.mark.parametrize("ruleset", SMALL)
def test_every_later_event_has_rules_from_its_book(ruleset: str) -> None:
    line = recorded(ruleset)
    book = {
        rule
        for text in [files(f"engine.rulesets.{ruleset}").joinpath("RULES.md").read_text("utf-8")]
        for rule in re.findall(r"^\| ([A-Z0-9]+-[\w.-]+) \|", text, re.MULTILINE)
    }
    assert rules_of(line, 0) == ()
    for step in range(2, len(line) + 1):
        found = rules_of(line, step)
        assert found or line.index_at(step) == 0
        assert set(found) <= book


def test_innermost_rule_of_a_hit_is_the_damage_rule() -> None:
    line = recorded("weltendaemmerung")
    step = next(
        step
        for step in range(1, len(line) + 1)
        if type(line.step(step).event).__name__ == "AttackMade"
    )
    found = event_trace(line, step)
    assert found is not None
    assert found.rules[0] == "WD-ATT-3"
    assert "WD-ATT-1" in found.rules
    assert "WD-RNG-1" in found.used
    assert found.source.startswith("engine/rulesets/weltendaemmerung/fighting.py:")


def test_tracing_twice_gives_the_same_rules_despite_caches() -> None:
    line = recorded("warlords2")
    again = line_of(line.rules, line.entries)
    for index in range(20):
        assert trace_of(line, index) == trace_of(again, index) is not None


def test_seat_is_shown_no_rules() -> None:
    table = begun("kaladan", b"seat")
    play_on(table, 8)
    line = seat_line(table.rules, table.game.log, 0)
    full = whole_line(table.rules, table.game.log)
    assert all(rules_of(full, step) for step in range(2, len(full) + 1))
    assert [rules_of(line, step) for step in range(1, len(line) + 1)] == [()] * len(line)


def test_entry_that_is_decided_differently_has_no_rules() -> None:
    line = recorded("weltendaemmerung")
    index = next(index for index, entry in enumerate(line.entries) if entry.throws)
    entries = list(line.entries)
    sides, face = entries[index].throws[0][0], entries[index].throws[0][1][0]
    other = ((sides, (face % sides + 1,)),)
    entries[index] = type(entries[index])(
        seq=entries[index].seq,
        parent=entries[index].parent,
        seat=entries[index].seat,
        command=entries[index].command,
        events=entries[index].events,
        throws=other,
    )
    forged = GameLine(line.rules, entries, line.states())
    assert trace_of(forged, index) is None
    assert rules_of(forged, forged.starts[index] + 1) == ()


def test_existing_profiler_is_restored() -> None:
    calls: list[str] = []

    def profiler(_frame: FrameType, kind: str, _: Any) -> None:
        calls.append(kind)

    before = sys.getprofile()
    sys.setprofile(profiler)
    try:
        traced(recorded("gd6").rules, tuple)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(before)


def test_ids_are_read_from_sentences_and_ranges() -> None:
    assert ids("WD-WIN-1 to WD-WIN-3, W2-4.5a; LW-0 and UTF is none") == (
        "WD-WIN-1",
        "WD-WIN-2",
        "WD-WIN-3",
        "W2-4.5a",
        "LW-0",
    )


def test_rule_index_covers_functions_of_a_shared_layer() -> None:
    warlords, lords = (rule_index(recorded(name).rules) for name in ("warlords2", "lordsawar"))
    assert warlords.ids_of(keep_accounts) == ("W2-9.6",)
    assert lords.ids_of(keep_accounts) == ("LW-13.1",)
