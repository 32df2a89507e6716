"""Kill a writing process again and again: ``python -m tests.saves.soak --kills 20000``.

Each round a child writes entries of a known game and acknowledges each; it is killed at a random
moment. Then all acknowledged entries must be in the file, and the next writer must continue it.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from engine.core.archive import SaveFile
from saves.archive import Folder
from tests.saves import games

LONGEST = 0.02
"""Maximum lifetime of a child in seconds."""


def main() -> int:
    """Run the rounds; return 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    folder = args.folder or Path(tempfile.mkdtemp())
    chance = random.Random(args.seed)  # noqa: S311 - moments to kill at
    said_in_all = torn = 0
    for number in range(args.kills):
        said = _round(folder, chance.uniform(0, LONGEST))
        fault, was_torn = _check(folder, said)
        if fault:
            sys.stdout.write(f"round {number}: {fault}; the file is in {folder}\n")
            return 1
        said_in_all += said
        torn += was_torn
    sys.stdout.write(
        f"{args.kills} kills, {said_in_all} entries acknowledged, {torn} torn ends, nothing lost\n"
    )
    return 0


def _round(folder: Path, life: float) -> int:
    """Let a child write for ``life`` seconds; return the number of entries it acknowledged."""
    for path in folder.iterdir():
        path.unlink()
    Folder(folder).create("game", games.header()).close()
    entries = games.played()
    mouth, ear = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(mouth)
        _write(folder, ear, len(entries))
        os._exit(0)
    os.close(ear)
    time.sleep(life)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said = 0
    while block := os.read(mouth, 4096):
        said += len(block)
    os.close(mouth)
    return said


def _write(folder: Path, ear: int, count: int) -> None:
    archive = Folder(folder)
    path = archive.find("game")
    file: SaveFile | None = None
    from saves.frames import START, Frame, scan  # noqa: PLC0415 - the child only
    from saves.lock import lock_of  # noqa: PLC0415 - the child only
    from saves.writer import resume  # noqa: PLC0415 - the child only

    first = next(scan(path.read_bytes()))
    chain = first.chain if isinstance(first, Frame) else START
    good = path.stat().st_size
    file = resume(lock_of(path), good=good, chain=chain, entries=0)
    for entry in games.played()[:count]:
        file.entry(entry)
        os.write(ear, b".")


def _check(folder: Path, said: int) -> tuple[str, bool]:
    """Return the loss ("" if none) and whether the end of the file was torn."""
    archive = Folder(folder)
    entries = games.played()
    if said == 0:
        return "", False
    found = archive.read("game")
    if len(found.log) < said:
        return f"{said} entries were acknowledged, {len(found.log)} are there", False
    if found.log.entries != entries[: len(found.log)]:
        return "an entry differs", False
    opened = archive.open("game")
    if opened.file is None:
        return "no writer", False
    if len(opened.log) < len(entries):
        opened.file.entry(entries[len(opened.log)])
    opened.file.close()
    if len(archive.read("game").log) != min(len(opened.log) + 1, len(entries)):
        return "the next writer could not go on", False
    return "", bool(found.remarks)


if __name__ == "__main__":
    sys.exit(main())
