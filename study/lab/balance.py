"""``banneret lab balance``: experiments with one bot in all seats, cell by cell on common seeds."""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.core.codec import encode_json
from engine.core.options import OptionFault, parse_options
from study.lab.bots import BotSpec, read_bot
from study.lab.experiments import (
    ALPHA,
    MEANS,
    PLANTED,
    ExperimentCell,
    ExperimentRow,
    analysed,
    is_share,
)
from study.lab.games import GameResult
from study.lab.plans import LabPlan, LabSetup, plan_of, seats_remark, setup_of
from study.lab.running import Workers, play_run
from study.lab.stages import games_of
from study.lab.store import RunFolder, default_runs, run_path
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say, say_json
from tui.play.continuation import usual_level
from tui.play.scenarios import find_rules

_OPTION: Final = "option."
_USUAL_SEATS: Final = 0


class BalanceRun(NamedTuple):
    """Run of one bot with one number of seats, with a cell for each start."""

    plan: LabPlan
    bot: BotSpec
    factors: tuple[dict[str, str], ...]
    """By start, in the order of the setup: the varied values by name."""


# -- from a command line to runs ---------------------------------------------------------------


def balance_runs(args: Namespace) -> list[BalanceRun]:
    """Return the runs of an experiment, one for each bot and number of seats.

    Raises:
        Wrong: something is varied that cannot be.
    """
    rules = find_rules(args.ruleset)
    varied = _varied(args)
    options = {
        name.removeprefix(_OPTION): values
        for name, values in varied.items()
        if name.startswith(_OPTION)
    }
    bots = [read_bot(text) for text in args.bot or [usual_level(rules)]]
    names = [bot.name for bot in bots]
    if len(set(names)) < len(names):
        raise Wrong("two bots have one name; write NAME=… before one of them")
    numbers = [_seats(text) for text in varied.get("seats", ())] or [args.seats or _USUAL_SEATS]
    scenarios = varied.get("scenario", ())
    runs = []
    for bot, seats in product(bots, numbers):
        shown: dict[str, Sequence[str]] = {}
        if len(bots) > 1:
            shown["bot"] = [bot.name]
        if len(numbers) > 1:
            shown["seats"] = [str(seats)]
        if len(scenarios) > 1:
            shown["scenario"] = [Path(text).stem for text in scenarios]
        shown |= options
        factors = tuple(
            dict(zip(shown, values, strict=True)) for values in product(*shown.values())
        )
        plan = _plan(args, bot, seats, scenarios, options)
        runs.append(BalanceRun(plan, bot, factors))
    return runs


def _plan(
    args: Namespace,
    bot: BotSpec,
    seats: int,
    scenarios: Sequence[str],
    options: Mapping[str, Sequence[str]],
) -> LabPlan:
    fields: dict[str, Any] = {
        "ruleset": args.ruleset,
        "bots": [str(bot)],
        "scenarios": list(scenarios),
        "options": _options(args.option),
        "seats": seats,
        "vary": {name: list(values) for name, values in options.items()},
    }
    for name in ("pairs", "seed", "longest"):
        if (value := getattr(args, name)) is not None:
            fields[name] = value
    try:
        return plan_of(fields)
    except ValueError as problem:
        raise Wrong(str(problem)) from None


def _options(words: Sequence[str]) -> dict[str, Any]:
    try:
        return dict(parse_options(words))
    except OptionFault as fault:
        raise Wrong(str(fault)) from None


def _varied(args: Namespace) -> dict[str, tuple[str, ...]]:
    """Return the values of everything varied: ``seats``, ``scenario`` and ``option.NAME``."""
    found: dict[str, tuple[str, ...]] = {"scenario": tuple(args.scenario)} if args.scenario else {}
    for word in args.vary:
        name, sign, text = word.partition("=")
        values = tuple(filter(None, text.split(",")))
        is_known = name in {"scenario", "seats"} or (name.startswith(_OPTION) and name != _OPTION)
        if not sign or not values or not is_known:
            known = "option.NAME=A,B, scenario=A,B or seats=2,3"
            raise Wrong(f"--vary {word}: it is written {known}")
        if name in found:
            raise Wrong(f"--vary {word}: {name} is given twice")
        if len(set(values)) < len(values):
            raise Wrong(f"--vary {word}: a value stands twice")
        found[name] = values
    return found


