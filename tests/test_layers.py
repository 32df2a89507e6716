"""Tests of layers beyond import contracts: only the screen loads Textual."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).parents[1]
PACKAGES = (
    *("engine", "saves", "tui.console", "study.farm", "tui.headless", "host.server"),
    *("tui.linemode", "tui.play", "tui.replay"),
)
IMPORTS = """
import importlib, json, pkgutil, sys
drawn = {}
for package in sys.argv[1:]:
    top = importlib.import_module(package)
    for found in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
        importlib.import_module(found.name)
    drawn[package] = sorted({"asyncssh", "rich", "textual"} & set(sys.modules))
print(json.dumps(drawn))
"""
"""Program that imports packages in turn and prints what was loaded after each."""


def test_importing_everything_but_the_screen_loads_no_textual() -> None:
    """All packages share one process, because the imports take the time."""
    command = [sys.executable, "-c", IMPORTS, *PACKAGES]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {package: [] for package in PACKAGES}
