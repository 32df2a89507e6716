"""Running the program as its users do."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import app
from tui.console.commands import PROGRAM, CommandParser, find_command

ROOT = Path(__file__).parents[2]
_HOMES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


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
    own = dict.fromkeys(_HOMES, place)
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


def banneret_here(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a subcommand in this process, for faults that end it before it reads or plays anything.

    Starting a program takes a third of a second of processor time; a fault takes none.
    """
    place = str(folder or ROOT)
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(place),
        patch.dict(os.environ, dict.fromkeys(_HOMES, place)),
        patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = app.main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


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
