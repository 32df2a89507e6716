"""Free spawn, moves and marches."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.actions import joined, march_targets, may_march, may_spawn
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import Phase
from tests.rulesets.kaladan.positions import (
    DUEL,
    after,
    decided,
    position,
    refusal,
    stand,
    tile,
)

TWO_CASTLES = """
FF WFM FF
A1 0 # crown sword
C1 0 #2 sword
C2 1 # crown sword
"""
FIVE = """
FF WFM FF
A1 0 # crown sword sword shield archer
C2 1 # crown sword
"""
NO_BASIC = """
FF WFM FF
A1 0 # crown
dead 0 sword sword sword sword archer archer archer archer shield shield shield shield
C2 1 # crown sword
"""


# -- free spawn ------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.3")
def test_each_castle_tile_gets_one_free_unit() -> None:
    state = after(position(TWO_CASTLES, phase="spawn"), 0, do.Spawn("C1", "shield"))
    assert stand(state, "C1") == ["sword", "shield"]
    assert refusal(state, 0, do.Spawn("C1", "sword")) == (Refusal.BAD_COUNT, "KA-6.3")
    state = after(state, 0, do.Spawn("A1", "archer"))
    assert stand(state, "A1") == ["sword", "archer", "crown"]
    assert state.players[0].gold == 0


@pytest.mark.rule("KA-6.3", "KA-13")
@pytest.mark.parametrize(
    ("text", "phase", "command", "code"),
    [
        (DUEL, "action", do.Spawn("A1", "sword"), Refusal.WRONG_PHASE),
        (DUEL, "spawn", do.Spawn("C2", "sword"), Refusal.BAD_PLACE),
        (DUEL, "spawn", do.Spawn("B2", "sword"), Refusal.BAD_PLACE),
        (DUEL, "spawn", do.Spawn("Q7", "sword"), Refusal.NO_TILE),
        (FIVE, "spawn", do.Spawn("A1", "sword"), Refusal.NO_ROOM),
        (NO_BASIC, "spawn", do.Spawn("A1", "sword"), Refusal.NOT_IN_RESERVE),
    ],
)
def test_free_unit_needs_castle_room_and_reserve(
    text: str, phase: Phase, command: do.Spawn, code: Refusal
) -> None:
    assert refusal(position(text, phase=phase), 0, command)[0] == code


@pytest.mark.rule("KA-6.3")
@pytest.mark.parametrize(("text", "open_"), [(DUEL, True), (FIVE, False), (NO_BASIC, False)])
def test_spawn_phase_is_open_only_if_a_unit_can_spawn(text: str, open_: bool) -> None:
    assert may_spawn(position(text), 0) is open_


@pytest.mark.rule("KA-6.3", "KA-6.4")
def test_spawned_unit_may_move_and_fight() -> None:
    state = after(position(phase="spawn"), 0, do.Spawn("A1", "archer"))
    state = after(state, 0, do.EndPhase())
    state = after(state, 0, do.MoveUnits("A1", "B2", (21,)))
    events = decided(state, 0, do.Attack("B2", "C2"), [1, 1, 1, 1, 1, 1])
    assert isinstance(events[0], ev.BattleDeclared)


# -- moves -----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.4")
def test_units_of_a_tile_may_move_apart_once_each() -> None:
    state = after(position(FIVE), 0, do.MoveUnits("A1", "B1", (11, 12)))
    state = after(state, 0, do.MoveUnits("A1", "A2", (61, 21, 31)))
    assert (stand(state, "A1"), stand(state, "B1")) == ([], ["sword", "sword"])
    assert stand(state, "A2") == ["archer", "shield", "crown"]
    assert all(state.units[unit].done for unit in (11, 12, 61, 21, 31))
    assert refusal(state, 0, do.MoveUnits("A2", "B2", (61,))) == (Refusal.UNIT_DONE, "KA-6.4")


@pytest.mark.rule("KA-6.4", "KA-13")
@pytest.mark.parametrize(
    ("text", "phase", "command", "code"),
    [
        (DUEL, "purchase", do.MoveUnits("A1", "B2", (11,)), Refusal.WRONG_PHASE),
        (DUEL, "action", do.MoveUnits("A1", "C1", (11,)), Refusal.NOT_ADJACENT),
        (DUEL, "action", do.MoveUnits("A1", "A1", (11,)), Refusal.NOT_ADJACENT),
        (DUEL, "action", do.MoveUnits("A1", "B2", ()), Refusal.NO_UNIT),
        (DUEL, "action", do.MoveUnits("A1", "B2", (11, 11)), Refusal.NO_UNIT),
        (DUEL, "action", do.MoveUnits("A1", "B2", (12,)), Refusal.NO_UNIT),
        (DUEL, "action", do.MoveUnits("C2", "B2", (111,)), Refusal.NO_UNIT),
        (FIVE, "action", do.MoveUnits("A1", "B1", (11, 12, 21, 31)), Refusal.NO_ROOM),
        (DUEL.replace("C2", "B2"), "action", do.MoveUnits("A1", "B2", (11,)), Refusal.ENEMY_THERE),
        (DUEL.replace("sword\nC2", "sword*\nC2"), "action", do.MoveUnits("A1", "B2", (11,)),
         Refusal.UNIT_DONE),
    ],
)  # fmt: skip
def test_move_needs_an_adjacent_tile_with_room_and_no_enemies(
    text: str, phase: Phase, command: do.MoveUnits, code: Refusal
) -> None:
    assert refusal(position(text, phase=phase), 0, command)[0] == code


@pytest.mark.rule("KA-1.1", "KA-6.4")
def test_abandoned_castle_is_entered_by_an_ordinary_move() -> None:
    text = """
    FF WFM FF
    A1 0 # crown sword
    B2 1 crown
    C2 1 #
    C1 0 sword
    """
    state = after(position(text), 0, do.MoveUnits("C1", "C2", (12,)))
    assert stand(state, "C2") == ["sword"]
    assert state.tiles[tile(state, "C2")].castle == 1


# -- marches ---------------------------------------------------------------------------------------

ROAD = """
WW WFM FF
A1 0 # crown sword sword*
B1 0 shield
C1 0 archer
B3 0 catapult
C2 1 # crown sword
"""


@pytest.mark.rule("KA-6.6")
def test_march_follows_own_tiles_and_ends_the_turn() -> None:
    state = position(ROAD, phase="reinforcement")
    events = decided(state, 0, do.March("A1", "C1", (11, 12)))
    told = [type(event) for event in events[:3]]
    assert told == [ev.UnitsMarched, ev.TurnEnded, ev.TurnBegan]
    later = after(state, 0, do.March("A1", "C1", (11, 12)))
    assert stand(later, "C1") == ["sword", "sword", "archer"]
    assert not any(unit.done for unit in later.units.values())


@pytest.mark.rule("KA-6.6")
def test_march_reaches_only_tiles_joined_by_own_ones() -> None:
    state = position(ROAD, phase="reinforcement")
    names = ["B1", "C1"]
    assert joined(state, 0, tile(state, "A1")) == tuple(tile(state, name) for name in names)
    assert joined(state, 0, tile(state, "B3")) == ()
    assert joined(state, 0, tile(state, "B2")) == ()


@pytest.mark.rule("KA-6.6")
def test_march_passes_a_full_tile_but_cannot_end_there() -> None:
    state = position(ROAD.replace("shield", "shield shield shield"), phase="reinforcement")
    assert march_targets(state, 0, tile(state, "A1")) == (tile(state, "C1"),)
    assert refusal(state, 0, do.March("A1", "B1", (11,)))[0] == Refusal.NO_ROOM
    assert stand(after(state, 0, do.March("A1", "C1", (11,))), "C1") == ["sword", "archer"]


@pytest.mark.rule("KA-6.6", "KA-13")
@pytest.mark.parametrize(
    ("phase", "command", "code"),
    [
        ("action", do.March("A1", "B1", (11,)), Refusal.WRONG_PHASE),
        ("reinforcement", do.March("A1", "B3", (11,)), Refusal.NOT_ADJACENT),
        ("reinforcement", do.March("A1", "C2", (11,)), Refusal.NOT_OWN),
        ("reinforcement", do.March("A1", "B2", (11,)), Refusal.NOT_OWN),
        ("reinforcement", do.March("A1", "A1", (11,)), Refusal.NOT_OWN),
        ("reinforcement", do.March("A1", "B1", ()), Refusal.NO_UNIT),
        ("reinforcement", do.March("A1", "B1", (31,)), Refusal.NO_UNIT),
    ],
)
def test_march_goes_between_two_own_tiles(phase: Phase, command: do.March, code: Refusal) -> None:
    assert refusal(position(ROAD, phase=phase), 0, command)[0] == code


@pytest.mark.rule("KA-6.6", "KA-6")
def test_unconnected_tiles_allow_no_march() -> None:
    assert may_march(position(ROAD), 0)
    assert not may_march(position(DUEL), 0)