def _seats(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise Wrong(f"--vary seats={text}: that is no number of seats")
    return int(text)


# -- playing -----------------------------------------------------------------------------------


def balance_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Play an experiment, or the rest of it, and print its table.

    Raises:
        Wrong: an argument is wrong, or the folder belongs to another run.
    """
    runs = balance_runs(args)
    setups = [setup_of(run.plan) for run in runs]
    paths = _paths(runs, args.output, args.runs)
    cells: list[ExperimentCell] = []
    for run, setup, path in zip(runs, setups, paths, strict=True):
        folder = RunFolder.create(path, run.plan)
        if not _played(folder, setup, args, ports):
            place = path if len(runs) == 1 else path.parent
            sys.stderr.write(f"banneret lab: stopped; the same command goes on with {place}\n")
            return Exit.INTERRUPTED
        cells += cells_of(run, setup, folder)
    _print(analysed(cells), cells, args.format)
    return Exit.OK


def _paths(runs: Sequence[BalanceRun], output: str | None, where: str | None) -> list[Path]:
    """Return the folder of each run; several runs share a parent folder."""
    if len(runs) == 1:
        return [run_path(runs[0].plan, output, where)]
    plans = encode_json(tuple(run.plan for run in runs))
    digest = hashlib.blake2b(plans, digest_size=3).hexdigest()
    home = Path(where) if where else default_runs()
    base = Path(output) if output else home / f"{runs[0].plan.ruleset}-balance-{digest}"
    return [base / f"{run.bot.name}-{run.plan.seats or 'usual'}" for run in runs]


def _played(folder: RunFolder, setup: LabSetup, args: Namespace, ports: LabPorts) -> bool:
    from study.lab.live import watcher_of  # noqa: PLC0415 - knows the terminal

    with folder:
        for remark in filter(None, (*folder.remarks, seats_remark(folder.plan))):
            sys.stderr.write(f"banneret lab: {remark}\n")
        with watcher_of(folder, setup, plain=args.plain) as watcher:
            workers = Workers.of(args)
            return play_run(folder, setup, workers, watcher, ports)


def cells_of(run: BalanceRun, setup: LabSetup, folder: RunFolder) -> list[ExperimentCell]:
    """Return the cells of a run, one for each start."""
    games: list[list[GameResult]] = [[] for _ in setup.starts]
    broken = [0] * len(setup.starts)
    for game in games_of(run.plan, setup, folder.rows):
        if game.row is None or game.row.fault is not None:
            broken[game.task.start] += 1
        else:
            games[game.task.start].append(game.row)
    return [
        ExperimentCell(factors, start.seats, tuple(own), lost)
        for factors, start, own, lost in zip(run.factors, setup.starts, games, broken, strict=True)
    ]


# -- tables ------------------------------------------------------------------------------------


def _print(
    rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell], form: str | None
) -> None:
    if form == "csv":
        sys.stdout.write(as_csv(rows))
    elif form == "json":
        say_json(*(encode_json(row).decode() for row in rows))
    elif form == "markdown":
        say(*_markdown(rows, cells))
    else:
        say(*_text(rows, cells))


def as_csv(rows: Sequence[ExperimentRow]) -> str:
    """Return the rows as comma-separated values, one number or effect per line."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    fields = ExperimentRow.__struct_fields__
    writer.writerow(fields)
    for row in rows:
        values = (getattr(row, name) for name in fields)
        writer.writerow("" if value is None else value for value in values)
    return file.getvalue()


def _text(rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]) -> Iterator[str]:
    yield from columns(cell_table(rows, cells))
    effects = effect_table(rows)
    if len(effects) > 1:
        yield ""
        yield from columns(effects)
    yield ""
    yield from remarks(rows, cells)


def _markdown(rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]) -> Iterator[str]:
    yield from _piped(cell_table(rows, cells))
    effects = effect_table(rows)
    if len(effects) > 1:
        yield ""
        yield from _piped(effects)
    yield ""
    yield from (f"- {remark}" for remark in remarks(rows, cells))


def _piped(table: Sequence[Sequence[str]]) -> Iterator[str]:
    for number, row in enumerate(table):
        yield f"| {' | '.join(text.replace('|', '/') for text in row)} |"
        if number == 0:
            yield f"|{'---|' * len(row)}"


