"""Speed of ``debug FOLDER impact`` against ``verify``: ``python -m bench.debug_impact``.

300 saves of 600 entries should take at most 120 s on two cores. Some saves of that length are made
and copied; their time is scaled to 300 saves of 600 entries. The other rules are a copy of these
with one fault, where every save of one ruleset diverges; another run has no fault and no
divergence. The start of both sides, which occurs once per run, is measured with one save of each
ruleset.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from engine.core.registry import find
from engine.core.replay import verify
from saves.reader import read
from study.debug.impact import ImpactRun, saves_in, usual_jobs
from study.debug.trees import SourceTree
from tests.debug.corpus import SORTS, corpus
from tests.debug.planted import FAULTS, ROOT, planted_copy

SAVES = 300
ENTRIES = 600
BAR = 120.0


def seconds(work: Callable[[], object]) -> float:
    """Return the wall-clock time of a call in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def verified(saves: Sequence[Path]) -> None:
    """Verify saves one after the other in this process."""
    for path in saves:
        found = read(path)
        verify(find(found.header.ruleset), found.log)


def compared(tree: Path, folder: Path) -> ImpactRun:
    """Run ``impact`` over a folder against a tree; return the finished run."""
    running = ImpactRun(SourceTree(tree, "other"), usual_jobs())
    for _ in running.run(saves_in(folder)):
        pass
    return running


def copies(folder: Path, each: int, entries: int) -> int:
    """Make saves of all rulesets, and copies of them; return the number of their entries."""
    total = 0
    for name in SORTS:
        made = corpus(folder, name, 2, entries)
        for path in made:
            length = len(read(path).log)
            total += each * length
            for number in range(1, each):
                shutil.copy2(path, folder / f"{path.stem}-{number}.bnr")
    return total


def main() -> None:
    """Print seconds, entries per second, and the ratio to ``verify``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=12, help="of each of the saves that are made")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "saves")
        entries = copies(folder, args.copies, ENTRIES)
        saves = saves_in(folder)
        short = Path(place, "short")
        for name in SORTS:
            corpus(short, name, 1, 5)
        changed = planted_copy(FAULTS[0], Path(place, "tree"))
        alone = seconds(lambda: verified(saves))
        print(f"{len(saves)} saves, {entries} entries; verify: {alone:.1f} s")
        for word, tree in (("none part", ROOT), ("some part", changed)):
            begun = seconds(partial(compared, tree, short))
            took = max(0.001, seconds(partial(compared, tree, folder)) - begun)
            whole = begun + took / entries * SAVES * ENTRIES
            print(
                f"impact, {word}: start {begun:.1f} s, then {took:.1f} s,"
                f" {entries / took:.0f} entries/s, {took / alone:.2f} of verify;"
                f" {SAVES} saves of {ENTRIES}: {whole:.0f} s (bar {BAR:.0f} s)"
            )


if __name__ == "__main__":
    main()
