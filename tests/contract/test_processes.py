"""The same game on every machine: no set order, hash or locale decides anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from engine.core import registry

HOME = Path(__file__).parents[2]


def played(hash_seed: str, locale: str) -> str:
    """Output of another process for the same seeds and choices, of all rulesets."""
    settings = {"PYTHONHASHSEED": hash_seed, "LC_ALL": locale, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.play", *registry.names()],
        cwd=HOME,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hash_seed_and_locale_change_no_byte() -> None:
    one = played("1", "C").splitlines()
    assert [line for line in one if line.startswith("ruleset ")] == [
        f"ruleset {name}" for name in registry.names()
    ]
    assert sum(line.startswith("log ") for line in one) > len(registry.names())
    other = played("4242", "tr_TR.UTF-8").splitlines()
    assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []
