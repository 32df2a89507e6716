"""``python -m tests.saves.at_once FOLDER...``: the program's first reading, four threads at once.

Threads take turns after every few instructions, so that whatever is shared half made is met so.
Each folder is read in a process of its own, forked from one that has read nothing yet.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, RLock

from engine.core import codec
from engine.core.registry import find
from saves.archive import Folder

THREADS = 4


def main(folder: Path) -> None:
    """Read the save ``game`` in all threads; print the number of entries that each has read."""
    codec.share(RLock())
    archive, start = Folder(folder), Barrier(THREADS)
    (info,) = archive.listing()
    rules = find(info.ruleset)

    def read(_: int) -> int:
        start.wait()
        opened = archive.read("game")
        archive.keyframes(opened, rules.state_type)
        return len(opened.log)

    sys.setswitchinterval(1e-6)
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(read, range(THREADS)))
    sys.stdout.write(f"{found}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        process = os.fork()
        if process == 0:
            main(Path(name))
            sys.exit(0)
        if os.waitpid(process, 0)[1]:
            sys.exit(f"{name} cannot be read")
