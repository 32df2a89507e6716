"""Test modules compiled before the processes that run them start.

pytest compiles test modules in a way of its own, with assertions that explain themselves. In a
fresh checkout each of its worker processes would do that for all of them, at the same time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Final

HOME: Final = Path(__file__).parent


def compile_once() -> None:
    """Compile all test modules, on all cores, where no test module was compiled yet."""
    files = sorted(HOME.rglob("test_*.py"))
    if any((file.parent / "__pycache__").exists() for file in files if file.parent != HOME):
        return
    names = [".".join(file.relative_to(HOME.parent).with_suffix("").parts) for file in files]
    with get_context("fork").Pool(os.cpu_count()) as pool:
        pool.map(_import, names, chunksize=8)


def _import(name: str) -> None:
    """Import a module: compiling it is part of that. What is wrong with it is said later."""
    with suppress(Exception):
        import_module(name)
