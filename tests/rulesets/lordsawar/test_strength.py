"""Strengths of armies, layer by layer."""

from __future__ import annotations

import pytest

from engine.rulesets.lordsawar.battle_records import (
    NO_ARMY,
    BattleTerms,
    BattleTile,
    Combatant,
    CombatOptions,
    StrengthPart,
    TileClass,
)
from engine.rulesets.lordsawar.kinds import Building, Terrain, UnitFlagName
from engine.rulesets.lordsawar.strength import (
    battle_terms,
    command,
    defence_level,
    is_city_attack,
    line_up,
    may_fortify,
    reasons,
    shown_strengths,
    site_bonus,
    tile_class,
    tower_army,
)
from tests.rulesets.lordsawar.armies import OPEN, army, hero, met

CAPPED = CombatOptions(ship_strength="capped4")
WIDE = CombatOptions(open_ground="wide")
HILLS = BattleTerms("hills", "hills")


def attack(*line: Combatant, on: TileClass = "open") -> tuple[int, ...]:
    """Return the strengths of attackers against a plain army."""
    return met(list(line), [army(99)], BattleTerms(on, on)).attackers.final


def defence(*line: Combatant, terms: BattleTerms = OPEN) -> tuple[int, ...]:
    """Return the strengths of defenders against a plain army."""
    return met([army(99)], list(line), terms).defenders.final


# -- the seed's example ----------------------------------------------------------------------------


@pytest.mark.rule("LW-3.7")
def test_worked_example_is_eight_against_eight() -> None:
    terms = BattleTerms("open", "hills", fortified=True)
    found = met([hero(1, 5, 0, 2)], [army(2, 6, "ADD1STRINHILLS")], terms)
    assert found.attackers.final == found.defenders.final == (8,)
    assert found.attackers.parts == (StrengthPart("items", 2, 1), StrengthPart("command", 1, 1))
    assert found.defenders.parts == (StrengthPart("fortify", 1),)
    told = found.defenders.armies[0]
    assert (told.base, told.terrain, told.stack, told.final) == (6, 1, 1, 8)


# -- line-up ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-2.2")
@pytest.mark.parametrize(
    ("order", "line"),
    [
        ((0, 1, 2), (3, 5, 1, 4, 2)),
        ((2, 1, 0), (2, 1, 4, 3, 5)),
        ((1,), (2, 3, 5, 1, 4)),
        ((), (1, 2, 3, 4, 5)),
    ],
)
def test_a_line_follows_the_fight_order_and_then_ids(
    order: tuple[int, ...], line: tuple[int, ...]
) -> None:
    armies = [army(number, kind=kind) for number, kind in ((4, 1), (2, 2), (5, 0), (1, 1), (3, 0))]
    assert tuple(one.id for one in line_up(armies, order)) == line


# -- ground ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.2")
@pytest.mark.parametrize(
    ("terrain", "usual", "wide"),
    [
        (Terrain.GRASS, "open", "open"),
        (Terrain.FOREST, "forest", "forest"),
        (Terrain.HILLS, "hills", "hills"),
        (Terrain.MOUNTAIN, "hills", "hills"),
        (Terrain.SWAMP, "other", "open"),
        (Terrain.WATER, "other", "open"),
    ],
)
def test_terrains_have_their_tile_class(terrain: Terrain, usual: str, wide: str) -> None:
    for building in Building:
        is_city = building in {Building.CITY, Building.RUIN, Building.TEMPLE}
        tile = BattleTile(terrain, building)
        assert tile_class(tile) == ("city" if is_city else usual)
        assert tile_class(tile, WIDE) == ("city" if is_city else wide)


