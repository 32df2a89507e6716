"""Order in which armies fight."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic.battle import defenders_at, line_up, order_of
from engine.strategic.battle_records import Battleground, Lineup
from engine.strategic.pieces import NOBODY
from tests.strategic.fighting.sides import against, soldier
from tests.strategic.ground import (
    BATS,
    DRAGONS,
    GIANTS,
    HERO,
    LIGHT,
    PEGASI,
    SCOUTS,
    TYPES,
    army,
    city,
    side,
    world,
)

PEAK = Battleground("hills", mounts_last=True)


def kinds(lineup: Lineup) -> list[int]:
    return [fighter.type for fighter in lineup.attackers.fighters]


@pytest.mark.rule("W2-8.4", "W2-7")
def test_default_order_follows_the_table() -> None:
    lineup = against([soldier(kind) for kind in TYPES], [soldier(LIGHT)])
    assert kinds(lineup) == sorted(TYPES, key=lambda kind: TYPES[kind].order)


@pytest.mark.rule("W2-8.4")
def test_equal_attackers_fight_by_number_defenders_newest_first() -> None:
    side = [soldier(LIGHT), soldier(SCOUTS), soldier(LIGHT)]
    lineup = against(side, side)
    assert [fighter.army for fighter in lineup.attackers.fighters] == [2, 1, 3]
    assert [fighter.army for fighter in lineup.defenders.fighters] == [102, 103, 101]


@pytest.mark.rule("W2-8.4")
def test_mount_is_the_first_flyer_before_the_line_is_sorted() -> None:
    """Attackers are listed by number, defenders newest first."""
    side = [soldier(DRAGONS), soldier(HERO), soldier(BATS), soldier(PEGASI)]
    lineup = against(side, side, PEAK)
    assert kinds(lineup) == [BATS, PEGASI, HERO, DRAGONS]
    assert [fighter.type for fighter in lineup.defenders.fighters] == [BATS, DRAGONS, HERO, PEGASI]


@pytest.mark.rule("W2-8.4")
def test_heros_mount_fights_last_on_mountains_and_water() -> None:
    group = [soldier(HERO), soldier(DRAGONS), soldier(PEGASI), soldier(GIANTS), soldier(BATS)]
    assert kinds(against(group, [soldier(LIGHT)])) == [GIANTS, BATS, PEGASI, DRAGONS, HERO]
    assert kinds(against(group, [soldier(LIGHT)], PEAK)) == [GIANTS, BATS, PEGASI, HERO, DRAGONS]


@pytest.mark.rule("W2-8.4")
def test_no_mount_waits_without_a_hero() -> None:
    group = [soldier(GIANTS), soldier(PEGASI)]
    assert kinds(against(group, [soldier(LIGHT)], PEAK)) == [GIANTS, PEGASI]
    with_hero = [soldier(BATS, aboard=True), soldier(PEGASI), soldier(HERO)]
    assert kinds(against(with_hero, [soldier(LIGHT)], PEAK)) == [BATS, HERO, PEGASI]


@pytest.mark.rule("W2-8.4")
def test_sides_and_neutrals_have_separate_orders() -> None:
    order = tuple(29 - TYPES[kind].order if kind in TYPES else 0 for kind in range(29))
    position = world([".."], sides=[side(0, order=order), side(1)], neutral_order=(99,))
    assert order_of(position, 0)(TYPES[SCOUTS]) == 29
    assert order_of(position, 1)(TYPES[SCOUTS]) == 0
    assert order_of(position, NOBODY)(TYPES[GIANTS]) == 99
    assert order_of(position, NOBODY)(TYPES[LIGHT]) == TYPES[LIGHT].order, "no entry: as usual"


@pytest.mark.rule("W2-8.4", "W2-11")
def test_order_hidden_in_a_view_is_the_default() -> None:
    position = world([".."], sides=[side(0), side(1, order=())])
    assert order_of(position, 1)(TYPES[DRAGONS]) == TYPES[DRAGONS].order


@pytest.mark.rule("W2-8.1")
def test_single_tile_defends_in_the_field_and_four_in_a_city() -> None:
    armies = [army(k, 3 + k % 2, k // 2, owner=1) for k in range(4)]
    more = [army(10, 2, 0, owner=1), army(11, 1, 0, owner=0)]
    field = world(["......"] * 3, armies=[*armies, *more])
    assert [one.id for one in defenders_at(field, (3, 0), 0)] == [0]
    town = world(["......"] * 3, armies=[*armies, *more], cities=[city(1, 3, 0, owner=1)])
    for at in town.cities[1].tiles:
        assert [one.id for one in defenders_at(town, at, 0)] == [0, 1, 2, 3]
    assert [one.id for one in defenders_at(town, (2, 0), 0)] == [10]
    assert defenders_at(town, (1, 0), 0) == ()


@pytest.mark.rule("W2-8.5", "W2-0.1")
@pytest.mark.parametrize(
    ("owner", "human", "shield", "shielded"),
    [
        (NOBODY, True, "on", True),
        (1, True, "on", False),
        (NOBODY, False, "on", False),
        (NOBODY, True, "off", False),
    ],
)
def test_shield_covers_only_heroes_of_people_against_neutrals(
    owner: int, human: bool, shield: Literal["on", "off"], shielded: bool
) -> None:
    group = (army(1, 0, 0, HERO), army(2, 0, 0))
    seats = (side(0, human=human), side(1))
    state = world(["..", ".."], armies=[*group, army(9, 1, 0, owner=owner)], sides=seats)
    settings = settings_of(Options(novice_hero_shield=shield))
    lineup = line_up(state, settings, group, (1, 0))
    heroes = [fighter.type == HERO for fighter in lineup.attackers.fighters]
    assert lineup.shielded == tuple(is_hero and shielded for is_hero in heroes)
