"""Speed and size of the screen under a pseudo-terminal, compared with other programs.

    python -m bench.screen [--game weltendaemmerung|warlords2] [--quick] [--rounds N]

The full game of 80 x 40 cells and 292 units, and then Warlords II's full map with 8 sides and 400
armies (``bench/stages.py``); each is compared with Debian's ``crawl`` in its look mode (``apt-get
install crawl``) and with a simple widget (``bench/naive.py``). All take turns in a shuffled order.
Every missed bar is marked, and the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from bench.stages import STAGES, Cell, Stage
from bench.terminal import PATIENCE, Answer, Terminal
from saves.archive import Folder
from tui.console.faults import keep
from tui.play.setup import begin

LARGE, USUAL = (120, 40), (80, 24)
STEPS = b"lllljjjjhhhhkkkk" * 2
"""Round trip of the cursor among pieces, so that each step changes the text of the panel."""
WALK = b"l" * 50 + b"j" * 35 + b"h" * 40 + b"k" * 15
WALK_LEADS = 10, 20
"""Columns and rows between the beginning and the end of the walk."""
BURST = b"l" * 60 + b"j" * 30 + b"h" * 40 + b"k" * 20 + b"l" * 30 + b"j" * 5 + b"k" * 15
BURST_LEADS = 50, 0
"""Columns and rows between the beginning and the end of the burst of 200 keys."""
HELD = b"l" * 8 + b"j" * 16 + b"h" * 16 + b"k" * 16 + b"l" * 8
"""Round trip of the cursor around a stack that is held."""
CRAWL = shutil.which("crawl") or shutil.which("crawl", path="/usr/games")
CRAWL_RC = """name = bench
species = minotaur
background = fighter
weapon = war axe
restart_after_game = false
show_more = false
"""


@dataclass
class Found:
    """Measurements of the screen, by name."""

    steps: dict[str, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    paints: dict[str, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    walks: dict[str, list[list[Answer]]] = field(default_factory=lambda: defaultdict(list))
    taken: list[Answer] = field(default_factory=list)
    """Answers to picking up a stack."""
    held: list[Answer] = field(default_factory=list)
    """Steps of the cursor while the stack is held."""
    bursts: list[Answer] = field(default_factory=list)
    busy: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds of processor time of our program, per key or for all keys."""
    lost: int = 0
    """Number of bursts after which the cursor was in the wrong place."""


