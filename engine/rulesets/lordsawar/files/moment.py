"""Convert a saved game of the original to a position in mid-game (19.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

import numpy as np

from engine.core.containers import Plane
from engine.core.record import replace
from engine.rulesets.lordsawar.files.records import OriginalArmy, OriginalPlayer, OriginalVectored
from engine.rulesets.lordsawar.files.words import PARTS, UNITS, OriginalGender
from engine.rulesets.lordsawar.kinds import flag_bits
from engine.rulesets.lordsawar.land import QUAYS, WATER, land_of, sign_rows
from engine.rulesets.lordsawar.lineup import type_flags
from engine.rulesets.lordsawar.pieces import type_value
from engine.rulesets.lordsawar.scene import Map, Now
from engine.rulesets.lordsawar.state import FIRST_OPINION, MOST_OPINION, NO_PROPOSAL, Condition
from engine.strategic.land_rows import hex_rows
from engine.strategic.pieces import NONE, Army, Hero, HitPoints, Transit, UnitType
from engine.strategic.scenario_checks import LONG_NAME

_WAR: Final = 2
_STATES: Final = 3
"""Number of treaties in the original: 1 peace, 2 war in the field, 3 war. See: LW-16."""


def moment_of(scene: Map, told: Any) -> Map:
    """Return a scenario with the moment of a saved game. Rules: LW-19.3. See: LW-19.5."""
    origin, land = told.origin, land_of(scene).terrain
    armies = tuple(_armies(told, land))
    sides = range(len(told.players))
    alive = [side for side in sides if not told.players[side].dead]
    active = told.owner(origin.active)
    at = active if active in alive else next(iter(alive), 0)
    now = Now(
        order=tuple(sides),
        at=at,
        treaties=_treaties(told),
        turn=origin.turn,
        armies=tuple(army for army, _ in armies),
        conditions=tuple(row for _, row in armies if row != Condition(row.id)),
        transits=tuple(_transits(told, len(armies))),
        proposals=_table(told, "diplomatic_proposals", -1, NO_PROPOSAL, 2),
        opinions=_table(told, "diplomatic_scores", 0, FIRST_OPINION, MOST_OPINION),
        rewards=scene.rewards,
        discovered=_discovered(told),
        next_id=len(armies) + len(origin.vectored) + 1,
    )
    return replace(scene, rows=sign_rows(land), now=now)


# -- armies ----------------------------------------------------------------------------------------


def _armies(told: Any, land: Plane) -> Iterator[tuple[Army, Condition]]:
    """Yield the armies of all stacks, each with its condition. See: LW-1, LW-19.3."""
    for number, (player, stack, army) in enumerate(told.armies(), 1):
        kind = told.outfit.type_of(army.army_set, army.unit_type)
        ground = land[stack.y, stack.x]
        wet = ground in WATER and (army.ship or "fly" not in kind.traits)
        made = replace(
            _army(told, player, army, kind, number),
            x=stack.x,
            y=stack.y,
            defends=stack.defending,
            aboard=wet or (ground in QUAYS and army.ship),
        )
        condition = _condition(army, kind, number)
        yield made, replace(condition, fortified=stack.defending, parked=stack.parked)


def _army(
    told: Any, player: OriginalPlayer, army: OriginalArmy, kind: UnitType, number: int
) -> Army:
    most = max(kind.hp or 0, -(-army.hp // UNITS) * UNITS)
    whole = HitPoints(most, most - army.hp)
    made = Army(
        id=number,
        owner=told.owner(player.id),
        type=kind.id,
        x=0,
        y=0,
        strength=army.strength,
        max_move=army.max_moves,
        points=max(0, army.moves),
        upkeep=army.upkeep,
        medals=sum(army.medals),
        level=army.level,
        blessed=tuple(told.temples[n] for n in army.visited_temples if n in told.temples),
        hp=whole,
    )
    if army.hero is None:
        return made
    name = " ".join(army.hero.name.split())[:LONG_NAME]
    shown = "".join(sign if sign.isprintable() else " " for sign in name)
    return replace(made, hero=Hero(shown, female=army.hero.gender is OriginalGender.FEMALE))


def _condition(army: OriginalArmy, kind: UnitType, number: int) -> Condition:
    """Return the experience, medals and abilities of an army. See: LW-1, LW-6.2, LW-6.4."""
    flags = flag_bits(army.army_bonus)
    usual = army.value == type_value(kind) * PARTS
    return Condition(
        number,
        xp=str(Fraction(max(0, army.xp), PARTS)),
        value="" if usual else str(Fraction(max(0, army.value), PARTS)),
        battles=max(0, army.battles),
        sight=max(0, army.sight - (kind.sight or 0)),
        flags=NONE if flags == type_flags(kind) else flags,
        medals=sum(1 << bit for bit, has in enumerate(army.medals) if has),
    )


def _transits(told: Any, count: int) -> Iterator[Transit]:
    """Yield the armies in transit between cities. See: LW-13.4."""
    for number, row in enumerate(told.origin.vectored, count + 1):
        home, target = told.city_at((row.x, row.y)), told.city_at((row.to_x, row.to_y))
        if NONE not in {home, target} and told.owner(row.owner) < len(told.players):
            army = _travelling(told, row, number, home)
            yield Transit(number, army, target, told.origin.turn + max(1, row.rounds))


def _travelling(told: Any, row: OriginalVectored, number: int, home: int) -> Army:
    slot = told.slot(row.unit)
    return Army(
        id=number,
        owner=told.owner(row.owner),
        type=slot.type,
        x=row.x,
        y=row.y,
        strength=slot.strength,
        max_move=slot.move,
        points=slot.move,
        upkeep=row.unit.upkeep,
        home=home,
    )


# -- treaties and discovered tiles -----------------------------------------------------------------


def _treaties(told: Any) -> tuple[tuple[int, ...], ...]:
    """Return the treaties of all sides; always war without diplomacy. See: LW-16."""

    def state(one: int, other: int) -> int:
        if one == other:
            return 0
        if not told.origin.options.diplomacy:
            return _WAR
        states = told.players[one].diplomatic_states
        number = told.players[other].id
        given = states[number] if number < len(states) else 1
        return min(_STATES, max(1, given)) - 1

    sides = range(len(told.players))
    return tuple(tuple(max(state(a, b), state(b, a)) for b in sides) for a in sides)


def _table(told: Any, field: str, more: int, usual: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return each side's proposals or opinions toward each other, in the numbers used here.

    ``more`` is added to the file's numbers. See: LW-16.
    """

    def value(one: int, other: int) -> int:
        listed = getattr(told.players[one], field)
        number = told.players[other].id
        if one == other or number >= len(listed):
            return usual
        found: int = listed[number] + more
        return min(most, max(min(0, more), found))

    sides = range(len(told.players))
    return tuple(tuple(value(a, b) for b in sides) for a in sides)


def _discovered(told: Any) -> tuple[str, ...]:
    """Return rows of the tiles seen by each side; empty without fog. See: LW-17, LW-19.3."""
    if not told.origin.options.hidden_map:
        return ()
    known = np.zeros((told.origin.height, told.origin.width), dtype=np.uint8)
    for side, player in enumerate(told.players):
        rows = player.unseen or ("0" * told.origin.width,) * told.origin.height
        seen = np.array([[digit == "0" for digit in row] for row in rows])
        known[seen] |= np.uint8(1 << side)
    return hex_rows(Plane(known))
