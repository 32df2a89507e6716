"""The tree of entries."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import HOUSE, PUBLIC, REFEREE, ROOT, viewer_name
from engine.core.log import Entry, EventLog

Log = EventLog[Any, Any]


def entry(seq: int, parent: int) -> Entry[Any, Any]:
    """Return an entry without events."""
    return Entry(seq, parent, 0, None, ())


def branched() -> Log:
    """Return the log 0 - 1 - 2 with the branch 1 - 3 - 4."""
    log = Log()
    for seq, parent in enumerate((ROOT, 0, 1, 1, 3)):
        log.append(entry(seq, parent))
    return log


def test_head_of_an_empty_log_is_the_root() -> None:
    log = Log()
    assert (len(log), log.head, log.line(), log.entries) == (0, ROOT, [], ())


def test_a_line_follows_parents() -> None:
    log = branched()
    assert [one.seq for one in log.line()] == [0, 1, 3, 4]
    assert [one.seq for one in log.line(2)] == [0, 1, 2]
    assert log.line(ROOT) == []
    assert log.children(1) == [2, 3]
    assert log.children(4) == []


def test_head_moves_on_request_and_follows_new_entries() -> None:
    log = branched()
    assert log.head == 4
    log.go(2)
    assert log.head == 2
    log.append(entry(5, 0))
    assert log.head == 5
    assert [one.seq for one in log.line()] == [0, 5]


@pytest.mark.parametrize("seq", [-1, 5, 99])
def test_entry_numbers_out_of_range_are_an_error(seq: int) -> None:
    log = branched()
    with pytest.raises(IndexError):
        log[seq]
    with pytest.raises(IndexError):
        log.go(seq)
    assert log.head == 4


@pytest.mark.parametrize(("seq", "parent"), [(4, 3), (6, 3), (5, 5), (5, 6), (5, -2), (5, ROOT)])
def test_log_refuses_an_entry_out_of_sequence(seq: int, parent: int) -> None:
    log = branched()
    with pytest.raises(ValueError, match=f"entry {seq}"):
        log.append(entry(seq, parent))
    assert len(log) == 5


def test_a_first_entry_has_no_parent() -> None:
    with pytest.raises(ValueError, match="parent"):
        Log().append(entry(0, 0))


def test_viewers_have_names() -> None:
    names = [viewer_name(viewer) for viewer in (HOUSE, PUBLIC, REFEREE, 0, 7)]
    assert names == ["house", "public", "referee", "seat 0", "seat 7"]