class Bench:
    """Runs the programs to measure."""

    def __init__(self, folder: Path, stage: Stage) -> None:
        self.folder, self.stage = folder, stage
        self.found = Found()
        begin(Folder(folder / "saves"), stage.game(), keep).close()
        (folder / "rc").write_text(CRAWL_RC, encoding="ascii")
        (folder / "crawl").mkdir()

    def tasks(self) -> list[Callable[[], None]]:
        """Return the tasks of each round, in any order."""
        tasks = [self.large, self.naive, self.half, self.smooth]
        if self.stage.stack is not None:
            tasks.append(self.holding)
        return [*tasks, self.crawl] if CRAWL is not None else tasks

    # -- programs --------------------------------------------------------------------------------

    def game(self, size: tuple[int, int], *, scrolling: str = "half", truecolor: bool) -> Terminal:
        """Start our game with its own settings."""
        config = self.folder / scrolling / "banneret"
        config.mkdir(parents=True, exist_ok=True)
        text = f'scrolling = "{scrolling}"\n'
        (config / "settings.toml").write_text(text, encoding="ascii")
        env = {
            "XDG_CONFIG_HOME": str(config.parent),
            "XDG_STATE_HOME": str(self.folder / "state"),
            **({"COLORTERM": "truecolor"} if truecolor else {}),
        }
        saves = str(self.folder / "saves")
        words = [sys.executable, "app.py", "play", "bench", "--saves", saves]
        return Terminal(words, size, env)

    def large(self) -> None:
        """Measure the first paint, cursor steps and a burst of keys at 120 x 40."""
        terminal = self.game(LARGE, truecolor=True)
        self.found.paints["banneret"].append(painted(terminal, self.stage.sign))
        self.found.busy["until the first paint"].append(terminal.busy())
        if self.stage.steps is not None:
            self.go(terminal, self.stage.steps)
        self.found.steps["banneret"] += self.counted(terminal, STEPS, "a cursor step")
        self.go(terminal, self.stage.walks)
        begun = terminal.busy()
        self.found.bursts.append(terminal.press(BURST, 0.15))
        terminal.rest(0.5)  # a machine that stalls loses no key
        self.found.busy["200 keys at once"].append(terminal.busy() - begun)
        self.found.lost += place(terminal) != moved(self.stage.walks, BURST_LEADS)
        terminal.end()

    def holding(self) -> None:
        """Measure steps with a stack held: its reach and the route to the cursor are shown."""
        terminal = self.game(LARGE, truecolor=True)
        painted(terminal, self.stage.sign)
        self.go(terminal, self.stage.stack or (0, 0))
        self.found.taken += self.counted(terminal, b" ", "taking a stack up")
        self.found.held += self.counted(terminal, HELD, "a step with a stack held")
        terminal.end()

    def counted(self, terminal: Terminal, keys: bytes, name: str) -> list[Answer]:
        """Return an answer for each key; record the processor time per key under a name."""
        begun = terminal.busy()
        answers = pressed(terminal, keys)
        self.found.busy[name].append((terminal.busy() - begun) / len(keys))
        return answers

    def naive(self) -> None:
        """Measure the simple widget of ``bench.naive`` with the same keys."""
        words = [sys.executable, "-m", "bench.naive", str(self.folder / "saves"), "bench"]
        terminal = Terminal(words, LARGE, {"COLORTERM": "truecolor"})
        self.found.paints["naive"].append(painted(terminal, "≈"))
        self.found.steps["naive"] += pressed(terminal, STEPS)
        terminal.end()

    def crawl(self) -> None:
        """Measure steps in crawl's look mode."""
        words = [str(CRAWL), "-rc", str(self.folder / "rc"), "-dir", str(self.folder / "crawl")]
        terminal = Terminal(words, LARGE, {"HOME": str(self.folder)})
        self.found.paints["crawl"].append(painted(terminal, "Health:"))
        terminal.press(b"x", 0.2)
        self.found.steps["crawl"] += pressed(terminal, STEPS)
        terminal.end()

    def half(self) -> None:
        """Measure the walk at 80 x 24 when the window scrolls by half a screen."""
        self._walk("half")

    def smooth(self) -> None:
        """Measure the walk when the window scrolls by one cell."""
        self._walk("smooth")

    def _walk(self, scrolling: str) -> None:
        terminal = self.game(USUAL, scrolling=scrolling, truecolor=False)
        painted(terminal, self.stage.sign)
        self.go(terminal, self.stage.walks)
        self.found.walks[scrolling].append(pressed(terminal, WALK))
        if place(terminal) != moved(self.stage.walks, WALK_LEADS):
            raise RuntimeError(f"the walk ended at {place(terminal)}")
        terminal.end()

    def go(self, terminal: Terminal, to: Cell) -> None:
        """Move the cursor to a cell by way of the upper left corner."""
        width, height = self.stage.size
        reach(terminal, b"h" * width + b"k" * height, (0, 0))
        reach(terminal, b"l" * to[0] + b"j" * to[1], to)


def painted(terminal: Terminal, sign: str) -> Answer:
    """Return time and output from the start of a program to its first picture.

    Raises:
        TimeoutError: the sign was not shown.
    """
    frames: list[bytes] = []
    last = terminal.begun
    while True:
        said = terminal.read(0.15)
        if said:
            last = perf_counter()
            frames.append(said)
        elif sign in terminal.text:
            return Answer(last - terminal.begun, tuple(frames))
        elif perf_counter() > terminal.begun + 60:
            raise TimeoutError(terminal.text)


def pressed(terminal: Terminal, keys: bytes) -> list[Answer]:
    """Return one answer for each key."""
    return [terminal.press(bytes([key])) for key in keys]


def reach(terminal: Terminal, keys: bytes, to: Cell) -> None:
    """Press many keys at once, which must bring the cursor to a cell.

    Raises:
        RuntimeError: the cursor does not arrive there.
    """
    if keys:
        terminal.press(keys, 0.3)
    end = perf_counter() + PATIENCE
    while place(terminal) != to:
        if perf_counter() > end:
            raise RuntimeError(f"the cursor is not on {to}:\n{terminal.text}")
        terminal.rest(0.3)


def moved(cell: Cell, by: Cell) -> Cell:
    """Return a cell moved by a distance."""
    return cell[0] + by[0], cell[1] + by[1]


