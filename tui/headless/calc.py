"""``banneret calc``: questions about a position that a ruleset can answer."""

from __future__ import annotations

import argparse
import sys

from engine.core.archive import Archive, Opened
from engine.core.codec import encode_json
from engine.core.dice import Seeded
from engine.core.printable import harmless
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset, Report, Scenario, ScenarioFault, Tool
from engine.core.soundness import log_faults
from tui.console.exits import Exit, Wrong
from tui.play.scenarios import find_rules, resolve_scenario


def main(args: argparse.Namespace, archive: Archive) -> Exit:
    """Answer a question.

    Raises:
        Wrong: the input is wrong.
        SaveFault: the save cannot be read.
    """
    rules = find_rules(args.ruleset)
    if args.tool is None:
        _list(rules)
        return Exit.OK
    tool = next((tool for tool in rules.tools if tool.name == args.tool), None)
    if tool is None:
        known = ", ".join(tool.name for tool in rules.tools)
        raise Wrong(f"{rules.name} has no tool {args.tool!r}; known: {known}")
    if args.save is None:
        if args.at is not None:
            raise Wrong("--at goes with --save")
        state = _begun(rules, resolve_scenario(rules, args.scenario))
        report = _run(tool, state, args.arguments)
    else:
        opened = _opened(rules, args, archive)
        with log_faults(rules, opened.log):
            state = fold(rules, opened.log.line(args.at))
            report = _run(tool, state, args.arguments)
    sys.stdout.write(encode_json(report).decode() + "\n" if args.json else table(report))
    return Exit.OK


def _list(rules: AnyRuleset) -> None:
    for tool in rules.tools:
        words = " ".join(f"<{argument.name}>" for argument in tool.arguments)
        sys.stdout.write(f"{tool.name} {words}\n    {tool.text}\n")
        for argument in tool.arguments:
            sys.stdout.write(f"    {argument.name}: {argument.text}\n")


def _run(tool: Tool, state: object, given: list[str]) -> Report:
    if len(given) > len(tool.arguments):
        raise Wrong(f"{tool.name} takes {len(tool.arguments)} arguments, not {len(given)}")
    names = [argument.name for argument in tool.arguments]
    try:
        return tool.run(state, dict(zip(names, given, strict=False)))
    except ValueError as problem:
        raise Wrong(str(problem)) from None


def _opened(rules: AnyRuleset, args: argparse.Namespace, archive: Archive) -> Opened:
    """The save that holds the position."""
    opened = archive.read(args.save)
    if opened.header.ruleset != rules.name:
        raise Wrong(f"{args.save}: a game of {opened.header.ruleset}, not of {rules.name}")
    if args.at is not None and not 0 <= args.at < len(opened.log):
        raise Wrong(f"{args.save}: no entry {args.at}; it has 0 to {len(opened.log) - 1}")
    return opened


def _begun(rules: AnyRuleset, scenario: Scenario) -> object:
    state = rules.empty()
    try:
        events = rules.begin(scenario, {}, Seeded(b"calc", 0, "decide"))
    except ScenarioFault as fault:
        raise Wrong(str(fault)) from None
    for event in events:
        state = rules.evolve(state, event)
    return state


def table(report: Report) -> str:
    """A report as aligned text."""
    rows = [report.columns, *(tuple(map(_cell, row)) for row in report.rows)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(report.columns))]
    lines = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([*lines, *report.remarks]) + "\n"


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return harmless(str(value))
