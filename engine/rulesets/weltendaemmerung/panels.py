"""Overlay and panel of the cursor, and tiles in sentences.

A panel line has at most 25 characters, so that it fits beside the board on 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import square
from engine.kit.identity_cache import identity_cache
from engine.rulesets.weltendaemmerung.cards import stop_lines, unit_card, unit_rule
from engine.rulesets.weltendaemmerung.fighting import (
    MODIFIERS,
    WALLS,
    Forecast,
    squared_range,
    targets,
    tiles_in_range,
)
from engine.rulesets.weltendaemmerung.lookup import (
    acting_unit_at,
    ending_of,
    ground_name,
    held_unit,
    is_acting,
    is_end_tile,
    land_of,
    site_at,
    type_name,
    unit_at,
    unit_row,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.offers import idle
from engine.rulesets.weltendaemmerung.phases import workable_sites
from engine.rulesets.weltendaemmerung.reach import UnitReach, reach, shown_side, units_of
from engine.rulesets.weltendaemmerung.reports import gate_state
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    SIDES,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.tables import enterable, prices
from engine.rulesets.weltendaemmerung.telling import WEST_EDGE
from engine.tabletop.board import BoardMark, Line, Overlay, tenths
from engine.tabletop.english import capital, joined, many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign, Tone
from engine.tabletop.spoken import SpokenMark

_TERRAIN_RULES: Final[dict[int, str]] = {
    Terrain.RIVER: "WD-TERR-2",
    Terrain.FOREST: "WD-TERR-2",
    Terrain.SWAMP: "WD-TERR-2",
    Terrain.MOUNTAIN: "WD-TERR-4",
    Terrain.END: "WD-TURN-6",
    Terrain.GATE: "WD-GATE-3",
    Terrain.HARD_WALL: "WD-SIEGE-2",
    **dict.fromkeys(WALLS, "WD-SIEGE-1"),
}

SURE = "X"
"""Chance of a target that is certainly destroyed or broken."""


# -- the overlay of the cursor -----------------------------------------------------------


def overlay(view: View, focus: Focus) -> Overlay:
    """Return the marks of the held unit's options, or of units that can act, and the panel.

    See: WD-MOVE-7, WD-ATT-2, WD-GATE-2, WD-GATE-6.
    """
    held = held_unit(view, focus)
    marks: tuple[BoardMark, ...]
    lines = [*_tile(view, focus, held)]
    own = unit_at(view, focus.x, focus.y)
    if held is None:
        marks = _free_marks(view)
    elif view.phase == MOVE:
        near = _enemies_near(view, held)
        marks = _reach_marks(reach(view, held)) + tuple(
            BoardMark(x, y, MarkSign.TARGET) for x, y in near
        )
        lines += _carried(view, held, len(near))
    else:
        found = targets(view, held)
        marks = _target_marks(view, held, found)
        lines += _chosen(view, focus, held, found)
    if own is not None:
        lines += stop_lines(view, own, carried=own is held)
    return Overlay(marks, tuple(lines), hint(view, focus))


@identity_cache
def _free_marks(view: View) -> tuple[BoardMark, ...]:
    if not is_acting(view):
        return ()
    if view.phase == GATES:
        return tuple(BoardMark(x, y, MarkSign.TARGET) for x, y in workable_sites(view))
    return tuple(BoardMark(unit.x, unit.y, MarkSign.IDLE) for unit in idle(view))


def _enemies_near(view: View, held: Unit) -> list[tuple[int, int]]:
    """Return the tiles of the enemies within the range of a carried unit. See: WD-ATT-2."""
    limit = squared_range(held.type, view.options)
    foes = [(unit.x, unit.y) for unit in units_of(view, ELDOIN + DAILOR - view.player)]
    return [(x, y) for x, y in foes if square((x - held.x, y - held.y)) < limit]


def _reach_marks(found: UnitReach) -> tuple[BoardMark, ...]:
    marks = [
        BoardMark(x, y, MarkSign.REACH, str(price)) for (x, y), price in found.prices().items()
    ]
    marks.append(BoardMark(found.unit.x, found.unit.y, MarkSign.HELD))
    return tuple(marks)


def _target_marks(view: View, held: Unit, found: tuple[Forecast, ...]) -> tuple[BoardMark, ...]:
    marked = {(target.x, target.y) for target in found}
    marks = [
        BoardMark(x, y, MarkSign.STRIKE)
        for x, y in tiles_in_range(view, held)
        if (x, y) not in marked
    ]
    marks += [
        SpokenMark(
            target.x,
            target.y,
            MarkSign.TARGET,
            chance_text(target),
            short=chance_digit(target),
            words=f"{target.percent} % to {'break it' if target.kind == 'siege' else 'kill'}",
        )
        for target in found
    ]
    marks.append(BoardMark(held.x, held.y, MarkSign.HELD))
    return tuple(marks)


# -- panel lines -------------------------------------------------------------------------


def _tile(view: View, focus: Focus, held: Unit | None) -> Iterator[Line]:
    """Yield lines about the unit, the tile and the gate site at the cursor. See: WD-GATE-6."""
    x, y = focus.x, focus.y
    unit = unit_at(view, x, y)
    if unit is not None:
        yield from unit_card(view, unit)
    yield _ground_line(view, held if view.phase == MOVE else None, x, y)
    yield from _site(view, x, y)


def _ground_line(view: View, held: Unit | None, x: int, y: int) -> Line:
    """Return the name of a tile, and its price for the carried unit.

    See: WD-MOVE-2, WD-MOVE-8, WD-TERR-4.
    """
    terrain, name = view.terrain[y, x], capital(tile_name(view, x, y))
    if held is None:
        return Line(name, rule=ground_rule(terrain), at=(x, y))
    if not enterable()[held.type][terrain] and (x, y) != (held.x, held.y):
        return Line(f"{name}: closed to it", Tone.QUIET, rule="WD-TERR-4", at=(x, y))
    origin = view.options.price_tile == "origin"
    way, rule = ("leave", "WD-MOVE-2") if origin else ("enter", "WD-MOVE-8")
    return Line(f"{name}: {prices()[held.type][terrain]} to {way}", rule=rule, at=(x, y))


def _site(view: View, x: int, y: int) -> Iterator[Line]:
    site, owner = site_at(view, x, y), land_of(view, x)
    if site is not None and site.ruined:
        yield Line("Gate ruined for ever", Tone.QUIET, owner, "WD-GATE-5", (x, y))
    elif site is not None:
        text = f"{SIDES[owner]}'s gate, {gate_state(view, site)}"
        yield Line(text, Tone.NORMAL, owner, "WD-GATE-2", (x, y))


def _carried(view: View, held: Unit, near: int) -> Iterator[Line]:
    """Describe points, enemies in range and the west edge. See: WD-MOVE-4, WD-ATT-2, WD-WIN-4."""
    if held.b == 0:
        yield Line("No moves left", Tone.BAD, rule="WD-MOVE-2")
    if near:
        yield Line(f"In range here: {many(near, 'enemy', 'enemies')}", rule="WD-ATT-2")
    if unit_side(held) == DAILOR and view.options.west_edge_win == "on":
        yield Line("Column 0 wins the game", Tone.GOOD, DAILOR, "WD-WIN-4")


def _chosen(view: View, focus: Focus, held: Unit, found: tuple[Forecast, ...]) -> Iterator[Line]:
    """Yield lines about the chosen attacker, and its forecast for the tile at the cursor."""
    side, at = unit_side(held), (held.x, held.y)
    yield Line(f"Attacker: {type_name(held)}", Tone.STRONG, side, "WD-ATT-1", at)
    here = [target for target in found if (target.x, target.y) == (focus.x, focus.y)]
    if here:
        yield from forecast_lines(view, here[0])
    else:
        yield Line(f"{many(len(found), 'target')} in reach", Tone.QUIET, side, "WD-ATT-2")


def forecast_lines(view: View, target: Forecast) -> Iterator[Line]:
    """Yield the forecast in panel lines. See: WD-ATT-3, WD-SIEGE-3."""
    at = (target.x, target.y)
    if target.kind == "siege":
        yield Line("Breaks for certain", Tone.GOOD, rule="WD-SIEGE-3", at=at)
        return
    victim = view.units[target.victim]
    span = f"{target.least}-{target.most}"
    span = str(target.least) if target.least == target.most else span
    mean = f"{float(target.mean):.2f}".rstrip("0").rstrip(".")
    tone, rule = Tone.GOOD if target.kills else Tone.NORMAL, "WD-RNG-1"
    yield Line(f"Damage {span}, mean {mean}", rule="WD-ATT-3", at=at)
    yield Line(f"against {victim.v} life", rule="WD-ATT-3", at=at)
    text = f"Kills {target.percent} % ({target.kills}/{target.draws})"
    yield Line(text, tone, rule=rule, at=at)


def chance_text(target: Forecast) -> str:
    """Return the probability in percent, in at most two characters."""
    return SURE if target.percent == 100 else str(target.percent)


def chance_digit(target: Forecast) -> str:
    """Return the tens digit of the probability, or ``SURE``."""
    return SURE if target.percent == 100 else tenths(target.percent)


# -- the button and jumps ----------------------------------------------------------------


def hint(view: View, focus: Focus) -> str:
    """Return the effect of the button now; empty if it has none. See: WD-STICK-6."""
    if view.winner >= 0 or not is_acting(view):
        return ""
    if is_end_tile(view, focus.x, focus.y):
        return ending_of(view)
    if view.phase == GATES:
        return _gate_hint(view, focus)
    held = held_unit(view, focus)
    if held is not None:
        return "put down" if view.phase == MOVE else _attack_hint(view, focus, held)
    unit = acting_unit_at(view, focus.x, focus.y)
    if unit is None or (view.phase == ATTACK and unit.b == 0):
        return ""
    return "pick up" if view.phase == MOVE else "choose as attacker"


def _attack_hint(view: View, focus: Focus, held: Unit) -> str:
    at = focus.x, focus.y
    return "attack here" if at in {(one.x, one.y) for one in targets(view, held)} else ""


def _gate_hint(view: View, focus: Focus) -> str:
    if (focus.x, focus.y) not in workable_sites(view):
        return ""
    shut = view.terrain[focus.y, focus.x] == Terrain.GATE
    return "open the gate" if shut else "shut the gate"


def jumps(view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
    """Return cells to jump between; while an attacker is chosen, only enemies in its range.

    ``kind`` is ``idle``, ``enemy`` or ``site``; for any other kind the result is empty.
    """
    if kind == "idle":
        return tuple((unit.x, unit.y) for unit in idle(view))
    if kind == "site":
        return workable_sites(view) or tuple((site.x, site.y) for site in view.sites.values())
    if kind != "enemy":
        return ()
    held = held_unit(view, focus)
    if held is not None and view.phase == ATTACK:
        return tuple((target.x, target.y) for target in targets(view, held))
    foes = units_of(view, ELDOIN + DAILOR - shown_side(view))
    return tuple((unit.x, unit.y) for unit in foes)


# -- a tile in sentences -----------------------------------------------------------------


def look(view: View, x: int, y: int) -> tuple[Line, ...]:
    """Describe terrain, unit and gate site of a tile. See: WD-GATE-2, WD-GATE-5, WD-GATE-6."""
    at = (x, y)
    unit = unit_at(view, x, y)
    lines = [_ground(view, x, y, unit)]
    if unit is not None:
        lines += _unit(view, unit)
    site = site_at(view, x, y)
    if site is not None:
        owner = land_of(view, x)
        text = f"This gate site is {SIDES[owner]}'s to work in the gate phase."
        rule = "WD-GATE-2"
        if site.ruined:
            text, rule = "The gate was broken; the site is ruined for ever.", "WD-GATE-5"
        lines.append(Line(text, Tone.QUIET, owner, rule, at))
    if view.options.west_edge_win == "on" and x == 0:
        lines.append(Line(WEST_EDGE, Tone.QUIET, DAILOR, "WD-WIN-4", at))
    return tuple(lines)


def _ground(view: View, x: int, y: int, unit: Unit | None) -> Line:
    """Describe the terrain and its effect on units. See: WD-TERR-1, WD-TERR-2, WD-TERR-4."""
    terrain = view.terrain[y, x]
    text = f"{x},{y}: {tile_name(view, x, y)}. {' '.join(_effects(view, terrain, unit))}"
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
    """Return the price for one unit, or the different prices of all types, sorted."""
    if unit is not None:
        return (prices()[unit.type][terrain],)
    pairs = zip(prices(), enterable(), strict=True)
    return tuple(sorted({price[terrain] for price, opens in pairs if opens[terrain]}))


def _points(costs: tuple[int, ...]) -> str:
    if len(costs) > 1:
        return f"{costs[0]} to {costs[-1]} moves"
    return many(costs[0], "move")


def _unit(view: View, unit: Unit) -> Iterator[Line]:
    """Yield lines about owner, life, damage, range and abilities of a unit.

    See: WD-UNIT-1, WD-ATT-2, WD-ATT-3, WD-TERR-4, WD-SIEGE-1.
    """
    row, side, at = unit_row(unit), unit_side(unit), (unit.x, unit.y)
    text = f"{whose(unit)}, unit {unit.id}: {unit.v} of {row.v} life, {_left(view, unit)}."
    yield Line(text, seat=side, rule=unit_rule(unit), at=at)
    hits = f"{row.a + min(MODIFIERS)} to {row.a + max(MODIFIERS)}"
    text = f"Hits for {hits} within {many(row.r, 'tile')}."
    yield Line(text, seat=side, rule="WD-ATT-3", at=at)
    if abilities := _abilities(unit):
        rule = "WD-SIEGE-1" if row.breaks else "WD-TERR-4"
        yield Line(abilities, Tone.QUIET, side, rule, at)


def _left(view: View, unit: Unit) -> str:
    """Describe the points or attack left to a unit in this phase. See: WD-TURN-1, WD-TURN-4."""
    if view.phase == MOVE:
        return f"{unit.b} of {unit.b_max} moves"
    if view.phase == ATTACK:
        return "may attack" if unit.b else "has attacked"
    return f"{unit.b_max} moves in the next round"


def _abilities(unit: Unit) -> str:
    """Describe abilities that most types lack. See: WD-TERR-4, WD-SIEGE-1."""
    row = unit_row(unit)
    words = {"flyer": "It flies over everything but units.", "ship": "It sails on rivers only."}
    said = [words[row.kind]] if row.kind in words else []
    if row.breaks:
        said.append(f"It can break {joined([f'{what}s' for what in row.breaks])}.")
    return " ".join(said)


def ground_rule(terrain: int) -> str:
    """Return the rule that explains a terrain best."""
    return _TERRAIN_RULES.get(terrain, "WD-TERR-1")


def tile_name(view: View, x: int, y: int) -> str:
    """Return a tile's name, with "(gate)" on a usable site without a gate. Rules: WD-GATE-6."""
    terrain = view.terrain[y, x]
    name = ground_name(terrain)
    site = site_at(view, x, y)
    if site is not None and not site.ruined and terrain != Terrain.GATE:
        return f"{name} (gate)"
    return name