def cell_table(rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]) -> list[list[str]]:
    """Return the table of all cells, one line each, with the victories of seats and intervals."""
    found: dict[str, dict[str, ExperimentRow]] = {}
    for row in rows:
        if row.kind == "cell":
            found.setdefault(row.cell, {})[row.figure] = row
    seats = [f"seat {seat + 1}" for seat in range(max(cell.seats for cell in cells))]
    games = {cell.name: str(len(cell.games)) for cell in cells}
    is_broken = any(cell.broken for cell in cells)
    broken = {cell.name: str(cell.broken) for cell in cells}
    head = ["cell", "games", *(["broken off"] if is_broken else []), *seats]
    table = [[*head, "p (Holm)", "games for +/- 2 %", "first mover", *MEANS, "ends"]]
    for name, own in found.items():
        line = [name, games.get(name, str(sum(len(cell.games) for cell in cells)))]
        line += [broken.get(name, "")] if is_broken else []
        line += [_estimate(own.get(seat)) for seat in seats]
        line += [_tested(own.get(seat) for seat in seats), _needed(own.get(seats[0]))]
        line += [_number(own.get(figure)) for figure in ("first mover", *MEANS)]
        table.append([*line, _ends(own.values())])
    return table


def _ends(rows: Any) -> str:
    said = "ended by "
    return ", ".join(
        f"{row.figure.removeprefix(said)} {row.value:.0%}"
        for row in rows
        if row.figure.startswith(said)
    )


def _tested(rows: Iterator[ExperimentRow | None]) -> str:
    """Return the smallest adjusted p of the seats of a cell."""
    found = [row.adjusted for row in rows if row is not None and row.adjusted is not None]
    return _p(min(found)) if found else ""


def effect_table(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the table of the effects, one line each."""
    table = [["effect", "of", "difference", "95 %", "seeds", "p", "p (Holm)", "seeds for +/- 2 %"]]
    for row in rows:
        if row.kind == "effect":
            what = f"{row.cell} against {row.against}"
            unit = 100 if is_share(row.figure) else 1
            sign = " points" if unit == 100 else ""
            value = f"{unit * row.value:+.2f}{sign}"
            limits = ""
            if row.low is not None and row.high is not None:
                limits = f"{unit * row.low:+.2f} to {unit * row.high:+.2f}"
            p = [_p(row.p), _p(row.adjusted)]
            table.append([what, row.figure, value, limits, str(row.games), *p, _needed(row)])
    return table


def _p(p: float | None) -> str:
    if p is None:
        return ""
    return ("<0.001" if p < 0.001 else f"{p:.3f}") + ("*" if p < ALPHA else "")


def _needed(row: ExperimentRow | None) -> str:
    return "" if row is None or row.needed is None else str(row.needed)


def _number(row: ExperimentRow | None) -> str:
    if row is None:
        return ""
    return f"{row.value:.1%}" if is_share(row.figure) else f"{row.value:.2f}"


def _estimate(row: ExperimentRow | None) -> str:
    if row is None:
        return ""
    if row.low is None or row.high is None:
        return f"{row.value:.1%}"
    return f"{row.value:.1%} ({row.low:.1%} to {row.high:.1%})"


def remarks(rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]) -> Iterator[str]:
    """Yield the remarks below the tables: how to read them, and what this many games can find."""
    tests = sum(row.p is not None for row in rows)
    yield "Victories of seats are shares of the games with a winner, with their 95 % intervals."
    yield f"p is adjusted by Holm's method over {tests} tests; * is below {ALPHA:g}."
    powers = [row.power for row in rows if row.power is not None]
    if powers:
        least, most = min(powers), max(powers)
        share = f"{least:.0%}" if most - least < 0.005 else f"{least:.0%} to {most:.0%}"
        yield f"A seat's advantage of {PLANTED:.0%} in one cell is found with probability {share}."
    for row in rows:
        if row.is_found and row.kind == "cell":
            yield f"{row.cell}: {row.figure} wins {row.value:.1%}, and that is not chance."
    broken = sum(cell.broken for cell in cells)
    if broken:
        yield f"{broken} games broke off and stand in no other number."
