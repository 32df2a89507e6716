"""Secret orders in one script: whoever speaks first, the same comes of it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.app.cli import banneret

LISTS = {
    "A": ("hq at=1", "spawn at=1 count=2", "move path=1>3>6 count=1", "move path=1>2 count=1"),
    "B": ("hq at=7", "spawn at=7 count=2", "move path=7>6>3 count=2"),
    "C": ("hq at=12", "spawn at=12 count=1", "move path=12>11 count=1"),
}
SECOND = {"A": ("spawn at=1 count=2",), "B": ("buy item=toxic",), "C": ()}


def played(folder: Path, order: tuple[str, ...]) -> str:
    """The position after two turns of a script."""
    lines = [
        f"{seat}: {line}"
        for lists in (LISTS, SECOND)
        for seat in order
        for line in (*lists[seat], "seal")
    ]
    script = folder / "script"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ("run", "--ruleset", "gd6", "--scenario", "west", "--keep-going", "--state")
    done = banneret(*words, str(script), folder=folder)
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()[-1]


def test_the_order_of_the_seats_changes_no_byte_of_the_result(tmp_path: Path) -> None:
    results = []
    for number, order in enumerate(itertools.permutations("ABC")):
        folder = tmp_path / str(number)
        folder.mkdir()
        results.append(played(folder, order))
    assert len(set(results)) == 1
    assert '"turn":3' in results[0]


@pytest.mark.parametrize("tool", ["invasion", "skirmish"])
def test_the_tools_of_calc_are_listed(tmp_path: Path, tool: str) -> None:
    done = banneret("calc", "gd6", folder=tmp_path)
    assert done.returncode == 0
    assert tool in done.stdout
