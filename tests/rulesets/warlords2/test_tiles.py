"""Encoding of tiles, words and the overlay, bit for bit (sections 2, 19.1 and 19.2)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.rulesets.warlords2 import tile_codec as tiles
from engine.rulesets.warlords2.tile_codec import MapTile16, OverlayFields, TileWord32
from engine.strategic.pieces import NOBODY
from engine.strategic.world import World
from tests.strategic.ground import army, city, side, site, tower, world

FIELDS = {
    "graphic": (0xFF000000, 24),
    "road": (0x00800000, 23),
    "explored": (0x00400000, 22),
    "special": (0x00200000, 21),
    "fortified": (0x00100000, 20),
    "owner": (0x000F0000, 16),
    "army_group": (0x0000F800, 11),
    "army_player": (0x00000780, 7),
    "banner": (0x00000040, 6),
    "variant": (0x0000003C, 2),
    "shore": (0x00000002, 1),
    "structure": (0x00000001, 0),
}


def fields(word: TileWord32) -> dict[str, int]:
    upper = {name: int(value) for name, value in word.tile._asdict().items()}
    return upper | {name: int(v) for name, v in word._asdict().items() if name != "tile"}


@pytest.mark.rule("W2-2.1")
def test_sizes_equal_the_original() -> None:
    """W2-2.1."""
    assert (tiles.SIZE, tiles.STRIDE) == (0x8880, 0xE0)
    assert tiles.address(3, 2) == 2 * 224 + 6


@pytest.mark.rule("W2-2.2b")
@given(st.integers(0, 0xFFFFFFFF))
def test_every_word_survives_unpacking_and_packing(number: int) -> None:
    """W2-2.2b; section 19, number 1."""
    word = tiles.word32(number)
    assert word.packed() == number
    found = fields(word)
    assert {name: (number & mask) >> low for name, (mask, low) in FIELDS.items()} == found


@pytest.mark.rule("W2-2.2a")
@given(st.integers(0, 0xFFFF))
def test_every_pair_of_bytes_survives(number: int) -> None:
    """W2-2.2a."""
    tile = tiles.tile16(number)
    assert tile.packed() == number
    assert tiles.word32(number << 16).tile == tile


@pytest.mark.rule("W2-2.3")
@given(st.integers(0, 0xFF))
def test_an_overlay_byte_holds_three_bits_and_a_count(byte: int) -> None:
    """W2-2.3."""
    found = OverlayFields(byte >= 128, byte & 64 != 0, byte & 32 != 0, byte % 32)
    assert found.packed() == byte


@pytest.mark.rule("W2-2.2b")
@given(st.integers(0, 0xFFFFFFFF), st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, NOBODY]))
def test_a_new_owner_changes_four_bits(word: int, player: int) -> None:
    """W2-2.2; section 19, number 2."""
    read = tiles.word32(word)
    found = read._replace(tile=read.tile._replace(owner=player)).packed()
    assert found == (word & 0xFFF0FFFF) | (player << 16)


def word_at(buffer: bytes, x: int, y: int) -> int:
    """Read four bytes at a tile's address; bytes past the end are zero."""
    start = tiles.address(x, y)
    return int.from_bytes(buffer[start : start + 4].ljust(4, b"\0"), "big")


@pytest.mark.rule("W2-2.2b")
@given(st.integers(0, 111), st.integers(0, 155))
def test_a_raw_read_overlaps_with_the_next_tile(x: int, y: int) -> None:
    """W2-2.2; section 19, number 1."""
    buffer = bytes((31 * k + 7 * (k >> 8) + x) & 0xFF for k in range(tiles.SIZE))
    word = word_at(buffer, x, y)
    here = tiles.address(x, y)
    assert tiles.word32(word).tile.packed() == int.from_bytes(buffer[here : here + 2], "big")
    after = buffer[here + 2 : here + 4]
    if (x, y) == (111, 155):
        assert word & 0xFFFF == 0
    elif x == 111:
        assert after == buffer[tiles.address(0, y + 1) :][:2]
    assert word & 0xFFFF == int.from_bytes(after.ljust(2, b"\0"), "big")


