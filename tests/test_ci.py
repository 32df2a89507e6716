"""Tests that the README and the check before every merge agree."""

from __future__ import annotations

import os
import re
from pathlib import Path

HOME = Path(__file__).parents[1]


def test_ci_ends_with_the_test_command_of_the_readme() -> None:
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    found = re.search(r"## Test\n+```sh\n(.+)\n```", readme)
    assert found is not None
    script = (HOME / ".ci" / "run").read_text(encoding="utf-8")
    assert script.splitlines()[-1] == found.group(1)


def test_ci_script_is_executable() -> None:
    assert os.access(HOME / ".ci" / "run", os.X_OK)
