"""Running the program as its users do."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tui.console.commands import PROGRAM, CommandParser, find_command

ROOT = Path(__file__).parents[2]


def banneret(
    *words: str,
    given: str = "",
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a subcommand; its output as text. ``folder`` is where it runs and keeps its data."""
    return python("-m", "app", *words, given=given, folder=folder, env=env)


def python(
    *words: str,
    given: str = "",
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout, with folders of its own for data, settings and state."""
    place = str(folder or ROOT)
    own = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), place)
    return subprocess.run(
        [sys.executable, *words],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=place,
        env={**os.environ, **own, "PYTHONPATH": str(ROOT), **(env or {})},
        timeout=120,
        check=False,
    )


def arguments(command: str, *words: str) -> argparse.Namespace:
    """The arguments of a subcommand, as the program reads them."""
    spec = find_command(PROGRAM, command)
    assert spec is not None
    return spec.parser(command, CommandParser).parse_args(words)


def is_one_line_fault(text: str) -> bool:
    """True if an error output is a line for people."""
    return text.startswith("banneret: ") and text.count("\n") == 1 and "Traceback" not in text


def last_line(text: str) -> str:
    """The last line of an output."""
    return text.splitlines()[-1]
