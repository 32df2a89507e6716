"""The same game on every machine: no set order, hash or locale decides anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from engine.core.ruleset import AnyRuleset

HOME = Path(__file__).parents[2]


def played(name: str, hash_seed: str, locale: str) -> str:
    """Output of another process for the same seed and choices."""
    settings = {"PYTHONHASHSEED": hash_seed, "LC_ALL": locale, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.play", name],
        cwd=HOME,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hash_seed_and_locale_change_no_byte(rules: AnyRuleset) -> None:
    one = played(rules.name, "1", "C")
    assert "log " in one
    assert played(rules.name, "4242", "tr_TR.UTF-8") == one
