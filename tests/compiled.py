"""Compile all test modules once, before the worker processes start.

pytest compiles test modules in its own way, with assertions that explain themselves. In a fresh
checkout each worker process would compile all of them, at the same time.
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
    """Compile all test modules on all cores, unless some test module is already compiled."""
    files = sorted(HOME.rglob("test_*.py"))
    if any((file.parent / "__pycache__").exists() for file in files if file.parent != HOME):
        return
    names = [".".join(file.relative_to(HOME.parent).with_suffix("").parts) for file in files]
    with get_context("fork").Pool(os.cpu_count()) as pool:
        pool.map(_import, names, chunksize=8)


def _import(name: str) -> None:
    """Import a module, which compiles it. Ignore errors: pytest reports them later."""
    with suppress(Exception):
        import_module(name)
