"""Run the program in tmux as a person uses it: press keys, read the screen."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from tests.app.cli import ROOT
from tests.patience import PATIENCE
from tests.programs import program

_GLANCE = 0.05
"""Seconds between two looks at the screen."""

_SETTINGS = """
set -g status off
set -s escape-time 0
set -g default-terminal "{term}"
"""


class Window:
    """A tmux window, on its own socket."""

    def __init__(self, folder: Path, command: str, env: Mapping[str, str], term: str) -> None:
        self._program = program("tmux")
        self._socket = Path(tempfile.mkdtemp(dir=folder)) / "tmux"
        settings = folder / "tmux.conf"
        settings.write_text(_SETTINGS.format(term=term), encoding="ascii")
        self._own = {**_plain(), **env}
        size = ("-x", "80", "-y", "24")
        self._tmux("-f", str(settings), "new-session", "-d", "-s", "it", *size, command)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            [self._program, "-S", str(self._socket), *words],
            env=self._own,
            cwd=ROOT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    # -- reading ---------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """Text on the screen."""
        return self._tmux("capture-pane", "-p", "-t", "it")

    @property
    def coloured(self) -> str:
        """The screen with its colours, as escape sequences."""
        return self._tmux("capture-pane", "-p", "-e", "-t", "it")

    def told(self, what: str) -> str:
        """Return a variable of tmux, such as ``cursor_flag``."""
        return self._tmux("display-message", "-p", "-t", "it", f"#{{{what}}}").strip()

    def wait(self, *wanted: str) -> str:
        """Wait until all these texts are on the screen; return the screen."""
        return self.until(lambda text: all(part in text for part in wanted), wanted)

    def until(self, is_so: Callable[[str], bool], what: object) -> str:
        """Wait until the screen satisfies ``is_so``; return it."""
        end = monotonic() + PATIENCE
        while not is_so(text := self.text):
            assert monotonic() < end, f"waited for {what}:\n{text}"
            sleep(_GLANCE)
        return text

    def gone(self, *unwanted: str) -> str:
        """Wait until none of these texts is on the screen; return the screen."""
        return self.until(lambda text: not any(part in text for part in unwanted), unwanted)

    def ended(self) -> int:
        """Wait for the end of the program; return its exit code."""
        return int(re.findall(r"over (\d+)", self.wait("over "))[0])

    # -- typing ----------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys, by their tmux names."""
        self._tmux("send-keys", "-t", "it", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._tmux("send-keys", "-l", "-t", "it", text)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the window."""
        self._tmux("resize-window", "-t", "it", "-x", str(columns), "-y", str(rows))

    def close(self) -> None:
        """Kill this tmux server."""
        subprocess.run(
            [self._program, "-S", str(self._socket), "kill-server"],
            capture_output=True,
            check=False,
        )


def _plain() -> dict[str, str]:
    """Return the environment without variables that describe this terminal."""
    told = re.compile(r"TERM|COLOR|TMUX|STY$|^LC_|^LANG|^COLUMNS$|^LINES$")
    return {name: value for name, value in os.environ.items() if not told.search(name)}


@contextmanager
def banneret(
    folder: Path,
    *words: str,
    term: str = "xterm-256color",
    env: Mapping[str, str] | None = None,
) -> Iterator[Window]:
    """Run the program in a window of 80 x 24, with its own folders.

    Its shell prints ``over`` and the exit code after the program has ended.
    """
    own = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(folder))
    said = {"LC_ALL": "C.UTF-8", **own, **(env or {})}
    command = shlex.join(["env", *(f"{k}={v}" for k, v in said.items()), sys.executable, "-m"])
    command += " " + shlex.join(["app", *words])
    command = f"sh -c {shlex.quote(f'echo before; {command}; echo over $?; exec cat')}"
    window = Window(folder, command, said, term)
    try:
        yield window
    finally:
        window.close()
