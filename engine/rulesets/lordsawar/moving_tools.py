"""Tools of ``calc`` about moving: paths, reach, and the parts of a stack's moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.base_ruleset import FunctionTool
from engine.core.record import replace
from engine.core.ruleset import Tool, ToolReport
from engine.kit.grid import Place
from engine.rulesets.lordsawar.land import ground_rows
from engine.rulesets.lordsawar.moving import combined_bonus, lifts
from engine.rulesets.lordsawar.pieces import GUIDE
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.strategic import costs
from engine.strategic.costs import Mode
from engine.strategic.moving_tools import ARMIES, MovingTools
from engine.strategic.pieces import Army
from engine.strategic.turns import speed_of
from engine.strategic.world import World, armies_at

_WORDS: Final = {
    "fly": "flight",
    "woods": "forest",
    "hills": "hills",
    "marsh": "swamp",
    "mountains": "mountains",
    costs.SWIMS: "water",
    GUIDE: "for all",
}
"""Traits that change the cost of moving, as texts."""

_MODES: Final = {Mode.GROUND: "goes on foot", Mode.AIR: "flies", Mode.WATER: "goes by ship"}


def next_points(state: Any, army: Army, points: int = 0) -> int:
    """Return an army's moves in the next turn if ``points`` are left now. See: LW-12.1."""
    settings = settings_in(state)
    stack = (one for one in armies_at(state, army.at) if one.owner == army.owner)
    bearers = sum(speed_of(state, settings, one) for one in stack)
    return settings.turns.refill(replace(army, points=points), bearers)


def _full(state: World, group: Sequence[Army]) -> int:
    """Return the moves of a group in later turns, with none left over. See: LW-12.1."""
    return min(next_points(state, army) for army in group)


def _terrain(state: World, at: Place) -> str:
    """Return the name of a tile's terrain, with its road if any."""
    name = ground_rows()[state.terrain[at[1], at[0]]].name
    return f"{name}, road" if state.roads[at[1], at[0]] else name


MOVING: Final = MovingTools(
    settings_of=settings_in,
    terrain=_terrain,
    full=_full,
    attack="LW-2.1",
    coast="LW-12.4",
)
"""Tools about paths and reach. See: LW-12.2, LW-12.5."""


def _moves(state: Any, arguments: Mapping[str, str]) -> ToolReport:
    """Report the moves and bonuses of the armies of a stack. See: LW-12.1, LW-12.3."""
    group = MOVING.group(state, arguments["armies"])
    listed = tuple(
        (
            army.id,
            state.types[army.type].name,
            army.points,
            army.max_move,
            next_points(state, army, army.points),
            _bonus(state, army),
        )
        for army in group
    )
    who = costs.mover(state, settings_in(state).moving, group)
    how = "" if who is None else _MODES[who.mode]
    way = f"The stack {how}; moves: {costs.points(group)}."
    eased = ", ".join(_WORDS[trait] for trait in _WORDS if trait in combined_bonus(state, group))
    bonus = "all" if lifts(state, group) else eased or "none"
    columns = ("army", "type", "left", "most", "next turn", "move bonus")
    return ToolReport(columns, listed, (way, f"Terrain that is cheap for it: {bonus}."))


def _bonus(state: World, army: Army) -> str:
    traits = state.types[army.type].traits
    return ", ".join(word for trait, word in _WORDS.items() if trait in traits)


TOOLS: Final[tuple[Tool, ...]] = (
    *MOVING.tools(),
    FunctionTool(
        "moves", "What the moves of armies that go together are made of.", (ARMIES,), _moves
    ),
)
"""Tools of ``calc`` about moving."""
