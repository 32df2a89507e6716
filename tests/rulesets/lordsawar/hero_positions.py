"""Small positions of the game, built by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.items import stock
from engine.rulesets.lordsawar.land import land_of
from engine.rulesets.lordsawar.pieces import book_types
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scenario_codec import described_state, keepers
from engine.rulesets.lordsawar.scene import CityPlaced, Map, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.setup import settled
from engine.rulesets.lordsawar.state import State
from engine.strategic.heroes import new_army
from engine.strategic.item_records import carried
from engine.strategic.pieces import Army, Hero

HERO = 27
WORMS = 18
ARCHONS = 25
GHOSTS = 19

ROWS = (
    "..........",
    ".cc...cc..",
    ".cc...cc..",
    "..........",
    "....w==w..",
    "....wwww..",
    "cc........",
    "cc........",
)
"""A city of each side, a neutral one, and a bridge with two halves at (5, 4) and (6, 4)."""

SITES = (
    SitePlaced(3, 0, "Temple", "temple"),
    SitePlaced(4, 0, "Ruin", "ruin"),
    SitePlaced(5, 0, "Sage", "sage"),
    SitePlaced(9, 7, "Hidden", "ruin", hidden=True),
)


def position(*armies: Army, gold: int = 1000, **options: str) -> State:
    """Return a position in the first turn of side 0; ``options`` are game options."""
    slots = ("light_infantry", "heavy_infantry")
    scene = Map(
        "small",
        "Small",
        "",
        rows=ROWS,
        sides=(
            SidePlaced("North", (1, 1), gold=gold),
            SidePlaced("South", (6, 1), gold=gold, human=False),
        ),
        cities=(
            CityPlaced(1, 1, "Alder", slots=slots),
            CityPlaced(6, 1, "Brack", slots=slots),
            CityPlaced(0, 6, "Corrin", slots=("scouts",)),
        ),
        sites=SITES,
    )
    state = described_state(scene, land_of(scene), settled(options, {}))
    war = ((0, 2), (2, 0))
    sides = (replace(side, stances=war[side.id]) for side in state.sides.values())
    return replace(
        state,
        sides=state.sides.put(*sides),
        treaties=war,
        order=(0, 1),
        proposals=((-1, -1), (-1, -1)),
        opinions=((8, 8), (8, 8)),
        items=state.items.put(*stock()),
        armies=state.armies.put(*armies),
        guardians=keepers(state.types),
        next_id=100,
    )


def settings(state: State) -> Any:
    """Return the rule settings of a position."""
    return settings_of(state.options)


def army(number: int, x: int, y: int, kind: int = 1, owner: int = 0, **more: Any) -> Army:
    """Return an army with the default numbers; heroes have level 1."""
    state = book_types()
    usual = replace(new_army(state[kind], owner, (x, y)), id=number)
    if kind == HERO:
        usual = replace(usual, level=1, hero=Hero(f"hero {number}"))
    return replace(usual, **more)


def with_item(state: State, item: int, hero: int) -> State:
    """Return the position with a hero that carries an item of the table."""
    return replace(state, items=state.items.put(carried(state.items[item], hero)))


def after(state: State, command: Command, throws: Sequence[int] = (), side: int = 0) -> State:
    """Return the state after a command with scripted throws."""
    for event in RULES.decide(state, side, command, Scripted(throws)):  # type: ignore[arg-type]
        state = evolve(state, event)
    return state


def refused(state: State, command: Command, side: int = 0) -> str:
    """Check that a command is refused; return the code."""
    with pytest.raises(Refused) as caught:
        RULES.decide(state, side, command, Scripted([]))  # type: ignore[arg-type]
    return str(caught.value.code)


def decision(state: State, throws: Sequence[int] = ()) -> BaseDecision[Any, Any]:
    """Return a decision on a position with scripted throws."""
    return BaseDecision(state, evolve, Scripted(throws))
