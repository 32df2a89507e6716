"""Chance and forecasts of attacks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given, settings

from engine.core.containers import Roster
from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.rulesets.weltendaemmerung.fighting import (
    C64_TOTALS,
    MODIFIERS,
    Forecast,
    draw,
    forecast,
    shares,
    targets,
)
from engine.rulesets.weltendaemmerung.offers import idle
from engine.rulesets.weltendaemmerung.state import Options, Site, State
from engine.tabletop.focus import DELTAS
from tests.rulesets.weltendaemmerung.small import is_allowed, played, positions, state, unit, view

# -- chance ------------------------------------------------------------------------------


def at_war(chance: Literal["uniform8", "c64_weights", "c64_cycle"], **other: object) -> State:
    options = Options(chance=chance)
    return state(("..",), unit(0, "sword", 0, 0), options=options, phase=1, **other)


@pytest.mark.rule("WD-RNG-1")
def test_eight_draws_give_the_eight_modifiers() -> None:
    drawn = [draw(at_war("uniform8"), Scripted([(8, value)])) for value in range(1, 9)]
    assert drawn == list(enumerate([0, 1, 1, 2, 2, 3, 3, 4]))


@pytest.mark.rule("WD-RNG-1")
def test_even_draw_has_the_shares_of_the_table() -> None:
    assert shares(at_war("uniform8")) == {0: (1, 8), 1: (2, 8), 2: (2, 8), 3: (2, 8), 4: (1, 8)}


@pytest.mark.rule("WD-RNG-2", "WD-RNG-3")
def test_weights_of_the_original_are_81_68_44_47_16() -> None:
    position = at_war("c64_weights")
    drawn = Counter(draw(position, Scripted([(256, value)])) for value in range(1, 257))
    assert drawn == {(None, 0): 81, (None, 1): 68, (None, 2): 44, (None, 3): 47, (None, 4): 16}
    assert {m: part for m, (part, _) in shares(position).items()} == {
        m: count for (_, m), count in drawn.items()
    }


@pytest.mark.rule("WD-RNG-2")
def test_means_equal_the_rule_book() -> None:
    weights = [low - high for low, high in zip(C64_TOTALS, (0, *C64_TOTALS), strict=False)]
    mean = sum(modifier * weight for modifier, weight in enumerate(weights)) / 256
    assert round(mean, 2) == 1.41
    assert sum(MODIFIERS) / len(MODIFIERS) == 2.0


@pytest.mark.rule("WD-RNG-3")
def test_cycle_advances_with_every_attack_without_dice() -> None:
    cycle = tuple((7 * place) % 8 for place in range(256))
    for attacks in (0, 1, 255, 256, 300):
        dice = Scripted()
        index = cycle[attacks % 256]
        position = at_war("c64_cycle", attacks=attacks, cycle=cycle)
        assert draw(position, dice) == (index, MODIFIERS[index])
        assert dice.thrown == ()
        assert shares(position) == {MODIFIERS[index]: (1, 1)}


@pytest.mark.rule("WD-RNG-3")
def test_seeded_draws_are_repeatable_and_reach_every_modifier() -> None:
    position = at_war("uniform8")
    drawn = [draw(position, Seeded(b"x", seq, "decide")) for seq in range(200)]
    assert drawn == [draw(position, Seeded(b"x", seq, "decide")) for seq in range(200)]
    assert {modifier for _, modifier in drawn} == {0, 1, 2, 3, 4}


# -- forecasts, against every throw of the dice ------------------------------------------


def duel(striker: str, victim: str, life: int, chance: Literal["uniform8", "c64_weights"]) -> State:
    side = 0 if striker in ("sword", "bow_e", "ship") else 1
    units = (unit(0, striker, 0, 0, b=1), unit(1, victim, 1, 0, v=life, b=1))
    options = Options(chance=chance)
    return state(("~~..",), *units, phase=1, player=side, options=options)


def tried(position: State, sides: int) -> Forecast:
    """Return the forecast computed by trying every throw."""
    damages, kills = [], 0
    for throw in range(1, sides + 1):
        after = played(position, "attack unit=0 at=1,0", throw)
        killed = not after.units[1].alive
        kills += killed
        if not killed:
            damages.append(position.units[1].v - after.units[1].v)
    return Forecast("unit", 1, 0, 1, 0, 0, sum(damages), kills, sides)


@pytest.mark.rule("WD-ATT-3", "WD-NUM-4", "WD-RNG-1", "WD-RNG-3")
@pytest.mark.parametrize("life", range(1, 17))
def test_chance_to_kill_is_the_share_of_the_eight_draws(life: int) -> None:
    position = duel("sword", "axe", life, "uniform8")
    found = forecast(view(position), position.units[0], 1, 0)
    assert found is not None
    assert (found.kills, found.draws) == (tried(position, 8).kills, 8)
    assert (found.least, found.most, found.mean) == (4, 8, Fraction(6))


@pytest.mark.rule("WD-RNG-2", "WD-RNG-3")
@pytest.mark.parametrize("life", [4, 5, 6, 7, 8, 9])
def test_original_weights_are_counted_out_of_256(life: int) -> None:
    position = duel("axe", "sword", life, "c64_weights")
    found = forecast(position, position.units[0], 1, 0)
    assert found is not None
    assert (found.kills, found.draws) == (tried(position, 256).kills, 256)


@pytest.mark.rule("WD-ATT-7")
def test_mean_damage_is_the_mean_of_all_draws() -> None:
    even = duel("ram", "sword", 16, "uniform8")
    found = forecast(even, even.units[0], 1, 0)
    assert found is not None
    assert found.total == tried(even, 8).total
    assert (found.least, found.most, found.mean) == (1, 5, Fraction(3))
    weighted = duel("ram", "sword", 16, "c64_weights")
    found = forecast(weighted, weighted.units[0], 1, 0)
    assert found is not None
    assert found.total == tried(weighted, 256).total
    assert round(float(found.mean), 2) == 2.41


@pytest.mark.rule("WD-RNG-3")
@pytest.mark.parametrize("attacks", [0, 1, 300])
def test_forecast_is_certain_with_the_fixed_cycle(attacks: int) -> None:
    cycle = tuple((7 * number) % 8 for number in range(256))
    options = Options(chance="c64_cycle")
    units = (unit(0, "bow_e", 0, 0, b=1), unit(1, "axe", 1, 0, b=1))
    position = state(("...",), *units, phase=1, options=options, cycle=cycle, attacks=attacks)
    found = forecast(position, position.units[0], 1, 0)
    after = played(position, "attack unit=0 at=1,0")
    assert found is not None
    assert found.least == found.most == 16 - after.units[1].v
    assert (found.kills, found.draws, found.percent) == (0, 1, 0)


@pytest.mark.rule("WD-SIEGE-1", "WD-SIEGE-3", "WD-SIEGE-4")
def test_allowed_siege_is_certain() -> None:
    position = state(
        ("G.H#", "...G"),
        unit(0, "catapult", 1, 1, b=1),
        phase=1,
        player=1,
        frontier=2,
        sites=Roster([Site(0, 0, 0), Site(1, 3, 1)]),
    )
    found = targets(position, position.units[0])
    assert [(target.x, target.y, target.kind) for target in found] == [
        (0, 0, "siege"),
        (3, 0, "siege"),
    ]
    assert all(target.percent == 100 for target in found)


@pytest.mark.rule("WD-ATT-4")
def test_own_units_and_bare_ground_have_no_forecast() -> None:
    position = state(("...#",), unit(0, "sword", 0, 0), unit(1, "spear", 1, 0))
    sword = position.units[0]
    assert [forecast(position, sword, x, 0) for x in range(4)] == [None] * 4


@pytest.mark.rule("WD-ATT-1", "WD-ATT-2", "WD-ATT-6", "WD-SIEGE-1", "WD-SIEGE-2", "WD-SIEGE-4")
@given(positions())
@settings(max_examples=60)
def test_targets_are_the_tiles_that_may_be_attacked(position: State) -> None:
    position = replace(position, phase=1)
    for attacker in position.units.values():
        if (0 if attacker.type < 7 else 1) != position.player or not attacker.alive:
            continue
        allowed = [
            (x, y)
            for y in range(position.terrain.height)
            for x in range(position.terrain.width)
            if is_allowed(position, f"attack unit={attacker.id} at={x},{y}", 1)
        ]
        found = [(target.x, target.y) for target in targets(view(position), attacker)]
        assert found == allowed


@pytest.mark.rule("WD-MOVE-2", "WD-ATT-1")
@given(positions())
@settings(max_examples=60)
def test_idle_units_are_those_that_may_act(position: State) -> None:
    lines = {0: "step unit={0} direction={1}", 1: "attack unit={0} at={1}"}
    tiles = [
        f"{x},{y}" for y in range(position.terrain.height) for x in range(position.terrain.width)
    ]
    ways = [*map(str, DELTAS)]
    choices: list[str] = {0: ways, 1: tiles, 2: []}[position.phase]
    able = [
        found.id
        for found in position.units.values()
        if any(
            is_allowed(position, lines[position.phase].format(found.id, choice), 1)
            for choice in choices
        )
    ]
    assert [found.id for found in idle(view(position))] == able
    assert idle(replace(position, winner=0)) == ()


@pytest.mark.rule("WD-ATT-2", "WD-ATT-6")
def test_unit_is_idle_only_with_a_breakable_target_in_reach() -> None:
    far = state(("....",), unit(0, "eagle", 0, 0, b=1), unit(1, "axe", 3, 0, b=1), phase=1)
    near = replace(far, units=far.units.put(replace(far.units[1], x=2)))
    assert [found.id for found in idle(far)] == []
    assert [found.id for found in idle(near)] == [0]
    wall = state((".#",), unit(0, "catapult", 0, 0, b=1), phase=1, player=1)
    held = replace(wall, units=wall.units.put(unit(1, "blood", 1, 0, b=0)))
    assert [found.id for found in idle(wall)] == [0]
    assert [found.id for found in idle(held)] == []


@pytest.mark.rule("WD-SIEGE-4", "WD-SIEGE-5")
@pytest.mark.parametrize("sites", [(), (Site(0, 0, 0, ruined=True),)])
def test_gate_without_a_usable_site_is_no_target(sites: tuple[Site, ...]) -> None:
    ram = unit(0, "ram", 1, 0, b=1)
    position = state(("G..",), ram, phase=1, player=1, frontier=2, sites=Roster(sites))
    assert targets(position, ram) == ()
    assert not is_allowed(position, "attack unit=0 at=0,0")


def test_percent_is_0_or_100_only_if_certain() -> None:
    assert Forecast("unit", 0, 0, kills=1, draws=256).percent == 1
    assert Forecast("unit", 0, 0, kills=255, draws=256).percent == 99
    assert Forecast("unit", 0, 0, kills=0, draws=8).percent == 0
    assert Forecast("unit", 0, 0, kills=8, draws=8).percent == 100
    assert Forecast("unit", 0, 0, kills=3, draws=8).chance == Fraction(3, 8)
