"""Tests of records encoded as bytes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.codec import (
    convert,
    decoder,
    digest,
    encode,
    encode_json,
    json_decoder,
    layout,
    plain,
)
from engine.core.containers import Plane, Roster
from engine.core.record import UNSET, Known, Record, UnsetType, replace
from tests.core.samples import Man, World
from tests.toy.state import State

DTYPES = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw any world."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    kind: Any = dtype
    width, height = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    bounds = np.iinfo(kind)
    cells = draw(
        st.lists(
            st.integers(int(bounds.min), int(bounds.max)),
            min_size=width * height,
            max_size=width * height,
        )
    )
    ids = draw(st.lists(st.integers(0, 99), unique=True, max_size=4))
    men = Roster(Man(number, draw(st.text(max_size=5))) for number in ids)
    path = draw(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=3))
    plane = Plane(np.array(cells, dtype=dtype).reshape(height, width))
    mood: Literal["calm", "angry"] = draw(st.sampled_from(["calm", "angry"]))
    return World(plane, men, tuple(path), mood, draw(st.none() | st.just(Man(1, "x"))))


@given(worlds())
def test_encoded_record_decodes_to_itself(world: World) -> None:
    assert decoder(World).decode(encode(world)) == world
    assert encode(decoder(World).decode(encode(world))) == encode(world)
    assert digest(decoder(World).decode(encode(world))) == digest(world)
    assert convert(plain(world), World) == world


@given(worlds())
def test_json_decodes_to_the_record_if_the_plane_has_a_row(world: World) -> None:
    assume(world.ground.height)
    assert json_decoder(World).decode(encode_json(world)) == world
    assert b"\n" not in encode_json(world)


GROUND = ["|u1", 1, 1, b"\x00"]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ({"men": []}, "missing required field `ground`"),
        ({"ground": 5, "men": []}, "Expected `array`, got `int`"),
        ({"ground": [], "men": []}, "length 4, got 0"),
        ({"ground": ["|u1", 2, 2, b"abc"], "men": []}, "2x2 has 3 cells"),
        ({"ground": ["<i4", 1, 1, b"abc"], "men": []}, "multiple of element size"),
        ({"ground": ["|O8", 1, 1, b"abcdefgh"], "men": []}, "no plane of 1x1"),
        ({"ground": ["<f8", 1, 1, b"abcdefgh"], "men": []}, "no plane of 1x1"),
        ({"ground": [[1], 1, 1, b"a"], "men": []}, "Expected `str`"),
        ({"ground": ["|u1", -1, -1, b"a"], "men": []}, "no plane of -1x-1"),
        ({"ground": ["|u1", 2**31, 2**31, b"a"], "men": []}, "no plane of"),
        ({"ground": ["|u1", 0, 2**60, b""], "men": []}, "no plane of"),
        ({"ground": {"dtype": [1], "rows": []}, "men": []}, "no plane of"),
        ({"ground": {"dtype": "|u1", "rows": [[1], [1, 2]]}, "men": []}, "different lengths"),
        ({"ground": {"dtype": "|u1", "rows": [[256]]}, "men": []}, "does not fit"),
        ({"ground": {"dtype": "<i8", "rows": [[2**63]]}, "men": []}, "does not fit"),
        ({"ground": {"dtype": "<u8", "rows": [[-1]]}, "men": []}, "does not fit"),
        ({"ground": {"dtype": "|u1", "rows": [["1"]]}, "men": []}, "Expected `int`"),
        ({"ground": {"dtype": "|u1"}, "men": []}, "Expected `array`"),
        ({"ground": GROUND, "men": {"1": 2}}, "Expected `array`"),
        ({"ground": GROUND, "men": [{"id": 1}, {"id": 1}]}, "same id"),
        ({"ground": GROUND, "men": [{"id": "1"}]}, "Expected `int`"),
        ({"ground": GROUND, "men": [], "mood": "glad"}, "glad"),
        ({"ground": GROUND, "men": [], "path": [[1]]}, "length 2, got 1"),
    ],
)
def test_hostile_data_is_refused_with_a_reason(raw: dict[str, Any], complaint: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=complaint):
        convert(raw, World)
    with pytest.raises(msgspec.ValidationError, match=complaint):
        decoder(World).decode(msgspec.msgpack.encode(raw))


def test_a_complaint_names_the_place() -> None:
    raw = {"ground": GROUND, "men": [{"id": 1}, {"id": "x"}]}
    with pytest.raises(msgspec.ValidationError, match=r"\$\[1\]\.id` - at `\$\.men`"):
        convert(raw, World)


@given(st.binary(max_size=60))
def test_random_bytes_are_refused_or_read_but_never_crash(data: bytes) -> None:
    try:
        read = decoder(World).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    assert isinstance(read, World)


def test_encoding_an_unknown_type_fails() -> None:
    with pytest.raises(NotImplementedError, match="complex"):
        encode(1j)


def test_different_values_have_different_digests() -> None:
    world = World(Plane([[1]]), Roster())
    assert digest(world) != digest(replace(world, path=((0, 0),)))
    assert len(digest(world)) == 16


class OneWay(Record, frozen=True):
    """A record with two fields."""

    a: int
    b: tuple[Man, ...] = ()


class OtherWay(Record, frozen=True):
    """The fields of ``OneWay`` in the opposite order."""

    b: tuple[Man, ...] = ()
    a: int = 0


class Tree(Record, frozen=True):
    """A record that contains its own type."""

    left: Tree | None = None


def test_layout_depends_on_fields_order_and_types() -> None:
    shapes = [OneWay, OtherWay, Man, World, Tree]
    assert len({layout(shape) for shape in shapes}) == len(shapes)
    assert all(len(layout(shape)) == 8 for shape in shapes)


class Closed(Record, frozen=True):
    """A record with a closed list of words."""

    word: Literal["one", "two"] = "one"


class Opened(Record, frozen=True):
    """The same words in an open list, and a field that is omitted until it is set."""

    word: Annotated[str, Known(("one", "two"))] = "one"
    more: int | UnsetType = UNSET


def test_layout_ignores_opened_lists_and_added_optional_fields() -> None:
    Opened.__name__ = Closed.__name__  # layouts name records too
    assert layout(Opened) == layout(Closed)
    assert encode(Opened()) == encode(Closed())
    assert digest(Opened()) == digest(Closed())
    assert decoder(Opened).decode(encode(Opened("three", 3))) == Opened("three", 3)


def test_layout_of_the_toy_is_the_same_on_every_python() -> None:
    """Marks in old saves contain this layout; if it changes they can no longer be compared."""
    assert layout(State).hex() == "b4d47011f4baec2e"
