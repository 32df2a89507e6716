"""Computer players make sensible plans in single positions and legal, repeatable games."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from engine.core.dice import Dice, Seeded
from engine.core.ids import Seat
from engine.core.notation import write
from engine.core.record import replace
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.bot.board import BotBoard
from engine.rulesets.weltendaemmerung.bot.situation import Assessment, threat_of
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    Map,
    Now,
    Options,
    Placed,
    SitePlaced,
    State,
    Terrain,
    View,
)

ROOT = Path(__file__).parents[3]
LEVELS = tuple(RULES.bots)
SEED = b"test"


def position(
    rows: list[str],
    units: list[Placed],
    *,
    phase: int = MOVE,
    player: int = ELDOIN,
    completed: int = 0,
    options: Options | None = None,
) -> State:
    """Return a position of rows and units; gates in the rows are sites."""
    sites = tuple(
        SitePlaced(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "G"
    )
    scenario = Map(
        name="test",
        title="Test",
        about="",
        frontier=len(rows[0]) // 2,
        rounds=15,
        cursor=(0, 0),
        rows=tuple(rows),
        units=tuple(units) if phase == MOVE else tuple(replace(unit, b=1) for unit in units),
        sites=sites,
        options=options or Options(),
        now=Now(completed=completed, phase=phase, player=player),
    )
    state = RULES.empty()
    for event in RULES.begin(scenario, {}, Seeded(SEED, 0, "decide")):
        state = RULES.evolve(state, event)
    return state


def plan(state: State, level: str, entry: int = 1) -> tuple[AnyCommand, ...]:
    """Return the plan of a level for the side to play."""
    view = RULES.view(state, state.player)
    dice = Seeded(SEED, entry, f"bot:{state.player}")
    return tuple(RULES.bots[level].plan(view, partial(RULES.offers, view), dice))


def after(state: State, commands: tuple[AnyCommand, ...]) -> State:
    """Return the position after all commands; a refusal is an error."""
    for number, command in enumerate(commands):
        if not RULES.owes(state):
            break
        dice = Seeded(SEED, number, "decide")
        for event in RULES.decide(state, state.player, command, dice):
            state = RULES.evolve(state, event)
    return state


def game(levels: tuple[str, str], seed: bytes, scenario: str) -> Iterator[tuple[State, AnyCommand]]:
    """Play a game; yield each command with the state before it. A refusal is an error."""
    state = RULES.empty()
    for event in RULES.begin(RULES.scenarios()[scenario], {}, Seeded(seed, 0, "decide")):
        state = RULES.evolve(state, event)
    entry = 1
    while RULES.owes(state):
        seat: Seat = state.player
        view = RULES.view(state, seat)
        dice: Dice = Seeded(seed, entry, f"bot:{seat}")
        for command in RULES.bots[levels[seat]].plan(view, partial(RULES.offers, view), dice):
            if seat not in RULES.owes(state):
                break
            yield state, command
            for event in RULES.decide(state, seat, command, Seeded(seed, entry, "decide")):
                state = RULES.evolve(state, event)
            entry += 1


def meadow(width: int, height: int) -> list[str]:
    """Return rows of meadow."""
    return ["." * width] * height


@cache
def whole_game(eldoin: str, dailor: str) -> tuple[tuple[State, AnyCommand], ...]:
    """Play a whole game of two levels, cached for all tests."""
    return tuple(game((eldoin, dailor), b"7", "ford"))


LORD = Placed("lord_e", 3, 3)


@pytest.mark.parametrize(
    ("eldoin", "dailor"), [("easy", "normal"), ("normal", "easy"), ("hard", "hard")]
)
def test_every_level_plays_whole_games_without_a_refusal(eldoin: str, dailor: str) -> None:
    last, command = whole_game(eldoin, dailor)[-1]
    entry = len(whole_game(eldoin, dailor))
    end = last
    for event in RULES.decide(last, last.player, command, Seeded(b"7", entry, "decide")):
        end = RULES.evolve(end, event)
    assert RULES.outcome(end) is not None


@pytest.mark.parametrize(
    "options",
    [
        Options(price_tile="destination", last_step="must_afford", reach="exact"),
        Options(steps="eight", chance="c64_weights", west_edge_win="off"),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_plans_are_legal_under_other_options(level: str, options: Options) -> None:
    rows = ["..~f.^#..G..", "..~..sG.f...", "..~~.s#...E."]
    units = [
        Placed("lord_e", 1, 1), Placed("bow_e", 3, 1), Placed("eagle", 6, 0),
        Placed("ship", 2, 0), Placed("axe", 10, 0), Placed("blood", 11, 1), Placed("ram", 7, 1),
        Placed("wolf", 8, 2), Placed("bow_d", 8, 0),
    ]  # fmt: skip
    state = position(rows, units, options=options)
    for _ in range(200):
        if not RULES.owes(state):
            break
        state = after(state, plan(state, level))
    assert RULES.outcome(state) is not None


def written() -> list[str]:
    """Return the lines of the whole game of the best level."""
    return [write(command) for _, command in whole_game("hard", "hard")]


def test_same_seed_gives_the_same_game() -> None:
    again = [write(command) for _, command in game(("hard", "hard"), b"7", "ford")]
    assert again == written()


def test_a_game_does_not_depend_on_the_hash_seed() -> None:
    """A process with another hash seed plays the same game."""
    code = (
        "from tests.rulesets.weltendaemmerung.test_bot import written\nprint(*written(), sep='\\n')"
    )
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    output = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": other},
    ).stdout
    assert output.splitlines() == written()


@pytest.mark.parametrize("level", LEVELS)
def test_a_plan_has_no_memory(level: str) -> None:
    states = [state for state, _ in whole_game("easy", "normal")]
    fresh = plan(states[5], level)
    plan(states[-1], level)
    assert plan(states[5], level) == fresh


@pytest.mark.parametrize("level", LEVELS)
def test_a_plan_ends_its_phase_when_there_is_nothing_to_do(level: str) -> None:
    units = [LORD, Placed("axe", 20, 3)]
    for phase in (ATTACK, GATES):
        for player in (ELDOIN, DAILOR):
            state = position(meadow(24, 8), units, phase=phase, player=player)
            assert plan(state, level) == (EndPhase(),)


@pytest.mark.rule("WD-WIN-4")
@pytest.mark.parametrize("level", LEVELS)
def test_a_flyer_steps_onto_the_west_edge_when_it_can(level: str) -> None:
    units = [LORD, Placed("blood", 12, 5), Placed("axe", 20, 3)]
    state = position(meadow(24, 8), units, player=DAILOR)
    end = after(state, plan(state, level))
    assert (end.winner, end.reason) == (DAILOR, "west_edge")


@pytest.mark.rule("WD-WIN-4")
@pytest.mark.parametrize("level", LEVELS)
def test_flyer_already_on_the_west_edge_plans_no_empty_move(level: str) -> None:
    units = [LORD, Placed("blood", 0, 0), Placed("axe", 20, 3)]
    state = position(meadow(24, 8), units, player=DAILOR)
    moves = [command for command in plan(state, level) if isinstance(command, MoveUnit)]
    assert all(move.path for move in moves)


@pytest.mark.parametrize("level", LEVELS)
def test_flyer_does_not_run_to_the_west_edge_without_that_rule(level: str) -> None:
    units = [Placed("lord_e", 10, 3), Placed("blood", 12, 5), Placed("axe", 20, 3)]
    options = Options(west_edge_win="off")
    state = after_moves(position(meadow(24, 8), units, player=DAILOR, options=options), level)
    assert state.units[1].x > 0


def after_moves(state: State, level: str) -> State:
    """Return the position after a movement phase planned by a level."""
    return after(state, plan(state, level))


@pytest.mark.rule("WD-WIN-1")
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_dailor_kills_the_commander_if_the_kill_is_certain(level: str) -> None:
    units = [
        Placed("lord_e", 3, 3, v=9), Placed("ship", 5, 3), Placed("wagon", 8, 3),
        Placed("axe", 4, 4),
    ]  # fmt: skip
    rows = ["." * 24] * 3 + [".....~" + "." * 18] + ["." * 24] * 4
    state = position(rows, units, phase=ATTACK, player=DAILOR)
    end = after(state, plan(state, level))
    assert end.reason == "commander"


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_certain_kill_is_made_by_the_weakest_able_unit(level: str) -> None:
    units = [
        LORD, Placed("eagle", 10, 4), Placed("bow_e", 8, 3), Placed("horse", 9, 5),
        Placed("axe", 11, 4, v=5),
    ]  # fmt: skip
    state = position(meadow(24, 8), units, phase=ATTACK)
    assert plan(state, level)[0] == Attack(2, (11, 4))


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_archers_combine_for_a_kill(level: str) -> None:
    units = [
        LORD, Placed("bow_e", 8, 3), Placed("bow_e", 8, 4),
        Placed("axe", 12, 3), Placed("wolf", 13, 4, v=9),
    ]  # fmt: skip
    state = position(meadow(24, 8), units, phase=ATTACK)
    state = after(state, plan(state, level))
    if state.units[4].alive:
        state = after(state, plan(state, level))
    assert not state.units[4].alive
    assert state.units[3].v == 16


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_commander_leaves_a_deadly_tile(level: str) -> None:
    units = [
        Placed("lord_e", 12, 4), Placed("sword", 2, 2), Placed("wolf", 23, 3),
        Placed("wolf", 23, 5), Placed("wolf", 23, 4),
    ]  # fmt: skip
    state = position(meadow(40, 9), units)
    before = threat_of(Assessment(BotBoard(state)))
    assert before.strikers[5, 13] == 3
    moved = after_moves(state, level)
    lord = moved.units[0]
    assert before.strikers[lord.y + 1, lord.x + 1] == 0


@pytest.mark.rule("WD-GATE-3")
@pytest.mark.parametrize("level", LEVELS)
def test_eldoin_shuts_a_gate_in_reach_of_an_enemy_on_foot(level: str) -> None:
    rows = ["......#" + "." * 33] * 4 + ["......G" + "." * 33] + ["......#" + "." * 33] * 4
    for x, shut in ((12, True), (38, False)):
        units = [Placed("lord_e", 3, 4), Placed("axe", x, 4)]
        state = position(rows, units, phase=GATES)
        opened = after(state, (WorkGate((6, 4)),))
        for start in (state, opened):
            end = after(start, plan(start, level))
            assert (end.terrain[4, 6] == Terrain.GATE) is shut


@pytest.mark.rule("WD-GATE-3")
@pytest.mark.parametrize("level", LEVELS)
def test_dailor_opens_his_gates_and_leaves_them_open(level: str) -> None:
    rows = ["." * 16 + "#..."] * 2 + ["." * 16 + "G..."] + ["." * 16 + "#..."] * 2
    units = [Placed("lord_e", 3, 2), Placed("axe", 18, 2)]
    state = position(rows, units, phase=GATES, player=DAILOR)
    end = after(state, plan(state, level))
    assert end.terrain[2, 16] == Terrain.MEADOW
    again = position([row.replace("G", ".") for row in rows], units, phase=GATES, player=DAILOR)
    assert plan(again, level) == (EndPhase(),)


@pytest.mark.rule("WD-SIEGE-1")
@pytest.mark.parametrize("level", LEVELS)
def test_siege_units_break_the_gate_on_their_line(level: str) -> None:
    rows = ["......#" + "." * 33] * 4 + ["......G" + "." * 33] + ["......#" + "." * 33] * 4
    units = [Placed("lord_e", 3, 4), Placed("catapult", 12, 4), Placed("axe", 20, 4)]
    state = position(rows, units, phase=ATTACK, player=DAILOR)
    assert plan(state, level)[0] == Attack(1, (6, 4))


@pytest.mark.parametrize("level", LEVELS)
def test_dailor_marches_towards_his_goal(level: str) -> None:
    units = [Placed("lord_e", 3, 4), Placed("axe", 36, 4), Placed("wolf", 37, 5)]
    moved = after_moves(position(meadow(40, 9), units, player=DAILOR), level)
    assert moved.units[1].x < 36
    assert moved.units[2].x < 37


def test_cautious_dailor_keeps_a_lone_unit_out_of_range_of_archers() -> None:
    bows = [Placed("bow_e", 8, y) for y in range(1, 8)]
    units = [Placed("lord_e", 3, 4), *bows, Placed("axe", 26, 4)]
    state = position(meadow(40, 9), units, player=DAILOR)
    moved = after_moves(state, "normal")
    fire = Assessment(BotBoard(RULES.view(state, DAILOR))).fire(ELDOIN)
    axe = moved.units[8]
    assert fire[BotBoard(state).tile(axe.x, axe.y)] == 0
    assert fire[BotBoard(state).tile(16, 4)] > 0


def test_moves_are_planned_as_paths_that_end_with_the_phase() -> None:
    units = [LORD, Placed("axe", 36, 4)]
    view: View = RULES.view(position(meadow(40, 9), units, player=DAILOR), DAILOR)
    made = RULES.bots["normal"].plan(view, partial(RULES.offers, view), Seeded(SEED, 1, "bot"))
    assert [type(command) for command in made] == [MoveUnit, EndPhase]


def test_reach_of_a_bot_equals_that_of_the_rules() -> None:
    rows = ["..~f.^#..G..", "..~..sG.f...", "..~~.s#...E."]
    units = [Placed("lord_e", 1, 1), Placed("wolf", 8, 1), Placed("axe", 9, 1)]
    state = position(rows, units, player=DAILOR)
    board = BotBoard(state)
    paid, came = board.reach(1, board.b[1])
    for tile in paid:
        end = (
            after(state, (MoveUnit(1, board.trail(came, tile)),)) if tile != board.at[1] else state
        )
        assert (end.units[1].x, end.units[1].y) == board.place(tile)
        assert end.units[1].b == max(0, state.units[1].b - paid[tile])
