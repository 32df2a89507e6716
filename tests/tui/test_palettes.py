"""Palettes keep important things distinguishable, for every kind of colour vision.

Distances are in CAM02-UCS, contrasts in WCAG 2. People can choose the look of the first sixteen
colours; these are checked by index and attributes instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Final

import pytest
from rich.color import Color
from rich.style import Style

from engine.tabletop.roles import MarkSign, Role, Tone
from tests.tui.colour_vision import EYES, distance
from tui.style.palette import AREAS, THEMES, Palette, chosen, contrast
from tui.terminal.capabilities import Depth

TEXT: Final = 4.5
SIGN: Final = 3.0
"""Minimum contrasts of text and of a sign with the background."""

APART: Final = 9.0
"""Minimum distance of neighbouring things with different meanings."""

SIDES: Final = 10.0
"""Minimum distance of two sides among the first four; more are rare."""

CURSOR: Final = 12.0
"""Minimum distance of the cursor's cell from the same cell without it."""

SEATS: Final = range(13)
GROUND: Final = [role for role in Role if role <= Role.UNKNOWN or role is Role.SITE]
PIECES: Final = [Role.PIECE, Role.LEADER, Role.FLYER, Role.SHIP, Role.SIEGE]
SIGNS: Final = [sign for sign in MarkSign if sign is not MarkSign.IDLE]

rich = pytest.mark.parametrize(
    "palette",
    [chosen(depth, theme) for depth in ("truecolor", "256") for theme in THEMES],
    ids=lambda palette: f"{palette.theme}-{palette.depth}",
)
low = pytest.mark.parametrize(
    "palette",
    [chosen(depth, theme) for depth in ("16", "8") for theme in THEMES],
    ids=lambda palette: f"{palette.theme}-{palette.depth}",
)
every = pytest.mark.parametrize(
    "palette",
    [
        *(chosen(depth, theme) for depth in ("truecolor", "256", "16", "8") for theme in THEMES),
        chosen("none"),
    ],
    ids=lambda palette: f"{palette.theme}-{palette.depth}",
)


def ink(style: Style) -> str:
    assert style.color is not None
    return style.color.name


def back(style: Style) -> str:
    assert style.bgcolor is not None
    return style.bgcolor.name


def attributes(style: Style) -> int:
    """Return the attributes of a style: its look without colours."""
    return style._attributes & style._set_attributes


def cells(palette: Palette, signs: Iterable[MarkSign | None]) -> Iterable[tuple[str, Style]]:
    """Yield every possible cell, with a name for it."""
    for sign, ground in product(signs, GROUND):
        yield f"{ground.name} {sign}", palette.cell(ground, None, -1, sign)
    for sign, seat in product(signs, SEATS):
        yield f"seat {seat} {sign}", palette.cell(Role.PLAIN, Role.PIECE, seat, sign)


def styles(palette: Palette) -> Iterable[Style]:
    """Yield every style that a palette makes."""
    for _, style in cells(palette, [None, *MarkSign]):
        yield from (style, palette.under_cursor(style, holding=False))
        yield palette.under_cursor(style, holding=True)
    yield from (palette.line(tone, seat) for tone in Tone for seat in (-1, *SEATS))
    yield from (palette.heading, palette.blank, palette.plain)


# -- output ----------------------------------------------------------------------------------------


@every
def test_no_colour_is_of_another_depth(palette: Palette) -> None:
    numbers: dict[Depth, range] = {"256": range(16, 256), "16": range(16), "8": range(8)}
    for style in styles(palette):
        for color in (style.color, style.bgcolor):
            if color is None:
                continue
            if palette.depth == "truecolor":
                assert color.triplet is not None
            else:
                assert palette.depth != "none"
                assert color.number in numbers[palette.depth]


@every
def test_equal_cells_share_one_style_object(palette: Palette) -> None:
    def cell() -> Style:
        return palette.cell(Role.PLAIN, Role.PIECE, 3, MarkSign.REACH)

    assert cell() is cell()
    assert palette.line(Tone.GOOD, 1) is palette.line(Tone.GOOD, 1)


