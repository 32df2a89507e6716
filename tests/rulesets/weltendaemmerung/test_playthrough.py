"""A short game as text: commands, events and the final position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.core.dice import Scripted
from engine.core.notation import read, write
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.state import ELDOIN, MOVE, PHASES, SIDES, State
from engine.rulesets.weltendaemmerung.tables import terrain_table, units_table
from tests.rulesets.weltendaemmerung.arena import begun, fold
from tests.rulesets.weltendaemmerung.casework import describe

GOLDEN: Final = Path(__file__).parent / "playthroughs" / "arena.txt"

NAMES: Final = "ABCDIJKLMNOPQ"
"""A letter for each unit, different from the signs of terrain."""

SCRIPT: Final = """
step unit=0 direction=up
step unit=1 direction=right
move unit=3 path=4,3>5,3
step unit=4 direction=down
end-phase
move unit=6 path=5,1>5,2>9,9
move unit=11 path=7,0>7,1
step unit=7 direction=up
end-phase
attack unit=2 at=5,2 throw=8
attack unit=4 at=5,2 throw=1
attack unit=3 at=6,3 throw=4
end-phase
attack unit=8 at=2,1
attack unit=12 at=3,1 throw=6
attack unit=10 at=5,3 throw=1
attack unit=9 at=2,4
end-phase
gate at=2,1
gate at=2,4
end-phase
gate at=7,1
end-phase
step unit=0 direction=down
end-phase
move unit=11 path=7,0>6,0>5,0>4,0>3,0>2,0>1,0>0,0>0,1
end-phase
"""
"""Lines of notation. ``throw=`` sets the dice and is not part of the command."""


def test_short_game_equals_its_golden_text(golden: Callable[[Path, str], None]) -> None:
    state, told = begun(), ["The arena, one line per command; + what happened, - why not.", ""]
    told += _board(state)
    for line in SCRIPT.strip().splitlines():
        notation, _, throw = line.partition(" throw=")
        dice = Scripted([int(throw)] if throw else [])
        command = read(notation, RULES.command_type)
        told.append(f"{SIDES[state.player]}: {write(command)}")
        try:
            events = RULES.decide(state, state.player, command, dice)  # type: ignore[arg-type]  # read() types all commands alike
        except Refused as refused:
            told.append(f"  - {refused.code} ({refused.rule}): {refused.text}")
            continue
        told += [f"  + {describe(event)}" for event in events]
        state = fold(state, events)
        if (state.phase, state.player) == (MOVE, ELDOIN) and notation == "end-phase":
            told += _board(state)
    golden(GOLDEN, "\n".join([*told, *_board(state)]) + "\n")


def _board(state: State) -> list[str]:
    signs = [[terrain_table()[value].sign for value in row] for row in state.terrain.cells]
    for unit in state.units.rows():
        if unit.alive:
            signs[unit.y][unit.x] = NAMES[unit.id]
    units = [
        f"{NAMES[one.id]} {one.id} {units_table()[one.type].key} v={one.v} b={one.b}"
        for one in state.units.rows()
        if one.alive
    ]
    head = f"{SIDES[state.player]} {PHASES[state.phase]}, {state.completed} rounds finished"
    if state.reason is not None:
        head = f"{SIDES[state.winner]} wins: {state.reason}"
    return ["", head, *("".join(row) for row in signs), "; ".join(units), ""]
