"""Memory of a full game: ``python -m bench.memory [--save FILE]``.

A screen with a full game should stay under 90 MB. It measures the screen's process and, separately,
the computer players' process: in the replay of a whole game after stepping through it, and in the
same game shortly before its end while two computer players play on. They are compared with a Python
that only imports ``textual.app``, in the same run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from bench.games import arguments, long_game
from bench.terminal import Terminal
from saves.archive import Folder
from saves.reader import Reading

MOST = 90.0
PLAYED = 0.9
"""Share of the whole game that has been played when it is opened."""
SIZE = (160, 50)
HOMES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
STEPS = 40
KEYS = (b"\x1b[H", b"\x1b[F", *(b"h",) * STEPS)
"""In a replay: to the first entry, to the last, and back step by step."""
ALONE = "import textual.app; print(next(s for s in open('/proc/self/status') if 'VmRSS' in s))"


def main() -> int:
    """Measure both; return 1 if the screen needs too much."""
    found = long_game(arguments(__doc__))
    unit = int(_said(ALONE).split()[1]) / 1024
    with TemporaryDirectory() as folder:
        copy(found.path, Path(folder) / "whole.bnr")
        _beginning(found, Path(folder))
        replay = _replay(folder)
        screen, worker = _playing(folder)
    print(f"{len(found.log):,} entries; import textual.app alone takes {unit:.0f} MB")
    print(f"{'':42}{'MB':>5}{': import':>10}{': 90 MB':>9}")
    _tell("screen, replay of the whole game", replay, unit)
    _tell("screen, computers play on", screen, unit)
    _tell("computer players' own process (no bar)", worker, unit)
    return int(max(replay, screen) > MOST)


def _replay(folder: str) -> float:
    terminal = _shown("replay", "whole", folder)
    for key in KEYS:
        terminal.press(key)
    size = resident(terminal.process.pid)
    terminal.end()
    return size


def _playing(folder: str) -> tuple[float, float]:
    """Return the memory of the screen while computers play, and of their process."""
    terminal = _shown("play", "beginning", folder)
    sizes, workers = [resident(terminal.process.pid)], [0.0]
    for _ in range(STEPS):
        terminal.press(b"l")
        sizes.append(resident(terminal.process.pid))
        workers += [resident(child) for child in _children(terminal.process.pid)]
    terminal.end()
    return max(sizes), max(workers)


def _shown(command: str, name: str, folder: str) -> Terminal:
    words = [sys.executable, "app.py", command, name, "--saves", folder]
    terminal = Terminal(words, SIZE, dict.fromkeys(HOMES, folder))
    terminal.until("phase")
    return terminal


def resident(process: int) -> float:
    """Return the resident megabytes of a process; 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return int(sizes[0]) / 1024 if sizes else 0.0


def _children(process: int) -> list[int]:
    told = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return [int(word) for word in told.split()]


def _beginning(found: Reading, folder: Path) -> None:
    """Save the same game up to ``PLAYED`` of its length."""
    file = Folder(folder).create("beginning", found.header)
    file.patient = True
    for entry in found.log.entries[: int(PLAYED * len(found.log))]:
        file.entry(entry)
    file.close()


def _said(script: str) -> str:
    command = (sys.executable, "-c", script)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _tell(name: str, size: float, unit: float) -> None:
    print(f"{name:42}{size:5.0f}{size / unit:10.2f}{size / MOST:9.2f}")


if __name__ == "__main__":
    sys.exit(main())
