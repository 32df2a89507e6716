"""Attack phase: attacks, sieges, ranges, chance and forecasts (sections 7, 8 and 11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import isqrt
from typing import Final, Literal, TypeAlias

from engine.core.dice import Dice
from engine.core.record import Record
from engine.core.refused import Refused
from engine.kit.grid import Place, disc, square
from engine.rulesets.weltendaemmerung.commands import Attack, Refusal
from engine.rulesets.weltendaemmerung.events import (
    AttackMade,
    BuildingBroken,
    GameWon,
    UnitDestroyed,
)
from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    Decision,
    living,
    need_phase,
    own_unit,
    side_of,
    site_at,
    unit_at,
    unit_row,
    unit_side,
)
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    NO_SITE,
    Options,
    Position,
    State,
    Terrain,
    Unit,
)
from engine.rulesets.weltendaemmerung.tables import chance_table, units_table

MODIFIERS: Final = chance_table().modifiers
"""Modifier of each index 0 to 7 of a draw, added to the attack value. See: WD-RNG-1."""

C64_TOTALS: Final = tuple(accumulate(chance_table().weights))
"""Running totals of the original's weights for modifiers 0 to 4. Rules: WD-RNG-2."""

WALLS = frozenset({Terrain.WALL, *range(Terrain.WALL_1, Terrain.WALL_8 + 1)})
"""Terrains besides gates that a siege can break; not the hard wall. See: WD-SIEGE-2."""


def attack(decision: Decision, order: Attack) -> None:
    """Attack the enemy, or besiege the building, on a tile.

    Rules: WD-ATT-1, WD-ATT-5. See: WD-ATT-4.

    Raises:
        Refused: the attack is not allowed.
    """
    state, (x, y) = decision.state, order.at
    need_phase(state, ATTACK, "Units attack in the attack phase only.", "WD-ATT-1")
    unit = own_unit(state, order.unit)
    if unit.b == 0:
        raise Refused(Refusal.ATTACK_SPENT, "That unit has attacked already.", "WD-ATT-1")
    if not state.terrain.has(x, y):
        raise Refused(Refusal.OFF_MAP, "The map ends before that.", "WD-ATT-1")
    if not is_in_reach(state.options, units_table()[unit.type].r, x - unit.x, y - unit.y):
        raise Refused(Refusal.OUT_OF_REACH, "That is out of reach.", "WD-ATT-2")
    victim = unit_at(state, x, y)
    if victim is None and breaks(unit.type, state.terrain[y, x]):
        _besiege(decision, unit, x, y)
    elif victim is not None and side_of(victim.type) != state.player:
        _strike(decision, unit, victim)
    else:
        raise Refused(Refusal.NO_TARGET, "Nothing to attack there.", "WD-ATT-4")


def _strike(decision: Decision, unit: Unit, victim: Unit) -> None:
    """Strike without an answer. Rules: WD-ATT-3, WD-ATT-4, WD-ATT-6, WD-ATT-7. See: WD-NUM-4."""
    index, modifier = draw(decision.state, decision.dice)
    damage = units_table()[unit.type].a + modifier
    left = life_left(victim.v, damage)
    decision.emit(
        AttackMade(
            unit=unit.id,
            victim=victim.id,
            index=index,
            modifier=modifier,
            damage=damage,
            v_left=left,
            b_left=0,
        )
    )
    if left == 0:
        decision.emit(UnitDestroyed(unit=victim.id))
        _check_victory(decision, victim)


def _check_victory(decision: Decision, fallen: Unit) -> None:
    """End the game if this loss decides it. Rules: WD-WIN-1, WD-WIN-2, WD-UNIT-2. See: WD-WIN-5."""
    if fallen.type == COMMANDER:
        decision.emit(GameWon(side=DAILOR, reason="commander"))
    elif side_of(fallen.type) == DAILOR and living(decision.state, DAILOR) == 0:
        decision.emit(GameWon(side=ELDOIN, reason="annihilation"))


def life_left(v: int, damage: int) -> int:
    """Return the life left after a hit; 0 if it destroys. Rules: WD-NUM-4."""
    return max(0, v - damage)


# -- chance ------------------------------------------------------------------------------