@pytest.mark.rule("LW-2.1")
def test_both_sides_use_city_ground_only_in_an_unrazed_city() -> None:
    hills, city = BattleTile(Terrain.HILLS), BattleTile(Terrain.GRASS, Building.CITY, 2)
    razed = BattleTile(Terrain.GRASS, Building.CITY, 0)
    assert is_city_attack(city)
    assert is_city_attack(BattleTile(Terrain.GRASS, Building.CITY, 1)), "a neutral one stands too"
    assert not is_city_attack(razed)
    assert not is_city_attack(BattleTile(Terrain.GRASS, Building.TEMPLE))
    assert battle_terms(hills, city) == BattleTerms("city", "city", 1)
    assert battle_terms(hills, razed) == BattleTerms("hills", "city", 0)
    forest = BattleTile(Terrain.FOREST)
    assert battle_terms(hills, forest, fortified=True) == BattleTerms("hills", "forest", 0, True)
    assert battle_terms(city, hills).attackers_on == "city"


@pytest.mark.rule("LW-3.4")
@pytest.mark.parametrize(
    ("slots", "neutral", "owned"),
    [
        (0, (1, 0), (2, 1)),
        (1, (1, 0), (2, 1)),
        (2, (1, 0), (2, 1)),
        (3, (2, 1), (3, 2)),
        (4, (2, 1), (3, 2)),
    ],
)
def test_city_defence_depends_on_slots_and_owner(
    slots: int, neutral: tuple[int, int], owned: tuple[int, int]
) -> None:
    for is_neutral, (level, bonus) in ((True, neutral), (False, owned)):
        found = defence_level(slots, neutral=is_neutral)
        assert found == level
        assert site_bonus(BattleTile(Terrain.GRASS, Building.CITY, found)) == bonus
        assert defence_level(slots, neutral=is_neutral, razed=True) == 0
    assert site_bonus(BattleTile(Terrain.GRASS, Building.CITY, 0)) == 0


@pytest.mark.rule("LW-3.4")
def test_only_ruins_and_temples_have_a_bonus_of_two() -> None:
    found = {building: site_bonus(BattleTile(Terrain.HILLS, building, 0)) for building in Building}
    assert {building for building, bonus in found.items() if bonus == 2} == {
        Building.RUIN,
        Building.TEMPLE,
    }
    assert sum(found.values()) == 4


# -- layer 1 ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.1")
@pytest.mark.parametrize("strength", range(1, 10))
def test_base_is_the_strength_or_four_for_a_ship(strength: int) -> None:
    assert attack(army(1, strength)) == (strength,)
    ship = army(1, strength, aboard=True)
    assert attack(ship) == (4,)
    assert met([ship], [army(2)], OPEN, CAPPED).attackers.final == (min(4, strength),)


@pytest.mark.rule("LW-3.1")
def test_items_raise_a_heros_strength_but_its_ship_only_to_four() -> None:
    told = met([hero(1, 3, 3)], [army(2)]).attackers.armies[0]
    assert (told.base, told.personal, told.stack, told.final) == (3, 3, 1, 7)
    aboard = hero(1, 2, 1, aboard=True)
    assert met([aboard], [army(2)], OPEN, CAPPED).attackers.final == (3,)
    assert met([aboard], [army(2)]).attackers.final == (4,)


@pytest.mark.rule("LW-3.1", "LW-3.6")
def test_strength_of_a_ship_is_fixed() -> None:
    ship = army(1, 9, "ADD2STRINOPEN", "ADD2STACK", aboard=True)
    helped = met([ship, hero(2, 9, 0, 3)], [army(3, 5, "SUB2ENEMYSTACK")])
    assert helped.attackers.final == (4, 9 + 5 - 2)
    fortress = BattleTerms("open", "city", 2)
    assert met([army(3, 5, "SUB1ENEMYSTACK")], [ship], fortress).defenders.final == (4,)


# -- layer 2 ---------------------------------------------------------------------------------------


GROUND: tuple[tuple[UnitFlagName, TileClass, int], ...] = (
    ("ADD1STRINOPEN", "open", 1),
    ("ADD2STRINOPEN", "open", 2),
    ("ADD1STRINFOREST", "forest", 1),
    ("ADD2STRINFOREST", "forest", 2),
    ("ADD1STRINHILLS", "hills", 1),
    ("ADD2STRINHILLS", "hills", 2),
    ("ADD1STRINCITY", "city", 1),
    ("ADD2STRINCITY", "city", 2),
)
CLASSES: tuple[TileClass, ...] = ("city", "open", "forest", "hills", "other")


