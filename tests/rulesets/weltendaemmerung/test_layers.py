"""Layers: strikes, prices, turns."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from engine.core.containers import Roster
from engine.core.record import replace
from engine.kit.patches import place
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.fighting import tiles_in_range
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.reach import reach
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Options, State, Unit, View
from engine.tabletop.focus import Focus
from tests.rulesets.weltendaemmerung.small import DUEL, positions, state, unit, view

CORNER = Focus(0, 0)


def shown(seen: View, name: str, focus: Focus = CORNER) -> dict[tuple[int, int], str]:
    return {(mark.x, mark.y): mark.text for mark in PRESENTER.layer(seen, focus, name)}


def counted(position: State, side: int) -> dict[tuple[int, int], str]:
    """Naive count by unit and tile, without a number on the tiles of the side's own units."""
    found: Counter[tuple[int, int]] = Counter()
    own = [u for u in position.units.values() if u.alive and side_of(u.type) == side]
    for each in own:
        found.update(struck(position, each, side))
    shown_at = {at: str(count) if count < 10 else "+" for at, count in found.items()}
    return shown_at | {(u.x, u.y): "" for u in own if (u.x, u.y) in shown_at}


def struck(position: State, each: Unit, side: int) -> set[tuple[int, int]]:
    now = 2 * position.phase + position.player
    attacking = 2 * ATTACK + side
    if now == attacking and each.b == 0:
        return set()
    still = side < now <= attacking
    foes = [u for u in position.units.values() if u.alive and side_of(u.type) != side]
    points = each.b if now <= side else each.b_max
    mover = replace(each, b=0 if still else points)
    alone = replace(position, units=Roster([mover, *foes]))
    stands = [place(at, alone.terrain.width + 2) for at in reach(alone, mover).found]
    hit = {at for x, y in stands for at in tiles_in_range(alone, replace(mover, x=x, y=y))}
    return hit | set(stands)


@pytest.mark.rule("WD-MOVE-3", "WD-ATT-2", "WD-TURN-1", "WD-TURN-4")
@settings(max_examples=150)
@given(positions())
def test_danger_is_where_each_enemy_can_stand_and_strike_next(position: State) -> None:
    for viewer in (0, 1):
        seen = RULES.view(position, viewer)
        assert shown(seen, "danger") == counted(position, 1 - viewer)
        assert shown(seen, "mine") == counted(position, viewer)


@pytest.mark.rule("WD-TURN-1")
def test_who_attacks_before_he_moves_strikes_from_where_he_stands() -> None:
    position = state((".....",), unit(0, "sword", 0, 0), unit(1, "axe", 4, 0, b=1), phase=ATTACK)
    assert set(shown(view(position), "danger")) == {(3, 0), (4, 0)}
    moving = replace(position, phase=MOVE, units=position.units.put(unit(1, "axe", 4, 0)))
    assert set(shown(view(moving), "danger")) == {(x, 0) for x in range(5)}


@pytest.mark.rule("WD-MOVE-7", "WD-WIN-4")
@pytest.mark.parametrize(("edge", "beyond"), [("on", False), ("off", True)])
def test_no_danger_comes_from_beyond_a_tile_where_the_game_ends(edge: str, *, beyond: bool) -> None:
    rows = ("..^", ".^.", ".^.", "...")
    options = Options(west_edge_win="on" if edge == "on" else "off")
    position = state(rows, unit(1, "axe", 1, 0, b=4), unit(0, "sword", 2, 3), options=options)
    for name, viewer in (("danger", 0), ("mine", 1)):
        found = set(shown(RULES.view(position, viewer), name))
        assert {(0, 0), (0, 1)} <= found
        assert ((0, 2) in found) == beyond


def test_after_the_end_nothing_is_in_danger() -> None:
    over = replace(DUEL, winner=1, reason="commander")
    assert shown(view(over), "danger") == {}


@pytest.mark.rule("WD-TERR-2")
def test_prices_are_those_of_the_unit_at_the_cursor() -> None:
    seen = view(DUEL)
    prices = shown(seen, "prices", Focus(1, 1))
    assert prices[1, 0] == "2"
    assert prices[0, 1] == "3"
    assert (2, 1) not in prices
    assert shown(seen, "prices", Focus(3, 0)) == {}


def test_turns_are_counted_from_this_one() -> None:
    position = state(("." * 25,), unit(0, "sword", 0, 0, b=3))
    turns = shown(view(position), "turns", Focus(0, 0))
    assert [turns[x, 0] for x in (1, 3, 4, 13, 14)] == ["1", "1", "2", "2", "3"]


def test_a_layer_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no layer 'far'"):
        PRESENTER.layer(view(DUEL), Focus(0, 0), "far")
