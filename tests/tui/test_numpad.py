"""The number pad in every encoding that terminals use."""

from __future__ import annotations

import pytest
from textual import events

from tui.settings.keymap import Keymap
from tui.settings.keys import CONTEXTS
from tui.terminal.keyboard import Keyboard

FORMS = [
    *((digit, digit) for digit in "0123456789"),
    *((f"\x1bO{chr(ord('p') + digit)}", str(digit)) for digit in range(10)),
    ("\x1bOj", "asterisk"),
    ("\x1bOk", "plus"),
    ("\x1bOl", "comma"),
    ("\x1bOm", "minus"),
    ("\x1bOn", "full_stop"),
    ("\x1bOo", "slash"),
    ("\x1bOX", "equals_sign"),
    ("\x1bOM", "enter"),
    ("\x1bOE", "5"),
    ("\x1b[E", "kp_begin"),
    *((f"\x1bO{letter}", f"f{n}") for n, letter in enumerate("PQRS", 1)),
    ("\x1bOA", "up"),
    ("\x1bOB", "down"),
    ("\x1bOC", "right"),
    ("\x1bOD", "left"),
    ("\x1bOH", "home"),
    ("\x1bOF", "end"),
]


def keys(sent: str) -> list[str]:
    found = Keyboard().feed(sent.encode())
    return [event.key for event in found if isinstance(event, events.Key)]


@pytest.mark.parametrize(("sent", "key"), FORMS)
def test_key_of_the_pad_is_read(sent: str, key: str) -> None:
    assert keys(sent) == [key]


def test_all_directions_and_the_button_are_on_the_pad() -> None:
    board = next(context for context in CONTEXTS if context.name == "map")
    bound = {key: str(binding.id) for binding in board.bindings for key in Keymap().of(binding)}
    found = {digit: bound[digit] for digit in "12346789"}
    assert all(name.startswith("move.") for name in found.values())
    assert len(set(found.values())) == 8
    assert {bound[key] for key in ("5", "kp_begin", "enter")} == {"game.fire"}
