"""``why winner``: the rule that decided the game comes first in every kind of ending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core import registry
from engine.core.record import replace
from engine.core.scenarios import fitted
from study.debug.debugger import Debugger
from tests.debug.games import opened, texts
from tests.saves.games import small_map
from tui.play.seats import header_of
from tui.play.table import Table

GIVE_UP = {"gd6": "concede", "kaladan": "resign", "lordsawar": "resign", "warlords2": "resign"}
PASS = ("hire accept=no", "end-turn", "seal", "end-phase")
"""Commands with which a seat lets the game continue."""


def begun(name: str, scenario: Any = None, seed: int = 1) -> Table:
    """Begin a game of computer players on a small map; in Warlords II people may play on alone."""
    rules = registry.find(name)
    ground = scenario
    if ground is None:
        ground = small_map(rules)
        count = rules.default_seats(ground)
        ground = fitted(rules, ground, count, frozenset(range(count)))
    return Table.begin(rules, ground, {}, header_of(rules, ground, (), seed))


def play(table: Table, lines: Sequence[tuple[int, str]]) -> None:
    """Submit commands of seats; each must be accepted."""
    for seat, line in lines:
        reply = table.submit(seat, line)
        assert reply.ok, (line, reply.text)


def reason(table: Table, path: str) -> tuple[str, list[str]]:
    """Return the rule of the heading, and the rules listed with a sentence."""
    assert table.outcome() is not None
    found = texts(Debugger(opened(table.game)), f"why {path}")
    told = [line.split()[1].rstrip(":") for line in found if line.startswith("  rule ")]
    return found[1].split()[-1], told


def lost(name: str, loser: int) -> Table:
    """Return a game in which all seats resigned except the one after ``loser``."""
    for seed in range(40):
        table = begun(name, seed=seed)
        seats = range(len(table.seat_names[: table.rules.default_seats(small_map(table.rules))]))
        losers = [seat for seat in seats if seat != (loser + 1) % len(seats)]
        for _ in range(12):
            acting = sorted(table.owes)
            if not acting:
                return table
            seat = next((one for one in acting if one in losers), acting[0])
            lines = (GIVE_UP[name], *PASS) if seat in losers else PASS
            if not any(table.submit(seat, line).ok for line in lines):
                break
        if table.outcome() is not None:
            return table
    raise AssertionError(name)


@pytest.mark.parametrize("loser", [0, 1])
@pytest.mark.parametrize(
    ("name", "rule"),
    [("gd6", "GD-END-3"), ("kaladan", "KA-17.1"), ("lordsawar", "LW-17"), ("warlords2", "W2-13.3")],
)
def test_last_seat_rule_comes_first_after_resignations(name: str, rule: str, loser: int) -> None:
    table = lost(name, loser)
    outcome = table.outcome()
    assert outcome is not None
    assert loser not in outcome.winners
    assert reason(table, "winners") == (rule, [rule])


def _fords(axe: tuple[int, int], **changed: Any) -> Any:
    """Return the ford with one axe of Dailor on a tile, and his other units changed."""
    rules: Any = registry.find("weltendaemmerung")
    scene = rules.position(begun("weltendaemmerung").game.state)
    units = list(scene.units)
    first = next(number for number, unit in enumerate(units) if unit.type == "axe")
    for number, unit in enumerate(units[first:], first):
        units[number] = replace(unit, **changed) if number > first else unit
    units[first] = replace(units[first], x=axe[0], y=axe[1])
    return replace(scene, units=tuple(units))


def test_rule_of_the_winning_side_comes_first_in_weltendaemmerung() -> None:
    table = begun("weltendaemmerung")
    while (seat := table.to_act()) is not None:
        play(table, [(seat, "end-phase")])
    assert reason(table, "winner") == ("WD-WIN-3", ["WD-WIN-3"])
    table = begun("weltendaemmerung", _fords((1, 1)))
    while table.to_act() == 0:
        play(table, [(0, "end-phase")])
    number = next(unit.id for unit in table.game.state.units.values() if (unit.x, unit.y) == (1, 1))
    play(table, [(1, f"step unit={number} direction=left")])
    assert reason(table, "winner") == ("WD-WIN-4", ["WD-WIN-4"])


@pytest.mark.parametrize(("winner", "rule"), [(1, "WD-WIN-1"), (0, "WD-WIN-2")])
def test_death_of_a_unit_names_the_rule_of_its_side(winner: int, rule: str) -> None:
    rules: Any = registry.find("weltendaemmerung")
    scene = _fords((5, 5)) if winner else _fords((9, 6), alive=False)
    weak = "lord_e" if winner else "axe"
    units = [replace(unit, v=1) if unit.type == weak else unit for unit in scene.units]
    ground = replace(scene, units=tuple(units))
    target, striker = ((4, 5), (5, 5)) if winner else ((9, 6), (8, 6))
    table = begun("weltendaemmerung", ground)
    for seed in range(20):
        table = begun("weltendaemmerung", ground, seed)
        while table.to_act() != winner or table.game.state.phase != 1:
            play(table, [(table.to_act() or 0, "end-phase")])
        units_now = table.game.state.units.values()
        number = next(unit.id for unit in units_now if unit.alive and (unit.x, unit.y) == striker)
        play(table, [(winner, f"attack unit={number} at={target[0]},{target[1]}")])
        if rules.outcome(table.game.state) is not None:
            break
    assert reason(table, "winner") == (rule, [rule])
