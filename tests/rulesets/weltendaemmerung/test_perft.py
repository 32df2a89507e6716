"""Numbers of legal steps, step sequences and reachable tiles equal counts made by hand."""

from __future__ import annotations

from collections import deque
from math import ceil
from typing import Any

import pytest

from engine.core.dice import Scripted
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import EndPhase, StepUnit
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.state import Options, State
from engine.rulesets.weltendaemmerung.tables import enterable, prices, terrain_table, units_table
from engine.tabletop.focus import DELTAS
from tests.rulesets.weltendaemmerung.arena import begun, fold
from tests.rulesets.weltendaemmerung.small import state, unit

OPEN = ("." * 7,) * 7


def steps(position: State) -> list[StepUnit]:
    """Return the legal steps, by trying all of them."""
    tried = [StepUnit(one, way) for one in position.units for way in DELTAS]
    return [command for command in tried if after(position, command) is not None]


def after(position: State, command: StepUnit) -> State | None:
    try:
        return fold(position, RULES.decide(position, position.player, command, Scripted()))
    except Refused:
        return None


def sequences(position: State, depth: int) -> int:
    """Return the number of sequences of ``depth`` steps."""
    if depth == 0:
        return 1
    return sum(
        sequences(later, depth - 1)
        for command in steps(position)
        if (later := after(position, command)) is not None
    )


@pytest.mark.rule("WD-MOVE-1")
@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 16), (3, 64)])
def test_lone_unit_in_the_middle_has_four_steps_each_time(depth: int, count: int) -> None:
    assert sequences(state(OPEN, unit(0, "sword", 3, 3)), depth) == count


@pytest.mark.rule("WD-MOVE-1", "WD-MOVE-2")
@pytest.mark.parametrize(("depth", "count"), [(1, 2), (2, 6), (3, 18)])
def test_lone_unit_in_a_corner_has_fewer_steps(depth: int, count: int) -> None:
    """From the corner 2 steps; from beside it 3; then 2 back, 3 along, 4 inwards: 2 x 9."""
    assert sequences(state(OPEN, unit(0, "sword", 0, 0)), depth) == count


@pytest.mark.rule("WD-MOVE-6")
def test_adjacent_units_block_one_step_of_each_other() -> None:
    """3 steps each; a step frees the tile between, so both have 4 steps then."""
    pair = state(OPEN, unit(0, "sword", 3, 3), unit(1, "horse", 4, 3))
    assert sequences(pair, 1) == 6
    assert sequences(pair, 2) == 6 * 8


@pytest.mark.rule("WD-NUM-3")
def test_sequences_end_when_points_run_out() -> None:
    tired = state(OPEN, unit(0, "sword", 3, 3, b=2))
    assert [sequences(tired, depth) for depth in (1, 2, 3)] == [4, 16, 0]


@pytest.mark.rule("WD-MOVE-1")
@pytest.mark.parametrize(("depth", "count"), [(1, 8), (2, 64)])
def test_lone_unit_has_eight_steps_with_eight_directions(depth: int, count: int) -> None:
    position = state(OPEN, unit(0, "sword", 3, 3), options=Options(steps="eight"))
    assert sequences(position, depth) == count


@pytest.mark.rule("WD-TERR-4", "WD-MOVE-6")
def test_steps_of_each_side_at_the_start_of_the_arena() -> None:
    """Counted on the map by hand."""
    eldoin = begun()
    dailor = fold(eldoin, RULES.decide(eldoin, 0, EndPhase(), Scripted()))
    assert _ways(eldoin) == {
        "lord_e": "up down",
        "sword": "up",
        "bow_e": "up down right",
        "eagle": "up down left right",
        "ship": "down right",
        "horse": "down left",
    }
    assert _ways(dailor) == {
        "axe": "up left",
        "wolf": "left",
        "ram": "down left",
        "wyrm": "right",
        "blood": "down left",
        "wagon": "up down",
    }


def _ways(position: State) -> dict[str, str]:
    """Return the directions in which each unit can step, by type."""
    ways: dict[str, list[str]] = {}
    for command in steps(position):
        key = units_table()[position.units[command.unit].type].key
        ways.setdefault(key, []).append(command.direction)
    return {key: " ".join(found) for key, found in ways.items()}


def _reached(position: State) -> set[tuple[int, int]]:
    """Return the tiles that the unit can reach in this phase, by trying all steps."""
    best: dict[tuple[int, int], int] = {}
    todo = deque([position])
    while todo:
        here = todo.popleft()
        one = here.units[0]
        if best.get((one.x, one.y), -1) >= one.b:
            continue
        best[one.x, one.y] = one.b
        tried = [after(here, StepUnit(0, way)) for way in ("up", "down", "left", "right")]
        todo += [later for later in tried if later is not None]
    return set(best)


def _on_uniform_ground() -> list[Any]:
    return [
        pytest.param(kind, terrain, id=f"{row.key} on {ground.key}")
        for kind, row in enumerate(units_table())
        for terrain, ground in enumerate(terrain_table())
        if enterable()[kind][terrain]
    ]


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-3", "WD-MOVE-7", "WD-TERR-2")
@pytest.mark.parametrize(("kind", "terrain"), _on_uniform_ground())
def test_number_of_steps_on_uniform_ground_follows_the_formula(kind: int, terrain: int) -> None:
    """A unit with b points makes ceil(b / price) steps; n steps reach 2n(n + 1) + 1 tiles."""
    row = units_table()[kind]
    made = ceil(row.b / prices()[kind][terrain])
    width = 2 * made + 1
    rows = (terrain_table()[terrain].sign * width,) * width
    lone = unit(0, row.key, made, made)
    options = Options(west_edge_win="off")
    position = state(rows, lone, player=side_of(kind), options=options)
    assert len(_reached(position)) == 2 * made * (made + 1) + 1
