"""Layers beyond import contracts: nothing but the screen loads what draws it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "package",
    [
        "engine",
        "saves",
        "tui.console",
        "tui.farm",
        "tui.headless",
        "tui.host",
        "tui.linemode",
        "tui.play",
        "tui.replay",
    ],
)
def test_importing_everything_but_the_screen_loads_no_textual(package: str) -> None:
    code = (
        "import importlib, pkgutil, sys\n"
        f"top = importlib.import_module({package!r})\n"
        "for found in pkgutil.walk_packages(top.__path__, top.__name__ + '.'):\n"
        "    importlib.import_module(found.name)\n"
        "drawn = {'asyncssh', 'rich', 'textual'} & set(sys.modules)\n"
        "sys.exit(f'loads {drawn}' if drawn else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
