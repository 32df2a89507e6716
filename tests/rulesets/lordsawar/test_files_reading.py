"""Files built by section 19 of the rule book: every section and field becomes a record."""

from __future__ import annotations

import io
import tarfile

import msgspec
import pytest

from engine.rulesets.lordsawar.files import records as made
from engine.rulesets.lordsawar.files.archive import FileKind, kind_of, members
from engine.rulesets.lordsawar.files.scenario import VERSIONS, read_scenario
from engine.rulesets.lordsawar.files.words import (
    PARTS,
    UNITS,
    OriginalBuilding,
    OriginalGender,
    OriginalPlayerKind,
    OriginalRuinKind,
)
from tests.rulesets.lordsawar import original_files as build


def read(
    xml: str | None = None, *, version: str = "0.3.2", name: str = "small.map"
) -> made.OriginalScenario:
    return read_scenario(build.scenario(xml, version=version, name=name)).scenario


# -- archives --------------------------------------------------------------------------------------


@pytest.mark.rule("LW-19.1")
def test_first_member_determines_the_kind_of_a_file() -> None:
    assert kind_of(build.scenario()) is FileKind.MAP
    assert kind_of(build.scenario(name="auto.SAV")) is FileKind.SAVE
    assert kind_of(build.army_set()) is FileKind.ARMY_SET
    assert kind_of(build.tar({"a.png": b""})) is None
    assert kind_of(b"PK\x03\x04" + bytes(600)) is None
    assert kind_of(b"") is None


@pytest.mark.rule("LW-19.1")
def test_saved_game_is_read_like_a_map_with_any_folders() -> None:
    saved = read(name="../../etc/evening.sav")
    assert saved.file_kind is FileKind.SAVE
    assert msgspec.structs.replace(saved, file_kind=FileKind.MAP) == read()


@pytest.mark.rule("LW-19.1")
def test_embedded_sets_take_precedence_over_sets_beside_the_file() -> None:
    inside = build.scenario()
    beside = (build.tile_set((9, 9, 9, 9, 9, 9)), build.army_set(number=77), b"no archive")
    found = read_scenario(inside, beside)
    assert found.scenario.tile_set is not None
    assert found.scenario.tile_set.costs == (2, 3, 4, 5, 7, 9)
    assert [each.id for each in found.scenario.army_sets] == [4, 77]
    assert found.remarks == (
        "not read: set 3 beside the scenario: no army set, tile set or city set",
    )


@pytest.mark.rule("LW-19.1")
def test_scenario_without_embedded_sets_uses_those_beside_it() -> None:
    bare = build.scenario(others={})
    beside = (build.city_set(), build.army_set(), build.tile_set())
    assert read_scenario(bare, beside).scenario == read()


@pytest.mark.rule("LW-19.3")
def test_missing_tile_and_city_sets_use_defaults_with_a_remark() -> None:
    found = read_scenario(build.scenario(others={"test.lwa": build.army_set()}))
    assert found.scenario.tile_set is None
    assert found.remarks == (
        "no tile set 'land': terrains cost what the rule book says",
        "no city set 'towns': cities are 2 x 2 tiles",
    )


@pytest.mark.rule("LW-19.1")
def test_sets_beyond_the_limit_are_skipped_with_a_remark() -> None:
    beside = [build.tile_set()] * 65
    found = read_scenario(build.scenario(), beside)
    assert found.remarks == ("not read: sets beside the scenario after the first 64",)


@pytest.mark.rule("LW-19.3")
def test_tile_set_is_the_only_one_or_the_named_one() -> None:
    army = {"test.lwa": build.army_set()}
    other = build.tile_set((9, 9, 9, 9, 9, 9), name="moon.lwt")
    alone = read_scenario(build.scenario(others={**army, "moon.lwt": other})).scenario
    assert alone.tile_set is not None
    assert alone.tile_set.file == "moon"
    both = {**army, "moon.lwt": other, "land.lwt": build.tile_set()}
    named = read_scenario(build.scenario(others=both)).scenario
    assert named.tile_set is not None
    assert named.tile_set.file == "land"


@pytest.mark.rule("LW-19.1")
@pytest.mark.parametrize("style", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_folders_links_and_long_names_are_skipped(style: int) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=style) as archive:
        for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            header = tarfile.TarInfo("trap.map")
            header.type, header.linkname = kind, "/etc/passwd"
            archive.addfile(header)
        header = tarfile.TarInfo("folder/" * 12 + "n" * 90 + ".png")
        header.size = 3
        archive.addfile(header, io.BytesIO(b"PNG"))
        header = tarfile.TarInfo("small.map")
        header.size = 5
        archive.addfile(header, io.BytesIO(b"hello"))
    found = members(made.getvalue(), "x.map")
    assert [bytes(each.data) for each in found] == [b"PNG", b"hello"]
    assert found[1].kind is FileKind.MAP
    assert found[1].base == "small"


