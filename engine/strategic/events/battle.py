"""Events of battle, and what is left of armies after it."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple, Self, TypeAlias

from engine.core.record import UNSET, Record, UnsetType, replace
from engine.kit.grid import Place
from engine.strategic.events.base import SeenArmiesEvent, StrategicEvent, shown
from engine.strategic.pieces import NONE, Army, BattleClass, HitPoints, Side
from engine.strategic.seen import Seen
from engine.strategic.world import World

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
"""Sources of strength: the side's leader, its heroes' command items and standards, the best
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
    """An army in the line of battle, with its strength in it, and ``hp`` where wounds last."""

    army: int
    type: int
    strength: int
    hp: HitPoints | UnsetType = UNSET


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


class BattleFought(StrategicEvent, frozen=True, tag="battle"):
    """A battle to the death, told duel by duel; the lines stand in fighting order.

    ``helped`` and ``covered`` are the reasons of what every attacker and every defender got.
    ``attacked_by``: who has attacked the ``city`` so far, as a bit set of sides, with this one.
    ``wounds``: hit points that survivors have lost so far, (army, lost), where wounds last.
    """

    irreversible: ClassVar[bool] = True

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
    wounds: tuple[tuple[int, int], ...] | UnsetType = UNSET

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Battle, if the viewer takes part in it or sees the tile."""
        parties = {self.attacker, self.defender}
        saw = bool(parties & before.secrets) or bool(before.visible[self.at[1], self.at[0]])
        if not saw:
            return None
        if before.secrecy.armies and not parties & before.secrets:
            return self._from_afar()
        return self if self.defender in before.secrets else replace(self, attacked_by=0)

    def _from_afar(self) -> Self:
        """Battle by what shows to those who do not know what fights there: who fell."""
        return replace(
            self,
            attackers=tuple(Fighter(one.army, NONE, 0) for one in self.attackers),
            defenders=tuple(Fighter(one.army, NONE, 0) for one in self.defenders),
            duels=tuple(replace(duel, dice=(), shielded=False) for duel in self.duels),
            helped=(),
            covered=(),
            attacked_by=0,
            wounds=UNSET,
        )


class FoughtBattle(NamedTuple):
    """Battle with the armies of both sides, and the position, as they were before it.

    ``fallen`` are ids.
    """

    event: BattleFought
    attackers: tuple[Army, ...]
    defenders: tuple[Army, ...]
    fallen: frozenset[int]
    before: World


RemovalReason: TypeAlias = Literal[
    "battle", "disbanded", "guardian", "side_out", "transit", "resigned", "item"
]


class ArmiesRemoved(StrategicEvent, frozen=True, tag="removed"):
    """Armies are no more, and why."""

    irreversible: ClassVar[bool] = True

    armies: tuple[int, ...]
    reason: RemovalReason

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Armies that were seen."""
        rows = before.world.armies
        seen = tuple(army for army in self.armies if before.sees(rows[army]))
        return replace(self, armies=seen) if seen else None


GrowthReason: TypeAlias = Literal["experience", "medal", "level", "blessing"]


class ArmiesGrew(SeenArmiesEvent, frozen=True, tag="grew"):
    """Experience, medals, levels, blessings: the armies as they are now."""

    irreversible: ClassVar[bool] = True

    reason: GrowthReason


class ArmiesHealed(StrategicEvent, frozen=True, tag="healed"):
    """Armies have recovered: (army, hit points that it still lacks)."""

    wounds: tuple[tuple[int, int], ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Armies that are seen to have recovered."""
        rows = after.world.armies
        seen = {army.id for army in shown(tuple(rows[a] for a, _ in self.wounds), before, after)}
        known = (one for one in self.wounds if after.knows_kind(rows[one[0]]))
        wounds = tuple((army, lost) for army, lost in known if army in seen)
        return replace(self, wounds=wounds) if wounds else None


class DeedsCounted(StrategicEvent, frozen=True, tag="deeds"):
    """The sides with what they have done counted on (deeds, quest, rating)."""

    sides: tuple[Side, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Own deeds."""
        sides = tuple(side for side in self.sides if side.id in before.secrets)
        return replace(self, sides=sides) if sides else None


BattleEvent: TypeAlias = BattleFought | ArmiesRemoved | ArmiesGrew | ArmiesHealed | DeedsCounted
"""Events of this chapter."""