@pytest.mark.rule("LW-3.2")
@pytest.mark.parametrize(("flag", "where", "gain"), GROUND)
def test_ability_counts_only_on_its_own_ground(
    flag: UnitFlagName, where: TileClass, gain: int
) -> None:
    for on in CLASSES:
        expected = (5 + gain if on == where else 5,)
        assert attack(army(1, 5, flag), on=on) == expected
        assert defence(army(1, 5, flag), terms=BattleTerms("other", on)) == expected


@pytest.mark.rule("LW-3.2")
def test_both_abilities_of_a_pair_add_up_to_at_most_nine() -> None:
    both = army(1, 5, "ADD1STRINHILLS", "ADD2STRINHILLS")
    assert attack(both, on="hills") == (8,)
    strong = met([army(1, 8, "ADD2STRINOPEN")], [army(2)]).attackers.armies[0]
    assert (strong.terrain, strong.cap, strong.final) == (2, -1, 9)
    armed = met([hero(1, 7, 4)], [army(2)]).attackers.armies[0]
    assert (armed.cap, armed.stack, armed.final) == (-2, 3, 12)


@pytest.mark.rule("LW-3.2", "LW-3.4")
@pytest.mark.parametrize("towered", ["flag", "tower"])
def test_tower_replaces_the_ground_for_defenders(towered: str) -> None:
    flags: tuple[UnitFlagName, ...] = ("ADD2STRINOPEN", "ADD1STRINCITY")
    own: tuple[UnitFlagName, ...] = ("FORTIFY",) if towered == "flag" else ()
    one = army(1, 5, *flags, *own, in_tower=towered == "tower")
    assert defence(one) == (5 + 1 + 1,)
    assert attack(one) == (5 + 2,)


@pytest.mark.rule("LW-3.2")
@pytest.mark.parametrize(
    ("terrain", "building", "may"),
    [
        (Terrain.GRASS, Building.NONE, True),
        (Terrain.SWAMP, Building.ROAD, True),
        (Terrain.HILLS, Building.SIGNPOST, True),
        (Terrain.WATER, Building.NONE, False),
        (Terrain.WATER, Building.BRIDGE, True),
        (Terrain.WATER, Building.PORT, False),
        (Terrain.GRASS, Building.CITY, False),
        (Terrain.HILLS, Building.RUIN, False),
        (Terrain.FOREST, Building.TEMPLE, False),
        (Terrain.GRASS, Building.STONE, True),
    ],
)
def test_some_places_cannot_be_fortified(terrain: Terrain, building: Building, may: bool) -> None:
    assert may_fortify(BattleTile(terrain, building)) is may


@pytest.mark.rule("LW-3.2")
def test_last_army_without_a_ground_bonus_goes_into_the_tower() -> None:
    dwarves = army(1, 3, "ADD1STRINHILLS", kind=6)
    giants, scouts = army(2, 5, kind=8), army(3, 1, kind=0)
    order = tuple(range(28))
    assert tower_army([scouts, dwarves, giants], order, "hills") == 2
    assert tower_army([scouts, dwarves], order, "hills") == 3
    assert tower_army([scouts, dwarves], order, "open") == 1
    assert tower_army([dwarves], order, "hills") is None
    sailing = army(4, 3, "ADD1STRINHILLS", kind=6, aboard=True)
    assert tower_army([dwarves, sailing], order, "hills") == 4, "the ground gives a ship nothing"


# -- layer 3 ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.3")
@pytest.mark.parametrize(
    ("strength", "gain"),
    [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 2), (8, 2), (9, 3), (10, 3), (15, 3)],
)
def test_command_of_a_hero_depends_on_its_strength(strength: int, gain: int) -> None:
    assert command(strength) == gain
    if strength <= 9:
        assert attack(hero(1, strength), army(2, 5)) == (5 + gain, strength + gain)