# -- sections of a scenario ------------------------------------------------------------------------


@pytest.mark.rule("LW-19.3")
@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_is_read(version: str) -> None:
    found = read(version=version)
    assert found.version == version
    assert msgspec.structs.replace(found, version="0.3.2") == read()


@pytest.mark.rule("LW-19.3")
def test_the_map_has_rows_of_terrain_and_of_buildings() -> None:
    found = read()
    assert (found.width, found.height) == (12, 10)
    assert found.terrain == ("012345012345", *["0" * 12] * 9)
    assert found.buildings == (
        ".p.....b....",
        "cc....s..t..",
        "cc..........",
        "......=o....",
        "............",
        ".....cc.....",
        ".....cc.....",
        "........cc..",
        "..rr....cc..",
        "............",
    )
    assert (found.tileset, found.cityset, found.shieldset) == ("land", "towns", "default")


@pytest.mark.rule("LW-19.3")
def test_last_building_of_a_tile_counts_but_a_stone_keeps_its_road() -> None:
    stones = build.element("stonelist", build.site("stone", 1, 6, 3))
    roads = build.element("roadlist", build.site("road", 2, 6, 3))
    cover = build.sections(stonelist="", roadlist=stones + roads)
    assert read(cover).buildings[3] == "......=....."
    port = build.element("portlist", build.site("port", 3, 6, 3))
    assert read(build.sections(portlist=port)).buildings[3] == "......po...."


@pytest.mark.rule("LW-19.3")
def test_item_kinds_have_every_field() -> None:
    axe, bell = read().items
    assert axe.bonus == ("ADD1STR",)
    assert axe.uses_left is None
    assert axe.summon_on is OriginalBuilding.NONE
    assert bell == made.OriginalItemKind(
        name="Bell",
        bonus=("SUMMON_MONSTER", "RAISE_DEFENDERS"),
        uses_left=3,
        steal_gold_percent=50,
        moves_to_add=2,
        type_to_kill=3,
        type_to_summon=7,
        type_to_raise=11,
        summon_on=OriginalBuilding.TEMPLE,
        percent_to_kill=25,
        number_to_raise=4,
    )


@pytest.mark.rule("LW-19.3", "LW-19.2")
def test_players_have_every_field() -> None:
    found = read()
    first, second, neutral = found.players
    assert (found.active, found.neutral, found.next_id, found.turn) == (0, 8, 900, 3)
    assert (first.id, first.name, first.gold, first.army_set) == (0, "Player 0", 100, 4)
    assert (first.dead, first.immortal, first.kind) == (False, False, OriginalPlayerKind.HUMAN)
    assert second.kind is OriginalPlayerKind.AI_SMART
    assert first.fight_order == (3, 7, 11, 20)
    assert first.diplomatic_states == (1,) * 8
    assert first.diplomatic_proposals == (0,) * 8
    assert first.diplomatic_scores == (8,) * 8
    assert (first.colour, second.colour, neutral.colour) == ("#fc9f00", "#50ac1c", "#ff0080")
    assert first.unseen == ("1" * 12,) * 10
    assert second.unseen == ("0" * 12,) * 10
    assert neutral.unseen == ()


@pytest.mark.rule("LW-19.3")
@pytest.mark.parametrize(
    ("number", "kind"),
    [(0, "HUMAN"), (1, "AI_FAST"), (2, "AI_DUMMY"), (4, "AI_SMART"), (8, "NETWORKED")],
)
def test_player_kinds_have_numbers(number: int, kind: str) -> None:
    players = "".join(build.player(each, type=number) for each in (0, 5, 8))
    listing = build.element("playerlist", build.data(neutral=8), players)
    assert {each.kind for each in read(build.sections(playerlist=listing)).players} == {kind}


@pytest.mark.rule("LW-19.3")
def test_missing_fields_of_armies_default_to_their_type() -> None:
    first, second = read().players[0].stacks
    assert (first.id, first.x, first.y, first.owner) == (50, 3, 3, 0)
    assert (first.parked, first.defending) == (True, False)
    assert (second.parked, second.defending) == (False, True)
    spears, wolves = first.armies
    assert (spears.hp, spears.moves, spears.strength, spears.sight) == (2 * UNITS, 12, 2, 1)
    assert (wolves.hp, wolves.moves, wolves.xp) == (4320, 4, 3_333_330)
    assert wolves.move_bonus == ("FOREST", "HILLS")
    assert wolves.medals == (False, False, False)
    assert wolves.hero is None


