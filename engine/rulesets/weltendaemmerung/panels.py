"""What is laid over the board for a cursor, and the lines beside it.

A panel line has at most 25 characters, so it fits beside the board on a screen of 80 columns.
"""

from __future__ import annotations

from engine.kit.grid import square
from engine.kit.memo import recent
from engine.rulesets.weltendaemmerung import looking, sentences, sight, stick
from engine.rulesets.weltendaemmerung.forecast import Forecast, targets
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.idle import idle
from engine.rulesets.weltendaemmerung.lookup import site_at, unit_at
from engine.rulesets.weltendaemmerung.reach import Reach, below, reach, strike
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
from engine.tabletop.board import Line, Mark, Overlay, tenths
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign, Tone

SURE = "X"
"""On a target: it is certainly destroyed or broken."""


def overlay(view: View, focus: Focus) -> Overlay:
    """Marks of what the held unit can do, or of what can be held; and the panel.

    Rules: WD-MOVE-7, WD-ATT-2, WD-GATE-2, WD-GATE-6.
    """
    held = stick.held_unit(view, focus)
    marks: tuple[Mark, ...]
    lines = _tile(view, focus, held)
    if held is None:
        marks = _free_marks(view)
    elif view.phase == MOVE:
        near = _enemies_near(view, held)
        marks = _reach_marks(reach(view, held)) + tuple(Mark(x, y, Sign.TARGET) for x, y in near)
        lines += _carried(view, held, len(near))
    else:
        found = targets(view, held)
        marks = _target_marks(view, held, found)
        lines += _chosen(view, focus, held, found)
    return Overlay(marks, tuple(lines), hint(view, focus))


@recent
def _free_marks(view: View) -> tuple[Mark, ...]:
    if not sight.is_acting(view):
        return ()
    if view.phase == GATES:
        return tuple(Mark(x, y, Sign.TARGET) for x, y in sight.workable(view))
    return tuple(Mark(unit.x, unit.y, Sign.IDLE) for unit in idle(view))


def _enemies_near(view: View, held: Unit) -> list[tuple[int, int]]:
    """Enemies that a carried unit could attack from where it stands. Rules: WD-ATT-2."""
    limit = below(held.type, view.options)
    return [
        (unit.x, unit.y)
        for unit in view.units.values()
        if unit.alive
        and sight.side(unit) != view.player
        and square((unit.x - held.x, unit.y - held.y)) < limit
    ]


def _reach_marks(found: Reach) -> tuple[Mark, ...]:
    marks = [Mark(x, y, Sign.REACH, str(price)) for (x, y), price in found.prices().items()]
    marks.append(Mark(found.unit.x, found.unit.y, Sign.HELD))
    return tuple(marks)


def _target_marks(view: View, held: Unit, found: tuple[Forecast, ...]) -> tuple[Mark, ...]:
    marked = {(target.x, target.y) for target in found}
    marks = [Mark(x, y, Sign.STRIKE) for x, y in strike(view, held) if (x, y) not in marked]
    marks += [
        Mark(target.x, target.y, Sign.TARGET, chance(target), short=short(target))
        for target in found
    ]
    marks.append(Mark(held.x, held.y, Sign.HELD))
    return tuple(marks)


def chance(target: Forecast) -> str:
    """The chance in percent in at most two characters."""
    return SURE if target.percent == 100 else str(target.percent)


def short(target: Forecast) -> str:
    """The chance in one character: its tens, or the sign of what is certain."""
    return SURE if target.percent == 100 else tenths(target.percent)


def _tile(view: View, focus: Focus, held: Unit | None) -> list[Line]:
    """The tile and the unit at the cursor. Rules: WD-GATE-6."""
    x, y = focus.x, focus.y
    terrain = view.terrain[y, x]
    name, rule = sentences.terrain_name(view, x, y), looking.ground_rule(terrain)
    lines = [Line(f"{name} {x},{y}", rule=rule, at=(x, y))]
    if held is not None and view.phase == MOVE:
        lines.append(_price(view, held, x, y))
    unit = unit_at(view, x, y)
    if unit is not None:
        side = sight.side(unit)
        title = f"{SIDES[side]}: {sight.type_name(unit)}"
        rule = looking.unit_rule(unit)
        lines.append(Line(title, Tone.STRONG, side, rule, (x, y)))
        lines.append(Line(f"{sentences.values(unit)} #{unit.id}", seat=side, rule=rule, at=(x, y)))
    return lines + _site(view, x, y)


def _price(view: View, held: Unit, x: int, y: int) -> Line:
    """What the tile costs the carried unit. Rules: WD-MOVE-2, WD-MOVE-8, WD-TERR-4."""
    terrain = view.terrain[y, x]
    if not enterable()[held.type][terrain] and (x, y) != (held.x, held.y):
        return Line("It cannot go there", Tone.QUIET, rule="WD-TERR-4", at=(x, y))
    origin = view.options.price_tile == "origin"
    way, rule = ("leave", "WD-MOVE-2") if origin else ("enter", "WD-MOVE-8")
    return Line(f"Price to {way}: {prices()[held.type][terrain]}", rule=rule, at=(x, y))


