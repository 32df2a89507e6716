"""The keys of the screen below, as they are now."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from tui.keys import keys_file
from tui.screens.dialog import Dialog


class HelpScreen(Dialog[None]):
    """A list of keys and what they do."""

    keys_text = "Esc: back"

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__("Keys")
        self._below = below

    def body(self) -> ComposeResult:
        """One row for each thing that can be done."""
        with VerticalScroll(id="list"):
            yield Static("\n".join(key_rows(self._below)), markup=False)

    def on_mount(self) -> None:
        """Arrow keys scroll."""
        self.query_one(VerticalScroll).focus()


def key_rows(screen: Screen[Any]) -> list[str]:
    """What can be done on a screen: the keys for it, then the words."""
    keys: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is None or binding.system:
            continue
        keys.setdefault(binding.id, []).append(screen.app.get_key_display(binding))
        words[binding.id] = binding.description
    rows = [f"{' '.join(keys[name]):<18} {words[name]:<38} {name}" for name in words]
    return [*rows, "", f"Other keys: [keys] in {keys_file()},", 'as "game.undo" = "z,ctrl+z".']