@pytest.mark.rule("LW-3.3")
@pytest.mark.parametrize(
    ("flags", "on", "gain"),
    [
        ((), "open", 0),
        (("ADD1STACK",), "open", 1),
        (("ADD2STACK",), "open", 2),
        (("ADD1STACK", "ADD2STACK"), "open", 3),
        (("ADD1STACKINHILLS",), "open", 0),
        (("ADD1STACKINHILLS",), "hills", 1),
        (("ADD1STACK", "ADD1STACKINHILLS"), "hills", 2),
        (("ADD1STACK", "ADD2STACK", "ADD1STACKINHILLS"), "hills", 4),
    ],
)
def test_the_best_ordinary_army_helps_the_whole_side(
    flags: tuple[UnitFlagName, ...], on: TileClass, gain: int
) -> None:
    assert attack(army(1, 3), army(2, 4, *flags), on=on) == (3 + gain, 4 + gain)
    weaker = army(3, 2, "ADD1STACK")
    assert attack(army(2, 4, *flags), weaker, on=on)[0] == 4 + max(1, gain)


@pytest.mark.rule("LW-3.3")
def test_heroes_and_ships_give_no_bonus_of_ordinary_armies() -> None:
    assert attack(army(1, 3), hero(2, 3, 0, 0, "ADD2STACK")) == (3, 3)
    assert attack(army(1, 3), army(2, 3, "ADD2STACK", aboard=True)) == (3, 4)


@pytest.mark.rule("LW-3.3")
def test_items_of_all_heroes_add_up_and_the_strongest_leads() -> None:
    found = met([army(1, 3), hero(2, 3, 0, 1), hero(3, 4, 3, 1)], [army(9)]).attackers
    assert found.parts == (StrengthPart("items", 2, 2), StrengthPart("command", 2, 3))
    assert found.final == (7, 7, 9 + 4 - 2)


@pytest.mark.rule("LW-3.3")
def test_hero_aboard_still_leads_flyers() -> None:
    bats = army(1, 1, kind=15)
    assert attack(bats, hero(2, 9, 0, 1, aboard=True)) == (5, 4)


@pytest.mark.rule("LW-3.4")
def test_defenders_gain_from_site_or_fortification_not_both() -> None:
    assert defence(army(1, 5), terms=BattleTerms("open", "city", 2, True)) == (7,)
    assert defence(army(1, 5), terms=BattleTerms("open", "city", 0, True)) == (5,)
    assert defence(army(1, 5), terms=BattleTerms("open", "open", 0, True)) == (6,)
    assert defence(army(1, 5), army(2, 5, in_tower=True)) == (6, 6)
    aboard = army(2, 5, in_tower=True, aboard=True)
    assert defence(army(1, 5), aboard) == (6, 4)
    assert met([army(9)], [army(1, 5)], BattleTerms("city", "open", 2)).attackers.final == (5,)


@pytest.mark.rule("LW-3.5")
def test_bonus_is_at_most_five_and_strength_fourteen() -> None:
    found = met([hero(1, 9, 0, 6), army(2, 1, "ADD2STACK")], [army(9)]).attackers
    assert sum(part.value for part in found.parts) == 11
    assert found.bonus == 5
    assert found.final == (6, 14)


# -- cancelling and layer 4 ------------------------------------------------------------------------


@pytest.mark.rule("LW-3.6")
@pytest.mark.parametrize(
    ("flag", "left", "from_aboard"),
    [
        ("SUBALLNONHEROBONUS", 5, True),
        ("SUBALLHEROBONUS", 4, True),
        ("SUBALLCITYBONUS", 5, False),
    ],
)
def test_a_flag_cancels_its_part_before_the_cap(
    flag: UnitFlagName, left: int, from_aboard: bool
) -> None:
    """The parts are 2 from an army, 1 + 1 from the hero, and 2 from the city."""
    line = [army(1, 5, "ADD2STACK"), hero(2, 5, 0, 2)]
    terms = BattleTerms("city", "city", 2)
    assert met([army(9)], line, terms).defenders.bonus == 5
    for aboard in (False, True):
        found = met([army(9, 5, flag, aboard=aboard)], line, terms).defenders
        assert found.bonus == (left if from_aboard or not aboard else 5)
        cancelled = [part.value for part in found.parts if part.cancelled_by == 9]
        assert bool(cancelled) == (from_aboard or not aboard)


