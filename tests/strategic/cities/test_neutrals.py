"""Garrisons of neutral cities (section 9.7)."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import cities
from engine.strategic.cities import garrison
from engine.strategic.decision import Decision
from engine.strategic.pieces import NOBODY, NONE, City, Slot
from tests.strategic.ground import (
    DWARVES,
    GIANTS,
    HEAVY,
    LIGHT,
    SCOUTS,
    TYPES,
    army,
    city,
    desk,
    slot,
    world,
)

FOUR = (slot(LIGHT), slot(HEAVY), slot(DWARVES), slot(GIANTS))
ACTIVE = Options(neutral_strength="active")


def kept(
    strength: Literal["average", "strong", "active"], slots: tuple[Slot, ...], *dice: int
) -> tuple[City, int, int]:
    """Return the city with its garrison's type and strength."""
    rules = settings_of(Options(neutral_strength=strength)).cities
    thrown = Scripted(dice)
    town, guard = garrison(thrown, rules, TYPES, city(1, 2, 3, slots=slots), 7)
    assert thrown.left() == 0
    assert (guard.id, guard.owner, guard.at, guard.points) == (7, NOBODY, (2, 3), 0)
    return town, guard.type, guard.strength


@pytest.mark.rule("W2-9.7")
def test_average_city_is_guarded_by_scouts() -> None:
    town, kind, strength = kept("average", FOUR)
    assert (town.tier, kind, strength) == (NONE, SCOUTS, 1)


@pytest.mark.rule("W2-9.7")
@pytest.mark.parametrize(
    ("strength", "die", "tier", "kind"),
    [
        ("strong", 1, 0, LIGHT),
        ("strong", 2, 1, HEAVY),
        ("strong", 3, 2, DWARVES),
        ("strong", 4, 3, GIANTS),
        ("active", 1, 1, HEAVY),
        ("active", 2, 2, DWARVES),
        ("active", 3, 3, GIANTS),
        ("active", 4, 3, GIANTS),
    ],
)
def test_stronger_city_is_guarded_by_a_type_it_can_make(
    strength: Literal["strong", "active"], die: int, tier: int, kind: int
) -> None:
    town, found, power = kept(strength, FOUR, die)
    assert (town.tier, found, power) == (tier, kind, TYPES[kind].strength)


@pytest.mark.rule("W2-9.7")
def test_city_with_fewer_slots_is_guarded_by_its_last_type() -> None:
    town, kind, _ = kept("active", FOUR[:2], 4)
    assert (town.tier, kind) == (3, HEAVY)


@pytest.mark.rule("W2-9.7")
def test_city_without_slots_is_guarded_by_scouts() -> None:
    assert kept("active", ())[1] == SCOUTS


def rounds(state: State, count: int, options: Options = ACTIVE) -> list[int]:
    """Return the number of armies after each of ``count`` rounds."""
    decision: Decision = desk(replace(state, options=options))
    found = []
    for _ in range(count):
        cities.refill_neutrals(decision, settings_of(options))
        found.append(len(decision.state.armies))
    return found


def attacked(**more: int) -> State:
    """Return a neutral city of tier 2 that makes dwarves in two turns."""
    town = replace(city(1, 0, 0, slots=FOUR, tier=2, attacked_by=2), **more)
    return world(["....", "....", "...."], cities=[town])


@pytest.mark.rule("W2-9.7", "W2-13.1")
def test_attacked_active_city_refills_to_four_armies() -> None:
    assert rounds(attacked(), 10) == [0, 1, 1, 2, 2, 3, 3, 4, 4, 4]


@pytest.mark.rule("W2-9.7")
def test_attacked_active_city_makes_its_first_garrisons_type() -> None:
    decision = desk(attacked())
    for _ in range(2):
        cities.refill_neutrals(decision, settings_of(ACTIVE))
    (made,) = decision.state.armies.values()
    assert (made.type, made.owner, made.at) == (DWARVES, NOBODY, (0, 0))


@pytest.mark.rule("W2-9.7")
@pytest.mark.parametrize(
    ("state", "options"),
    [
        (attacked(attacked_by=0), ACTIVE),
        (attacked(tier=NONE), ACTIVE),
        (attacked(owner=1), ACTIVE),
        (attacked(razed=True), ACTIVE),
        (attacked(), Options(neutral_strength="strong")),
    ],
)
def test_other_neutral_cities_do_not_refill(state: State, options: Options) -> None:
    assert rounds(state, 4, options) == [0, 0, 0, 0]


@pytest.mark.rule("W2-9.7")
def test_neutral_city_with_four_armies_on_its_tiles_is_full() -> None:
    state = attacked()
    guards = [army(k, x, y, owner=NOBODY) for k, (x, y) in enumerate(state.cities[1].tiles, 1)]
    full = replace(state, armies=state.armies.put(*guards), next_id=5)
    assert rounds(full, 3) == [4, 4, 4]
    weaker = replace(full, armies=full.armies.drop(2))
    assert rounds(weaker, 3) == [3, 4, 4]
