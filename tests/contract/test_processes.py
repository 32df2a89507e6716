"""Games are equal on every machine: set order, hashes and locale decide nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

import pytest

from tests.contract.chosen import names
from tests.contract.play import main

pytestmark = pytest.mark.portable

HOME = Path(__file__).parents[2]


HASH_SEED: Final = "4242"
"""Hash seed of the other process; that of this process is random unless it is set outside."""


def played_here() -> str:
    """Return the output of this process, in which other tests may have run before."""
    with redirect_stdout(StringIO()) as said:
        for name in names():
            main(name)
    return said.getvalue()


def played_there() -> str:
    """Return the output of another process for the same seeds and choices, for all rulesets."""
    settings = {"PYTHONHASHSEED": HASH_SEED, "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.play", *names()],
        cwd=HOME,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hash_seed_and_locale_change_no_byte() -> None:
    assert os.environ.get("PYTHONHASHSEED") != HASH_SEED
    one = played_here().splitlines()
    assert [line for line in one if line.startswith("ruleset ")] == [
        f"ruleset {name}" for name in names()
    ]
    assert sum(line.startswith("log ") for line in one) > len(names())
    other = played_there().splitlines()
    assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []
