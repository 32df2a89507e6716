"""What is known of the original program without having it: counts, hash, frontier."""

from __future__ import annotations

from functools import cache

from engine.core.record import Record
from engine.kit.tables import load


class Original(Record, frozen=True):
    """Row of ``data/original.toml``; ``counts`` is units per type."""

    source: str
    sha256: str
    counts: tuple[int, ...]
    end_tiles: int
    frontier: int
    rounds: int
    cursor: tuple[int, int]

    @property
    def units(self) -> int:
        """All units of both sides."""
        return sum(self.counts)

    def type_of(self, number: int) -> int:
        """The type of the unit at a place of the list. Rules: WD-IMP-3."""
        for kind, count in enumerate(self.counts):
            if number < count:
                return kind
            number -= count
        raise IndexError(number)


@cache
def original() -> Original:
    """The table."""
    return load("engine.rulesets.weltendaemmerung", "original", Original)