@pytest.mark.rule("LW-19.3")
def test_a_hero_has_every_field_and_a_backpack() -> None:
    axe = made.OriginalItemKind(
        "Axe", ("ADD1STR",), None, None, None, None, None, None, OriginalBuilding.NONE, None, None
    )
    assert read().players[0].stacks[1].armies[0] == made.OriginalArmy(
        id=62,
        unit_type=20,
        army_set=4,
        hp=2 * UNITS,
        ship=True,
        moves=18,
        xp=0,
        level=2,
        medals=(True, False, True),
        battles=4,
        visited_temples=(30, 31),
        strength=6,
        max_moves=18,
        sight=2,
        upkeep=0,
        move_bonus=("HILLS",),
        army_bonus=("ADD1STRINCITY", "FORTIFY"),
        value=12 * PARTS,
        moves_multiplier=2,
        hero=made.OriginalHero(
            "Ada",
            OriginalGender.FEMALE,
            (
                made.OriginalItem(70, 0, axe, False, None, False),
                made.OriginalItem(
                    71, None, msgspec.structs.replace(axe, name="Standard"), True, 0, False
                ),
            ),
        ),
    )


@pytest.mark.rule("LW-19.3")
def test_cities_have_every_field() -> None:
    first, second, third = read().cities
    assert (first.id, first.x, first.y, first.name, first.owner) == (10, 0, 1, "City 10", 0)
    assert (first.income, first.capital, first.capital_owner) == (20, True, 0)
    assert (first.vectoring, first.active_slot, first.turns_left) == (None, None, 2)
    assert (second.vectoring, second.active_slot, second.turns_left) == ((0, 1), 0, None)
    assert (third.burnt, third.build_production) == (True, False)
    assert (third.owner, third.capital, third.capital_owner) == (8, False, None)
    kinds = [slot and (slot.name, slot.unit_type, slot.strength) for slot in first.slots]
    assert kinds == [("Spears", 7, 3), ("Wolves", 3, 4), None, ("Hawks", 11, 3)]


@pytest.mark.rule("LW-19.3")
def test_every_field_of_a_slot_is_read() -> None:
    elite = build.values(name="Elite", strength=5, max_moves=6, sight=2, upkeep=3, production=4)
    elite |= build.values(
        production_cost=11, new_production_cost=12, move_bonus=16, army_bonus=8192
    )
    row = build.city(10, 0, 1, 0, build.slot(7, expvalue=2, **elite))
    listing = build.element("citylist", row, build.city(11, 8, 7, 5))
    assert read(build.sections(citylist=listing)).cities[0].slots == (
        made.OriginalSlot(
            "Elite", 7, 4, 5, 6, 2, 3, 4, 11, 12, ("SWAMP",), ("FORTIFY",), 2 * PARTS
        ),
        None,
        None,
        None,
    )


@pytest.mark.rule("LW-19.3")
def test_temples_ruins_and_keepers_have_every_field() -> None:
    found = read()
    assert found.temples == (made.OriginalTemple(30, 9, 1, "Light", "Blesses.", 1),)
    crypt, sage = found.ruins
    assert (crypt.id, crypt.x, crypt.y, crypt.name, crypt.description) == (
        40,
        2,
        8,
        "Crypt",
        "Dark.",
    )
    assert (crypt.kind, crypt.searched, crypt.sage) == (OriginalRuinKind.STRONGHOLD, False, False)
    assert (crypt.hidden, crypt.owner) == (True, None)
    assert crypt.reward == made.OriginalGold("Reward", 700)
    assert crypt.keeper is not None
    assert crypt.keeper.name == "some Wolves"
    assert crypt.keeper.stack is not None
    assert [army.unit_type for army in crypt.keeper.stack.armies] == [3]
    assert (sage.kind, sage.sage, sage.owner) == (OriginalRuinKind.SAGE, True, 5)
    assert (sage.reward, sage.keeper) == (None, None)


@pytest.mark.rule("LW-19.3")
def test_keeper_may_be_a_bare_stack_and_may_hold_the_reward() -> None:
    old = build.site("ruin", 1, 2, 8, build.stack(2, -1, -1, -1, build.army(3)))
    held = build.element("keeper", build.data(name="K"), build.reward("Reward::GOLD", gold=9))
    listing = build.element("ruinlist", old, build.site("ruin", 4, 3, 8, held))
    first, second = read(build.sections(ruinlist=listing), version="0.2.1").ruins
    assert first.keeper is not None
    assert first.keeper.stack is not None
    assert (first.keeper.name, first.keeper.stack.owner) == ("", None)
    assert second.keeper == made.OriginalKeeper("K", None)
    assert second.reward == made.OriginalGold("Reward", 9)


