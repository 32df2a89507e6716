"""Foreign programs and systems that some tests need: OpenSSH, tmux, git, compilers, ...

Only this module looks for them. A test is skipped if its program is missing; the reason names the
program. If ``CI`` is set the test fails instead, so that a skipped test cannot go unnoticed.

A test that needs any program, such as one that ends at once, takes ``python`` instead.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest


def python(code: str, *words: object) -> str:
    """Return a command line that runs Python code with these words as its arguments."""
    return shlex.join([sys.executable, "-S", "-E", "-c", code, *map(str, words)])


QUITS = python("pass")
"""Command line of a program that ends at once."""

FAILS = python("raise SystemExit(1)")
"""Command line of a program that fails at once."""

SLEEPS = python("import time; time.sleep(1000)")
"""Command line of a program that does nothing for a long time."""


def missing(*names: str) -> list[str]:
    """Return the names of programs that are not on the path."""
    return [name for name in names if shutil.which(name) is None]


def program(name: str) -> str:
    """Return the path of a program. If it is missing, skip the test, or fail if ``CI`` is set."""
    found = shutil.which(name)
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"{name} is not installed")


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test if one of these programs is missing. If ``CI`` is set it runs and ``program``
    fails.
    """
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
