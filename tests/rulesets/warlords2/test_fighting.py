"""Battlegrounds, and the numbers of battles on them (sections 8 and 18)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.containers import Roster
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import LEADERSHIP, battleground, fighting_rules
from engine.strategic.battle_records import Battleground
from engine.strategic.pieces import BattleClass, SiteKind
from tests.strategic.ground import city, site, tower, world

SIGNS: list[tuple[str, BattleClass]] = [
    (".", "open"),
    ("f", "woods"),
    ("h", "hills"),
    ("m", "hills"),
    ("s", "open"),
    ("d", "open"),
    ("t", "open"),
    ("x", "open"),
    ("~", "open"),
    ("w", "open"),
    ("=", "open"),
    ("r", "open"),
]


@pytest.mark.rule("W2-8.2", "W2-8.3", "W2-8.4")
@pytest.mark.parametrize(("sign", "ground"), SIGNS)
def test_each_terrain_has_its_class_and_no_defence(sign: str, ground: BattleClass) -> None:
    """A companion note of a terrain bonus from 1 to 3 is wrong (section 18.4)."""
    found = battleground(world([sign]), (0, 0))
    assert found.ground == ground
    assert found.defence == 0
    assert found.at_sea == (sign in "~w")
    assert found.mounts_last == (sign in "~wm")


@pytest.mark.rule("W2-8.2", "W2-8.3")
@pytest.mark.parametrize("kind", ["temple", "relic", "sage", "gold", "allies", "unknown"])
@pytest.mark.parametrize("searched", [False, True])
def test_sites_of_all_kinds_are_ruins_even_if_searched(kind: SiteKind, searched: bool) -> None:
    position = world(["x"], sites=[site(1, 0, 0, kind, searched=searched)])
    assert battleground(position, (0, 0)) == Battleground("city", 2)


@pytest.mark.rule("W2-8.2", "W2-8.3", "W2-6.7")
def test_tower_defends_like_a_city_of_level_one() -> None:
    position = world(["h."], towers=Roster([tower(0, 0, 2)]))
    assert battleground(position, (0, 0)) == Battleground("city", 1)
    assert battleground(position, (1, 0)) == Battleground("open", 0)


@pytest.mark.rule("W2-8.2", "W2-8.3")
@pytest.mark.parametrize(("more", "value"), [({"defence": 1}, 1), ({"defence": 2}, 2)])
def test_city_defends_with_exactly_its_level(more: Any, value: int) -> None:
    """A companion note of walls up to 6 is wrong (section 18.4)."""
    town = city(1, 0, 0, 0, **more)
    for at in town.tiles:
        assert battleground(world(["...", "..."], cities=[town]), at) == Battleground("city", value)


@pytest.mark.rule("W2-8.2", "W2-8.3")
def test_razed_city_is_a_ruin_in_battle() -> None:
    ruin = city(1, 0, 0, razed=True, defence=0)
    position = world(["...", "..."], cities=[ruin])
    assert {battleground(position, at) for at in ruin.tiles} == {Battleground("city", 2)}
    assert battleground(position, (2, 0)).ground == "open"


@pytest.mark.rule("W2-0.1", "W2-8.3", "W2-8.5")
def test_switches_choose_the_battle_numbers() -> None:
    usual = fighting_rules(Options())
    assert (usual.dice, usual.cap, usual.most, usual.aboard, usual.rounds) == (20, 5, 15, 4, 10_000)
    assert not usual.novice_shield
    assert usual.spoils.may_raze
    other = fighting_rules(
        Options(intense_combat="on", novice_hero_shield="on", raze_allowed="off", bonus_cap=7)
    )
    assert (other.dice, other.cap) == (24, 7)
    assert other.novice_shield
    assert not other.spoils.may_raze


@pytest.mark.rule("W2-8.3")
def test_leadership_follows_a_table() -> None:
    assert LEADERSHIP == (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
