"""``impact``: which saves of a folder give a different result with other rules, and why."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from engine.core.archive import Archive
from engine.core.record import Record
from engine.debug.parting import PartedGame, PartingGroup, grouped
from engine.tabletop.english import many
from study.debug.comparing import Compared, RuleComparison, as_data, cause_text, tree_named
from study.debug.debugger import Answer
from study.debug.decider_process import DEADLINE
from study.debug.trees import SourceTree
from tui.console.exits import Wrong
from tui.console.printing import raw

SUFFIX: Final = ".bnr"
_MOST_FAULTS: Final = 5
"""Maximum undecidable saves that are named; the others are counted."""


class Impact(Record, frozen=True):
    """Effect of a change of rules on some saves."""

    agree: int
    groups: tuple[PartingGroup, ...]
    faults: tuple[tuple[str, str], ...] = ()
    """Saves that this program cannot decide, each with the reason."""

    @property
    def parted(self) -> int:
        """Number of saves with a parting."""
        return sum(len(group.games) for group in self.groups)

    @property
    def saves(self) -> int:
        """Number of all saves, those that cannot be decided included."""
        return self.agree + self.parted + len(self.faults)

    def __str__(self) -> str:
        ways = many(len(self.groups), "way")
        parted = f", {self.parted} part in {ways}" if self.groups else ""
        faults = f", {len(self.faults)} cannot be decided" if self.faults else ""
        return f"{many(self.saves, 'save')}: {self.agree} agree{parted}{faults}"


def saves_in(folder: Path) -> list[Path]:
    """Return the saves of a folder, by name.

    Raises:
        Wrong: the folder has no saves.
    """
    found = sorted(path.resolve() for path in folder.glob(f"*{SUFFIX}") if path.is_file())
    if not found:
        raise Wrong(f"{folder}: there are no saves in it")
    return found


class ImpactRun:
    """Comparison of many saves that can be stopped; finished results are kept."""

    def __init__(self, there: SourceTree, jobs: int = 1, deadline: float = DEADLINE) -> None:
        """Compare with a tree, ``jobs`` saves at a time, two processes for each."""
        self._there, self._jobs, self._deadline = there, jobs, deadline
        self.done: dict[str, Compared] = {}

    def run(self, saves: Sequence[Path]) -> Generator[int, None, None]:
        """Compare saves; yield the number of finished ones after each.

        Raises:
            Wrong: a side cannot be started.
        """
        pairs = [RuleComparison(self._there, self._deadline) for _ in range(self._jobs)]
        idle: SimpleQueue[RuleComparison] = SimpleQueue()
        for pair in pairs:
            idle.put(pair)

        def compared(save: Path) -> tuple[str, Compared]:
            pair = idle.get()
            try:
                return save.stem, pair.compare(save)
            finally:
                idle.put(pair)

        pool = ThreadPoolExecutor(self._jobs)
        waiting: set[Future[tuple[str, Compared]]] = set()
        try:
            pairs[0].start()
            waiting = {pool.submit(compared, save) for save in saves}
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in ready:
                    name, found = one.result()
                    self.done[name] = found
                yield len(self.done)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for pair in pairs:
                pair.close()

    @property
    def result(self) -> Impact:
        """Result of the saves finished so far."""
        rows = sorted(self.done.items())
        parted = [PartedGame(name, one.parting) for name, one in rows if one.parting is not None]
        faults = tuple((name, one.fault) for name, one in rows if one.fault)
        return Impact(len(rows) - len(parted) - len(faults), grouped(parted), faults)


def usual_jobs() -> int:
    """Return the default number of saves compared at a time: one for each two cores."""
    return max(1, len(os.sched_getaffinity(0)) // 2) if hasattr(os, "sched_getaffinity") else 1


# -- the verb --------------------------------------------------------------------------------------


def impact(folder: Path, args: Namespace, _: Archive) -> Iterator[Answer]:
    """Report which saves of a folder part from other rules, grouped by the reason."""
    saves = saves_in(folder)
    tree = tree_named(args)
    running = ImpactRun(tree, args.jobs or usual_jobs(), args.deadline or DEADLINE)
    try:
        for count in running.run(saves):
            _progress(f"{count}/{len(saves)} saves")
    except KeyboardInterrupt:
        _progress("")
        yield Answer(f"stopped after {len(running.done)} of {len(saves)} saves")
        yield from _told(running.result, tree)
        raise
    finally:
        _progress("")
    yield from _told(running.result, tree)


def _told(found: Impact, tree: SourceTree) -> Iterator[Answer]:
    data = {"with": tree.name, "saves": found.saves, "agree": found.agree, "parted": found.parted}
    yield Answer(str(found) + (":" if found.groups else ""), data=data)
    for group in found.groups:
        first = group.smallest
        rows = {"count": len(group.games), **as_data(first.parting), "text": str(group)}
        rows |= {"smallest": first.name, "saves": [game.name for game in group.games]}
        yield Answer(f"  {group}: {first.name} at {first.parting.place}", data=rows)
        why = first.parting.cause
        text = cause_text(why) if why is not None else first.parting.difference.there
        yield Answer(f"      {text}")
    reasons = Counter(fault for _, fault in found.faults)
    for name, fault in found.faults[:_MOST_FAULTS]:
        yield Answer(f"  {name} cannot be decided: {fault}", data={"save": name, "fault": fault})
    if len(found.faults) > _MOST_FAULTS:
        rest = len(found.faults) - _MOST_FAULTS
        yield Answer(f"  and {rest} more; {len(reasons)} reasons in all")


def _progress(text: str) -> None:
    """Show progress on standard error, if that is a terminal."""
    stream = raw(sys.stderr)
    if stream.isatty():
        stream.write(f"\r\x1b[K{text}")
        stream.flush()