def draw(state: State, dice: Dice) -> tuple[int | None, int]:
    """Draw the modifier of an attack by the option ``chance``; return its index and itself.

    The index in MODIFIERS is None for ``c64_weights``. Rules: WD-RNG-1, WD-RNG-3.
    """
    match state.options.chance:
        case "uniform8":
            index = dice.roll(len(MODIFIERS)) - 1
            return index, MODIFIERS[index]
        case "c64_weights":
            thrown = dice.roll(C64_TOTALS[-1])
            return None, next(m for m, total in enumerate(C64_TOTALS) if thrown <= total)
        case "c64_cycle":
            index = state.cycle[state.attacks % len(state.cycle)]
            return index, MODIFIERS[index]


def shares(position: Position) -> dict[int, tuple[int, int]]:
    """Return each modifier's chance in the next draw: (part, whole). See: WD-RNG-1, WD-RNG-3."""
    match position.options.chance:
        case "uniform8":
            return {m: (MODIFIERS.count(m), len(MODIFIERS)) for m in sorted(set(MODIFIERS))}
        case "c64_weights":
            starts = (0, *C64_TOTALS)
            return {m: (C64_TOTALS[m] - starts[m], C64_TOTALS[-1]) for m in range(5)}
        case "c64_cycle":
            sure = MODIFIERS[position.cycle[position.attacks % len(position.cycle)]]
            return {sure: (1, 1)}


# -- range -------------------------------------------------------------------------------


def is_in_reach(options: Options, reach: int, dx: int, dy: int) -> bool:
    """Return whether an offset is within a range.

    Under the option ``floor`` the whole part of the distance counts, so that range 1 includes the
    diagonals; under ``exact`` the distance itself. Rules: WD-ATT-2.
    """
    square = dx * dx + dy * dy
    if options.reach == "floor":
        return isqrt(square) <= reach
    return square <= reach * reach


@cache
def squared_range(kind: int, options: Options) -> int:
    """Return the exclusive bound of squared distances in a type's range. Rules: WD-ATT-2."""
    span = units_table()[kind].r
    offsets = [(dx, dy) for dx in range(span + 2) for dy in range(span + 2)]
    return 1 + max(square(way) for way in offsets if is_in_reach(options, span, *way))


def tiles_in_range(board: Position, unit: Unit) -> tuple[Place, ...]:
    """Return the tiles within a unit's range, row by row, without its own. See: WD-ATT-2."""
    offsets = disc(squared_range(unit.type, board.options))
    places = ((unit.x + dx, unit.y + dy) for dx, dy in offsets)
    return tuple(there for there in places if board.terrain.has(*there))


# -- sieges ------------------------------------------------------------------------------


def breaks(kind: int, terrain: int) -> bool:
    """Return whether a type can break a kind of building. Rules: WD-SIEGE-1, WD-SIEGE-2."""
    can = units_table()[kind].breaks
    if terrain == Terrain.GATE:
        return "gate" in can
    return terrain in WALLS and "wall" in can


def can_break(position: Position, unit: Unit, x: int, y: int) -> bool:
    """Return whether a unit can break the building on a tile without units, at any range.

    Rules: WD-SIEGE-4. See: WD-SIEGE-1, WD-SIEGE-2, WD-SIEGE-5.
    """
    terrain = position.terrain[y, x]
    if not breaks(unit.type, terrain):
        return False
    if terrain != Terrain.GATE:
        return True
    site = site_at(position, x, y)
    return x < position.frontier and site is not None and not site.ruined


def siege_tiles(position: Position, unit: Unit, taken: Collection[Place]) -> Iterator[Place]:
    """Yield tiles with a building that a unit can break from its position. See: WD-SIEGE-1.

    ``taken`` holds the tiles of living units.
    """
    if unit_row(unit).breaks:
        for there in tiles_in_range(position, unit):
            if there not in taken and can_break(position, unit, *there):
                yield there


def _besiege(decision: Decision, unit: Unit, x: int, y: int) -> None:
    """Break a gate or wall; a siege always succeeds.

    Rules: WD-SIEGE-3, WD-SIEGE-4, WD-SIEGE-5, WD-SIEGE-6.
    """
    state = decision.state
    site = NO_SITE
    if state.terrain[y, x] == Terrain.GATE:
        site = _site_to_ruin(state, x, y)
    decision.emit(
        BuildingBroken(unit=unit.id, x=x, y=y, terrain=Terrain.PAVEMENT, site=site, b_left=0)
    )


