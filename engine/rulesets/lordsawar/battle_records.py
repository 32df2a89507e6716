"""Records of battles: options, ground, armies, strengths with their parts, hits, results."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.kinds import Building, Terrain

HIT_POINT: Final = 2880
"""Number of units in a hit point; with it all damage is a whole number. Rules: LW-4.2."""

NO_ARMY: Final = -1
"""Id that means no army."""

TileClass: TypeAlias = Literal["city", "open", "forest", "hills", "other"]
"""Classes of ground that abilities refer to. See: LW-3.2."""

StrengthSource: TypeAlias = Literal[
    "base",
    "ship",
    "personal",
    "terrain",
    "cap",
    "stack",
    "items",
    "command",
    "site",
    "fortify",
    "bonus-cap",
    "debuff",
    "floor",
]
"""Sources of a strength, in the order in which they count.

A side's bonus has five: an army's flags, a hero's items and command, a city, ruin or temple, and
being fortified.
"""


# -- before a battle ------------------------------------------------------------------------------


class CombatOptions(Record, frozen=True):
    """Options of a game that change its battles. See: LW-0."""

    combat_rule: Literal["deterministic", "dice"] = "deterministic"
    intense_combat: bool = False
    ship_strength: Literal["fixed4", "capped4"] = "fixed4"
    open_ground: Literal["grass", "wide"] = "grass"


DEFAULT_OPTIONS: Final = CombatOptions()
"""The rule book's options, used where nothing is chosen. See: LW-0."""


class BattleTile(Record, frozen=True):
    """A tile in a battle; ``level`` is the defence level of a city, 0 if it is razed."""

    terrain: Terrain
    building: Building = Building.NONE
    level: int = 0


class BattleTerms(Record, frozen=True):
    """Ground of a battle; ``fortified`` if a defending stack is. See: LW-2.1, LW-3.4."""

    attackers_on: TileClass
    defenders_on: TileClass
    site_bonus: int = 0
    fortified: bool = False


class Combatant(Record, frozen=True):
    """An army in a battle: ``hp`` in units, ``max_hp`` in hit points, ``bonus`` as bits.

    ``personal`` and ``commanding`` are the gains of a hero's items for itself and for its side.
    See: LW-1.
    """

    id: int
    type: int
    strength: int
    hp: int
    max_hp: int
    bonus: int = 0
    hero: bool = False
    aboard: bool = False
    in_tower: bool = False
    personal: int = 0
    commanding: int = 0


class StrengthPart(Record, frozen=True):
    """A part of a strength or of a side's bonus, with the armies that give and cancel it."""

    source: StrengthSource
    value: int
    army: int = NO_ARMY
    cancelled_by: int = NO_ARMY


class ArmyStrength(Record, frozen=True):
    """Strength of an army with its parts; ``final`` is the sum of the others.

    ``cap`` (0 or less) limits it to nine before the stack bonus, ``floor`` (0 or more) to at least
    one after the ``debuff`` (0 or less). A ship has only a ``base``. See: LW-3.7.
    """

    army: int
    base: int
    personal: int
    terrain: int
    cap: int
    stack: int
    debuff: int
    floor: int
    final: int


class SideStrength(Record, frozen=True):
    """One side of a battle: its line, its stack bonus and all strengths, in fight order.

    ``bonus`` is the sum of the parts after cancelling and the cap; ``debuff`` is the loss caused by
    the enemy ``debuffer`` (0 or more).
    """

    line: tuple[Combatant, ...]
    parts: tuple[StrengthPart, ...]
    bonus: int
    debuff: int
    debuffer: int
    armies: tuple[ArmyStrength, ...]
    final: tuple[int, ...]


class BattleStrengths(Record, frozen=True):
    """Both sides of a battle before its first hit. See: LW-3.7."""

    attackers: SideStrength
    defenders: SideStrength


# -- a battle --------------------------------------------------------------------------------------


class BattleHit(Record, frozen=True):
    """One hit: its damage and the target's remaining hit points, in units. ``time`` starts at 0."""

    time: int
    by_attacker: bool
    hitter: int
    target: int
    damage: int
    hp: int


class BattleCourse(Record, frozen=True):
    """A battle hit by hit; hit points at its end are in units and in fight order."""

    hits: tuple[BattleHit, ...]
    attackers_won: bool
    attackers_hp: tuple[int, ...]
    defenders_hp: tuple[int, ...]


class BattleOutcome(Record, frozen=True):
    """The result of a battle; hit points are in units and in fight order."""

    attackers_won: bool
    attackers_hp: tuple[int, ...]
    defenders_hp: tuple[int, ...]


class CombatForecast(Record, frozen=True):
    """Forecast of a battle: the attackers' chance, and the final hit points if no dice are thrown.

    ``attackers_live`` and ``defenders_live`` are each army's chance of survival, in fight order.
    ``exact`` is false for chances estimated by trials. See: LW-7.
    """

    chance: float
    exact: bool
    attackers_live: tuple[float, ...] = ()
    defenders_live: tuple[float, ...] = ()
    attackers_hp: tuple[int, ...] = ()
    defenders_hp: tuple[int, ...] = ()

    @property
    def percent(self) -> int:
        """Chance in whole percent; 0 and 100 only if the chance is exactly 0 or 1."""
        nearest = int(self.chance * 100 + 0.5)
        return nearest if self.chance in {0.0, 1.0} else min(99, max(1, nearest))


class HitCounters(Record, frozen=True):
    """Hit points dealt and taken, weighted by experience values, as text. See: LW-6.3."""

    dealt: str = "0"
    taken: str = "0"
