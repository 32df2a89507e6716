"""A tile in sentences, for those who see the map and for those who hear it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.chance import MODIFIERS
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import COMMANDER, site_at, unit_at
from engine.rulesets.weltendaemmerung.sentences import WEST_EDGE, terrain_name
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    MOVE,
    SIDES,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.tables import enterable, prices
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

_RULES: Final[dict[int, str]] = {
    Terrain.RIVER: "WD-TERR-2",
    Terrain.FOREST: "WD-TERR-2",
    Terrain.SWAMP: "WD-TERR-2",
    Terrain.MOUNTAIN: "WD-TERR-4",
    Terrain.END: "WD-TURN-6",
    Terrain.GATE: "WD-GATE-3",
    Terrain.HARD_WALL: "WD-SIEGE-2",
    **dict.fromkeys(WALLS, "WD-SIEGE-1"),
}


def ground_rule(terrain: int) -> str:
    """The rule that says most about a terrain."""
    return _RULES.get(terrain, "WD-TERR-1")


def unit_rule(unit: Unit) -> str:
    """The rule that says most about a unit."""
    return "WD-WIN-1" if unit.type == COMMANDER else "WD-UNIT-1"


def look(view: View, x: int, y: int) -> tuple[Line, ...]:
    """What is on a tile. Rules: WD-GATE-2, WD-GATE-5, WD-GATE-6."""
    at = (x, y)
    unit = unit_at(view, x, y)
    lines = [_ground(view, x, y, unit)]
    if unit is not None:
        lines += _unit(view, unit)
    site = site_at(view, x, y)
    if site is not None:
        owner = land_of(view, x)
        text = f"This gate site is {SIDES[owner]}'s to work in the Torphase."
        rule = "WD-GATE-2"
        if site.ruined:
            text, rule = "The gate was broken; the site is ruined for ever.", "WD-GATE-5"
        lines.append(Line(text, Tone.QUIET, owner, rule, at))
    if view.options.west_edge_win == "on" and x == 0:
        lines.append(Line(WEST_EDGE, Tone.QUIET, DAILOR, "WD-WIN-4", at))
    return tuple(lines)


def _ground(view: View, x: int, y: int, unit: Unit | None) -> Line:
    """The terrain and what it does to units. Rules: WD-TERR-1, WD-TERR-2, WD-TERR-4."""
    terrain = view.terrain[y, x]
    text = f"{x},{y}: {terrain_name(view, x, y)}. {' '.join(_effects(view, terrain, unit))}"
    return Line(text, rule=ground_rule(terrain), at=(x, y))


def _effects(view: View, terrain: int, unit: Unit | None) -> Iterator[str]:
    if unit is None and terrain in {*WALLS, Terrain.HARD_WALL, Terrain.GATE, Terrain.MOUNTAIN}:
        yield "Only flyers go there."
    else:
        way = "leave" if view.options.price_tile == "origin" else "enter"
        yield f"Costs {_points(_prices(terrain, unit))} to {way}."
    if terrain == Terrain.HARD_WALL:
        yield "Nothing breaks it."
    elif terrain in WALLS:
        yield "Catapults and wyrms break it."


def _prices(terrain: int, unit: Unit | None) -> tuple[int, ...]:
    """Every price that types pay there, or that of one unit."""
    if unit is not None:
        return (prices()[unit.type][terrain],)
    pairs = zip(prices(), enterable(), strict=True)
    return tuple(sorted({price[terrain] for price, opens in pairs if opens[terrain]}))


def _points(costs: tuple[int, ...]) -> str:
    if len(costs) > 1:
        return f"{costs[0]} to {costs[-1]} points"
    return "1 point" if costs[0] == 1 else f"{costs[0]} points"


def _unit(view: View, unit: Unit) -> Iterator[Line]:
    """A unit in words. Rules: WD-UNIT-1, WD-ATT-2, WD-ATT-3, WD-TERR-4, WD-SIEGE-1."""
    row, side, at = sight.row(unit), sight.side(unit), (unit.x, unit.y)
    text = f"{sight.whose(unit)}, unit {unit.id}: {unit.v} of {row.v} life, {_left(view, unit)}."
    yield Line(text, seat=side, rule=unit_rule(unit), at=at)
    tiles = "1 tile" if row.r == 1 else f"{row.r} tiles"
    text = f"Hits for {row.a + min(MODIFIERS)} to {row.a + max(MODIFIERS)} within {tiles}."
    yield Line(text, seat=side, rule="WD-ATT-3", at=at)
    if gifts := _gifts(unit):
        rule = "WD-SIEGE-1" if row.breaks else "WD-TERR-4"
        yield Line(gifts, Tone.QUIET, side, rule, at)


def _left(view: View, unit: Unit) -> str:
    """What a unit can still do in this phase. Rules: WD-TURN-1, WD-TURN-4."""
    if view.phase == MOVE:
        return f"{unit.b} of {unit.b_max} points"
    if view.phase == ATTACK:
        return "may attack" if unit.b else "has attacked"
    return f"{unit.b_max} points in the next round"


def _gifts(unit: Unit) -> str:
    """What a unit can do that most cannot. Rules: WD-TERR-4, WD-SIEGE-1."""
    row = sight.row(unit)
    words = {"flyer": "It flies over everything but units.", "ship": "It sails on rivers only."}
    said = [words[row.kind]] if row.kind in words else []
    if row.breaks:
        said.append(f"It can break {' and '.join(f'{what}s' for what in row.breaks)}.")
    return " ".join(said)
