"""Differences between two rosters of which one was derived from the other."""

from __future__ import annotations

from itertools import compress, islice
from operator import is_not
from typing import TypeVar

from engine.core.containers import HasId, Roster

R = TypeVar("R", bound=HasId)


def changed_rows(before: Roster[R], after: Roster[R], most: int) -> tuple[tuple[R, R], ...] | None:
    """Changed records, as pairs of old and new, in id order.

    Compares identities, which is much faster than comparing records. None if more than ``most``
    records have changed, or if the rosters do not have the same ids.

    >>> from collections import namedtuple
    >>> Man = namedtuple("Man", "id name")
    >>> men = Roster([Man(1, "a"), Man(2, "b")])
    >>> changed_rows(men, men.put(Man(2, "c")), 1)
    ((Man(id=2, name='b'), Man(id=2, name='c')),)
    """
    if len(before) != len(after):
        return None
    old, new = before.values(), after.values()
    pairs = tuple(islice(compress(zip(old, new, strict=True), map(is_not, old, new)), most + 1))
    return pairs if len(pairs) <= most and all(one.id == other.id for one, other in pairs) else None
