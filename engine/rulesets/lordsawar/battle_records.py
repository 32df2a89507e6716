"""Records of battles: options, ground, armies, strengths with their reasons, hits, ends."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.kinds import Building, Terrain

HIT_POINT: Final = 2880
"""Units of one hit point. Every damage of both sizes of dice is a whole number. Rules: LW-4.2."""

NO_ARMY: Final = -1
"""Instead of an army's id: none."""

TileClass: TypeAlias = Literal["city", "open", "forest", "hills", "other"]
"""Classes of ground that flags name. Rules: LW-3.2."""

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
"""Reasons of a strength, in the order in which they count.

A side's bonus has five: an army's flags, a hero's items and command, a city, ruin or temple, and
being fortified.
"""


# -- before a battle ------------------------------------------------------------------------------


class CombatOptions(Record, frozen=True):
    """Options of a game that change its battles. Rules: LW-0."""

    combat_rule: Literal["deterministic", "dice"] = "deterministic"
    intense_combat: bool = False
    ship_strength: Literal["fixed4", "capped4"] = "fixed4"
    open_ground: Literal["grass", "wide"] = "grass"


DEFAULT_OPTIONS: Final = CombatOptions()
"""Options as the rule book has them when nothing is chosen. Rules: LW-0."""


class BattleTile(Record, frozen=True):
    """A tile as a battle sees it; ``level`` is the defence level of a city, 0: razed."""

    terrain: Terrain
    building: Building = Building.NONE
    level: int = 0


class BattleTerms(Record, frozen=True):
    """Ground of a battle. ``fortified``: one of the defending stacks is. Rules: LW-2.1, LW-3.4."""

    attackers_on: TileClass
    defenders_on: TileClass
    site_bonus: int = 0
    fortified: bool = False


class Combatant(Record, frozen=True):
    """An army as a battle sees it: ``hp`` in units, ``max_hp`` in hit points, ``bonus`` as bits.

    ``personal`` and ``commanding`` are the gains of a hero's items for itself and for its side.
    Rules: LW-1.
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
    """A part of a strength or a side's bonus: who gives it, and who cancels it."""

    source: StrengthSource
    value: int
    army: int = NO_ARMY
    cancelled_by: int = NO_ARMY


class ArmyStrength(Record, frozen=True):
    """Strength of an army with its reasons; ``final`` is the sum of the others.

    ``cap`` (0 or less) keeps it at nine before the stack bonus, ``floor`` (0 or more) at one after
    the ``debuff`` (0 or less). A ship has a ``base`` only. Rules: LW-3.7.
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

    ``bonus`` is what is left of the parts after cancelling and the cap, ``debuff`` what the enemy
    ``debuffer`` takes away (0 or more).
    """

    line: tuple[Combatant, ...]
    parts: tuple[StrengthPart, ...]
    bonus: int
    debuff: int
    debuffer: int
    armies: tuple[ArmyStrength, ...]
    final: tuple[int, ...]


class BattleStrengths(Record, frozen=True):
    """Both sides of a battle before its first hit. Rules: LW-3.7."""

    attackers: SideStrength
    defenders: SideStrength


# -- a battle --------------------------------------------------------------------------------------


class BattleHit(Record, frozen=True):
    """One hit: damage and the hit points that are left in units. ``time`` counts from 0."""

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
    """The end of a battle; hit points are in units and in fight order."""

    attackers_won: bool
    attackers_hp: tuple[int, ...]
    defenders_hp: tuple[int, ...]


class CombatForecast(Record, frozen=True):
    """Forecast of a battle: the attackers' chance, and hit points where no dice are thrown.

    ``attackers_live`` and ``defenders_live`` are the chances of each army, in fight order.
    ``exact`` is false for chances that were found by trials. Rules: LW-7.
    """

    chance: float
    exact: bool
    attackers_live: tuple[float, ...] = ()
    defenders_live: tuple[float, ...] = ()
    attackers_hp: tuple[int, ...] = ()
    defenders_hp: tuple[int, ...] = ()

    @property
    def percent(self) -> int:
        """The chance in whole percent; 0 and 100 mean certainty where it is exact."""
        nearest = int(self.chance * 100 + 0.5)
        return nearest if self.chance in {0.0, 1.0} else min(99, max(1, nearest))


class HitCounters(Record, frozen=True):
    """Hit points dealt and taken, weighted by experience values, as text. Rules: LW-6.3."""

    dealt: str = "0"
    taken: str = "0"
