"""Planted faults: each is in its place and changes the course of games."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.debug.corpus import corpus
from tests.debug.planted import FAULTS, ROOT, PlantedFault, plant, planted_copy
from tests.patience import PATIENCE

_VERIFY = """
import sys
from pathlib import Path
from engine.core.registry import find
from engine.core.replay import verify
from saves.reader import read
import engine
assert Path(engine.__file__).is_relative_to(sys.argv[1]), engine.__file__
for name in sys.argv[2:]:
    found = read(Path(name))
    if verify(find(found.header.ruleset), found.log).divergence is not None:
        print(name)
"""


def diverging(tree: Path, saves: Sequence[Path]) -> list[str]:
    """Return the saves that the rules of a tree decide differently than recorded."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _VERIFY, str(tree), *map(str, saves)],
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout.splitlines()


def test_there_are_twenty_planted_faults_in_four_rulesets() -> None:
    assert len({fault.name for fault in FAULTS}) == 20
    assert Counter(fault.ruleset for fault in FAULTS) == dict.fromkeys(
        ("weltendaemmerung", "gd6", "kaladan", "warlords2"), 5
    )


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_planting_replaces_exactly_one_line(fault: PlantedFault, tmp_path: Path) -> None:
    source = ROOT / fault.file
    copy = tmp_path / fault.file
    copy.parent.mkdir(parents=True)
    copy.write_bytes(source.read_bytes())
    plant(fault, tmp_path)
    before, after = source.read_text().splitlines(), copy.read_text().splitlines()
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == [
        (fault.line, fault.planted)
    ]


def test_planted_fault_changes_the_course_of_recorded_games(tmp_path: Path) -> None:
    fault = FAULTS[0]
    saves = corpus(tmp_path / "saves", fault.ruleset, 2, entries=40)
    assert diverging(ROOT, saves) == []
    assert diverging(planted_copy(fault, tmp_path / "tree"), saves) == [str(one) for one in saves]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_planted_fault_changes_the_course_of_some_games(
    fault: PlantedFault, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / f"corpus-{fault.ruleset}"
    saves = corpus(folder, fault.ruleset, 10)
    assert diverging(planted_copy(fault, tmp_path / "tree"), saves)