@pytest.mark.rule("W2-2.2b")
def test_the_last_tile_reads_zeros_past_the_end() -> None:
    """W2-2.2."""
    assert word_at(b"\xff" * tiles.SIZE, 111, 155) == 0xFFFF0000


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (112, 0), (0, 156)])
def test_tile_beyond_the_edge_is_an_error(x: int, y: int) -> None:
    with pytest.raises(ValueError, match="there is no tile"):
        tiles.tile_word(world(["."]), x, y)


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        tiles.word32(1 << 32)
    with pytest.raises(ValueError, match="does not fit"):
        MapTile16(256).packed()
    with pytest.raises(ValueError, match="does not fit"):
        TileWord32(MapTile16(0), army_group=32).packed()
    with pytest.raises(ValueError, match="does not fit"):
        OverlayFields(armies=32).packed()


@pytest.mark.rule("W2-2.2b", "W2-2.4")
def test_word_is_built_from_the_position() -> None:
    """W2-2.2b, W2-2.4."""
    state = world(
        ["......", ".#....", ".#....", "~~....", "......"],
        armies=[army(1, 0, 0, owner=1), army(2, 0, 0, owner=1), army(3, 5, 4)],
        cities=[city(0, 2, 1, 0)],
        sites=[site(0, 4, 0), site(1, 5, 0, searched=True)],
        towers=Roster([tower(5, 4, 6)]),
    )
    state = replace(state, art=_art(6, 5, 0x1F))
    wanted = {
        (0, 0): TileWord32(MapTile16(0x1F, owner=1), 2, 1),
        (1, 1): TileWord32(MapTile16(0x1F, road=True), variant=2 | 4),
        (1, 2): TileWord32(MapTile16(0x1F, road=True), variant=1 | 2, shore=True),
        (2, 2): TileWord32(MapTile16(0x1F, fortified=True, owner=0), banner=True, structure=True),
        (4, 0): TileWord32(MapTile16(0x1F, special=True), structure=True),
        (5, 0): TileWord32(MapTile16(0x1F, explored=True), structure=True),
        (0, 3): TileWord32(MapTile16(0x1F)),
        (2, 3): TileWord32(MapTile16(0x1F), shore=True),
        (5, 4): TileWord32(MapTile16(0x1F, fortified=True, owner=0), 1, 0),
    }
    assert {at: tiles.tile_word(state, *at) for at in wanted} == wanted


def _art(width: int, height: int, picture: int) -> Plane:
    return Plane(np.full((height, width), picture, dtype=np.uint8))


@pytest.mark.rule("W2-2.3")
def test_overlay_bytes_of_a_side() -> None:
    """W2-2.3."""
    flagged = side(0, flag=(2, 0))
    state = world(
        ["..."], armies=[army(k, 1, 0) for k in range(1, 9)], sides=[flagged, side(1)], hidden=True
    )
    assert layer(state, 0) == [0, 0x88, 0x40]
    known = world(["..."], sides=[flagged, side(1)])
    assert layer(known, 1) == [0x20, 0x20, 0x60]


def layer(state: World, viewer: int) -> list[int]:
    return [tiles.overlay_of(state, viewer, (x, 0)).packed() for x in range(state.width)]


@pytest.mark.rule("W2-2.1", "W2-2.2a")
def test_tile_has_two_map_bytes_and_one_overlay_byte() -> None:
    """W2-2.1, W2-2.2a."""
    state = replace(world(["..."]), art=_art(3, 1, 0x1F))
    assert tiles.map_tile(state, (1, 0)).packed().to_bytes(2, "big") == b"\x1f\x0f"
    assert layer(state, 0) == [0x20] * 3