def place(terminal: Terminal) -> Cell:
    """Return the cell of the cursor, as the hint bar shows it at its right end."""
    found = re.search(r"\s(\d+),(\d+)\s*$", terminal.text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else (-1, -1)


def squeezed(walk: list[Answer]) -> int:
    """Return the bytes of a walk through zlib, flushed after each key."""
    packer = zlib.compressobj(6)
    return sum(
        len(packer.compress(b"".join(answer.frames)) + packer.flush(zlib.Z_SYNC_FLUSH))
        for answer in walk
    )


# -- report ---------------------------------------------------------------------------------------


class Sheet:
    """Rows of a measured value, its bar, and the ratio of both."""

    def __init__(self) -> None:
        self.missed = 0

    def row(self, what: str, value: float, unit: str, bar: float | None = None) -> None:
        """Print a row; a missed bar is marked and counted."""
        told = f"{what:52}{value:10,.2f} {unit:4}"
        if bar is not None:
            missed = value > bar
            self.missed += missed
            told += f"  bar {bar:10,.2f}   {value / bar:5.2f}{'  MISSED' if missed else ''}"
        print(told)


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(values, n=20)[-1]


def tell(found: Found) -> int:
    """Print all measurements; return the number of missed bars."""
    sheet = Sheet()
    took = {name: median(x.seconds for x in rows) for name, rows in found.steps.items()}
    sent = {name: median(x.size for x in rows) for name, rows in found.steps.items()}
    ours = [answer.seconds * 1000 for answer in found.steps["banneret"]]
    sheet.row("cursor step 120x40, median", took["banneret"] * 1000, "ms", 5)
    sheet.row("cursor step 120x40, p95", p95(ours), "ms", 12)
    sheet.row("cursor step 120x40, median", sent["banneret"], "B", 250)
    if "crawl" in took:
        sheet.row(
            "cursor step : crawl's look mode, latency", took["banneret"] / took["crawl"], "", 5
        )
        sheet.row(
            "cursor step : crawl's look mode, bytes", sent["banneret"] / sent["crawl"], "", 3.5
        )
        sheet.row("  crawl, cursor step", took["crawl"] * 1000, "ms")
        sheet.row("  crawl, cursor step", sent["crawl"], "B")
    else:
        print("crawl is not installed: apt-get install -y --no-install-recommends crawl")
    sheet.row("  naive widget, cursor step", took["naive"] * 1000, "ms")
    sheet.row("  naive widget, cursor step", sent["naive"], "B")
    if found.held:
        tell_held(sheet, found)
    for scrolling, (raw, packed) in {"half": (120, 25), "smooth": (None, None)}.items():
        walks = found.walks[scrolling]
        size = median(sum(answer.size for answer in walk) for walk in walks)
        sheet.row(f"walk 80x24, {scrolling}, as it is sent", size / 1000, "kB", raw)
        sheet.row(
            f"walk 80x24, {scrolling}, through zlib",
            median(map(squeezed, walks)) / 1000,
            "kB",
            packed,
        )
        slowest = p95([answer.seconds * 1000 for walk in walks for answer in walk])
        sheet.row(f"  walk 80x24, {scrolling}, p95 of a key", slowest, "ms")
    sheet.row("200 keys at once, median", median(x.seconds for x in found.bursts) * 1000, "ms", 150)
    sheet.row("200 keys at once, runs with a key lost", found.lost, "", 0.5)
    sheet.row("first paint 120x40", median(x.seconds for x in found.paints["banneret"]), "s", 0.6)
    sheet.row(
        "first paint 120x40", median(x.size for x in found.paints["banneret"]) / 1000, "kB", 40
    )
    for name, values in found.busy.items():
        sheet.row(f"  processor time, {name}, median", median(values) * 1000, "ms")
    for name in sorted({*found.paints} - {"banneret"}):
        sheet.row(f"  {name}, first paint", median(x.seconds for x in found.paints[name]), "s")
        sheet.row(f"  {name}, first paint", median(x.size for x in found.paints[name]) / 1000, "kB")
    return sheet.missed


def tell_held(sheet: Sheet, found: Found) -> None:
    """Print rows on drawing the reach of a stack."""
    taken = [answer.seconds * 1000 for answer in found.taken]
    held = [answer.seconds * 1000 for answer in found.held]
    sheet.row("  a stack taken up, median", median(taken), "ms")
    sheet.row("  a stack taken up, slowest", max(taken), "ms")
    sheet.row("  a stack taken up, median", median(x.size for x in found.taken), "B")
    sheet.row("step with a stack held, median", median(held), "ms", 5)
    sheet.row("step with a stack held, p95", p95(held), "ms", 12)
    sheet.row("  step with a stack held, median", median(x.size for x in found.held), "B")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--game", choices=[*STAGES], help="one of the games instead of all")
    parser.add_argument("--quick", action="store_true", help="two rounds")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    rounds, missed = 2 if args.quick else args.rounds, 0
    for name in [args.game] if args.game else STAGES:
        print(STAGES[name].title)
        missed += tell(measured(STAGES[name], rounds))
    return 1 if missed else 0


def measured(stage: Stage, rounds: int) -> Found:
    """Measure everything about a game in ``rounds`` rounds."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), stage)
        for task in bench.tasks():  # warm: caches of imports, crawl's data bases
            task()
        bench.found = Found()
        for _ in range(rounds):
            tasks = bench.tasks()
            random.shuffle(tasks)
            for task in tasks:
                task()
        return bench.found


if __name__ == "__main__":
    sys.exit(main())
