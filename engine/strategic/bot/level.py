"""Settings of a level: the risks, knowledge and abilities of computer players."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.record import Record


@dataclass(frozen=True)
class Level:
    """Settings of a computer player's level."""

    nerve: float
    """Minimum chance of winning with which it attacks."""

    surety: float
    """Sufficient chance: armies beyond it are sent elsewhere."""

    hold: float
    """Enemy chance of taking a city that it tolerates before more armies stay."""

    guard: int
    """Number of armies that always stay in every city."""

    searches: bool
    """True if heroes search sites."""

    splits: bool
    """True if armies of one stack may go to different goals."""

    joins: bool
    """True if several stacks may attack the same goal in one turn."""

    vectors: bool
    """True if cities behind the front send their armies to it."""

    buys: bool
    """True if it buys better unit types."""

    thrift: bool
    """True if it makes the best type for its time instead of the last slot."""

    wander: int
    """Sides of the die that varies the value of goals; 0 for no die."""

    fury: int
    """Turn from which it becomes impatient, so that games end."""

    bold: float = 0.0
    """Additional enemy chance that it tolerates per unit of mastery above 1."""

    raid: int = 1
    """Turns within which a single band attacks a city of another side."""

    together: int = 81
    """Turn from which several stacks may attack the same goal at all levels, so that games end."""

    reckons: bool = False
    """True if it simulates battles to choose aims, provided that they are without chance."""

    seeks: bool = False
    """True if scouts that cannot reach one edge of the known land go to another.

    If it knows no city that it can attack, they also go far, and over the sea.
    """


class LevelTable(Record, frozen=True):
    """Levels by name, as in ``data/levels.toml`` of a ruleset."""

    levels: dict[str, Level]
