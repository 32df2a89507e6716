"""Read saves in four threads at once: ``python -m tests.saves.at_once FOLDER...``

Threads switch after every few instructions, so that half-built shared objects are found. A separate
process reads each folder. It is forked from a process that has not read any save.
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
    """Read the save ``game`` in all threads; print the number of entries read by each."""
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
