"""How fast and how lean the screen is, as ratios: start, memory, a step of the cursor.

    python bench/screen.py [ROUNDS]

Everything runs under a pseudo-terminal of 80 x 24. The start is measured beside
``python -c "import textual.app"`` in the same run, in turns.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from engine.core.archive import Player
from saves.archive import Folder
from tui.plain.faults import keep
from tui.setup import NewGame, begin

ROOT = Path(__file__).parent.parent
QUIET = 0.15
"""Seconds without output after which a paint is over."""


class Terminal:
    """A program under a pseudo-terminal."""

    def __init__(self, words: list[str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            words, stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=env
        )
        os.close(slave)

    def until(self, wanted: bytes, most: float = 20.0) -> tuple[float, int]:
        """Seconds from the start until these bytes came, and how many bytes came."""
        seen = b""
        while wanted not in seen:
            if not select.select([self.master], [], [], most)[0]:
                raise TimeoutError(wanted)
            seen += os.read(self.master, 1 << 16)
        return time.perf_counter() - self.begun, len(seen)

    def answer(self, keys: bytes) -> tuple[float, int]:
        """Seconds from a key to the last byte it causes, and how many bytes those are."""
        self.rest()
        begun = last = time.perf_counter()
        os.write(self.master, keys)
        count = 0
        while select.select([self.master], [], [], QUIET)[0]:
            count += len(os.read(self.master, 1 << 16))
            last = time.perf_counter()
        return last - begun, count

    def rest(self) -> None:
        """Wait until nothing comes any more."""
        while select.select([self.master], [], [], QUIET)[0]:
            os.read(self.master, 1 << 16)

    def memory(self) -> float:
        """Resident megabytes of the program."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def end(self) -> None:
        """Stop the program."""
        self.process.send_signal(signal.SIGTERM)
        while self.process.poll() is None:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    os.read(self.master, 1 << 16)
                except OSError:
                    break
        self.process.wait()
        os.close(self.master)


def saved_game(folder: Path) -> str:
    """A saved game on the large map."""
    people = (Player(0, "Eldoin"), Player(1, "Dailor"))
    start = NewGame("weltendaemmerung", players=people, seed=b"1", name="bench")
    table = begin(Folder(folder), start, keep)
    table.close()
    return "bench"


def imported() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import textual.app"], check=True, cwd=ROOT)
    return time.perf_counter() - begun


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    starts, imports, sizes, steps, scrolls = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        name = saved_game(Path(folder))
        words = [sys.executable, "app.py", "play", name, "--saves", folder]
        for _ in range(rounds):
            imports.append(imported())
            terminal = Terminal(words)
            starts.append(terminal.until(b"Bewegungsphase")[0])
            terminal.rest()
            steps += [terminal.answer(key) for key in (b"l", b"l", b"h", b"h", b"j", b"k")]
            terminal.answer(b"f")
            terminal.answer(b"l" * 12)
            scrolls.append(terminal.answer(b"l"))
            sizes.append(terminal.memory())
            terminal.end()
    first, alone = statistics.median(starts), statistics.median(imports)
    print(f"first paint : import textual.app   {first / alone:5.2f}   {first:.3f} s, {alone:.3f} s")
    print(f"first paint : bar of 0.8 s         {first / 0.8:5.2f}")
    print(f"memory : bar of 90 MB              {max(sizes) / 90:5.2f}   {max(sizes):.0f} MB")
    took = statistics.median(seconds for seconds, _ in steps)
    sent = statistics.median(count for _, count in steps)
    whole = statistics.median(count for _, count in scrolls)
    print(f"bytes of a scroll : of a step      {whole / sent:5.2f}   {whole:.0f}, {sent:.0f}")
    print(f"step of the cursor : frame (16 ms) {took / 0.0167:5.2f}   {took * 1000:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
