"""Foreign programs and systems that some tests need: those of OpenSSH, tmux, git, compilers, ...

This is the only place that looks for them. Without one a test is skipped with a reason that names
it. If ``CI`` is set the test fails instead, so that a skipped test cannot go unnoticed.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def missing(*names: str) -> list[str]:
    """Those of some programs that are not on the path."""
    return [name for name in names if shutil.which(name) is None]


def program(name: str) -> str:
    """Path of a program; without it a test is skipped, or fails if ``CI`` is set."""
    found = shutil.which(name)
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"{name} is not installed")


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test without these programs; if ``CI`` is set it runs, and ``program`` fails."""
    absent = missing(*names)
    return pytest.mark.skipif(
        bool(absent) and not os.environ.get("CI"), reason=f"not installed: {', '.join(absent)}"
    )


needs_git = needs("git")
needs_ssh = needs("ssh", "scp", "sftp")
needs_tmux = needs("tmux")
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="this system has no /proc"
)
