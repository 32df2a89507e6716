"""``debug FOLDER impact``, beside ``verify`` of the same saves: ``python -m bench.debug_impact``.

300 saves of 600 entries should take at most 120 s on two cores. Some saves of that length are made
and copied; what they take is scaled to 300 of 600 entries. The other rules are a copy of these with
one fault, in which every save of one ruleset parts; once more with none, in which none does. The
start of both sides, which a run pays once, is measured with one save of each ruleset.
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
from tests.debug.corpus import SORTS, corpus
from tests.debug.planted import FAULTS, ROOT, planted_copy
from tui.debug.impact import ImpactRun, saves_in, usual_jobs
from tui.debug.trees import SourceTree

SAVES = 300
ENTRIES = 600
BAR = 120.0


def seconds(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def verified(saves: Sequence[Path]) -> None:
    """Verify saves one after the other, in this process."""
    for path in saves:
        found = read(path)
        verify(find(found.header.ruleset), found.log)


def compared(tree: Path, folder: Path) -> ImpactRun:
    """Run ``impact`` over a folder."""
    running = ImpactRun(SourceTree(tree, "other"), usual_jobs())
    for _ in running.run(saves_in(folder)):
        pass
    return running


def copies(folder: Path, each: int, entries: int) -> int:
    """Make saves of all rulesets, and copies of them; the number of their entries."""
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
    """Print seconds, entries a second, and the ratio to ``verify``."""
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
