"""The board: land, roads, cities, stacks and fog, close up and from afar."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.containers import Roster
from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic.picture.board import OVERVIEW_ROWS, linked, scale
from engine.strategic.pieces import Item, Sign
from engine.tabletop.board import NOBODY, BoardCaption
from engine.tabletop.roles import Role
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, context, drawn, shown


@pytest.mark.rule("W2-3.1")
def test_every_terrain_has_its_own_sign() -> None:
    state = ground.world([".fhmsdtx~w=r"])
    assert drawn(PICTURE.board(shown(state), "map")) == ["·♠∩▲„∷'°≈~━≋"]
    plain = drawn(PICTURE.board(shown(state), "map"), "ascii")[0]
    assert len(set(plain)) == len(plain)


@pytest.mark.rule("W2-2.2b")
@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([".#.", "###", ".#."], "┼"),
        (["...", "###", "..."], "─"),
        ([".#.", ".#.", ".#."], "│"),
        (["...", ".##", ".#."], "┌"),
        (["...", "##.", ".#."], "┐"),
        ([".#.", ".##", "..."], "└"),
        ([".#.", "##.", "..."], "┘"),
        ([".#.", ".##", ".#."], "├"),
        ([".#.", "##.", ".#."], "┤"),
        (["...", "###", ".#."], "┬"),
        ([".#.", "###", "..."], "┴"),
        ([".#.", ".#.", "..."], "╵"),
        (["...", ".#.", ".#."], "╷"),
        (["...", "##.", "..."], "╴"),
        (["...", ".##", "..."], "╶"),
        (["#.#", ".#.", "#.#"], "∙"),
    ],
)
def test_road_connects_to_neighbouring_roads(rows: list[str], wanted: str) -> None:
    state = ground.world(rows)
    assert drawn(PICTURE.board(shown(state), "map"))[1][1] == wanted


@pytest.mark.rule("W2-2.2b")
def test_road_connects_to_cities_and_bridges() -> None:
    state = ground.world(["......", ".#....", "=#....", "......"], cities=[ground.city(1, 2, 1)])
    assert linked(context(state))[1, 1] == 2 + 4
    assert linked(context(state))[2, 1] == 1 + 2 + 8
    assert drawn(PICTURE.board(shown(state), "map"))[2][0] == "━"


@pytest.mark.rule("W2-2.2b")
@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["......", "##x##.", "......"], "╶─°─╴·"),
        (["......", "##x...", "..#..."], "╶─°···"),
        (["..#...", "#x#...", "..#..."], "╶°┤···"),
        (["......", "#####.", "..x..."], "╶───╴·"),
        (["......", "xx##..", "xx...."], "°°─╴··"),
    ],
)
def test_road_that_ends_beside_a_site_or_rubble_connects_to_it(
    rows: list[str], wanted: str
) -> None:
    state = ground.world(rows)
    assert drawn(PICTURE.board(shown(state), "map"))[1] == wanted


@pytest.mark.rule("W2-2.2b")
def test_road_that_ends_beside_a_port_connects_to_it() -> None:
    state = ground.world(["...", "##w", "..."], ports=((2, 1),))
    assert linked(context(state))[1].tolist()[:2] == [2, 2 + 8]
    without = ground.world(["...", "##w", "..."])
    assert linked(context(without))[1].tolist()[:2] == [2, 8]


def test_bridge_has_the_direction_of_its_road() -> None:
    state = ground.world([".#.", "~=~", ".#."])
    assert drawn(PICTURE.board(shown(state), "map"))[1] == "≈┃≈"


@pytest.mark.rule("W2-3.4")
def test_roof_of_a_city_shows_its_defence() -> None:
    cities = [ground.city(1, 0, 0, 1), ground.city(2, 3, 0, 0, defence=2)]
    state = ground.world(["......", "......", "......"], cities=cities)
    board = PICTURE.board(shown(state), "map")
    assert drawn(board)[:2] == ["▟▙·▙▟·", "▛▜·▛▜·"]
    assert drawn(board, "box")[:2] == ["▄▄·▐▌·", "██·██·"]
    assert drawn(board, "ascii")[:2] == ["/\\.[].", "##.##."]
    assert board.owner.cells[:2].tolist() == [[1, 1, -1, 0, 0, -1]] * 2
    assert board.place[1, 1] == 1
    assert [place.label for place in board.places] == ["City 1", "City 2"]


@pytest.mark.rule("W2-3.4")
def test_caption_of_a_city_has_name_owner_and_garrison() -> None:
    cities = [ground.city(1, 0, 0, 1), ground.city(2, 3, 1, 0), ground.city(3, 6, 0, razed=True)]
    armies = [
        ground.army(1, 0, 0, owner=1),
        ground.army(2, 1, 1, owner=1),
        ground.army(3, 1, 1, owner=1),
        ground.army(4, 2, 0, owner=1),
    ]
    state = ground.world(["........"] * 4, cities=cities, armies=armies)
    board = PICTURE.board(shown(state), "map")
    assert board.captions == (
        BoardCaption(0, 1, "City 1 3", 1, width=2),
        BoardCaption(3, 2, "City 2 0", 0, width=2),
    )
    assert board.count is not None
    assert board.count.cells[:2].tolist() == [[1, 0, 1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0, 0, 0]]
    assert board.life is None


def test_caption_hides_garrisons_out_of_sight_and_unknown_cities() -> None:
    cities = [ground.city(1, 8, 0, 1), ground.city(2, 0, 0, 0), ground.city(3, 12, 0, 1)]
    armies = [ground.army(1, 8, 0, owner=1), ground.army(2, 0, 0), ground.army(3, 12, 0, owner=1)]
    state = ground.world(["." * 14] * 2, cities=cities, armies=armies, hidden=True)
    known = state.discovered.edit()
    known[:, :10] = 1
    state = replace(state, discovered=type(state.discovered)(known))
    board = PICTURE.board(shown(state), "map")
    assert [caption.text for caption in board.captions] == ["City 1", "City 2 1"]
    assert board.count is not None
    assert int(board.count.cells.sum()) == 1
    everything = PICTURE.board(shown(state, REFEREE), "map")
    texts = [caption.text for caption in everything.captions]
    assert texts == ["City 1 1", "City 2 1", "City 3 1"]


def test_counts_equal_the_stacks_in_the_view() -> None:
    armies = [ground.army(k, k // 8, 0, owner=0) for k in range(1, 12)]
    view = shown(ground.world(["...."], armies=armies))
    board = PICTURE.board(view, "map")
    assert board.count is not None
    for y, x in np.argwhere(np.ones(board.count.cells.shape)):
        here = [army for army in view.armies.values() if army.at == (x, y)]
        assert board.count[y, x] == len(here)
        assert bool(board.piece[y, x]) == bool(here)


def test_objects_on_the_map_have_their_own_tiles() -> None:
    tiles = {symbol.name: symbol.tile for symbol in PICTURE.symbols}
    assert tiles["city, defence 2, top left"] == "city-top-left"
    assert tiles["city, defence 0, bottom right"] == "city-bottom-right"
    words = PICTURE.legend(shown(ground.world(["...."])))
    assert words["city, defence 2, top left"] == "City of defence 2"
    assert tiles["city, from afar"] == tiles["tower"] == "tower"
    assert tiles["site, temple"] == tiles["site, temple, not in sight"] == "temple"
    assert tiles["unsearched site"] == tiles["site, gold"] == "ruin"
    assert tiles["port"] == "port"
    assert tiles["road, east"] == "road"
    assert tiles["bridge, east"] == "bridge"
    symbols = context(ground.world(["h"])).symbols
    near, far = (PICTURE.symbols[symbols.ground[row, int(Terrain.HILLS)]] for row in (0, 1))
    assert near.tile == far.tile == "HILL"
    near, far = (PICTURE.symbols[symbols.ground[row, int(Terrain.FOREST)]] for row in (0, 1))
    assert (near.role, far.role) == (Role.FOREST, Role.UNKNOWN)
    assert far.tile == "FOREST"


def test_razed_city_is_rubble_without_an_owner() -> None:
    razed = ground.city(1, 0, 0, razed=True, slots=(), defence=0)
    board = PICTURE.board(shown(ground.world(["...", "..."], cities=[razed])), "map")
    assert drawn(board) == ["░░·", "░░·"]
    assert int(board.owner.cells.max()) == NOBODY


@pytest.mark.rule("W2-1.8")
def test_stack_shows_its_best_unit_and_its_size_if_it_fits() -> None:
    armies = [
        ground.army(1, 0, 0, ground.SCOUTS),
        ground.army(2, 0, 0, ground.DRAGONS),
        ground.army(3, 1, 0, ground.HERO, owner=1),
        ground.army(4, 1, 0, ground.DRAGONS, owner=1),
        ground.army(5, 2, 0, ground.ARCHERS, aboard=True),
    ]
    state = ground.world(["..~"], armies=armies)
    board = PICTURE.board(shown(state), "map")
    assert drawn(board) == ["D♔▽"]
    assert drawn(board, "ascii") == ["D@Y"]
    symbols = [PICTURE.symbols[int(number)] for number in board.piece.cells[0]]
    assert [symbol.rich2 for symbol in symbols] == ["D2", "♔2", "▽ "]
    assert board.owner.cells.tolist() == [[0, 1, 0]]


def test_flags_ports_signs_items_sites_and_towers_differ() -> None:
    flagged = ground.side(0, flag=(0, 0))
    sword = Item(1, "weapon", 2, "Sword", where="ground", x=6, y=0)
    state = ground.world(
        [".w.xxx."],
        sides=[flagged, ground.side(1)],
        ports=((1, 0),),
        sites=[
            ground.site(1, 3, 0, "temple"),
            ground.site(2, 4, 0, "gold"),
            ground.site(3, 5, 0, "gold", searched=True),
        ],
    )
    post = replace(state, signs=(Sign(2, 0, "To the sea"),), items=Roster([sword]))
    assert drawn(PICTURE.board(shown(post), "map")) == ["⚑◊¶†?◦*"]


@pytest.mark.rule("W2-11.2")
def test_unknown_tiles_are_blank_and_tiles_out_of_sight_grey() -> None:
    state = ground.world(["......"], armies=[ground.army(1, 0, 0)], hidden=True)
    known = state.discovered.edit()
    known[0, :4] = 1
    state = replace(state, discovered=type(state.discovered)(known))
    board = PICTURE.board(shown(state), "map")
    roles = [PICTURE.symbols[int(number)].role for number in board.ground.cells[0]]
    assert roles == [Role.PLAIN] * 2 + [Role.UNKNOWN] * 2 + [Role.BLANK] * 2
    assert drawn(board) == ["i···  "]


def test_overview_cell_shows_its_main_terrain_and_its_city() -> None:
    rows = ["." * 30 + "~" * 30] * 45
    cities = [ground.city(1, 4, 4, 1)]
    sides = [ground.side(0), ground.side(1, capital=(4, 4))]
    state = ground.world(rows, cities=cities, sides=sides, armies=[ground.army(1, 20, 20)])
    found = context(state)
    for zoom, most in OVERVIEW_ROWS.items():
        board = PICTURE.board(shown(state), zoom)
        assert board.scale == scale(found, zoom)
        assert board.height == -(-45 // board.scale) <= most
        assert board.width == -(-60 // board.scale)
        seen = drawn(board)
        assert seen[4 // board.scale][4 // board.scale] == "★"
        assert seen[20 // board.scale][20 // board.scale] == "•"
        assert seen[-1][0] == "·"
        assert seen[-1][-1] == "≈"


def test_overview_shows_the_land_below_a_city() -> None:
    state = ground.world(["." * 60] * 60, cities=[ground.city(1, 5, 5, 1)])
    plains = context(state).symbols.ground[0, int(Terrain.PLAINS)]
    assert PICTURE.board(shown(state), "lands").scale == 2
    for zoom in OVERVIEW_ROWS:
        assert (PICTURE.board(shown(state), zoom).ground.cells == plains).all()


def test_ground_symbols_are_distinct() -> None:
    numbers = PICTURE.context(shown(ground.world(["."]))).symbols.ground
    assert numbers.shape == (2, 14)
    assert len(np.unique(numbers)) == numbers.size


def test_unknown_zoom_is_an_error() -> None:
    with pytest.raises(ValueError, match="zoom"):
        PICTURE.board(shown(ground.world(["."])), "moon")


def test_a_view_is_drawn_once() -> None:
    view = shown(ground.world(["."]))
    assert PICTURE.board(view, "map") is PICTURE.board(view, "map")
