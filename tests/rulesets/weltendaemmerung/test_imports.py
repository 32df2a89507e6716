"""Reading files of the original program, built by the byte layout of the rule book."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.imports.codes import meadow_pictures, unpack
from engine.rulesets.weltendaemmerung.imports.program import ProgramImporter, RomImporter, placement
from engine.rulesets.weltendaemmerung.imports.saved import SavedImporter
from engine.rulesets.weltendaemmerung.state import Map
from tests.rulesets.weltendaemmerung import original_files as files

CODES = [*range(0x61, 0x74)]


def imported(data: bytes) -> Map:
    scenario = ProgramImporter().read(data).scenario
    assert isinstance(scenario, Map)
    return scenario


def imported_save(data: bytes) -> Map:
    scenario = SavedImporter().read(data, bytes(files.program())).scenario
    assert isinstance(scenario, Map)
    return scenario


@pytest.mark.rule("WD-IMP-1", "WD-IMP-4")
def test_program_becomes_a_scenario_at_its_start() -> None:
    scenario = imported(bytes(files.program()))
    assert (scenario.frontier, scenario.rounds, scenario.cursor) == (59, 15, (19, 12))
    assert scenario.now is None
    assert [(site.x, site.y) for site in scenario.sites] == list(files.SITES)
    assert not any(site.ruined for site in scenario.sites)


@pytest.mark.rule("WD-IMP-3")
def test_units_keep_the_order_of_the_placement() -> None:
    scenario = imported(bytes(files.program()))
    assert [(unit.x, unit.y) for unit in scenario.units] == [
        (x, y) for _, x, y in files.made_up_units()
    ]
    assert len(scenario.units) == 292
    assert scenario.units[0].type == "sword"
    assert scenario.units[-1].type == "wolf"


@pytest.mark.rule("WD-IMP-3")
def test_markers_may_repeat_and_use_their_low_five_bits() -> None:
    assert placement(bytes([0x80, 1, 2, 0xC0, 3, 4, 0x8F, 5, 6, 0xFF])) == (
        (0, 1, 2),
        (0, 3, 4),
        (15, 5, 6),
    )


@pytest.mark.rule("WD-IMP-1")
def test_an_unknown_copy_is_read_with_a_remark() -> None:
    remarks = ProgramImporter().read(bytes(files.program())).remarks
    assert len(remarks) == 1
    assert "SHA-256" in remarks[0]


@pytest.mark.rule("WD-IMP-2")
@given(st.lists(st.tuples(st.sampled_from(CODES), st.integers(1, 40)), min_size=1, max_size=60))
def test_packed_map_unpacks_the_same_with_a_single_meadow_code(runs: list[tuple[int, int]]) -> None:
    codes = b"".join(bytes([code]) * count for code, count in runs)
    codes = (codes * (3200 // len(codes) + 1))[:3200]
    packed = files.pack(codes)
    assert unpack(packed) == codes.replace(b"\x69", b"\x6a")
    assert 0xFF not in packed[:-1]


@pytest.mark.rule("WD-IMP-2")
@pytest.mark.parametrize(
    ("packed", "fault"),
    [
        (b"\x02\xff", "$02"),
        (b"\x03\xff", "$03"),
        (b"\x0a\xff", "$0A"),
        (b"\x10\xff", "1 tiles"),
        (b"\x10\x10", "no end mark"),
    ],
)
def test_a_broken_map_is_refused(packed: bytes, fault: str) -> None:
    with pytest.raises(ScenarioFault, match=fault.replace("$", r"\$")):
        unpack(packed)


@pytest.mark.rule("WD-IMP-2")
def test_meadow_pictures_come_from_the_program_text() -> None:
    text = bytes([1, 0, 1]) + bytes(252)
    codes = bytes([0x6A, 0x6B, 0x69, 0x6A]) + b"\x69" * 253
    drawn = meadow_pictures(codes, text)
    assert drawn[:4] == bytes([0x6A, 0x6B, 0x69, 0x6A])
    assert drawn[4 + 252] == 0x69
    assert drawn[4 + 253 - 1] == 0x69


@pytest.mark.rule("WD-IMP-2")
def test_program_text_is_read_cyclically_from_a_zero() -> None:
    text = bytes([1]) * 300
    drawn = meadow_pictures(b"\x69" * 300, text)
    assert [place for place, code in enumerate(drawn) if code == 0x69] == [255]


def _byte(address: int, value: int) -> Callable[[bytearray], None]:
    return lambda data: files.put(data, address, bytes([value]))


@pytest.mark.rule("WD-IMP-5")
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_byte(0x1017, 0x15), "V of sword is 15, not 16"),
        (_byte(0x1017, 0x1A), r"\$1A, no decimal byte"),
        (_byte(0x1047 + 15, 0x09), "A of wolf is 9, not 8"),
        (_byte(0x0BC3 + 14, 4), "river price of wagon is 4, not 5"),
        (_byte(0x080E, 7), "7 Dailor units are counted, not 159"),
        (_byte(0x1579, 1), "the modifiers are"),
        (_byte(0x0F5D, 20), "gate"),
        (_byte(0x1058, 11), "tile|units"),
    ],
)
def test_difference_from_the_rule_book_is_named(
    change: Callable[[bytearray], None], fault: str
) -> None:
    data = files.program()
    change(data)
    if fault == "tile|units":
        files.put(data, 0x1059, bytes([1]))
    with pytest.raises(ScenarioFault, match=fault):
        imported(bytes(data))


@pytest.mark.rule("WD-IMP-5")
def test_a_wrong_number_of_units_is_named() -> None:
    units = files.made_up_units()
    with pytest.raises(ScenarioFault, match="18 units of type wolf, not 19"):
        imported(bytes(files.program(units=units[:-1])))


@pytest.mark.rule("WD-IMP-5")
def test_a_missing_end_tile_is_named() -> None:
    codes = files.made_up_map()
    codes[0] = files.MEADOW
    with pytest.raises(ScenarioFault, match="3 End tiles, not 4"):
        imported(bytes(files.program(codes)))


@pytest.mark.rule("WD-IMP-1")
@pytest.mark.parametrize("size", [2, 7128, 7130])
def test_a_program_of_another_size_is_refused(size: int) -> None:
    data = (bytes(files.program()) + b"\x00")[:size]
    with pytest.raises(ScenarioFault, match=f"{size} bytes"):
        ProgramImporter().read(data)


@pytest.mark.rule("WD-SAVE-1", "WD-SAVE-2")
def test_saved_game_becomes_a_position_in_eldoins_movement_phase() -> None:
    scenario = imported_save(bytes(files.saved(dead=(0, 291), rounds=12, ruined=(2,))))
    assert scenario.now is not None
    assert (scenario.now.completed, scenario.now.phase, scenario.now.player) == (12, 0, 0)
    assert [unit.alive for unit in scenario.units].count(False) == 2
    assert [site.ruined for site in scenario.sites].index(True) == 2
    game = RULES.begin(scenario, {}, None)  # type: ignore[arg-type]  # no chance is drawn
    state = RULES.empty()
    for event in game:
        state = RULES.evolve(state, event)
    assert sum(unit.alive for unit in state.units.values()) == 290
    assert state.completed == 12


@pytest.mark.rule("WD-SAVE-3")
def test_terrain_under_units_is_restored() -> None:
    scenario = imported_save(bytes(files.saved()))
    program = imported(bytes(files.program()))
    plain = [row.replace(",", ".") for row in program.rows]
    assert [row.replace(",", ".") for row in scenario.rows] == plain


def _at(place: int, value: int) -> Callable[[bytearray], None]:
    def change(data: bytearray) -> None:
        data[place] = value

    return change


@pytest.mark.rule("WD-SAVE-2", "WD-SAVE-3", "WD-SAVE-4")
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_at(2, 7), "counts 7 living Dailor"),
        (_at(17, 0x15), "15 rounds"),
        (_at(17, 0x1F), "no decimal byte"),
        (_at(4, 7), "no flag"),
        (_at(4018, 11), r"units\[0\]"),
        (_at(4018, 90), r"\(90, 1\) is off the map"),
        (_at(4018 + 3, 0x05), "5 points left of 10"),
        (_at(4018 + 2, 0x0B), r"units\[0\]"),
        (_at(18 + 79, 0x74), "the map shows 293 units"),
        (_at(4018 + 6 * 291 + 1, 0xFF), "the map shows 292 units, the list has 291"),
    ],
)
def test_broken_saved_game_is_refused_by_name(
    change: Callable[[bytearray], None], fault: str
) -> None:
    data = files.saved()
    change(data)
    with pytest.raises(ScenarioFault, match=fault):
        imported_save(bytes(data))


@pytest.mark.rule("WD-SAVE-1")
def test_a_saved_game_needs_the_program_for_its_gate_sites() -> None:
    with pytest.raises(ScenarioFault, match="give the program file too"):
        SavedImporter().read(bytes(files.saved()))


@pytest.mark.rule("WD-RNG-2", "WD-RNG-3")
def test_rom_with_the_known_weights_gives_the_cycle() -> None:
    rom = files.rom()
    assert RomImporter().sniff(rom)
    scenario = RomImporter().read(rom).scenario
    assert isinstance(scenario, Map)
    assert scenario.cycle == files.CIRCLE
    assert scenario.options.chance == "c64_cycle"


@pytest.mark.rule("WD-RNG-3", "WD-IMP-4")
def test_program_and_rom_combine_in_either_order() -> None:
    program, rom = bytes(files.program()), files.rom()
    found = ProgramImporter().read(program, rom)
    assert found == RomImporter().read(rom, program)
    scenario = found.scenario
    assert isinstance(scenario, Map)
    alone = imported(program)
    assert (scenario.rows, scenario.units) == (alone.rows, alone.units)
    assert (scenario.cycle, scenario.options.chance) == (files.CIRCLE, "c64_cycle")
    assert scenario.name == "original-cycle"
    assert "SHA-256" in found.remarks[0]


@pytest.mark.rule("WD-RNG-2", "WD-IMP-1")
def test_a_second_file_of_another_kind_is_refused() -> None:
    with pytest.raises(ScenarioFault, match="the second file is not the ROM"):
        ProgramImporter().read(bytes(files.program()), bytes(8192))
    with pytest.raises(ScenarioFault, match="the second file is not the original program"):
        RomImporter().read(files.rom(), bytes(files.saved()))


@pytest.mark.rule("WD-RNG-2")
def test_another_rom_is_refused() -> None:
    with pytest.raises(ScenarioFault, match="not the ROM"):
        RomImporter().read(bytes(8192))


@given(st.binary(max_size=400))
def test_importers_refuse_random_bytes(noise: bytes) -> None:
    for importer in RULES.importers:
        for start in (b"", b"\x01\x08", b"\xf0\x4f"):
            data = start + noise
            if importer.sniff(data):
                with pytest.raises(ScenarioFault):
                    importer.read(data, noise)
