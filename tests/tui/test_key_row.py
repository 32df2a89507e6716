"""Rows of keys."""

from __future__ import annotations

from tui.widgets.key_row import named, packed, row_of

NAMES = {"a.back": "Left", "a.on": "Right", "b": "[", "c": "]", "d": "p", "e": "3", "f": "q"}
SHOWN = (("a.back", "a.on", "step"), ("b", "c", "mark"), ("d", "e", "round"), ("f", "", "leave"))


def test_keys_stand_with_their_words() -> None:
    rich = ["←→ step", "[] mark", "p/3 round", "q leave"]
    assert named(SHOWN, NAMES, ascii_only=False) == rich
    assert named(SHOWN, NAMES, ascii_only=True)[0] == "Left/Right step"
    assert named([("gone", "", "x")], NAMES, ascii_only=True) == ["? x"]


def test_what_the_row_has_no_room_for_is_handed_back() -> None:
    parts = ["a one", "b two", "c three"]
    assert row_of(parts, "? help", 100) == ("a one  b two  c three  ? help", [])
    assert row_of(parts, "? help", 20) == ("a one  b two  ? help", ["c three"])
    assert row_of(parts, "? help", 5) == ("? help", parts)


def test_parts_are_packed_into_few_rows() -> None:
    assert packed(["a one", "b two", "c three"], 12) == ["a one  b two", "c three"]
    assert packed(["much too long"], 5) == ["much too long"]
    assert packed([], 5) == []
