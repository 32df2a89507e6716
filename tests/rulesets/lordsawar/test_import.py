"""Files of the original as scenarios of this game: imported parts, games on them, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core import scenarios
from engine.core.game import Game
from engine.core.record import UNSET, replace
from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.lordsawar.files.archive import FileKind
from engine.rulesets.lordsawar.files.originals import IMPORTERS
from engine.rulesets.lordsawar.pieces import book_types, type_value
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import Made, Map
from engine.rulesets.lordsawar.state import MOST_COST, State
from engine.strategic.pieces import NOBODY, NONE, HitPoints
from tests.rulesets.lordsawar import original_files as build
from tests.rulesets.lordsawar.test_files_real import named
from tui.play.players import think

(IMPORTER,) = IMPORTERS

BOOK: Final = (2, 2, 3, 4, 6, 8)
"""Terrain costs in section 12.2."""

START = build.OPTIONS.replace("<d_turn>3</d_turn>", "<d_turn>0</d_turn>")


def start_file(**changed: str) -> bytes:
    """Build a scenario that has not begun."""
    parts = {"scenario": build.element("scenario", START)} | changed
    return build.scenario(build.sections(**parts))


def read(data: bytes, companion: bytes | None = None) -> Map:
    found = IMPORTER.read(data, companion).scenario
    assert isinstance(found, Map)
    return found


def played(scene: Map, rounds: int, options: dict[str, str] | None = None) -> Any:
    """Play a game of computer players on a scenario, to its end or for ``rounds`` rounds."""
    count = len(scene.sides)
    fit = scenarios.fitted(RULES, scene, count, frozenset(range(count)))
    game: Any = Game.begin(RULES, fit, options or {}, b"import")
    while (owes := RULES.owes(game.state)) and game.state.turn <= rounds:
        seat = min(owes)
        view, entry = game.view(seat), len(game.log)
        plan: Sequence[Any] = think(RULES, "normal", view, seat, b"import", entry)
        for command in plan:
            game.submit(seat, command)
    return game


# -- imported parts --------------------------------------------------------------------------------


@pytest.mark.rule("LW-19.3", "LW-19.5")
def test_scenario_keeps_land_sides_cities_sites_and_signs() -> None:
    scene = read(start_file())
    assert (scene.name, scene.title, scene.now) == ("small-war", "Small War", None)
    assert scene.about == "A test."
    assert scene.rows[0] == ".pfhms.=fhms"
    assert scene.rows[1][:2] == "cc"
    assert scene.roads[3] == "......+....."
    sides = [(side.name, side.capital, side.gold, side.human) for side in scene.sides]
    assert sides == [("Player 0", (0, 1), 100, True), ("Player 5", (8, 7), 105, False)]
    assert [side.level for side in scene.sides] == [0, 2]
    assert [(city.name, city.owner) for city in scene.cities] == [("City 10", 0), ("City 11", 1)]
    kinds = [(site.kind, site.hidden, site.known_to) for site in scene.sites]
    assert kinds == [("temple", False, 0), ("stronghold", True, 0), ("sage", False, 2)]
    assert [(sign.x, sign.y, sign.text) for sign in scene.signs] == [(6, 1, "Turn back!")]
    (reward,) = scene.rewards
    assert (reward.id, reward.kind, reward.gold) == (1, "gold", 700)


@pytest.mark.rule("LW-19.4", "LW-9")
def test_types_of_a_custom_army_set_keep_numbers_and_abilities() -> None:
    scene = read(start_file())
    wolves, spears, hawks, hero = scene.units
    assert [kind.name for kind in scene.units] == ["Wolves", "Spears", "Hawks", "Hero"]
    assert [kind.id for kind in scene.units] == [0, 1, 2, 3]
    assert (wolves.strength, wolves.move, wolves.upkeep) == (4, 16, 0)
    assert set(wolves.traits) == {"woods", "hills", "add1strinopen", "add1stack"}
    assert spears.traits == ()
    assert set(hawks.traits) == {"swim", "marsh"}
    assert "hero" in hero.traits
    made = scene.cities[0].slots
    assert made[0] == Made(unit="test_set_spears", strength=3)
    assert made[1:] == ("test_set_wolves", "test_set_hawks")
    assert scene.sides[0].order == (1, 2, 3, 4)
    # The keeper is a wolf.
    assert scene.sites[1].guardian == wolves.id + 1


@pytest.mark.rule("LW-19.4", "LW-12.2")
def test_terrain_costs_follow_the_tile_set() -> None:
    scene = read(start_file())
    assert scene.ground_costs == (2, 3, 4, 5, 7, 9)
    plain = read(build.scenario(XML, others=build.sets() | {"land.lwt": build.tile_set(BOOK)}))
    assert plain.ground_costs == ()
    dear = build.sets() | {"land.lwt": build.tile_set((2, 2, 3, 4, 6, 1000))}
    found = IMPORTER.read(build.scenario(XML, others=dear))
    assert isinstance(found.scenario, Map)
    assert found.scenario.ground_costs == (2, 2, 3, 4, 6, MOST_COST)
    assert any("terrains cost less" in line for line in found.remarks)


@pytest.mark.rule("LW-19.4", "LW-6.2")
def test_experience_values_follow_the_army_set() -> None:
    wolves, spears, hawks, hero = read(start_file()).units
    assert (wolves.value, spears.value, hawks.value) == (UNSET, UNSET, UNSET)
    assert hero.value == "21/2"
    assert [type_value(kind) for kind in (hero, wolves)] == [Fraction(21, 2), 1]
    assert type_value(book_types()[27]) == type_value(book_types()[18]) == 10


@pytest.mark.rule("LW-10.3", "LW-11", "LW-19.3")
def test_named_heroes_are_imported_with_their_items() -> None:
    ((name, female, side, (axe,)),) = (
        (hero.name, hero.female, hero.side, hero.items) for hero in read(start_file()).heroes
    )
    assert (name, female, side) == ("Bo", False, 1)
    assert (axe.name, axe.where, axe.adds("weapon")) == ("Axe", "unused", 1)


@pytest.mark.rule("LW-10", "LW-19.3")
def test_heroes_of_dropped_players_and_unknown_items_have_remarks() -> None:
    rows = (
        build.data(name="Bo", gender="Hero::MALE", owner=0, starting_items="0 7 1"),
        build.data(name="Cy", gender="Hero::FEMALE", owner=6, starting_items="0"),
        build.data(name="Di", gender="Hero::FEMALE", owner=-1, starting_items=""),
    )
    players = build.element(
        "playerlist",
        build.data(active=0, neutral=build.NEUTRAL),
        *(build.player(number) for number in (0, 5, 6, build.NEUTRAL)),
    )
    heroes = build.element("herotemplates", *(build.element("heroproto", row) for row in rows))
    found = IMPORTER.read(start_file(playerlist=players, herotemplates=heroes))
    assert isinstance(found.scenario, Map)
    one, other = found.scenario.heroes
    assert ([item.name for item in one.items], one.side) == (["Axe", "Bell"], 0)
    assert (other.name, other.female, other.side, other.items) == ("Di", True, NOBODY, ())
    assert any("left out are not offered: 1" in line for line in found.remarks)
    assert any("starting items" in line and line.endswith(": 1") for line in found.remarks)


@pytest.mark.rule("LW-11", "LW-19.3")
def test_items_keep_their_powers_and_places() -> None:
    scene = read(start_file())
    axe, bell = scene.items
    assert (axe.where, axe.x, axe.y, axe.adds("weapon")) == ("ground", 9, 9, 1)
    assert bell.powers
    assert bell.powers.acts == ("SUMMON_MONSTER", "RAISE_DEFENDERS")
    assert (bell.powers.charges, bell.powers.type) == (3, 1)
    assert (bell.powers.place, bell.powers.amount) == ("temple", 2)


@pytest.mark.rule("LW-19.3", "LW-20.1")
def test_options_follow_the_file() -> None:
    assert read(start_file()).options == {
        "quests": "per_hero",
        "neutral_cities": "strong",
        "razing_cities": "on_capture",
        "vectoring_mode": "by_distance",
        "build_production": "seldom",
        "sacking_mode": "on_quest",
        "cusp_of_war": "off",
    } | dict.fromkeys(
        (
            *("hidden_map", "diplomacy", "intense_combat", "military_advisor"),
            *("random_turns", "view_enemies", "view_production"),
        ),
        "on",
    )


@pytest.mark.rule("LW-19.5")
def test_skipped_parts_have_a_remark_of_one_line() -> None:
    remarks = IMPORTER.read(start_file()).remarks
    for words in ("burnt cities", "armies on the map", "stones"):
        assert sum(words in line for line in remarks) == 1
    assert all("\n" not in line and len(line) < 200 for line in remarks)


@pytest.mark.rule("LW-19.5")
def test_player_without_a_city_is_dropped_with_a_remark() -> None:
    more = build.player(6)
    players = build.element(
        "playerlist",
        build.data(active=0, neutral=build.NEUTRAL),
        *(build.player(number) for number in (0, 5)),
        more,
        build.player(build.NEUTRAL),
    )
    found = IMPORTER.read(start_file(playerlist=players))
    assert isinstance(found.scenario, Map)
    assert len(found.scenario.sides) == 2
    assert any("no city are left out: 1 player" in line for line in found.remarks)


@pytest.mark.rule("LW-19.1", "LW-19.4")
def test_second_file_provides_missing_sets() -> None:
    xml = build.sections(scenario=build.element("scenario", START))
    bare = build.scenario(xml, others={})
    with pytest.raises(ScenarioFault, match="army set"):
        IMPORTER.read(bare)
    assert read(bare, build.army_set()).units == read(start_file()).units
    with pytest.raises(ScenarioFault, match="--with"):
        IMPORTER.read(build.army_set())


# -- saved games -----------------------------------------------------------------------------------


@pytest.mark.rule("LW-19.3", "LW-19.5", "LW-22")
def test_saved_game_continues_with_its_armies_and_items() -> None:
    scene = read(build.scenario(name="small.sav"))
    now = scene.now
    assert now is not None
    assert (now.turn, now.order, now.at) == (3, (0, 1), 0)
    first, second, hero = now.armies
    assert (second.hp, second.points) == (HitPoints(2 * 2880, 1440), 4)
    assert (hero.hero and hero.hero.name, hero.level, hero.strength) == ("Ada", 2, 6)
    assert (hero.defends, hero.aboard, hero.blessed) == (True, False, (0,))
    rows = {row.id: row for row in now.conditions}
    assert rows[second.id].xp == "333333/100000"
    assert (rows[first.id].parked, rows[hero.id].medals, rows[hero.id].fortified) == (True, 5, True)
    carried = {item.name: item for item in scene.items if item.where == "carried"}
    assert carried["Standard"].kind == "standard"
    assert {item.holder for item in carried.values()} == {hero.id}
    assert [city.razed for city in scene.cities] == [False, False, True]
    assert (scene.cities[1].making, scene.cities[1].vector) == (0, 0)
    assert now.treaties == ((0, 0), (0, 0))
    assert {row[:2] for row in now.discovered} == {"02"}
    (transit,) = now.transits
    assert (transit.target, transit.due, transit.army.strength, transit.army.home) == (1, 5, 9, 0)


@pytest.mark.rule("LW-19.5", "LW-22")
def test_imported_position_is_exported_unchanged() -> None:
    scene = read(build.scenario(name="small.sav"))
    game = Game.begin(RULES, scene, {}, b"1")
    state = game.state
    assert isinstance(state, State)
    out = scenarios.parse(RULES, scenarios.dump(RULES.position(state)).encode())
    again = Game.begin(RULES, out, {}, b"2").state
    left_out = {"secret": "", "next_id": 1, "origin": "", "key": 0}
    assert replace(again, **left_out) == replace(state, **left_out)


# -- games -----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-19.5")
@pytest.mark.parametrize("name", ["small.map", "small.sav"])
def test_computer_players_finish_an_imported_scenario(name: str) -> None:
    peace = START.replace("<d_diplomacy>true", "<d_diplomacy>false")
    if name.endswith(".sav"):
        peace = peace.replace("<d_turn>0", "<d_turn>3")
    land = build.plan("0" * build.WIDTH * build.HEIGHT)
    data = build.scenario(
        build.sections(
            scenario=build.element("scenario", peace), map=land, portlist="", bridgelist=""
        ),
        name=name,
    )
    scene = read(data)
    assert read(data) == scene
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    game = played(scene, 200, {"diplomacy": "off"})
    assert RULES.outcome(game.state) is not None


pytest_real = pytest.mark.skipif(
    not named(FileKind.MAP), reason="the package lordsawar-data is not installed"
)


def imported(path: Path) -> Imported:
    return IMPORTER.read(path.read_bytes())


@pytest_real
@pytest.mark.rule("LW-19.5")
@pytest.mark.parametrize("path", sorted(named(FileKind.MAP).values()), ids=lambda path: path.stem)
def test_maps_of_the_original_are_imported_and_played(path: Path) -> None:
    found = imported(path)
    assert found == imported(path)
    scene = found.scenario
    assert isinstance(scene, Map)
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    owners = [city.owner for city in scene.cities if city.owner != NOBODY]
    assert sorted(owners) == list(range(len(scene.sides)))
    assert all(side.capital is not None for side in scene.sides)
    game = played(scene, 2)
    assert game.state.turn == 3
    assert all(army.home != NONE or army.upkeep >= 0 for army in game.state.armies.values())


@pytest_real
@pytest.mark.rule("LW-19.5", "LW-9.1")
def test_default_army_set_is_that_of_the_book() -> None:
    scene = imported(named(FileKind.MAP)["dol"]).scenario
    assert isinstance(scene, Map)
    assert scene.units == ()
    assert IMPORTER.read(named(FileKind.MAP)["dol"].read_bytes()).remarks == ()


# -- hostile files ---------------------------------------------------------------------------------


XML = build.sections()


@pytest.mark.rule("LW-19.5", "LW-22")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(
    at=st.integers(0, len(XML) - 1),
    number=st.sampled_from(["0", "-1", "1", "9", "300", "99999999999999999999", "x", ""]),
    begun=st.booleans(),
)
def test_any_changed_number_is_read_or_refused(at: int, number: str, begun: bool) -> None:
    start = XML.find("<d_", at)
    first = XML.find(">", start) + 1
    last = XML.find("<", first)
    xml = XML if start < 0 else XML[:first] + number + XML[last:]
    if not begun:
        xml = xml.replace("<d_turn>3", "<d_turn>0")
    reason, found = "", None
    try:
        found = IMPORTER.read(build.scenario(xml))
    except ScenarioFault as fault:
        reason = str(fault)
    assert "\n" not in reason
    assert len(reason) < 700
    if found is not None:
        Game.begin(RULES, found.scenario, {}, b"1")
