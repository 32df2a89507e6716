"""Questions about a position for the command line: reach, ways and their prices, forecasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.ruleset import Argument, Report, Tool
from engine.core.work import Work
from engine.kit.fields import FAR, descend, distances
from engine.kit.grid import Place
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.commands import MoveUnit
from engine.rulesets.weltendaemmerung.evolve import evolve
from engine.rulesets.weltendaemmerung.fighting import is_in_reach
from engine.rulesets.weltendaemmerung.forecast import forecast
from engine.rulesets.weltendaemmerung.lookup import Job
from engine.rulesets.weltendaemmerung.moving import move_unit
from engine.rulesets.weltendaemmerung.reach import ground, reach
from engine.rulesets.weltendaemmerung.state import MOVE, State, Unit

_UNIT: Final = Argument("unit", "number", "the number of a unit")
_FULL: Final = "Outside the Bewegungsphase a unit is taken to have its full points."


@dataclass(frozen=True)
class Question:
    """A tool made of its texts and a function."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Callable[[State, Mapping[str, str]], Report]

    def run(self, state: State, arguments: Mapping[str, str]) -> Report:
        """The answer for a position.

        Raises:
            ValueError: an argument is missing or does not fit.
        """
        for argument in self.arguments:
            if argument.required and argument.name not in arguments:
                raise ValueError(f"{self.name} needs {argument.name}: {argument.text}")
        return self.answer(state, arguments)


def _reach(state: State, arguments: Mapping[str, str]) -> Report:
    """Every reachable tile with its price. Rules: WD-MOVE-7."""
    unit = _mover(state, arguments)
    found = reach(state, unit)
    rows = tuple(
        (x, y, sight.ground_name(state.terrain[y, x]), price, found.left(x, y))
        for (x, y), price in found.prices().items()
    )
    remark = f"{_named(unit)} with {unit.b} points: {len(rows)} tiles."
    return Report(("x", "y", "terrain", "price", "left"), rows, (remark, *_remarks(state)))


def _price(state: State, arguments: Mapping[str, str]) -> Report:
    """The steps of a path one by one, as far as they are allowed. Rules: WD-MOVE-2, WD-MOVE-7."""
    unit = _mover(state, arguments)
    path = tuple(_place(text) for text in arguments["path"].split(">"))
    path = path[1:] if path[0] == (unit.x, unit.y) else path
    start = replace(
        state,
        units=state.units.put(unit),
        phase=MOVE,
        player=sight.side(unit),
        winner=-1,
        reason=None,
    )
    work: Job = Work(start, evolve, Scripted())
    rows: list[tuple[int | str, ...]] = []
    remarks: list[str] = []
    for number, there in enumerate(path, 1):
        before = work.state.units[unit.id]
        try:
            move_unit(work, MoveUnit(unit=unit.id, path=(there,)))
        except Refused as refusal:
            where = f"Step {number} to {there[0]},{there[1]}"
            remarks.append(f"{where} is refused: {refusal.text} ({refusal.rule})")
            break
        after = work.state.units[unit.id]
        ground = sight.ground_name(work.state.terrain[before.y, before.x])
        rows.append((number, after.x, after.y, ground, before.b - after.b, after.b))
        if work.state.winner >= 0:
            remarks.append("The game is won there (WD-WIN-4).")
            break
    total = unit.b - work.state.units[unit.id].b
    remarks.insert(0, f"{_named(unit)} paid {total} of {unit.b} points.")
    columns = ("step", "x", "y", "left behind", "paid", "left")
    return Report(columns, tuple(rows), (*remarks, *_remarks(state)))


