"""Queries: ``calc`` for a position, ``dump --where`` for a log, ``schema`` for a ruleset."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from engine.core.archive import Archive, Opened
from engine.core.codec import encode_json, plain
from engine.core.dice import Seeded
from engine.core.feed import knows_all
from engine.core.ids import REFEREE, Viewer
from engine.core.printable import harmless
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset, Argument, Scenario, ScenarioFault, Tool, ToolReport
from engine.core.scenarios import names_in
from engine.core.schema import published
from engine.core.soundness import log_faults
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, warn
from tui.play.place_names import arguments_with_places
from tui.play.scenarios import find_rules, resolve_scenario
from tui.replay.query import BadQuery, described, parse
from tui.replay.timeline import Story

# -- banneret calc ---------------------------------------------------------------------------------


def main(args: argparse.Namespace, archive: Archive) -> Exit:
    """Run a tool of a ruleset on a position and print its report; without a tool, list them.

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
        report = _run(rules, tool, state, args.arguments)
    else:
        opened = _opened(rules, args, archive)
        with log_faults(rules, opened.log):
            state = fold(rules, opened.log.line(args.at))
            report = _run(rules, tool, state, args.arguments)
    sys.stdout.write(encode_json(report).decode() + "\n" if args.json else table(report))
    return Exit.OK


def _list(rules: AnyRuleset) -> None:
    for tool in rules.tools:
        words = " ".join(map(_usage, tool.arguments))
        sys.stdout.write(f"{tool.name} {words}\n    {tool.text}\n")
        for argument in tool.arguments:
            sys.stdout.write(f"    {argument.name}: {argument.text}\n")
    sys.stdout.write("Each can be given by its name too, in any order: NAME=VALUE.\n")


def _usage(argument: Argument) -> str:
    return f"<{argument.name}>" if argument.required else f"[{argument.name}]"


def _run(rules: AnyRuleset, tool: Tool, state: object, given: list[str]) -> ToolReport:
    try:
        words = _arguments(tool, given)
        return tool.run(state, arguments_with_places(rules, state, tool, words))
    except ValueError as problem:
        raise Wrong(str(problem)) from None


def _arguments(tool: Tool, given: list[str]) -> dict[str, str]:
    """Return values by argument name: ``NAME=VALUE`` words by name, the other words in order.

    Raises:
        Wrong: an argument is given twice, or there are too many.
    """
    names = [argument.name for argument in tool.arguments]
    found: dict[str, str] = {}
    unnamed: list[str] = []
    for word in given:
        name, sign, value = word.partition("=")
        if not sign or name not in names:
            unnamed.append(word)
        elif name in found:
            raise Wrong(f"{tool.name}: {name} is given twice")
        else:
            found[name] = value
    free = [name for name in names if name not in found]
    if len(unnamed) > len(free):
        raise Wrong(f"{tool.name} takes {len(names)} arguments, not {len(given)}")
    return found | dict(zip(free, unnamed, strict=False))


def _opened(rules: AnyRuleset, args: argparse.Namespace, archive: Archive) -> Opened:
    """Return the save that the arguments name; it must have the entry that they name.

    Raises:
        Wrong: the save is of another ruleset, or has no such entry.
        SaveFault: the save cannot be read.
    """
    opened = archive.read(args.save)
    warn(args.save, opened.remarks)
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


def table(report: ToolReport) -> str:
    """Return a report as aligned text."""
    rows = [report.columns, *(tuple(map(_cell, row)) for row in report.rows)]
    return "\n".join([*columns(rows), *report.remarks]) + "\n"


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return harmless(str(value))


# -- banneret dump --where -------------------------------------------------------------------------


def found(opened: Opened, query: str, viewer: Viewer = REFEREE, *, json: bool) -> Iterator[str]:
    """Yield a line for each moment that matches a query: round, place, description.

    Raises:
        Wrong: the query cannot be parsed (the text gives the column), or the log is broken.
    """
    rules = find(opened.header.ruleset)
    seats = names_in(rules, opened.log)
    own_numbers = not knows_all(rules, viewer)
    story = Story(rules, opened.log.line(), viewer, own_numbers=own_numbers)
    numbers = rules.statistics(rules.empty()) if knows_all(rules, viewer) else {}
    try:
        wanted = parse(query, seats, tuple(numbers))
    except BadQuery as bad:
        raise Wrong(str(bad)) from None
    for _ in story.walk():
        pass
    for moment in wanted.search(story):
        if not json:
            yield described(moment, seats)
            continue
        when = {"place": moment.place, "round": moment.round, "phase": moment.phase}
        yield encode_json({**when, "fact": plain(moment.fact)}).decode()
    if story.fault:
        raise Wrong(f"the log is broken: {story.fault}")


# -- banneret schema -------------------------------------------------------------------------------


def schema(args: argparse.Namespace) -> Exit:
    """Print the JSON schema of a ruleset."""
    text = json.dumps(published(find_rules(args.ruleset)), indent=1, ensure_ascii=False)
    sys.stdout.write(text + "\n")
    return Exit.OK
