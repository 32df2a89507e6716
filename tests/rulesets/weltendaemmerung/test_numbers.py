"""Decimal bytes, paying, hits, reach and the tables of the rule book."""

from __future__ import annotations

from math import floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung.fighting import is_in_reach, life_left
from engine.rulesets.weltendaemmerung.imports.codes import decimal
from engine.rulesets.weltendaemmerung.lookup import COMMANDER, side_of
from engine.rulesets.weltendaemmerung.moving import pay
from engine.rulesets.weltendaemmerung.state import Options, Terrain
from engine.rulesets.weltendaemmerung.tables import terrain_table, type_numbers, units_table
from tests.rulesets.weltendaemmerung.original_files import to_bcd

SPAN = st.integers(-79, 79)

WRAP = 0x20
"""Minimum byte that the original takes for a wrapped difference: 20 points."""


def from_bcd(byte: int) -> int:
    return decimal(byte, "here")


def bcd_sub(a: int, b: int) -> int:
    """Return the difference of two decimal bytes modulo 100, as on the original's processor."""
    return to_bcd((from_bcd(a) - from_bcd(b)) % 100)


def pay_bcd(b: int, price: int, *, from_table: bool) -> int:
    """Return the points left after a step, computed with the original's bytes.

    ``from_table``: the price is that of river, forest or swamp, where 20 and more read as 0.
    """
    left = bcd_sub(to_bcd(b), to_bcd(price))
    return 0 if from_table and left >= WRAP else from_bcd(left)


def life_left_bcd(v: int, damage: int) -> int:
    """Return the life left after a hit, computed with the original's bytes; 0 from $5A up."""
    left = bcd_sub(to_bcd(v), to_bcd(damage))
    return 0 if left >= 0x5A else from_bcd(left)


@pytest.mark.rule("WD-NUM-1")
def test_decimal_bytes_convert_back_to_the_same_number() -> None:
    assert [from_bcd(to_bcd(number)) for number in range(100)] == list(range(100))
    assert len({to_bcd(number) for number in range(100)}) == 100


@pytest.mark.rule("WD-NUM-1")
@pytest.mark.parametrize(("number", "byte"), [(0, 0x00), (9, 0x09), (10, 0x10), (99, 0x99)])
def test_a_decimal_byte_holds_a_digit_in_each_half(number: int, byte: int) -> None:
    assert to_bcd(number) == byte


