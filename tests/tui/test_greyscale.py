"""Differences without any colour: on a grey screen, in print, with attributes only.

Two things differ in grey if an attribute differs, or if their foregrounds or backgrounds are at
least ``GREY`` apart in lightness (CIE L*, 0 to 100). The first sixteen colours count with their
usual values.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Final

import pytest
from rich.color import Color
from rich.style import Style

from engine.core import registry
from engine.tabletop.board import Symbol
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign, Role, Tone
from tests.tui.colour_vision import lightness
from tests.tui.test_palettes import GROUND, SEATS, SIGNS, attributes, every
from tui.style.palette import Palette, chosen

GREY: Final = 5.0
"""Minimum distance in lightness; about 1 is barely visible side by side."""

ALONE: Final = (
    {MarkSign.STRIKE, MarkSign.DANGER},  # two layers, of which one is laid at a time
    {MarkSign.HELD, MarkSign.IDLE},  # while a piece is held, none is marked as able to act
)
"""Marks that are never shown at the same time."""

AREA: Final = {MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER}
"""Marks of whole areas. Without colours a piece shows only that it is in one; the ground shows
which.
"""

coloured = pytest.mark.parametrize(
    "palette",
    [palette for palette in every.args[1] if palette.depth != "none"],
    ids=lambda palette: f"{palette.theme}-{palette.depth}",
)


def differ(one: Style, other: Style) -> bool:
    """Return whether two styles differ in grey."""
    if attributes(one) != attributes(other):
        return True
    return apart(one.color, other.color) >= GREY or apart(one.bgcolor, other.bgcolor) >= GREY


def apart(one: Color | None, other: Color | None) -> float:
    """Return the distance of two colours in lightness; 100 if only one of them is None."""
    if one is None or other is None:
        return 0.0 if one is other else 100.0
    return abs(lightness(one.name) - lightness(other.name))


def land(palette: Palette, ground: Role, sign: MarkSign | None) -> Style:
    return palette.cell(ground, None, -1, sign)


def piece(palette: Palette, seat: int, sign: MarkSign | None) -> Style:
    return palette.cell(Role.PLAIN, Role.PIECE, seat, sign)


# -- pieces ----------------------------------------------------------------------------------------


@every
def test_own_and_enemy_pieces_differ_in_grey_with_any_marks(palette: Palette) -> None:
    for one, other in combinations(range(4), 2):
        for mark, mark2 in product((None, *MarkSign), repeat=2):
            first, second = piece(palette, one, mark), piece(palette, other, mark2)
            told = (first.underline, first.italic) != (second.underline, second.italic)
            assert told, (one, mark, other, mark2)


@every
def test_pieces_that_can_act_differ_in_grey_from_others(palette: Palette) -> None:
    for seat in SEATS:
        assert differ(piece(palette, seat, MarkSign.IDLE), piece(palette, seat, None)), seat


@every
def test_pieces_differ_in_grey_from_the_ground(palette: Palette) -> None:
    for seat, ground, sign in product(SEATS, GROUND, (None, MarkSign.IDLE)):
        stands = palette.cell(ground, Role.PIECE, seat, sign)
        assert differ(stands, land(palette, ground, None)), (seat, ground.name)


# -- marks -----------------------------------------------------------------------------------------


@coloured
def test_marks_show_in_grey_by_their_background(palette: Palette) -> None:
    for sign, ground in product(SIGNS, GROUND):
        marked, bare = land(palette, ground, sign), land(palette, ground, None)
        assert apart(marked.bgcolor, bare.bgcolor) >= GREY, (sign.name, ground.name)


@every
def test_marked_pieces_differ_in_grey_from_others(palette: Palette) -> None:
    for sign, seat in product(SIGNS, range(4)):
        assert differ(piece(palette, seat, sign), piece(palette, seat, None)), (sign.name, seat)


@every
def test_marks_differ_in_grey(palette: Palette) -> None:
    for one, other in combinations(SIGNS, 2):
        for ground in GROUND:
            same = not differ(land(palette, ground, one), land(palette, ground, other))
            assert not same or {one, other} in ALONE, (one.name, other.name, ground.name)


@every
def test_marks_of_pieces_differ_in_grey(palette: Palette) -> None:
    for (one, other), seat in product(combinations(MarkSign, 2), range(4)):
        if {one, other} in ALONE or (palette.depth == "none" and {one, other} <= AREA):
            continue
        if MarkSign.IDLE in {one, other} and {one, other} & AREA and palette.depth != "none":
            continue  # a layer takes away what tells who can act
        same = not differ(piece(palette, seat, one), piece(palette, seat, other))
        assert not same, (one.name, other.name, seat)


# -- the cursor ------------------------------------------------------------------------------------


@every
def test_cursor_differs_in_grey_from_the_cell_without_it(palette: Palette) -> None:
    for sign in (None, *MarkSign):
        looks = [land(palette, ground, sign) for ground in GROUND]
        looks += [piece(palette, seat, sign) for seat in SEATS]
        for style in looks:
            cursor = palette.under_cursor(style, holding=False)
            assert sign is MarkSign.HELD or differ(cursor, style), (sign, style)


@every
def test_cursor_differs_in_grey_from_everything_around_it(palette: Palette) -> None:
    """Two sides are enough: beside the first side, the fourth relies on the terminal's own
    cursor.
    """
    signs = [sign for sign in (None, *MarkSign) if sign is not MarkSign.HELD]
    looks = [land(palette, ground, sign) for ground, sign in product(GROUND, signs)]
    looks += [piece(palette, seat, sign) for seat, sign in product(range(2), signs)]
    cursors = {palette.under_cursor(style, holding=False) for style in looks}
    for cursor, style in product(cursors, looks):
        assert differ(cursor, style), (cursor, style)


@every
def test_cursor_on_a_piece_differs_in_grey_from_active_pieces(palette: Palette) -> None:
    for seat in range(4):
        idle = piece(palette, seat, MarkSign.IDLE)
        assert differ(palette.under_cursor(idle, holding=False), idle), seat


# -- terrain and text ------------------------------------------------------------------------------


LETTERED = {"kaladan"}
"""Games that write the land of each tile as a letter, whatever the colours."""


@pytest.mark.parametrize("signs", ["rich", "box", "ascii"])
@pytest.mark.parametrize("name", sorted({*registry.names()} - LETTERED))
def test_kinds_of_land_differ_by_their_signs(name: str, signs: str) -> None:
    symbols = presenter_of(registry.find(name)).symbols
    grounds = [symbol for symbol in symbols if symbol.role in GROUND]
    for one, other in combinations(grounds, 2):
        told = one.role == other.role or shown(one, signs) != shown(other, signs)
        assert told or kind(one) == kind(other), (one.name, other.name)


def kind(symbol: Symbol) -> str:
    """Return the name of the land, without its visibility after a comma: a layer shows that."""
    return symbol.name.partition(",")[0].casefold()


def shown(symbol: Symbol, signs: str) -> str:
    sign: str = getattr(symbol, signs)
    return sign


@every
def test_tones_differ_in_grey(palette: Palette) -> None:
    told = [tone for tone in Tone if tone is not Tone.HEADING]  # it has capitals and a rule
    for one, other in combinations(told, 2):
        assert differ(palette.line(one, -1), palette.line(other, -1)), (one.name, other.name)


@coloured
def test_bars_differ_in_grey_from_their_background(palette: Palette) -> None:
    bar = lightness(palette.bar)
    assert min(abs(bar - lightness(behind)) for behind in (palette.back, palette.pane)) >= GREY


def test_lightness_is_that_of_grey() -> None:
    assert lightness("#000000") == pytest.approx(0, abs=0.1)
    assert lightness("#ffffff") == pytest.approx(100, abs=0.1)
    assert lightness("#777777") == pytest.approx(50, abs=0.5)
    assert not differ(Style(color="#00a000"), Style(color="#ff0000"))
    assert lightness(chosen("16").tones[Tone.STRONG]) == pytest.approx(100, abs=0.1)
