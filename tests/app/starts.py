"""Start the program many times and continue at once: ``python -m tests.app.starts --count 200``.

The latest save in the folder is a game of a ruleset. Within the first two seconds, while previews
are still being made, keys lead into that game by Continue, Load and Replay in turn, at random
moments. The program must show the board, and end when told to. The exit code is 1 if it ever fails
to.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from saves.archive import Folder
from tests.app.terminal import ENTERS_SCREEN, LEAVES_SCREEN, Terminal
from tests.patience import PATIENCE
from tui.console.faults import keep
from tui.play.setup import NewGame, begin

GAMES: Final = {
    "warlords2": NewGame("warlords2", "narrows", seed=b"1", name="stacks"),
    "gd6": NewGame("gd6", "world", seed=b"1", name="regions"),
    "weltendaemmerung": NewGame("weltendaemmerung", "ford", seed=b"1", name="ford"),
}
WAYS: Final = {"Continue": (b"c",), "Load": (b"l", b"\r"), "Replay": (b"r", b"\r")}
FIRST: Final = 2.0
"""Seconds within which the keys are pressed."""
BETWEEN: Final = 0.3
"""Maximum seconds between two keys."""
INTERRUPTED: Final = 130


def prepared(folder: Path, ruleset: str) -> Path:
    """Fill a player's folder with games; the latest save is of ``ruleset``. Return the folder."""
    saves = Folder(folder / "banneret" / "saves")
    for age, name in enumerate(sorted(GAMES, key=lambda name: name != ruleset)):
        table = begin(saves, GAMES[name], keep)
        table.close()
        assert table.file is not None
        when = 1_700_000_000 - age
        os.utime(saves.find(table.file.name), (when, when))
    return folder


def is_board(shown: str) -> bool:
    """Return whether a game or a replay is open: its keys are in the last row."""
    last = shown.rstrip().splitlines()[-1:]
    return any("undo" in row or "Esc leave" in row for row in last)


def go_in(folder: Path, way: str, wait: float, between: float) -> str:
    """Start the program and enter its latest save; return what went wrong, or "".

    Args:
        folder: of the player.
        way: one of ``WAYS``.
        wait: seconds from the first picture to the first key.
        between: seconds between two keys.
    """
    terminal = Terminal(folder, afresh=True)
    try:
        _read(terminal, PATIENCE, ENTERS_SCREEN)
        _read(terminal, wait)
        for key in WAYS[way]:
            terminal.send(key)
            _read(terminal, between)
        end = monotonic() + PATIENCE
        while terminal.program.poll() is None and not is_board(terminal.shows()):
            if monotonic() > end:
                return f"no board after {PATIENCE} s:\n{terminal.shows()}"
            _read(terminal, 0.1)
        if terminal.program.poll() is None:
            terminal.send(b"\x03")
        code = terminal.end()
        clean = terminal.said.count(LEAVES_SCREEN) == 1 and b"Traceback" not in terminal.said
        last = terminal.said[-2000:].decode(errors="replace")
        return "" if code == INTERRUPTED and clean else f"ended with {code}: {last}"
    finally:
        terminal.close()


def _read(terminal: Terminal, seconds: float, wanted: bytes | None = None) -> None:
    """Read output for ``seconds``, or until ``wanted`` arrives or the program ends."""
    end = monotonic() + seconds
    while monotonic() < end and terminal.program.poll() is None:
        terminal.read(0.02)
        if wanted is not None and wanted in terminal.said:
            return


def main(argv: Sequence[str] | None = None) -> int:
    """Start the program ``--count`` times; print each failure and the number of good starts."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.starts", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many starts")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    args = parser.parse_args(argv)
    chance = random.Random(args.seed)  # noqa: S311 - only picks moments
    through: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folders = {name: Path(place) / name for name in ("warlords2", "gd6")}
        for name, folder in folders.items():
            prepared(folder, name)
        kinds = [(name, way) for name in folders for way in WAYS]
        for number in range(args.count):
            name, way = kinds[number % len(kinds)]
            wait, between = chance.uniform(0, FIRST), chance.uniform(0, BETWEEN)
            fault = go_in(folders[name], way, wait, between)
            if fault:
                sys.stdout.write(f"{number}: {name}, {way} after {wait:.2f} s: {fault}\n")
                sys.stdout.flush()
            else:
                through[name, way] += 1
    for (name, way), count in sorted(through.items()):
        sys.stdout.write(f"{name}, {way}: {count}\n")
    sys.stdout.write(f"{through.total()} of {args.count} starts came through\n")
    return 0 if through.total() == args.count else 1


if __name__ == "__main__":
    sys.exit(main())
