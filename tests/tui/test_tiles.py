"""Tiles of several rows show every fact, with and without colours; areas are outlined."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from rich.color import Color
from rich.segment import Segment

from engine.core import registry
from engine.core.containers import Plane
from engine.rulesets.weltendaemmerung.picture import FIRST_GROUND, FIRST_PIECE, SYMBOLS
from engine.rulesets.weltendaemmerung.state import Terrain
from engine.tabletop.board import NOBODY, Board, BoardCaption, BoardMark, GlyphSet
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign
from tests.tui.colour_vision import EYES, distance
from tests.tui.test_palettes import APART, every, rich
from tui.style.palette import AREAS, FULL, Palette, chosen
from tui.terminal.capabilities import Depth
from tui.widgets.board import BoardView
from tui.widgets.board_rows import Captions
from tui.widgets.tiles import TileLook, TilePainter, TileRow, largest_that_fits

LARGE = [(4, 2), (7, 4)]
MEADOW = FIRST_GROUND + Terrain.MEADOW
GROUNDS = [FIRST_GROUND + terrain for terrain in Terrain]
TINT = 4.0
"""Minimum distance of the ground of an area from bare ground."""

SET_SIGNS: tuple[GlyphSet, ...] = ("rich", "box", "ascii")


def text(rows: tuple[TileRow, ...]) -> list[str]:
    return ["".join(text for text, _ in row) for row in rows]


def colors(rows: tuple[TileRow, ...]) -> set[str]:
    """Return every colour of a tile."""
    pens = [style for row in rows for _, style in row]
    return {color.name for style in pens for color in (style.color, style.bgcolor) if color}


@every
@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("signs", SET_SIGNS)
def test_every_tile_has_its_stated_size(
    palette: Palette, size: tuple[int, int], signs: GlyphSet
) -> None:
    painter = TilePainter(SYMBOLS, size, signs, palette)
    for ground, piece, sign in product(GROUNDS, (0, FIRST_PIECE), (None, *MarkSign)):
        look = TileLook(ground, piece, 1 if piece else NOBODY, sign, 15, 5, 12, "7", label="a")
        rows = text(painter.tile(look))
        assert [len(row) for row in rows] == [size[0]] * size[1]
        if signs == "ascii":
            assert all(row.isascii() for row in rows)


@every
@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("signs", SET_SIGNS)
def test_piece_shows_its_sign_its_number_and_the_text_of_a_mark(
    palette: Palette, size: tuple[int, int], signs: GlyphSet
) -> None:
    painter = TilePainter(SYMBOLS, size, signs, palette)
    sign = getattr(SYMBOLS[FIRST_PIECE], signs)
    counted = "".join(text(painter.tile(TileLook(MEADOW, FIRST_PIECE, 0, number=4))))
    assert sign in counted
    assert "4" in counted
    marked = TileLook(MEADOW, FIRST_PIECE, 0, MarkSign.TARGET, text="7", number=4)
    assert "7" in "".join(text(painter.tile(marked)))
    assert "4" not in "".join(text(painter.tile(marked)))


@every
@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("signs", SET_SIGNS)
def test_life_marks_and_owners_change_a_tile_in_every_palette(
    palette: Palette, size: tuple[int, int], signs: GlyphSet
) -> None:
    painter = TilePainter(SYMBOLS, size, signs, palette)
    looks = [
        TileLook(MEADOW, FIRST_PIECE, 0, life=8),
        TileLook(MEADOW, FIRST_PIECE, 0, life=3),
        TileLook(MEADOW, FIRST_PIECE, 1, life=8),
        TileLook(MEADOW, FIRST_PIECE, 0, MarkSign.TARGET, life=8),
        TileLook(MEADOW, FIRST_PIECE, 0, life=8, cursor=True),
    ]
    drawn = [painter.tile(look) for look in looks]
    for other in drawn[1:]:
        assert other != drawn[0]
    bare = [painter.tile(TileLook(MEADOW, sign=sign)) for sign in (None, *MarkSign)[:-1]]
    assert len(set(bare)) == len(bare)


@every
@pytest.mark.parametrize("size", LARGE)
def test_tile_has_only_colours_of_its_palettes_depth(
    palette: Palette, size: tuple[int, int]
) -> None:
    painter = TilePainter(SYMBOLS, size, "rich", palette)
    most = {"256": range(16, 256), "16": range(16), "8": range(8)}
    for ground, sign in product(GROUNDS, (None, *MarkSign)):
        rows = painter.tile(TileLook(ground, FIRST_PIECE, 1, sign, edges=15, life=5))
        for name in colors(rows):
            number = Color.parse(name).number
            if palette.depth == "truecolor":
                assert Color.parse(name).triplet is not None
            else:
                assert palette.depth != "none"
                assert number in most[palette.depth]


@rich
@pytest.mark.parametrize("size", LARGE)
def test_area_tints_its_ground_and_is_outlined_at_its_edge(
    palette: Palette, size: tuple[int, int]
) -> None:
    painter = TilePainter(SYMBOLS, size, "rich", palette)
    bare = colors(painter.tile(TileLook(MEADOW)))
    inside = colors(painter.tile(TileLook(MEADOW, sign=MarkSign.REACH)))
    edge = colors(painter.tile(TileLook(MEADOW, sign=MarkSign.REACH, edges=15)))
    assert not bare & inside
    assert edge - inside


@rich
def test_outlines_of_areas_differ_and_tints_differ_from_bare_ground(palette: Palette) -> None:
    painter = TilePainter(SYMBOLS, (6, 3), "rich", palette)
    eye = EYES[palette.theme]
    edges = {}
    for sign in AREAS:
        inside = colors(painter.tile(TileLook(MEADOW, sign=sign)))
        [edges[sign]] = colors(painter.tile(TileLook(MEADOW, sign=sign, edges=15))) - inside
    for one, other in combinations(edges.values(), 2):
        assert distance(one, other, eye) >= APART
    for ground, sign in product((MEADOW, FIRST_GROUND + Terrain.RIVER), AREAS):
        bare = painter.tile(TileLook(ground))[-1][0][1].bgcolor
        tint = painter.tile(TileLook(ground, sign=sign))[-1][0][1].bgcolor
        assert bare is not None
        assert tint is not None
        assert distance(bare.name, tint.name, eye) >= TINT


def view(size: tuple[int, int], board: Board) -> BoardView:
    """Return a board widget that is on no screen."""
    shown = BoardView(SYMBOLS)
    shown.shape(size, leaping=False)
    shown.show(board)
    return shown


def meadow(width: int, height: int, **more: object) -> Board:
    """Return a board of meadows."""
    ground = np.full((height, width), MEADOW, dtype=np.int16)
    nothing = Plane(np.zeros((height, width), dtype=np.int16))
    nobody = Plane(np.full((height, width), NOBODY, dtype=np.int8))
    return Board(Plane(ground), nothing, nobody, nobody, **more)  # type: ignore[arg-type]


def test_edges_are_the_sides_without_a_neighbour_of_the_same_area() -> None:
    shown = view((4, 2), meadow(3, 3))
    shown.lay([BoardMark(x, 1, MarkSign.REACH) for x in range(3)], None)
    north, east, south, west = 1, 2, 4, 8
    assert shown.drawing._edges(1, 1, MarkSign.REACH) == north | south
    assert shown.drawing._edges(0, 1, MarkSign.REACH) == north | south | west
    assert shown.drawing._edges(2, 1, MarkSign.REACH) == north | south | east


@pytest.mark.parametrize(
    ("board", "room", "size"),
    [
        ((20, 12), (160, 56), (8, 4)),
        ((20, 12), (159, 56), (7, 4)),
        ((20, 12), (94, 36), (4, 2)),
        ((20, 12), (54, 17), (2, 1)),
        ((80, 40), (174, 56), (2, 1)),
        ((112, 156), (174, 56), None),
    ],
)
def test_largest_fitting_tiles_are_chosen(
    board: tuple[int, int], room: tuple[int, int], size: tuple[int, int] | None
) -> None:
    assert largest_that_fits(board, room) == size


# -- captions --------------------------------------------------------------------------------------


def captioned(board: Board, columns: int, cursor: tuple[int, int] | None = None) -> str:
    """Return the first screen row of a board's second row, with captions."""
    captions = Captions()
    captions.place(board, columns)
    runs = [Segment("." * board.width * columns, FULL.plain)]
    found = captions.over(runs, (0, 1), board, cursor, FULL) if captions.rows else runs
    return "".join(run.text for run in found)