@pytest.mark.rule("WD-NUM-1")
def test_byte_with_a_digit_above_nine_is_refused() -> None:
    wrong = [byte for byte in range(256) if byte // 16 > 9 or byte % 16 > 9]
    assert len(wrong) == 156
    for byte in wrong:
        with pytest.raises(ScenarioFault, match="no decimal byte"):
            from_bcd(byte)


@pytest.mark.rule("WD-NUM-2")
def test_decimal_bytes_wrap() -> None:
    assert bcd_sub(0x05, 0x34) == 0x71
    assert bcd_sub(0x34, 0x05) == 0x29


@pytest.mark.rule("WD-NUM-3")
def test_paying_agrees_with_the_bytes_for_all_allowed_points() -> None:
    for points in range(1, 21):
        for price in range(1, 10):
            assert pay(points, price) == pay_bcd(points, price, from_table=True)
        assert pay(points, 1) == pay_bcd(points, 1, from_table=False)


@pytest.mark.rule("WD-NUM-3")
def test_bytes_lose_points_above_twenty() -> None:
    assert (pay_bcd(25, 2, from_table=True), pay(25, 2)) == (0, 23)


@pytest.mark.rule("WD-NUM-4")
def test_hits_agree_with_the_bytes_for_all_values_of_the_game() -> None:
    for life in range(1, 31):
        for damage in range(1, 35):
            assert life_left(life, damage) == life_left_bcd(life, damage)


@pytest.mark.rule("WD-NUM-4")
def test_hits_agree_with_the_bytes_up_to_the_documented_limits() -> None:
    for life in range(1, 60):
        for damage in range(41):
            if life - damage < 60 and damage - life <= 40:
                assert life_left(life, damage) == life_left_bcd(life, damage)


@pytest.mark.rule("WD-NUM-3", "WD-NUM-4")
def test_unit_values_are_within_the_limits() -> None:
    assert all(1 <= row.b <= 19 for row in units_table())
    assert all(1 <= row.v <= 59 for row in units_table())
    assert all(0 <= row.a <= 36 for row in units_table())


@pytest.mark.rule("WD-NUM-5")
def test_range_of_the_catapult_is_read_as_a_decimal_byte() -> None:
    ranges = {row.r for row in units_table()}
    assert from_bcd(0x12) == units_table()[type_numbers()["catapult"]].r == 12
    assert ranges - {12} <= set(range(1, 10))


@pytest.mark.rule("WD-ATT-2")
def test_reach_uses_the_rounded_down_distance_for_every_offset() -> None:
    offsets = [(dx, dy) for dx in range(-79, 80) for dy in range(-39, 40)]
    assert len(offsets) == 12561
    for reach in (1, 2, 3, 5, 7, 8, 12):
        for dx, dy in offsets:
            square = dx * dx + dy * dy
            in_reach = is_in_reach(Options(), reach, dx, dy)
            assert in_reach == (square < (reach + 1) ** 2) == (floor(sqrt(square)) <= reach)


@pytest.mark.rule("WD-ATT-2")
def test_reach_of_the_worked_examples() -> None:
    floor_, exact = Options(), Options(reach="exact")
    assert is_in_reach(floor_, 1, 1, 1)
    assert is_in_reach(floor_, 2, 2, 2)
    assert is_in_reach(floor_, 8, 8, 4)
    assert not is_in_reach(floor_, 8, 9, 0)
    assert not is_in_reach(exact, 1, 1, 1)
    assert is_in_reach(exact, 5, 3, 4)
    assert not is_in_reach(exact, 8, 8, 1)


@pytest.mark.rule("WD-ATT-2")
def test_range_one_is_the_eight_tiles_around() -> None:
    tiles = [
        (dx, dy)
        for dx in range(-5, 6)
        for dy in range(-5, 6)
        if (dx, dy) != (0, 0) and is_in_reach(Options(), 1, dx, dy)
    ]
    assert len(tiles) == 8
    assert all(max(abs(dx), abs(dy)) == 1 for dx, dy in tiles)


@pytest.mark.rule("WD-ATT-2")
@given(dx=SPAN, dy=SPAN, reach=st.integers(1, 12), exact=st.booleans())
def test_reach_is_symmetric_and_grows_with_the_range(
    dx: int, dy: int, reach: int, exact: bool
) -> None:
    options = Options(reach="exact" if exact else "floor")
    here = is_in_reach(options, reach, dx, dy)
    assert here == is_in_reach(options, reach, dy, dx) == is_in_reach(options, reach, -dx, dy)
    assert not here or is_in_reach(options, reach + 1, dx, dy)


@pytest.mark.rule("WD-UNIT-1")
def test_unit_table_has_the_totals_of_the_original() -> None:
    placed = [27, 34, 16, 31, 6, 18, 1, 35, 4, 20, 66, 1, 2, 4, 8, 19]
    rows = list(zip(units_table(), placed, strict=True))
    for side, numbers in ((0, (133, 1754, 779)), (1, (159, 2262, 905))):
        own = [(row, count) for row, count in rows if row.side == side]
        assert sum(count for _, count in own) == numbers[0]
        assert sum(row.v * count for row, count in own) == numbers[1]
        assert sum(row.a * count for row, count in own) == numbers[2]


@pytest.mark.rule("WD-UNIT-1", "WD-UNIT-2")
def test_number_of_a_type_determines_its_side() -> None:
    assert [side_of(number) for number in range(16)] == [row.side for row in units_table()]
    assert [row.side for row in units_table()] == [0] * 7 + [1] * 9
    assert units_table()[COMMANDER].key == "lord_e"


@pytest.mark.rule("WD-UNIT-3")
def test_types_that_move_directly_have_no_special_column() -> None:
    """Commander, cavalry and wagon differ from others only in columns that all types have."""
    columns = set(units_table()[0].__struct_fields__)
    assert columns == {
        *("key", "german", "english", "side", "kind", "a", "v", "r", "b"),
        *("river", "forest", "swamp", "breaks", "source"),
    }


@pytest.mark.rule("WD-TERR-1")
def test_terrain_table_is_in_the_order_of_terrain_numbers() -> None:
    assert [row.key for row in terrain_table()] == [one.name.lower() for one in Terrain]
    assert [row.code for row in terrain_table()] == [*range(0x69, 0x74), *range(0x61, 0x69)]
    assert len({row.sign for row in terrain_table()}) == len(Terrain)


def test_every_row_of_the_tables_names_its_source() -> None:
    sources = [row.source for row in units_table()] + [row.source for row in terrain_table()]
    assert all(source.startswith("section") for source in sources)