@every
def test_style_sheets_get_every_colour(palette: Palette) -> None:
    needed = {"text", "back", "bar", "pane", "frame", "quiet", "bad", "title", "chosen-back"}
    assert {f"b-{name}" for name in needed} <= {*palette.variables}
    if palette.depth not in {"truecolor", "256"}:
        told = {
            name: text for name, text in palette.variables.items() if not name.endswith("-style")
        }
        assert all(text.startswith("ansi_") for text in told.values()), told


def test_unknown_palette_is_the_usual_one() -> None:
    assert chosen("256", "no such palette").theme == "usual"


# -- reading ---------------------------------------------------------------------------------------


@rich
def test_text_is_readable(palette: Palette) -> None:
    for tone in Tone:
        for behind in (palette.back, palette.pane, palette.bar):
            assert contrast(palette.tones[tone], behind) >= TEXT, (tone.name, behind)
    for seat in SEATS:
        assert contrast(palette.livery(seat).ink, palette.back) >= TEXT, seat
    assert contrast(palette.text, palette.bar) >= TEXT


@rich
def test_every_sign_on_the_map_is_readable(palette: Palette) -> None:
    for name, style in cells(palette, [None, *MarkSign]):
        assert contrast(ink(style), back(style)) >= SIGN, name


@rich
def test_cursor_is_clearly_visible(palette: Palette) -> None:
    for name, style in cells(palette, [None, *MarkSign]):
        free = palette.under_cursor(style, holding=False)
        assert contrast(ink(free), back(free)) >= TEXT, name
        assert distance(back(free), back(style), EYES[palette.theme]) >= CURSOR, name


@low
def test_cursor_has_a_unique_colour_in_low_depths(palette: Palette) -> None:
    free = back(palette.under_cursor(palette.blank, holding=False))
    assert free not in {behind for _, behind in palette.ground.values()}
    assert free not in {
        behind for sign, (_, behind) in palette.signs.items() if sign is not MarkSign.HELD
    }


@low
def test_no_sign_has_the_colour_of_its_background(palette: Palette) -> None:
    for name, style in cells(palette, [None, *MarkSign]):
        assert ink(style) != back(style), name
    for seat in SEATS:
        assert palette.livery(seat).ink != palette.back


# -- sides -----------------------------------------------------------------------------------------


@every
def test_four_sides_differ_without_colours(palette: Palette) -> None:
    looks = {attributes(palette.cell(Role.PLAIN, Role.PIECE, seat, None)) for seat in range(4)}
    assert len(looks) == 4


@rich
def test_four_sides_differ_by_colour(palette: Palette) -> None:
    for one, other in combinations(range(4), 2):
        assert between_sides(palette, one, other) >= SIDES, (one, other)


@rich
def test_all_sides_differ_by_colour_or_attributes(palette: Palette) -> None:
    for one, other in combinations(SEATS, 2):
        alike = (one - other) % 4 == 0
        assert not alike or between_sides(palette, one, other) >= SIDES, (one, other)


def between_sides(palette: Palette, one: int, other: int) -> float:
    """Return the distance of two sides for the palette's colour vision."""
    first, second, eye = palette.livery(one), palette.livery(other), EYES[palette.theme]
    return max(distance(first.ink, second.ink, eye), distance(first.back, second.back, eye))


@low
def test_all_sides_differ_by_index_or_attributes(palette: Palette) -> None:
    looks = {
        (palette.livery(seat), attributes(palette.cell(Role.PLAIN, Role.PIECE, seat, None)))
        for seat in (SEATS if palette.depth == "16" else range(4))
    }
    assert len(looks) == (len(SEATS) if palette.depth == "16" else 4)


@every
def test_piece_is_bold_and_ground_is_not(palette: Palette) -> None:
    for seat, kind, ground in product(SEATS, PIECES, GROUND):
        piece = palette.cell(ground, kind, seat, None)
        bare = palette.cell(ground, None, -1, None)
        assert piece.bold, (seat, kind.name)
        assert not bare.bold, ground.name


