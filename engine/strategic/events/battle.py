"""Events of battle, and what is left of armies after it."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event, Record
from engine.kit.grid import Place
from engine.strategic.pieces import NONE, Army, BattleClass, Side

PartSource: TypeAlias = Literal[
    "leader",
    "command",
    "standard",
    "pack",
    "works",
    "defence",
    "cap",
    "foe",
    "own",
    "weapons",
    "aboard",
    "limit",
    "support",
]
"""Where strength comes from: the side's leader, its heroes' command items and standards, the best
pack bonus, field works, walls; the limit of all that; the foe's malus; the army's own bonus on
such ground, a hero's weapons, fighting as a ship, the limits of strength; all that the side gives
as one."""


class Part(Record, frozen=True):
    """One reason for a strength. ``army`` is who gives it; ``cancelled``: the foe undoes it."""

    source: PartSource
    value: int
    army: int = NONE
    cancelled: bool = False


class Fighter(Record, frozen=True):
    """An army in the line of battle, with its strength in it."""

    army: int
    type: int
    strength: int


class Duel(Record, frozen=True):
    """Two front units against each other until one of them fell.

    ``dice`` are the defender's and the attacker's die of each round, one after the other.
    ``won``: the attacker's unit did. ``shielded``: hits did not count against it.
    """

    attacker: int
    defender: int
    dice: tuple[int, ...]
    won: bool
    shielded: bool = False


class BattleFought(Event, frozen=True, tag="battle"):
    """A battle to the death, told duel by duel; the lines stand in fighting order.

    ``helped`` and ``covered`` are the reasons of what every attacker and every defender got.
    ``attacked_by``: who has attacked the ``city`` so far, as a bit set of sides, with this one.
    """

    lasting: ClassVar[bool] = True

    at: Place
    start: Place
    attacker: int
    defender: int
    ground: BattleClass
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    duels: tuple[Duel, ...]
    won: bool
    helped: tuple[Part, ...] = ()
    covered: tuple[Part, ...] = ()
    city: int = NONE
    attacked_by: int = 0
    betrayal: bool = False


class ArmiesRemoved(Event, frozen=True, tag="removed"):
    """Armies are no more, and why."""

    lasting: ClassVar[bool] = True

    armies: tuple[int, ...]
    reason: Literal["battle", "disbanded", "guardian", "side_out", "transit", "resigned"]


class ArmiesGrew(Event, frozen=True, tag="grew"):
    """Experience, medals, levels, blessings: the armies as they are now."""

    lasting: ClassVar[bool] = True

    armies: tuple[Army, ...]
    reason: Literal["experience", "medal", "level", "blessing"]


class DeedsCounted(Event, frozen=True, tag="deeds"):
    """The sides with what they have done counted on (deeds, quest, rating)."""

    sides: tuple[Side, ...]


BattleEvent: TypeAlias = BattleFought | ArmiesRemoved | ArmiesGrew | DeedsCounted
"""Events of this chapter."""
