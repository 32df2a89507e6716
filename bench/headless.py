"""Whole games and help without a screen: ``python -m bench.headless``.

A 15-round game between two normal computer players on the 80x40 map should take at most 60 s of
processor time, ``banneret --help`` at most 0.2 s. Both are compared with a Python that only imports
``textual.app``, in the same run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

GAMES = 3
STARTS = 15
MOST_GAME = 60.0
MOST_HELP = 0.2

TEXTUAL = (sys.executable, "-c", "import textual.app")
HELP = (sys.executable, "-m", "app", "--help")


def game(seed: int) -> Sequence[str]:
    """Return the command that plays a whole game."""
    seats = ("--seat", "Eldoin=bot:normal", "--seat", "Dailor=bot:normal")
    options = ("--scenario", "thainfal", "--seed", str(seed), "--quiet")
    return (
        sys.executable,
        "-m",
        "app",
        "run",
        "--ruleset",
        "weltendaemmerung",
        *options,
        *seats,
        "-",
    )


def wall(command: Sequence[str]) -> float:
    """Return the seconds from start to end of a command."""
    start = time.perf_counter()
    _run(command)
    return time.perf_counter() - start


def processor(command: Sequence[str]) -> float:
    """Return the seconds of processor time of a command and its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _run(command: Sequence[str]) -> None:
    subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, timeout=600
    )


def main() -> None:
    """Measure in turns; print medians and ratios."""
    helps, imports = [], []
    for _ in range(STARTS):
        helps.append(wall(HELP))
        imports.append(wall(TEXTUAL))
    games = [processor(game(seed)) for seed in range(1, GAMES + 1)]
    unit = median(imports)
    print(f"{'':34}{'ratio':>8}")
    print(
        f"{'help : import textual.app':34}{median(helps) / unit:8.2f}"
        f"   {median(helps):.3f} s (at most {MOST_HELP} s), {unit:.3f} s"
    )
    print(
        f"{'a game : import textual.app':34}{median(games) / unit:8.1f}"
        f"   {median(games):.2f} s of processor time (at most {MOST_GAME:.0f} s)"
    )


if __name__ == "__main__":
    main()
