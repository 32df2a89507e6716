"""Tools of ``calc`` about battles, between units given by key or in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.base_ruleset import FunctionTool
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_on, rows_of
from engine.rulesets.lordsawar.battle_records import BattleStrengths, Combatant
from engine.rulesets.lordsawar.battle_tools import (
    THROWS,
    BattleReport,
    NameOf,
    battle_table,
    battle_tools,
    forecast_table,
    healing_table,
    report_tools,
    side_table,
    strength_table,
)
from engine.rulesets.lordsawar.lineup import combat_options, combatant, stack_strengths, strengths
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.state import State
from engine.strategic.arrivals import marched
from engine.strategic.battle import defenders_at
from engine.strategic.world import armies_at, hit_points


def _met(state: State, words: Mapping[str, str]) -> BattleStrengths:
    """Return both sides of an attack in a position. See: LW-2.1, LW-3.7.

    Raises:
        ValueError: an argument does not fit, or the target has no defenders.
    """
    group = rows_of(state.armies, words["armies"], "army")
    if len({(army.at, army.owner) for army in group}) > 1:
        raise ValueError("the armies do not stand together")
    at = place_on(state.terrain, words["target"])
    if not defenders_at(state, at, group[0].owner):
        raise ValueError(f"nobody stands at {at[0]},{at[1]} to be attacked")
    there = marched(state, settings_of(state.options), group, at)
    return strengths(state, combat_options(state.options), there, at)


def _names(state: State) -> NameOf:
    """Return a function that names an army by its type and number."""

    def name(army: Combatant) -> str:
        return f"{state.types[army.type].key}#{army.id}"

    return name


def _attack(report: BattleReport, state: State, words: Mapping[str, str]) -> ToolReport:
    """Report on an attack in a position. See: LW-3.7, LW-5, LW-4.3, LW-7."""
    options = combat_options(state.options)
    return report(_met(state, words), options, words, _names(state))


def _stack(state: State, words: Mapping[str, str]) -> ToolReport:
    """Report the strengths of the armies on a tile as a view shows them. See: LW-7."""
    at = place_on(state.terrain, words["tile"])
    stack = armies_at(state, at)
    if not stack:
        raise ValueError(f"nobody stands at {at[0]},{at[1]}")
    return side_table(stack_strengths(state, combat_options(state.options), stack), _names(state))


def _heal(state: State, words: Mapping[str, str]) -> ToolReport:
    """Report how the named armies heal, or all wounded ones if none are named. See: LW-6.5."""
    if words.get("armies"):
        chosen = rows_of(state.armies, words["armies"], "army")
    else:
        known = ((army, hit_points(state, army)) for army in state.armies.values())
        chosen = tuple(army for army, hp in known if hp is not None and hp.lost)
    return healing_table([combatant(state, army) for army in chosen], _names(state))


_ATTACK: Final = (
    Argument("armies", "word", "numbers of the armies that attack, as 3,4"),
    Argument("target", "place", "the tile that they attack, as 12,7"),
)

_REPORTS: Final = (
    ("layers", "Strengths in an attack of this position.", _ATTACK, strength_table),
    (
        "attack",
        "The battle of an attack of this position, hit by hit.",
        (*_ATTACK, THROWS),
        battle_table,
    ),
    ("forecast", "The forecast of an attack of this position.", _ATTACK, forecast_table),
)

TOOLS: Final[tuple[Tool, ...]] = (
    *battle_tools(lambda state: combat_options(state.options)),
    *report_tools(_REPORTS, _attack),
    FunctionTool(
        "stack",
        "Strengths of the armies on a tile of this position, as shown outside of battles.",
        (Argument("tile", "place", "where they stand, as 12,7"),),
        _stack,
    ),
    FunctionTool(
        "heal",
        "Hit points of wounded armies of this position after each upkeep phase.",
        (Argument("armies", "word", "numbers of armies; none: all wounded", required=False),),
        _heal,
    ),
)
"""Tools about battles."""