@rich
def test_piece_differs_in_colour_from_its_ground(palette: Palette) -> None:
    eye = EYES[palette.theme]
    for seat, ground in product(SEATS, GROUND):
        piece = palette.cell(ground, Role.PIECE, seat, None)
        bare = palette.cell(ground, None, -1, None)
        apart = max(distance(ink(piece), ink(bare), eye), distance(back(piece), back(bare), eye))
        assert apart >= APART, (seat, ground.name)


@every
def test_piece_that_can_act_differs_from_others(palette: Palette) -> None:
    for seat in SEATS:
        idle = palette.cell(Role.PLAIN, Role.PIECE, seat, MarkSign.IDLE)
        assert idle != palette.cell(Role.PLAIN, Role.PIECE, seat, None), seat


# -- marks -----------------------------------------------------------------------------------------


@rich
def test_marks_show_on_every_ground(palette: Palette) -> None:
    eye = EYES[palette.theme]
    for sign, ground in product(SIGNS, GROUND):
        marked = palette.cell(ground, None, -1, sign)
        bare = palette.cell(ground, None, -1, None)
        assert distance(back(marked), back(bare), eye) >= APART, (sign.name, ground.name)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sign", sorted(AREAS))
def test_ground_in_an_area_is_tinted_and_keeps_a_distinct_colour(
    theme: str, sign: MarkSign
) -> None:
    palette = chosen("truecolor", theme)
    wide = (Role.PLAIN, Role.WATER, Role.FOREST, Role.SWAMP, Role.ROAD)
    land, water, *rest = (back(palette.cell(ground, None, -1, sign)) for ground in wide)
    assert palette.signs[sign][1] not in {land, water, *rest}
    assert distance(land, water, EYES[theme]) >= 4


@rich
def test_marks_differ(palette: Palette) -> None:
    eye = EYES[palette.theme]
    for one, other in combinations(SIGNS, 2):
        first, second = palette.signs[one][1], palette.signs[other][1]
        assert distance(first, second, eye) >= APART, (one.name, other.name)


@low
def test_marks_have_distinct_indices(palette: Palette) -> None:
    for one, other in combinations(SIGNS, 2):
        first = palette.cell(Role.PLAIN, None, -1, one)
        second = palette.cell(Role.PLAIN, None, -1, other)
        if {one, other} != {MarkSign.STRIKE, MarkSign.DANGER}:  # never laid at the same time
            assert back(first) != back(second), (one.name, other.name)


@low
def test_backgrounds_of_marks_and_of_ground_are_disjoint(palette: Palette) -> None:
    behind = {back for _, back in palette.ground.values()}
    assert not behind & {palette.signs[sign][1] for sign in SIGNS}


@every
def test_marked_cells_differ_from_others(palette: Palette) -> None:
    for sign, ground in product(SIGNS, GROUND):
        bare = palette.cell(ground, None, -1, None)
        assert palette.cell(ground, None, -1, sign) != bare, (sign.name, ground.name)


@rich
def test_good_and_bad_news_differ(palette: Palette) -> None:
    good, bad = palette.tones[Tone.GOOD], palette.tones[Tone.BAD]
    assert distance(good, bad, EYES[palette.theme]) >= 20


@low
def test_good_and_bad_news_have_distinct_indices(palette: Palette) -> None:
    assert palette.tones[Tone.GOOD] != palette.tones[Tone.BAD]


@every
def test_quiet_text_differs_from_normal_text(palette: Palette) -> None:
    assert palette.line(Tone.QUIET, -1) != palette.line(Tone.NORMAL, -1)


def test_bad_news_differ_without_colours() -> None:
    plain = chosen("none")
    assert attributes(plain.line(Tone.BAD, -1)) != attributes(plain.line(Tone.GOOD, -1))


def test_colour_vision_is_simulated() -> None:
    red, green = Color.parse("#c00000").name, Color.parse("#607000").name
    assert distance(red, green) > 3 * distance(red, green, "deuteranomaly") > 0
