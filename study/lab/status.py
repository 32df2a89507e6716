"""``banneret lab status``: the progress of a run, even if another process is playing it.

The process that plays a run writes its state to the run's folder every few seconds. Without it, or
after that process was killed, the state is computed from the results.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from engine.core.codec import encode_json
from engine.core.record import Record, replace
from study.lab.live import add_known, display_of
from study.lab.plans import PLAN_FILE
from study.lab.progress import RunStatus, tally_of
from study.lab.status_lines import (
    RICH,
    BlockStyle,
    StyledText,
    block,
    sentence,
    span_words,
    style_for,
)
from study.lab.store import RunFolder, default_runs, run_named
from study.lab.terminal_block import TerminalBlock
from study.lab.testing import RunningTest
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, raw, say, say_report
from tui.terminal.capabilities import USUAL, here

NEVER: Final = "never begun"

_LOOK: Final = 0.1
_READ: Final = 1.0
_PLAYING: Final = frozenset({"starting", "running", "paused", "stopping"})


class ListedRun(Record, frozen=True):
    """One row of the list of all runs."""

    run: str
    ruleset: str
    format: str
    state: str
    done: int
    total: int
    left: float | None
    fault: str = ""
    """Reason why its folder cannot be read; empty if it can."""


def status_of(folder: RunFolder) -> RunStatus:
    """Return the state of a run.

    Raises:
        Wrong: its folder is damaged.
    """
    is_played, noted = folder.is_locked, folder.progress()
    if noted is not None and (noted.state in _PLAYING) == is_played:
        return replace(noted, run=folder.path.name)
    found = _of_results(folder)
    return replace(found, state="running") if is_played else found


def _of_results(folder: RunFolder) -> RunStatus:
    """Compute the state of a run from its results."""
    plan = folder.plan
    status = RunStatus(folder.path.name, plan.ruleset, plan.format, NEVER)
    if not folder.has_setup:
        return status
    setup = folder.setup
    tally = tally_of(plan, setup)
    total = add_known(tally, folder, setup)
    test = RunningTest(folder, setup) if plan.test is not None else None
    is_over = tally.done == total or (test is not None and test.is_decided())
    return replace(
        status,
        state="over" if is_over else "stopped",
        done=tally.done,
        total=total,
        faults=tally.faults,
        bots=tally.bots(),
        test=None if test is None else test.status(),
        fault=tally.fault,
    )


def run_names(runs: Path) -> list[str]:
    """Return the names of all runs in a folder, those of experiments as ``PARENT/NAME``."""
    found = {*runs.glob(f"*/{PLAN_FILE}"), *runs.glob(f"*/*/{PLAN_FILE}")}
    return sorted(path.parent.relative_to(runs).as_posix() for path in found)


def listed_runs(runs: Path) -> Iterator[ListedRun]:
    """Yield all runs of a folder, by name; those of an experiment follow each other."""
    for name in run_names(runs):
        try:
            found = status_of(RunFolder.read(runs / name))
        except Wrong as problem:
            yield ListedRun(name, "", "", "damaged", 0, 0, None, str(problem))
            continue
        form = "test" if found.test is not None else found.format
        left = found.left if found.state == "running" else None
        yield ListedRun(name, found.ruleset, form, found.state, found.done, found.total, left)


def run_table(found: Sequence[ListedRun]) -> list[str]:
    """Format runs as a table."""
    if not found:
        return ["There is no run; 'banneret lab run' plays one."]
    rows = [("run", "game", "format", "state", "games", "left")]
    for one in found:
        most = "of at most" if one.format == "test" else "of"
        is_known = one.state not in {NEVER, "damaged"}
        games = f"{one.done:,} {most} {one.total:,}" if is_known else "-"
        left = "-" if one.left is None else span_words(one.left)
        rows.append((one.run, one.ruleset, one.format, one.state, games, left))
    faults = (one.fault for one in found if one.fault)
    return [*columns(rows), *faults]


def status_text(status: RunStatus, style: BlockStyle) -> list[str]:
    """Format the block of a run as text."""
    return ["".join(text for text, _ in line).rstrip() for line in block(status, style)]


def told_status(name: str | None, *, json: bool) -> list[str]:
    """Return the state of a run in the default folder, or the list of all, for remote readers.

    Raises:
        Wrong: the run does not exist. A name is never a path here.
    """
    runs = default_runs()
    if name is None:
        found = list(listed_runs(runs))
        return [encode_json(one).decode() for one in found] if json else run_table(found)
    if name not in run_names(runs):
        raise Wrong(f"there is no run {name[:60]!r}; lab status lists them")
    status = status_of(RunFolder.read(runs / name))
    style = BlockStyle(USUAL[0] - 1, USUAL[1] - 1, RICH)
    return [encode_json(status).decode()] if json else status_text(status, style)


# -- the verb ----------------------------------------------------------------------------------


def status_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Show the state of a run, or list all runs.

    Raises:
        Wrong: the run does not exist, or its folder is damaged.
    """
    del ports
    if args.run is None:
        if args.follow:
            raise Wrong("say which run is to be followed")
        found = list(listed_runs(Path(args.runs) if args.runs else default_runs()))
        say_report(run_table(found), *found, json=args.json)
        return Exit.OK
    path = run_named(args.run, args.runs)
    if args.follow:
        _follow(path, args)
    status = status_of(RunFolder.read(path))
    if args.json or args.plain:
        say_report([sentence(status)], status, json=args.json)
    elif not args.follow or not raw(sys.stderr).isatty():
        _print(status)
    return Exit.OK


def _print(status: RunStatus) -> None:
    """Print the block of a run once."""
    stream, capabilities = raw(sys.stdout), here()
    if not stream.isatty() or not capabilities.usable:
        say(*status_text(status, style_for(capabilities, *USUAL)))
        return
    try:
        width, _ = os.get_terminal_size(stream.fileno())
    except OSError:
        width, _ = USUAL
    style = style_for(capabilities, width, 1000)
    lines = block(status, style)
    TerminalBlock(stream, has_colours=style.has_colours).draw(lines, width, 1000)


def follow_keys(status: RunStatus) -> tuple[StyledText, ...]:
    """Return the bottom line of the block of a run that another process plays."""
    del status
    return ("q", "key"), (" leaves; the run goes on", "faint")


def _same(status: RunStatus) -> RunStatus:
    return status


def _follow(path: Path, args: Namespace) -> None:
    """Show the state of a run until it ends or a key is pressed to leave."""
    with ExitStack() as stack:
        display = display_of(stack, json=args.json, plain=args.plain, bottom=follow_keys)
        status, read = status_of(RunFolder.read(path)), monotonic()
        while status.state in _PLAYING:
            keys = display.pressed()
            if "q" in keys.lower():
                break
            now = monotonic()
            if now - read >= _READ:
                status, read = status_of(RunFolder.read(path)), now
            display.show(partial(_same, status), now, at_once="\n" in keys)
            sleep(_LOOK)
        display.end(status)
