"""The tree of branches."""

from __future__ import annotations

from typing import Any

from engine.core.log import Entry, EventLog
from tui.replay.timeline import branches


def log_of(parents: list[int], head: int) -> EventLog[Any, Any]:
    log: EventLog[Any, Any] = EventLog()
    for seq, parent in enumerate(parents):
        log.append(Entry(seq=seq, parent=parent, seat=0, command=None, events=()))
    log.go(head)
    return log


def drawn(parents: list[int], head: int, *, ascii_only: bool = True) -> list[str]:
    found = branches(log_of(parents, head), ascii_only=ascii_only)
    return [f"{row.lead}{row.head} after {row.leaves}, {row.length}" for row in found]


def test_log_without_branches_is_one_line() -> None:
    assert drawn([-1, 0, 1], 2) == ["2 after -1, 3"]


def test_undone_move_is_a_branch_of_the_current_line() -> None:
    assert drawn([-1, 0, 0, 2], 3) == ["3 after -1, 3", "`- 1 after 0, 2"]


def test_nested_branches_are_listed_below_their_parents() -> None:
    parents = [-1, 0, 1, 2, 1, 4, 4, 0]
    assert drawn(parents, 3) == [
        "3 after -1, 4",
        "|- 7 after 0, 2",
        "`- 5 after 1, 4",
        "   `- 6 after 2, 4",
    ]
    assert drawn(parents, 3, ascii_only=False)[1] == "├─ 7 after 0, 2"


def test_trunk_continues_beyond_the_current_entry() -> None:
    assert drawn([-1, 0, 1, 0], 1) == ["2 after -1, 3", "`- 3 after 0, 2"]


def test_very_many_nested_branches_can_be_drawn() -> None:
    parents = [-1]
    for at in range(0, 4000, 2):
        parents += [at, at]
    assert len(branches(log_of(parents, len(parents) - 1))) == 2001


def test_empty_log_has_no_branches() -> None:
    assert branches(EventLog()) == []
