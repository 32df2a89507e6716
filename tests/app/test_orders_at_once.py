"""Secret orders in one script: the order of the seats does not change the result."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli import banneret

LISTS = {
    "A": ("hq at=1", "spawn at=1 count=2", "move path=1>3>6 count=1", "move path=1>2 count=1"),
    "B": ("hq at=7", "spawn at=7 count=2", "move path=7>6>3 count=2"),
    "C": ("hq at=12", "spawn at=12 count=1", "move path=12>10 count=1"),
}
SECOND = {
    "A": ("spawn at=1 count=2", "move path=1>3 count=1"),
    "B": ("spawn at=7 count=2", "move path=7>6 count=1"),
    "C": (),
}


def in_a_row(lists: dict[str, tuple[str, ...]], order: tuple[str, ...]) -> list[str]:
    """Let each seat write its whole list and seal it, one seat after the other."""
    return [f"{seat}: {line}" for seat in order for line in (*lists[seat], "seal")]


def by_turns(lists: dict[str, tuple[str, ...]], order: tuple[str, ...]) -> list[str]:
    """Let the seats write one line each in turn, and seal at the end."""
    dealt = itertools.zip_longest(*(lists[seat] for seat in order))
    lines = [
        f"{seat}: {line}"
        for row in dealt
        for seat, line in zip(order, row, strict=True)
        if line is not None
    ]
    return [*lines, *(f"{seat}: seal" for seat in order)]


def played(folder: Path, lines: list[str]) -> tuple[str, list[Any]]:
    """Run a script; return the final position as printed, and all events of the turn ends."""
    script = folder / "script"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ("run", "--ruleset", "gd6", "--scenario", "west", "--seat", "C=person", "--state")
    done = banneret(*words, str(script), folder=folder)
    assert done.returncode == 0, done.stdout
    *answers, state = done.stdout.splitlines()
    told = [json.loads(answer)["events"] for answer in answers]
    ends = [events[1:] for events in told if events[0]["t"] == "list-sealed" and events[1:]]
    return state, ends


def test_order_of_the_seats_changes_no_byte_of_the_result(tmp_path: Path) -> None:
    """One script has the lists of all seats for two turns; the last seal resolves each turn."""
    results = []
    for number, order in enumerate(itertools.permutations("ABC")):
        folder = tmp_path / str(number)
        folder.mkdir()
        dealt = (in_a_row, by_turns)[number % 2]
        results.append(played(folder, [*dealt(LISTS, order), *dealt(SECOND, order)]))
    state, ends = results[0]
    assert '"turn":3' in state
    assert [events[0]["t"] for events in ends] == ["turn-closed", "turn-closed"]
    assert any(event["t"] == "skirmish" for event in itertools.chain(*ends))
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("tool", ["invasion", "skirmish"])
def test_calc_lists_its_tools(tmp_path: Path, tool: str) -> None:
    done = banneret("calc", "gd6", folder=tmp_path)
    assert done.returncode == 0
    assert tool in done.stdout