def _site(view: View, x: int, y: int) -> list[Line]:
    site = site_at(view, x, y)
    if site is None:
        return []
    owner = land_of(view, x)
    if site.ruined:
        return [Line("Gate ruined for ever", Tone.QUIET, owner, "WD-GATE-5", (x, y))]
    state = "shut" if view.terrain[y, x] == Terrain.GATE else "open"
    return [Line(f"{SIDES[owner]}'s gate, {state}", Tone.NORMAL, owner, "WD-GATE-2", (x, y))]


def _carried(view: View, held: Unit, near: int) -> list[Line]:
    """What matters while a unit is carried. Rules: WD-MOVE-4, WD-ATT-2, WD-WIN-4."""
    lines = []
    if held.b == 0:
        lines.append(Line("No points left", Tone.BAD, rule="WD-MOVE-2"))
    if near:
        count = "1 enemy" if near == 1 else f"{near} enemies"
        lines.append(Line(f"In range here: {count}", rule="WD-ATT-2"))
    if sight.side(held) == DAILOR and view.options.west_edge_win == "on":
        lines.append(Line("Column 0 wins the game", Tone.GOOD, DAILOR, "WD-WIN-4"))
    return lines


def _chosen(view: View, focus: Focus, held: Unit, found: tuple[Forecast, ...]) -> list[Line]:
    """What the chosen attacker would do to the tile at the cursor."""
    side = sight.side(held)
    title, at = f"Attacker: {sight.type_name(held)}", (held.x, held.y)
    lines = [Line(title, Tone.STRONG, side, "WD-ATT-1", at)]
    here = [target for target in found if (target.x, target.y) == (focus.x, focus.y)]
    if here:
        return lines + weighed(view, here[0])
    text = f"{len(found)} targets in reach" if len(found) != 1 else "1 target in reach"
    return [*lines, Line(text, Tone.QUIET, side, "WD-ATT-2")]


def weighed(view: View, target: Forecast) -> list[Line]:
    """A forecast in lines. Rules: WD-ATT-3, WD-SIEGE-3."""
    at = (target.x, target.y)
    if target.kind == "siege":
        return [Line("Breaks for certain", Tone.GOOD, rule="WD-SIEGE-3", at=at)]
    victim = view.units[target.victim]
    span = f"{target.least}-{target.most}"
    span = str(target.least) if target.least == target.most else span
    mean = f"{float(target.mean):.2f}".rstrip("0").rstrip(".")
    tone, rule = Tone.GOOD if target.kills else Tone.NORMAL, "WD-RNG-1"
    return [
        Line(f"Damage {span}, mean {mean}", rule="WD-ATT-3", at=at),
        Line(f"against {victim.v} life", rule="WD-ATT-3", at=at),
        Line(f"Kills {target.percent} % ({target.kills}/{target.draws})", tone, rule=rule, at=at),
    ]


def hint(view: View, focus: Focus) -> str:
    """What the button would do now. Rules: WD-STICK-6."""
    if view.winner >= 0 or not sight.is_acting(view):
        return ""
    if stick.is_end_tile(view, focus.x, focus.y):
        return f"end the {sight.phase_name(view)}"
    if view.phase == GATES:
        return _gate_hint(view, focus)
    if stick.held_unit(view, focus) is not None:
        return "put down" if view.phase == MOVE else "attack here"
    unit = sight.own_unit(view, focus.x, focus.y)
    if unit is None or (view.phase == ATTACK and unit.b == 0):
        return ""
    return "pick up" if view.phase == MOVE else "choose as attacker"


def _gate_hint(view: View, focus: Focus) -> str:
    if (focus.x, focus.y) not in sight.workable(view):
        return ""
    shut = view.terrain[focus.y, focus.x] == Terrain.GATE
    return "open the gate" if shut else "shut the gate"


def jumps(view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
    """Cells to jump between; enemies are those in reach while an attacker is chosen."""
    if kind == "idle":
        return tuple((unit.x, unit.y) for unit in idle(view))
    if kind == "site":
        return sight.workable(view) or tuple((site.x, site.y) for site in view.sites.values())
    if kind != "enemy":
        return ()
    held = stick.held_unit(view, focus)
    if held is not None and view.phase == ATTACK:
        return tuple((target.x, target.y) for target in targets(view, held))
    me = view.viewer if view.viewer in (ELDOIN, DAILOR) else view.player
    return tuple(
        (unit.x, unit.y) for unit in view.units.values() if unit.alive and sight.side(unit) != me
    )
