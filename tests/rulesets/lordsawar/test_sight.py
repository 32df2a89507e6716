"""The hidden map: sight of stacks and cities, lasting discoveries, and gaps that close."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from engine.core.containers import Plane, Roster
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.view import view
from engine.strategic import sight
from engine.strategic.commands import EndTurn, Settle, Walk
from engine.strategic.events import CityTaken, FogLifted, TilesFound
from engine.strategic.pieces import Army
from tests.rulesets.lordsawar.fields import army, city, field, played

HIDDEN: Final = Options(hidden_map="on")
WIDE: Final = ("." * 12,) * 7


def dark(*armies: Army, **more: object) -> State:
    """Return a hidden land that no side has seen."""
    given = {"rows": WIDE, "discovered": Plane(np.zeros((7, 12), dtype=np.uint8))} | more
    rows = given.pop("rows")
    return field(rows, *armies, options=HIDDEN, **given)  # type: ignore[arg-type]


def known(state: State, side: int = 0) -> set[Place]:
    """Return the tiles that a side has discovered."""
    return {(int(x), int(y)) for y, x in np.argwhere(state.discovered.cells >> side & 1)}


def square(x: int, y: int, radius: int) -> set[Place]:
    """Return the tiles of the land around a tile."""
    columns, rows = range(x - radius, x + radius + 1), range(y - radius, y + radius + 1)
    return {(a, b) for a in columns for b in rows if 0 <= a < 12 and 0 <= b < 7}


@pytest.mark.rule("LW-17.7")
def test_stack_uncovers_the_square_around_each_entered_tile() -> None:
    state = dark(army(1, 2, 3))
    after, _ = played(state, (0, Walk((1,), ((3, 3), (4, 2)))))
    assert known(after) == square(3, 3, 1) | square(4, 2, 1)


@pytest.mark.rule("LW-17.7", "LW-10")
def test_stack_has_the_longest_sight_of_its_armies() -> None:
    lone = dark(army(1, 2, 3), army(2, 2, 3, "hero"))
    state = replace(lone, conditions=Roster((Condition(2, sight=2),)))
    assert known(played(state, (0, Walk((1, 2), ((3, 3),))))[0]) == square(3, 3, 3)
    assert known(played(state, (0, Walk((1,), ((3, 3),))))[0]) == square(3, 3, 1)


@pytest.mark.rule("LW-17.8")
def test_enemies_are_visible_on_all_discovered_tiles() -> None:
    state = dark(army(1, 2, 3), army(9, 8, 3, owner=1))
    state = replace(state, discovered=Plane(np.ones((7, 12), dtype=np.uint8)))
    assert set(view(state, 0).armies) == {1, 9}
    assert set(view(state, 1).armies) == {9}


@pytest.mark.rule("LW-17.7")
def test_a_taken_city_uncovers_three_tiles_around_its_first() -> None:
    state = dark(army(1, 3, 2), cities=[city(0, 4, 2, 1), city(1, 10, 5, 1)])
    after, events = played(state, (0, Walk((1,), ((4, 2),))), (0, Settle("occupy")))
    assert any(isinstance(event, CityTaken) for event in events)
    assert known(after) == square(4, 2, 3)


@pytest.mark.rule("LW-17.8")
def test_gaps_of_one_tile_close_when_a_turn_ends() -> None:
    cells = np.ones((7, 12), dtype=np.uint8)
    cells[2, 3] = cells[4, 6] = cells[4, 7] = cells[0, 0] = 0
    cells[5, 8:11] = cells[6, 8:11] = cells[4, 8:11] = 0
    state = dark(army(1, 2, 3), army(2, 11, 0, owner=1), discovered=Plane(cells))
    after, events = played(state, (0, EndTurn()), dice=Seeded(b"gaps", 0, "test"))
    found = [event for event in events if isinstance(event, TilesFound) and event.side == 0]
    # Two adjacent gaps close if the tiles above and below are known; a block of gaps does not.
    closed = {(3, 2), (6, 4), (7, 4), (0, 0)}
    assert {(tile % 12, tile // 12) for tile in found[0].tiles} == closed
    assert known(after) >= closed


@pytest.mark.rule("LW-17.8")
def test_gaps_close_only_on_hidden_maps_and_fog_never_lifts() -> None:
    open_map = field(WIDE, army(1, 2, 3), army(2, 9, 3, owner=1))
    _, events = played(open_map, (0, EndTurn()), dice=Seeded(b"gaps", 0, "test"))
    assert not any(isinstance(event, TilesFound) for event in events)
    seen = np.full((7, 12), 3, dtype=np.uint8)
    seen[0, 11] = 2
    walker = army(1, 9, 3), army(2, 0, 0, owner=1)
    state = dark(*walker, cities=[city(0, 3, 3, 0)], discovered=Plane(seen))
    after, events = played(state, (0, Walk((1,), ((10, 2), (10, 1)))))
    assert len(known(after)) == 7 * 12
    assert not any(isinstance(event, FogLifted) for event in events)


@pytest.mark.rule("LW-17.7")
def test_sides_begin_with_the_sight_of_armies_and_cities() -> None:
    scene = RULES.scenarios()["border"]
    (first, *_) = RULES.begin(scene, {"hidden_map": "on"}, Seeded(b"start", 0, "test"))
    state = RULES.evolve(RULES.empty(), first)
    settings = settings_of(state.options)
    for side in state.sides:
        capital = state.sides[side].capital
        assert capital is not None
        around = sight.square(state, capital, 3)
        assert (state.discovered.cells[around] >> side & 1).all()
        assert known(state, side) == {
            (int(x), int(y)) for y, x in np.argwhere(sight.visible(state, settings, side))
        }