def test_caption_is_centred_under_its_place() -> None:
    board = meadow(10, 3, captions=(BoardCaption(4, 0, "Glimmer 2", 0, 2),))
    assert captioned(board, 2) == "......Glimmer 2....."


def test_captions_hide_neither_a_piece_nor_the_cursor_nor_each_other() -> None:
    board = meadow(10, 3, captions=(BoardCaption(4, 0, "Glimmer", 0), BoardCaption(6, 0, "Orrin")))
    assert captioned(board, 2) == "......Glimmer......."
    assert captioned(board, 2, cursor=(5, 1)) == "." * 20
    piece = np.zeros((3, 10), dtype=np.int16)
    piece[1, 3] = FIRST_PIECE
    covered = meadow(10, 3, captions=board.captions)
    covered = Board(
        covered.ground, Plane(piece), covered.owner, covered.place, captions=board.captions
    )
    assert captioned(covered, 2) == "." * 20


def test_caption_without_colours_keeps_the_look_of_its_ground() -> None:
    palette = chosen("none")
    style = palette.caption(palette.plain, 1)
    assert style.color is None
    assert style.bold


@pytest.mark.parametrize("signs", SET_SIGNS)
@pytest.mark.parametrize("size", [(4, 2), (6, 3), (8, 4)])
def test_city_without_pictures_has_walls_and_a_gate(size: tuple[int, int], signs: GlyphSet) -> None:
    symbols = presenter_of(registry.find("warlords2")).symbols
    quarters = [n for n, symbol in enumerate(symbols) if symbol.name.startswith("city, defence 0")]
    for depth in LOW_DEPTHS:
        painter = TilePainter(symbols, size, signs, chosen(depth))
        rows = [row for quarter in quarters for row in text(painter.tile(TileLook(1, quarter, 0)))]
        wall = "#" if signs == "ascii" else "█"
        assert all(row.count(wall) >= 1 for row in rows)
        assert any(" " in row.strip() or row != row.strip() for row in rows[len(rows) // 2 :])
        target = TileLook(1, quarters[1], 0, MarkSign.TARGET, text="57")
        assert "57" in "".join(text(painter.tile(target)))


LOW_DEPTHS: tuple[Depth, ...] = ("16", "8", "none")
