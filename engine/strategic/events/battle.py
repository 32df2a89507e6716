"""Events of battles, and of the armies after them."""

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
"""Sources of strength.

For the whole side: the leader, command items and standards of heroes, the best pack bonus, field
works, walls, the limit of all these, and the foe's malus. For one army: its own bonus on the
ground, a hero's weapons, fighting as a ship, and the limits of strength. ``support`` sums up all
that the side gives.
"""


class Part(Record, frozen=True):
    """A part of a strength. ``army`` is the army that gives it. ``cancelled``: a foe undoes it."""

    source: PartSource
    value: int
    army: int = NONE
    cancelled: bool = False


class Fighter(Record, frozen=True):
    """An army in the line of battle, with its strength there, and ``hp`` where wounds last."""

    army: int
    type: int
    strength: int
    hp: HitPoints | UnsetType = UNSET


class Duel(Record, frozen=True):
    """Fight of two front units until one falls.

    ``dice`` alternates the defender's and the attacker's roll, round by round. ``won``: the
    attacker's unit won. ``shielded``: hits on the attacker's unit did not count.
    """

    attacker: int
    defender: int
    dice: tuple[int, ...]
    won: bool
    shielded: bool = False


class BattleFought(StrategicEvent, frozen=True, tag="battle"):
    """A battle to the death, duel by duel. Both lines are in fighting order.

    ``helped`` and ``covered`` are the parts of the attackers' and of the defenders' support.
    ``attacked_by`` is a bit set of the sides that have attacked the ``city`` so far, this one
    included. ``wounds`` are the total hit points that survivors lack, as (army, lost), where wounds
    last.
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
        """Return the event if the viewer takes part or sees the tile, otherwise None."""
        parties = {self.attacker, self.defender}
        saw = bool(parties & before.secrets) or bool(before.visible[self.at[1], self.at[0]])
        if not saw:
            return None
        if before.secrecy.armies and not parties & before.secrets:
            return self._from_afar()
        return self if self.defender in before.secrets else replace(self, attacked_by=0)

    def _from_afar(self) -> Self:
        """Return the battle as seen without knowing the types of armies: only the fallen show."""
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
    """Battle with the armies of both sides and the position as they were before it.

    ``fallen`` are the ids of the dead.
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
    """Removal of armies from the map, with the reason."""

    irreversible: ClassVar[bool] = True

    armies: tuple[int, ...]
    reason: RemovalReason

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event with the armies that the viewer saw, or None."""
        rows = before.world.armies
        seen = tuple(army for army in self.armies if before.sees(rows[army]))
        return replace(self, armies=seen) if seen else None


GrowthReason: TypeAlias = Literal["experience", "medal", "level", "blessing"]


class ArmiesGrew(SeenArmiesEvent, frozen=True, tag="grew"):
    """Armies as they are after experience, a medal, a level or a blessing."""

    irreversible: ClassVar[bool] = True

    reason: GrowthReason


class ArmiesHealed(StrategicEvent, frozen=True, tag="healed"):
    """Recovery of armies, as (army, hit points that it still lacks)."""

    wounds: tuple[tuple[int, int], ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event with the armies that the viewer sees recover, or None."""
        rows = after.world.armies
        seen = {army.id for army in shown(tuple(rows[a] for a, _ in self.wounds), before, after)}
        known = (one for one in self.wounds if after.knows_kind(rows[one[0]]))
        wounds = tuple((army, lost) for army, lost in known if army in seen)
        return replace(self, wounds=wounds) if wounds else None


class DeedsCounted(StrategicEvent, frozen=True, tag="deeds"):
    """The sides afterwards, with their new deeds."""

    sides: tuple[Side, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event with the viewer's own side, or None."""
        sides = tuple(side for side in self.sides if side.id in before.secrets)
        return replace(self, sides=sides) if sides else None


BattleEvent: TypeAlias = BattleFought | ArmiesRemoved | ArmiesGrew | ArmiesHealed | DeedsCounted
"""Events of this module."""
