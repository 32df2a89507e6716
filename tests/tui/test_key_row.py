"""Rows of keys."""

from __future__ import annotations

from engine.tabletop.ask import Intent
from tui.screens.find import letters
from tui.screens.help import key_parts
from tui.settings.keymap import Keymap
from tui.settings.keys import CONTEXTS
from tui.style.palette import FULL, chosen
from tui.widgets.key_row import (
    KeyWord,
    PlayerSituation,
    for_playing,
    named,
    packed,
    read,
    row_of,
    segments_of,
)

NAMES = {"a.back": "Left", "a.on": "Right", "b": "[", "c": "]", "d": "p", "e": "3", "f": "q"}
SHOWN = (("a.back", "a.on", "step"), ("b", "c", "mark"), ("d", "e", "round"), ("f", "", "leave"))
PARTS = [KeyWord("a", "one"), KeyWord("b", "two"), KeyWord("c", "three")]
HELP = [KeyWord("?", "help")]


def words(parts: list[KeyWord]) -> str:
    return "  ".join(map(str, parts))


def test_keys_are_shown_with_their_words() -> None:
    rich = ["←→ step", "[] mark", "p/3 round", "q leave"]
    assert [str(part) for part in named(SHOWN, NAMES, ascii_only=False)] == rich
    assert str(named(SHOWN, NAMES, ascii_only=True)[0]) == "Left/Right step"
    assert named([("gone", "", "x")], NAMES, ascii_only=True) == [("?", "x")]


def test_row_and_help_show_only_keys_that_work_on_the_map() -> None:
    order, end = Intent("order", "Line of battle …", "O"), Intent("end", "End the turn", "e")
    shut = Intent("defend", "Stand guard", "d", "You have no army here.")
    now = PlayerSituation("", (order, end, shut), jumps=False, holding=False)
    keymap = Keymap(letters={"e": "E"})
    row = words(for_playing(now, {}, keymap, 200))
    assert "E end the turn" in row
    assert "line of battle" not in row
    assert "stand guard" not in row
    own = next(context for context in CONTEXTS if context.name == "map")
    here = next(part for part in key_parts(keymap, own, now.intents) if part.title == "Here")
    assert [key for key, _ in here.rows] == ["i O", "E", "d"]
    assert [entry.key for entry in letters(now.intents, keymap)] == ["i O", "E", "d"]


def test_keys_without_space_in_the_row_are_returned() -> None:
    assert row_of(PARTS, HELP, 100) == ([*PARTS, *HELP], [])
    row, rest = row_of(PARTS, HELP, 20)
    assert (words(row), rest) == ("a one  b two  ? help", PARTS[2:])
    assert row_of(PARTS, HELP, 5) == (HELP, PARTS)


def test_parts_are_packed_into_few_rows() -> None:
    assert packed(PARTS, 12) == ["a one  b two", "c three"]
    assert packed([KeyWord("much", "too long")], 5) == ["much too long"]
    assert packed([], 5) == []


def test_text_is_read_as_keys_and_words() -> None:
    text = "Type some letters   Up, down: choose  Esc: back"
    assert read(text) == [("", "Type some letters"), ("Up, down:", "choose"), ("Esc:", "back")]


def test_keys_differ_from_their_words_at_every_depth_of_colour() -> None:
    for palette in (FULL, chosen("16"), chosen("8"), chosen("none")):
        key, word = segments_of(HELP, palette)
        assert key.style is not None
        assert word.style is not None
        assert key.style.bold and not word.style.bold  # noqa: PT018 - one difference