@pytest.mark.rule("LW-3.6")
def test_fortification_is_cancelled_but_not_tower_or_items() -> None:
    towered = army(1, 5, "ADD1STRINCITY", in_tower=True)
    sieged = met([army(9, 5, "SUBALLCITYBONUS")], [towered]).defenders
    assert (sieged.bonus, sieged.final) == (0, (6,))
    armed = met([hero(1, 5, 2, 2)], [army(9, 5, "SUBALLHEROBONUS")]).attackers
    assert (armed.bonus, armed.final) == (0, (7,))


@pytest.mark.rule("LW-3.6")
@pytest.mark.parametrize(
    ("flags", "loss"),
    [
        (("SUB1ENEMYSTACK",), 1),
        (("SUB2ENEMYSTACK",), 2),
        (("SUB1ENEMYSTACK", "SUB2ENEMYSTACK"), 3),
    ],
)
def test_only_the_first_debuffer_in_line_counts(flags: tuple[UnitFlagName, ...], loss: int) -> None:
    for aboard in (False, True):
        line = [army(1), army(2, 5, *flags, aboard=aboard), army(3, 5, "SUB2ENEMYSTACK")]
        found = met([army(9, 7), army(10, 2)], line).attackers
        assert (found.debuff, found.debuffer) == (loss, 2)
        assert found.final == (7 - loss, max(1, 2 - loss))
        assert [told.floor for told in found.armies] == [0, max(0, loss - 1)]


@pytest.mark.rule("LW-3.7")
def test_both_sides_get_their_bonus_before_debuffs() -> None:
    line = [army(1, 1, "ADD2STACK", "SUB2ENEMYSTACK")]
    found = met(line, [army(2, 1, "ADD2STACK", "SUB2ENEMYSTACK")], HILLS)
    assert found.attackers.final == found.defenders.final == (1,)
    plain = met([army(1)], [army(2)])
    assert (plain.attackers.debuffer, plain.attackers.parts) == (NO_ARMY, ())


@pytest.mark.rule("LW-3.7")
def test_a_strength_is_explained_part_by_part() -> None:
    line = [army(1, 8, "ADD2STRINCITY"), hero(2, 9, 3, 4)]
    enemy = [army(9, 5, "SUBALLCITYBONUS", "SUB1ENEMYSTACK")]
    side = met(enemy, line, BattleTerms("city", "city", 2)).defenders
    told = [(part.source, part.value, part.army) for part in reasons(side, 0)]
    assert told == [
        ("base", 8, NO_ARMY),
        ("terrain", 2, NO_ARMY),
        ("cap", -1, NO_ARMY),
        ("items", 4, 2),
        ("command", 3, 2),
        ("site", 2, NO_ARMY),
        ("bonus-cap", -2, NO_ARMY),
        ("debuff", -1, 9),
    ]
    assert [part.cancelled_by for part in reasons(side, 0) if part.source == "site"] == [9]
    ship = met([army(1, 9, aboard=True)], enemy).attackers
    assert [(part.source, part.value) for part in reasons(ship, 0)] == [("ship", 4)]


@pytest.mark.rule("LW-7.5")
def test_shown_strength_is_against_a_lone_scout_on_its_tile() -> None:
    line = (army(1, 4, "ADD1STRINHILLS"), hero(2, 7, 0, 1))
    assert shown_strengths(line, "hills").final == (8, 10)
    assert shown_strengths(line, "open").final == (7, 10)


@pytest.mark.rule("LW-0")
def test_wide_open_ground_includes_swamp() -> None:
    swamp = BattleTile(Terrain.SWAMP)
    line = [army(1, 5, "ADD2STRINOPEN")]
    for options, final in ((CombatOptions(), 5), (WIDE, 7)):
        terms = battle_terms(swamp, swamp, options)
        assert met(line, [army(2)], terms, options).attackers.final == (final,)
