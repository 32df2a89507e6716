"""Records of battles: the ground, both lines with their support, and the odds."""

from __future__ import annotations

from engine.core.record import Record
from engine.strategic.events.battle import Fighter, Part
from engine.strategic.pieces import BattleClass


class Battleground(Record, frozen=True):
    """Effect of a tile on a battle.

    ``defence`` is the bonus of its walls, tower or ruins. ``at_sea``: armies aboard fight as ships.
    ``mounts_last``: beside a hero, the first flyer of a line fights last.
    """

    ground: BattleClass
    defence: int = 0
    at_sea: bool = False
    mounts_last: bool = False


class Support(Record, frozen=True):
    """Bonus of every army of a side; ``total`` is the sum of the parts that are not cancelled."""

    total: int
    parts: tuple[Part, ...]


class BattleLine(Record, frozen=True):
    """A side in fight order; ``reasons`` explain each fighter's own strength."""

    fighters: tuple[Fighter, ...]
    support: Support
    reasons: tuple[tuple[Part, ...], ...]


class Lineup(Record, frozen=True):
    """Lines of both sides; ``shielded`` has one flag per attacker, True if it cannot be hit."""

    field: Battleground
    attackers: BattleLine
    defenders: BattleLine
    shielded: tuple[bool, ...]


class BattleOdds(Record, frozen=True):
    """Chances of a battle.

    ``attackers_left[k]`` and ``defenders_left[k]`` are the chances that exactly k of that side
    live. As the dead are always the first of their line, these are also the last k of it.
    ``attackers_live`` and ``defenders_live`` are the chances of each fighter, in line.
    ``attackers_hp`` and ``defenders_hp`` are the hit points that each fighter keeps, in line, where
    wounds last and there is no chance.
    """

    chance: float
    attackers_left: tuple[float, ...]
    defenders_left: tuple[float, ...]
    attackers_live: tuple[float, ...]
    defenders_live: tuple[float, ...]
    attackers_hp: tuple[int, ...] = ()
    defenders_hp: tuple[int, ...] = ()

    @property
    def attackers_lost(self) -> float:
        """Expected number of attackers lost."""
        return len(self.attackers_live) - sum(self.attackers_live)

    @property
    def defenders_lost(self) -> float:
        """Expected number of defenders lost."""
        return len(self.defenders_live) - sum(self.defenders_live)