def _site_to_ruin(state: State, x: int, y: int) -> int:
    if x >= state.frontier:
        raise Refused(Refusal.NOT_YOUR_LAND, "Gates fall only west of the frontier.", "WD-SIEGE-4")
    site = site_at(state, x, y)
    if site is None:
        raise Refused(Refusal.NO_GATE_SITE, "That gate stands on no gate site.", "WD-SIEGE-4")
    if site.ruined:
        raise Refused(Refusal.SITE_RUINED, "That site is ruined already.", "WD-SIEGE-5")
    return site.id


# -- forecasts ---------------------------------------------------------------------------

TargetKind: TypeAlias = Literal["unit", "siege"]


class Forecast(Record, frozen=True):
    """Forecast of an attack: ``kills`` of ``draws`` equally likely draws destroy the target.

    A siege always succeeds and does no damage; its numbers are 0.
    """

    kind: TargetKind
    x: int
    y: int
    victim: int = -1
    least: int = 0
    most: int = 0
    total: int = 0
    """Sum of the damage over all draws."""
    kills: int = 1
    draws: int = 1

    @property
    def chance(self) -> Fraction:
        """Probability that the target is destroyed or broken."""
        return Fraction(self.kills, self.draws)

    @property
    def mean(self) -> Fraction:
        """Mean damage; hits above the victim's life count in full."""
        return Fraction(self.total, self.draws)

    @property
    def percent(self) -> int:
        """Probability in whole percent; 100 and 0 only if it is certain."""
        exact = self.chance * 100
        return int(exact) if exact >= 1 or exact == 0 else 1


def forecast(board: Position, unit: Unit, x: int, y: int) -> Forecast | None:
    """Return the forecast of an attack on a tile; None if nothing there can be attacked.

    Phase, range and attacks left are not checked.

    See: WD-ATT-3, WD-ATT-4, WD-RNG-1, WD-RNG-3, WD-SIEGE-3, WD-NUM-4.
    """
    victim = unit_at(board, x, y)
    if victim is None:
        return Forecast("siege", x, y) if can_break(board, unit, x, y) else None
    if unit_side(victim) == unit_side(unit):
        return None
    return _on_unit(board, unit, victim)


def possible_hits(board: Position, base: int) -> tuple[tuple[int, int], ...]:
    """Return (damage, weight) of each possible hit of the next attack, for attack value ``base``.

    See: WD-ATT-3, WD-RNG-3.
    """
    return tuple((base + modifier, part) for modifier, (part, _) in shares(board).items() if part)


def _on_unit(board: Position, unit: Unit, victim: Unit) -> Forecast:
    drawn = possible_hits(board, unit_row(unit).a)
    return Forecast(
        "unit",
        victim.x,
        victim.y,
        victim.id,
        least=min(damage for damage, _ in drawn),
        most=max(damage for damage, _ in drawn),
        total=sum(damage * weight for damage, weight in drawn),
        kills=sum(weight for damage, weight in drawn if life_left(victim.v, damage) == 0),
        draws=sum(weight for _, weight in drawn),
    )


def targets(board: Position, unit: Unit) -> tuple[Forecast, ...]:
    """Return the forecasts of all attacks that a unit can make from its position, row by row.

    See: WD-ATT-1, WD-ATT-2, WD-SIEGE-1, WD-SIEGE-4.
    """
    if not unit.alive or unit.b < 1:
        return ()
    found = [
        _on_unit(board, unit, victim)
        for victim in board.units.values()
        if victim.alive
        and unit_side(victim) != unit_side(unit)
        and is_in_reach(board.options, unit_row(unit).r, victim.x - unit.x, victim.y - unit.y)
    ]
    taken = {(other.x, other.y) for other in board.units.values() if other.alive}
    found += [Forecast("siege", x, y) for x, y in siege_tiles(board, unit, taken)]
    return tuple(sorted(found, key=lambda target: (target.y, target.x)))
