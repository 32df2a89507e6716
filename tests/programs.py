"""Programs of others that some tests use: tmux and those of OpenSSH.

Where one is missing such tests are skipped; where ``CI`` is set they fail, so that nothing is
believed to be tested that is not.
"""

from __future__ import annotations

import os
import shutil

import pytest


def program(name: str) -> str:
    """Path of a program; without it a test is skipped, or fails where ``CI`` is set."""
    found = shutil.which(name)
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"{name} is not installed")


def needs(*names: str) -> pytest.MarkDecorator:
    """Skips a test without these programs; where ``CI`` is set it is run, and ``program`` fails."""
    missing = [name for name in names if shutil.which(name) is None]
    return pytest.mark.skipif(
        bool(missing) and not os.environ.get("CI"), reason=f"not installed: {', '.join(missing)}"
    )


needs_ssh = needs("ssh", "scp", "sftp")
needs_tmux = needs("tmux")