def _way(state: State, arguments: Mapping[str, str]) -> Report:
    """The cheapest way to any tile, over several rounds and as if no unit stood on it.

    Rules: WD-MOVE-2, WD-TERR-2.
    """
    unit = _unit(state, arguments)
    target = _target(state, arguments)
    lie = ground(state, unit.type)
    field = distances(lie, [(unit.x, unit.y)])
    total = int(field[target[1], target[0]])
    if total >= FAR:
        raise ValueError(f"no way leads unit {unit.id} to {target[0]},{target[1]} as the map is")
    rows = tuple(
        (number, x, y, sight.ground_name(state.terrain[y, x]), int(field[y, x]))
        for number, (x, y) in enumerate(descend(field, lie, target), 1)
    )
    remark = f"{_named(unit)}: {total} points, at most {unit.b_max} a round, units left aside."
    return Report(("step", "x", "y", "terrain", "points"), rows, (remark,))


def _forecast(state: State, arguments: Mapping[str, str]) -> Report:
    """The chances of an attack. Rules: WD-ATT-2, WD-ATT-3, WD-RNG-1, WD-SIEGE-3."""
    unit = _unit(state, arguments)
    x, y = _target(state, arguments)
    found = forecast(state, unit, x, y)
    if found is None:
        raise ValueError(f"there is nothing that unit {unit.id} could attack at {x},{y}")
    near = is_in_reach(state.options, sight.row(unit).r, x - unit.x, y - unit.y)
    remarks = [f"{_named(unit)} at {unit.x},{unit.y} against {x},{y}."]
    if found.kind == "siege":
        target = sight.ground_name(state.terrain[y, x])
        remarks.append("A siege always succeeds (WD-SIEGE-3).")
        numbers: tuple[int | float | None, ...] = (None, None, None, None)
    else:
        victim = state.units[found.victim]
        target = _named(victim)
        numbers = (victim.v, found.least, found.most, float(found.mean))
    if not near:
        remarks.append(f"Out of reach from where it stands: range {sight.row(unit).r} (WD-ATT-2).")
    chance = float(found.chance)
    row = (target, "yes" if near else "no", *numbers, found.kills, found.draws, chance)
    columns = ("target", "in reach", "life", "least", "most", "mean", "kills", "draws", "chance")
    return Report(columns, (row,), tuple(remarks))


def _unit(state: State, arguments: Mapping[str, str]) -> Unit:
    text = arguments["unit"].strip()
    unit = state.units.get(int(text)) if text.isdecimal() and len(text) < 10 else None
    if unit is None or not unit.alive:
        raise ValueError(f"there is no living unit {text!r} here")
    return unit


def _target(state: State, arguments: Mapping[str, str]) -> Place:
    x, y = _place(arguments["target"])
    if not state.terrain.has(x, y):
        raise ValueError(f"target {x},{y} is not on the map")
    return x, y


def _mover(state: State, arguments: Mapping[str, str]) -> Unit:
    """The unit, with its full points when it is not the time to move. Rules: WD-TURN-4."""
    unit = _unit(state, arguments)
    return unit if state.phase == MOVE else replace(unit, b=unit.b_max)


def _remarks(state: State) -> tuple[str, ...]:
    return () if state.phase == MOVE else (_FULL,)


def _named(unit: Unit) -> str:
    return f"unit {unit.id}, {sight.whose(unit)}"


def _place(text: str) -> Place:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"{text.strip()!r} is no place x,y")
    return int(parts[0]), int(parts[1])


TOOLS: Final[tuple[Tool, ...]] = (
    Question("reach", "The tiles a unit can get to in this phase.", (_UNIT,), _reach),
    Question(
        "price",
        "What the steps of a path cost a unit.",
        (
            _UNIT,
            Argument("path", "path", "tiles x,y>x,y, from the unit's own or the one beside it on"),
        ),
        _price,
    ),
    Question(
        "way",
        "The cheapest way of a unit to a tile, over several rounds.",
        (_UNIT, Argument("target", "place", "the tile it wants to get to")),
        _way,
    ),
    Question(
        "forecast",
        "What an attack of a unit on a tile would do.",
        (_UNIT, Argument("target", "place", "the tile that is attacked")),
        _forecast,
    ),
)
"""What ``calc`` offers."""
