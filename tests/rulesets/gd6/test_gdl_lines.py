"""The order language line by line: the meaning of each line, and each error by line number."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets.gd6.commands import (
    CONSTRUCTS,
    ITEMS,
    UNITS,
    AnyOrder,
    Build,
    Buy,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    UseCrop,
    UseDynamite,
    UseToxic,
)
from engine.rulesets.gd6.gdl.documents import read, read_list, write, write_list
from engine.rulesets.gd6.gdl.lines import FaultCode, WrongText

SETUP = """InitStart
SetNumTerritories 9
SetBoundaries 1,2;2,3
AddPlayer Red #f00
AddPlayer Blue #00f
InitEnd
Set Red
"""
BEFORE = SETUP.count("\n")

ORDERS: list[tuple[str, AnyOrder]] = [
    ("Con 4 Hq", PlaceHq(4)),
    ("Con 4 Tow", Build(4, "watchtower")),
    ("Con 4 Biv", Build(4, "bivouac")),
    ("Con 4 Lib", Build(4, "library")),
    ("Con 4 3A", Spawn(4, 3)),
    ("Con 4 3C", Promote(4, "cavalry", 3)),
    ("Con 4 3H", Promote(4, "heavy", 3)),
    ("Con 4 3S", Promote(4, "spy", 3)),
    ("Con 4 3M", LayMines(4, 3)),
    ("Con 4 0A", Spawn(4, 0)),
    ("Buy Crp", Buy("crop")),
    ("Buy Dyn", Buy("dynamite")),
    ("Buy Tox", Buy("toxic")),
    ("Use 1→2 Dyn", UseDynamite(1, 2)),
    ("Use 1:2 Crp", UseCrop(((1, 2),))),
    ("Use 3:2,1:4 Crp", UseCrop(((3, 2), (1, 4)))),
    ("Use 1→2 Tox", UseToxic(1, 2)),
    ("Use 1 Tox", UseToxic(1, 1)),
    ("Mov 1→2 3A", Move((1, 2), 3)),
    ("Mov 1→2→1 3A", Move((1, 2, 1), 3)),
    ("Mov 1→2→3→4→5 3C", Move((1, 2, 3, 4, 5), 3, "cavalry")),
    ("Mov 1→2 1H", Move((1, 2), 1, "heavy")),
    ("Mov 1→2 1S", Move((1, 2), 1, "spy")),
    ("Mov 1 2A", Move((1,), 2)),
    ("Mov 1→9→5→2→3→4 12A", Move((1, 9, 5, 2, 3, 4), 12)),
]


def first_fault(text: str) -> tuple[FaultCode, int]:
    """Return code and line of the first error in a text."""
    with pytest.raises(WrongText) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    assert caught.value.faults[0].text
    return caught.value.faults[0].code, caught.value.faults[0].line


@pytest.mark.rule("GD-GDL-3", "GD-GDL-5")
@pytest.mark.parametrize(("line", "order"), ORDERS)
def test_order_line_is_read_and_written_again(line: str, order: AnyOrder) -> None:
    (block,) = read(SETUP + line).blocks
    ((seat, (written,)),) = block.lists
    assert (seat, written.order, written.line) == (0, order, BEFORE + 1)
    assert read_list(line, 9) == (order,)
    assert write_list([order]) == line + "\n"


@pytest.mark.rule("GD-GDL-3")
@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Mov 1->2→3 2A", Move((1, 2, 3), 2)),
        ("Use 1->2 Dyn", UseDynamite(1, 2)),
        ("Use 1->2 Tox", UseToxic(1, 2)),
        ("Use 1→1 Tox", UseToxic(1, 1)),
        ("  Con   4 \t 3A  ", Spawn(4, 3)),
        ("Con 4 3A\r", Spawn(4, 3)),
        ("Con 4 03A", Spawn(4, 3)),
    ],
)
def test_other_spellings_are_read_but_never_written(line: str, order: AnyOrder) -> None:
    assert read_list(line, 9) == (order,)
    assert write_list([order]) != line + "\n"


at = st.integers(1, 9)
count = st.integers(0, 10**9 - 1)
any_order = st.one_of(
    st.builds(PlaceHq, at),
    st.builds(Build, at, st.sampled_from(CONSTRUCTS)),
    st.builds(Spawn, at, count),
    st.builds(Promote, at, st.sampled_from(UNITS[1:]), count),
    st.builds(LayMines, at, count),
    st.builds(Buy, st.sampled_from(ITEMS)),
    st.builds(UseDynamite, at, at),
    st.builds(UseToxic, at, at),
    st.builds(
        UseCrop,
        st.dictionaries(at, count, min_size=1).map(lambda lots: tuple(lots.items())),
    ),
    st.builds(Move, st.lists(at, min_size=1, max_size=6).map(tuple), count, st.sampled_from(UNITS)),
)


@pytest.mark.rule("GD-GDL-5")
@given(st.lists(any_order, max_size=12))
def test_lists_survive_writing_and_reading(orders: list[AnyOrder]) -> None:
    assert read_list(write_list(orders), 9) == tuple(orders)


def test_every_kind_of_order_has_a_line() -> None:
    assert {type(order) for _, order in ORDERS} == set(get_args(AnyOrder))


@pytest.mark.rule("GD-GDL-4")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        # the keyword
        ("Foo 1", FaultCode.UNKNOWN_KEYWORD),
        ("con 4 Hq", FaultCode.UNKNOWN_KEYWORD),
        ("/ remark", FaultCode.UNKNOWN_KEYWORD),
        ("SETNUMTERRITORIES", FaultCode.UNKNOWN_KEYWORD),
        # the section
        ("SetNumTerritories 4", FaultCode.SETUP_OUTSIDE_INIT),
        ("SetBoundaries", FaultCode.SETUP_OUTSIDE_INIT),
        ("SetCoordinates 1 0,0;1,1;2,0", FaultCode.SETUP_OUTSIDE_INIT),
        ("SetIdentifier 1 Name", FaultCode.SETUP_OUTSIDE_INIT),
        ("AddPlayer Green #0f0", FaultCode.SETUP_OUTSIDE_INIT),
        ("InitEnd", FaultCode.INIT_END_WITHOUT_START),
        ("InitEnd now", FaultCode.INIT_END_WITHOUT_START),
        # the number of words
        ("InitStart now", FaultCode.BAD_ARGUMENT),
        ("Set", FaultCode.MISSING_ARGUMENT),
        ("Set Red Blue", FaultCode.BAD_ARGUMENT),
        ("End turn", FaultCode.BAD_ARGUMENT),
        ("Con", FaultCode.MISSING_ARGUMENT),
        ("Con 77", FaultCode.MISSING_ARGUMENT),
        ("Con 4 3 A", FaultCode.BAD_ARGUMENT),
        ("Con 4 Hq // here", FaultCode.BAD_ARGUMENT),
        ("Buy", FaultCode.MISSING_ARGUMENT),
        ("Buy Crp Dyn", FaultCode.BAD_ARGUMENT),
        ("Use Dyn", FaultCode.MISSING_ARGUMENT),
        ("Use 1 → 2 Dyn", FaultCode.BAD_ARGUMENT),
        ("Mov 1→2", FaultCode.MISSING_ARGUMENT),
        ("Mov 1→2 3 A", FaultCode.BAD_ARGUMENT),
        # the words
        ("Set Green", FaultCode.UNKNOWN_PLAYER),
        ("Set red", FaultCode.UNKNOWN_PLAYER),
        ("Con 0 Hq", FaultCode.UNKNOWN_TERRITORY),
        ("Con 10 Hq", FaultCode.UNKNOWN_TERRITORY),
        ("Con x Hq", FaultCode.UNKNOWN_TERRITORY),
        ("Con -1 Hq", FaultCode.UNKNOWN_TERRITORY),
        ("Con ¹ Hq", FaultCode.UNKNOWN_TERRITORY),
        ("Con x 2X", FaultCode.UNKNOWN_TERRITORY),
        ("Con 4 2X", FaultCode.BAD_ARGUMENT),
        ("Con 4 -2A", FaultCode.BAD_ARGUMENT),
        ("Con 4 A", FaultCode.BAD_ARGUMENT),
        ("Con 4 2", FaultCode.BAD_ARGUMENT),
        ("Con 4 2a", FaultCode.BAD_ARGUMENT),
        ("Con 4 2.5A", FaultCode.BAD_ARGUMENT),
        ("Con 4 +2A", FaultCode.BAD_ARGUMENT),
        ("Con 4 1234567890A", FaultCode.BAD_ARGUMENT),
        ("Con 4 hq", FaultCode.BAD_ARGUMENT),
        ("Buy Tower", FaultCode.UNKNOWN_ITEM),
        ("Buy dyn", FaultCode.UNKNOWN_ITEM),
        ("Use x Foo", FaultCode.UNKNOWN_ITEM),
        ("Use x Tow", FaultCode.UNKNOWN_ITEM),
        ("Use 1 Dyn", FaultCode.BAD_PATH),
        ("Use 1→2→3 Dyn", FaultCode.BAD_PATH),
        ("Use 1→ Dyn", FaultCode.BAD_PATH),
        ("Use →1 Dyn", FaultCode.BAD_PATH),
        ("Use 1→→2 Dyn", FaultCode.BAD_PATH),
        ("Use 1→x Dyn", FaultCode.UNKNOWN_TERRITORY),
        ("Use 1→2→3 Tox", FaultCode.BAD_PATH),
        ("Use 1→ Tox", FaultCode.BAD_PATH),
        ("Use 0 Tox", FaultCode.UNKNOWN_TERRITORY),
        ("Use 1 Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1:2:3 Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1:2,, Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1:x Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1:-1 Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1:2,1:3 Crp", FaultCode.BAD_ARGUMENT),
        ("Use 1→2 Crp", FaultCode.BAD_ARGUMENT),
        ("Use 10:2 Crp", FaultCode.UNKNOWN_TERRITORY),
        ("Use x:2 Crp", FaultCode.UNKNOWN_TERRITORY),
        ("Mov 1→→2 3A", FaultCode.BAD_PATH),
        ("Mov →2 3A", FaultCode.BAD_PATH),
        ("Mov 1→ 3A", FaultCode.BAD_PATH),
        ("Mov 1-> 3A", FaultCode.BAD_PATH),
        ("Mov 1→10 3A", FaultCode.UNKNOWN_TERRITORY),
        ("Mov 1-2 3A", FaultCode.UNKNOWN_TERRITORY),
        ("Mov 1→x 2X", FaultCode.UNKNOWN_TERRITORY),
        ("Mov 1→2 3X", FaultCode.BAD_ARGUMENT),
        ("Mov 1→2 3M", FaultCode.BAD_ARGUMENT),
        ("Mov 1→2 -3A", FaultCode.BAD_ARGUMENT),
        ("Mov 1→2 A", FaultCode.BAD_ARGUMENT),
    ],
)
def test_errors_outside_the_setup(line: str, code: FaultCode) -> None:
    assert first_fault(f"{SETUP}{line}\nEnd\n") == (code, BEFORE + 1)


@pytest.mark.rule("GD-GDL-4", "GD-GDL-1")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Foo 1", FaultCode.UNKNOWN_KEYWORD),
        ("Set Red", FaultCode.ORDER_INSIDE_INIT),
        ("End", FaultCode.ORDER_INSIDE_INIT),
        ("Con", FaultCode.ORDER_INSIDE_INIT),
        ("Buy Crp", FaultCode.ORDER_INSIDE_INIT),
        ("Use 1→2 Dyn", FaultCode.ORDER_INSIDE_INIT),
        ("Mov 1→2 3A", FaultCode.ORDER_INSIDE_INIT),
        ("InitStart", FaultCode.BAD_ARGUMENT),
        ("InitEnd now", FaultCode.BAD_ARGUMENT),
        ("SetNumTerritories", FaultCode.MISSING_ARGUMENT),
        ("SetNumTerritories 9 9", FaultCode.BAD_ARGUMENT),
        ("SetNumTerritories many", FaultCode.BAD_NUMBER),
        ("SetNumTerritories -4", FaultCode.BAD_NUMBER),
        ("SetNumTerritories 4.0", FaultCode.BAD_NUMBER),
        ("SetNumTerritories 8", FaultCode.BAD_ARGUMENT),
        ("SetNumTerritories 99999999999999999999", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries", FaultCode.MISSING_ARGUMENT),
        ("SetBoundaries 1,2; 2,3", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries 1-2", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries 1,2,3", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries 1,2;", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries 4,4", FaultCode.BAD_ARGUMENT),
        ("SetBoundaries 1,10", FaultCode.UNKNOWN_TERRITORY),
        ("SetBoundaries 1,", FaultCode.UNKNOWN_TERRITORY),
        ("SetCoordinates 1", FaultCode.MISSING_ARGUMENT),
        ("SetCoordinates 1 0,0;1,1;2,0 3,3", FaultCode.BAD_ARGUMENT),
        ("SetCoordinates 10 0,0;1,1;2,0", FaultCode.UNKNOWN_TERRITORY),
        ("SetCoordinates 1 0,0;1,1", FaultCode.BAD_COORDINATES),
        ("SetCoordinates 1 0,0;1,1;2", FaultCode.BAD_COORDINATES),
        ("SetCoordinates 1 0,0;1,1;2,-1", FaultCode.BAD_COORDINATES),
        ("SetCoordinates 1 0,0;1,1;2,1.5", FaultCode.BAD_COORDINATES),
        ("SetCoordinates 1 0,0;1,1;2,0;", FaultCode.BAD_COORDINATES),
        ("SetIdentifier 1", FaultCode.MISSING_ARGUMENT),
        ("SetIdentifier 10 Ten", FaultCode.UNKNOWN_TERRITORY),
        ("SetIdentifier Ten 10", FaultCode.UNKNOWN_TERRITORY),
        ("AddPlayer Green", FaultCode.MISSING_ARGUMENT),
        ("AddPlayer Dark Green #0f0", FaultCode.BAD_ARGUMENT),
        ("AddPlayer Red #0f0", FaultCode.BAD_ARGUMENT),
        ("AddPlayer Green green", FaultCode.BAD_COLOUR),
        ("AddPlayer Green #0f", FaultCode.BAD_COLOUR),
        ("AddPlayer Green #00ff00", FaultCode.BAD_COLOUR),
        ("AddPlayer Green 0f0", FaultCode.BAD_COLOUR),
        ("AddPlayer Green #0g0", FaultCode.BAD_COLOUR),
    ],
)
def test_errors_inside_the_setup(line: str, code: FaultCode) -> None:
    text = f"InitStart\nSetNumTerritories 9\nAddPlayer Red #f00\n{line}\nInitEnd\n"
    assert first_fault(text) == (code, 4)


@pytest.mark.rule("GD-GDL-4")
@pytest.mark.parametrize("line", ["Con", "Buy Crp", "Use 1→2 Dyn", "Mov 1→2 3A", "End", "End now"])
def test_orders_need_an_issuer(line: str) -> None:
    text = SETUP.removesuffix("Set Red\n") + line
    assert first_fault(text) == (FaultCode.NO_ISSUER, BEFORE)


@pytest.mark.rule("GD-GDL-4")
def test_territory_is_unknown_without_a_map() -> None:
    text = "InitStart\nAddPlayer Red #f00\nSetBoundaries 1,2\nInitEnd"
    assert first_fault(text) == (FaultCode.UNKNOWN_TERRITORY, 3)


@pytest.mark.rule("GD-GDL-4")
def test_open_setup_at_the_end_is_no_error_and_hides_none() -> None:
    text = "// map\nInitStart\nSetNumTerritories 2\nSetBoundaries 1,2\nAddPlayer Red #f00"
    assert read(text) == read(text + "\nInitEnd\n")
    assert len(read(text).sketches) == 2
    assert first_fault(text + "\nSetBoundaries 2,3") == (FaultCode.UNKNOWN_TERRITORY, 6)
    with pytest.raises(WrongText) as caught:
        read(text + "\nSet Red\nCon 1 Hq\nAddPlayer Red #f00\n")
    assert [(fault.line, fault.code) for fault in caught.value.faults] == [
        (6, FaultCode.ORDER_INSIDE_INIT),
        (7, FaultCode.ORDER_INSIDE_INIT),
        (8, FaultCode.BAD_ARGUMENT),
    ]


@pytest.mark.rule("GD-GDL-4")
def test_all_errors_are_reported_once_in_line_order() -> None:
    with pytest.raises(WrongText) as caught:
        read(SETUP + "Set Green\nCon 4 Hq\n\n// remark\nCon 10 Hq\nFoo\nMov 1→2 2X\n")
    assert [(fault.line, fault.code) for fault in caught.value.faults] == [
        (BEFORE + 1, FaultCode.UNKNOWN_PLAYER),
        (BEFORE + 5, FaultCode.UNKNOWN_TERRITORY),
        (BEFORE + 6, FaultCode.UNKNOWN_KEYWORD),
        (BEFORE + 7, FaultCode.BAD_ARGUMENT),
    ]
    assert str(caught.value) == "line 8: gdl_unknown_player: there is no player 'Green'"


@pytest.mark.rule("GD-GDL-4")
def test_every_code_is_used_by_the_tables_above() -> None:
    assert {code.value for code in FaultCode} == {
        "gdl_unknown_keyword", "gdl_setup_outside_init", "gdl_order_inside_init",
        "gdl_init_end_without_start", "gdl_no_issuer", "gdl_unknown_player",
        "gdl_unknown_territory", "gdl_bad_colour", "gdl_bad_coordinates", "gdl_bad_argument",
        "gdl_bad_path", "gdl_bad_number", "gdl_unknown_item", "gdl_missing_argument",
    }  # fmt: skip


@pytest.mark.rule("GD-GDL-4")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Set Red\nCon 1 Hq", FaultCode.UNKNOWN_PLAYER),
        ("Con 1 Hq\nEnd", FaultCode.BAD_ARGUMENT),
        ("InitStart\n", FaultCode.BAD_ARGUMENT),
        ("AddPlayer Red #f00", FaultCode.SETUP_OUTSIDE_INIT),
    ],
)
def test_single_list_accepts_only_orders(text: str, code: FaultCode) -> None:
    with pytest.raises(WrongText) as caught:
        read_list(text, 9)
    assert caught.value.faults[0].code == code


@pytest.mark.rule("GD-GDL-4")
@given(st.text(alphabet="InitStartEndSetConMovUseBuy 0123456789,;:→->\n/#ACHSMdynTox", max_size=80))
def test_any_text_is_read_or_refused(noise: str) -> None:
    for text in (noise, SETUP + noise):
        try:
            document = read(text)
        except WrongText as problem:
            lines = [fault.line for fault in problem.faults]
            assert lines == sorted(lines)
            assert lines[-1] <= text.count("\n") + 1
        else:
            assert document.members == () or read(write(document)) is not None