@pytest.mark.rule("LW-19.3")
def test_all_kinds_of_rewards_are_read_and_maps_are_clipped() -> None:
    allies, item, ruin, part, gold = read().rewards
    assert allies == made.OriginalAllies("Reward", 2, 11, 4)
    assert isinstance(item, made.OriginalItemReward)
    assert (item.item.id, item.item.kind_number) == (80, 1)
    assert ruin == made.OriginalRuinReward("Reward", 2, 8)
    assert part == made.OriginalMapReward("Reward", 6, 2, 4, 8)
    assert gold == made.OriginalGold("Reward", 5)


@pytest.mark.rule("LW-19.3")
def test_other_objects_on_the_map_are_read() -> None:
    found = read()
    assert found.signposts == (made.OriginalSignpost(6, 1, "Turn back!"),)
    assert found.roads == (made.OriginalPiece(6, 3, "CONNECTS_EAST_AND_WEST"),)
    assert found.stones == (made.OriginalPiece(6, 3, "2"), made.OriginalPiece(7, 3, "0"))
    assert found.bridges == (made.OriginalPiece(7, 0, "CONNECTS_TO_EAST"),)
    assert found.ports == (made.OriginalPiece(1, 0, ""),)
    assert [(bag.x, bag.y, bag.items[0].id) for bag in found.bags] == [(9, 9, 75)]
    assert found.hero_templates == (made.OriginalHeroTemplate("Bo", OriginalGender.MALE, 5, (0,)),)


@pytest.mark.rule("LW-19.3", "LW-13.4")
def test_armies_in_transit_are_read() -> None:
    (found,) = read().vectored
    assert (found.x, found.y, found.to_x, found.to_y) == (0, 1, 8, 7)
    assert (found.owner, found.rounds) == (0, 2)
    assert (found.unit.name, found.unit.strength, found.unit.max_moves) == ("Wolves", 9, 16)


@pytest.mark.rule("LW-19.3", "LW-20.1")
def test_options_and_texts_of_a_scenario_are_read() -> None:
    found = read()
    texts = (found.id, found.name, found.comment, found.copyright, found.license)
    assert texts == ("abc-1", "Small War", "A test.", "Nobody", "None")
    assert found.options == made.OriginalOptions(
        quests="ONE_QUEST_PER_HERO",
        hidden_map=True,
        diplomacy=True,
        cusp_of_war=False,
        neutral_cities="STRONG",
        razing_cities="ON_CAPTURE",
        vectoring_mode="VECTORING_VARIABLE_TURNS",
        build_production_mode="BUILD_PRODUCTION_SELDOM",
        sacking_mode="SACKING_ON_QUEST",
        intense_combat=True,
        military_advisor=True,
        random_turns=True,
        view_enemies=True,
        view_production=True,
        playmode="HOTSEAT",
    )


@pytest.mark.rule("LW-20.1", "LW-19.3")
def test_missing_options_have_default_values() -> None:
    found = read(build.sections(scenario=build.element("scenario"))).options
    assert (found.quests, found.neutral_cities) == ("ONE_QUEST_PER_PLAYER", "AVERAGE")
    assert (found.razing_cities, found.sacking_mode) == ("ALWAYS", "SACKING_ALWAYS")
    assert not found.hidden_map


@pytest.mark.rule("LW-19.3")
def test_peculiarities_are_kept_with_a_remark() -> None:
    plain = build.element("citylist", build.city(10, 0, 1, 0))
    quests = build.element("questlist", build.element("quest", build.data(hero=62)))
    found = read_scenario(build.scenario(build.sections(citylist=plain, questlist=quests)))
    assert found.remarks == (
        "player 5 ('Player 5') has no capital",
        "questlist: 1 quests are not read",
    )
    assert len(found.scenario.players) == 3


@pytest.mark.rule("LW-19.2")
def test_unknown_elements_and_the_order_of_data_do_not_matter() -> None:
    shuffled = build.element(
        "templelist",
        "<d_new>7</d_new><banner><d_id>3</d_id></banner>",
        "<temple><d_y>1</d_y><d_type>1</d_type><d_description>Blesses.</d_description>"
        "<d_odd/><d_name>Light</d_name><d_x> 9 </d_x><d_id>30</d_id></temple>",
    )
    assert read(build.sections(templelist=shuffled)) == read()


@pytest.mark.rule("LW-22")
def test_importing_twice_gives_equal_records() -> None:
    data = build.scenario()
    assert read_scenario(data) == read_scenario(data)
    assert read_scenario(memoryview(data)) == read_scenario(data)


@pytest.mark.rule("LW-22")
def test_written_records_read_back_the_same() -> None:
    found = read_scenario(build.scenario())
    assert msgspec.json.decode(msgspec.json.encode(found), type=made.OriginalFile) == found
